"""Is what docs/comparison.md says about repro_eval true?  Each test looks at what repro_eval 0.5.0 itself has said."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import primad
from tests.claims.peers import ask, call
from tests.cli.running import primad as command
from tests.docs.pages import ROOT

pytestmark = pytest.mark.slow  # repro_eval takes seconds to start

PAGE = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")
TOPICS = [str(topic) for topic in range(1, 8)]
HEADER = """\
# ir_metadata.start
# tag: {tag}
# platform: {{operating system: {{kernel: '{kernel}', distribution: Debian 12}}}}
# research goal: {{venue: {{name: SIGIR, year: 2020}}}}
# implementation: {{source: {{commit: 9548cd6b}}}}
# method: {{retrieval: [{{name: bm25}}]}}
# actor: {{team: ours}}
# data: {{test collection: {{name: core17}}}}
# ir_metadata.end
"""


def ranking(topics: list[str], tag: str = "x") -> str:
    """Return a run with three documents for each of TOPICS, not in the same order for all."""
    lines = []
    for topic in topics:
        turn = int(topic) % 3
        documents = [*"abc"[turn:], *"abc"[:turn]]
        lines += [f"{topic} Q0 {document} {rank} {4 - rank} {tag}\n" for rank, document in enumerate(documents, 1)]
    return "".join(lines)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with qrels and runs, and below it folders of annotated ones."""
    place = tmp_path_factory.mktemp("repro_eval")
    (place / "qrels").write_text("".join(f"{topic} 0 a 1\n{topic} 0 b {int(topic) % 2}\n" for topic in TOPICS))
    (place / "original.run").write_text(ranking(TOPICS))
    parts = [ranking([topic], tag="y") for topic in TOPICS]
    parts[:3] = [part.replace(" a ", " z ") for part in parts[:3]]
    (place / "sorted.run").write_text("".join(parts))
    (place / "turned.run").write_text("".join(reversed(parts)))
    for name, kernels in (("kernels", ("5.10.1", "5.10.2")), ("mixed", ("5.10", "5.10"))):
        (place / name).mkdir()
        for tag, kernel in zip(("one", "two"), kernels, strict=True):
            text = HEADER.format(tag=tag, kernel=kernel) + ranking(["1"], tag=tag)
            (place / name / f"{tag}.run").write_text(text)
    (place / "mixed" / "plain.run").write_text(ranking(["1"]))
    (place / "twice.run").write_text(ranking(["1"]))
    (place / "twice.run.yml").write_text("tag: x\n")
    return place


@pytest.fixture(scope="module")
def answers(files: Path) -> dict[str, Any]:
    """Return what repro_eval said."""
    alone = ("public", "about", "measures", "union_tau", "overlap_with_itself", "pairing", "no_numbers", "source")
    runs = [files / name for name in ("qrels", "original.run", "sorted.run")]
    questions: dict[str, list[object]] = {name: [name] for name in alone}
    questions |= {letters: ["experiment", letters, *runs] for letters in ("priMad", "PRIMAd", "PRImAd")}
    questions |= {name: ["types", files / name / "one.run", files / name] for name in ("kernels", "mixed")}
    return ask("repro_eval", "in_repro_eval.py", questions | {"twice": ["annotate_twice", files / "twice.run"]})


def rows() -> list[str]:
    """Return the first cells of the table of its calls."""
    table = PAGE[PAGE.index("| repro_eval 0.5 |") :].partition("\n\n")[0]
    return [line.split(" | ")[0] for line in table.splitlines()[2:]]


def test_every_public_call_is_on_the_page(answers: dict[str, Any]) -> None:
    named = {name for row in rows() for name in re.findall(r"`([\w.]+)", row)}

    assert len(answers["public"]) > 50
    assert [name for name in answers["public"] if name not in named] == []


def test_its_author_is_one_of_those_of_the_measures(answers: dict[str, Any]) -> None:
    about = answers["about"]

    assert (about["version"], about["author"]) == ("0.5.0", "Timo Breuer")
    assert "10.1007/978-3-030-72240-1_51" in about["text"]


def test_it_computes_58_measures_without_being_asked(answers: dict[str, Any]) -> None:
    assert answers["measures"] == 58


