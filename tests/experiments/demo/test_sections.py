"""Does each section of the demonstration say what the study shows, and lead to what it has written?"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from primad import Assessment, PrimadError, Reproduction, Value, evaluate, example_measurements, qra
from primad.experiments.ccrf import outcomes
from primad.experiments.ccrf.dataset import Kept
from primad.experiments.ccrf.plan import Work, plan
from primad.experiments.demo import sections
from primad.experiments.demo.state import Asked, Shown, State
from primad.experiments.watching import unwatched
from primad.qra.precision import Interval
from tests.experiments.ccrf.studies import SHAPE

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("sections")]

IN_ORDER = ("collections", "runs", "reproduction", "sweep", "generalisation", "precision", "published")


def write_collection(folder: Path, documents: int = 60, topics: int = 3) -> Path:
    """Write a small TREC collection to FOLDER, every third document being relevant for each topic."""
    folder.mkdir(parents=True)
    texts = [
        f"<DOC>\n<DOCNO>d{number}</DOCNO>\nword{number % topics} noise{number % 7}\n</DOC>\n"
        for number in range(documents)
    ]
    titles = [f"<top>\n<num>{topic}\n<title>word{topic}\n</top>\n" for topic in range(topics)]
    grades = [f"{topic} 0 d{at} {int(at % topics == topic)}\n" for topic in range(topics) for at in range(documents)]
    for name, lines in {"documents": texts, "topics": titles, "qrels": grades}.items():
        (folder / name).write_text("".join(lines))
    return folder


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make synthetic collections small."""
    monkeypatch.setattr(sections, "SHAPE", SHAPE)


# Collections ----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("quick", "names"),
    [
        pytest.param(True, ["news93", "news99", "wire05"], id="quick"),
        pytest.param(False, ["news93", "news99", "wire05", "posts17"], id="whole"),
    ],
)
def test_synthetic_collections_are_counted_and_called_synthetic(
    tmp_path: Path, *, quick: bool, names: list[str]
) -> None:
    state = State(tmp_path, Asked(quick=quick))

    shown = sections.collections(state)

    (table,) = shown.section.tables
    assert shown.line == (
        f"Made {len(names)} synthetic collections that share 6 topics; together they have {120 * len(names)} documents."
    )
    assert [one.name for one in state.collections] == [row[0] for row in table.rows] == names
    assert [row[1] for row in table.rows] == ["120"] * len(names)
    assert [row[2] for row in table.rows] == [str(len(one.judged)) for one in state.collections]
    assert {row[3].split(":")[0] for row in table.rows} == {"synthetic"}


@pytest.mark.usefixtures("small")
def test_another_seed_gives_other_documents(tmp_path: Path) -> None:
    states = [State(tmp_path, Asked(seed=seed, quick=True)) for seed in (1, 1, 2)]
    for state in states:
        sections.collections(state)

    one, again, other = ([collection.documents for collection in state.collections] for state in states)
    assert one == again
    assert one != other


@pytest.mark.parametrize(
    ("name", "word"),
    [
        pytest.param("vaswani", "vaswani", id="a word"),
        pytest.param("my collection (1)", "my-collection-1", id="blanks and brackets"),
        pytest.param("a+b;rm *", "a-b-rm", id="what a shell would take for more"),
        pytest.param("-x", "x", id="what a command would take for an option"),
        pytest.param("日本", "日本", id="other letters"),
        pytest.param("???", "collection", id="nothing but signs"),
        pytest.param("caf\udce9", "caf", id="bytes that are no text"),
    ],
)
def test_a_folder_gives_its_name_as_one_word_to_its_parts(tmp_path: Path, name: str, word: str) -> None:
    state = State(tmp_path, Asked(collection=write_collection(tmp_path / name), quick=True))

    shown = sections.collections(state)

    assert shown.line == f"Split {word} in 3 collections that share 3 topics; together they have 60 documents."
    assert [one.name for one in state.collections] == [f"{word}-1", f"{word}-2", f"{word}-3"]


def test_a_collection_without_enough_relevant_documents_is_refused_before_it_is_searched(tmp_path: Path) -> None:
    collection = write_collection(tmp_path / "few", topics=2)

    with pytest.raises(PrimadError) as caught:
        sections.collections(State(tmp_path, Asked(collection=collection)))

    assert re.fullmatch(
        r"few-1: expected relevant documents for at least 3 topics, found them for 2 among \d+ documents; "
        r"choose a collection with more judgments",
        str(caught.value),
    )


