"""What do the numbers say?  Plain sentences, made from the values.

    summary            one reproduction in a sentence: how much of the effect came back, and whether the order did
    level_sentences    a sentence for each level
    answer_sentence    was it reproduced at a level, by which margin, and what could have been seen at all
    margin_sentences   why values inside the margins count as the same
    changed_sentence   what changed between original and reproduction
    overall            all reproductions together
    figure_sentences   what a figure shows
    within             an interval in words

A sentence says what a value is, never more: that no difference was found is not said to be sameness.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

from primad.reports._overview import MOST_COLUMNS, spoken
from primad.reports._tables import number
from primad.reproducibility.assessment.result import ROLES
from primad.reproducibility.registry import LEVELS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from primad.reproducibility.assessment.result import Assessment, Experiment, Of, Reproduction, Value
    from primad.reproducibility.equivalence import Answer
    from primad.reproducibility.intervals import Interval
    from primad.reproducibility.registry import Level

_RUN = {"baseline": "the baseline", "advanced": "the advanced run", "both": "both runs"}
# The measures that speak for the order of documents, the first that has a value.
_ORDER = {"rbo_ext": "RBO", "tau": "tau", "rbo": "RBO", "ktu": "KTU"}
_COST = {"wall": "wall time", "cpu": "processor time", "memory": "peak memory", "energy": "energy"}
# What lies closer together than this is the same, computed in floating point.
_ROUNDING = 1e-12
_TOP = 10
_MOST_PARTS = 6

Kind = Literal["sweep", "effects", "topics", "overlap"]


def summary(assessment: Assessment, one: Reproduction) -> str:
    """Return what there is to say about a reproduction in one sentence."""
    if one.problem:
        return _sentence(f"Nothing can be said about {one.name}: {one.problem}")
    effect, order = _effect(assessment, one), _order(one)
    first = f"{one.name} {effect}" if effect else f"{one.name}: {_scored(assessment, one)}"
    said = "; ".join(filter(None, (first.removesuffix(": "), order)))
    return _sentence(said if said != one.name else f"{one.name}: no measure has a value")


def level_sentences(assessment: Assessment, one: Reproduction) -> dict[Level, str]:
    """Return a sentence for each level that has values."""
    made: dict[Level, Callable[[], str]] = {
        "effectiveness": lambda: _scored(assessment, one),
        "document order": lambda: _order(one),
        "scores": lambda: _errors(one),
        "overall effect": lambda: "; ".join(filter(None, (_effect(assessment, one, with_name=False), _relative(one)))),
        "cost": lambda: _costs(one),
    }
    levels = {value.level for value in one.values}
    said = {level: made[level]() or _undefined(one, level) for level in LEVELS if level in levels}
    return {level: _sentence(text[0].upper() + text[1:]) for level, text in said.items() if text}


def _sentence(text: str) -> str:
    """Return TEXT with a full stop."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _main(one: Experiment, measure: str) -> str:
    """Return the effectiveness measure that speaks for all: the first by which MEASURE has a value."""
    found = [value for value in one.values if value.measure == measure]
    return next((value.of for value in found if value.value is not None), "")


def _by_run(one: Experiment, measure: str, of: str = "") -> Iterator[tuple[Of, Value, float]]:
    """Yield the values of MEASURE that are defined, by run."""
    for role in ROLES:
        found = one.find(measure, of=of, run=role)
        if found is not None and found.value is not None:
            yield role, found, found.value


def _each(parts: Sequence[tuple[Of, str]]) -> str:
    """Return what is said of each run; of a single one its role is not named.

    >>> _each([("baseline", "0.57"), ("advanced", "0.67")]), _each([("baseline", "0.57")])
    ('0.57 (baseline) and 0.67 (advanced)', '0.57')
    """
    if len(parts) == 1:
        return parts[0][1]
    return " and ".join(f"{text} ({run})" for run, text in parts)


# Levels --------------------------------------------------------------------------------------------------------


