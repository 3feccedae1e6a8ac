"""primad doctor: what is here, and does it work?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import Form
from primad.cli._output import say, show, terminal_width

if TYPE_CHECKING:
    from primad.cli._probes.found import Found, Surroundings

EXAMPLE = """\b
Examples:
  primad doctor
  primad doctor --format json > doctor.json
  PRIMAD_ARCHIVE=lab/ primad doctor
\b
Exit codes:
  0  everything that is here or set up works
  1  something that is here or set up does not
"""

app = new_app()

_SCHEMA = "primad.doctor/1"


@app.command(epilog=EXAMPLE)
def doctor(form: Annotated[Form, typer.Option("--format", help="How to print it.")] = Form.TABLE) -> None:
    """Print what is installed here and whether it works, to look at or to send with a report of a fault.

    Looked at are packages, sandboxes, container engines, git, strace and Slurm; the archive that PRIMAD_ARCHIVE or the
    working folder is, the site of PRIMAD_SERVER, and the Dask scheduler of DASK_SCHEDULER_ADDRESS.  Nothing is changed.
    No token, password, user or name of this machine is printed, and a home folder is ~.
    """
    from primad.cli._probes import look_around

    found = look_around()
    show(_json(found) if form is Form.JSON else _table(found, terminal_width()))
    if found.failing:
        say(f"does not work: {', '.join(one.what for one in found.failing)}")
        raise typer.Exit(1)


def _json(found: Surroundings) -> str:
    """Return what was FOUND for programs."""
    from primad.reports.lists import json_document

    return json_document(_SCHEMA, found, is_good=not found.failing)


def _table(found: Surroundings, width: int | None) -> str:
    """Return what was FOUND for people."""
    from primad.reports.lists import facts

    libraries = ", ".join(f"{name} {version or '(missing)'}" for name, version in found.libraries.items())
    about = {
        "primad": found.primad,
        "Python": found.python,
        "platform": found.platform,
        "libraries": libraries,
        "variables": ", ".join(found.variables) or "none of PRIMAD_...",
    }
    extras = {f"primad[{one.name}]": _extra(one.lacking) for one in found.extras}
    looked = {f"{one.what} {one.state}": _sentence(one) for one in found.found}
    return "\n".join(facts(part, width) for part in (about, extras, looked))


def _extra(lacking: tuple[str, ...]) -> str:
    """Return whether an extra is complete, or what is LACKING."""
    return f"lacks {', '.join(lacking)}" if lacking else "complete"


def _sentence(one: Found) -> str:
    """Return the detail and the advice of ONE thing."""
    return f"{one.detail}; {one.advice}" if one.advice else one.detail