# Runs -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def keyword_searches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> State:
    """Return a demonstration that has only the keyword searches of two collections to make: four runs."""
    monkeypatch.setattr(sections, "SHAPE", SHAPE)
    monkeypatch.setattr(sections, "plan", lambda *given, **more: plan(*given, **more)[:2])
    state = State(tmp_path, Asked(quick=True))
    sections.collections(state)
    return state


Works = list[tuple[int, Work]]
Done = list[tuple[int, list[Kept]]]


def changing(**changes: object) -> Callable[[Callable[[Works], Done], Iterable[Works]], Iterator[Done]]:
    """Return who does work and then changes what is said about the first run of each piece."""

    def spread(function: Callable[[Works], Done], lots: Iterable[Works]) -> Iterator[Done]:
        for done in map(function, lots):
            yield [
                (number, [replace(first, **changes), *others])  # type: ignore[arg-type]
                for number, (first, *others) in done
            ]

    return spread


def test_the_runs_are_counted_with_their_teams(keyword_searches: State) -> None:
    shown = sections.runs(keyword_searches)

    runs = sorted(path.name for path in keyword_searches.folder.rglob("*.run"))
    assert runs == ["bm25.news93.run", "bm25.news99.run", "rm3.news93.run", "rm3.news99.run"]
    assert shown.line.startswith(
        "1 teams, all played by one program, made 4 runs, each with its metadata in the file; a check finds errors in "
        "none of them, "
    )
    assert [tuple(row) for row in shown.section.tables[0].rows] == [
        ("keywords", "-", "keyword search", "news93, news99", "4")
    ]


def test_runs_with_errors_are_counted(keyword_searches: State) -> None:
    keyword_searches.spread = changing(problems=("wrong",))

    assert "a check finds errors in 2 of them, " in sections.runs(keyword_searches).line


@pytest.mark.parametrize(
    ("lowest", "expected"),
    [pytest.param(12, "12 to 78", id="unlike"), pytest.param(78, "78", id="alike")],
)
def test_the_line_says_between_which_shares_of_fields_are_stated(
    keyword_searches: State, lowest: int, expected: str
) -> None:
    def spread(function: Callable[[Works], Done], lots: Iterable[Works]) -> Iterator[Done]:
        for done in map(function, lots):
            yield [
                (number, [replace(first, complete=lowest), *(replace(one, complete=78) for one in others)])
                for number, (first, *others) in done
            ]

    keyword_searches.spread = spread

    assert f"and they state {expected} % of the fields" in sections.runs(keyword_searches).line


def test_three_remarks_are_shown_and_others_counted(keyword_searches: State) -> None:
    keyword_searches.spread = changing(remarks=("one", "two"))

    text = sections.runs(keyword_searches).section.text

    assert [*text[1:]] == [
        "bm25.news93: one.",
        "bm25.news93: two.",
        "bm25.news99: one.",
        "1 further remarks are of the same kind.",
    ]


def test_whoever_watches_sees_how_many_runs_there_are_and_how_many_are_made(keyword_searches: State) -> None:
    seen: list[tuple[list[str], int]] = []
    amounts: list[tuple[int, str]] = []

    def watch(things: Iterable[Any], total: int, what: str, so_far: Callable[[], int] | None = None) -> Iterator[Any]:
        assert so_far is not None
        amounts.append((total, what))
        for thing in unwatched(things, total, what):
            seen.append(([kept.tag for kept in thing], so_far()))
            yield thing

    keyword_searches.watch = watch
    sections.runs(keyword_searches)

    assert amounts == [(4, "runs")]
    assert seen == [(["bm25.news93", "rm3.news93"], 2), (["bm25.news99", "rm3.news99"], 4)]


