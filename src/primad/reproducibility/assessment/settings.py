"""By which rules are experiments compared?  Everything a user may decide, with its default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from primad.errors import UsageError
from primad.evaluation.rules import Rules
from primad.qra.corrections import Correction
from primad.reproducibility.significance import Test

DEFAULT_MEASURES = ("map", "ndcg", "P_10")

Ties = Literal["", "w", "a", "b"]

_CHOICES: dict[str, tuple[str, ...]] = {
    "ties": get_args(Ties),
    "test": get_args(Test),
    "correction": get_args(Correction),
}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How an assessment is made.

    measures     effectiveness measures, in the notation of trec_eval or ir_measures
    rules        the options of trec_eval
    p, depth     how much rank-biased overlap looks at the top, and how far down rankings are compared
    ties         how documents with equal scores count in tau and RBO_ext: broken by document id ('') as trec_eval does,
                 or as ties in the variants w, a, b of Corsi and Urbano
    test         t: paired, on another collection Welch's; student: the same with equal variances there
    correction   what claims of a difference are corrected by, over all reproductions and measures
    confidence   of intervals; intervals may be left out, which is faster
    margins      how far apart is still the same, by measure ('map', 'rmse', 'rbo_ext', 'er')
    """

    measures: tuple[str, ...] = DEFAULT_MEASURES
    rules: Rules = Rules()
    p: float = 0.95
    depth: int = 1000
    ties: Ties = ""
    test: Test = "t"
    correction: Correction = "holm"
    confidence: float = 0.95
    intervals: bool = True
    margins: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        for is_right, expected, found in (
            (self.measures, "at least one effectiveness measure", "none"),
            (isinstance(self.rules, Rules), "rules as primad.Rules(...) makes them", self.rules),
            (_is_share(self.p), "a p of rank-biased overlap between 0 and 1", self.p),
            (_is_share(self.confidence), "a confidence between 0 and 1", self.confidence),
            (_is_whole(self.depth) and self.depth >= 1, "a depth of at least 1", self.depth),
            (isinstance(self.margins, Mapping), "margins by measure, as in {'map': 0.01}", self.margins),
        ):
            if not is_right:
                raise UsageError(f"expected {expected}, found {found if found == 'none' else repr(found)}")
        for name, known in _CHOICES.items():
            chosen = getattr(self, name)
            if chosen not in known:
                raise UsageError(f"expected as {name} one of {', '.join(map(repr, known))}, found {chosen!r}")
        for name, margin in self.margins.items():
            if not (_is_number(margin) and 0 < margin < float("inf")):
                raise UsageError(f"expected a margin above 0 for '{name}', found {margin!r}")

    @classmethod
    def of(cls, stated: Mapping[str, Any]) -> Settings:
        """Return the settings that are STATED by name; a single measure need not be in a list."""
        for name in stated:
            if name not in cls.__dataclass_fields__:
                raise UsageError(f"expected one of the settings {', '.join(cls.__dataclass_fields__)}, found '{name}'")
        names = stated.get("measures")
        if names is None:
            return cls(**stated)
        several = [names] if isinstance(names, str) or not isinstance(names, Iterable) else names
        return cls(**{**stated, "measures": tuple(map(str, several))})

    @property
    def alpha(self) -> float:
        """Return the chance of a false claim that is accepted."""
        return round(1 - self.confidence, 12)  # not 0.050000000000000044


def _is_number(thing: Any) -> bool:
    """Tell whether THING is a number."""
    return isinstance(thing, int | float) and not isinstance(thing, bool)


def _is_whole(thing: Any) -> bool:
    """Tell whether THING is a whole number."""
    return isinstance(thing, int) and not isinstance(thing, bool)


def _is_share(thing: Any) -> bool:
    """Tell whether THING is a number between 0 and 1, neither of them."""
    return _is_number(thing) and 0 < thing < 1
