"""Do people find runs, baselines and reproductions again, and read what is known of them?"""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from primad.archive.best_so_far import best_so_far
from primad.cli.archive._queries import query_of
from primad.reports.archive.answers import (
    Baseline,
    Baselines,
    EventFacts,
    Found,
    Hit,
    Point,
    Progress,
    ScoreFacts,
    Shown,
    Standing,
    VersionFacts,
    Year,
)
from primad.reports.archive.run_sheet import run_shown
from primad.reports.archive.runs import baselines_shown, found_shown, standing_line
from primad.reports.archive.years import progress_shown
from tests.archive.described import write_qrels, write_run
from tests.cli.running import Outcome, primad

NOON = datetime(2017, 3, 1, 12, 30, tzinfo=UTC)
BM25 = Hit(
    address="a2af8052d871" + "0" * 52,
    tag="bm25",
    team="h2oloo",
    actor="Ada",
    role="experimenter",
    collection="Core17",
    method="bm25",
    toolkit=("anserini==0.4",),
    venue="TREC",
    year=2017,
    topics=50,
    depth=1000,
    added_at=NOON,
    scores={"map": 0.2087},
)
RM3 = replace(BM25, address="b" * 64, tag="rm3", method="bm25 + rm3", year=None, scores={})


def search(*arguments: object) -> Outcome:
    """Search the archive in the working folder."""
    return primad("archive", "search", *arguments)


def tags(outcome: Outcome) -> list[str]:
    """Return the tags in the table that OUTCOME shows."""
    return [line.split()[1] for line in outcome.out.split("\n\n")[0].splitlines()[2:]]


def columns(text: str) -> list[dict[str, str]]:
    """Return the rows of CSV."""
    return list(csv.DictReader(io.StringIO(text)))


# Runs ------------------------------------------------------------------------------------------------------------


def test_a_list_of_runs_has_a_column_for_each_measure() -> None:
    found = Found(query="", total=2, hits=(BM25, RM3), measures=("map",))

    assert found_shown(found, "table", None).splitlines() == [
        "address       tag   team    collection  method      year     map",
        "────────────  ────  ──────  ──────────  ──────────  ────  ──────",
        "a2af8052d871  bm25  h2oloo  Core17      bm25        2017  0.2087",
        "bbbbbbbbbbbb  rm3   h2oloo  Core17      bm25 + rm3",
    ]


def test_who_has_no_team_is_told_by_name() -> None:
    found = Found(query="", total=1, hits=(replace(BM25, team=""),))

    assert found_shown(found, "table", None).splitlines()[2].split()[2] == "Ada"


def test_a_table_for_a_spreadsheet_has_whole_addresses_and_no_formula() -> None:
    found = Found(query="", total=1, hits=(replace(BM25, tag="=1+2"),), measures=("map", "P_10"))

    (row,) = columns(found_shown(found, "csv", None))

    assert (row["address"], row["tag"], row["map"], row["P_10"]) == (BM25.address, "'=1+2", "0.2087", "")


def test_facets_follow_the_runs() -> None:
    found = Found(query="", total=1, hits=(BM25,), facets={"team": (("h2oloo", 3), ("", 1))})

    assert found_shown(found, "table", None).split("\n\n")[1].splitlines()[2:] == [
        "h2oloo           3",
        "(not stated)     1",
    ]
    assert json.loads(found_shown(found, "json", None))["facets"] == {
        "team": [{"value": "h2oloo", "runs": 3}, {"value": "", "runs": 1}]
    }


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param(["team:h2oloo"], ["bm25", "rm3"], id="a field"),
        pytest.param(["method:rm3"], ["rm3"], id="a stage"),
        pytest.param(["map>=0.9"], ["rm3"], id="a score"),
        pytest.param(["year:2018..2020"], ["late", "rm3"], id="a range"),
        pytest.param(["team:h2oloo", "year<2018"], ["bm25"], id="several words"),
        pytest.param(["team:h2oloo -year:2018"], ["bm25"], id="one word with a term turned around"),
        pytest.param(["-team:h2oloo", "-role:reproducer"], ["late"], id="terms turned around, not options"),
    ],
)
@pytest.mark.usefixtures("filled")
def test_a_query_finds_what_it_says(query: list[str], expected: list[str]) -> None:
    outcome = search(*query, "--sort", "tag")

    assert (outcome.code, outcome.err) == (0, "")
    assert tags(outcome) == expected


