"""Does a search find the runs that it asks for, all of them and no others, in both databases?"""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from primad.archive.archive import Archive
from primad.archive.arriving import Refused
from primad.archive.search.facets import MOST_VALUES
from primad.errors import PrimadError, QueryError, UsageError
from primad.store.folder import create_folder
from tests.archive.conftest import own
from tests.archive.described import ranking, write, write_qrels, write_run

FEEDBACK = "Relevance feedback with a query model, revisited: Œuvre complète"
RUNS: dict[str, dict[str, Any]] = {
    "bm25": {"worse": 1},
    "rm3": {
        "worse": 0,
        "research_goal__venue__year": 2018,
        "research_goal__evaluation__baseline": ["bm25"],
        "research_goal__publication__abstract": FEEDBACK,
        "method__retrieval": [{"name": "bm25", "k1": 0.9}, {"name": "RM3", "terms": "10"}],
    },
    "ql": {
        "worse": 3,
        "actor__name": "Bo",
        "actor__team": "Grossman",
        "research_goal__venue__name": "ECIR",
        "research_goal__venue__year": 2016,
        "research_goal__publication__abstract": "What feedback says about relevance.  Query likelihood; model.",
        "method__retrieval": [{"name": "ql", "mu": 1000}],
        "platform__software__retrieval_toolkit": ["Indri 5.0"],
    },
    "100%_x": {
        "worse": 2,
        "actor__team": "Étude X",
        "actor__name": "Céline O'Neil",
        "research_goal__venue__year": 2019,
        "method__retrieval": [{"name": "monoBERT", "k1": 1.2}],
        "platform__software__retrieval_toolkit": ["pyserini==0.9", "anserini"],
    },
    "100axx": {
        "worse": 2,
        "actor__team": "Lab",
        "actor__role": "reproducer",
        "research_goal__venue__year": None,
        "research_goal__evaluation__baseline": ["ql"],
    },
    "robust": {
        "worse": 1,
        "data__test_collection": {"name": "Robust04", "ir_datasets": "disks45/nocr/trec-robust-2004"},
    },
    "gone": {"worse": 1, "actor__team": "Gone", "research_goal__publication__abstract": "relevance feedback, gone"},
}
IN_SIGHT = {"bm25", "rm3", "ql", "100%_x", "100axx", "robust", "plain"}


def archive_in(place: Path, request: pytest.FixtureRequest) -> Archive:
    """Return a new archive at PLACE, in the database that REQUEST is for."""
    if request.param == "postgresql":
        return own(create_folder(place, request.getfixturevalue("postgresql").database_with_tables()))
    folder = create_folder(place)
    shutil.copy(request.getfixturevalue("sqlite_tables"), folder.sqlite)
    return own(folder)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """Return an archive with a few runs, which no test changes."""
    folder = tmp_path_factory.mktemp("filled")
    archive = archive_in(folder / "archive", request)
    paths = [write_run(folder, f"{number}.run", tag, **facts) for number, (tag, facts) in enumerate(RUNS.items())]
    paths.append(write(folder, "plain.run", None, ranking("plain", 3)))
    archive.set_collection("Core17", qrels=[write_qrels(folder)], also=["TREC Common Core 2017"])
    for path in paths:
        options = {"collection": "Core17", "without_metadata": True} if path.name == "plain.run" else {}
        assert not [one for one in archive.add(path, **options) if isinstance(one, Refused)]  # type: ignore[arg-type]
    archive.evaluate(measures=["map", "P_10"])
    archive.remove("gone")
    return archive


