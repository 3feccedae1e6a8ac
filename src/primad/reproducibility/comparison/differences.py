"""In which fields do two records differ, component by component?

    Difference    a field that both runs state, and state differently
    Observation   what was seen of one field: the same, changed, or stated on one side only
    Sides         two records side by side
    observe       everything there is to see of a component, by the rules of counted.py
    observe_whole, changed_whole   the same where components are compared as wholes, as repro_eval does

Nothing is concluded here: compare.py makes letters of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal

from primad.metadata.paths import leaves, parse, written
from primad.metadata.record import is_stated
from primad.metadata.schema import Field, load_schema
from primad.reproducibility.comparison.agreement import Verdict, packages_in, plain_text, verdict_on
from primad.reproducibility.comparison.counted import Counted, Rule, counted
from primad.reproducibility.comparison.programs import is_only_a_starter
from primad.reproducibility.comparison.roles import is_reproducer
from primad.reproducibility.comparison.stages import Leaf, Methods, lay_side_by_side

if TYPE_CHECKING:
    from primad.metadata.paths import Path
    from primad.metadata.record import Record

# More than this are compared as wholes, for each might be any other.
_MOST_MEMBERS = 100

Seen = Literal["same", "spelled otherwise", "changed", "original only", "other only"]


@dataclass(frozen=True)
class Difference:
    """A field and what each of the two runs states in it."""

    field: str
    original: Any
    other: Any

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as JSON has it."""
        return {"field": self.field, "original": self.original, "other": self.other}


@dataclass(frozen=True)
class Observation:
    """What was seen of a field, what each run states in it, None if nothing, and by which rule."""

    field: str
    seen: Seen
    original: Any = None
    other: Any = None
    rule: Rule | Literal["whole"] = "any"

    @property
    def is_of_both(self) -> bool:
        """Tell whether both runs state the field."""
        return not self.seen.endswith("only")

    @property
    def difference(self) -> Difference:
        """Return the field with both values."""
        return Difference(self.field, self.original, self.other)


@dataclass(frozen=True)
class Sides:
    """Two records side by side."""

    original: Record
    other: Record

    def at(self, path: str) -> tuple[Any, Any]:
        """Return what each of them states at PATH, None where it states nothing."""
        return self.original.get(path), self.other.get(path)

    @cached_property
    def methods(self) -> Methods:
        """Return the leaves of their methods."""
        return lay_side_by_side(self.original, self.other)


def observe(component: str, sides: Sides) -> list[Observation]:
    """Return what is to be seen of COMPONENT in two records."""
    return [seen for rule in counted()[component] for seen in _RULES[rule.rule](rule, sides)]


def changed_whole(component: str, sides: Sides) -> bool | None:
    """Tell whether COMPONENT differs in anything at all; None unless both sides state something of it."""
    one, two = sides.original.tree.get(component), sides.other.tree.get(component)
    return bool(one != two) if is_stated(one) and is_stated(two) else None


def observe_whole(component: str, sides: Sides) -> list[Observation]:
    """Return what is to be seen of COMPONENT where any difference counts, also what one side alone states."""
    one, two = sides.original.tree.get(component), sides.other.tree.get(component)
    change = changed_whole(component, sides)
    if change is None:
        return [Observation(component, side) for side, tree in zip(_SIDES, (one, two), strict=True) if is_stated(tree)]
    if not change:
        return [Observation(component, "same", one, two, "whole")]
    ours, theirs = (dict(leaves(tree, (component,))) for tree in (one, two))
    return [
        Observation(written(place), "changed", ours.get(place), theirs.get(place), "whole")
        for place in dict.fromkeys([*ours, *theirs])
        if place not in ours or place not in theirs or ours[place] != theirs[place]
    ]


_SIDES: tuple[Seen, Seen] = ("original only", "other only")


# Single fields ---------------------------------------------------------------------------------------------------


