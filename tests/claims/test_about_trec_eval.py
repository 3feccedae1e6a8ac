"""Is what docs/comparison.md says about trec_eval true, as far as its code runs here: pytrec_eval is trec_eval 9?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import pytrec_eval
from typer.main import get_command

from primad.cli import app
from tests.cli.running import primad
from tests.docs.pages import ROOT

TEXT = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")
# The options of trec_eval 9, as its main program hands them to getopt (trec_eval.c).
OPTIONS = "hvqm:cl:nD:JN:M:R:T:oZ:"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Return qrels of two topics, and a run that has one of them."""
    qrels, run = tmp_path / "qrels", tmp_path / "bm25.run"
    qrels.write_text("1 0 a 1\n2 0 a 1\n")
    run.write_text("1 Q0 a 1 2.0 x\n")
    return qrels, run


def test_it_has_measures_of_preferences_and_primad_refuses_them(files: tuple[Path, Path]) -> None:
    assert {"prefs", "all_prefs", "qrels_jg"} <= pytrec_eval.supported_nicknames.keys()

    outcome = primad("evaluate", *files, "-m", "prefs")

    assert outcome.code == 1
    assert "it needs preferences or several judgments per document, which qrels do not hold" in outcome.err


def test_a_topic_that_the_run_lacks_is_left_out_in_silence_there_and_named_here(files: tuple[Path, Path]) -> None:
    evaluator = pytrec_eval.RelevanceEvaluator({"1": {"a": 1}, "2": {"a": 1}}, {"map"})
    outcome = primad("evaluate", *files, "-m", "map", "--format", "trec_eval")

    assert evaluator.evaluate({"1": {"a": 2.0}}) == {"1": {"map": 1.0}}
    assert outcome.out.split() == ["map", "all", "1.0000"]
    assert re.search(r"1 of 2 judged topics not in the run, left out of the mean .*: 2", outcome.err)


def test_every_option_of_trec_eval_is_on_the_page() -> None:
    table = TEXT[TEXT.index("| option of trec_eval |") :].partition("\n\n")[0]
    rows = re.findall(r"^\| `-(\w)", table, flags=re.MULTILINE)

    assert sorted(rows) == sorted(OPTIONS.replace(":", ""))


def test_what_is_named_instead_of_an_option_exists() -> None:
    table = TEXT[TEXT.index("| option of trec_eval |") :].partition("\n\n")[0].splitlines()[2:]
    named = {word for row in table for word in re.findall(r"`(--?[\w-]+)", row.split(" | ")[1])}
    command = get_command(app).commands["evaluate"]  # type: ignore[attr-defined]
    known = {option for parameter in command.params for option in parameter.opts}

    assert named <= known | {"--help", "--version"}
    assert len(named) > 8
