"""primad template: a skeleton to fill in."""

from __future__ import annotations

from typing import Annotated

import typer

from primad.cli._output import show

EXAMPLE = """\b
Examples:
  primad template > me.yml
  primad template --component actor --component method
  primad template --profile longeval2026 > ir-metadata.yml
"""


def template(
    component: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A component (platform, research goal, ...) with all its fields."),
    ] = None,
    profile: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="What the task demands: a built-in profile, or a file.")
    ] = "ir_metadata",
    everything: Annotated[bool, typer.Option("--all", help="Every field, also those that are optional.")] = False,
) -> None:
    """Print a commented YAML skeleton of the fields that a person has to fill in."""
    from primad.metadata.profile import load_profile
    from primad.metadata.template import skeleton

    show(skeleton(load_profile(profile), component or [], everything=everything))