def tags(archive: Archive, query: str, **options: Any) -> list[str]:
    """Return the tags of the runs that QUERY finds, in order."""
    return [hit.tag for hit in archive.search(query, **options).hits]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("", IN_SIGHT, id="everything in sight"),
        pytest.param("tag:BM25", {"bm25"}, id="a tag in other letters"),
        pytest.param("tag:plain", {"plain"}, id="the tag of a run without a record"),
        pytest.param("tag:100%_x", {"100%_x"}, id="signs that mean something in SQL"),
        pytest.param("tag:100%*", {"100%_x"}, id="such a sign before a star"),
        pytest.param("tag:100*", {"100%_x", "100axx"}, id="a beginning"),
        pytest.param("team:h2oloo", {"bm25", "rm3", "robust"}, id="a team"),
        pytest.param('team:"etude x"', {"100%_x"}, id="without its accent"),
        pytest.param("team:grossman,LAB", {"ql", "100axx"}, id="one of two"),
        pytest.param("team:*", IN_SIGHT - {"plain"}, id="any team"),
        pytest.param("-team:*", {"plain"}, id="no team"),
        pytest.param('actor:"Céline O\'Neil"', {"100%_x"}, id="an apostrophe"),
        pytest.param("role:reproducer", {"100axx"}, id="a role"),
        pytest.param("venue:ecir", {"ql"}, id="a venue"),
        pytest.param("year:2017", {"bm25", "robust"}, id="a year"),
        pytest.param("year>=2017 year<2019", {"bm25", "robust", "rm3"}, id="years"),
        pytest.param("year:2016,2019", {"ql", "100%_x"}, id="one of two years"),
        pytest.param("year:2018..2019", {"rm3", "100%_x"}, id="from year to year"),
        pytest.param("-year:*", {"100axx", "plain"}, id="no year"),
        pytest.param("collection:core17", IN_SIGHT - {"robust"}, id="a collection"),
        pytest.param('collection:"TREC common core 2017"', IN_SIGHT - {"robust"}, id="another name of it"),
        pytest.param("collection:rob*", {"robust"}, id="how a collection begins"),
        pytest.param("ir_datasets:disks45/*", {"robust"}, id="an identifier"),
        pytest.param("method:bm25", {"bm25", "rm3", "robust", "100axx"}, id="a stage of retrieval"),
        pytest.param("stage:rm3", {"rm3"}, id="the second stage"),
        pytest.param("method:bm25 -method:rm3", {"bm25", "robust", "100axx"}, id="a stage and not another"),
        pytest.param("method!=bm25", {"ql", "100%_x", "plain"}, id="not a stage"),
        pytest.param("toolkit:anserini", IN_SIGHT - {"ql", "plain"}, id="a toolkit of any version"),
        pytest.param("toolkit:indri", {"ql"}, id="a version that was behind a blank"),
        pytest.param("toolkit:anserini==0.4", IN_SIGHT - {"ql", "100%_x", "plain"}, id="a version"),
        pytest.param("baseline:bm25", {"rm3"}, id="a baseline"),
        pytest.param("schema:0.2", IN_SIGHT - {"plain"}, id="a version of the schema"),
        pytest.param("k1:0.90", IN_SIGHT - {"ql", "100%_x", "plain"}, id="a number"),
        pytest.param("method.retrieval.k1>0.9", {"100%_x"}, id="a larger number"),
        pytest.param("mu>=1000 mu<=1000", {"ql"}, id="bounds that belong to it"),
        pytest.param("terms:10", {"rm3"}, id="a number that was written as text"),
        pytest.param("automatic:true", IN_SIGHT - {"plain"}, id="yes or no"),
        pytest.param("topics:3", IN_SIGHT, id="topics"),
        pytest.param("depth>3", set(), id="depth"),
        pytest.param("map>=0.86", {"bm25", "rm3"}, id="a score"),
        pytest.param("AP<0.6", {"ql", "plain"}, id="a score by another name"),
        pytest.param("map:0.5..0.7", {"ql", "plain", "100%_x", "100axx"}, id="scores from, to"),
        pytest.param("-map:*", {"robust"}, id="no score"),
        pytest.param("added>=2020", IN_SIGHT, id="added since"),
        pytest.param("added<2020", set(), id="added before"),
        pytest.param("feedback", {"rm3", "ql"}, id="a word"),
        pytest.param("FEEDBACK œuvre complete", {"rm3"}, id="words in other letters"),
        pytest.param('"relevance feedback"', {"rm3"}, id="a phrase"),
        pytest.param('"query model"', {"rm3"}, id="a phrase that ends with a comma"),
        pytest.param('"feedback relevance"', set(), id="the phrase turned around"),
        pytest.param("feed* -model", set(), id="a beginning without a word"),
        pytest.param('"relevance feed"', set(), id="a phrase ends with a word"),
        pytest.param("likeli*", {"ql"}, id="how a word begins"),
        pytest.param("rm3", {"rm3"}, id="a tag is free text"),
        pytest.param("100 x", {"100%_x"}, id="words of a tag"),
        pytest.param('"rm3 relevance"', set(), id="no phrase from one text into the next"),
        pytest.param("-feedback", IN_SIGHT - {"rm3", "ql"}, id="not a word"),
        pytest.param("team:Lab OR feedback", {"100axx", "rm3", "ql"}, id="or"),
        pytest.param("year:2016 OR -team:*", {"ql", "plain"}, id="or not"),
        pytest.param("collection:core17 year:2016 OR year:2018 -venue:ECIR", {"rm3"}, id="or binds closely"),
        pytest.param(
            'team:h2oloo method.retrieval.name:bm25 collection:core17 map>=0.3 "relevance feedback"',
            {"rm3"},
            id="everything together",
        ),
        pytest.param("team:nobody", set(), id="nobody"),
        pytest.param("team:gone", set(), id="a removed run"),
        pytest.param("tag:gone OR tag:rm3", {"rm3"}, id="a removed run or another"),
        pytest.param("platform.hardware.ram:*", set(), id="a field of the schema that nobody states"),
        pytest.param("publication.doi>3", set(), id="a comparison on one"),
    ],
)
def test_a_query_finds_the_runs_that_it_asks_for(filled: Archive, query: str, expected: set[str]) -> None:
    from primad.archive.queries import matching

    found = filled.search(query)

    assert {hit.tag for hit in found.hits} == expected
    assert found.total == len(expected)
    with filled.speaking():
        assert sorted(matching(query).values_list("tag", flat=True)) == sorted(expected)


