"""primad track change, phase, task and data-set: what a track is about, and how far it is."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from primad.cli._commands import new_app
from primad.cli._options import Because, Folder, Form, Printed, of_profile, plain_text
from primad.cli._output import say, show
from primad.cli._pairs import named_values
from primad.cli.remote.naming import Served
from primad.cli.score import ScorerName
from primad.cli.track._opening import Slug, document, opened
from primad.cli.track._typed import one_of
from primad.cli.track.making import About, Blind, Budget, Closes, Opens, Source
from primad.errors import FileError, PairingError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from primad.reports.track.answers import TaskFacts
    from primad.track.track import Track

CHANGE_EXAMPLE = """\b
Examples:
  primad track change --title "Coding of diagnoses" --closes systems=2026-05-20
  primad track change --sheet questions.yaml
"""
PHASE_EXAMPLE = """\b
Examples:
  primad track phase
  primad track phase results
  primad track phase systems --because "a bundle was damaged"
"""
TASK_EXAMPLE = """\b
Examples:
  primad track task coding --scorer coding --primary f1
  primad track task search --scorer trec -m map -m ndcg --profile ir_metadata --limit memory=8GB
"""
DATA_SET_EXAMPLE = """\b
Examples:
  primad track data-set coding test --inputs texts.tsv --gold gold.tsv
