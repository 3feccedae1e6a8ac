"""Which fields decide whether a component changed?

    Counted        a rule and the fields it is about, with the reason
    counted        the rules of each component
    rule_meanings  what each rule means
    described      the fields of the schema that never count

The rules are data beside the schema: metadata/schemas/counted.yaml.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

from primad.metadata.paths import parse
from primad.metadata.schema import COMPONENTS, load_schema
from primad.safe_yaml import read_yaml

Rule = Literal[
    "any",
    "first stated on both",
    "program",
    "between experimenters only",
    "members",
    "stages",
    "structure",
    "difference only",
    "parameters",
]

_FILE = "counted.yaml"


@dataclass(frozen=True)
class Counted:
    """A rule, the fields it is about, and why it is as it is.

    ``by`` are the fields by which a member of a list is known, ``but`` those that the rule leaves out, ``same`` holds
    spellings of one thing.
    """

    component: str
    rule: Rule
    fields: tuple[str, ...]
    why: str
    by: tuple[str, ...] = ()
    but: tuple[str, ...] = ()
    same: tuple[tuple[str, ...], ...] = ()


@cache
def counted() -> dict[str, tuple[Counted, ...]]:
    """Return the rules by component, in the order of the letters."""
    facts = _facts()
    return {
        component: tuple(
            Counted(
                component,
                entry["rule"],
                tuple(entry["fields"]),
                entry["why"],
                by=tuple(entry.get("by", ())),
                but=tuple(entry.get("except", ())),
                same=tuple(tuple(spellings) for spellings in entry.get("same", ())),
            )
            for entry in facts[component]
        )
        for component in COMPONENTS
    }


def rule_meanings() -> dict[str, str]:
    """Return what each rule means."""
    return dict(_facts()["rules"])


@cache
def _facts() -> dict[str, Any]:
    """Return the file of the rules."""
    text = resources.files("primad.metadata").joinpath("schemas", _FILE).read_text(encoding="utf-8")
    facts: dict[str, Any] = read_yaml(text, _FILE).plain()
    return facts


@cache
def described(component: str) -> tuple[str, ...]:
    """Return the fields of COMPONENT in the schema that no rule counts, those that hold others apart."""
    rules = [rule for rules in counted().values() for rule in rules]
    heads = [parse(path) for rule in rules for path in rule.fields]
    return tuple(
        field.path
        for field in load_schema().fields
        if field.component == component
        and not field.is_container
        and not any(field.steps[: len(head)] == head for head in heads)
    )
