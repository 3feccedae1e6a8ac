"""What does a person fill in?

    skeleton   a commented YAML text with the fields of a profile, to be used with ``annotate --template``

Comments say what a field means, how much it matters and how it is written, so that nobody has to look it up.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from primad.errors import SchemaError
from primad.metadata.paths import EACH
from primad.metadata.profile import DEFAULT
from primad.metadata.record import FOUND_OUT, PLACEHOLDER
from primad.metadata.schema import COMPONENTS, GENERAL
from primad.safe_yaml import write_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from primad.metadata.paths import Path
    from primad.metadata.profile import Profile
    from primad.metadata.schema import Field, Schema

Step = str | int

_WIDTH = 100
_NEVER_BY_HAND = ("ranking.",)


def skeleton(profile: Profile, components: Sequence[str] = (), *, everything: bool = False) -> str:
    """Return the skeleton of a record: the fields for a person to fill in, or EVERYTHING, of COMPONENTS or of all."""
    schema = profile.schema
    known = dict.fromkeys(["general", *COMPONENTS, *(field.component for field in schema.fields)])
    unknown = [name for name in components if name not in known]
    if unknown:
        raise SchemaError(f"unknown component '{unknown[0]}'; expected one of: {', '.join(known)}")
    everything = everything or bool(components)
    tree: dict[Step, Any] = {}
    for component in components or known:
        for field in schema.fields:
            if field.component == component and _is_wanted(field, profile, everything=everything):
                _plant(tree, field)
    return _head(profile) + "\n".join(_lines(tree, (), schema)) + "\n"


def _is_wanted(field: Field, profile: Profile, *, everything: bool) -> bool:
    """Tell whether FIELD is for a person to fill in; what a task of its own demands always is."""
    if everything:
        return True
    captured = FOUND_OUT if profile.name == DEFAULT else _NEVER_BY_HAND
    is_captured = field.path.startswith(captured)
    return field.importance != "optional" and not is_captured


def _plant(tree: dict[Step, Any], field: Field) -> None:
    """Put FIELD into the TREE of what is asked for."""
    for step in field.steps:
        tree = tree.setdefault(step, {})


def _head(profile: Profile) -> str:
    """Return what the reader should know first."""
    text = (
        f"Metadata for a run: {profile.title}. Fill in what you know, remove the rest, then: "
        f"primad annotate RUN --template THIS_FILE --in-place. Lines with {PLACEHOLDER} count as not filled in. "
        "What can be captured (the machine, the libraries, the repository, the command) need not be written here."
    )
    return "".join(f"# {line}\n" for line in _wrapped(text)) + "\n"


def _lines(tree: dict[Step, Any], path: Path, schema: Schema) -> Iterator[str]:
    """Yield the lines of the mapping at PATH, each key below what there is to say about it."""
    for step, below in tree.items():
        here = (*path, step)
        field = schema.by_path.get(here)
        if not path:
            yield from [""] if tree and step != next(iter(tree)) and step not in GENERAL else []
        if field:
            yield from (f"# {line}" for line in _wrapped(_comment(field), 2 * len(path)))
        key = in_one_line(step)
        if not below:
            yield f"{key}: {_placeholder(field)}"
        elif EACH in below:
            yield f"{key}:"
            yield from _element(list(_lines(below[EACH], (*here, EACH), schema)))
        else:
            yield f"{key}:"
            yield from (f"  {line}" for line in _lines(below, here, schema))


def _element(lines: list[str]) -> Iterator[str]:
    """Yield the lines of one element of a list: a dash before its first key."""
    first = next(place for place, line in enumerate(lines) if not line.startswith("#"))
    for place, line in enumerate(lines):
        yield f"  - {line}" if place == first else f"    {line}"


def _wrapped(text: str, indent: int = 0) -> list[str]:
    """Return TEXT in lines; addresses and names stay whole."""
    return textwrap.wrap(text, _WIDTH - indent, break_on_hyphens=False, break_long_words=False)


def _placeholder(field: Field | None) -> str:
    """Return the placeholder in the shape of FIELD."""
    kind = field.type if field else "text"
    if kind == "mapping":
        return "{}"
    return f"[{PLACEHOLDER}]" if kind in ("texts", "libraries") else PLACEHOLDER


def _comment(field: Field) -> str:
    """Return what FIELD means, how much it matters, and which values it may have."""
    return f"{field.meaning} ({field.importance}{_values(field)})"


def _values(field: Field) -> str:
    """Return the vocabulary of FIELD, or an example as it would be written."""
    if field.closed:
        return "; one of: " + ", ".join(field.vocabulary)
    if field.vocabulary:
        return "; such as: " + ", ".join(field.vocabulary)
    return "" if field.example is None else f"; example: {in_one_line(field.example)}"


def in_one_line(value: Any) -> str:
    """Return VALUE as YAML writes it in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {in_one_line(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(in_one_line, value)) + "]"
    return write_yaml(value).removesuffix("...\n").strip()
