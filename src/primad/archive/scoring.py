"""How is each run of an archive scored, once?

    evaluate        scores the runs that have no scores yet, at any place
    names_to_keep   the names that scores are kept under, for measures as people write them

A ranking is scored by the judgments that its collection has now.  Its scores are known if all of them were computed by
the code of today; then nothing is done.  Rankings are scored in batches.  When a batch comes back, its topic scores are
written to a file and then its scores to the database, in one step: whoever is stopped has lost the batches under way
and nothing else, and two who do the same at once write the same.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Count, F, Min, Sum

from primad import compute
from primad.archive.batch import RULES, Batch, Content, Failure, Scored, score_batch
from primad.archive.code_version import code_version
from primad.archive.collecting import how_to_judge
from primad.archive.models import Collection, Run, Score, TopicScores, Version
from primad.archive.search.measures import kept_name
from primad.archive.topic_scores import keep_topic_scores, path_of
from primad.compute import Place
from primad.errors import FileError, MeasureError, UsageError
from primad.evaluation import parse_measures
from primad.reports.archive.answers import Evaluated, Unscored
from primad.watching import Watch, unwatched

if TYPE_CHECKING:
    from primad.store.folder import DataFolder

# A batch has so many rankings, and no more once it has so many bytes that must travel.
BATCH = 16
_MOST_BYTES = 4_000_000
# So many rankings are looked up in the database at once.
_PAGE = 1000
# Starting processes pays off from so many lines on.
_WORTH_A_POOL = 2_000_000


def evaluate(
    folder: DataFolder,
    runs: Any,
    measures: Sequence[str],
    *,
    place: Place | None = None,
    watch: Watch = unwatched,
) -> Evaluated:
    """Score each of RUNS, a query, by MEASURES where that was not done before; WATCH sees one thing per run as done.

    A run that cannot be scored is told with the reason, and does not stop the others.
    """
    started = time.monotonic()
    names = names_to_keep(measures)
    chosen = Run.objects.filter(pk__in=runs.order_by().values("pk"))
    work = _Evaluation(folder, chosen, names, _place_for(chosen, place or Place()))
    total = chosen.count()
    with closing(work.steps()) as steps:
        deque(watch(steps, total), maxlen=0)
    return Evaluated(
        runs=total,
        measures=names,
        computed=work.computed,
        known=work.known,
        unscored=tuple(sorted(work.unscored, key=lambda one: (one.tag, one.address))),
        seconds=time.monotonic() - started,
    )


def names_to_keep(measures: Sequence[str]) -> tuple[str, ...]:
    """Return the names that scores by MEASURES are kept under; an error if one gives no score for a run.

    >>> names_to_keep(["map", "P@10", "P_10"])
    ('map', 'P_10')
    """
    asked = [measures] if isinstance(measures, str) else list(measures)
    bound = parse_measures(asked, RULES.compat)
    scoreless = [measure for measure in bound if measure.facts.summary == "none"]
    for measure in scoreless:  # those of a set of measures are passed over
        if {measure.label, measure.family} & {name.partition(".")[0] for name in asked}:
            raise MeasureError(measure.label, "it gives no score for a run as a whole")
    names = tuple(dict.fromkeys(kept_name(measure) for measure in bound if measure not in scoreless))
    if not names:
        raise UsageError("expected at least one measure, such as map, found none")
    return names


def _place_for(chosen: Any, place: Place) -> Place:
    """Return PLACE, where that was left open with as many processes as the CHOSEN runs are worth."""
    if not place.is_here or place.jobs is not None:
        return place
    lines: int = chosen.aggregate(lines=Sum("ranking__lines"))["lines"] or 0
    return Place(jobs=compute.usable_cores() if lines >= _WORTH_A_POOL else 1)


@dataclass(frozen=True)
class _Ranking:
    """A ranking that is to be scored: the FILE of a run that has it, and the MEASURES whose scores are missing."""

    number: int
    file: str
    measures: tuple[str, ...]


@dataclass
class _Evaluation:
    """The evaluation of CHOSEN runs: what is left to do, and what became of the rest."""

    folder: DataFolder
    chosen: Any
    names: tuple[str, ...]
    place: Place
    computed: int = 0
    known: int = 0
    unscored: list[Unscored] = field(default_factory=list)
    _steps: int = 0  # runs whose fate is known, but was not told yet
    _runs_of: dict[tuple[int, int], int] = field(default_factory=dict)  # by judgments and ranking under way
    _stopped: list[Batch] = field(default_factory=list)

    def steps(self) -> Generator[None]:
        """Do the work, and yield once per run as it is done."""
        yield from self._work_on(self._batches())
        # One run may have taken the process down that others were scored by, so these are tried one by one.
        alone = [one for batch in self._stopped for one in _singly(batch)]
        self._stopped.clear()
        yield from self._work_on(map(self._filled, alone), alone=True)

    def _work_on(self, batches: Iterable[Batch], *, alone: bool = False) -> Iterator[None]:
        """Score BATCHES and keep what comes back; with ALONE there is nothing left to try if a process is stopped."""
        for batch, outcome in compute.outcomes(score_batch, batches, place=self.place):
            if isinstance(outcome, Scored):
                self._keep(batch, outcome)
            elif alone:
                self._keep(batch, Scored(failures=[Failure(number, str(outcome)) for number, _ in batch.rankings]))
            else:
                self._stopped.append(_light(batch))
            yield from self._told()
        yield from self._told()

    def _told(self) -> Iterator[None]:
        """Yield once for each run whose fate became known."""
        while self._steps:
            self._steps -= 1
            yield

    # What is to be done ------------------------------------------------------------------------------------------

    def _batches(self) -> Iterator[Batch]:
        """Yield what is left to score, looked up as it is asked for."""
        collections = Collection.objects.filter(pk__in=self.chosen.values("collection"))
        for collection in collections.select_related("qrels").order_by("pk"):
            qrels = collection.qrels
            if qrels is None:
                reason = f"the collection {collection} has no judgments; {how_to_judge(collection.name)}"
                self._refuse(self.chosen.filter(collection=collection), reason)
                continue
            try:
                self.folder.blobs.get(qrels.digest)
            except FileError as error:
                self._refuse(self.chosen.filter(collection=collection), f"its judgments are damaged: {error}")
                continue
            for measures, rankings in _in_batches(self._missing(collection, qrels.pk)):
                yield from self._fitting(Batch(qrels.pk, Content(qrels.digest), measures, rankings, code_version()))

    def _missing(self, collection: Collection, qrels: int) -> Iterator[_Ranking]:
        """Yield the rankings of COLLECTION that lack a score, each once; runs whose scores are known are counted."""
        last = 0
        of_collection = self.chosen.filter(collection=collection)
        while True:
            rows = of_collection.filter(ranking_id__gt=last).values("ranking_id").order_by("ranking_id")
            page = list(rows.annotate(first=Min("id"), runs=Count("id"))[:_PAGE])
            if not page:
                return
            last = page[-1]["ranking_id"]
            known = self._known([row["ranking_id"] for row in page], qrels)
            missing = {
                row["first"]: _Ranking(row["ranking_id"], "", lacking)
                for row in page
                if (lacking := tuple(name for name in self.names if name not in known[row["ranking_id"]]))
            }
            self._runs_of |= {(qrels, row["ranking_id"]): row["runs"] for row in page if row["first"] in missing}
            seen = sum(row["runs"] for row in page if row["first"] not in missing)
            self.known += seen
            self._steps += seen
            for run, ranking, file in _files_of(missing):
                if ranking == missing[run].number:
                    yield replace(missing[run], file=file)
                else:  # it got a new version since the page was read
                    self._runs_of.pop((qrels, missing[run].number))
                    self._refuse(self.chosen.filter(pk=run), "was replaced in the meantime; evaluate once more")

    def _known(self, rankings: Sequence[int], qrels: int) -> dict[int, set[str]]:
        """Return the measures that each of RANKINGS has a score by, of today's code and with its topic scores."""
        rows = Score.objects.filter(
            ranking_id__in=rankings, qrels_id=qrels, code=code_version(), measure__in=self.names
        ).values_list("ranking_id", "measure", "topics__digest")
        found: dict[int, set[str]] = defaultdict(set)
        there: dict[str, bool] = {}
        for ranking, measure, digest in rows:
            if digest not in there:
                there[digest] = digest is None or path_of(self.folder, digest).is_file()
            if there[digest]:
                found[ranking].add(measure)
        return found

    def _fitting(self, batch: Batch) -> Iterator[Batch]:
        """Yield BATCH with its contents, in parts if these are too large to travel together."""
        if self.place.is_here:
            yield self._filled(batch)
            return
        part: list[tuple[int, Content]] = []
        qrels = self._filled(replace(batch, rankings=())).qrels
        for number, content in batch.rankings:
            part.append((number, self._packed(content)))
            if sum(len(one.packed) for _, one in part) >= _MOST_BYTES:
                yield replace(batch, qrels=qrels, rankings=tuple(part))
                part = []
        if part:
            yield replace(batch, qrels=qrels, rankings=tuple(part))

    def _filled(self, batch: Batch) -> Batch:
        """Return BATCH with its contents: the bytes themselves for other machines, here the folder they are in."""
        rankings = tuple((number, self._packed(content)) for number, content in batch.rankings)
        return replace(batch, qrels=self._packed(batch.qrels), rankings=rankings)

    def _packed(self, content: Content) -> Content:
        """Return CONTENT as it reaches those who work; what cannot be read is found damaged there."""
        if self.place.is_here:
            return replace(content, store=str(self.folder.blobs.folder))
        try:
            return replace(content, packed=self.folder.blobs.packed(content.digest))
        except FileError:
            return content

    # What became of it -------------------------------------------------------------------------------------------

    def _keep(self, batch: Batch, scored: Scored) -> None:
        """Keep what came back of BATCH: first the file of topic scores, then in one step what the database knows."""
        table = keep_topic_scores(self.folder, scored.table) if scored.table else ""
        with transaction.atomic():
            topics = TopicScores.objects.get_or_create(digest=table)[0].pk if table else None
            rows = [
                Score(
                    ranking_id=row.ranking,
                    qrels_id=batch.judgments,
                    measure=row.measure,
                    code=batch.code,
                    value=row.value,
                    standard_error=row.standard_error,
                    items=row.items,
                    topics_id=topics if row.in_table else None,
                )
                # Who writes the same rows at the same time waits for the other, and never each for the other.
                for row in sorted(scored.scores)
            ]
            Score.objects.bulk_create(
                rows,
                update_conflicts=True,
                unique_fields=["ranking", "qrels", "measure"],
                update_fields=["code", "value", "standard_error", "items", "topics"],
            )
        self._count(batch, scored)

    def _count(self, batch: Batch, scored: Scored) -> None:
        """Count the runs of BATCH that have scores now, and tell the others."""
        reasons = dict(scored.failures)
        runs = {number: self._runs_of.pop((batch.judgments, number)) for number, _ in batch.rankings}
        done = sum(count for number, count in runs.items() if number not in reasons)
        self.computed += done
        self._steps += done
        if reasons:
            of_batch = self.chosen.filter(collection__all_qrels=batch.judgments)
            failed = of_batch.filter(ranking_id__in=list(reasons)).values_list("ranking_id", "address", "tag")
            self._tell(Unscored(address=address, tag=tag, reason=reasons[ranking]) for ranking, address, tag in failed)

    def _refuse(self, runs: Any, reason: str) -> None:
        """Tell RUNS as having no score for one REASON."""
        self._tell(
            Unscored(address=address, tag=tag, reason=reason) for address, tag in runs.values_list("address", "tag")
        )

    def _tell(self, unscored: Iterable[Unscored]) -> None:
        """Tell runs that have no score."""
        before = len(self.unscored)
        self.unscored += unscored
        self._steps += len(self.unscored) - before


