"""primad schema: the fields of a record."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import PROFILE, Profile
from primad.cli._output import show, terminal_width

EXAMPLE = """\b
Examples:
  primad schema > ir_metadata.schema.json
  primad schema --version 0.1
  primad schema --profile longeval2026 --format table
"""

app = new_app()


class Form(StrEnum):
    """How the schema is printed."""

    JSON = "json"
    TABLE = "table"
    FIELDS = "fields"


@app.command(epilog=EXAMPLE)
def schema(
    version: Annotated[str | None, typer.Option(metavar="VERSION", help="The version; the newest by default.")] = None,
    versions: Annotated[bool, typer.Option("--versions", help="List the versions, and stop.")] = False,
    profile: Profile = PROFILE,
    form: Annotated[
        Form, typer.Option("--format", help="JSON Schema, a table, or all facts about the fields as JSON.")
    ] = Form.JSON,
) -> None:
    """Print the schema of a record as JSON Schema (draft 2020-12)."""
    from primad.metadata.profile import load_profile
    from primad.metadata.schema import load_schema
    from primad.metadata.versions import VERSIONS
    from primad.reports.metadata import render_fields, render_schema, render_versions

    if versions:
        show(render_versions([load_schema(known) for known in VERSIONS]))
        return
    chosen = load_profile(profile)
    if version is not None:
        chosen = chosen.with_schema(load_schema(version))
    show(render_schema(chosen) if form is Form.JSON else render_fields(chosen, form, terminal_width()))
