"""What is said in place of a statistic whose assumptions do not hold: its name and the reason.

Refused    a statistic that has no value here, and why
tried      the result of a function, or Refused with the reason that it gave
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from primad.errors import UndefinedMeasure

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Refused:
    """A statistic that cannot be had, and the reason."""

    name: str
    reason: str

    @property
    def sentence(self) -> str:
        """Return the refusal as a person reads it."""
        return f"No {self.name}: {self.reason}."

    def to_dict(self) -> dict[str, Any]:
        """Return the refusal as JSON has it."""
        return {"undefined": self.reason}


def as_json(value: float | Refused) -> float | dict[str, Any]:
    """Return VALUE as JSON has it.

    >>> as_json(0.5), as_json(Refused("W", "it needs 3 objects"))
    (0.5, {'undefined': 'it needs 3 objects'})
    """
    return value.to_dict() if isinstance(value, Refused) else value


def tried(function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T | Refused:
    """Return what FUNCTION returns, or why it has nothing to return."""
    try:
        return function(*arguments, **options)
    except UndefinedMeasure as error:
        return Refused(error.name, error.reason)