def _files_of(runs: Iterable[int]) -> Iterator[tuple[int, int, str]]:
    """Yield each of RUNS with its ranking and the digest of its file, both as they are at one moment."""
    current = Version.objects.filter(run_id__in=list(runs), number=F("run__number"))
    yield from current.values_list("run_id", "run__ranking_id", "file")


def _in_batches(
    rankings: Iterable[_Ranking],
) -> Iterator[tuple[tuple[str, ...], tuple[tuple[int, Content], ...]]]:
    """Yield RANKINGS in batches that lack scores by the same measures, with these."""
    waiting: dict[tuple[str, ...], list[tuple[int, Content]]] = defaultdict(list)
    for one in rankings:
        waiting[one.measures].append((one.number, Content(one.file)))
        if len(waiting[one.measures]) >= BATCH:
            yield one.measures, tuple(waiting.pop(one.measures))
    yield from ((measures, tuple(batch)) for measures, batch in waiting.items())


def _light(batch: Batch) -> Batch:
    """Return BATCH without its contents, which can be had again."""
    rankings = tuple((number, Content(content.digest)) for number, content in batch.rankings)
    return replace(batch, qrels=Content(batch.qrels.digest), rankings=rankings)


def _singly(batch: Batch) -> Iterator[Batch]:
    """Yield a batch for each ranking of BATCH."""
    yield from (replace(batch, rankings=(one,)) for one in batch.rankings)