def test_a_term_turned_around_reaches_the_archive_as_it_was_typed() -> None:
    assert query_of(["bm25", "\0-team:h2oloo"]) == "bm25 -team:h2oloo"
    assert query_of(None) == ""


@pytest.mark.usefixtures("filled")
def test_runs_come_in_the_order_of_a_measure_and_more_can_be_shown() -> None:
    outcome = search("--sort", "map", "--limit", "2")

    assert tags(outcome) == ["rm3", "bm25"]
    assert outcome.err == "primad: showing 2 of 5 runs; --limit shows more\n"
    assert len(tags(search("--limit", "0"))) == 5


@pytest.mark.usefixtures("filled")
def test_each_measure_that_is_asked_for_is_shown() -> None:
    (row,) = columns(search("tag:rm3", "-m", "P_10", "-m", "map", "--format", "csv").out)

    assert [float(row[name]) for name in ("P_10", "map")] == pytest.approx([4 / 30, 1.0])


@pytest.mark.usefixtures("filled")
def test_values_of_fields_are_counted() -> None:
    told = json.loads(search("--facets", "team, toolkit", "--format", "json").out)

    assert told["schema"] == "primad.archive.search/1"
    assert told["total"] == 5
    assert told["facets"]["team"] == [
        {"value": "h2oloo", "runs": 2},
        {"value": "ubiquity", "runs": 2},
        {"value": "grossman", "runs": 1},
    ]
    assert told["facets"]["toolkit"] == [{"value": "anserini==0.4", "runs": 5}]


@pytest.mark.usefixtures("filled")
def test_nothing_found_is_told_with_what_could_be_tried() -> None:
    outcome = search("team:nobody")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == (
        "primad: no run matches 'team:nobody'; try fewer terms, or see what there is with: primad archive overview\n"
    )
    assert json.loads(search("team:nobody", "--format", "json").out)["total"] == 0


@pytest.mark.usefixtures("empty")
def test_an_archive_without_runs_says_how_to_add_some() -> None:
    outcome = search()

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == "primad: the archive has no runs; add some with: primad archive add FILE|DIR\n"


@pytest.mark.usefixtures("filled")
def test_a_wrong_field_is_told_with_the_one_that_was_meant() -> None:
    outcome = search("tema:h2oloo")

    assert outcome.out == ""
    assert outcome.code in (1, 2)
    assert "did you mean 'team'?" in outcome.err


# Baselines -------------------------------------------------------------------------------------------------------


def baselines(found: Sequence[Baseline], score: float | None = 0.2) -> Baselines:
    """Return FOUND beside bm25."""
    return Baselines(run=BM25, measure="map", score=score, baselines=tuple(found), total=len(found))


TESTED = Baseline(
    run=replace(RM3, scores={"map": 0.25}),
    score=0.25,
    type="priMad",
    type_name="validate",
    difference=0.05,
    interval=(0.01, 0.09),
    p=0.0004,
    p_holm=0.0008,
)


def test_a_baseline_is_told_with_difference_interval_p_and_type() -> None:
    lines = baselines_shown(baselines([TESTED]), "table", None).splitlines()

    assert lines[0] == "bm25 (a2af8052d871) on Core17: map 0.2000"
    assert lines[4].split() == [
        *("bbbbbbbbbbbb", "rm3", "h2oloo", "priMad", "validate"),
        *("0.2500", "+0.0500", "[+0.0100,", "+0.0900]", "<0.001"),
    ]


