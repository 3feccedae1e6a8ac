"""primad track submit, preflight, decide and withdraw: what teams hand in, and what counts."""

from __future__ import annotations

import shlex
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from primad.cli._commands import new_app
from primad.cli._input import at_terminal, next_line
from primad.cli._options import Because, Folder, Form, Printed
from primad.cli._output import say, show, terminal_width
from primad.cli._pairs import named_numbers, named_values
from primad.cli.remote.naming import Served
from primad.cli.track._opening import Configuration, Slug, document, opened, options_of
from primad.cli.track._typed import one_of
from primad.errors import FileError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from primad.replay.preflight import Missing
    from primad.track.outputs import NewOutput
    from primad.track.track import Track

SUBMIT_EXAMPLE = """\b
Examples:
  primad track submit alpha run1 output.tsv --value f1=0.81
  primad track submit alpha run2 fast=fast.tsv slow=slow.tsv
  primad track submit alpha/run1 --system system.tar.gz
  primad track submit alpha/run1 --remote instructions.txt --secret
"""
PREFLIGHT_EXAMPLE = """\b
Examples:
  primad track preflight system.tar.gz
  primad track preflight my-system/
"""
DECIDE_EXAMPLE = """\b
Examples:
  primad track decide alpha/run1 yes --because "results and system are there"
"""
WITHDRAW_EXAMPLE = """\b
Examples:
  primad track withdraw alpha/run1 --because "the wrong file"
"""

app = new_app()

Address = Annotated[str, typer.Argument(metavar="SUBMISSION", help="TEAM/NAME, or NAME if only one has it.")]
_TEAM_AND_NAME = 2


class Answer(StrEnum):
    """Whether a submission is eligible."""

    YES = "yes"
    NO = "no"


@app.command(cls=Served, epilog=SUBMIT_EXAMPLE)
def submit(
    what: Annotated[
        list[str],
        typer.Argument(metavar="TEAM NAME FILE...", help="Team, name, and the output; or TEAM/NAME for its system."),
    ],
    task: Annotated[str, typer.Option(metavar="TASK", help="The task, where the track has several.")] = "",
    data_set: Annotated[str, typer.Option(metavar="NAME", help="The data set, where the task has several.")] = "",
    configuration: Configuration = "",
    value: Annotated[
        list[str] | None, typer.Option(metavar="MEASURE=NUMBER", help="What the team measured, as often as needed.")
    ] = None,
    condition: Annotated[
        list[str] | None, typer.Option(metavar="NAME=TEXT", help="How it was measured, for tasks that collect that.")
    ] = None,
    record: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="How it was made: a metadata file, if no run among FILEs says it."),
    ] = None,
    title: Annotated[str, typer.Option(metavar="TEXT", help="What reports call it.")] = "",
    about: Annotated[str, typer.Option(metavar="TEXT", help="What it is about.")] = "",
    system: Annotated[str | None, typer.Option(metavar="BUNDLE", help="The system, packed with its manifest.")] = None,
    remote: Annotated[
        str | None, typer.Option(metavar="FILE", help="Instead of a bundle: instructions on how to reach the system.")
    ] = None,
    secret: Annotated[
        bool, typer.Option("--secret", help="With --remote: ask for a password, or read it from standard input.")
    ] = False,
    operating_system: Annotated[str, typer.Option(metavar="TEXT", help="With --remote: what it runs on.")] = "",
    language: Annotated[str, typer.Option(metavar="TEXT", help="With --remote: what it is written in.")] = "",
    folder: Folder = None,
    slug: Slug = "",
    form: Printed = Form.TABLE,
) -> None:
    """Submit an output of a team, and later the system that gave it.

    Several FILEs are one output.  CONFIGURATION=FILE names the way in which the system was run, for several of them.
    A secret is stored encrypted and is never an argument.
    """
    results: dict[str, Any] = {
        "--task": task,
        "--data-set": data_set,
        "--configuration": configuration,
        "--value": value,
        "--condition": condition,
        "--record": record,
        "--title": title,
        "--about": about,
    }
    of_remote = {"--secret": secret, "--operating-system": operating_system, "--language": language}
    track = opened(folder, slug)
    if system is None and remote is None:
        _refuse(of_remote, "is about a system that is reached remotely; expected --remote FILE with it")
        _submit_output(track, what, results, form, options_of(folder, slug))
        return
    _refuse(results, "is about an output, which is submitted before its system")
    address = _address(what)
    if system is not None and remote is not None:
        raise UsageError("expected either --system BUNDLE or --remote FILE, found both")
    if system is not None:
        _refuse(of_remote, "is about a system that is reached remotely; a bundle says it itself")
        _submit_bundle(track, address, system, form)
    else:
        _submit_remote(track, address, str(remote), form, secret=secret, system=operating_system, language=language)


