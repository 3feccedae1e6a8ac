"""primad track replay: a submitted system is run again in a sandbox."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import Folder, Form, Held, Image, Printed, Trust
from primad.cli._output import say
from primad.cli.remote.naming import Served, meant
from primad.cli.track._opening import Configuration, DataSet, Machine, Slug, called, opened, options_of, to_copy
from primad.cli.track._typed import attempt_number
from primad.cli.track.attempting import show_outcome
from primad.errors import PrimadError, UsageError

if TYPE_CHECKING:
    from primad.reports.track.answers import AttemptRow
    from primad.track.replays.wish import Wish
    from primad.track.track import Track

EXAMPLE = """\b
Examples:
  primad track replay alpha/run1 --analyst ann
  primad track replay alpha/run1 --analyst ann --data-set other --rung bubblewrap
  primad track replay --resume 3
  primad track replay --again 3
"""

app = new_app()


@app.command(cls=Served, epilog=EXAMPLE)
def replay(
    address: Annotated[
        str | None, typer.Argument(metavar="SUBMISSION", help="TEAM/NAME; not with --resume or --again.")
    ] = None,
    analyst: Annotated[str, typer.Option(metavar="ANALYST", help="Who runs it; on a site, whoever asks.")] = "",
    configuration: Configuration = "",
    data_set: DataSet = "",
    machine: Machine = "",
    trust: Trust = False,
    rung: Held = None,
    image: Image = "",
    network: Annotated[
        bool, typer.Option("--network", help="Let it be installed over the network, if the task allows it.")
    ] = False,
    resume: Annotated[
        int | None, typer.Option(parser=attempt_number, metavar="N", help="Go on with attempt N, which stopped.")
    ] = None,
    again: Annotated[
        int | None, typer.Option(parser=attempt_number, metavar="N", help="Repeat attempt N as a new one.")
    ] = None,
    folder: Folder = None,
    slug: Slug = "",
    form: Printed = Form.TABLE,
) -> None:
    """Run a submitted system again in a sandbox, keep everything, and judge its output; exit with 1 if it fails.

    What the system prints goes to standard error as it comes.  The time of the analyst rests meanwhile.  With --server
    it runs on this machine: the site sees what it prints, gets the output, and judges it.
    """
    from primad.track.replays.wish import Wish

    _refuse_contradiction(address, analyst, resume=resume, again=again)
    if address is not None and not analyst and meant(folder) is None:
        raise UsageError("expected --analyst ANALYST, who runs the system")
    wish = Wish(trust=trust, rung=str(rung) if rung else "", image=image, network=network)
    track = opened(folder, slug)
    _refuse_network(track, address, resume or again, network=network)
    number = _attempt(
        track,
        address or "",
        analyst,
        configuration=configuration,
        data_set=data_set,
        machine=machine,
        resume=resume,
        again=again,
        options=options_of(folder, slug),
    )
    _announce(track, number)
    _run(track, number, wish, options_of(folder, slug))
    if show_outcome(track, number, form, options_of(folder, slug)).row.state != "succeeded":
        raise typer.Exit(1)


def _refuse_contradiction(address: str | None, analyst: str, *, resume: int | None, again: int | None) -> None:
    """Refuse options of which nobody can tell what is to be run."""
    if resume is not None and again is not None:
        raise UsageError("expected --resume N, to go on, or --again N, to begin anew; found both")
    if address is None and resume is None and again is None:
        raise UsageError("expected one of SUBMISSION, --resume N and --again N, found none")
    if (resume is not None or again is not None) and (address is not None or analyst):
        command = f"--resume {resume}" if resume is not None else f"--again {again}"
        raise UsageError(
            "an attempt has its submission and its analyst already; expected neither, "
            f"type: primad track replay {command}"
        )


def _attempt(
    track: Track,
    address: str,
    analyst: str,
    *,
    configuration: str,
    data_set: str,
    machine: str,
    resume: int | None,
    again: int | None,
    options: str,
) -> int:
    """Return the number of the attempt that is to be run: an old one, one that repeats it, or a new one.

    Where another one is to be gone on with, the command for it has these OPTIONS.
    """
    if resume is not None and (configuration or data_set or machine):
        raise UsageError("an attempt goes on as it was begun; expected no other options with --resume")
    if again is not None and (configuration or machine):
        raise UsageError("an attempt is repeated as it was, or on another --data-set; expected no other options")
    if resume is not None:
        return _stopped(track, resume)
    if again is not None:
        return track.again(again, data_set).number
    _refuse_remote(track, address)
    analyst = analyst or _only_analyst(track)
    unended = _unended(track, address, analyst, configuration, data_set)
    if unended is not None:
        return _open(track, to_copy(unended, options), options)
    return track.start(analyst, address, configuration=configuration, data_set=data_set, machine=machine).number


def _only_analyst(track: Track) -> str:
    """Return the analyst who runs a system where nobody is named: who asks a site is known to it."""
    known = [one.slug for one in track.facts().analysts]
    if len(known) != 1:
        raise UsageError(
            f"expected --analyst ANALYST, who runs the system{': ' * bool(known)}{' or '.join(known[:20])}"
        )
    return known[0]


def _refuse_remote(track: Track, address: str) -> None:
    """Refuse a submission whose system is not here, before an attempt at it is begun."""
    row = track.submission_facts(address).row
    if not row.system:
        raise UsageError(f"{row.address} has no system yet: {row.why}")
    if row.system != "bundle":
        raise UsageError(
            f"the system of {row.address} is reached remotely: follow its instructions (primad track show "
            f"{row.address}), and write the attempt down with: primad track attempt start ANALYST {row.address}"
        )


def _stopped(track: Track, number: int) -> int:
    """Return the NUMBER of an attempt, if a replay of it was stopped."""
    found = track.attempt_facts(number).row
    if found.state != "stopped" and not (found.state == "running" and _was_left(track, number)):
        raise UsageError(
            f"{called(found)} is {found.state}; only one that is stopped can be resumed, others with --again"
        )
    return number


def _was_left(track: Track, number: int) -> bool:
    """Tell whether the replay of an attempt, of which a site does not know yet that it is gone, was left here."""
    from primad.cli.remote.replaying import left_here
    from primad.cli.remote.track import RemoteTrack

    there: object = track
    return isinstance(there, RemoteTrack) and left_here(there.site, there.slug, number)


def _unended(track: Track, address: str, analyst: str, configuration: str, data_set: str) -> AttemptRow | None:
    """Return the attempt of ANALYST at a submission that has not ended, None if they have none."""
    from primad.track.configurations import chosen

    row = track.submission_facts(address).row
    wanted = configuration or chosen("", row.configurations)
    for one in track.analyst_facts(analyst).attempts:
        same = (one.submission, one.configuration) == (row.address, wanted)
        if same and data_set in ("", one.data_set) and one.state in ("open", "running", "stopped"):
            return one
    return None


def _open(track: Track, row: AttemptRow, options: str) -> int:
    """Return the number of the attempt of ROW if it is open, or say how it goes on, with these OPTIONS."""
    if row.state == "running" and _was_left(track, row.number):
        raise UsageError(
            f"the replay of attempt {row.number} was left here; go on with: "
            f"primad track replay --resume {row.number}{options}"
        )
    if row.state != "open":
        raise UsageError(f"attempt {row.number} of {row.analyst} is {row.state}: {row.why_at_terminal}")
    return row.number


def _refuse_network(track: Track, address: str | None, number: int | None, *, network: bool) -> None:
    """Refuse a network that the task does not allow: who asked for one shall not learn of it from an error."""
    if not network:
        return
    where = address or track.attempt_facts(number or 0).row.submission
    task = track.task_facts(track.submission_facts(where).row.task)
    if not task.network_to_install:
        raise UsageError(
            f"the task {task.slug} allows no network; an organiser can allow it for the installation with: "
            f"primad track task {task.slug} --network"
        )


def _announce(track: Track, number: int) -> None:
    """Say what will be run, and what it asks for."""
    found = track.attempt_facts(number)
    on = f" on {found.row.data_set}" if found.row.data_set else ""
    say(f"{called(found.row)}: configuration {found.row.configuration}{on}")
    systems = track.submission_facts(found.row.submission).systems
    system = next((one for one in systems if one.version == found.system), None)
    asked = system.prerequisites if system else ()
    say(f"it asks for: {', '.join(asked) or 'nothing that it states'}")
    minutes = system.expected_minutes if system else None
    expected = f"its authors expect {minutes:g} minute{'s' * (minutes != 1)}" if minutes else ""
    say(expected or "its authors do not say how long it takes")
    if not found.row.machine:
        command = f"primad track machine {found.row.analyst} NAME"
        say(f"no machine is named, so that reports cannot say on what it ran; describe one with: {command}")


def _run(track: Track, number: int, wish: Wish, options: str) -> None:
    """Run the system of an attempt, and say how it can go on, with these OPTIONS, if that is cut short."""
    command = f"primad track replay --resume {number}{options}"
    going_on = f"attempt {number} is stopped; nothing is lost, go on with: {command}"
    try:
        track.replay(number, wish, _show_line)
    except KeyboardInterrupt:
        say(going_on)
        raise typer.Exit(1) from None
    except PrimadError:
        with suppress(PrimadError):  # a site may be away
            if track.attempt_facts(number).row.state == "stopped":
                say(going_on)
        raise


def _show_line(line: str) -> None:
    """Show a line of the system, which the replay has made harmless."""
    typer.echo(line, err=True)