def test_the_rule_of_the_test_stands_below() -> None:
    untested = Baseline(run=RM3, score=0.3, type="priMad", type_name="validate", why_no_test="no topic is shared")

    text = " ".join(baselines_shown(baselines([TESTED, TESTED, untested]), "table", None).split())

    assert "paired t-test, corrected by Holm's method for 2 tests;" in text


def test_a_run_that_cannot_be_tested_is_named_with_the_reason() -> None:
    untested = Baseline(run=RM3, score=0.3, type="priMad", type_name="validate", why_no_test="no topic is shared")

    text = baselines_shown(baselines([TESTED, untested]), "table", None)

    assert text.endswith("no test of rm3: no topic is shared\n")


@pytest.mark.usefixtures("filled")
def test_the_strongest_runs_on_the_collection_come_first() -> None:
    outcome = search("--baseline-for", "late", "-m", "map", "--format", "csv")

    rows = columns(outcome.out)
    assert [row["tag"] for row in rows] == ["rm3", "bm25", "bm25", "again"]
    assert [float(row["difference"]) > 0 for row in rows] == [True, True, True, False]
    assert rows[0]["type"] != "primad"


@pytest.mark.usefixtures("filled")
def test_of_many_baselines_the_first_are_shown() -> None:
    outcome = search("--baseline-for", "late", "--limit", "1")

    assert outcome.err.endswith("; --limit shows more\n")
    assert outcome.err.startswith("primad: showing 1 of 4 runs beside late (")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param(["--baseline-for", "bm25", "team:h2oloo"], "expected no QUERY", id="a query beside"),
        pytest.param(["--reproductions-of", "bm25", "--sort", "map"], "expected no QUERY", id="an order beside"),
        pytest.param(["--baseline-for", "a", "--reproductions-of", "b"], "found both", id="two runs"),
        pytest.param(["--baseline-for", "late", "-m", "map", "-m", "P_10"], "by one measure", id="two measures"),
    ],
)
@pytest.mark.usefixtures("filled")
def test_what_cannot_be_asked_together_is_wrong_usage(options: list[str], expected: str) -> None:
    outcome = search(*options)

    assert (outcome.code, outcome.out) == (2, "")
    assert expected in outcome.err


@pytest.mark.usefixtures("filled")
def test_an_unknown_run_is_told_with_how_to_find_one() -> None:
    outcome = search("--baseline-for", "nobody")

    assert (outcome.code, outcome.out) == (1, "")
    assert "no run has the address or tag 'nobody'; find one with: primad archive search" in outcome.err


# Reproductions ---------------------------------------------------------------------------------------------------


def original() -> str:
    """Return the address of the run bm25 that was first."""
    (run,) = json.loads(search("tag:bm25 role:experimenter", "--format", "json").out)["hits"]
    address: str = run["address"]
    return address


@pytest.mark.usefixtures("filled")
def test_runs_that_reproduce_another_are_found_and_a_perfect_one_is_told_so() -> None:
    rows = columns(search("--reproductions-of", original(), "--format", "csv").out)

    assert sorted((row["tag"], row["is_perfect"]) for row in rows) == [("again", "false"), ("bm25", "true")]


@pytest.mark.usefixtures("filled")
def test_each_reproduction_is_told_with_the_reason() -> None:
    outcome = search("--reproductions-of", original())

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(f"reproductions of bm25 ({original()[:12]})\n")
    assert "identical" in outcome.out
    assert "again (" in outcome.out


@pytest.mark.usefixtures("filled")
def test_a_run_that_nobody_reproduced_is_told_so() -> None:
    outcome = search("--reproductions-of", "rm3")

    assert (outcome.code, outcome.out) == (1, "")
    assert "no run says that it reproduces rm3 (" in outcome.err


# One run ---------------------------------------------------------------------------------------------------------