def _effect(assessment: Assessment, one: Reproduction, *, with_name: bool = True) -> str:
    """Return how much of the improvement came back, as something that the reproduction did, or as something that is."""
    of = _main(one, "er")
    found = one.find("er", of=of, run="both")
    if found is None or found.value is None:
        return ""
    what = "improvement" if _improved(assessment.original, of) else "difference between baseline and advanced run"
    ratio = _with_interval(f"ER {found.value:.2f}", found.interval)
    if found.value < 0:
        said = f"turned the {what} in {of} around" if with_name else f"the {what} in {of} turned around"
    else:
        share = f"{100 * found.value:.0f} % of the {what} in {of}"
        said = f"kept {share}" if with_name else f"{share} came back"
    return f"{said} ({ratio})"


def _improved(original: Experiment, of: str) -> bool:
    """Tell whether the advanced run of the original is better than its baseline."""
    scores = [value for _, _, value in _by_run(original, "arp", of)]
    return len(scores) == len(ROLES) and scores[1] > scores[0]


def _relative(one: Reproduction) -> str:
    """Return how the relative improvement differs."""
    found = one.find("dri", of=_main(one, "dri"), run="both")
    if found is None or found.value is None:
        return ""
    value = _with_interval(f"DRI {found.value:.4f}", found.interval, 4)
    if abs(found.value) < _ROUNDING:
        return f"the relative improvement is the same ({value})"
    way = "smaller" if found.value > 0 else "larger"
    return f"the relative improvement is {100 * abs(found.value):.1f} percentage points {way} ({value})"


def _scored(assessment: Assessment, one: Reproduction) -> str:
    """Return how effective the runs are, beside the original ones."""
    of = _main(one, "arp")
    before = {run: value for run, _, value in _by_run(assessment.original, "arp", of)}
    said = []
    for run, _, value in _by_run(one, "arp", of):
        beside = (
            f" (original {number(before[run])}{_change(one, run, of, before[run], value)})" if run in before else ""
        )
        said.append(f"{number(value)} for {_RUN[run]}{beside}")
    return f"mean {of} is {' and '.join(said)}" if said else ""


def _change(one: Reproduction, run: Of, of: str, before: float, after: float) -> str:
    """Return by how much a mean changed, where both are of the same topics and judgments."""
    if not before or not _is_paired(one, run, of):
        return ""
    share = 100 * (after - before) / before
    return f", {share:+.1f} %" if abs(share) > 100 * _ROUNDING else ", the same"


def _is_paired(one: Reproduction, run: Of, of: str) -> bool:
    """Tell whether scores can be compared topic by topic; if not, the RMSE has no value."""
    error = one.find("rmse", of=of, run=run)
    return error is not None and error.value is not None


def _order(one: Reproduction) -> str:
    """Return whether the order of documents came back."""
    measure = next((measure for measure in _ORDER if any(_by_run(one, measure))), "")
    found = list(_by_run(one, measure))
    if not found:
        return ""
    if all(abs(value - 1) < _ROUNDING for _, _, value in found):
        return "document order is the same"
    answers = {answer.answer for answer in one.answers if answer.level == "document order"}
    how = "is equivalent" if answers == {"equivalent"} else "differs"
    said = f"document order {how}: {_ORDER[measure]} " + _each([(run, _below_one(value)) for run, _, value in found])
    shared = [(run, f"{100 * value:.0f} %") for run, _, value in _by_run(one, "overlap")]
    return said + (f", rankings share {_each(shared)} of their documents" if shared else "")


def _below_one(value: float) -> str:
    """Return VALUE in two digits, in more if it would look perfect and is not."""
    short = f"{value:.2f}"
    return short if float(short) < 1 or abs(value - 1) < _ROUNDING else number(value, 1.0)


def _errors(one: Reproduction) -> str:
    """Return how far the scores of a topic lie apart."""
    of = _main(one, "rmse")
    found = list(_by_run(one, "rmse", of))
    if not found:
        return ""
    if all(value < _ROUNDING for _, _, value in found):
        return f"every topic has the same {of} as in the original"
    said = [
        f"{number(value, 0.0)} for {_RUN[run]}" + (f" ({within(each.interval, 4)})" if each.interval else "")
        for run, each, value in found
    ]
    return f"topics differ from the original in {of} by {' and '.join(said)}, as root mean square"


def _costs(one: Reproduction) -> str:
    """Return what the reproduction cost in relation to the original."""
    said = []
    for measure, name in _COST.items():
        found = [(run, f"{value:.2f} times") for run, _, value in _by_run(one, measure)]
        if found:
            said.append(f"{name} {_each(found)}")
    return f"in relation to the original: {', '.join(said)}" if said else ""