def _refuse(given: dict[str, Any], why: str) -> None:
    """Refuse options that were GIVEN and do not belong here, and say WHY."""
    for option, value in given.items():
        if value:
            raise UsageError(f"{option} {why}")


def _address(what: list[str]) -> str:
    """Return the address of a submission that somebody typed as TEAM/NAME, or as TEAM NAME."""
    if len(what) > _TEAM_AND_NAME:
        raise UsageError(f"expected the submission as TEAM/NAME, found '{what[2]:.80}' as well")
    return "/".join(what)


def _submit_output(track: Track, what: list[str], options: dict[str, Any], form: Form, where: str) -> None:
    """Hand the output of a team over, and tell what it should know; WHERE are the options that name the track."""
    team, name, *files = _named_output(what)
    if not files and not options["--value"] and Path(name).is_file():
        raise UsageError(
            f"expected TEAM NAME FILE..., found the file '{name:.80}' in place of NAME; name the submission before it, "
            f"as in: primad track submit {team:.80} run1 {shlex.quote(name[:80])}"
        )
    taken = track.submit(
        team,
        name,
        _outputs(files, options),
        task=options["--task"],
        title=options["--title"],
        about=options["--about"],
    )
    address = taken.submission
    if form is Form.JSON:
        show(document(submitted={"submission": address, "remarks": list(taken.remarks), "missing": []}))
    for remark in taken.remarks:
        say(f"{address}: {remark}")
    say(f"{address} is submitted; its system follows with: primad track submit {address} --system BUNDLE{where}")


def _named_output(what: list[str]) -> list[str]:
    """Return team, name and files of an output that somebody typed as TEAM NAME FILE..., or as TEAM/NAME FILE..."""
    first, *rest = what
    named = [*first.partition("/")[::2], *rest] if "/" in first else what
    if len(named) < _TEAM_AND_NAME or not all(named[:_TEAM_AND_NAME]):
        raise UsageError("expected TEAM NAME FILE..., or TEAM/NAME with --system BUNDLE or --remote FILE")
    return named


def _outputs(files: list[str], options: dict[str, Any]) -> list[NewOutput]:
    """Return the outputs that FILES are, one for each configuration and data set."""
    from primad.cli.track._files import files_at
    from primad.track.outputs import NewOutput

    groups: dict[tuple[str, str], list[str]] = {}
    for given in files:
        configuration, data_set, path = _named_file(given)
        key = configuration or options["--configuration"] or "default", data_set or options["--data-set"]
        groups.setdefault(key, []).append(path)
    values = named_numbers(options["--value"] or [], "--value", "MEASURE=NUMBER")
    conditions = named_values(options["--condition"] or [], "--condition", "NAME=TEXT")
    if len(groups) > 1 and (values or options["--record"] or conditions):
        raise UsageError(
            "--value, --condition and --record are about one output, and several were given; leave them out, "
            "or submit each output under a NAME of its own"
        )
    if not groups:
        groups = {(options["--configuration"] or "default", options["--data-set"]): []}
    return [
        NewOutput(
            files=files_at(paths),
            data_set=data_set,
            configuration=configuration,
            values=values,
            conditions={key: given[-1] for key, given in conditions.items()},
            record=_record(options["--record"]),
        )
        for (configuration, data_set), paths in groups.items()
    ]


def _named_file(given: str) -> tuple[str, str, str]:
    """Return configuration, data set and path of CONFIGURATION@DATA_SET=FILE; what is not named is empty."""
    named, equals, path = given.partition("=")
    if not equals or "/" in named or Path(given).exists():
        return "", "", given
    configuration, _, data_set = named.partition("@")
    return configuration, data_set, path


def _record(path: str | None) -> dict[str, Any]:
    """Return the metadata in the file at PATH, nothing if there is none."""
    if path is None:
        return {}
    from primad.metadata.reading import read_record

    return dict(read_record(path).tree)


