"""What is the answer to "was it reproduced?", and how is it said?

    Answer              equivalent, different or inconclusive, with margin, p-values and what could be detected
    Margin              which values count as the same, and why
    corrected_answers   answers after claims of a difference are corrected for their number

How an answer is found is told by ``equivalence``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isclose
from typing import Any, Literal

from primad.qra.corrections import Correction, corrected
from primad.reproducibility.registry import Level

ALPHA = 0.05

Verdict = Literal["equivalent", "different", "inconclusive"]

# What is answered about, by level.
_MEASURES: dict[Level, str] = {
    "effectiveness": "arp",
    "document order": "rbo_ext",
    "scores": "rmse",
    "overall effect": "er",
}
_DETECTABLE: dict[Level, str] = {
    "effectiveness": "a difference of {:.4g}",
    "document order": "a value {:.4g} outside",
    "scores": "a value {:.4g} outside",
    "overall effect": "a ratio {:.4g} away from 1",
}
_SMALL_P = 0.001
_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class Margin:
    """Which values count as the same: from LOW to HIGH, both of them too, and the REASON for it.

    >>> 0.3 - 0.2 in Margin(low=0.1, high=0.2, reason="rounding aside"), 0.09 in Margin(low=0.1, high=0.2, reason="")
    (True, False)
    """

    low: float
    high: float
    reason: str

    def __contains__(self, value: float) -> bool:
        is_limit = any(isclose(value, limit, rel_tol=_ROUNDING) for limit in (self.low, self.high))
        return is_limit or self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low:.4g} to {self.high:.4g}"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer at one level.

    value         what was estimated: the mean difference, the mean agreement, the root mean square error, the ratio
    margin        which values count as the same; None if none can be given
    p_equivalent  p-value of the claim that the value lies inside the margin
    p_different   p-value of the claim of a difference
    corrected     the latter, corrected for the number of claims; None where nothing was corrected
    detectable    the smallest difference that a test on these topics finds four times out of five (before correction),
                  in the unit of the measure: from 0, for agreement and error from the margin, for the ratio from 1
    finding       the value and the margin in words
    notes         what a reader must know
    of, run       the effectiveness measure and the run that it is about, where the asker states them
    """

    level: Level
    answer: Verdict = "inconclusive"
    value: float | None
    topics: int
    margin: Margin | None
    p_equivalent: float | None = None
    p_different: float | None = None
    corrected: float | None = None
    detectable: float | None = None
    alpha: float = ALPHA
    finding: str = ""
    notes: tuple[str, ...] = ()
    of: str = ""
    run: str = ""

    @property
    def measure(self) -> str:
        """Return the measure whose value is answered about; for mean scores it is their difference."""
        return _MEASURES[self.level]

    @property
    def sentence(self) -> str:
        """Return the answer in words."""
        parts = [f"{self.answer}: {self.finding}"]
        if self.p_equivalent is not None:
            parts.append(f"{p_in_words(self.p_equivalent)} for lying inside")
        if self.p_different is not None:
            correction = "" if self.corrected is None else " (corrected)"
            parts.append(f"{p_in_words(self.claimed)}{correction} for a difference")
        if self.answer == "inconclusive" and self.detectable is not None:
            parts.append(self.detection)
        if self.answer == "equivalent" and self.claimed < self.alpha:
            parts.append("a difference is detected, but it is too small to matter")
        return "; ".join((*parts, *self.notes))

    @property
    def detection(self) -> str:
        """Return in words which difference a test on these topics could detect, empty where that is not known."""
        if self.detectable is None:
            return ""
        correction = "" if self.corrected is None else " before correction"
        return f"these {self.topics} topics could detect {_DETECTABLE[self.level].format(self.detectable)}{correction}"

    @property
    def claimed(self) -> float:
        """Return the p-value that a claim of a difference rests on; 1 if there is none."""
        p = self.p_different if self.corrected is None else self.corrected
        return 1.0 if p is None else p

    @property
    def is_inside(self) -> bool:
        """Tell whether the value lies inside the margin."""
        return self.value is not None and self.margin is not None and self.value in self.margin

    def decided(self) -> Answer:
        """Return the same with the answer that the p-values give."""
        if self.p_equivalent is not None and self.p_equivalent < self.alpha:
            return replace(self, answer="equivalent")
        return replace(self, answer="different" if self.claimed < self.alpha else "inconclusive")

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as JSON has it."""
        content = {name: value for name, value in vars(self).items() if name not in {"finding", "margin", "notes"}}
        margin = None if self.margin is None else [self.margin.low, self.margin.high]
        reason = "" if self.margin is None else self.margin.reason
        return (
            {"measure": self.measure} | content | {"margin": margin, "margin_reason": reason, "sentence": self.sentence}
        )


def corrected_answers(answers: Sequence[Answer], method: Correction) -> list[Answer]:
    """Return ANSWERS, one family of claims, after correction for their number.

    Only claims of a difference are corrected: to correct claims of equivalence would be right as well, but nobody asks
    for all of many reproductions to be equivalent at once, while one difference among many is soon called one.
    """
    if method == "none":
        return list(answers)
    claims = [answer.p_different for answer in answers if answer.p_different is not None]
    after = iter(corrected(claims, method))
    return [
        answer if answer.p_different is None else replace(answer, corrected=next(after)).decided() for answer in answers
    ]


def p_in_words(p: float) -> str:
    """Return a p-value in words.

    >>> p_in_words(0.0421), p_in_words(0.0002), p_in_words(0.9998), p_in_words(1.0)
    ('p 0.0421', 'p < 0.001', 'p > 0.999', 'p 1')
    """
    if p < _SMALL_P:
        return f"p < {_SMALL_P}"
    return f"p > {1 - _SMALL_P}" if 1 - _SMALL_P < p < 1 else f"p {p:.3g}"
