"""How is a whole track written to a folder of YAML and files?

    export_track   the folder, and what was left out of it

Written is everything but secrets of remote access, which are never written; gold standards that are hidden and sheets
that are not locked only where private data is asked for.  The folder is there whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from primad.metadata.profile import BUILT_IN
from primad.safe_yaml import write_yaml
from primad.store.database import snapshot
from primad.store.folder import DataFolder
from primad.store.log import details_of
from primad.store.models import Event
from primad.track import filing, rights
from primad.track.folders.columns import described, in_order
from primad.track.models import (
    Analyst,
    Assignment,
    Attempt,
    DataSet,
    Files,
    Machine,
    Output,
    Published,
    Question,
    Sheet,
    SheetTemplate,
    Span,
    Submission,
    System,
    Task,
    Team,
    Track,
    Verdict,
)
from primad.track.scoring import SCORER_SAID
from primad.track.sheet import template_of, tree_of
from primad.trec.files import atomic_folder, refuse_used

LEFT_OUT = "left-out.txt"
_SUBJECTS = ("task", "data set", "team", "analyst", "machine", "submission", "system", "attempt", "sheet")


def export_track(folder: DataFolder, track: Track, target: Path, *, private: bool = False) -> tuple[str, ...]:
    """Write TRACK to the folder TARGET, and return a sentence on each thing that was left out."""
    rights.require(track, "export")
    refuse_used(target)
    with snapshot(), atomic_folder(target) as place:
        writer = _Writer(folder, track, place, private)
        for step in (writer.track_itself, writer.tasks, writer.people, writer.submissions, writer.replication):
            step()
        if writer.left_out:
            (place / LEFT_OUT).write_text("".join(f"{line}\n" for line in writer.left_out), encoding="utf-8")
    return tuple(writer.left_out)


class _Writer:
    """Writes TRACK of FOLDER to PLACE, with PRIVATE data or without it."""

    def __init__(self, folder: DataFolder, track: Track, place: Path, private: bool) -> None:  # noqa: FBT001 - private
        self.folder = folder
        self.track = track
        self.place = place
        self.private = private
        self.left_out: list[str] = []

    def write(self, path: str, tree: Any) -> None:
        """Write TREE as YAML to PATH."""
        target = self.place / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(write_yaml(tree), encoding="utf-8")

    def files(self, path: str, files: Files | None) -> None:
        """Write the contents of FILES to the folder PATH."""
        if files is not None:
            filing.write_tree(self.place / path, filing.contents(self.folder, files))

    def track_itself(self) -> None:
        """Write the track, its sheet, its published figures and its history."""
        self.write("track.yaml", described(self.track))
        for template in SheetTemplate.objects.filter(track=self.track).order_by("version"):
            self.write(f"sheet/{template.version}.yaml", tree_of(template_of(template.content)))
        figures = [described(one) for one in Published.objects.filter(track=self.track).order_by("id")]
        if figures:
            self.write("published.yaml", figures)
        self.write("history.yaml", list(_history(self.track)))

    def tasks(self) -> None:
        """Write tasks and their data sets."""
        for task in Task.objects.filter(track=self.track).order_by("id"):
            top = f"tasks/{task.slug}"
            tree = described(task)
            if task.profile and task.profile not in BUILT_IN:
                (self.place / top).mkdir(parents=True, exist_ok=True)
                (self.place / top / "profile.yaml").write_bytes(self.folder.blobs.get(task.profile))
                tree["profile"] = "profile.yaml"
            self.write(f"{top}/task.yaml", tree)
            self.files(f"{top}/original", task.original_files)
            for data_set in DataSet.objects.filter(task=task).order_by("id"):
                self.data_set(f"{top}/data/{data_set.slug}", data_set)

    def data_set(self, top: str, data_set: DataSet) -> None:
        """Write DATA_SET to the folder TOP, its gold standard only if it may be seen."""
        self.write(f"{top}/data-set.yaml", described(data_set))
        self.files(f"{top}/inputs", data_set.inputs)
        if data_set.gold is None:
            return
        if data_set.public or self.private:
            self.files(f"{top}/gold", data_set.gold)
        else:
            self.left_out.append(f"the gold standard of {data_set.task.slug}/{data_set.slug}; --private has it")

    def people(self) -> None:
        """Write teams and analysts."""
        for team in Team.objects.filter(track=self.track).order_by("id"):
            self.write(f"teams/{team.slug}.yaml", described(team))
        for analyst in Analyst.objects.filter(track=self.track).order_by("id"):
            machines = {one.slug: described(one) for one in Machine.objects.filter(analyst=analyst).order_by("id")}
            self.write(
                f"analysts/{analyst.slug}.yaml", described(analyst) | ({"machines": machines} if machines else {})
            )

    def submissions(self) -> None:
        """Write submissions with their outputs and systems."""
        found = Submission.objects.filter(team__track=self.track).select_related("team", "task")
        for submission in found.order_by("id"):
            top = f"submissions/{submission}"
            tree = {"task": submission.task.slug} | described(submission)
            outputs = [self.output(top, place, one) for place, one in enumerate(_of(Output, submission), 1)]
            systems = [self.system(top, one) for one in _of(System, submission)]
            tree |= ({"outputs": outputs} if outputs else {}) | ({"systems": systems} if systems else {})
            self.write(f"{top}/submission.yaml", tree)

    def output(self, top: str, place: int, output: Output) -> dict[str, Any]:
        """Write the files of OUTPUT below TOP, and return what is said of it."""
        tree = described(output) | ({"data_set": output.data_set.slug} if output.data_set else {})
        if output.files is not None:
            tree["files"] = f"outputs/{place}"
            self.files(f"{top}/outputs/{place}", output.files)
        return tree

    def system(self, top: str, system: System) -> dict[str, Any]:
        """Write the bundle of SYSTEM below TOP, and return what is said of it."""
        tree = described(system)
        if system.bundle is not None:
            tree["bundle"] = f"systems/{system.version}"
            self.files(f"{top}/systems/{system.version}", system.bundle)
        if system.secret:
            tree["secret"] = "left out"  # noqa: S105 - that it is not here
            self.left_out.append(f"the secret of remote access to {system.submission}; it is never written")
        return tree

    def replication(self) -> None:
        """Write assignments, attempts and sheets."""
        assigned = Assignment.objects.filter(analyst__track=self.track)
        rows = assigned.select_related("analyst", "submission__team", "machine").order_by("id")
        if rows:
            self.write("assignments.yaml", [_assigned(one) for one in rows])
        attempts = Attempt.objects.filter(track=self.track).order_by("number")
        for attempt in attempts.select_related(
            "analyst", "submission__team", "system", "data_set", "machine", "repeats"
        ):
            self.attempt(attempt)
        sheets = Sheet.objects.filter(analyst__track=self.track).order_by("id")
        for sheet in sheets.select_related("analyst", "submission__team", "template"):
            self.sheet(sheet)

    def attempt(self, attempt: Attempt) -> None:
        """Write ATTEMPT with everything that belongs to it."""
        top = f"attempts/{attempt.number}"
        tree = {
            "analyst": attempt.analyst.slug,
            "submission": str(attempt.submission),
            "system": attempt.system.version if attempt.system else None,
            "data_set": attempt.data_set.slug if attempt.data_set else None,
            "machine": attempt.machine.slug if attempt.machine else None,
            "repeats": attempt.repeats.number if attempt.repeats else None,
        } | described(attempt)
        tree["spans"] = [described(one) for one in Span.objects.filter(attempt=attempt).order_by("id")]
        tree["questions"] = [described(one) for one in Question.objects.filter(attempt=attempt).order_by("id")]
        verdict = Verdict.objects.filter(attempt=attempt).first()
        tree["verdict"] = self._verdict(verdict) if verdict else None
        self.write(f"{top}/attempt.yaml", {name: value for name, value in tree.items() if value not in (None, [])})
        self.files(f"{top}/output", attempt.output)
        self.files(f"{top}/transcript", attempt.transcript)

    def _verdict(self, verdict: Verdict) -> dict[str, Any]:
        """Return VERDICT, with what a scorer said that failed only if private data is asked for."""
        tree = described(verdict)
        if not self.private:
            tree.get("content", {}).pop(SCORER_SAID, None)
        return tree

    def sheet(self, sheet: Sheet) -> None:
        """Write SHEET, if it is locked or private data is asked for."""
        if sheet.locked_at is None and not self.private:
            self.left_out.append(f"the {sheet}, which is not locked; --private has it")
            return
        self.write(
            f"sheets/{sheet.analyst.slug}/{sheet.submission}.yaml",
            {"version": sheet.template.version} | described(sheet),
        )


def _of(model: Any, submission: Submission) -> Any:
    """Return the rows of MODEL that belong to SUBMISSION, in the order in which they came."""
    return model.objects.filter(submission=submission).order_by("id")


def _assigned(assignment: Assignment) -> dict[str, Any]:
    """Return ASSIGNMENT as a plain tree."""
    machine = {"machine": assignment.machine.slug} if assignment.machine else {}
    who = {"analyst": assignment.analyst.slug, "submission": str(assignment.submission)}
    return who | machine | described(assignment)


def history_of(track: Track) -> Any:
    """Return the events of TRACK, in their order."""
    from django.db.models import Q

    subject = Q(subject=f"track {track.slug}")
    for kind in _SUBJECTS:
        subject |= Q(subject__startswith=f"{kind} {track.slug}/")
    return Event.objects.filter(subject).order_by("id")


def _history(track: Track) -> Iterator[dict[str, Any]]:
    """Yield what was done to TRACK, when and by whom."""
    for event in history_of(track):
        yield {
            "at": event.at.isoformat(),
            "whom": event.whom,
            "verb": event.verb,
            "subject": event.subject,
            "details": in_order(details_of(event)),
        }