def test_its_union_tau_depends_on_what_documents_are_called(answers: dict[str, Any]) -> None:
    by_rank, at_random = answers["union_tau"]

    assert (round(by_rank, 3), round(at_random, 1)) == (0.998, 0.0)


def test_its_overlap_of_a_short_list_with_itself_is_below_1(answers: dict[str, Any]) -> None:
    assert round(answers["overlap_with_itself"], 3) == 0.476


def test_its_test_pairs_topics_in_the_order_of_mappings(answers: dict[str, Any]) -> None:
    paired, turned = answers["pairing"]

    assert (round(paired, 3), round(turned, 2)) == (0.015, 0.85)


def test_its_command_sorts_topics_before_it_pairs_them(files: Path) -> None:
    said = [
        call(
            *("repro_eval", "python", "-W", "ignore", "-m", "repro_eval", "-t", "rpd", "-m", "ttest"),
            *("-q", files / "qrels", "-r", files / "original.run", files / run),
        )
        for run in ("sorted.run", "turned.run")
    ]

    assert said[0].returncode == 0, said[0].stderr
    assert "PVAL" in said[0].stdout
    assert said[0].stdout == said[1].stdout


def test_what_is_undefined_is_nan_or_infinite_there_and_has_a_reason_here(answers: dict[str, Any]) -> None:
    assert answers["no_numbers"] == ["nan", "inf"]

    original = {"1": 0.1, "2": 0.5}
    no_effect = primad.Effect.of(original, original)
    with pytest.raises(primad.PrimadError, match="er is undefined: the original runs have equal mean scores"):
        primad.get_measure("er")(no_effect, no_effect)


def test_its_experiment_ends_with_an_error_for_types_that_it_knows(answers: dict[str, Any]) -> None:
    assert (answers["priMad"], answers["PRIMAd"]) == ("KeyError", "KeyError")


def test_its_experiment_knows_three_types(answers: dict[str, Any]) -> None:
    assert answers["PRImAd"] == "ValueError"
    assert re.findall(r"if self\.primad == '(\w+)'", answers["source"]) == ["priMad", "PRIMAd", "PRIMAD"]


def test_its_experiment_stores_nrmse_under_the_name_of_rmse(answers: dict[str, Any]) -> None:
    assert answers["source"].count("['rmse'] = self.rep_eval.nrmse(") == 2
    assert "self.rep_eval.rmse(" not in answers["source"]


def test_its_experiment_calls_a_method_that_is_gone(answers: dict[str, Any]) -> None:
    assert "self.rep_eval.ktau_union(" in answers["source"]
    assert "RpdEvaluator.ktau_union" not in answers["public"]


def test_another_kernel_changes_the_platform_there_and_not_here(answers: dict[str, Any], files: Path) -> None:
    runs = files / "kernels"

    assert answers["kernels"] == {"Primad": [str(runs / "two.run")]}
    assert [str(run.type) for run in primad.compare(runs / "one.run", runs)] == ["primad"]
    assert [str(run.type) for run in primad.compare(runs / "one.run", runs, strict=True)] == ["Primad"]


def test_one_run_without_metadata_ends_the_analysis_of_a_folder_there_and_is_named_here(
    answers: dict[str, Any], files: Path
) -> None:
    found = primad.compare(files / "mixed" / "one.run", files / "mixed").to_dict()

    assert answers["mixed"] == "TypeError"
    assert [Path(run["path"]).name for run in found["runs"]] == ["two.run"]
    assert [Path(run["path"]).name for run in found["without_metadata"]] == ["plain.run"]


def test_a_run_annotated_twice_has_two_headers_there_and_one_here(answers: dict[str, Any], tmp_path: Path) -> None:
    run = tmp_path / "bm25.run"
    run.write_text(ranking(["1"]))

    for _ in range(2):
        assert command("annotate", run, "--set", "actor.team=ours", "--no-capture", "--in-place").code == 0

    assert answers["twice"] == 2
    assert run.read_text().count("# ir_metadata.start") == 1


def test_a_wrong_type_on_its_command_line_prints_nothing_and_exits_with_0(files: Path) -> None:
    done = call(
        *("repro_eval", "python", "-W", "ignore", "-m", "repro_eval", "-t", "wrong"),
        *("-q", files / "qrels", "-r", files / "original.run", files / "sorted.run"),
    )

    assert (done.returncode, done.stdout) == (0, "")