def _undefined(one: Reproduction, level: Level) -> str:
    """Return why a level has no values."""
    reasons = dict.fromkeys(value.undefined for value in one.values if value.level == level and value.undefined)
    return f"{level}: no value, because of {'; '.join(reasons)}" if reasons else ""


def _with_interval(text: str, interval: Interval | None, digits: int = 2) -> str:
    """Return TEXT with its interval in words."""
    return f"{text}, {within(interval, digits)}" if interval else text


def within(interval: Interval, digits: int = 2) -> str:
    """Return an INTERVAL in words, its ends with so many DIGITS.

    >>> from primad.reproducibility.intervals import Interval
    >>> within(Interval(low=0.87, high=1.26, method="Fieller")), within(Interval(low=0.5, high=None, method="Fieller"))
    ('95 % interval 0.87 to 1.26', '95 % interval from 0.50 on')
    """
    share = f"{100 * interval.confidence:g} % interval"
    low, high = (None if end is None else f"{end:.{digits}f}" for end in (interval.low, interval.high))
    if low is not None and high is not None:
        return f"{share} {low} to {high}"
    if low is not None:
        return f"{share} from {low} on"
    if high is not None:
        return f"{share} up to {high}"
    return f"{share} unbounded" + (f": {interval.note}" if interval.note else "")


# Answers -------------------------------------------------------------------------------------------------------


def answer_sentence(answer: Answer) -> str:
    """Return whether it was reproduced at a level, by which margin, and what could have been seen."""
    about = ", ".join(filter(None, (answer.of, answer.run)))
    return f"{answer.level.capitalize()}{f' ({about})' * bool(about)}: {answer.answer}: {why(answer)}"


def why(answer: Answer) -> str:
    """Return what an ANSWER rests on: the value, the margin, both p-values, and what these topics could detect."""
    said = answer.sentence.removeprefix(answer.answer).removeprefix(":").strip()
    if answer.detectable is not None and "could detect" not in said:
        said += f"; these {answer.topics} topics could detect {answer.detectable:.4g}"
    return _sentence(said) if said else ""


def margin_sentences(assessment: Assessment) -> list[str]:
    """Return for each level why values inside its margin count as the same, each reason once."""
    answers = (answer for one in assessment for answer in one.answers)
    margins = ((answer.level, answer.margin.reason) for answer in answers if answer.margin)
    said = sorted(dict.fromkeys(margins), key=lambda margin: LEVELS.index(margin[0]))
    return [_sentence(f"Margin of {level}: {reason}") for level, reason in said]


# What changed --------------------------------------------------------------------------------------------------


def changed_sentence(one: Reproduction) -> str:
    """Return what changed between original and reproduction, by their metadata."""
    if one.compared is None:
        return f"What changed is unknown: the runs of {one.name} or of the original have no metadata."
    return f"{one.compared.type}, {one.compared.name}: {_sentence(one.compared.meaning)}"


# All reproductions ---------------------------------------------------------------------------------------------


def overall(assessment: Assessment) -> list[str]:
    """Return what there is to say about all reproductions together."""
    several = spoken(assessment)
    said = []
    silent = len(assessment) - len(several)
    if silent and len(assessment) > 1:
        said.append(f"Nothing can be said about {silent} of {len(assessment)} reproductions.")
    if len(several) > 1:
        said += _extremes(several, "er", "both", 1.0)
        said += _counted_answers(several)
    return said


def _extremes(several: Sequence[Reproduction], measure: str, run: Of, ideal: float) -> Iterator[str]:
    """Yield between which values MEASURE lies, and who is closest to the ideal."""
    of = next((name for one in several if (name := _main(one, measure))), "")
    found = [(value.value, one.name) for one in several if (value := one.find(measure, of=of, run=run))]
    known = sorted((value, name) for value, name in found if value is not None)
    if len(known) > 1:
        best = min(known, key=lambda pair: abs(pair[0] - ideal))
        low, high = known[0], known[-1]
        yield (
            f"{measure.upper()} of {of} lies between {low[0]:.2f} ({low[1]}) and {high[0]:.2f} ({high[1]}); "
            f"closest to {ideal:g} is {best[1]} ({best[0]:.2f})."
        )


