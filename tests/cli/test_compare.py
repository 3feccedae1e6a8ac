"""Does `primad compare` print types, exit with 1 only if nothing can be said, and leave the files alone?"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.cli.running import Outcome, primad
from tests.reproducibility.comparison.records import RANKING, record, run_file


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder: an original, two runs beside it in a folder, and files that say nothing."""
    monkeypatch.chdir(tmp_path)
    run_file(tmp_path / "bm25.run", record())
    runs = tmp_path / "runs"
    runs.mkdir()
    run_file(runs / "sweep.run", record({"tag": "sweep", "method.retrieval[0].k1": 1.2}))
    others = run_file(runs / "others.run", record({"tag": "others", "actor.orcid": "0000-0001-2345-6789"}))
    others.rename(runs / "others.run.gz")
    (runs / "others.run.gz").write_bytes(gzip.compress((runs / "others.run.gz").read_bytes()))
    silent = tmp_path / "silent"
    silent.mkdir()
    (silent / "bare.run").write_bytes(RANKING)
    (tmp_path / "empty").mkdir()
    return tmp_path


def types(*arguments: object) -> dict[str, str]:
    """Return the types by path that ``primad compare`` prints as JSON."""
    outcome = primad("compare", *arguments, "--format", "json")
    assert (outcome.code, outcome.err) == (0, "")
    return {run["path"]: run["type"] for run in json.loads(outcome.out)["runs"]}


def test_runs_are_compared_with_an_original() -> None:
    outcome = primad("compare", "bm25.run", "runs/sweep.run")

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(
        "original  bm25.run (bm25)\n\n"
        "run in runs  tag    type    kind\n"
        "───────────  ─────  ──────  ───────────────\n"
        "sweep.run    sweep  priMad  parameter-sweep\n\n"
        "runs/sweep.run: priMad, parameter-sweep\n"
    )
    assert outcome.out.endswith("  primad assess --original bm25.run --reproduction runs/sweep.run --qrels QRELS\n")


def test_a_folder_is_searched_for_runs_packed_or_not() -> None:
    assert types("bm25.run", "runs") == {"runs/others.run.gz": "primAd", "runs/sweep.run": "priMad"}


def test_the_original_is_not_compared_with_itself() -> None:
    assert types("bm25.run", ".") == {"runs/others.run.gz": "primAd", "runs/sweep.run": "priMad"}


def test_a_folder_alone_gives_the_type_of_each_pair() -> None:
    outcome = primad("compare", "runs", "--format", "json")

    assert json.loads(outcome.out)["matrix"] == {
        "paths": ["runs/others.run.gz", "runs/sweep.run"],
        "types": [["", "priMAd"], ["priMAd", ""]],
    }


def test_pairwise_takes_no_run_for_the_original() -> None:
    outcome = primad("compare", "--pairwise", "bm25.run", "runs/sweep.run")

    assert outcome.code == 0
    assert "bm25.run and runs/sweep.run: priMad, parameter-sweep\n" in outcome.out


def test_a_run_without_metadata_is_listed_and_does_not_stop_the_rest() -> None:
    outcome = primad("compare", "bm25.run", "silent", "gone.run", "runs/sweep.run")

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.endswith(
        "nothing known of silent/bare.run: has no metadata, neither in the file nor beside it\n"
        "nothing known of gone.run: no such file\n"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(
            ("bm25.run", "silent"),
            1,
            "expected a run with metadata to compare, found none; primad annotate adds it",
            id="silent",
        ),
        pytest.param(("silent", "bm25.run"), 1, "expected two runs with metadata to compare, found 1", id="one of two"),
        pytest.param(("silent/bare.run", "runs"), 1, "silent/bare.run: has no metadata, ", id="silent original"),
        pytest.param(("gone.run", "runs"), 1, "gone.run: no such file", id="no original"),
        pytest.param(("bm25.run", "empty"), 2, "expected runs to compare with bm25.run, found none in", id="empty"),
        pytest.param(("bm25.run",), 2, "expected an original and runs to compare with it, or a folder", id="one run"),
        pytest.param((), 2, "expected an original and runs to compare with it, or a folder", id="nothing"),
        pytest.param(("-", "-"), 2, "standard input can be read once only", id="stdin twice"),
        pytest.param(("bm25.run", "runs", "--type", "x"), 2, "--type: expected a type such as priMad", id="no type"),
        pytest.param(("bm25.run", "runs", "--where", "x"), 2, "expected FIELD=VALUE such as", id="no condition"),
        pytest.param(
            ("bm25.run", "runs", "--where", "actor.team=x", "--type", "priMad"),
            1,
            "no run meets the conditions: actor.team=x, type priMad",
            id="nothing left",
        ),
        pytest.param(("--explain", "--format", "csv"), 2, "--explain is printed as table or json", id="explain csv"),
    ],
)
def test_what_cannot_be_answered_is_said_with_its_exit_code(
    arguments: tuple[str, ...], code: int, message: str
) -> None:
    outcome = primad("compare", *arguments)

    assert outcome.code == code
    assert outcome.err.startswith(f"primad: {message}")
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--baseline", "ql"), {"runs/others.run.gz", "runs/sweep.run"}),
        (("--collection", "core17"), {"runs/others.run.gz", "runs/sweep.run"}),
        (("--where", "tag=sweep"), {"runs/sweep.run"}),
        (("--type", "PRIMA'D"), {"runs/others.run.gz"}),
        (("--type", "priMad", "--where", "actor.team=h2oloo"), {"runs/sweep.run"}),
    ],
)
def test_conditions_choose_runs(options: tuple[str, ...], expected: set[str]) -> None:
    assert types("bm25.run", "runs", *options).keys() == expected