def _any(rule: Counted, sides: Sides) -> Iterator[Observation]:
    """Look at each field alone."""
    for path in rule.fields:
        yield from _pair(path, *sides.at(path), rule)


def _first(rule: Counted, sides: Sides) -> Iterator[Observation]:
    """Look at the fields until one is stated by both."""
    for path in rule.fields:
        one, two = sides.at(path)
        yield from _pair(path, one, two, rule)
        if one is not None and two is not None:
            return


def _program(rule: Counted, sides: Sides) -> Iterator[Observation]:
    """Look at the fields until one tells of both runs what was run; that of a launcher does not."""
    for path in rule.fields:
        one, two = (_of_program(path, record) for record in (sides.original, sides.other))
        yield from _pair(path, one, two, rule)
        if one is not None and two is not None:
            return


def _of_program(path: str, record: Record) -> Any:
    """Return what RECORD states at PATH about what was run, None where it tells of what only started it."""
    program, command = (str(record.get(f"implementation.executable.{name}", "")) for name in ("program", "cmd"))
    is_name_of_code = path.endswith(".program") and program.startswith("-")
    if not path.endswith(".cmd") and (is_name_of_code or (program and is_only_a_starter(program, command))):
        return None
    return record.get(path)


def _between_experimenters(rule: Counted, sides: Sides) -> Iterator[Observation]:
    """Look at each field unless one of the runs reproduces another."""
    if not is_reproducer(sides.original) and not is_reproducer(sides.other):
        yield from _any(rule, sides)


def _pair(path: str, one: Any, two: Any, rule: Counted) -> Iterator[Observation]:
    """Look at the values of one field, None where it is not stated."""
    field = _field(path)
    if one is None or two is None:
        if one is not None or two is not None:
            yield Observation(path, _SIDES[one is None], one, two, rule.rule)
    elif field.type == "libraries" or field.encoding == "package":
        yield from _packages(path, one, two, rule)
    else:
        yield from _judged(path, verdict_on(field, one, two, rule.same), one, two, rule)


def _judged(path: str, verdict: Verdict, one: Any, two: Any, rule: Counted) -> Iterator[Observation]:
    """Report the VERDICT on two values; where nobody can tell, neither run states what is asked for."""
    if verdict == "cannot tell":
        yield from (Observation(path, side, one, two, rule.rule) for side in _SIDES)
    else:
        yield Observation(path, verdict, one, two, rule.rule)


@cache
def _field(path: str) -> Field:
    """Return what the schema knows about the field at PATH."""
    return load_schema().field_at(parse(path)) or Field(path)


def _packages(path: str, one: Any, two: Any, rule: Counted) -> Iterator[Observation]:
    """Compare packages by version where both sides name them; what one side leaves out is not stated."""
    left, right = packages_in(one), packages_in(two)
    shared = [key for key in left if key in right]
    moved = [key for key in shared if left[key][1] and right[key][1] and left[key][1] != right[key][1]]
    if moved:
        ours, theirs = ([_pinned(*packages[key]) for key in moved] for packages in (left, right))
        yield Observation(path, "changed", ours, theirs, rule.rule)
    elif any(left[key][1] == right[key][1] for key in shared):
        yield Observation(path, "same", one, two, rule.rule)
    for side, here, there in ((_SIDES[0], left, right), (_SIDES[1], right, left)):
        for key in here:
            if key not in there or (here[key][1] and not there[key][1]):
                one, two = (_pinned(*here[key]) if here is packages else None for packages in (left, right))
                yield Observation(written((*parse(path), here[key][0])), side, one, two, rule.rule)


def _pinned(name: str, versions: frozenset[str]) -> str:
    """Return a package with its versions."""
    return f"{name}=={' and '.join(sorted(versions))}" if versions else name


# Lists of things -------------------------------------------------------------------------------------------------