def _counted_answers(several: Sequence[Reproduction]) -> Iterator[str]:
    """Yield how many answers of each kind there are at each level."""
    for level in LEVELS:
        counts = Counter(answer.answer for one in several for answer in one.answers if answer.level == level)
        if counts:
            each = ", ".join(f"{counts[kind]} {kind}" for kind in ("equivalent", "different", "inconclusive"))
            yield f"{level.capitalize()}: {each}."


# Figures -------------------------------------------------------------------------------------------------------


def figure_sentences(assessment: Assessment, kind: Kind, measure: str) -> list[str]:
    """Return what a figure of that KIND shows, by MEASURE; of many series, what the first show."""
    shown: dict[Kind, Callable[[], Iterator[str]]] = {
        "sweep": lambda: _sweep(assessment, measure),
        "effects": lambda: _effects(assessment),
        "topics": lambda: _topics(assessment, measure),
        "overlap": lambda: _overlap(assessment),
    }
    said = [_sentence(text) for text in shown[kind]()]
    more = len(said) - _MOST_PARTS
    return [*said[:_MOST_PARTS], f"And {more} more lines."] if more > 0 else said


def _sweep(assessment: Assessment, measure: str) -> Iterator[str]:
    """Yield where each line is highest, and how large the error becomes."""
    for line in assessment.sweep.lines if assessment.sweep else ():
        scored = [point for point in line.points if measure in point.scores]
        if scored:
            best = max(scored, key=lambda point: point.scores[measure])
            said = f"{line.name}: mean {measure} is highest at {best.parameter:g} ({number(best.scores[measure])})"
            errors = [point.rmse[measure] for point in scored if measure in point.rmse]
            yield said + (f", RMSE is at most {number(max(errors))}" if errors else "")


def _effects(assessment: Assessment) -> Iterator[str]:
    """Yield where the points lie."""
    several = spoken(assessment)
    said = list(_extremes(several, "er", "both", 1.0))
    said += [f"{several[0].name} {_effect(assessment, several[0])}."] if len(several) == 1 else []
    yield " ".join([*said, "The nearer to the cross at ER 1 and DRI 0, the more of the improvement came back."])


def _topics(assessment: Assessment, measure: str) -> Iterator[str]:
    """Yield on how many topics each run scores lower, higher and the same; of many reproductions, which are shown."""
    several = spoken(assessment)
    if len(several) > MOST_COLUMNS:
        yield f"The first of {len(several)} reproductions; topics below the diagonal score lower than in the original"
        return
    for one in several:
        for run, value, _ in _by_run(one, "arp", measure):
            before = assessment.original.find("arp", of=measure, run=run)
            pairs = [(before.topics[t], value.topics[t]) for t in value.topics if t in before.topics] if before else []
            if pairs and _is_paired(one, run, measure):
                lower, higher = sum(new < old for old, new in pairs), sum(new > old for old, new in pairs)
                same = len(pairs) - lower - higher
                counts = f"lower on {lower}, higher on {higher}, the same on {same}"
                yield f"{one.name}, {run}: {counts} of {len(pairs)} topics"


def _overlap(assessment: Assessment) -> Iterator[str]:
    """Yield what share of documents is in both rankings at the top and at the end; of many reproductions, the range."""
    several = [one for one in spoken(assessment) if one.agreement]
    for run in ROLES:
        found = [(one.name, one.agreement[run]) for one in several if one.agreement.get(run)]
        if len(found) > MOST_COLUMNS:
            ends = sorted((shares[max(shares)], name) for name, shares in found)
            low, high = (f"{100 * share:.0f} % ({name})" for share, name in (ends[0], ends[-1]))
            yield f"At the end of the {run} rankings between {low} and {high} of the documents are in both"
        else:
            yield from (f"{name}, {run}: both rankings have {_at_depths(shares)} documents" for name, shares in found)


def _at_depths(shares: Mapping[int, float]) -> str:
    """Return the SHARES at the top and at the end."""
    depths = sorted(shares)
    top = max((depth for depth in depths if depth <= _TOP), default=depths[0])
    return " and ".join(
        f"{100 * shares[depth]:.0f} % of the first {depth:,}" for depth in dict.fromkeys((top, depths[-1]))
    )
