"""Which fields may a record have, why does each matter, and how is it written?  The checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.metadata.profile import load_profile
from primad.metadata.schema import COMPONENTS, Field, load_schema
from primad.metadata.template import in_one_line
from primad.metadata.versions import VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

_TITLES = {
    "general": "General: which header is this?",
    "platform": "Platform: what did it run on?",
    "research goal": "Research goal: what was it for?",
    "implementation": "Implementation: which code ran?",
    "method": "Method: what was done?",
    "actor": "Actor: who did it?",
    "data": "Data: on what?",
    "ranking": "Ranking: is it still the same?",
    "resources": "Resources: what did it cost?",
    "metadata": "Anything else",
}


def checklist_page() -> str:
    """Return the page that lists every field of a record, why it matters, and how it is written."""
    fields = load_profile().schema.fields
    components = dict.fromkeys(["general", *COMPONENTS, *(field.component for field in fields)])
    lines = [
        "# Checklist: the fields of a record",
        "",
        "Made by `make docs` from the schema itself; the same facts are in `primad schema --format fields`, and",
        "`primad template` prints them as a skeleton to fill in.  How to use them: [metadata](../guides/metadata.md).",
        "",
        "**Essential** fields are those without which a run is hardly worth keeping, *recommended* ones those that the",
        "authors of ir_metadata ask for; all others are optional, and any field may be added.",
        "",
    ]
    for component in components:
        lines += [f"## {_TITLES.get(component, component)}", ""]
        for field in fields:
            if field.component == component:
                lines += [*_entry(field), ""]
    return "\n".join([*lines, *_versions()])


def _entry(field: Field) -> Iterator[str]:
    """Yield what there is to say about one field."""
    mark = {"essential": " **essential**", "recommended": " *recommended*", "optional": ""}[field.importance]
    yield f"- [ ] `{field.path}`{mark}: {field.meaning}"
    yield f"  *Written as* {', '.join(_form(field))}."
    yield f"  *Why:* {field.why}" + (f" *Seen by* {field.study}." if field.study else "")


def _form(field: Field) -> Iterator[str]:
    """Yield how the value of a field is written."""
    kinds = {"texts": "list of texts", "mappings": "list of mappings"}
    yield kinds.get(field.type, field.type) + (f" in {field.unit}" if field.unit else "")
    if field.encoding:
        yield field.encoding
    if field.example is not None:
        yield f"such as `{in_one_line(field.example)}`"
    if field.vocabulary:
        yield ("one of: " if field.closed else "known: ") + ", ".join(field.vocabulary)
    if field.also:
        yield "also read from " + ", ".join(f"`{path}`" for path in field.also)
    if field.origin:
        yield f"introduced by {field.origin}"


def _versions() -> Iterator[str]:
    """Yield the versions of the schema."""
    yield "## Versions"
    yield ""
    for version in VERSIONS:
        schema = load_schema(version)
        yield f"- {version}: {schema.title} ({len(schema.fields)} fields; {schema.source})"
    yield ""