SHEET = Shown(
    run=BM25,
    ranking="c" * 64,
    removed_at=None,
    record={"tag": "bm25", "actor": {"team": "h2oloo"}},
    versions=(
        VersionFacts(number=1, name="bm25.run", file="d" * 64, side="", size=2048, run_version="1.0", added_at=NOON),
    ),
    scores=(
        ScoreFacts(measure="map", value=0.2087, standard_error=0.01, items=50, qrels="core17.qrels", is_current=False),
    ),
    events=(EventFacts(at=NOON, whom="ada", verb="added", details={"tag": "bm25", "reason": ""}),),
    standing=Standing(
        address=BM25.address, tag="bm25", collection="Core17", measure="map", score=0.2087, rank=3, of=12
    ),
)


def test_a_standing_reads_as_people_say_it() -> None:
    assert SHEET.standing is not None
    assert standing_line(SHEET.standing) == "bm25 (a2af8052d871): 3rd of 12 on Core17 by map, 0.2087"


def test_the_sheet_of_a_run_has_all_that_is_known_of_it() -> None:
    lines = run_shown(SHEET, "table", None).splitlines()

    assert lines[0] == f"address     {BM25.address}"
    assert "ranking     50 topics, up to 1,000 documents each; cccccccccccc" in lines
    assert "rank        3rd of 12 on Core17 by map, 0.2087" in lines
    assert "map      core17.qrels  0.2087 *          0.0100      50" in lines
    assert any(line.startswith("* computed by an earlier version of the code") for line in lines)
    assert any(line.startswith("1        bm25.run  dddddddddddd") and line.endswith("2.0 kB") for line in lines)
    assert "2017-03-01 12:30  ada  added  tag: bm25" in lines


def test_the_sheet_says_what_becomes_of_topics_that_the_run_lacks() -> None:
    rule = "topics: all that are judged; one that the run lacks counts as 0"
    current = replace(SHEET, scores=(replace(SHEET.scores[0], is_current=True),))

    assert rule in run_shown(current, "table", None).splitlines()
    assert rule not in run_shown(SHEET, "table", None).splitlines()  # nobody knows what earlier code did


def test_the_record_is_printed_if_asked_for() -> None:
    assert "  team: h2oloo\n" not in run_shown(SHEET, "table", None)
    assert run_shown(SHEET, "table", None, with_record=True).endswith("actor:\n  team: h2oloo\n")


@pytest.mark.usefixtures("filled")
def test_what_is_known_of_a_run_of_the_archive_is_printed() -> None:
    told = json.loads(primad("archive", "show", "rm3", "--format", "json").out)

    assert told["schema"] == "primad.archive.show/1"
    assert told["run"]["tag"] == "rm3"
    assert told["standing"]["rank"] == 1
    assert {one["measure"]: one["value"] for one in told["scores"]} == {"map": 1.0, "P_10": pytest.approx(4 / 30)}
    assert told["record"]["actor"]["team"] == "h2oloo"
    assert [one["verb"] for one in told["events"]] == ["added"]
    assert "rank        1st of 5 on Core17 by map, 1.0000\n" in primad("archive", "show", "rm3").out


@pytest.mark.usefixtures("filled")
def test_a_tag_of_two_runs_is_told_with_both() -> None:
    outcome = primad("archive", "show", "bm25")

    assert (outcome.code, outcome.out) == (1, "")
    assert "'bm25' is several runs, name one by its address: " in outcome.err
    assert outcome.err.count(".run)") == 2, "the files by which they can be told apart"
    assert ", ," not in outcome.err


# Teams and years -------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("filled")
def test_the_overview_has_a_row_for_each_team_and_method() -> None:
    outcome = primad("archive", "overview")

    rows = [line.split("  ") for line in outcome.out.splitlines()[2:]]
    assert sorted([cell.strip() for cell in row if cell] for row in rows) == [
        ["grossman", "bm25", "Core17", "1"],
        ["h2oloo", "bm25", "Core17", "1"],
        ["h2oloo", "bm25 + rm3", "Core17", "1"],
        ["ubiquity", "bm25", "Core17", "2"],
    ]
    assert json.loads(primad("archive", "overview", "team:ubiquity", "--format", "json").out)["runs"] == 2


@pytest.mark.usefixtures("filled")
def test_an_overview_of_nothing_is_told_as_such() -> None:
    assert primad("archive", "overview", "team:nobody").code == 1