def test_collections_too_large_to_be_handed_around_are_searched_in_this_process(
    keyword_searches: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spread(*_: object) -> Iterator[Done]:
        raise AssertionError("nothing is to be handed to another process")

    monkeypatch.setattr(sections, "_MOST_TEXT", 1)
    keyword_searches.spread = spread

    assert sections.runs(keyword_searches).line.startswith("1 teams, all played by one program, made 4 runs")


@pytest.mark.parametrize(
    ("cv", "bounds", "expected"),
    [
        pytest.param(8.04, Interval(2.5, 60.0), ("8.040", "[2.500, 60.000]"), id="bounded"),
        pytest.param(8.04, Interval(2.5, None), ("8.040", "[2.500, ∞]"), id="no upper bound"),
        pytest.param(0.0, None, ("0.000", "-"), id="equal values"),
        pytest.param(None, None, ("-", "-"), id="none"),
    ],
)
def test_a_precision_is_shown_with_what_bounds_it(
    cv: float | None, bounds: Interval | None, expected: tuple[str, str]
) -> None:
    assert sections._spread_of(cv, bounds) == expected


def answered(name: str, answer: str | None, ratio: float | None) -> Reproduction:
    """Return a reproduction by a team called NAME that kept a RATIO of the effect, and the ANSWER to whether it did."""
    value = Value(measure="er", level="overall effect", run="both", of="map", value=ratio)
    facts = {"level": "overall effect", "measure": "er", "value": ratio, "answer": answer}
    return Reproduction(name=name, values=(value,), answers=(SimpleNamespace(**facts),) if answer else ())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(
            [answered("a", "equivalent", 0.92), answered("b", "different", 0.2), answered("c", "different", 0.1)],
            "1 of 3 reproductions of a retrieval experiment brought its improvement back: a kept 92 %; "
            "2 did not: b kept 20 %, c kept 10 %",
            id="one",
        ),
        pytest.param(
            [answered("a", "inconclusive", 0.7), answered("b", None, None)],
            "None of 2 reproductions of a retrieval experiment brought its improvement back; "
            "2 cannot be told: a kept 70 %, b kept an unknown share",
            id="nobody knows",
        ),
    ],
)
def test_the_headline_counts_what_came_back_and_names_what_did_not(given: list[Reproduction], expected: str) -> None:
    found = cast("Assessment", given)

    assert sections._came_back(found, "wire05") == f"{expected} (of the improvement in AP, with 95 % intervals)."


def test_the_headline_of_the_study_is_that_of_its_assessment(demonstration: tuple[State, dict[str, Shown]]) -> None:
    state, shown = demonstration

    assert shown["reproduction"].headline == sections._came_back(outcomes.reproduced(state.dataset), "wire05")
    assert shown["reproduction"].headline.count(" kept ") == 3


# What the whole study shows -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> tuple[State, dict[str, Shown]]:
    """Carry out the whole study on four small collections, and return it with its sections."""
    state = State(tmp_path_factory.mktemp("whole"), Asked())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sections, "SHAPE", SHAPE)
        return state, {name: getattr(sections, name)(state) for name in IN_ORDER}


def test_every_file_that_a_section_leads_to_is_there(demonstration: tuple[State, dict[str, Shown]]) -> None:
    state, shown = demonstration
    pictures = [one.path for part in shown.values() for one in part.section.pictures]
    files = [*pictures, *(one.path for part in shown.values() for one in part.section.links)]

    assert len(files) == 13
    assert [name for name in files if not (state.folder / name).is_file()] == []


def test_every_line_is_a_sentence_that_the_page_has_too(demonstration: tuple[State, dict[str, Shown]]) -> None:
    _, shown = demonstration

    for part in shown.values():
        assert re.fullmatch(r"[A-Z0-9].*\.", part.line)
        assert part.line in part.section.text


def test_five_teams_make_the_whole_study(demonstration: tuple[State, dict[str, Shown]]) -> None:
    state, shown = demonstration

    assert shown["runs"].line.startswith(f"5 teams, all played by one program, made {len(state.dataset.kept)} runs, ")
    assert sum(int(row[-1]) for row in shown["runs"].section.tables[0].rows) == len(state.dataset.kept)


def test_the_table_of_reproductions_is_that_of_the_study(demonstration: tuple[State, dict[str, Shown]]) -> None:
    state, shown = demonstration
    head, rows = outcomes.table_2(outcomes.reproduced(state.dataset), "wire05")

    (table,) = shown["reproduction"].section.tables
    assert ([*table.head], [[*row] for row in table.rows]) == (head, rows)
    assert shown["reproduction"].section.command == (
        "primad assess --original original-news93.wire05 original-news93+news99.wire05 --in dataset/runs/wire05 "
        "--qrels dataset/qrels/wire05.qrels -m map"
    )


def test_the_gains_are_those_of_the_study_and_both_collections_are_swept(
    demonstration: tuple[State, dict[str, Shown]],
) -> None:
    state, shown = demonstration
    fixed = outcomes.improvements(state.dataset)

    (table,) = shown["sweep"].section.tables
    assert [row[0] for row in table.rows] == [one.pair for one in fixed]
    assert [float(row[2]) - float(row[1]) for row in table.rows] == pytest.approx(
        [one.gain for one in fixed], abs=0.0001
    )
    assert f" on {len(fixed)} pairs of collections ({sum(one.is_significant for one in fixed)} significantly)" in (
        shown["sweep"].line
    )
    assert shown["sweep"].section.command.startswith(
        "primad assess --in dataset/runs/posts17/reranking-sweep dataset/runs/wire05/reranking-sweep --qrels "
    )


