"""How is the study kept, so that others can use its runs without it?

    Dataset   the folder: runs/ by team, metadata/ with the record of each run, qrels/, overview.csv, README.md
    Kept      a run that was made: file, tag, who made it, from what, and what a check of it found

Every run is written, recorded, annotated and checked by the public API of primad, the method being captured from the
objects that did the work.  Whoever makes the dataset plays all teams on one machine: records state the same platform,
and say under the actor who is played.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad import Qrels, Record, Run, check_file, read_record, record, write_qrels, write_run
from primad.experiments.ccrf import feedback, first_stages
from primad.experiments.ccrf.collection import CollectionError
from primad.experiments.ccrf.plan import FEWEST_COLLECTIONS

if TYPE_CHECKING:
    from primad.experiments.ccrf.collection import Collection
    from primad.experiments.ccrf.plan import Made, Team, Work

_Works = list[tuple[int, "Work"]]
_Done = list[tuple[int, list["Kept"]]]
# Who does several lots of work: the function and what it is to be done with, the results in any order.
Spread = Callable[[Callable[[_Works], _Done], Iterable[_Works]], Iterable[_Done]]

MEASURES = ("map",)
_METADATA = "metadata"
_LONGEST = 60  # in bytes: three names make the name of a file, which has room for 255
_NAME = re.compile(r"\w[\w.-]*")
HEAD = ("Researchers", "As in the literature", "Method", "Target collections", "Runs")

_README = """\
# Runs of a study on cross-collection relevance feedback

{collections}

- `runs/` holds {runs} runs, by target collection and by the team that made them, each with its
  PRIMAD metadata in the header.
- `metadata/` holds the same metadata in files of their own.
- `qrels/` holds the judgments of each collection.
- `overview.csv` says who made how many runs for which collections.

