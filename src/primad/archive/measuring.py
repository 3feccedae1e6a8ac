"""What have runs of an archive measured?  Material for ``primad.qra``, made of the scores that are kept.

    measurements   that of the runs that a query finds

No run is read again: who lacks a score of today's code is told.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from primad.archive.batch import RULES
from primad.archive.bench import current
from primad.archive.code_version import code_version
from primad.archive.collecting import how_to_judge
from primad.archive.models import Collection, Run, Score
from primad.archive.queries import matching
from primad.archive.search.measures import kept_name
from primad.metadata.record import Record
from primad.qra.material import Material
from primad.reproducibility.measurements.of_runs import Scored, material_of_scores
from primad.reproducibility.measurements.scores import check_measures, conditions_of_measurement, score_of
from primad.store.parts import in_parts

if TYPE_CHECKING:
    from primad.evaluation import BoundMeasure

_AT_ONCE = 1000
_SHOWN = 12
_FEW = 5


def measurements(query: str, measures: Sequence[str], *, object_field: str | None = None) -> Material:
    """Return what the runs that QUERY finds have measured by MEASURES, of each collection apart.

    With OBJECT_FIELD the object is what the record states there, as in method.name.  Runs that lack a score of
    today's code are told in the remarks.
    """
    bound = {kept_name(measure): measure for measure in check_measures(measures, RULES.compat)}
    chosen = Run.objects.filter(pk__in=matching(query).order_by().values("pk"))
    collections = list(Collection.objects.filter(pk__in=chosen.values("collection")).select_related("qrels"))
    material = Material()
    for collection in sorted(collections, key=lambda one: one.name):
        of_collection = chosen.filter(collection=collection).order_by("pk")
        scored, lacking = _scored(of_collection, collection, bound)
        found = material_of_scores(scored, object_field=object_field)
        if len(collections) > 1:
            found = _on(collection.name, found)
        material += replace(found, remarks=(*found.remarks, *_on_lacking(collection, lacking, of_collection.count())))
    return material


def _scored(runs: Any, collection: Collection, measures: Mapping[str, BoundMeasure]) -> tuple[list[Scored], list[str]]:
    """Return RUNS of COLLECTION that have scores by MEASURES, and what those are called that lack one."""
    scored: list[Scored] = []
    lacking: list[str] = []
    if collection.qrels is None:
        return [], [f"{tag} ({address[:_SHOWN]})" for tag, address in runs.values_list("tag", "address")]
    conditions = conditions_of_measurement(collection.qrels.content, RULES)
    rows = runs.values_list("pk", "address", "tag", "ranking_id", "ranking__digest")
    for some in in_parts(rows.iterator(), _AT_ONCE):
        records = dict(current([row[0] for row in some]).values_list("run_id", "record"))
        scores = _scores([row[3] for row in some], collection.qrels.pk, measures)
        for run, address, tag, ranking, digest in some:
            if len(scores[ranking]) < len(measures):
                lacking.append(f"{tag} ({address[:_SHOWN]})")
            if scores[ranking]:
                record = Record(records[run]) if records[run] else None
                known = {name: scores[ranking][name] for name in measures if name in scores[ranking]}
                scored.append(
                    Scored(
                        name=address[:_SHOWN],
                        tag=tag,
                        scores=known,
                        record=record,
                        conditions=conditions,
                        outputs=digest,
                    )
                )
    return scored, lacking


def _scores(rankings: Sequence[int], qrels: int, measures: Mapping[str, BoundMeasure]) -> dict[int, dict[str, Any]]:
    """Return the scores of RANKINGS by QRELS and MEASURES that today's code has computed."""
    rows = Score.objects.filter(ranking_id__in=rankings, qrels_id=qrels, code=code_version(), measure__in=measures)
    found: dict[int, dict[str, Any]] = defaultdict(dict)
    for ranking, name, value, error, items in rows.values_list(
        "ranking_id", "measure", "value", "standard_error", "items"
    ):
        found[ranking][name] = score_of(measures[name], value, error, items)
    return found


def _on(collection: str, material: Material) -> Material:
    """Return MATERIAL whose objects are those of a COLLECTION: the same method on another one is another object."""
    renamed = (replace(one, object=f"{one.object} on {collection}") for one in material.measurements)
    return replace(
        material, measurements=tuple(renamed), remarks=tuple(f"{collection}: {said}" for said in material.remarks)
    )


def _on_lacking(collection: Collection, lacking: Sequence[str], runs: int) -> list[str]:
    """Say which of so many RUNS of COLLECTION lack a score, and what to do."""
    if not lacking:
        return []
    number = f"{runs:,} run{'s' * (runs != 1)}"
    if collection.qrels is None:
        how = how_to_judge(collection.name)
        return [f"{collection} has no judgments, so its {number} cannot have scores; {how}"]
    named = ", ".join(lacking[:_FEW]) + (f" and {len(lacking) - _FEW:,} more" if len(lacking) > _FEW else "")
    count = f"{len(lacking):,} of {number} lack{'s' * (len(lacking) == 1)} a score"
    return [f"{collection}: {count}: {named}; compute it: primad archive evaluate"]
