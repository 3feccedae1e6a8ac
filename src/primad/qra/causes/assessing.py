"""Why do the values of a group vary, as far as its measurements can tell?

causes_of    the five steps, in order
Causes       what they found, as data and in words
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from primad.qra.causes.concluding import Steps, Verdict, conclusion_of, rank, verdict_of
from primad.qra.causes.contrasts import Contrasts, contrasts_of, neighbourhoods
from primad.qra.causes.explained import explained_by
from primad.qra.causes.floor import Floor, floor_of
from primad.qra.causes.influence import influential_of
from primad.qra.causes.recorded import recorded_of
from primad.qra.causes.separation import Separation, separation_of
from primad.qra.causes.settling import settling_of

if TYPE_CHECKING:
    from primad.qra.causes.explained import Explained
    from primad.qra.causes.influence import Influential
    from primad.qra.causes.recorded import Recorded
    from primad.qra.causes.settling import Settling
    from primad.qra.grouping import Group
    from primad.qra.precision import Precision, Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Causes:
    """What the measurements of a group say about why they vary, step by step.

    recorded       which conditions are constant, kept out, or cannot be told apart
    floor          how much varies when no recorded condition changes
    contrasts      pairs that differ in one class of conditions alone
    explained      for each class, how much goes with it, beside what chance would give
    influential    the one value that is nearly all variation, None where there is none
    separation     which classes were never varied apart
    settling       the one measurement that would settle an open question, None where there is none
    undefined      why nothing can be told, empty where steps could be taken
    """

    variant: Variant
    recorded: Recorded
    floor: Floor
    contrasts: Contrasts
    explained: tuple[Explained, ...]
    influential: Influential | None
    separation: Separation
    settling: Settling | None
    undefined: str = ""

    @property
    def verdict(self) -> Verdict:
        """Return which kind of answer it is."""
        return verdict_of(self._steps)

    @property
    def ranking(self) -> list[tuple[str, ...]]:
        """Return the classes of conditions that contrasts point to, in order; empty where nothing can be ranked."""
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
            self.contrasts,
            self.explained,
            self.influential,
            self.separation,
            self.settling,
            self.undefined,
        )

    def sentences(self) -> list[str]:
        """Return what each step found, in their order."""
        if self.floor.overall == 0 or not self.recorded.classes:
            return [self.recorded.sentence, self.conclusion]
        said = [self.recorded.sentence, self.floor.sentence, *self.contrasts.sentences]
        said.append(
            "How much goes with each condition, beside what chance gives; this ranks nothing, and p is not corrected "
            f"for the number of conditions looked at ({len(self.explained)}):"
        )
        said += [one.sentence for one in self.explained]
        said += [one.sentence for one in (self.influential, self.separation, self.settling) if one is not None]
        return said

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
            "contrasts": self.contrasts.to_dict(),
            "explained": [one.to_dict() for one in self.explained],
            "influential": self.influential and self.influential.to_dict(),
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
    floor = floor_of(recorded, values, overall, variant)
    near = neighbourhoods(recorded)
    contrasts = contrasts_of(group, recorded, near, variant)
    varied_alone = [one.alias_class for one in contrasts.by_class]
    separation = separation_of(group, recorded, near, varied_alone, variant)
    return Causes(
        variant=variant,
        recorded=recorded,
        floor=floor,
        contrasts=contrasts,
        explained=tuple(explained_by(one, values, variant) for one in recorded.classes),
        influential=influential_of(group, overall, variant),
        separation=separation,
        settling=settling_of(group, recorded, floor, contrasts, separation),
    )


def _nothing(group: Group, reason: str, variant: Variant) -> Causes:
    """Return that nothing can be told about GROUP, and the REASON; no step finds anything."""
    return Causes(
        variant=variant,
        recorded=recorded_of(group),
        floor=Floor(None, 0.0, variant),
        contrasts=Contrasts((), 0, 0, variant),
        explained=(),
        influential=None,
        separation=Separation(group, (), (), (), ()),
        settling=None,
        undefined=reason,
    )