def point(year: int, score: float, tag: str = "bm25") -> Point:
    """Return a run in a year."""
    return Point(year=year, address="a" * 64, tag=tag, team="h2oloo", score=score, is_baseline=False)


def year(best: Point, before: float | None, **more: Any) -> Year:
    """Return a year with its best run."""
    facts: dict[str, Any] = {"runs": 1, "median": best.score, "compared": 0, "weak": (), "sentence": "", **more}
    return Year(year=best.year, best=best, best_before=before, **facts)


FIRST, BETTER, WORSE = point(2017, 0.2), point(2018, 0.3, "rm3"), point(2020, 0.25, "late")
YEARS = Progress(
    collection="Core17",
    measure="map",
    points=(FIRST, BETTER, WORSE),
    years=(year(FIRST, None), year(BETTER, 0.2), year(WORSE, 0.3, compared=1, weak=("late",), sentence="2020: weak.")),
    without_year=0,
    without_score=0,
    sentences=("Nothing got better since 2018.",),
)


def test_the_table_of_years_says_which_year_had_weak_baselines() -> None:
    lines = progress_shown(YEARS, "table", None).splitlines()

    assert lines[4].split() == ["2020", "late", "h2oloo", "1", "0.2500", "0.2500", "0.3000", "1", "1"]
    assert lines[-2:] == ["2020: weak.", "Nothing got better since 2018."]


def test_the_line_of_the_figure_never_falls() -> None:
    assert best_so_far(YEARS) == [(2017, 0.2), (2018, 0.3), (2020, 0.3)]
    assert best_so_far(replace(YEARS, years=YEARS.years[:2])) == [(2017, 0.2), (2018, 0.3)]


def test_the_line_never_rises_where_low_scores_are_good() -> None:
    falling = (year(FIRST, None), year(WORSE, 0.2))

    assert best_so_far(replace(YEARS, measure="unj_10", years=falling)) == [(2017, 0.2), (2020, 0.2)]


@pytest.mark.usefixtures("filled")
def test_scores_over_the_years_are_printed_and_drawn(tmp_path: Path) -> None:
    outcome = primad("archive", "progress", "core17", "-m", "map", "--figure", tmp_path / "p.svg")

    assert outcome.code == 0
    assert [line.split()[:2] for line in outcome.out.splitlines()[2:5]] == [
        ["2017", "bm25"],
        ["2018", "rm3"],
        ["2020", "late"],
    ]
    assert outcome.err == f"primad: figure in {tmp_path / 'p.svg'}\n"
    assert b">map on Core17 over the years<" in (tmp_path / "p.svg").read_bytes()


@pytest.mark.usefixtures("filled")
def test_a_figure_of_an_unknown_form_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    outcome = primad("archive", "progress", "core17", "--figure", tmp_path / "p.gif")

    assert (outcome.code, outcome.out) == (2, "")
    assert "expected a figure as .svg, .pdf or .png" in outcome.err


@pytest.mark.usefixtures("filled")
def test_years_by_a_measure_that_was_never_computed_are_told_with_what_to_do() -> None:
    outcome = primad("archive", "progress", "core17", "-m", "ndcg")

    assert (outcome.code, outcome.out) == (1, "")
    assert "primad archive evaluate -m ndcg" in outcome.err


@pytest.mark.usefixtures("filled")
def test_years_of_runs_that_state_none_are_told_with_what_is_missing(tmp_path: Path) -> None:
    primad("archive", "collection", "Undated", "--qrels", write_qrels(tmp_path))
    fields: dict[str, Any] = {"data__test_collection__name": "Undated", "research_goal__venue__year": None}
    primad("archive", "add", write_run(tmp_path, "undated.run", "undated", **fields))

    outcome = primad("archive", "progress", "undated")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("primad: no run on Undated has a year and a score by map\n")
    assert "None of 1 run with a score states a year; state it as research goal.venue.year" in outcome.err
    assert "primad archive evaluate" not in outcome.err
