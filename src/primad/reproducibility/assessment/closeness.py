"""How close is one reproduction to the original?  Every value that exists, and for every other one the reason.

    original_values   the effectiveness of the original
    closeness         everything about one reproduction

Which measures exist is decided by the test collection (collection.py); what each one is, by its formula; here they are
brought together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from primad.errors import UsageError
from primad.evaluation.result import few
from primad.reproducibility.assessment.collection import OTHER, SAME, SAME_BY_EVIDENCE, shared_collection
from primad.reproducibility.assessment.levels import (
    MARGINS,
    document_order,
    effectiveness,
    overall_effect,
    topic_scores,
)
from primad.reproducibility.assessment.result import ORIGINAL, REPRODUCTION, ROLES, Experiment, Reproduction, Value
from primad.reproducibility.assessment.score_table import shared_topics
from primad.reproducibility.comparison import compare_records, is_same_file
from primad.reproducibility.cost import costs
from primad.reproducibility.order import RankingPair, overlap_by_depth
from primad.reproducibility.sharing import Shared

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from primad.reproducibility.answers import Answer
    from primad.reproducibility.assessment.measured import MeasuredRun, Side
    from primad.reproducibility.assessment.result import Role
    from primad.reproducibility.assessment.settings import Settings
    from primad.reproducibility.comparison import Compared

_SAME_DOCUMENTS = 0.05
_FAR_CLOSER = 0.1
_DEPTHS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000)


def original_values(side: Side, settings: Settings) -> Experiment:
    """Return the original experiment with its effectiveness."""
    _refuse_margins_of_nothing(side, settings)
    values = [value for role, run in side.runs.items() for value in effectiveness(role, run, settings)]
    remarks = [remark for run in side.runs.values() for remark in run.remarks]
    remarks += _perhaps_swapped(values)
    return replace(side.as_experiment(), values=tuple(values), remarks=tuple(remarks))


def _perhaps_swapped(values: Sequence[Value]) -> Iterator[str]:
    """Yield that the advanced run is the worse one, by every measure."""
    means = {(value.run, value.of): value.value for value in values if value.value is not None}
    both = [
        (means["baseline", of], mean)
        for (run, of), mean in means.items()
        if run == "advanced" and ("baseline", of) in means
    ]
    if both and all(advanced < baseline for baseline, advanced in both):
        yield "the original's advanced run scores lower than its baseline by every measure; were they swapped?"


def _refuse_margins_of_nothing(side: Side, settings: Settings) -> None:
    """Refuse margins for what nobody asks about: they would go unheeded."""
    labels = next(iter(side.runs.values())).scores.measures
    for name in settings.margins:
        if name not in (known := (*labels, *MARGINS)):
            raise UsageError(f"expected a margin for one of {', '.join(known)}, found one for '{name}'")


def closeness(original: Side, reproduction: Side, settings: Settings) -> Reproduction:
    """Return how close REPRODUCTION is to ORIGINAL."""
    shared = _shared(original, reproduction)
    pairs = _ranking_pairs(original, reproduction, shared)
    values: list[Value] = []
    answers: list[Answer] = []
    for role, run in reproduction.runs.items():
        values += effectiveness(role, run, settings)
        if role not in original.runs:
            continue
        for level in (
            document_order(role, pairs.get(role), shared, settings),
            topic_scores(role, original.runs[role], run, shared, settings),
        ):
            values += level.values
            answers += level.answers
    effect = overall_effect(original, reproduction, shared, settings)
    values += effect.values
    answers += effect.answers
    values += _costs(original, reproduction)
    compared = _compared(original, reproduction)
    return Reproduction(
        name=reproduction.name,
        runs=reproduction.facts(),
        qrels=reproduction.qrels_name,
        are_qrels_file=reproduction.are_qrels_file,
        values=tuple(values),
        compared=compared.get("baseline") or compared.get("advanced"),
        silent=tuple(_silent(original, reproduction)),
        is_original=all(_is_original(original, role, run) for role, run in reproduction.runs.items()),
        collection=str(shared),
        why=reproduction.why,
        answers=tuple(answers),
        agreement={role: _agreement(pair, settings.depth) for role, pair in pairs.items() if pair.topics},
        remarks=tuple(_remarks(original, reproduction, shared, compared)),
    )


def _shared(original: Side, reproduction: Side) -> Shared:
    """Return what of the test collection is shared."""
    if original.qrels is not None and reproduction.qrels is not None:
        shared = shared_collection(original.qrels, reproduction.qrels, (original.record, reproduction.record))
        return (
            SAME_BY_EVIDENCE if shared.qrels and not shared.documents and _overlap(original, reproduction) else shared
        )
    tables = [run.scores for side in (original, reproduction) for run in side.runs.values()]
    return SAME if shared_topics(*tables) else OTHER


def _overlap(original: Side, reproduction: Side) -> bool:
    """Tell whether runs of both retrieved so many of the same documents that they must be of the same collection."""
    for role, run in reproduction.runs.items():
        first = original.runs[role].rankings if role in original.runs else None
        if first is not None and run.rankings is not None:
            pair = RankingPair.of(first, run.rankings)
            fewer = np.minimum(pair.original.lengths, pair.reproduction.lengths).sum()
            if pair.num_shared.sum() > _SAME_DOCUMENTS * fewer:
                return True
    return False


def _ranking_pairs(original: Side, reproduction: Side, shared: Shared) -> dict[Role, RankingPair]:
    """Return the rankings that can be compared."""
    pairs = {}
    for role, run in reproduction.runs.items():
        first = original.runs[role].rankings if role in original.runs else None
        if first is not None and run.rankings is not None and shared.documents and shared.topics:
            pairs[role] = RankingPair.of(first, run.rankings)
    return pairs


def _agreement(pair: RankingPair, deepest: int) -> dict[int, float]:
    """Return the share of documents that both rankings have down to each depth, as a mean over topics."""
    longest = max(pair.original.longest, pair.reproduction.longest)
    depths = [depth for depth in _DEPTHS if depth <= min(deepest, longest)]
    return dict(zip(depths, np.nanmean(overlap_by_depth(pair, depths), axis=0).tolist(), strict=True))


def _costs(original: Side, reproduction: Side) -> list[Value]:
    """Return what each run cost in relation to the original's, if any of them says so."""
    found: list[Value] = []
    for role, run in reproduction.runs.items():
        values = costs(original.runs[role].record, run.record, role) if role in original.runs else ()
        found += values if any(value.value is not None for value in values) else ()
    return found