def test_runs_that_were_passed_over_are_counted() -> None:
    outcome = primad("compare", "bm25.run", "runs", "--where", "tag=sweep")

    assert outcome.out.endswith("\n1 run does not meet the conditions\n")


def test_unknown_components_are_resolved_on_request(folder: Path) -> None:
    run_file(folder / "little.run", record(without=("platform", "data")))

    assert types("bm25.run", "little.run") == {"little.run": "?rima?"}
    assert types("bm25.run", "little.run", "--assume", "changed") == {"little.run": "PrimaD"}
    assert types("bm25.run", "little.run", "--assume", "same") == {"little.run": "primad"}


def test_strict_lets_a_mail_address_flip_a_letter(folder: Path) -> None:
    run_file(folder / "mail.run", record({"actor.mail": "x@example.org"}))

    assert types("bm25.run", "mail.run") == {"mail.run": "primad"}
    assert types("bm25.run", "mail.run", "--strict") == {"mail.run": "primAd"}


def test_primes_and_terms_are_printed_on_request() -> None:
    outcome = primad("compare", "bm25.run", "runs/sweep.run", "--prime", "--terms")

    assert "sweep.run    sweep  PRIM'AD  parameter-sweep\n" in outcome.out
    assert "  Whitaker    robust: the same data, another analysis\n" in outcome.out


def test_the_explanation_needs_no_runs() -> None:
    outcome = primad("compare", "--explain")

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(
        "A component changed if a field that counts for it is stated by both runs and differs."
    )


def test_a_run_is_read_from_standard_input(folder: Path) -> None:
    outcome = primad("compare", "bm25.run", "-", stdin=(folder / "runs" / "sweep.run").read_bytes())

    assert outcome.code == 0
    assert "-: priMad, parameter-sweep\n" in outcome.out


def test_csv_is_printed() -> None:
    outcome = primad("compare", "bm25.run", "runs", "--format", "csv", "--jobs", "2")

    assert [line.split(",")[1:4] for line in outcome.out.splitlines()] == [
        ["run", "tag", "type"],
        ["runs/others.run.gz", "others", "primAd"],
        ["runs/sweep.run", "sweep", "priMad"],
    ]


def test_nothing_is_written(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    primad("compare", "bm25.run", "runs", "silent")

    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_real_metadata_files_are_compared_or_said_to_be_unreadable(shared_data: Path) -> None:
    folder = shared_data / "ir_metadata"
    original = folder / "tira" / "longeval-ir-metadata" / "ir-metadata.yml"

    outcome = primad("compare", original, folder, "--format", "json")

    found = json.loads(outcome.out)
    read = {str(Path(run["path"]).relative_to(folder)): run["type"] for run in found["runs"]}
    assert outcome == Outcome(0, outcome.out, "")
    assert read["tira/longeval-ir-metadata/ir-metadata-rag.yml"] == "??IMAD"
    assert read["tira/longeval-ir-metadata/ir-metadata-incomplete.yml"] == "?????d"
    assert read["tira/wows26/complete/ir-metadata.yml"] == "??I?A?"
    assert {Path(one["path"]).parent.name for one in found["without_metadata"]} == {
        "invalid-ir-metadata",
        "ir-metadata-no-script",
        "ir-metadata-with-script",
        "ir-metadata-with-script-and-notebook",
    }


def test_two_real_runs_of_one_system_share_platform_and_code(shared_data: Path) -> None:
    folder = shared_data / "ir_metadata" / "anserini-bm25-retrieval"

    found = types(folder / "dev1" / "run.txt.gz", folder / "dev2")

    assert list(found.values()) == ["p?i???"]
