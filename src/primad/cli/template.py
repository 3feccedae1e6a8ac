"""primad template: a skeleton to fill in."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import PROFILE, Profile
from primad.cli._output import show
from primad.errors import UsageError

EXAMPLE = """\b
Examples:
  primad template > me.yml
  primad template --component actor --component method
  primad template --profile longeval2026 > ir-metadata.yml
  primad template --of measurements > study.qra.yaml
"""

app = new_app()


class Kind(StrEnum):
    """What can be filled in."""

    METADATA = "metadata"
    MEASUREMENTS = "measurements"
    CHECKLIST = "checklist"


@app.command(epilog=EXAMPLE)
def template(
    component: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A component (platform, research goal, ...) with all its fields."),
    ] = None,
    profile: Profile = PROFILE,
    everything: Annotated[bool, typer.Option("--all", help="Every field, also those that are optional.")] = False,
    kind: Annotated[
        Kind, typer.Option("--of", help="Metadata of a run, measurements for qra, or the ML checklist.")
    ] = Kind.METADATA,
) -> None:
    """Print a commented YAML skeleton of the fields that a person has to fill in."""
    if kind is not Kind.METADATA:
        if component or everything or profile != PROFILE:
            raise UsageError(f"--component, --profile and --all choose fields of metadata, not of {kind}")
        show(_shipped(kind))
        return
    from primad.metadata.profile import load_profile
    from primad.metadata.template import skeleton

    show(skeleton(load_profile(profile), component or [], everything=everything))


def _shipped(kind: Kind) -> str:
    """Return the skeleton of measurements or of the checklist."""
    if kind is Kind.CHECKLIST:
        from primad.qra.reading.checklist import checklist_template

        return checklist_template()
    from importlib import resources

    return resources.files("primad.qra").joinpath("template.qra.yaml").read_text(encoding="utf-8")