@pytest.mark.parametrize(
    "query",
    [
        pytest.param('tag:"\' OR 1=1 --"', id="SQL in a value"),
        pytest.param("\"x' OR '1'='1\"", id="SQL in a phrase"),
        pytest.param('"a" AND NEAR', id="words of FTS5"),
        pytest.param("a^b", id="a sign of FTS5"),
        pytest.param("words:a", id="a column of FTS5"),
        pytest.param("a & ! b | c", id="signs of a tsquery"),
        pytest.param("tag:\0", id="a null byte"),
        pytest.param("a\0b", id="a null byte between letters"),
        pytest.param("tag:\ud800", id="half a character"),
        pytest.param("collection:\0\ud800*", id="both in the name of a collection"),
        pytest.param("tag:%s", id="a place for a parameter"),
        pytest.param("%(x)s %% %s", id="places in free text"),
        pytest.param("tag:" + "x" * 5000, id="a long value"),
        pytest.param("x" * 5000, id="a long word"),
        pytest.param("tag:" + ",".join(f"v{number}*" for number in range(300)), id="many beginnings"),
        pytest.param(" ".join(f"-tag:v{number}" for number in range(100)), id="many terms"),
        pytest.param(" OR ".join(f"-tag:v{number}" for number in range(100)), id="many alternatives"),
        pytest.param("tag:\U0010ffff*", id="the last character there is"),
        pytest.param("k1>=1e299", id="a large number"),
        pytest.param("year:99999999999999999999", id="a year beyond a column"),
        pytest.param("added:0001..9998", id="all of time"),
        pytest.param("中文 한국어 ไทย हिन्दी", id="other scripts"),
    ],
)
def test_hostile_queries_find_what_they_say_or_are_refused(filled: Archive, query: str) -> None:
    try:
        found = filled.search(query)
    except QueryError:
        return
    assert found.total in {0, len(IN_SIGHT)}


def test_a_wrong_field_is_refused_with_what_was_perhaps_meant(filled: Archive) -> None:
    with pytest.raises(QueryError, match=r"position 11: unknown field 'tema'; did you mean 'team'\?"):
        filled.search("year:2017 tema:x")


