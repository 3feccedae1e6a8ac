"""How well were runs of the archive reproduced by others in it, and how precise are their scores?

    assess         reproductions of a run or of two, found by the rules of primad.reproducibility.pairing and assessed
    measurements   what runs have measured, made of the scores that are kept

The database is asked for the runs that name the original, or one that names it, as their baseline; only these are
looked at, and only those that belong together are unpacked.  A run of another actor with the identical ranking is a
reproduction of a baseline, too, unless it says that it reproduces another run.  Each experiment is evaluated by the
judgments of the collection that its baseline belongs to.  For measurements no run is read again.
"""

from __future__ import annotations

import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db.models import F

from primad.archive.batch import RULES
from primad.archive.code_version import code_version
from primad.archive.collecting import how_to_judge
from primad.archive.models import Collection, Fact, Run, Score, Version
from primad.archive.neighbours import _is_meant, _namesakes
from primad.archive.search.facts import LONGEST, canonical, folded
from primad.archive.search.finding import in_sight
from primad.archive.search.measures import kept_name
from primad.errors import PairingError, PrimadError, UsageError
from primad.metadata.record import Record
from primad.qra.material import Material
from primad.reproducibility.assessment.request import Request, assess_pairs
from primad.reproducibility.assessment.settings import Settings
from primad.reproducibility.measurements.of_runs import Scored, material_of_scores
from primad.reproducibility.measurements.scores import check_measures, conditions_of_measurement, few_of, score_of
from primad.reproducibility.pairing import ADVICE, BASELINE, Described, Found, Pair, find_pairs
from primad.store.parts import in_parts

if TYPE_CHECKING:
    from primad.evaluation import BoundMeasure
    from primad.reproducibility import Assessment
    from primad.reproducibility.assessment.result import Sweep
    from primad.store.folder import DataFolder

_AT_ONCE = 1000
_SHOWN = 12
_FEW = 5
_OUR_ADVICE = "name baseline and advanced run by their addresses: primad archive assess BASELINE ADVANCED"
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9+-]+")


# Reproductions ---------------------------------------------------------------------------------------------------


def assess(folder: DataFolder, original: Sequence[Run], *, jobs: int | None = None, **settings: Any) -> Assessment:
    """Return how well ORIGINAL, a run or a baseline and an advanced run, was reproduced by other runs in sight.

    SETTINGS are those of ``primad.assess``.
    """
    stated = Settings.of(settings)
    found = _found(original)
    with tempfile.TemporaryDirectory(prefix="primad-") as place:
        bench = _Bench(Path(place), folder)
        judged, silent = bench.bring_judgments(found)
        brought = bench.bring_runs(judged)
        assessment = bench.assessed(brought, Request(own_qrels=bench.qrels, settings=stated, jobs=jobs))
    remarks = dict.fromkeys((*assessment.remarks, *_twins(original), *silent))
    return replace(assessment, remarks=tuple(remarks))


def _found(original: Sequence[Run]) -> Found:
    """Return ORIGINAL and its reproductions among the runs in sight."""
    wanted = _described([run.pk for run in original])
    tags = {run.tag for run in original}
    others = _described(_relatives(tags) - wanted.keys() - _meaning_others(original)).values()
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
        namesakes = _namesakes(run)
        for some in in_parts(_naming([run.tag]) if namesakes else (), _AT_ONCE):
            found |= {one.pk for one in Run.objects.filter(pk__in=some) if not _is_meant(run, one, namesakes)}
    return found


def _identical(run: Run, original: Mapping[int, Described]) -> list[Described]:
    """Return the runs of other actors with the ranking of RUN, but for those that RUN itself reproduces."""
    same = in_sight().filter(ranking=run.ranking_id).exclude(pk__in=list(original))
    others = [pk for pk, actor in same.values_list("pk", "actor") if folded(actor) != folded(run.actor)]
    own = original[run.pk]
    described = _described(others).values()
    return [one for one in described if not (own.is_reproducer and one.tag in own.names)]


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