def _members(rule: Counted, sides: Sides) -> Iterator[Observation]:
    """Compare lists of things without regard to their order, each known by the first field of ``by`` both state."""
    (path,) = rule.fields
    ours, theirs = map(_mappings, sides.at(path))
    if not (ours and theirs):
        if ours or theirs:
            yield Observation(path, _SIDES[not ours], *_lists(ours, theirs, rule), rule.rule)
        return
    if max(len(ours), len(theirs)) > _MOST_MEMBERS:
        yield from _judged(path, verdict_on(_field(path), ours, theirs), ours, theirs, rule)
        return
    matched, left, right = _matched(ours, theirs, rule)
    if len(left) == len(right) and not any(_key_of_both(one, two, rule) for one in left for two in right):
        # What one side has by name and the other by identifier may be one thing.
        yield from (Observation(path, side, *_lists(ours, theirs, rule), rule.rule) for side in _SIDES if left)
    else:
        yield Observation(path, "changed", *_lists(ours, theirs, rule), rule.rule)
    if matched:
        yield Observation(path, "same", *_lists(ours, theirs, rule), rule.rule)
    for number, one, two in matched:
        for key in dict.fromkeys([*one, *two]):
            if key not in rule.by:
                yield from _fact(rule, number, key, one.get(key), two.get(key))


def _fact(rule: Counted, number: int, key: str, one: Any, two: Any) -> Iterator[Observation]:
    """Look at a further fact, KEY, about a thing that both lists have."""
    path, name = rule.fields[0], written((key,))
    stated = (value if is_stated(value) else None for value in (one, two))
    for seen in _pair(f"{path}[].{name}", next(stated), next(stated), rule):
        yield replace(seen, field=f"{path}[{number}].{name}")


def _mappings(value: Any) -> list[dict[str, Any]]:
    """Return the things of a list as mappings, those that say nothing left out."""
    things = value if isinstance(value, list) else [] if value is None else [value]
    return [thing if isinstance(thing, dict) else {"name": thing} for thing in things if is_stated(thing)]


Things = list[dict[str, Any]]


def _matched(
    ours: Things, theirs: Things, rule: Counted
) -> tuple[list[tuple[int, dict[str, Any], dict[str, Any]]], Things, Things]:
    """Return as many pairs of one thing as there are, with the place in the first list, and what is left of each."""
    taken: dict[int, int] = {}
    for number, one in enumerate(ours):  # what is equal is one thing, whatever it is known by
        place = next((place for place, two in enumerate(theirs) if two == one and place not in taken), None)
        taken |= {} if place is None else {place: number}
    rest = [place for place in range(len(theirs)) if place not in taken]
    fitting = {
        number: [place for place in rest if _is_one(one, theirs[place], rule)]
        for number, one in enumerate(ours)
        if number not in taken.values()
    }
    for number in fitting:
        _assign(number, fitting, taken, set())
    left = [one for number, one in enumerate(ours) if number not in taken.values()]
    right = [two for place, two in enumerate(theirs) if place not in taken]
    pairs = sorted((number, place) for place, number in taken.items())
    return [(number, ours[number], theirs[place]) for number, place in pairs], left, right


def _assign(number: int, fitting: dict[int, list[int]], taken: dict[int, int], tried: set[int]) -> bool:
    """Give thing NUMBER a place that fits, moving others to make room, so that the order of the lists has no effect."""
    for place in fitting[number]:
        if place not in tried:
            tried.add(place)
            if place not in taken or _assign(taken[place], fitting, taken, tried):
                taken[place] = number
                return True
    return False


def _key_of_both(one: dict[str, Any], two: dict[str, Any], rule: Counted) -> str:
    """Return the first field by which both things are known; empty if there is none."""
    return next((key for key in rule.by if is_stated(one.get(key)) and is_stated(two.get(key))), "")