# Order -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        pytest.param("", ["plain", "robust", "100axx", "100%_x", "ql", "rm3", "bm25"], id="the newest first"),
        pytest.param("-added", ["bm25", "rm3", "ql", "100%_x", "100axx", "robust", "plain"], id="the oldest first"),
        pytest.param("tag", ["100%_x", "100axx", "bm25", "plain", "ql", "rm3", "robust"], id="by tag"),
        pytest.param("-tag", ["robust", "rm3", "ql", "plain", "bm25", "100axx", "100%_x"], id="by tag, turned around"),
        pytest.param("team", ["ql", "robust", "rm3", "bm25", "100axx", "100%_x", "plain"], id="by team, none last"),
        pytest.param(
            "-team", ["100%_x", "100axx", "robust", "rm3", "bm25", "ql", "plain"], id="none last all the same"
        ),
        pytest.param("year", ["100%_x", "rm3", "robust", "bm25", "ql", "plain", "100axx"], id="by year"),
        pytest.param(
            "-year", ["ql", "robust", "bm25", "rm3", "100%_x", "plain", "100axx"], id="the earliest year first"
        ),
        pytest.param("map", ["rm3", "bm25", "100axx", "100%_x", "plain", "ql", "robust"], id="the best first"),
        pytest.param("-AP", ["ql", "plain", "100%_x", "100axx", "bm25", "rm3", "robust"], id="the worst first"),
        pytest.param("collection", ["plain", "100axx", "100%_x", "ql", "rm3", "bm25", "robust"], id="by collection"),
    ],
)
def test_runs_are_ordered(filled: Archive, sort: str, expected: list[str]) -> None:
    assert tags(filled, "", sort=sort) == expected


def test_a_limit_shows_the_first_and_counts_all(filled: Archive) -> None:
    found = filled.search("", sort="tag", limit=2)

    assert ([hit.tag for hit in found.hits], found.total) == (["100%_x", "100axx"], 7)
    assert tags(filled, "", sort="tag", limit=None) == tags(filled, "", sort="tag", limit=1000)
    assert tags(filled, "", limit=0) == []


def test_an_unknown_order_is_refused(filled: Archive) -> None:
    with pytest.raises(UsageError, match=r"found 'yaer'; did you mean 'year'\?"):
        filled.search("", sort="-yaer")


# What is shown ---------------------------------------------------------------------------------------------------


def test_a_hit_tells_what_a_list_shows(filled: Archive) -> None:
    (hit,) = filled.search("tag:100%_x", measures=["AP", "P_10"]).hits

    assert hit.address == filled.run("100%_x").address
    assert (hit.team, hit.actor, hit.role) == ("Étude X", "Céline O'Neil", "experimenter")
    assert (hit.collection, hit.method, hit.toolkit) == ("Core17", "monoBERT", ("pyserini==0.9", "anserini"))
    assert (hit.venue, hit.year, hit.version, hit.topics, hit.depth) == ("TREC", 2019, 1, 3, 3)
    assert hit.scores == {"AP": pytest.approx(25 / 36, abs=1e-6), "P_10": pytest.approx(4 / 30, abs=1e-6)}


def test_the_measure_of_the_order_is_shown_too(filled: Archive) -> None:
    found = filled.search("tag:rm3", sort="-P_10")

    assert found.measures == ("map", "P_10")
    assert found.hits[0].scores["map"] == pytest.approx(1.0)


def test_facets_count_the_values_of_all_runs_found(filled: Archive) -> None:
    found = filled.search("collection:core17", limit=1, facets=["team", "toolkit", "year", "collection", "stage", "k1"])

    assert found.facets == {
        "team": (("h2oloo", 2), ("Grossman", 1), ("Lab", 1), ("Étude X", 1)),
        "toolkit": (("anserini==0.4", 3), ("anserini", 1), ("Indri==5.0", 1), ("pyserini==0.9", 1)),
        "year": (("2016", 1), ("2017", 1), ("2018", 1), ("2019", 1)),
        "collection": (("Core17", 6),),
        "stage": (("bm25", 3), ("monoBERT", 1), ("ql", 1), ("RM3", 1)),
        "k1": (("0.9", 3), ("1.2", 1)),
    }


