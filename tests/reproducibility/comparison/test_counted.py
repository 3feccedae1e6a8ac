"""Are the fields that count fields of the schema, each with its reason?"""

from __future__ import annotations

from primad.metadata.paths import parse
from primad.metadata.schema import COMPONENTS, load_schema
from primad.reproducibility.comparison import counted, described, rule_meanings

# A field of real files that no version of the schema has, and the component as a whole.
OUTSIDE = {"method.name", "method", "method.indexing"}


def counted_paths(component: str) -> tuple[str, ...]:
    """Return the fields that count for COMPONENT."""
    return tuple(path for rule in counted()[component] for path in rule.fields)


def test_each_component_has_rules_in_the_order_of_the_letters() -> None:
    assert tuple(counted()) == COMPONENTS
    assert [component for component, rules in counted().items() if not rules] == []


def test_each_field_that_counts_is_in_the_schema() -> None:
    known = {field.path for field in load_schema().fields}

    paths = [path for component in COMPONENTS for path in counted_paths(component)]

    assert [path for path in paths if path not in known | OUTSIDE] == []


def test_each_rule_says_why_and_is_explained() -> None:
    rules = [rule for rules in counted().values() for rule in rules]

    assert [rule for rule in rules if len(rule.why) < 20] == []
    assert {rule.rule for rule in rules} == rule_meanings().keys()


def test_no_field_is_counted_twice() -> None:
    paths = [path for component in COMPONENTS for path in counted_paths(component)]

    assert len(paths) == len(set(paths))


def test_what_only_describes_is_listed_as_such() -> None:
    assert described("actor") == (
        "actor.fields",
        "actor.mail",
        "actor.role",
        "actor.degree",
        "actor.github",
        "actor.twitter",
    )
    assert "research goal.publication.abstract" in described("research goal")
    assert described("method") == ()


def test_a_field_either_counts_or_describes() -> None:
    for component in COMPONENTS:
        heads = [parse(path) for path in counted_paths(component)]
        both = [path for path in described(component) if any(parse(path)[: len(head)] == head for head in heads)]
        assert both == []
