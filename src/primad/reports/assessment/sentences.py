"""What do the numbers say?  Plain sentences, made from the values.

    summary              one reproduction in a sentence: how much of the effect came back, and whether the order did
    level_sentences      a sentence for each level
    values_sentences     how effective original and reproductions are, before a table of values
    answers_sentence     how many answers of which kind there are about a reproduction, and at which levels
    why                  what an answer rests on
    margin_sentences     why values inside the margins count as the same
    equivalence_remarks  how often such answers are wrong
    changed_sentence     what changed between original and reproduction
    overall              all reproductions together

A sentence says what a value is, never more: that no difference was found is not said to be sameness.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from primad.reports._tables import number
from primad.reports._wording import ROUNDING, change, percent, rounded, sentence, spread, within
from primad.reports.assessment._overview import BY_OTHERS, MOST_COLUMNS, spoken
from primad.reports.assessment._roles import roles_of
from primad.reproducibility.assessment.result import ORIGINAL, REPRODUCTION, ROLES
from primad.reproducibility.registry import BESIDES, LEVELS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from primad.reproducibility.answers import Answer, Verdict
    from primad.reproducibility.assessment.result import Assessment, Experiment, Of, Reproduction, Value
    from primad.reproducibility.intervals import Interval
    from primad.reproducibility.registry import Level

# The measures that speak for the order of documents, the first that has a value.
_ORDER = {"rbo_ext": "RBO", "tau": "tau", "rbo": "RBO", "ktu": "KTU"}
_COST = {name: one.title.lower() for name, one in BESIDES.items() if one.level == "cost"}
_SILENT = {
    (ORIGINAL,): "the original has no metadata",
    (REPRODUCTION,): "the reproduction has no metadata",
    (ORIGINAL, REPRODUCTION): "neither the original nor the reproduction has metadata",
    (): "of no run the original and the reproduction both have metadata",
}
_VERDICTS: tuple[Verdict, ...] = ("equivalent", "different", "inconclusive")


def summary(assessment: Assessment, one: Reproduction) -> str:
    """Return what there is to say about a reproduction in one sentence."""
    if one.problem:
        return sentence(f"Nothing can be said about {one.name}: {one.problem}")
    if one.is_original:
        return f"{one.name} is the very file of the original: it was compared with itself, and nothing was reproduced."
    effect, scored, order = effect_words(assessment, one), _scored(assessment, one), _order(one)
    paired = _paired_topics(assessment, one, _main(one, "arp"))
    scored += f", {paired} paired" if scored and paired else ""
    order += "" if paired else _ranked_topics(one)
    said = "; ".join(filter(None, (effect or scored or _unscored(one), order)))
    return sentence(f"{one.name}{'' if effect else ':'} {said or 'no measure has a value'}")


def level_sentences(assessment: Assessment, one: Reproduction) -> dict[Level, str]:
    """Return a sentence for each level that has values."""
    made: dict[Level, Callable[[], str]] = {
        "effectiveness": lambda: _scored(assessment, one),
        "document order": lambda: _order(one),
        "scores": lambda: _errors(assessment, one) or _tested(one),
        "overall effect": lambda: "; ".join(
            filter(None, (effect_words(assessment, one, with_name=False), _relative(one)))
        ),
        "cost": lambda: _costs(one),
    }
    levels = {value.level for value in one.values}
    said = {level: made[level]() or _further(assessment, one, level) for level in LEVELS if level in levels}
    return {level: sentence(text[0].upper() + text[1:]) for level, text in said.items() if text}


def _main(one: Experiment, measure: str) -> str:
    """Return the effectiveness measure that speaks for all: the first by which MEASURE has a value."""
    found = [value for value in one.values if value.measure == measure]
    return next((value.of for value in found if value.value is not None), "")


def by_run(one: Experiment, measure: str, of: str = "") -> Iterator[tuple[Of, Value, float]]:
    """Yield the values of MEASURE that are defined, by run."""
    for role in ROLES:
        found = one.find(measure, of=of, run=role)
        if found is not None and found.value is not None:
            yield role, found, found.value


# Levels --------------------------------------------------------------------------------------------------------


def effect_words(assessment: Assessment, one: Reproduction, *, with_name: bool = True) -> str:
    """Return how much of the improvement came back, as something that the reproduction did, or as something that is."""
    of = _main(one, "er")
    found = one.find("er", of=of, run="both")
    if found is None or found.value is None:
        return ""
    what = "improvement" if _improved(assessment.original, of) else "difference between baseline and advanced run"
    ratio = _with_interval(f"ER {rounded(found.value, 2, 1.0)}", found.interval, 2, 1.0)
    if found.value < 0:
        said = f"turned the {what} in {of} around" if with_name else f"the {what} in {of} turned around"
    else:
        share = f"{percent(found.value)} of the {what} in {of}"
        said = f"kept {share}" if with_name else f"{share} came back"
    paired = _paired_topics(assessment, one, of)
    return f"{said} on {paired} ({ratio})" if paired else f"{said} ({ratio})"


def _improved(original: Experiment, of: str) -> bool:
    """Tell whether the advanced run of the original is better than its baseline."""
    scores = [value for _, _, value in by_run(original, "arp", of)]
    return len(scores) == len(ROLES) and scores[1] > scores[0]


def _relative(one: Reproduction) -> str:
    """Return how the relative improvement differs."""
    found = one.find("dri", of=_main(one, "dri"), run="both")
    if found is None or found.value is None:
        return ""
    value = _with_interval(f"DRI {number(found.value, 0.0)}", found.interval, 4, 0.0)
    if abs(found.value) < ROUNDING:
        return f"the relative improvement is the same ({value})"
    way = "smaller" if found.value > 0 else "larger"
    return f"the relative improvement is {rounded(100 * abs(found.value), 1)} percentage points {way} ({value})"


def _scored(assessment: Assessment, one: Reproduction) -> str:
    """Return how effective the runs are, beside the original ones."""
    of = _main(one, "arp")
    before = {run: value for run, value, _ in by_run(assessment.original, "arp", of)}
    roles = roles_of(assessment)
    said = [
        f"{number(mean)}{roles.said('for', run)}" + (_beside(one, before[run], value) if run in before else "")
        for run, value, mean in by_run(one, "arp", of)
    ]
    return f"mean {of} is {' and '.join(said)}" if said else ""


def _unscored(one: Reproduction) -> str:
    """Return why no run has a mean score."""
    reasons = dict.fromkeys(value.undefined for value in one.values if value.measure == "arp" and value.undefined)
    return f"no scores: {'; '.join(reasons)}" if reasons else ""


def _beside(one: Reproduction, before: Value, after: Value) -> str:
    """Return the original mean, and by how much it changed where both are of the same topics and judgments."""
    said = f"original {number(before.value or 0.0)}"
    if not before.value or after.value is None or not is_paired(one, after.run, after.of):
        return f" ({said})"
    if before.topics.keys() != after.topics.keys():
        return f" ({said}, over other topics)"
    return f" ({said}, {change(before.value, after.value)})"


def is_paired(one: Reproduction, run: Of, of: str) -> bool:
    """Tell whether scores can be compared topic by topic; if not, the RMSE has no value."""
    error = one.find("rmse", of=of, run=run)
    return error is not None and error.value is not None


def _paired_topics(assessment: Assessment, one: Reproduction, of: str) -> str:
    """Return on how many of all topics the scores by OF are compared with the original, empty if on every one."""
    roles = [role for role, value, _ in by_run(one, "arp", of) if value.topics and is_paired(one, role, of)]
    found = (each.find("arp", of=of, run=role) for each in (assessment.original, one) for role in roles)
    topics = [{*value.topics} for value in found if value is not None and value.topics]
    shared, every = (len(join(*topics)) if topics else 0 for join in (set.intersection, set.union))
    return f"{shared} of {every} topics" if shared < every else ""


def _ranked_topics(one: Reproduction) -> str:
    """Return that not all topics that have scores have rankings, as where those that a run lacks count as 0."""
    ranked = {topic for _, value, _ in by_run(one, _order_measure(one)) for topic in value.topics}
    scored = {topic for _, value, _ in by_run(one, "arp", _main(one, "arp")) for topic in value.topics}
    return f" (on {len(ranked)} of {len(scored)} topics)" if ranked and ranked < scored else ""


def _order_measure(one: Reproduction) -> str:
    """Return the measure that tells how alike the order of documents is, empty if none has a value."""
    return next((measure for measure in _ORDER if any(by_run(one, measure))), "")


def _order(one: Reproduction) -> str:
    """Return whether the order of documents came back."""
    measure = _order_measure(one)
    found = list(by_run(one, measure))
    if not found:
        return ""
    if all(abs(value - 1) < ROUNDING for _, _, value in found):
        return "document order is the same"
    shown = f"{_ORDER[measure]} " + spread([(run, rounded(value, 2, 1.0)) for run, _, value in found])
    shown += f", {BY_OTHERS}" if any(value.note == BY_OTHERS for _, value, _ in found) else ""
    shared = [(run, percent(value)) for run, _, value in by_run(one, "overlap")]
    shown += f", rankings overlap by {spread(shared)} (Jaccard)" if shared else ""
    return f"document order{_verdict(one, measure)}: {shown}"


def _verdict(one: Reproduction, measure: str) -> str:
    """Return what the answers say about document order; a MEASURE that depends on names says nothing alone."""
    answers = {answer.answer for answer in one.answers if answer.level == "document order"}
    if answers == {"equivalent"}:
        return " is equivalent"
    if answers and "different" not in answers:
        return ", inconclusive"
    return "" if measure == "ktu" and not answers else " differs"


def _errors(assessment: Assessment, one: Reproduction) -> str:
    """Return how far the scores of a topic lie apart."""
    of = _main(one, "rmse")
    found = list(by_run(one, "rmse", of))
    if not found:
        return ""
    if all(value < ROUNDING for _, _, value in found):
        return f"every topic has the same {of} as in the original"
    roles = roles_of(assessment)
    said = [
        f"{number(value, 0.0)}{roles.said('for', run)}"
        + (f" ({within(each.interval, 4, 0.0)})" if each.interval else "")
        for run, each, value in found
    ]
    return f"topics differ from the original in {of} by {' and '.join(said)}, as root mean square"


def _tested(one: Reproduction) -> str:
    """Return what tests say of the scores where they cannot be compared topic by topic, and why they cannot."""
    of = _main(one, "p") or _main(one, "d")
    said: list[tuple[str, str]] = []
    for role in ROLES:
        p, d = (one.find(measure, of=of, run=role) for measure in ("p", "d"))
        parts = [f"p {number(p.value, 1.0)} by {p.variant or 'a test'}"] if p and p.value is not None else []
        parts += [f"d {rounded(d.value, 2)}"] if d and d.value is not None else []
        said += [(role, ", ".join(parts))] if parts else []
    if not said:
        return ""
    why_not = dict.fromkeys(value.undefined for value in one.values if value.measure == "rmse" and value.undefined)
    error = f"; RMSE has no value: {'; '.join(why_not)}" if why_not else ""
    return f"the difference of scores in {of}: {spread(said)}{error}"


def _costs(one: Reproduction) -> str:
    """Return what the reproduction cost in relation to the original."""
    said = []
    for measure, name in _COST.items():
        found = [(run, f"{rounded(value, 2, 1.0)} times") for run, _, value in by_run(one, measure)]
        if found:
            said.append(f"{name} {spread(found)}")
    return f"in relation to the original: {', '.join(said)}" if said else ""


def _further(assessment: Assessment, one: Reproduction, level: Level) -> str:
    """Return the values of a level that has none of the usual measures, or why it has no values at all."""
    here = [value for value in one.values if value.level == level]
    named = [(value, f"{value.measure} {value.of}".strip()) for value in here]
    roles = roles_of(assessment)
    said = [f"{name} {number(v.value)}{roles.said('for', v.run)}" for v, name in named if v.value is not None]
    reasons = dict.fromkeys(value.undefined for value in here if value.undefined)
    return f"{level}: {', '.join(said) or 'no value: ' + '; '.join(reasons)}" if said or reasons else ""


def _with_interval(text: str, interval: Interval | None, digits: int, ideal: float) -> str:
    """Return TEXT with its interval in words."""
    return f"{text}, {within(interval, digits, ideal)}" if interval else text


# Answers -------------------------------------------------------------------------------------------------------


def answers_sentence(one: Reproduction) -> str:
    """Return how many answers of which kind there are about a reproduction, and at which levels."""
    said = []
    for verdict in _VERDICTS:
        levels = Counter(answer.level for answer in one.answers if answer.answer == verdict)
        many = levels.total() > 1
        where = ", ".join(f"{levels[level]} {level}" if many else level for level in LEVELS if level in levels)
        said.append(f"{levels.total()} {verdict}" + (f" ({where})" if where else ""))
    number_of = f"{len(one.answers)} answer{'s' * (len(one.answers) != 1)}"
    return f"Of {number_of} about {one.name}: {', '.join(said)}."


def why(answer: Answer) -> str:
    """Return what an ANSWER rests on: the value, the margin, both p-values, and what these topics could detect."""
    said = answer.sentence.removeprefix(answer.answer).removeprefix(":").strip()
    if answer.detection not in said:
        said += f"; {answer.detection}"
    return sentence(said) if said else ""


def margin_sentences(assessment: Assessment) -> list[str]:
    """Return for each level why values inside its margin count as the same, each reason once."""
    answers = (answer for one in assessment for answer in one.answers)
    margins = ((answer.level, answer.margin.reason) for answer in answers if answer.margin)
    said = sorted(dict.fromkeys(margins), key=lambda margin: LEVELS.index(margin[0]))
    return [sentence(f"Margin of {level}: {reason}") for level, reason in said]


def equivalence_remarks(assessment: Assessment) -> list[str]:
    """Return how often such tests call a value equivalent that is not, once for each level where one did so."""
    from primad.reproducibility.coverage import false_equivalence_stated

    topics: dict[Level, list[int]] = {}
    for one in assessment:
        for answer in one.answers:
            # Without a p-value there was no test: the rankings or scores are identical.
            if answer.answer == "equivalent" and answer.p_equivalent is not None:
                topics.setdefault(answer.level, []).append(answer.topics)
    said = {level: false_equivalence_stated(level, min(topics[level])) for level in LEVELS if level in topics}
    return [sentence(f"{level.capitalize()}: {text}") for level, text in said.items() if text]


# What changed --------------------------------------------------------------------------------------------------


def changed_sentence(one: Reproduction) -> str:
    """Return what changed between original and reproduction, by their metadata, or why nobody knows."""
    if one.compared is not None:
        notes = "".join(f" Note: {sentence(note)}" for note in one.compared.notes)
        return f"{one.compared.type}, {one.compared.name}: {sentence(one.compared.meaning)}{notes}"
    if not one.qrels:
        return "What changed is unknown: only scores were given."
    return f"What changed is unknown: {_SILENT[one.silent]}; primad annotate adds it."


# All reproductions ---------------------------------------------------------------------------------------------


def overall(assessment: Assessment) -> list[str]:
    """Return what there is to say about all reproductions together."""
    several = spoken(assessment)
    said = []
    silent = len(assessment) - len(several)
    if silent and len(assessment) > 1:
        said.append(f"Nothing can be said about {silent} of {len(assessment)} reproductions.")
    if len(several) > 1:
        said += extremes(several, "er", "both", 1.0)
        said += _counted_answers(several)
    return said


def extremes(several: Sequence[Reproduction], measure: str, run: Of, ideal: float) -> Iterator[str]:
    """Yield between which values MEASURE lies, and who is closest to the ideal."""
    of = next((name for one in several if (name := _main(one, measure))), "")
    found = [(value.value, one.name) for one in several if (value := one.find(measure, of=of, run=run))]
    known = sorted((value, name) for value, name in found if value is not None)
    if len(known) > 1:
        best = min(known, key=lambda pair: abs(pair[0] - ideal))
        low, high = known[0], known[-1]
        texts = [f"{rounded(value, 2, ideal)} ({name})" for value, name in (low, high)]
        yield (
            f"{measure.upper()} of {of} lies between {' and '.join(texts)}; "
            f"closest to {ideal:g} is {best[1]} ({rounded(best[0], 2, ideal)})."
        )


def values_sentences(assessment: Assessment) -> list[str]:
    """Return how effective the runs are: of a few reproductions each beside the original, of many the range."""
    several = spoken(assessment)
    if len(several) > MOST_COLUMNS:
        return list(_ranges(assessment, several))
    said = ((one.name, _scored(assessment, one) or _further(assessment, one, "effectiveness")) for one in several)
    return [sentence(f"{name}: {text}") for name, text in said if text]


def _ranges(assessment: Assessment, several: Sequence[Reproduction]) -> Iterator[str]:
    """Yield between which means the runs of each role lie, beside the original."""
    of = next((name for one in several if (name := _main(one, "arp"))), "")
    for role in ROLES:
        found = [(value.value, one.name) for one in several if (value := one.find("arp", of=of, run=role))]
        known = sorted((value, name) for value, name in found if value is not None)
        before = assessment.original.find("arp", of=of, run=role)
        beside = f"; that of the original is {number(before.value)}" if before and before.value is not None else ""
        if known:
            low, high = (f"{number(value)} ({name})" for value, name in (known[0], known[-1]))
            yield f"Mean {of}{roles_of(assessment).said('of', role)} lies between {low} and {high}{beside}."


def _counted_answers(several: Sequence[Reproduction]) -> Iterator[str]:
    """Yield how many answers of each kind there are at each level."""
    for level in LEVELS:
        counts = Counter(answer.answer for one in several for answer in one.answers if answer.level == level)
        if counts:
            each = ", ".join(f"{counts[kind]} {kind}" for kind in _VERDICTS)
            yield f"{level.capitalize()}: {each}."
