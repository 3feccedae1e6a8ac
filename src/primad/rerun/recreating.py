"""Does the command of an annotated run write the same run again?

rerun   clone the code, look for the libraries, run the command in a sandbox, and judge what it wrote

Nothing is run if something essential is lacking.  Everything happens in a folder that is gone afterwards; only the new
run stays, where it is asked for.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import FileError, PrimadError, UsageError
from primad.evaluation.scorers.reading import called
from primad.metadata import annotation as annotating
from primad.metadata import header
from primad.metadata.reading import metadata_of
from primad.replay.result import Limits, Stage
from primad.replay.sandbox.ladder import find_sandbox
from primad.replay.steps import ending_of
from primad.rerun.cloning import MOST_BYTES, clone
from primad.rerun.inputs import Place, link_into, recorded_digest
from primad.rerun.installing import install
from primad.rerun.lacking import look_again, look_at
from primad.rerun.libraries import held_against, installed_in, java_remark, nearest, requirements
from primad.rerun.planning import given_for, planned
from primad.rerun.recreated import program_digest, record_of
from primad.rerun.result import Rerun
from primad.rerun.running import ENVIRONMENT, Staging, Watch, found_run, readable_by_all, shell_text, workspace
from primad.trec.files import atomic_write, read_bytes
from primad.trec.ranking import ranking_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from primad.metadata.capture import Environment
    from primad.metadata.record import Record
    from primad.replay.result import Rung
    from primad.rerun.cloning import Checkout
    from primad.rerun.given import Given
    from primad.rerun.inputs import Needed
    from primad.rerun.lacking import Looked
    from primad.rerun.libraries import Libraries
    from primad.rerun.running import Written

_STANDARD_INPUT = "-"


def rerun(
    run: str | os.PathLike[str],
    *,
    repository: str | os.PathLike[str] | None = None,
    fetch: bool = False,
    build: bool = False,
    trust: bool = False,
    wanted: Rung | None = None,
    image: str = "",
    qrels: str | os.PathLike[str] | None = None,
    keep: str | os.PathLike[str] | None = None,
    inputs: Iterable[tuple[str, str | os.PathLike[str]]] = (),
    command: str = "",
    values: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
    show: Callable[[str], None] | None = None,
) -> Rerun:
    """Re-create the annotated RUN from what its record says, and judge what comes of it.

    The code is taken from REPOSITORY, or from where the record says; the network is used to FETCH it and libraries, and
    never by the command.  Libraries without a wheel are installed only if they may BUILD themselves, with code of
    theirs.  INPUTS are pairs of a path as the command names it and where that is here.  TRUST and WANTED choose what
    holds the command, in a container of IMAGE if there is one.  With QRELS scores are compared and the reproduction is
    assessed.  The new run goes to KEEP, its record takes VALUES.  SHOW gets what the command prints.
    """
    original = _Original.read(run, qrels)
    annotating.stated(None, values or {}, {})  # what is wrong with them is told before anything is run
    _refuse_what_cannot_be_kept(keep, run)
    given = given_for(
        run,
        repository=Path(repository) if repository is not None else None,
        fetch=fetch,
        build=build,
        command=command,
        inputs={name: Path(path) for name, path in inputs},
    )
    looked = look_at(original.record, given)
    outcome = Rerun(original.name, planned(original.name, looked, given))
    if not looked.is_possible:
        return replace(outcome, reason=_reason(looked))
    enclosure = find_sandbox(trust=trust, wanted=wanted, image=image)
    with workspace() as place:
        staging = Staging(place, enclosure, limits or Limits(), show or _nobody)
        return _Again(original, given, looked, staging, outcome, values or {}).result(Path(keep) if keep else None)


def _refuse_what_cannot_be_kept(keep: str | os.PathLike[str] | None, run: str | os.PathLike[str]) -> None:
    """Refuse a place for the new run that is the original, or in no folder."""
    if keep is None:
        return
    place = Path(keep)
    if not place.absolute().parent.is_dir():
        raise FileError(str(place), "its folder is not there", "make it, or name another place")
    if place.exists() and Path(run).exists() and place.samefile(run):
        raise UsageError(f"{place} is the original; expected another place for the new run")


def _nobody(_line: str) -> None:
    """Show a line to nobody."""


def _reason(looked: Looked) -> str:
    """Return why nothing was run."""
    count = sum(lack.is_essential for lack in looked.lacks)
    return "something that is needed is not known" if count == 1 else f"{count} things that are needed are not known"


@dataclass(frozen=True)
class _Original:
    """The run that is to be re-created: its RECORD, its RANKING, and judgments if there are any."""

    name: str
    record: Record
    ranking: bytes
    gold: Mapping[str, bytes] = field(repr=False)

    @classmethod
    def read(cls, run: str | os.PathLike[str], qrels: str | os.PathLike[str] | None) -> _Original:
        """Read RUN and QRELS, and refuse what could not be compared in the end."""
        from primad.trec import read_qrels, read_run

        data, name = read_bytes(run), os.fspath(run)
        metadata = metadata_of(data, name)
        if metadata is None:
            raise FileError(name, "has no metadata, so nobody knows how it was made", "record runs with: primad exec")
        ranking = header.split(data, name).rest
        if not ranking.strip() or (not metadata.blocks and metadata.name == name):
            raise FileError(name, "expected an annotated run, found metadata alone")
        with called(name):
            read_run(data)
        gold = {os.fspath(qrels): read_bytes(qrels)} if qrels is not None else {}
        for place, content in gold.items():
            with called(place):
                read_qrels(content)
        return cls(name, metadata.record, ranking, gold)


class _Stopped(Exception):
    """A rerun that got no further, and why."""


@dataclass
class _Again:
    """A rerun on its way."""

    original: _Original
    given: Given
    looked: Looked
    staging: Staging
    outcome: Rerun
    values: Mapping[str, Any]
    libraries: Libraries | None = None
    python: str = ""
    environment: Environment | None = None
    remarks: list[str] = field(default_factory=list)

    def result(self, keep: Path | None) -> Rerun:
        """Do everything, and return what came of it; the new run goes to KEEP."""
        try:
            checkout = self._clone()
            self._prepare()
            items = self._place_inputs(checkout)
            written = self._run(checkout, items)
            ranking = header.split(read_bytes(written.path, limit=self.staging.limits.output), written.name).rest
            outcome = self._judged(ranking, checkout, items)
        except (_Stopped, FileError) as error:
            lines = self.staging.last_lines() if self.staging.steps else ()
            return replace(self._so_far(), reason=str(error), last_lines=lines)
        if keep:
            with atomic_write(keep) as stream:
                stream.write(outcome.data)
        return replace(outcome, name=written.name, output=keep)

    def _so_far(self) -> Rerun:
        """Return what is known by now."""
        return replace(
            self.outcome,
            sandbox=self.staging.enclosure.sandbox,
            steps=tuple(self.staging.steps),
            libraries=self.libraries,
            remarks=tuple(dict.fromkeys(self.remarks)),
        )

    def _clone(self) -> Checkout:
        """Clone the code, and look again at what is lacking now that its files are known."""
        origin, stated = self.looked.origin, self.looked.stated
        if origin is None:
            raise _Stopped("where the code is to be had is not known")
        most = min(MOST_BYTES, self.staging.limits.disk)
        checkout = clone(origin, stated.commit, self.staging.code, fetch=self.given.fetch, most=most)
        self.looked = look_again(stated, self.given, origin, checkout.committed)
        self.outcome = replace(self.outcome, plan=planned(self.original.name, self.looked, self.given))
        if not self.looked.is_possible:
            raise _Stopped(_reason(self.looked))
        self.remarks += checkout.remarks
        if stated.tree and stated.tree != checkout.tree:
            self.remarks.append("the record states another tree of files than the commit has")
        digest = program_digest(stated, checkout.folder)
        if digest and stated.digest and digest != stated.digest:
            self.remarks.append(f"{stated.program} of the commit is another file than the one that was run")
        return checkout

    def _prepare(self) -> None:
        """Choose a Python, and install the stated libraries if that is wanted and not all of them are here."""
        stated = self.looked.stated
        self.remarks += filter(None, [java_remark(stated)])
        chosen = nearest(stated) if stated.uses_python else None
        if chosen is None:
            if stated.uses_python:
                self.remarks.append("this machine has no Python that answers")
            return
        self.python = shlex.quote(chosen.executable)
        self.environment = chosen.environment
        self.staging.extra = chosen.folders
        self.libraries = held_against(stated, chosen.environment)
        known, others = requirements(stated)
        if not self.given.fetch or not known or not (self.libraries.other or self.libraries.absent):
            return
        if others:
            self.remarks.append(f"not installed, for pip cannot be asked for it like that: {', '.join(others)}")
        done = install(self.staging, chosen, known, build=self.given.build)
        self.remarks += done.remarks
        if not done.step.succeeded:
            hint = "" if self.given.build else "; those without a wheel are built only with --build"
            how = f"{done.step.stage} {ending_of(done.step)}"
            raise _Stopped(f"the stated libraries could not be installed: {how}{hint}")
        self.python = f'"$HOME/{ENVIRONMENT}/bin/python"'
        self.environment = installed_in(self.staging.environment, chosen.environment.runtime)
        self.libraries = held_against(stated, self.environment)

    def _place_inputs(self, checkout: Checkout) -> tuple[Needed, ...]:
        """Put what the command reads where it looks for it, and return what that is."""
        items = readable_by_all(self.staging, self.looked.needed)
        shown = link_into(checkout.folder, self.looked.stated, items)
        self.staging.extra = (*self.staging.extra, *shown)
        recorded = {file.path: file.sha256 for file in self.looked.stated.inputs}
        return tuple(self._compared_with_recorded(one, recorded.get(one.name, ""), checkout) for one in items)

    def _compared_with_recorded(self, one: Needed, sha256: str, checkout: Checkout) -> Needed:
        """Return ONE with a remark if the commit has another file than was read."""
        place = self.looked.stated.in_code(one.name) if one.place is Place.COMMIT else None
        path = checkout.folder / place if place else None
        if path is None or not sha256 or path.is_symlink() or recorded_digest(path) == sha256:
            return one
        self.remarks.append(f"{one.name} of the commit is another file than the one that was read")
        return replace(one, remark="another file")

    def _run(self, checkout: Checkout, items: tuple[Needed, ...]) -> Written:
        """Run the command, and return the run that it wrote."""
        stated = self.looked.stated
        if not (checkout.folder / stated.folder).is_dir():
            raise _Stopped(f"the commit has no folder {stated.folder}")
        text = shell_text(stated, self.given, items, self.python)
        path = f'export PATH="$HOME/{ENVIRONMENT}/bin:$PATH"; ' if self.staging.environment.is_dir() else ""
        watch = Watch(self.staging, stated.folder)
        step = self.staging.step(path + text, Stage.RUN, network=False)
        if step.remark:
            self.remarks.append(step.remark)
        if not step.succeeded:
            raise _Stopped(f"the command {ending_of(step)}")
        return found_run(watch.written(), stated, self.given)

    def _judged(self, ranking: bytes, checkout: Checkout, items: tuple[Needed, ...]) -> Rerun:
        """Return the result, with the new RANKING held against that of the original."""
        from primad.reproducibility.comparison import compare_records

        original = self.original
        tree = record_of(
            original.record,
            self.looked.stated,
            checkout,
            environment=self.environment,
            sandbox=self.staging.enclosure.sandbox,
            step=self.staging.steps[-1],
            items=items,
        )
        annotation = annotating.annotate(ranking, recorded=tree, values=self.values)
        self.remarks += annotation.remarks
        if self.looked.stated.ranking not in {"", ranking_digest(original.ranking)}:
            self.remarks.append("the ranking of the original was changed after it was recorded")
        return self._scored(
            ranking,
            data=annotation.data,
            record=annotation.record,
            is_copy=ranking == original.ranking,
            type=compare_records(original.record, annotation.record),
        )

    def _scored(self, ranking: bytes, **known: Any) -> Rerun:
        """Return the result with what the rankings, and with qrels the scores, say of it."""
        from primad.evaluation.scorers import scorer
        from primad.reproducibility.verdict import judge

        trec, original = scorer("trec"), self.original
        before, after = {"original": original.ranking}, {"the new run": ranking}
        try:
            compared = trec.compare(before, after)
        except PrimadError as error:
            raise _Stopped(f"what the command wrote is no run that can be read ({error})") from None
        if original.gold:
            known["assessment"] = self._assessed(ranking, known["record"])
            try:
                known["verdict"] = judge(trec, original.gold, before, after)
            except PrimadError as error:
                known["no_verdict"] = str(error)
        return replace(self._so_far(), compared=compared, **known)

    def _assessed(self, ranking: bytes, record: Record) -> Any:
        """Return how well a RANKING with this RECORD reproduces the original, None with a remark if nobody can say."""
        from primad.reproducibility.assessment.assess import assess
        from primad.trec import read_qrels, read_run

        said = (self.original.record, self.original.ranking), (record, ranking)
        original, again = (read_run(header.with_block(one.to_yaml(), lines)) for one, lines in said)
        ((place, content),) = self.original.gold.items()
        qrels = read_qrels(content) if place == _STANDARD_INPUT else place  # which cannot be read a second time
        try:
            return assess(original, {"re-created": again}, qrels)
        except PrimadError as error:
            self.remarks.append(f"the reproduction could not be assessed: {error}")
            return None
