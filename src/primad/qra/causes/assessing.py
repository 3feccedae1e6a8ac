"""Why do the values of a group vary, as far as its measurements can tell?

causes_of    the five steps, in order
Causes       what they found, as data and in words
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from primad.qra.causes.concluding import conclusion_of
from primad.qra.causes.contrasts import Contrasts, contrasts_of, neighbourhoods
from primad.qra.causes.explained import explained_by
from primad.qra.causes.floor import Floor, floor_of
from primad.qra.causes.influence import influential_of, unplaced_of
from primad.qra.causes.judging import Steps, Verdict, rank, verdict_of
from primad.qra.causes.recorded import recorded_of
from primad.qra.causes.separation import Separation, separation_of
from primad.qra.causes.settling import settling_of

if TYPE_CHECKING:
    from primad.qra.causes.explained import Explained
    from primad.qra.causes.influence import Influential, Unplaced
    from primad.qra.causes.recorded import Recorded
    from primad.qra.causes.settling import Settling
    from primad.qra.grouping import Group
    from primad.qra.precision import Precision, Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Causes:
    """What the measurements of a group say about why they vary, step by step.

    recorded       which conditions are constant, kept out, or cannot be told apart
    floor          how much varies when no recorded condition changes
    influential    the one value that is nearly all variation, None where there is none
    unplaced       how little of the variation is among the fully known measurements, None where it is enough
    contrasts      pairs that differ in one class of conditions alone
    explained      for each class, how much goes with it, beside what chance would give
    separation     which classes were never varied apart
    settling       the one measurement that would settle an open question, None where there is none
    undefined      why nothing can be told, empty where steps could be taken
    """

    variant: Variant
    recorded: Recorded
    floor: Floor
    influential: Influential | None
    unplaced: Unplaced | None
    contrasts: Contrasts
    explained: tuple[Explained, ...]
    separation: Separation
    settling: Settling | None
    undefined: str = ""

    @property
    def verdict(self) -> Verdict:
        """Return which kind of answer it is."""
        return verdict_of(self._steps)

    @property
    def ranking(self) -> list[tuple[str, ...]]:
        """Return the classes with the largest contrasts, in order; empty where nothing can be ranked.

        They exceed unrecorded variation where the verdict is "ranked"; otherwise nobody knows whether they do.
        """
        return [one.alias_class.names for one in rank(self._steps)]

    @property
    def conclusion(self) -> str:
        """Return what all steps together allow to say."""
        return conclusion_of(self._steps)

    @property
    def sentence(self) -> str:
        """Return the conclusion."""
        return self.conclusion

    @property
    def _steps(self) -> Steps:
        """Return what the steps found."""
        return Steps(
            self.recorded,
            self.floor,
            self.influential,
            self.unplaced,
            self.contrasts,
            self.separation,
            self.settling,
            self.undefined,
        )

    def steps(self) -> list[list[str]]:
        """Return the sentences of each of the five steps; of the first one only where there is nothing to compare."""
        if self.floor.overall == 0 or not (self.recorded.classes or self.recorded.undetermined):
            return [[self.recorded.sentence]]
        spread = (self.floor, self.influential, self.unplaced)
        return [
            [self.recorded.sentence],
            [one.sentence for one in spread if one is not None],
            self.contrasts.sentences,
            [self._beside_chance(), *(one.sentence for one in self.explained)],
            [one.sentence for one in (self.separation, self.settling) if one is not None],
        ]

    def sentences(self) -> list[str]:
        """Return what each step found, in their order, its number before its first sentence."""
        steps = self.steps()
        numbered = [f"{number}. {first}" for number, (first, *_) in enumerate(steps, 1)]
        said = [line for first, (_, *others) in zip(numbered, steps, strict=True) for line in (first, *others)]
        return said if len(steps) > 1 else [*said, self.conclusion]

    def _beside_chance(self) -> str:
        """Return what the figures of each condition are, and what they are not."""
        if not self.explained:
            return "How much goes with each condition cannot be told: none is known to vary."
        return (
            "How much goes with each condition and with all that changed along with it, beside what chance gives; this "
            f"ranks nothing, and p is not corrected for the number of conditions looked at ({len(self.explained)}):"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "variant": self.variant,
            "verdict": self.verdict,
            "undefined": self.undefined,
            "ranking": [list(names) for names in self.ranking],
            "conclusion": self.conclusion,
            "sentences": self.sentences(),
            "recorded": self.recorded.to_dict(),
            "floor": None if self.undefined else self.floor.to_dict(),
            "influential": self.influential and self.influential.to_dict(),
            "unplaced": self.unplaced and self.unplaced.to_dict(),
            "contrasts": self.contrasts.to_dict(),
            "explained": [one.to_dict() for one in self.explained],
            "separation": self.separation.to_dict(),
            "settling": self.settling and self.settling.to_dict(),
        }


def causes_of(group: Group, precision: Precision, *, variant: Variant = "acl2022") -> Causes:
    """Return why the values of GROUP vary, as far as its measurements can tell, given its PRECISION."""
    overall = precision.cv(variant)
    if overall is None:
        return _nothing(group, precision.undefined, variant)
    values = group.shifted
    recorded = recorded_of(group)
    floor = floor_of(group, recorded, overall, variant)
    influential = influential_of(group, overall, variant)
    near = neighbourhoods(recorded)
    contrasts = contrasts_of(group, recorded, near, floor)
    varied_alone = [one.alias_class for one in contrasts.by_class]
    separation = separation_of(group, recorded, near, varied_alone, variant)
    return Causes(
        variant=variant,
        recorded=recorded,
        floor=floor,
        influential=influential,
        unplaced=unplaced_of(group, recorded, influential, overall, variant),
        contrasts=contrasts,
        explained=tuple(explained_by(one, values, variant) for one in recorded.classes),
        separation=separation,
        settling=settling_of(group, recorded, floor, contrasts, separation),
    )


def _nothing(group: Group, reason: str, variant: Variant) -> Causes:
    """Return that nothing can be told about GROUP, and the REASON; no step finds anything."""
    return Causes(
        variant=variant,
        recorded=recorded_of(group),
        floor=Floor(None, 0.0, variant),
        influential=None,
        unplaced=None,
        contrasts=Contrasts((), 0, 0, variant),
        explained=(),
        separation=Separation(group, (), (), (), ()),
        settling=None,
        undefined=reason,
    )