def _is_one(one: dict[str, Any], two: dict[str, Any], rule: Counted) -> bool:
    """Tell whether two things are one, by the first field that both state."""
    key = _key_of_both(one, two, rule)
    return bool(key) and verdict_on(_field(f"{rule.fields[0]}[].{key}"), one[key], two[key]) != "changed"


def _called(things: list[dict[str, Any]], rule: Counted) -> list[Any]:
    """Return what THINGS are called, the name before an identifier."""
    keys = sorted(rule.by, key=lambda key: key != "name")
    return [next((thing[key] for key in keys if is_stated(thing.get(key))), thing) for thing in things]


def _lists(ours: Things, theirs: Things, rule: Counted) -> tuple[list[Any] | None, list[Any] | None]:
    """Return what the things of both lists are called, None for a list without any."""
    return _called(ours, rule) or None, _called(theirs, rule) or None


# Methods ---------------------------------------------------------------------------------------------------------


def _stages(rule: Counted, sides: Sides) -> Iterator[Observation]:
    """Look at the fields of the rule in stages of the same name."""
    wanted = [parse(path) for path in rule.fields]
    yield from _leaves(rule, sides, lambda leaf: leaf.pattern in wanted)


def _structure(rule: Counted, sides: Sides) -> Iterator[Observation]:
    """Look at what makes a method what it is."""
    yield from _leaves(rule, sides, lambda leaf: _is_below(leaf.pattern, rule.fields))


def _difference_only(rule: Counted, sides: Sides) -> Iterator[Observation]:
    """Look at what many methods have in common, so that only a difference tells anything."""
    yield from (seen for seen in _structure(rule, sides) if seen.seen == "changed" or not seen.is_of_both)


def _parameters(rule: Counted, sides: Sides) -> Iterator[Observation]:
    """Look at all else of a method."""
    others = [path for one in counted()[rule.component] if one.rule != rule.rule for path in one.fields]
    yield from _leaves(rule, sides, lambda leaf: not _is_below(leaf.pattern, (*others, *rule.but)))


def _leaves(rule: Counted, sides: Sides, wanted: Callable[[Leaf], bool]) -> Iterator[Observation]:
    """Compare the WANTED leaves of two methods; those of a stage that one of them lacks are left out."""
    ours, theirs, stages = sides.methods
    for key in dict.fromkeys([*ours, *theirs]):
        leaf = ours.get(key) or theirs[key]
        if not wanted(leaf) or leaf.stage not in stages:
            continue
        if key not in ours or key not in theirs:
            one, two = (leaf.value if key in methods else None for methods in (ours, theirs))
            yield Observation(written(leaf.place), _SIDES[key not in ours], one, two, rule.rule)
            continue
        values = ours[key].value, theirs[key].value
        yield from _judged(written(leaf.place), _verdict_on_leaf(leaf, *values), *values, rule)


def _verdict_on_leaf(leaf: Leaf, one: Any, two: Any) -> Verdict:
    """Return the verdict on two values of a method; the stages and what no schema knows have an order."""
    field = load_schema().field_at(leaf.pattern)
    if isinstance(one, list) and isinstance(two, list) and (field is None or field.path.endswith("[].name")):
        if one == two:
            return "same"
        plain = [[repr(plain_text(value)) for value in values] for values in (one, two)]
        return "spelled otherwise" if plain[0] == plain[1] else "changed"
    return verdict_on(field or Field(written(leaf.pattern)), one, two)


def _is_below(place: Path, heads: tuple[str, ...]) -> bool:
    """Tell whether PLACE is one of HEADS, or below one."""
    return any(place[: len(head)] == head for head in map(parse, heads))


_RULES: dict[Rule, Callable[[Counted, Sides], Iterator[Observation]]] = {
    "any": _any,
    "first stated on both": _first,
    "program": _program,
    "between experimenters only": _between_experimenters,
    "members": _members,
    "stages": _stages,
    "structure": _structure,
    "difference only": _difference_only,
    "parameters": _parameters,
}