def test_effects_on_all_collections_are_shown_for_both_methods(demonstration: tuple[State, dict[str, Shown]]) -> None:
    state, shown = demonstration
    found = outcomes.generalised(state.dataset)
    elsewhere = [one.name for one in found if one.type.endswith("D")]

    effects, gains = shown["generalisation"].section.tables
    assert [row[:2] for row in effects.rows] == [(outcomes.called(one, "wire05"), one.type) for one in found]
    assert shown["generalisation"].line.startswith(f"On other collections {len(elsewhere)} reproductions kept ")
    assert len(gains.rows) == 12  # each of four collections from each other
    assert [one.path for one in shown["generalisation"].section.pictures] == [
        "generalisation/effects.svg",
        "pseudo-labels/effects.svg",
        "dataset/vocabulary.svg",
    ]


def test_nothing_is_said_about_the_vocabulary_of_parts_of_one_collection(
    demonstration: tuple[State, dict[str, Shown]], monkeypatch: pytest.MonkeyPatch
) -> None:
    state, shown = demonstration
    monkeypatch.setattr(sections, "_reported", lambda *_: None)

    split = sections.generalisation(replace(state, asked=Asked(collection="vaswani")))

    assert [text[:28] for text in shown["generalisation"].section.text if "Over" in text] == [
        "Over 12 pairs of collections"
    ]
    assert [text for text in split.section.text if "Over" in text] == []
    assert split.section.text[2].endswith("which share vocabulary alike: nothing can be said about vocabulary.")


def test_the_precision_is_that_of_the_originals_and_the_command_names_those_who_reproduced_them(
    demonstration: tuple[State, dict[str, Shown]],
) -> None:
    state, shown = demonstration
    found = {one.group.object: one for one in outcomes.precise(state.dataset)}
    low, *_, high = sorted((one.cv, name) for name, one in found.items() if one.cv is not None)

    assert shown["precision"].line.startswith(
        f"Between the teams, the AP of {len(found)} original runs varies by {low[0]:.1f} % ({low[1]}) to "
        f"{high[0]:.1f} % ({high[1]}): this is CV*, "
    )
    (table,) = shown["precision"].section.tables
    assert [(row[0], row[3]) for row in table.rows] == [(name, f"{one.cv:.3f}") for name, one in found.items()]
    assert re.findall(r"dataset/runs/wire05/(\S+)", shown["precision"].section.command) == [
        "original",
        "reimplementing",
        "reranking",
    ]


def test_the_published_results_are_those_of_the_example(demonstration: tuple[State, dict[str, Shown]]) -> None:
    _, shown = demonstration
    found = {f"{one.group.measurand} of {one.group.object}": one.cv for one in qra(example_measurements("belz2022"))}
    low, *_, high = sorted((value, name) for name, value in found.items() if value is not None)

    assert shown["published"].line == (
        f"The {len(found)} published results of language processing in Belz et al. (2022) vary by "
        f"{low[0]:.1f} % ({low[1]}) to {high[0]:.1f} % ({high[1]}) (CV*) over their reproductions."
    )


def test_another_toolkit_searches_the_same_collection_and_joins_the_dataset(
    keyword_searches: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyterrier_pisa", reason="pyterrier_pisa is not installed")
    monkeypatch.setattr(sections, "plan", lambda *given, **more: plan(*given, **more)[2:3])
    sections.runs(keyword_searches)

    shown = sections.toolkit(keyword_searches)

    dataset = keyword_searches.dataset
    runs = [
        dataset.folder / "runs" / "wire05" / name for name in ("keywords/bm25.wire05.run", "toolkit/pisa.wire05.run")
    ]
    ours, theirs = (run.summary["map"] for run in evaluate(dataset.qrels("wire05"), runs, ["map"]))
    assert f"has an AP of {theirs:.4f} instead of {ours:.4f} and a rank-biased overlap of 0." in shown.line
    assert shown.section.command == "primad show dataset/runs/wire05/toolkit/pisa.wire05.run"
    assert (keyword_searches.folder / "toolkit" / "report.html").is_file()
    assert "toolkit,-,keyword search,wire05,1" in (dataset.folder / "overview.csv").read_text(encoding="utf-8")