All teams were played by one program on one machine; the platform that the runs state is that machine. Runs that were
made together, as those of a sweep, each state the time and memory of all of them.
Look around with `primad compare runs`, `primad check runs` and
`primad evaluate qrels/{target}.qrels runs/{target}/*/*.run`.
"""


@dataclass(frozen=True)
class Kept:
    """A run of the dataset; PROBLEMS are the errors that a check found, COMPLETE the share of fields that it states."""

    path: Path
    tag: str
    team: Team
    sources: tuple[str, ...]
    target: str
    problems: tuple[str, ...]
    complete: int
    remarks: tuple[str, ...] = ()

    @property
    def pair(self) -> str:
        """Return sources and target in short."""
        return f"{'+'.join(self.sources)} → {self.target}"


class Dataset:
    """A folder with runs, their metadata and judgments."""

    def __init__(self, folder: Path, collections: Sequence[Collection], command: Sequence[str] = ()) -> None:
        """Begin with the judgments of COLLECTIONS; COMMAND is what makes the dataset again."""
        _refuse_names([one.name for one in collections])
        self.folder = folder
        self.command = command
        self.collections = tuple(collections)
        self.kept: list[Kept] = []
        (folder / "qrels").mkdir(parents=True, exist_ok=True)
        for one in collections:
            grades = {topic: dict(judged) for topic, judged in one.qrels.items()}
            write_qrels(Qrels.from_dict(grades), self.qrels(one.name))

    @property
    def target(self) -> str:
        """Return the name of the collection that the original authors searched, of fewer the last one."""
        return self.collections[:FEWEST_COLLECTIONS][-1].name

    @property
    def runs(self) -> Path:
        """Return the folder with all runs, by target collection and team."""
        return self.folder / "runs"

    @property
    def sweep(self) -> list[Path]:
        """Return the runs of the sweep of weights."""
        return self.runs_of("sweep-")

    def original(self, prefix: str) -> list[str]:
        """Return the tags of the baseline and of the advanced run that begin with PREFIX."""
        return [one.tag for one in self.kept if one.tag.startswith(prefix)]

    def qrels(self, collection: str) -> Path:
        """Return the file with the judgments of COLLECTION."""
        return self.folder / "qrels" / f"{collection}.qrels"

    def all_qrels(self) -> list[Path]:
        """Return the files with judgments."""
        return [self.qrels(one.name) for one in self.collections]

    def count_runs(self) -> int:
        """Return how many runs are made by now, whichever process makes them."""
        return sum(1 for _ in (self.folder / _METADATA).rglob("*.yml"))

    def runs_of(self, *prefixes: str, target: str | None = None) -> list[Path]:
        """Return the runs whose tag begins with one of PREFIXES, of all targets or one."""
        return [
            one.path for one in self.kept if one.tag.startswith(prefixes) and (target is None or one.target == target)
        ]

    def add(self, work: Work) -> list[Kept]:
        """Do WORK and keep its runs."""
        kept = self.carry_out(work)
        self.kept += kept
        return kept

    def add_all(self, works: Sequence[Work], spread: Spread = map) -> Iterator[list[Kept]]:
        """Do all WORKS and yield the runs of each; SPREAD may do those with other sources in other processes."""
        done: dict[int, list[Kept]] = {}
        for lot in spread(self._done, _by_sources(works)):
            done |= dict(lot)
            yield from (kept for _, kept in lot)
        first_stages.forget()
        self.kept += [one for number in sorted(done) for one in done[number]]  # whichever was done first

    def _done(self, works: _Works) -> _Done:
        """Do WORKS, which share what is learned, one after the other, and return the runs of each with its number."""
        done = [(number, self.carry_out(one)) for number, one in works]
        feedback.forget()
        return done

    def carry_out(self, work: Work) -> list[Kept]:
        """Do WORK, write its runs, and return them."""
        with record(template=_template(work), command=self.command, code=__file__) as recording:
            made = [(one, self._path(one, work.target)) for one in work.retrieve()]
            for one, path in made:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_run(Run.from_dict(one.retrieved.ranking, tag=one.tag), path)
                recording.annotate(path, _fields(one))
        return [self._kept(path, one, work) for one, path in made]

    def _path(self, made: Made, target: Collection) -> Path:
        """Return where a run lies."""
        return self.runs / target.name / (made.team.folder or made.team.name) / f"{made.tag}.run"

    def _kept(self, path: Path, made: Made, work: Work) -> Kept:
        """Check the run at PATH, and keep its record in a file of its own as well."""
        side = self.folder / _METADATA / path.relative_to(self.runs).with_name(f"{made.tag}.yml")
        side.parent.mkdir(parents=True, exist_ok=True)
        found = read_record(path)
        side.write_text(found.to_yaml(), encoding="utf-8")
        checked = check_file(path)
        problems = tuple(str(one) for one in checked.findings if one.severity == "error")
        complete = checked.completeness.whole.percent if checked.completeness else 0
        sources = tuple(source.name for source in work.sources)
        return Kept(path, made.tag, made.team, sources, work.target.name, problems, complete, made.retrieved.remarks)

    def overview(self) -> list[tuple[str, ...]]:
        """Return a row for each team and method: researchers, method, target collections, number of runs."""
        runs: dict[tuple[str, str, str], list[str]] = {}
        for one in self.kept:
            runs.setdefault((one.team.name, one.team.authors, one.team.method), []).append(one.target)
        return [(*who, ", ".join(dict.fromkeys(targets)), str(len(targets))) for who, targets in runs.items()]

    def close(self) -> None:
        """Write the overview and what a reader should know."""
        table = io.StringIO()
        csv.writer(table, lineterminator="\n").writerows([HEAD, *self.overview()])
        (self.folder / "overview.csv").write_text(table.getvalue(), encoding="utf-8")
        described = "\n".join(f"- {one.name}: {one.description or 'no description'}" for one in self.collections)
        text = _README.format(collections=described, runs=len(self.kept), target=self.target)
        (self.folder / "README.md").write_text(text, encoding="utf-8")


def _by_sources(works: Sequence[Work]) -> list[_Works]:
    """Return numbered WORKS in lots that learn from the same sources, the largest first, for they take longest."""
    lots: dict[tuple[str | int, ...], _Works] = {}
    for number, work in enumerate(works):
        sources = tuple(source.name for source in work.sources)
        lots.setdefault(sources or (number,), []).append((number, work))
    return sorted(lots.values(), key=len, reverse=True)


def _refuse_names(names: Sequence[str]) -> None:
    """Refuse names of collections that cannot be part of the names of files and tags."""
    for name in names:
        if not _NAME.fullmatch(name) or len(name.encode()) > _LONGEST:
            more = "…" * (len(name) > _LONGEST)
            raise CollectionError(
                f"expected names of collections of letters, digits, underscores, dots and dashes, the first neither a "
                f"dot nor a dash, in at most {_LONGEST} bytes, found {name[:_LONGEST]!r}{more}; give the collection "
                f"another name"
            )


def _template(work: Work) -> Record:
    """Return what is known before the WORK is done."""
    tests = [{"name": "t-test", "correction method": "holm-bonferroni"}]
    data: dict[str, Any] = {"test collection": _collection(work.target)}
    if work.sources:
        data["training data"] = [_collection(source) for source in work.sources]
    return Record(
        {
            "research goal": {"evaluation": {"reported measures": list(MEASURES), "significance test": tests}},
            "implementation": {"source": {"release": f"primad=={version('primad')}", "lang": ["python"]}},
            "method": {"automatic": True, "score ties": "reverse alphabetical order"},
            "data": data,
        }
    )


def _collection(collection: Collection) -> dict[str, Any]:
    """Return what a record says about COLLECTION."""
    return {"name": collection.name} | ({"description": collection.description} if collection.description else {})


def _fields(made: Made) -> dict[str, Any]:
    """Return the fields of one run."""
    retrieved = made.retrieved
    fields: dict[str, Any] = {
        "method.retrieval": retrieved.stages,
        "platform.software.retrieval toolkit": list(retrieved.toolkits),
        "actor.name": f"primad demo, playing the {made.team.name} team",
        "actor.team": made.team.name,
        "actor.role": made.team.role,
    }
    if retrieved.indexing:
        fields |= {f"method.indexing.{key}": value for key, value in retrieved.indexing.items()}
    if made.names:
        fields["research goal.evaluation.baseline"] = [made.names]
    return fields
