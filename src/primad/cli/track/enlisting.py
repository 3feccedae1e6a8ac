"""primad track team, analyst and machine: who takes part, and on what."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import Folder, Form, Printed
from primad.cli._output import say, show, terminal_width
from primad.cli.remote.naming import Served
from primad.cli.track._opening import Slug, document, opened
from primad.errors import PairingError, UsageError

if TYPE_CHECKING:
    from primad.reports.track.answers import AnalystFacts, TeamFacts
    from primad.track.track import Track

TEAM_EXAMPLE = """\b
Examples:
  primad track team alpha --title "Team Alpha" --contact alpha@example.org
"""
ANALYST_EXAMPLE = """\b
Examples:
  primad track analyst ann --role user --background linguistics
  primad track analyst dan --role developer --conflict beta="a former member"
"""
MACHINE_EXAMPLE = """\b
Examples:
  primad track machine ann laptop
  primad track machine dan server --operating-system "Debian 12" --memory "64 GB"
"""

app = new_app()

Name = Annotated[str, typer.Argument(metavar="SLUG", help="Its name, new or known.")]
Title = Annotated[str | None, typer.Option(metavar="TEXT", help="What reports call it.")]


class Role(StrEnum):
    """As what an analyst works."""

    USER = "user"
    DEVELOPER = "developer"


@app.command(cls=Served, epilog=TEAM_EXAMPLE)
def team(
    name: Name,
    title: Title = None,
    contact: Annotated[str | None, typer.Option(metavar="TEXT", help="Where analysts may ask.")] = None,
    remark: Annotated[str | None, typer.Option(metavar="TEXT", help="Anything else.")] = None,
    folder: Folder = None,
    slug: Slug = "",
) -> None:
    """Register or change a team; what is not given stays."""
    track = opened(folder, slug)
    try:
        known: TeamFacts | None = track.team_facts(name)
    except PairingError:
        known = None
    made = track.set_team(
        name,
        title=title if title is not None else known.title if known else "",
        contact=contact if contact is not None else known.contact if known else "",
        remark=remark if remark is not None else known.note if known else "",
    )
    say(f"team {made.slug} ({made.title})")


@app.command(cls=Served, epilog=ANALYST_EXAMPLE)
def analyst(
    name: Name,
    role: Annotated[Role | None, typer.Option(help="As what they work; a new analyst needs one.")] = None,
    title: Title = None,
    background: Annotated[str | None, typer.Option(metavar="TEXT", help="What they know about such systems.")] = None,
    conflict: Annotated[
        list[str] | None,
        typer.Option(metavar="TEAM=WHY", help="A conflict of interest; all that are given replace those before."),
    ] = None,
    folder: Folder = None,
    slug: Slug = "",
) -> None:
    """Enlist or change an analyst; what is not given stays."""
    track = opened(folder, slug)
    known = _known_analyst(track, name)
    if role is None and known is None:
        raise UsageError(f"there is no analyst {name} yet; a new one needs a --role, user or developer")
    conflicts = dict(_conflict(one) for one in conflict) if conflict else dict(known.conflicts) if known else {}
    made = track.set_analyst(
        name,
        role=str(role) if role else known.role if known else "",
        title=title if title is not None else known.title if known else "",
        background=background if background is not None else known.background if known else "",
        conflicts=conflicts,
    )
    kept_from = f"; runs nothing of {', '.join(made.conflicts)}" if made.conflicts else ""
    say(f"analyst {made.slug} ({made.role}){kept_from}")


def _known_analyst(track: Track, name: str) -> AnalystFacts | None:
    """Return the analyst NAME of TRACK, None if there is none yet."""
    try:
        return track.analyst_facts(name)
    except PairingError:
        return None


def _conflict(given: str) -> tuple[str, str]:
    """Return the team and the reason of a conflict that was GIVEN."""
    team_name, _, why = given.partition("=")
    return team_name, why or "not stated"


@app.command(cls=Served, epilog=MACHINE_EXAMPLE)
def machine(
    analyst_name: Annotated[str, typer.Argument(metavar="ANALYST", help="Whose machine it is.")],
    name: Name,
    operating_system: Annotated[str, typer.Option(metavar="TEXT", help="As in 'Ubuntu 22.04'.")] = "",
    memory: Annotated[str, typer.Option(metavar="TEXT", help="As in '8 GB'.")] = "",
    cache: Annotated[str, typer.Option(metavar="TEXT", help="As in '4 MB'.")] = "",
    processor: Annotated[str, typer.Option(metavar="TEXT", help="As in 'Intel i5'.")] = "",
    folder: Folder = None,
    slug: Slug = "",
    form: Printed = Form.TABLE,
) -> None:
    """Write down a machine of ANALYST: this one, captured, unless facts are given."""
    from primad.reports.lists import facts as shown

    stated = {"operating_system": operating_system, "memory": memory, "cache": cache, "processor": processor}
    given = {key: value for key, value in stated.items() if value}
    track = opened(folder, slug)
    made = track.set_machine(analyst_name, name, facts=given) if given else track.set_machine(analyst_name, name)
    say(f"machine {analyst_name}/{made.slug}, {'as described' if given else 'captured'}")
    known = {key: str(value) for key, value in made.facts.items()}
    if form is Form.JSON:
        show(document(machine={"analyst": analyst_name, "slug": made.slug, "facts": known}))
    else:
        show(shown({key.replace("_", " "): value for key, value in known.items()}, terminal_width()))