def _submit_bundle(track: Track, address: str, bundle: str, form: Form) -> None:
    """Hand a BUNDLE over, and tell its team what analysts will miss."""
    from primad.cli.track._files import all_problems_told, refuse_absent
    from primad.reports.track.things import missing_shown

    refuse_absent(bundle)
    if Path(bundle).is_dir():
        hint = f"pack it first: tar czf system.tar.gz -C {shlex.quote(bundle)} ."
        raise FileError(bundle, "expected a bundle, one file, found a folder", hint)
    with all_problems_told():
        taken = track.submit_bundle(address, bundle)
    shown = taken.submission
    if form is Form.JSON:
        missing = list(taken.missing)
        show(document(submitted={"submission": shown, "remarks": list(taken.remarks), "missing": missing}))
    else:
        show(missing_shown(taken.missing, terminal_width()))
    for remark in taken.remarks:
        say(f"{shown}: {remark}")
    say(f"the system of {shown} is submitted{_to_mend(taken.missing)}")


def _to_mend(missing: Sequence[Missing]) -> str:
    """Return what to do about what is MISSING."""
    return "; mend what analysts will miss and submit it again, the newest counts" if missing else ""


def _submit_remote(
    track: Track, address: str, path: str, form: Form, *, secret: bool, system: str, language: str
) -> None:
    """Hand over how the system of a team is reached."""
    from primad.cli.track._files import text_in

    if secret and path == "-":
        raise UsageError("standard input can be read once only; expected the instructions in a file, or no --secret")
    instructions = text_in(path)
    hidden = _secret() if secret else ""
    track.submit_remote(address, instructions, secret=hidden, operating_system=system, language=language)
    shown = track.submission_facts(address).row.address
    if form is Form.JSON:
        show(document(submitted={"submission": shown, "remarks": [], "missing": []}))
    say(f"{shown} is reached by its instructions{', the secret is stored encrypted' if hidden else ''}")


def _secret() -> str:
    """Return a secret that is typed without being shown, or that comes through standard input."""
    if at_terminal():
        from getpass import getpass

        secret = getpass("Secret (not shown): ")
    else:
        secret = next_line().rstrip("\r\n")
    if not secret:
        raise UsageError("expected a secret on standard input, found nothing")
    return secret


@app.command(epilog=PREFLIGHT_EXAMPLE)
def preflight(
    bundle: Annotated[str, typer.Argument(metavar="BUNDLE|DIR", help="A bundle, or a folder that becomes one.")],
    form: Printed = Form.TABLE,
) -> None:
    """Print what analysts will miss in a system, before it is submitted; exit with 1 if that is anything.

    Each line names the question of the sheet that it will cost points on.  Nothing is run.
    """
    from primad.cli.track._files import all_problems_told, refuse_absent
    from primad.reports.track.things import missing_shown
    from primad.track.bundles import preflight as look

    refuse_absent(bundle)
    with all_problems_told():
        missing = look(bundle)
    show(document(missing=list(missing)) if form is Form.JSON else missing_shown(missing, terminal_width()))
    if missing:
        raise typer.Exit(1)
    say(f"{bundle}: nothing that analysts ask for is missing")


@app.command(cls=Served, epilog=DECIDE_EXAMPLE)
def decide(
    address: Address,
    eligible: Annotated[
        Answer, typer.Argument(metavar="yes|no", parser=one_of(Answer), help="Whether it is replicated.")
    ],
    because: Because = "",
    folder: Folder = None,
    slug: Slug = "",
) -> None:
    """Write down whether a submission is eligible, and why; the report has the reason."""
    track = opened(folder, slug)
    track.decide(address, eligible=eligible is Answer.YES, reason=because)
    shown = track.submission_facts(address).row.address
    say(f"{shown} is {'' if eligible is Answer.YES else 'not '}eligible: {because}")


@app.command(cls=Served, epilog=WITHDRAW_EXAMPLE)
def withdraw(address: Address, because: Because = "", folder: Folder = None, slug: Slug = "") -> None:
    """Take a submission out of the track; nothing is deleted."""
    if not because.strip():
        raise UsageError("say why the submission is withdrawn, with --because")
    track = opened(folder, slug)
    track.withdraw(address, because)
    say(f"{track.submission_facts(address).row.address} is withdrawn; its files stay")
