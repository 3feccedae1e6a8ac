"""Can a track be set up from the command line: its rules, tasks, data sets, teams, analysts and machines?"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli import track_folders
from tests.cli.running import primad


@pytest.fixture
def filled(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    yield from track_folders.worked_in(track_folders.filled(tmp_path_factory), tmp_path, monkeypatch)


@pytest.fixture
def tried(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    yield from track_folders.worked_in(track_folders.tried(tmp_path_factory), tmp_path, monkeypatch)


def shown(*thing: str) -> Any:
    """Return what is known of a THING, or of the track."""
    outcome = primad("track", "show", *thing, "--format", "json")
    (content,) = (value for key, value in json.loads(outcome.out).items() if key != "schema")
    return content


def said(*arguments: object) -> str:
    """Return what ``primad track ARGUMENTS`` says when all is well."""
    outcome = primad("track", *arguments)
    assert outcome.code == 0, outcome.err
    return outcome.err


def refused(code: int, *arguments: object) -> str:
    """Return with which words ``primad track ARGUMENTS`` is refused."""
    outcome = primad("track", *arguments)
    assert (outcome.code, outcome.out) == (code, ""), outcome
    return outcome.err


# Rules and phases ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("filled")
def test_what_is_changed_is_changed_and_what_is_not_given_stays() -> None:
    assert said("change", "--about", "Codes", "--budget", 60, "--closes", "results=2016-05-01") == (
        "primad: changed: about, budget, dates\n"
    )
    said("change", "--opens", "results=2016-04-01", "--source", "LOUHI 2016", "--blind")

    track = shown()

    assert (track["title"], track["about"], track["source"]) == ("A small track", "Codes", "LOUHI 2016")
    assert (track["budget"], track["blind"]) == (60, True)
    assert track["dates"] == {"results": {"opens": "2016-04-01", "closes": "2016-05-01"}}


@pytest.mark.usefixtures("filled")
def test_a_change_of_nothing_is_no_change() -> None:
    assert "expected something to change" in refused(2, "change")
    assert "expected one --closes for results, found 2" in refused(
        2, "change", "--closes", "results=2016-05-01", "--closes", "results=2016-06-01"
    )
    assert "closes 2016-04-01, before it opens" in refused(
        1, "change", "--closes", "results=2016-04-01", "--opens", "results=2016-05-01"
    )
    assert shown()["dates"] == {}


def test_a_sheet_of_another_kind_is_a_new_version(filled: Path) -> None:
    question = {
        "key": "A",
        "part": "All",
        "text": "Did it work?",
        "short": "Works?",
        "scale": "yes-no",
        "better": "yes",
    }
    (filled / "sheet.yaml").write_text(json.dumps({"title": "Short", "questions": [question]}))
    (filled / "bad.yaml").write_text("title: Short\nquestions: [{key: A}]\n")

    assert said("change", "--sheet", "sheet.yaml") == "primad: version 2 of the sheet holds from now on\n"
    assert "expected a text" in refused(1, "change", "--sheet", "bad.yaml")
    assert "no.yaml" in refused(1, "change", "--sheet", "no.yaml")


@pytest.mark.usefixtures("filled")
def test_a_track_moves_on_and_goes_back_with_a_reason() -> None:
    moved = primad("track", "phase", "systems")

    assert (moved.code, moved.out) == (0, "systems\n")
    assert moved.err == (
        "primad: the track went from set-up to systems\nprimad: passed over: results\nprimad: nothing was submitted\n"
    )
    assert primad("track", "phase", "systems").err == (
        "primad: the track is in systems already\nprimad: nothing was submitted\n"
    )
    assert "to reopen results say why, with --because" in refused(2, "phase", "results")
    assert said("phase", "results", "--because", "a file was damaged").endswith("from systems to results\n")
    assert json.loads(primad("track", "phase", "--format", "json").out) == {
        "schema": "primad.track/1",
        "phase": "results",
        "next_phase": "systems",
    }
    assert "found 'result'; did you mean 'results'?" in refused(2, "phase", "result")


@pytest.mark.usefixtures("tried")
def test_what_a_phase_does_not_allow_is_refused_with_what_can_be_done() -> None:
    told = refused(2, "task", "other", "--scorer", "coding")

    assert "the track is in the phase replication, but tasks, data sets, the sheet and dates are changed in" in told
    assert "an organiser can reopen it, for a reason, with: primad track phase assignment --because TEXT" in told
    assert "but teams are registered in set-up or results" in refused(2, "team", "gamma")
    assert "but results are submitted in results" in refused(2, "submit", "alpha", "run2", "output.tsv")


# Tasks -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("filled")
def test_a_task_is_made_and_changed_without_losing_what_is_not_given() -> None:
    made = said(
        *("task", "search", "--scorer", "trec", "-m", "map", "-m", "ndcg", "--primary", "map", "--title", "Search"),
        *("--limit", "memory=2GB", "--limit", "seconds=60", "--profile", "ir_metadata", "--network"),
    )
    said("task", "search", "--about", "Find documents", "--limit", "processes=9", "--no-network")

    assert made == "primad: task search (replicate): scored by trec, verdicts by map\n"
    task = shown("search")
    assert task["settings"] == {"measures": ["map", "ndcg"], "primary": "map"}
    assert task["limits"] == {"memory": 2_000_000_000, "seconds": 60, "processes": 9}
    assert (task["title"], task["about"], task["profile"]) == ("Search", "Find documents", "ir_metadata")
    assert (task["kind"], task["scorer"], task["network_to_install"]) == ("replicate", "trec", False)


@pytest.mark.usefixtures("filled")
def test_another_scorer_has_settings_of_its_own() -> None:
    assert shown("coding")["settings"] == {"primary": "f1"}

    said("task", "coding", "--scorer", "spans")

    assert (shown("coding")["scorer"], shown("coding")["settings"]) == ("spans", {})


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(["new"], 2, "there is no task new yet; a new one needs a --scorer", id="no scorer"),
        pytest.param(["new", "--scorer", "rouge"], 2, "rouge", id="unknown scorer"),
        pytest.param(["coding", "--set", "format"], 2, "expected --set NAME=VALUE, found 'format'", id="no value"),
        pytest.param(["coding", "--set", "colour=red"], 2, "colour", id="unknown setting"),
        pytest.param(["coding", "--limit", "memory=much"], 2, "a size such as 8GB, found 'much'", id="no size"),
        pytest.param(["coding", "--limit", "speed=9"], 2, "expected limits (seconds,", id="unknown limit"),
        pytest.param(["coding", "--profile", "none.yaml"], 1, "unknown profile 'none.yaml'", id="no profile"),
        pytest.param(["Coding!", "--scorer", "trec"], 2, "as the name of a task, found 'Coding!'", id="no name"),
    ],
)
def test_what_cannot_be_a_task_is_refused(arguments: list[str], code: int, message: str) -> None:
    assert message in refused(code, "task", *arguments)
    assert [one["slug"] for one in shown()["tasks"]] == ["coding"]


def test_a_profile_of_ones_own_is_kept_with_the_task(filled: Path) -> None:
    (filled / "mine.yaml").write_text("name: mine\nextends: ir_metadata\n")

    outcome = primad("track", "task", "coding", "--profile", "mine.yaml")

    assert outcome.code == 0, outcome.err
    digest = shown("coding")["profile"]
    assert len(digest) == 64
    said("task", "coding", "--about", "Codes")
    assert shown("coding")["profile"] == digest
    said("task", "coding", "--profile", "")
    assert shown("coding")["profile"] == ""


def test_a_data_set_is_made_and_its_gold_standard_stays_hidden(filled: Path) -> None:
    (filled / "in").mkdir()
    (filled / "in" / "a.txt").write_text("a")
    (filled / "in" / "b.txt").write_text("b")

    assert said("data-set", "coding", "dev", "--inputs", "in", "--public") == "primad: data set coding/dev: inputs\n"
    assert said("data-set", "coding", "dev", "--gold", "gold.tsv", "--about", "to try") == (
        "primad: data set coding/dev: inputs and gold\n"
    )

    assert shown("coding")["data_sets"] == [
        {"slug": "test", "about": "", "inputs": 1, "has_gold": True, "public": False},
        {"slug": "dev", "about": "to try", "inputs": 2, "has_gold": True, "public": True},
    ]
    said("data-set", "coding", "dev", "--hidden")
    assert shown("coding")["data_sets"][1]["public"] is False


@pytest.mark.usefixtures("filled")
def test_a_data_set_of_nothing_and_nowhere_is_refused() -> None:
    assert "no task is called 'codng'; did you mean 'coding'?" in refused(1, "data-set", "codng", "dev")
    assert "missing.tsv: no such file or folder" in refused(1, "data-set", "coding", "dev", "--gold", "missing.tsv")
    assert len(shown("coding")["data_sets"]) == 1


# People ----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("filled")
def test_a_team_is_registered_and_changed() -> None:
    said("team", "gamma", "--contact", "gamma@example.org")
    assert said("team", "gamma", "--title", "Team Gamma", "--remark", "late") == "primad: team gamma (Team Gamma)\n"

    team = shown("gamma")

    assert (team["title"], team["contact"], team["note"]) == ("Team Gamma", "gamma@example.org", "late")


@pytest.mark.usefixtures("filled")
def test_an_analyst_is_enlisted_and_changed() -> None:
    assert "a new one needs a --role, user or developer" in refused(2, "analyst", "eve")
    said("analyst", "eve", "--role", "user", "--conflict", "alpha=wrote it", "--conflict", "beta")
    assert said("analyst", "eve", "--background", "law") == (
        "primad: analyst eve (user); runs nothing of alpha, beta\n"
    )

    analyst = shown("eve")

    assert (analyst["role"], analyst["background"]) == ("user", "law")
    assert analyst["conflicts"] == {"alpha": "wrote it", "beta": "not stated"}
    assert "no team is called 'gamma'" in refused(1, "analyst", "eve", "--conflict", "gamma")


@pytest.mark.usefixtures("filled")
def test_a_machine_is_captured_or_described() -> None:
    captured = primad("track", "machine", "ann", "here", "--format", "json")
    described = primad("track", "machine", "ann", "old", "--memory", "2 GB", "--operating-system", "Windows 7")

    assert captured.code == described.code == 0
    facts = json.loads(captured.out)["machine"]["facts"]
    assert facts["operating_system"]
    assert described.out == "operating system  Windows 7\nmemory            2 GB\n"
    machines = {one["slug"]: one["facts"] for one in shown("ann")["machines"]}
    assert machines["here"] == facts
    assert machines["old"] == {"operating_system": "Windows 7", "memory": "2 GB"}
    assert "no analyst is called 'anne'; did you mean 'ann'?" in refused(1, "machine", "anne", "here")


def test_a_task_that_reproduces_something_knows_what(filled: Path) -> None:
    (filled / "original.yaml").write_text("values: {bleu: 31.2}\nobject: a translator\n")

    said("task", "repeat", "--scorer", "numbers", "--kind", "measure", "--original", "original.yaml")
    said("task", "repeat", "--title", "Repeat")

    assert shown("repeat")["kind"] == "measure"
    assert "expected a mapping" in refused(1, "task", "repeat", "--original", "gold.tsv")
    assert "no such file" in refused(1, "task", "repeat", "--original-runs", "nowhere")