def test_facets_of_topics_and_of_fields_that_nobody_states_are_told(filled: Archive) -> None:
    found = filled.search("", facets=["topics", "depth", "platform.hardware.ram", "ir_datasets"])

    assert found.facets == {
        "topics": (("3", 7),),
        "depth": (("3", 7),),
        "platform.hardware.ram": (),
        "ir_datasets": (("disks45/nocr/trec-robust-2004", 1),),
    }


@pytest.mark.parametrize(
    ("facet", "message"),
    [
        pytest.param("tema", r"unknown field 'tema'; did you mean 'team'\?", id="unknown"),
        pytest.param("map", "expected a field as facet, such as team or toolkit, found 'map'", id="a score"),
        pytest.param("address", "found 'address'", id="an address"),
    ],
)
def test_what_has_no_values_to_count_is_refused_as_facet(filled: Archive, facet: str, message: str) -> None:
    with pytest.raises(PrimadError, match=message):
        filled.search("", facets=[facet])


def test_runs_without_a_score_are_told(filled: Archive) -> None:
    assert filled.search("").remarks == (
        "1 of 7 runs has no score by map; compute them with: primad archive evaluate -m map",
    )
    assert filled.search("collection:core17").remarks == ()
    assert filled.search("limit", measures=["bpref"]).remarks == ()


def test_a_question_for_scores_that_nobody_computed_is_told(filled: Archive) -> None:
    found = filled.search("bpref>0.2")

    assert found.remarks == ("no run has a score by bpref; compute them with: primad archive evaluate -m bpref",)


def test_an_unknown_collection_is_told(filled: Archive) -> None:
    (remark,) = filled.search("collection:core18").remarks

    assert remark == "no collection is called 'core18'; see all with: primad archive collection"


def test_new_judgments_leave_runs_without_scores_until_they_are_evaluated(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    list(archive.add(write_run(tmp_path)))
    archive.evaluate(measures=["map"])
    (tmp_path / "new.qrels").write_text("301 0 d2 1\n")

    archive.set_collection("Core17", qrels=[tmp_path / "new.qrels"])

    assert archive.search("map>=0").total == 0
    archive.evaluate(measures=["map"])
    assert archive.search("").hits[0].scores == {"map": pytest.approx(1 / 3)}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param('tag:"1.10"', {"1.10"}, id="a tag in quotes"),
        pytest.param("tag:1.10", {"1.10"}, id="a tag"),
        pytest.param("run-version:2.0", {"1.10"}, id="a version"),
        pytest.param("baseline:1e2", {"1.1"}, id="the tag of a baseline"),
        pytest.param("k1:64", {"1.10", "1.1"}, id="a number"),
        pytest.param('k1:"64"', {"1.10"}, id="a number in quotes"),
        pytest.param('k1:"64.0",64', {"1.10", "1.1"}, id="a number in quotes and another"),
    ],
)
def test_versions_tags_and_what_is_in_quotes_are_compared_as_text(
    sqlite_archive: Archive, tmp_path: Path, query: str, expected: set[str]
) -> None:
    for tag, version, baseline, k1 in (("1.10", "2.0", "100", "64"), ("1.1", "2", "1e2", "64.0")):
        fields: dict[str, Any] = {
            "run-version": version,
            "research_goal__evaluation__baseline": [baseline],
            "method__retrieval": [{"name": "bm25", "k1": k1}],
        }
        list(sqlite_archive.add(write_run(tmp_path, f"{tag}.run", tag, **fields)))

    assert set(tags(sqlite_archive, query)) == expected


@pytest.mark.parametrize("name", ["toolkit", "tag", "address"])
def test_as_many_values_as_a_query_may_have_can_be_asked_for(archive: Archive, tmp_path: Path, name: str) -> None:
    (kept,) = archive.add(write_run(tmp_path))
    own = {"toolkit": "anserini", "tag": "bm2*", "address": kept.address[:12]}[name]  # type: ignore[union-attr]
    others = [f"{number:x}abcdef{'*' * (name == 'tag')}" for number in range(256, 505)]

    assert tags(archive, f"{name}:{','.join([*others, own])}") == ["bm25"]
    assert tags(archive, f"-{name}:{','.join([*others, own])}") == []
    assert tags(archive, f"{name}:{','.join(others)}") == []


