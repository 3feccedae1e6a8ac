"""Options that take one value or several: ``--original BASELINE ADVANCED``.

The parser below knows options with a fixed number of values only.  What follows such an option, up to the next option,
is therefore joined into one value before it is parsed, and taken apart again by ``parts``.
"""

from __future__ import annotations

from typing import Any, ClassVar

from typer.core import TyperCommand

from primad.errors import UsageError

# No path and no tag has it.
_JOINT = "\0"


class GroupingCommand(TyperCommand):
    """A command without arguments of its own, so that each word belongs to the option in front of it."""

    grouping: ClassVar[frozenset[str]] = frozenset()

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Join the values of the options that group them, then parse."""
        # While a shell completes what is typed, the last option has no value yet.
        is_typed = ctx.resilient_parsing and bool(args) and args[-1] in self.grouping
        return super().parse_args(ctx, joined(args[:-1] if is_typed else args, self.grouping))


def joined(args: list[str], options: frozenset[str]) -> list[str]:
    r"""Return ARGS with the values that follow one of OPTIONS as one word.

    >>> joined(["--original", "a.run", "b.run", "-m", "map"], frozenset({"--original"}))
    ['--original', 'a.run\x00b.run', '-m', 'map']
    """
    grouped: list[str] = []
    is_open = False
    for word in args:
        name, equals, value = word.partition("=")
        if equals and name in options:
            grouped += [name, value]
            is_open = True
        elif word.startswith("-") and word != "-":
            grouped += [word, _JOINT] if word in options else [word]
            is_open = word in options
        elif is_open:
            grouped[-1] = word if grouped[-1] == _JOINT else grouped[-1] + _JOINT + word
        else:
            grouped.append(word)
    if _JOINT in grouped:
        # The parser below would take the next option for the value.
        raise UsageError(f"expected a value after {grouped[grouped.index(_JOINT) - 1]}, found none")
    return grouped


def parts(value: str, option: str, most: int | None = None) -> list[str]:
    """Return the values that were given to OPTION, at MOST so many."""
    values = value.split(_JOINT)
    if most is not None and len(values) > most:
        raise UsageError(f"expected at most {most} values after {option}, found {len(values)}: {' '.join(values)}")
    return values
