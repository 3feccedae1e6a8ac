"""What does a figure show?  Plain sentences, made from the values in it.

figure_sentences   what a figure of some kind shows
Kind               the kinds of figures there are
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from primad.reports._tables import number
from primad.reports._wording import percent, sentence
from primad.reports.assessment._overview import MOST_COLUMNS, spoken
from primad.reports.assessment._roles import Roles, roles_of
from primad.reports.assessment.sentences import by_run, effect_words, extremes, is_paired
from primad.reproducibility.assessment.result import ROLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from primad.reproducibility.assessment.result import Assessment, Reproduction

Kind = Literal["sweep", "effects", "topics", "overlap"]

_TOP = 10
_MOST_PARTS = 6
_MOST_NAMES = 3
_SHARES = "Shares are of the documents of one ranking, unlike Jaccard's index, which is of all that either has."


def figure_sentences(assessment: Assessment, kind: Kind, measure: str) -> list[str]:
    """Return what a figure of that KIND shows, by MEASURE; of many series, what the first show."""
    shown: dict[Kind, Callable[[], Iterator[str]]] = {
        "sweep": lambda: _sweep(assessment, measure),
        "effects": lambda: _effects(assessment),
        "topics": lambda: _topics(assessment, measure),
        "overlap": lambda: _overlap(assessment),
    }
    said = [sentence(text) for text in shown[kind]()]
    more = len(said) - _MOST_PARTS
    said = [*said[:_MOST_PARTS], f"And {more} more lines."] if more > 0 else said
    return [*said, _SHARES] if said and kind == "overlap" else said


def _sweep(assessment: Assessment, measure: str) -> Iterator[str]:
    """Yield where each line is highest, and how large the error becomes."""
    for line in assessment.sweep.lines if assessment.sweep else ():
        scored = [point for point in line.points if measure in point.scores]
        if scored:
            best = max(scored, key=lambda point: point.scores[measure])
            said = f"{line.name}: mean {measure} is highest at {best.parameter:g} ({number(best.scores[measure])})"
            errors = [point.rmse[measure] for point in scored if measure in point.rmse]
            yield said + (f", RMSE is at most {number(max(errors), 0.0)}" if errors else "")


def _effects(assessment: Assessment) -> Iterator[str]:
    """Yield where the points lie, and which of them may lie anywhere."""
    several = spoken(assessment)
    said = list(extremes(several, "er", "both", 1.0))
    said += [f"{several[0].name} {effect_words(assessment, several[0])}."] if len(several) == 1 else []
    said += _unbounded(several)
    yield " ".join([*said, "The nearer to the cross at ER 1 and DRI 0, the more of the improvement came back."])


def _unbounded(several: Sequence[Reproduction]) -> Iterator[str]:
    """Yield of which reproductions the topics leave open how much of the effect came back."""
    measured = {
        one.name: any(
            value.interval is not None and None in (value.interval.low, value.interval.high)
            for value in one.values
            if value.measure in ("er", "dri") and value.value is not None
        )
        for one in several
    }
    names = [name for name, is_unbounded in measured.items() if is_unbounded]
    if names:
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        yield (
            f"The interval of {', '.join(names[:_MOST_NAMES])}{more} has no end: a bar with an arrow goes on beyond "
            "the frame, so the point is no more than a guess."
        )


def _topics(assessment: Assessment, measure: str) -> Iterator[str]:
    """Yield on how many topics each run scores lower, higher and the same; of many reproductions, which are shown."""
    several = spoken(assessment)
    if len(several) > MOST_COLUMNS:
        yield f"The first of {len(several)} reproductions; topics below the diagonal score lower than in the original"
        return
    roles = roles_of(assessment)
    for one in several:
        for run, value, _ in by_run(one, "arp", measure):
            before = assessment.original.find("arp", of=measure, run=run)
            pairs = [(before.topics[t], value.topics[t]) for t in value.topics if t in before.topics] if before else []
            if pairs and is_paired(one, run, measure):
                lower, higher = sum(new < old for old, new in pairs), sum(new > old for old, new in pairs)
                same = len(pairs) - lower - higher
                counts = f"lower on {lower}, higher on {higher}, the same on {same}"
                yield f"{roles.about(one.name, run)}: {counts} of {len(pairs)} topics"


def _overlap(assessment: Assessment) -> Iterator[str]:
    """Yield what share of documents is in both rankings at the top and below; of many reproductions, the range."""
    several = [one for one in spoken(assessment) if one.agreement]
    roles = roles_of(assessment)
    for run in ROLES:
        found = [(one.name, one.agreement[run]) for one in several if one.agreement.get(run)]
        if len(found) > MOST_COLUMNS:
            yield from _range_of_overlap(roles, run, found)
        else:
            yield from (f"{roles.about(name, run)}: both rankings have {_at_depths(s)} documents" for name, s in found)


def _range_of_overlap(roles: Roles, run: str, found: Sequence[tuple[str, Mapping[int, float]]]) -> Iterator[str]:
    """Yield between which shares the overlaps lie at the largest depth that all have."""
    depth = max(set.intersection(*(set(shares) for _, shares in found)), default=0)
    if depth:
        ends = sorted((shares[depth], name) for name, shares in found)
        low, high = (f"{percent(share)} ({name})" for share, name in (ends[0], ends[-1]))
        whose = f" of the {run} rankings" if roles.are_told else ""
        yield f"Of the first {depth:,} documents{whose} between {low} and {high} are in both"


def _at_depths(shares: Mapping[int, float]) -> str:
    """Return the SHARES at the top and at the largest depth."""
    depths = sorted(shares)
    top = max((depth for depth in depths if depth <= _TOP), default=depths[0])
    return " and ".join(
        f"{percent(shares[depth])} of the first {depth:,}" for depth in dict.fromkeys((top, depths[-1]))
    )