def _described(runs: Iterable[int]) -> dict[int, Described]:
    """Return what each of RUNS says about itself; a message calls it by its address."""
    found: dict[int, Described] = {}
    for some in in_parts(runs, _AT_ONCE):
        rows = _current(some).values_list("run_id", "run__address", "run__tag", "record")
        found |= {run: Described(address, tag, Record(record)) for run, address, tag, record in rows}
    return found


def _current(runs: Sequence[int]) -> Any:
    """Return the current version of each of RUNS."""
    return Version.objects.filter(run_id__in=runs, number=F("run__number"))


def _twins(original: Sequence[Run]) -> Iterator[str]:
    """Say which other runs of a collection have the tag of the ORIGINAL, which others may mean as well."""
    for run in original:
        same = in_sight().filter(tag=run.tag, collection=run.collection_id).exclude(pk=run.pk).order_by("pk")
        # A reproduction may have kept the tag of what it reproduces.
        others = list(same.exclude(pk__in=_naming([run.tag])).values_list("address", flat=True)[: _FEW + 1])
        if others:
            named = ", ".join(address[:_SHOWN] for address in others[:_FEW]) + " and more" * (len(others) > _FEW)
            yield f"the tag '{run.tag}' is also that of {named} on {run.collection}: those who name it may mean another"


@dataclass
class _Bench:
    """A folder to which the runs that are to be assessed are brought."""

    place: Path
    folder: DataFolder

    def __post_init__(self) -> None:
        """Make room."""
        self.runs = self.place / "runs"
        self.runs.mkdir()
        self.qrels: dict[str, str] = {}  # where the judgments of a run are, by where it is here
        self._names: dict[str, str] = {}  # what is called how, by where it is here

    def _path_of(self, run: Described) -> str:
        """Return where RUN is brought to."""
        return str(self.runs / f"{_plain(run.tag)}.{run.path}.run")

    def bring_runs(self, found: Found) -> Found:
        """Bring the runs of FOUND, each with the metadata file that lay beside it, and return where they are."""
        needed = {run.path: run for run in _runs_of(found)}
        for some in in_parts(needed, _AT_ONCE):
            versions = Version.objects.filter(run__address__in=some, number=F("run__number")).select_related("run")
            for version in versions.iterator(chunk_size=_FEW):
                address = version.run.address
                path = Path(self._path_of(needed[address]))
                path.write_bytes(self.folder.blobs.get(version.file))
                if version.side:
                    path.with_name(f"{path.name}.meta").write_bytes(self.folder.blobs.get(version.side))
                self._names[str(path)] = address
        pairs = [self._placed(pair) for pair in (found.original, *found.reproductions)]
        return replace(found, original=pairs[0], reproductions=tuple(pairs[1:]))

    def _placed(self, pair: Pair) -> Pair:
        """Return PAIR with its runs where they are here."""
        runs = [replace(run, path=self._path_of(run)) for run in pair.runs]
        return replace(pair, baseline=runs[0], advanced=runs[1] if pair.advanced else None)

    def bring_judgments(self, found: Found) -> tuple[Found, list[str]]:
        """Bring the judgments of the collection of each run; return what of FOUND has some, and who is left out."""
        runs = _runs_of(found)
        collections = _collections_of(runs)
        for collection in set(collections.values()):
            if collection.qrels is not None:
                path = self._path_of_judgments(collection)
                Path(path).write_bytes(self.folder.blobs.get(collection.qrels.digest))
                self._names[path] = collection.qrels.name
        for run in runs:
            if collections[run.path].qrels is not None:
                self.qrels[self._path_of(run)] = self._path_of_judgments(collections[run.path])
        silent = {pair: one for pair in (found.original, *found.reproductions)
                  if (one := collections[pair.baseline.path]).qrels is None}  # fmt: skip
        judged = tuple(pair for pair in found.reproductions if pair not in silent)
        if found.original in silent or not judged:
            raise UsageError("; ".join(dict.fromkeys(map(_unjudged, silent.values()))))
        left_out = [f"{pair.baseline} is left out: {_unjudged(one)}" for pair, one in silent.items()]
        return replace(found, reproductions=judged), few_of(left_out)

    def _path_of_judgments(self, collection: Collection) -> str:
        """Return where the judgments of COLLECTION are brought to."""
        return str(self.place / f"{_plain(collection.name)}.{collection.pk}.qrels")

    def assessed(self, found: Found, request: Request) -> Assessment:
        """Return what REQUEST asks for, with runs called by their addresses and judgments by their names."""
        first = request.own_qrels[found.original.baseline.path]
        try:
            assessment = assess_pairs(found, replace(request, qrels=(first,)))
        except PrimadError as error:
            error.args = (self._said(str(error)),)
            raise
        return replace(
            assessment,
            original=self._experiment(assessment.original),
            reproductions=tuple(self._experiment(one) for one in assessment.reproductions),
            sweep=self._sweep(assessment.sweep) if assessment.sweep else None,
            remarks=tuple(map(self._said, assessment.remarks)),
        )

    def _experiment(self, one: Any) -> Any:
        """Return an experiment with what it says about files said about the archive."""
        runs = {role: replace(facts, path=self._said(facts.path)) for role, facts in one.runs.items()}
        said = {key: self._said(getattr(one, key)) for key in ("name", "qrels", "why", "problem") if hasattr(one, key)}
        return replace(one, runs=runs, remarks=tuple(map(self._said, one.remarks)), **said)

    def _sweep(self, sweep: Sweep) -> Sweep:
        """Return SWEEP with what it says about files said about the archive."""
        lines = tuple(
            replace(
                line,
                name=self._said(line.name),
                reference=self._said(line.reference),
                points=tuple(replace(point, run=self._said(point.run)) for point in line.points),
            )
            for line in sweep.lines
        )
        return replace(sweep, lines=lines, left_out=tuple(map(self._said, sweep.left_out)))

    def _said(self, text: str) -> str:
        """Return TEXT with names in place of paths."""
        for path, name in self._names.items():
            text = text.replace(path, name)
        return text