def _compared(original: Side, reproduction: Side) -> dict[Role, Compared]:
    """Return what changed between the runs of each role that say something about themselves."""
    compared = {}
    for role, run in reproduction.runs.items():
        record = original.runs[role].record if role in original.runs else None
        if record is not None and run.record is not None:
            compared[role] = compare_records(record, run.record)
    return compared


def _silent(original: Side, reproduction: Side) -> Iterator[str]:
    """Yield which side says nothing about itself."""
    yield from (name for name, side in ((ORIGINAL, original), (REPRODUCTION, reproduction)) if side.record is None)


def _is_original(original: Side, role: Role, run: MeasuredRun) -> bool:
    """Tell whether RUN is the very file that the original has in this ROLE."""
    first = original.runs[role].facts if role in original.runs else None
    return bool(first and first.is_file and run.facts.is_file and is_same_file(first.path, run.facts.path))


def _remarks(original: Side, reproduction: Side, shared: Shared, compared: dict[Role, Compared]) -> Iterator[str]:
    """Yield what a reader of the values must know."""
    for role, run in reproduction.runs.items():
        yield from run.remarks
        if _is_original(original, role, run):
            yield f"{run.facts.path} is the file of the original as well: it was compared with itself"
        if role not in original.runs:
            yield f"the original has no {role} run, so there is nothing to compare {run.facts.path} with"
        elif shared.topics and shared.documents:
            yield from _topics_on_one_side(role, original, reproduction)
    if set(original.runs) - set(reproduction.runs):
        yield f"{reproduction.name} has no advanced run: only the baseline is compared"
    if _are_crossed(original, reproduction):
        yield f"{reproduction.name}: each run scores as the other one of the original does; were they swapped?"
    types = {role: str(one.type) for role, one in compared.items()}
    if len(set(types.values())) > 1:
        yield "the runs differ in type: " + ", ".join(f"{role} {letters}" for role, letters in types.items())


def _are_crossed(original: Side, reproduction: Side) -> bool:
    """Tell whether by every measure each run of REPRODUCTION is far closer to the other one of ORIGINAL."""
    tables = [side.runs[role].scores for side in (original, reproduction) for role in ROLES if role in side.runs]
    topics = shared_topics(*tables)
    if len(tables) < len(ROLES) * 2 or not topics:
        return False
    before, after, repeated_before, repeated_after = (table.at(topics) for table in tables)
    straight = np.abs(repeated_before - before).sum(axis=1) + np.abs(repeated_after - after).sum(axis=1)
    crossed = np.abs(repeated_before - after).sum(axis=1) + np.abs(repeated_after - before).sum(axis=1)
    return bool(straight.any() and (crossed <= _FAR_CLOSER * straight).all())


def _topics_on_one_side(role: Role, original: Side, reproduction: Side) -> Iterator[str]:
    """Yield which topics only one of two runs has scores for, and what is done about them."""
    first, second = original.runs[role].scores, reproduction.runs[role].scores
    for side, topics, other in ((original, first, second), (reproduction, second, first)):
        there = set(other.topics)
        alone = [topic for topic in topics.topics if topic not in there]
        if alone:
            number = f"{len(alone)} of {len(topics.topics)} topics of the {role} run only in {side.name}"
            yield f"{number}, left out where topics are paired: {few(alone)}"
