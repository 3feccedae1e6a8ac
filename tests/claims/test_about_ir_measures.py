"""Is what docs/comparison.md says about ir_measures true?"""

from __future__ import annotations

import re
from pathlib import Path

import ir_measures
import pytest

from tests.cli.running import primad
from tests.docs.pages import ROOT

TEXT = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")


@pytest.fixture
def qrels(tmp_path: Path) -> Path:
    """Return judgments of one topic: a is relevant, b is not."""
    path = tmp_path / "qrels"
    path.write_text("1 0 a 1\n1 0 b 0\n")
    return path


def tied(folder: Path, *documents: str) -> Path:
    """Return a run of tied DOCUMENTS, in this order."""
    path = folder / f"{''.join(documents)}.run"
    path.write_text("".join(f"1 Q0 {document} {rank} 1.0 x\n" for rank, document in enumerate(documents, 1)))
    return path


def theirs(qrels: Path, run: Path, *measures: str) -> dict[str, float]:
    """Return what ir_measures computes, by name."""
    parsed = [ir_measures.parse_measure(name) for name in measures]
    judged = ir_measures.read_trec_qrels(str(qrels))  # type: ignore[no-untyped-call]
    ranked = ir_measures.read_trec_run(str(run))  # type: ignore[no-untyped-call]
    return {str(measure): value for measure, value in ir_measures.calc_aggregate(parsed, judged, ranked).items()}


def ours(qrels: Path, run: Path, *measures: str) -> list[float]:
    """Return what primad computes, in the order of MEASURES."""
    options = [word for name in measures for word in ("-m", name)]
    outcome = primad("evaluate", qrels, run, *options, "--format", "csv")
    assert outcome.code == 0, outcome.err
    return [float(cell) for cell in outcome.out.splitlines()[-1].split(",")[3:]]


@pytest.mark.parametrize("name", ["alpha_nDCG@10", "ERR_IA@10", "StRecall@10", "NRBP", "AP_IA"])
def test_it_has_measures_of_diversity_and_primad_refuses_them(name: str, qrels: Path, tmp_path: Path) -> None:
    assert ir_measures.parse_measure(name)

    outcome = primad("evaluate", qrels, tied(tmp_path, "a", "b"), "-m", name)

    assert outcome.code == 1
    assert "it needs judgments of subtopics, which these qrels do not hold" in outcome.err


def test_it_knows_51_names_and_11_providers() -> None:
    assert len(ir_measures.measures.registry) == 51
    assert len(ir_measures.providers.registry) == 11


def test_the_reciprocal_rank_of_tied_documents_is_another_with_a_cutoff(qrels: Path, tmp_path: Path) -> None:
    run = tied(tmp_path, "a", "b")

    assert theirs(qrels, run, "RR", "RR@10") == {"RR": 0.5, "RR@10": 1.0}
    assert ours(qrels, run, "RR", "RR@10") == [0.5, 0.5]


def test_its_rbp_of_tied_documents_depends_on_the_order_of_lines(qrels: Path, tmp_path: Path) -> None:
    name = "RBP(p=0.5,rel=1)"
    runs = tied(tmp_path, "a", "b"), tied(tmp_path, "b", "a")

    assert [theirs(qrels, run, name)[name] for run in runs] == [0.5, 0.25]
    assert [ours(qrels, run, name) for run in runs] == [[0.25], [0.25]]


def test_every_call_of_its_documentation_is_on_the_page() -> None:
    calls = ["calc_aggregate", "iter_calc", "calc", "evaluator", "read_trec_run", "read_trec_qrels", "parse_measure"]
    table = TEXT[TEXT.index("| ir_measures |") :].partition("\n\n")[0]
    rows = re.findall(r"^\| `(\w+)", table, flags=re.MULTILINE)

    assert [call for call in calls if call not in rows] == []
    assert [row for row in rows if not hasattr(ir_measures, row) and row != "ir_measures"] == []