def _runs_of(found: Found) -> list[Described]:
    """Return the runs of all experiments in FOUND."""
    return [run for pair in (found.original, *found.reproductions) for run in pair.runs]


def _collections_of(runs: Iterable[Described]) -> dict[str, Collection]:
    """Return the collection of each of RUNS, which are called by their addresses."""
    found: dict[str, Collection] = {}
    for some in in_parts({run.path for run in runs}, _AT_ONCE):
        rows = Run.objects.filter(address__in=some).select_related("collection__qrels")
        found |= {run.address: run.collection for run in rows}
    return found


def _unjudged(collection: Collection) -> str:
    """Say that COLLECTION has no judgments, and what to do."""
    return f"the collection {collection} has no judgments; {how_to_judge(collection.name)}"


def _plain(text: str) -> str:
    """Return TEXT as part of the name of a file."""
    return _NOT_IN_NAMES.sub("_", text)[:60].lstrip(".") or "run"


# Measurements ----------------------------------------------------------------------------------------------------


def measurements(query: str, measures: Sequence[str], *, object_field: str | None = None) -> Material:
    """Return what the runs that QUERY finds have measured by MEASURES, of each collection apart.

    With OBJECT_FIELD the object is what the record states there, as in method.name.  Runs that lack a score of
    today's code are told in the remarks.
    """
    from primad.archive.queries import matching

    return measured(matching(query), measures, object_field=object_field)


def measured(runs: Any, measures: Sequence[str], *, object_field: str | None = None) -> Material:
    """Return what RUNS, a query, have measured by MEASURES."""
    bound = {kept_name(measure): measure for measure in check_measures(measures, RULES.compat)}
    chosen = Run.objects.filter(pk__in=runs.order_by().values("pk"))
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
        records = dict(_current([row[0] for row in some]).values_list("run_id", "record"))
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