def test_addresses_that_begin_with_any_digits_are_found_in_any_order_of_letters(
    archive: Archive, tmp_path: Path
) -> None:
    from primad.archive.models import Run
    from primad.archive.search.conditions import begins

    (kept,) = archive.add(write_run(tmp_path))
    for start in ("9", "a9", "0f", "ff"):
        Run.objects.update(address=(start + kept.address)[:64])  # type: ignore[union-attr]

        assert tags(archive, f"address:{start}") == ["bm25"]
        assert tags(archive, f"address:{start}*") == ["bm25"]
        assert tags(archive, f"address:{start}00000000000000") == []
        # Languages agree on the order of digits and letters, and on nothing else.
        assert all(str(bound).isalnum() for bound in begins([start]).parameters)


def test_scores_of_earlier_code_are_told_where_they_are_listed(archive: Archive, tmp_path: Path) -> None:
    from primad.archive.models import Score

    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    for number, tag in enumerate(("a", "b", "c")):
        list(archive.add(write_run(tmp_path, f"{tag}.run", tag, number)))
    archive.evaluate(measures=["map", "P_5", "P_10"])
    Score.objects.filter(value__lt=1, measure="map").update(code="of another day")
    Score.objects.filter(measure="P_10").update(code="of another day")
    listed = [archive.search(query, measures=["map", "P@5"]).remarks for query in ("", "tag:a,b", "tag:a")]
    sorted_by = archive.search("tag:c", sort="P@10", measures=["map"]).remarks

    told = "computed by earlier code; renew them with: primad archive evaluate -m map"
    assert listed == [(f"2 of these scores were {told}",), (f"1 of these scores was {told}",), ()]
    assert sorted_by == (f"2 of these scores were {told} -m P@10",)
    archive.evaluate(measures=["map"])
    assert archive.search("", measures=["map"]).remarks == ()


# Many runs -------------------------------------------------------------------------------------------------------

NUMBER = 1300
START = datetime(2024, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def crowded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """Return an archive with so many runs that the database no longer gets them as a list."""
    archive = archive_in(tmp_path_factory.mktemp("crowded") / "archive", request)
    with archive.speaking():
        _crowd()
    return archive


def _crowd() -> None:
    """Put runs into the database, a hundred of them removed, every seventh without a score."""
    from primad.archive.models import Collection, CollectionName, Fact, Field, Qrels, Ranking, Run, Score

    names = ("Even", "Odd")
    collections = [Collection.objects.create(name=name) for name in names]
    for one in collections:
        CollectionName.objects.create(folded=one.name.lower(), collection=one)
        one.qrels = Qrels.objects.create(
            collection=one, digest="0" * 64, content="0" * 64, name="q", topics=1, judgments=1
        )
        one.save()
    rankings = Ranking.objects.bulk_create(
        Ranking(digest=f"{number:064x}", topics=50 + number % 2, depth=10, lines=500) for number in range(NUMBER)
    )
    runs = Run.objects.bulk_create(
        Run(
            address=f"{number:064x}",
            collection=collections[number % 2],
            ranking=rankings[number],
            removed_at=START if number < 100 else None,
            tag=f"run{number}",
            team=team_of(number),
            year=2000 + number % 5,
        )
        for number in range(NUMBER)
    )
    for run in runs:
        run.added_at = START + timedelta(minutes=run.ranking_id)
    Run.objects.bulk_update(runs, ["added_at"])
    tag, team, k1 = (Field.objects.create(name=name) for name in ("tag", "actor.team", "method.retrieval.k1"))
    facts = [Fact(run=run, field=team, value=run.team.lower(), shown=run.team) for run in runs]
    facts += [Fact(run=run, field=tag, value=run.tag, shown=run.tag) for run in runs]
    for number, run in enumerate(runs):  # two of them for a run, so that runs are not counted twice
        facts += [Fact(run=run, field=k1, value=f"{value}", shown=f"{value}", number=value) for value in k1_of(number)]
    Fact.objects.bulk_create(facts)
    Score.objects.bulk_create(
        Score(
            ranking=rankings[number],
            qrels=collections[number % 2].qrels,
            measure="map",
            code="",
            value=score_of(number),
            items=1,
        )
        for number in range(NUMBER)
        if number % 7
    )


def team_of(number: int) -> str:
    """Return the team of the run NUMBER; one of them is spelled in two ways."""
    return ("ALPHA" if number % 2 else "Alpha") if number % 3 else f"team{number % 240}"


def k1_of(number: int) -> tuple[float, float]:
    """Return two values that the run NUMBER states."""
    return number % 10 / 10, number % 10 / 10 + 0.05


def score_of(number: int) -> float:
    """Return the score of the run NUMBER, which some others have, too."""
    return number * 37 % 500 / 500


def by_hand(condition: Any = lambda _: True) -> list[int]:
    """Return the numbers of the runs in sight that meet CONDITION, the newest first."""
    return [number for number in reversed(range(100, NUMBER)) if condition(number)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "condition"),
    [
        pytest.param("", lambda _: True, id="everything"),
        pytest.param("k1>=0.1", lambda number: number % 10 >= 1, id="a parameter"),
        pytest.param("-year:2003", lambda number: number % 5 != 3, id="not a year"),
        pytest.param("k1>=0.1 -year:2003", lambda number: number % 10 >= 1 and number % 5 != 3, id="both"),
        pytest.param("topics>=50", lambda _: True, id="topics"),
    ],
)
def test_many_runs_are_counted_and_shown_as_by_hand(crowded: Archive, query: str, condition: Any) -> None:
    expected = by_hand(condition)

    found = crowded.search(query, limit=1100)

    assert found.total == len(expected) <= 1200
    assert [hit.tag for hit in found.hits] == [f"run{number}" for number in expected[:1100]]


