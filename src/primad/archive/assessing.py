"""How well were runs of the archive reproduced by others in it?

    assess   reproductions of a run or of two, found by the rules of primad.reproducibility.pairing and assessed

The database is asked for the runs that name the original, or one that names it, as their baseline; only these are
looked at, and only those that belong together are unpacked.  A run of another actor with the identical ranking is a
reproduction of a baseline, too, unless it says that it reproduces another run.  Each experiment is evaluated by the
judgments of the collection that its baseline belongs to.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.archive.bench import Bench, described
from primad.archive.models import Fact, Run
from primad.archive.neighbours import is_meant, namesakes_of
from primad.archive.search.facts import LONGEST, canonical, folded
from primad.archive.search.finding import in_sight
from primad.errors import PairingError
from primad.reproducibility.assessment.request import Request
from primad.reproducibility.assessment.settings import Settings
from primad.reproducibility.measurements.scores import few_of
from primad.reproducibility.pairing import ADVICE, BASELINE, Described, Found, Pair, find_pairs
from primad.store.parts import in_parts

if TYPE_CHECKING:
    from primad.reproducibility import Assessment
    from primad.store.folder import DataFolder

_AT_ONCE = 1000
_SHOWN = 12
_FEW = 5
_OUR_ADVICE = "name baseline and advanced run by their addresses: primad archive assess BASELINE ADVANCED"


def assess(folder: DataFolder, original: Sequence[Run], *, jobs: int | None = None, **settings: Any) -> Assessment:
    """Return how well ORIGINAL, a run or a baseline and an advanced run, was reproduced by other runs in sight.

    SETTINGS are those of ``primad.assess``.
    """
    stated = Settings.of(settings)
    found = _found(original)
    with tempfile.TemporaryDirectory(prefix="primad-") as place:
        bench = Bench(Path(place), folder)
        judged, silent = bench.bring_judgments(found)
        brought = bench.bring_runs(judged)
        assessment = bench.assessed(brought, Request(own_qrels=bench.qrels, settings=stated, jobs=jobs))
    remarks = dict.fromkeys((*assessment.remarks, *_twins(original), *silent))
    return replace(assessment, remarks=tuple(remarks))


def _found(original: Sequence[Run]) -> Found:
    """Return ORIGINAL and its reproductions among the runs in sight."""
    wanted = described([run.pk for run in original])
    tags = {run.tag for run in original}
    others = described(_relatives(tags) - wanted.keys() - _meaning_others(original)).values()
    # The original is known by its address, so others that only share its tag put nothing in doubt.
    related = [run for run in others if run.tag not in tags or run.is_reproducer]
    same = [(run, _identical(run, wanted)) for run in original]
    try:
        found = find_pairs(
            related, [wanted[run.pk] for run in original], needed=not any(map(_claims_nothing, same[0][1]))
        )
        return _with_identical(found, same)
    except PairingError as error:
        raise PairingError(error.problem.replace(ADVICE, _OUR_ADVICE), error.candidates) from None


def _meaning_others(original: Sequence[Run]) -> set[int]:
    """Return the runs that name a tag of the ORIGINAL and mean another run, which has it on their own collection."""
    found: set[int] = set()
    for run in original:
        namesakes = namesakes_of(run)
        for some in in_parts(_naming([run.tag]) if namesakes else (), _AT_ONCE):
            found |= {one.pk for one in Run.objects.filter(pk__in=some) if not is_meant(run, one, namesakes)}
    return found


def _identical(run: Run, original: Mapping[int, Described]) -> list[Described]:
    """Return the runs of other actors with the ranking of RUN, but for those that RUN itself reproduces."""
    same = in_sight().filter(ranking=run.ranking_id).exclude(pk__in=list(original))
    others = [pk for pk, actor in same.values_list("pk", "actor") if folded(actor) != folded(run.actor)]
    own = original[run.pk]
    return [one for one in described(others).values() if not (own.is_reproducer and one.tag in own.names)]


def _claims_nothing(run: Described) -> bool:
    """Tell whether RUN does not say that it reproduces anything."""
    return not (run.is_reproducer and run.names)


def _with_identical(found: Found, same: Sequence[tuple[Run, Sequence[Described]]]) -> Found:
    """Return FOUND with the runs that have the SAME ranking as its baseline, and remarks on others like that."""
    known = {run.path for pair in (found.original, *found.reproductions) for run in pair.runs}
    pairs: list[Pair] = []
    remarks: list[str] = []
    for place, (original, others) in enumerate(same):
        for one in others:
            if one.path in known:
                continue
            said = f"it does not say that it reproduces {original.tag}, but its ranking is identical"
            if place == 0 and _claims_nothing(one):
                pairs.append(Pair(str(one), one, None, f"{one} is of another actor; {said}"))
            else:
                remarks.append(f"{one} ({one.path[:_SHOWN]}) is not assessed: {said}")
    return replace(found, reproductions=(*found.reproductions, *pairs), remarks=(*found.remarks, *few_of(remarks)))


def _relatives(tags: Iterable[str]) -> set[int]:
    """Return the runs that may belong to reproductions of runs with TAGS: who names them, and who names these again."""
    near = _naming(tags)
    further = _naming(Run.objects.filter(pk__in=near).values_list("tag", flat=True).distinct()) if near else set()
    return near | further


def _naming(tags: Iterable[str]) -> set[int]:
    """Return the runs in sight whose record names one of TAGS as baseline."""
    found: set[int] = set()
    for some in in_parts({folded(tag)[:LONGEST] for tag in tags}, _AT_ONCE):
        facts = Fact.objects.filter(field__name=canonical(BASELINE), value__in=some, run__removed_at=None)
        found.update(facts.values_list("run_id", flat=True))
    return found


def _twins(original: Sequence[Run]) -> Iterator[str]:
    """Say which other runs of a collection have the tag of the ORIGINAL, which others may mean as well."""
    for run in original:
        same = in_sight().filter(tag=run.tag, collection=run.collection_id).exclude(pk=run.pk).order_by("pk")
        # A reproduction may have kept the tag of what it reproduces.
        others = list(same.exclude(pk__in=_naming([run.tag])).values_list("address", flat=True)[: _FEW + 1])
        if others:
            named = ", ".join(address[:_SHOWN] for address in others[:_FEW]) + " and more" * (len(others) > _FEW)
            yield f"the tag '{run.tag}' is also that of {named} on {run.collection}: those who name it may mean another"