"""

app = new_app()


class Kind(StrEnum):
    """What a task asks for."""

    REPLICATE = "replicate"
    REPRODUCE = "reproduce"
    MEASURE = "measure"


class Phase(StrEnum):
    """The phases of a track, as primad.track.phases has them; loading that would delay the help."""

    SET_UP = "set-up"
    RESULTS = "results"
    SYSTEMS = "systems"
    ASSIGNMENT = "assignment"
    REPLICATION = "replication"
    ADJUDICATION = "adjudication"
    PUBLISHED = "published"


@app.command(cls=Served, epilog=CHANGE_EXAMPLE)
def change(
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", callback=plain_text, help="What reports call it.")
    ] = None,
    about: About = None,
    source: Source = None,
    budget: Budget = None,
    blind: Blind = None,
    opens: Opens = None,
    closes: Closes = None,
    sheet: Annotated[
        str | None, typer.Option(metavar="FILE", help="Another sheet: title and questions, as YAML.")
    ] = None,
    folder: Folder = None,
    slug: Slug = "",
) -> None:
    """Change title, dates, rules or the sheet of a track; what is not given stays.

    Sheets that were begun keep their questions.
    """
    from primad.cli.track._dates import dates_with

    stated = {"title": title, "about": about, "source": source, "budget": budget, "blind": blind}
    facts: dict[str, Any] = {name: value for name, value in stated.items() if value is not None}
    track = opened(folder, slug)
    if opens or closes:
        facts["dates"] = dates_with(track.facts().dates, opens or [], closes or [])
    if not facts and not sheet:
        raise UsageError("expected something to change, such as --title TEXT or --closes results=2026-05-01")
    if sheet:
        version = track.set_sheet(_tree_in(sheet)).version
        say(f"version {version} of the sheet holds from now on")
    if facts:
        track.change(**facts)
        say(f"changed: {', '.join(facts)}")


def _tree_in(path: str) -> Any:
    """Return what the YAML file at PATH says."""
    from primad.cli.track._files import yaml_in

    return yaml_in(path)


@app.command(cls=Served, epilog=PHASE_EXAMPLE)
def phase(
    wanted: Annotated[
        Phase | None,
        typer.Argument(metavar="PHASE", parser=one_of(Phase), help="Where the track goes; without it, where it is."),
    ] = None,
    because: Because = "",
    folder: Folder = None,
    slug: Slug = "",
    form: Printed = Form.TABLE,
) -> None:
    """Bring the track into PHASE, or print in which it is; to go back takes a reason.

    The phases: set-up, results, systems, assignment, replication, adjudication, published.
    """
    track = opened(folder, slug)
    if wanted is not None:
        before = track.facts().phase
        remarks = track.move_to(wanted, because)
        say(f"the track went from {before} to {wanted}" if before != wanted else f"the track is in {wanted} already")
        for remark in remarks:
            say(remark)
    now = track.facts()
    show(document(phase=now.phase, next_phase=now.next_phase) if form is Form.JSON else f"{now.phase}\n")


@app.command(cls=Served, epilog=TASK_EXAMPLE)
def task(
    name: Annotated[str, typer.Argument(metavar="TASK", help="The task, new or known.")],
    scorer: Annotated[ScorerName | None, typer.Option(help="What scores outputs; a new task needs one.")] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="What reports call it.")] = None,
    about: About = None,
    kind: Annotated[Kind | None, typer.Option(help="What it asks for; replicate by default.")] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the scorer, as often as needed."),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("-m", "--measure", metavar="NAME", help="A measure; all of the scorer's by default."),
    ] = None,
    primary: Annotated[str, typer.Option(metavar="NAME", help="The measure that verdicts are by.")] = "",
    profile: Annotated[str | None, of_profile("What the task demands: a built-in profile, or a file.")] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A limit of replays, as in memory=8GB or seconds=3600."),
    ] = None,
    network: Annotated[
        bool | None, typer.Option("--network/--no-network", help="Whether systems may be installed over a network.")
    ] = None,
    original: Annotated[
        str | None, typer.Option(metavar="FILE", help="What is reproduced or measured, as YAML; see the guide.")
    ] = None,
    original_runs: Annotated[
        str | None, typer.Option(metavar="PATH", help="Its runs, for the kind reproduce: a file or a folder.")
    ] = None,
    folder: Folder = None,
    slug: Slug = "",
) -> None:
    """Make or change a task: what systems have to do, and what scores them; what is not given stays."""
    from primad.cli.track._files import refuse_absent

    refuse_absent(*filter(None, [original_runs]))
    track = opened(folder, slug)
    known = _known_task(track, name)
    if scorer is None and known is None:
        raise UsageError(f"there is no task {name} yet; a new one needs a --scorer")
    settings = _settings(known, scorer, setting or [], measure or [], primary)
    made = track.set_task(
        name,
        title=title if title is not None else known.title if known else "",
        kind=kind or (known.kind if known else Kind.REPLICATE),
        scorer=str(scorer) if scorer else known.scorer if known else "",
        settings=settings,
        original=_original(original),
        original_files=original_runs,
        about=about,
        profile=profile,
        limits=_limits(known.limits if known else {}, limit) if limit else None,
        network_to_install=network,
    )
    say(f"task {made.slug} ({made.kind}): scored by {made.scorer}, verdicts by {made.primary}")


def _known_task(track: Track, name: str) -> TaskFacts | None:
    """Return the task NAME of TRACK, None if there is none yet."""
    try:
        return track.task_facts(name)
    except PairingError:
        return None


def _settings(
    known: TaskFacts | None, scorer: str | None, given: list[str], measures: list[str], primary: str
) -> dict[str, Any]:
    """Return the settings of the scorer: those GIVEN, and of a KNOWN task with the same scorer those it had."""
    former = dict(known.settings) if known and scorer in (None, known.scorer) else {}
    stated: dict[str, Any] = {name: values[-1] for name, values in named_values(given, "--set", "NAME=VALUE").items()}
    stated |= {"measures": list(measures)} if measures else {}
    return former | stated | ({"primary": primary} if primary else {})


def _original(path: str | None) -> dict[str, Any] | None:
    """Return what the YAML file at PATH says of the original, None where that of a known task is to stay."""
    from primad.cli.track._files import yaml_in

    if path is None:
        return None
    stated = yaml_in(path)
    if not isinstance(stated, dict):
        raise FileError(path, "expected a mapping, such as 'baseline: bm25.run' or 'values: {bleu: 31.2}'")
    return stated


def _limits(former: Mapping[str, Any], given: list[str]) -> dict[str, Any]:
    """Return the FORMER limits with those GIVEN."""
    from primad.replay.manifest import size_in_bytes
    from primad.track.replays.running import limits_of

    limits = dict(former)
    for name, values in named_values(given, "--limit", "NAME=VALUE").items():
        text = values[-1]
        value = int(text) if text.isdecimal() else size_in_bytes(text)
        if not value:
            raise UsageError(f"expected --limit {name} as a number or a size such as 8GB, found '{text:.40}'")
        limits[name] = value
    limits_of(limits)  # refuses names that are none
    return limits


@app.command(cls=Served, epilog=DATA_SET_EXAMPLE)
def data_set(
    task_name: Annotated[str, typer.Argument(metavar="TASK", help="The task it belongs to.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The data set, new or known.")],
    inputs: Annotated[
        str | None, typer.Option(metavar="PATH", help="What systems see: a file or a folder.", show_default=False)
    ] = None,
    gold: Annotated[
        str | None, typer.Option(metavar="PATH", help="What only the scorer sees: a file or a folder.")
    ] = None,
    about: Annotated[str, typer.Option(metavar="TEXT", help="What it is about.")] = "",
    public: Annotated[
        bool | None, typer.Option("--public/--hidden", help="Whether the gold standard is nobody's secret.")
    ] = None,
    folder: Folder = None,
    slug: Slug = "",
) -> None:
    """Make or change a data set of TASK; what is not given stays.

    The gold standard is hidden: it is exported with --private only, and no system sees it.
    """
    from primad.cli.track._files import refuse_absent

    refuse_absent(*filter(None, (inputs, gold)))
    track = opened(folder, slug)
    is_public = public if public is not None else _is_public(track, task_name, name)
    made = track.set_data_set(task_name, name, inputs=inputs, gold=gold, about=about, public=is_public)
    known = next(one for one in track.task_facts(task_name).data_sets if one.slug == made.slug)
    has = [word for word, there in (("inputs", known.inputs), ("gold", known.has_gold)) if there]
    say(f"data set {task_name}/{made.slug}: {' and '.join(has) or 'nothing in it yet'}")


def _is_public(track: Track, task_name: str, name: str) -> bool:
    """Tell whether the gold standard of a data set is nobody's secret so far; that of a new one is."""
    return any(one.public for one in track.task_facts(task_name).data_sets if one.slug == name)