@pytest.mark.parametrize(("sort", "way"), [pytest.param("map", -1, id="best"), pytest.param("-map", 1, id="worst")])
@pytest.mark.parametrize("limit", [pytest.param(30, id="some"), pytest.param(None, id="all")])
def test_many_runs_are_ordered_by_score_as_by_hand(crowded: Archive, sort: str, way: int, limit: int | None) -> None:
    scored = sorted(by_hand(lambda number: number % 7), key=lambda number: (way * score_of(number), way * number))
    unscored = sorted(by_hand(lambda number: number % 7 == 0), key=lambda number: way * number)

    found = crowded.search("", sort=sort, limit=limit)

    assert [hit.tag for hit in found.hits] == [f"run{number}" for number in [*scored, *unscored][:limit]]


def test_the_best_runs_of_one_collection_are_found_among_many(crowded: Archive) -> None:
    even = by_hand(lambda number: number % 2 == 0 and number % 7)
    best = sorted(even, key=lambda number: (-score_of(number), -number))

    assert tags(crowded, "collection:even", sort="map", limit=25) == [f"run{number}" for number in best[:25]]


def test_facets_of_many_runs_are_those_by_hand(crowded: Archive) -> None:
    counts: dict[str, int] = {}
    for number in by_hand():
        name = team_of(number).replace("Alpha", "ALPHA")  # as the first run spells it
        counts[name] = counts.get(name, 0) + 1

    found = crowded.search("", facets=["team", "year", "collection", "topics"])

    assert found.facets["team"] == tuple(sorted(counts.items(), key=lambda one: (-one[1], one[0])))
    assert found.facets["year"] == tuple((f"{year}", 240) for year in range(2000, 2005))
    assert found.facets["collection"] == (("Even", 600), ("Odd", 600))
    assert found.facets["topics"] == (("50", 600), ("51", 600))


def test_of_more_values_than_anybody_reads_the_most_frequent_are_shown(crowded: Archive) -> None:
    found = crowded.search("", facets=["tag"])

    assert len(found.facets["tag"]) == MOST_VALUES
    assert found.facets["tag"][:2] == (("run100", 1), ("run1000", 1))
    assert "tag has 1,200 values; the 100 most frequent are shown" in found.remarks
