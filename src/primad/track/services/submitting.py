"""What do teams submit?

    Submitted          a submission as it was taken, with what its team should know
    submit             a submission with its outputs, checked and scored
    submit_bundle      its system as a bundle
    submit_remote      its system by remote access
    withdraw           a submission out of the track; nothing is deleted
    reinstate          a submission that was withdrawn

An output that the task's scorer cannot read is refused, and so is a run that breaks the task's profile: a team hears of
it now, and not from an analyst in some weeks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.db.models import Max

from primad.errors import DataError, FileError, UsageError
from primad.store.blobs import digest_of
from primad.store.folder import DataFolder
from primad.store.log import note
from primad.store.profiles import profile_in_force
from primad.track import filing
from primad.track.assessing import ROLES
from primad.track.bundles import manifest_of_bundle
from primad.track.models import DataSet, Output, Submission, System, Task, Team
from primad.track.naming import named, slug_of, text_of, title_of
from primad.track.outputs import NewOutput, disagreements, impossible, unknown
from primad.track.scoring import at_work, has_gold, scored_output, scorer_of
from primad.track.services._changing import changing, refuse_who_may_not
from primad.track.sight import Sight

if TYPE_CHECKING:
    from primad.replay.manifest import Manifest
    from primad.replay.preflight import Missing


@dataclass(frozen=True)
class Submitted:
    """A submission that was taken, by its address; REMARKS are sentences for its team, MISSING what analysts miss."""

    submission: str
    remarks: tuple[str, ...] = ()
    missing: tuple[Missing, ...] = ()


def submit(
    folder: DataFolder,
    team: Team,
    task: Task,
    slug: str,
    outputs: Sequence[NewOutput],
    *,
    title: str = "",
    about: str = "",
) -> Submitted:
    """Take the submission SLUG of TEAM to TASK with its OUTPUTS, all of them or none."""
    if not outputs:
        raise UsageError("expected at least one output, found none")
    with changing(task.track, "submit", of=team):
        _refuse_taken(team, slug)  # before anything is scored, which may take long
    with at_work():
        scored = [(one, _scored(folder, task, one)) for one in outputs]
    with changing(task.track, "submit", of=team):
        _refuse_taken(team, slug)
        submission: Submission = Submission.objects.create(
            team=team,
            task=task,
            slug=slug_of(slug, "a submission"),
            title=title_of(title),
            about=text_of(about),
            submitted_at=datetime.now(UTC),
        )
        remarks = [remark for one, scores in scored for remark in _take(folder, submission, one, scores)]
        note("submitted", f"submission {task.track.slug}/{submission}", task=task.slug, outputs=len(outputs))
    return Submitted(str(submission), tuple(remarks))


def _refuse_taken(team: Team, slug: str) -> None:
    """Refuse a name that TEAM has used."""
    if Submission.objects.filter(team=team, slug=slug).exists():
        raise UsageError(f"{team.slug}/{slug} was submitted already; name another")


def _scored(folder: DataFolder, task: Task, new: NewOutput) -> dict[str, float]:
    """Return the scores of a NEW output, if TASK can use it."""
    data_set = _data_set(task, new.data_set)
    _refuse_nothing(task, new)
    _refuse_other_role(task, slug_of(new.configuration, "a configuration"))
    _check_runs(folder, task, new.files)
    return scored_output(folder, task, data_set, new.files) if new.files else {}


def _take(folder: DataFolder, submission: Submission, new: NewOutput, scores: Mapping[str, float]) -> Iterator[str]:
    """Keep a NEW output of SUBMISSION with its SCORES, and yield what its team should know."""
    task = submission.task
    data_set = _data_set(task, new.data_set)
    same = Output.objects.filter(submission=submission, configuration=new.configuration, data_set=data_set)
    if task.kind != "measure" and same.exists():
        raise UsageError(f"expected one output of {new.configuration} on {data_set}, found two; name configurations")
    values = {title_of(name): _number(name, value) for name, value in new.values.items()}
    Output.objects.create(
        submission=submission,
        configuration=new.configuration,
        data_set=data_set,
        files=filing.keep(folder, new.files) if new.files else None,
        values=values,
        scored=dict(scores),
        conditions={title_of(name): title_of(value) for name, value in new.conditions.items()},
        record=dict(new.record) or _record_in(new.files),
    )
    if (data_set is not None and data_set.public) or Sight.of(task.track).sees("scores"):
        yield from disagreements(new.configuration, values, scores)
    elif task.scorer != "command":  # whose scale nobody knows
        yield from impossible(new.configuration, values, set(scores) - scorer_of(task).off_scale)
    if task.kind != "measure" and has_gold(data_set) and (measures := scorer_of(task).measures):
        yield from unknown(new.configuration, values, measures)
    yield from _copied(new.files, data_set)


def _copied(files: Mapping[str, bytes], data_set: DataSet | None) -> Iterator[str]:
    """Yield which of FILES are an input of DATA_SET: somebody has taken the wrong file."""
    inputs = {digest: path for path, digest in filing.digests(data_set.inputs).items()} if data_set else {}
    for path, data in files.items():
        known = inputs.get(digest_of(data))
        if known:
            yield f"{path} is byte for byte {known}, an input of the data set {data_set}; was another file meant?"


def _data_set(task: Task, slug: str) -> DataSet | None:
    """Return the data set of TASK that is called SLUG, or the only one."""
    known = DataSet.objects.filter(task=task)
    if slug:
        found: DataSet = named(known, slug, "data set")
        return found
    several = list(known.order_by("id")[:2])
    if len(several) > 1:
        raise UsageError(f"the task {task.slug} has several data sets; say which one", "with --data-set")
    return several[0] if several else None


def _refuse_nothing(task: Task, new: NewOutput) -> None:
    """Refuse a NEW output that says nothing TASK could use."""
    if new.files and not any(new.files.values()):
        raise UsageError(f"expected an output for the task {task.slug}, found nothing in {', '.join(new.files)}")
    if not new.files and not (task.kind == "measure" and new.values):
        wanted = "files or measured values" if task.kind == "measure" else "the files of an output"
        raise UsageError(f"expected {wanted} for the task {task.slug}, found none")


def _refuse_other_role(task: Task, configuration: str) -> None:
    """Refuse a CONFIGURATION that does not say which run of an experiment it is, where TASK compares experiments."""
    if task.kind == "reproduce" and configuration not in ("default", *ROLES):
        raise UsageError(f"expected the configuration {' or '.join(ROLES)} in {task.slug}, found '{configuration}'")


def _check_runs(folder: DataFolder, task: Task, files: Mapping[str, bytes]) -> None:
    """Refuse runs among FILES that break the profile of TASK."""
    if not task.profile or not files:
        return
    from primad.metadata.checking.files import Demands, check_data

    profile = profile_in_force(folder, task.profile)
    for path, data in files.items():
        checked, _ = check_data(data, path, Demands(profile))
        errors = [finding for finding in checked.findings if finding.severity == "error"]
        if errors:
            more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
            raise FileError(path, f"{errors[0]}{more}", "see all with: primad check --profile PROFILE RUN")


def _record_in(files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the metadata that a run among FILES carries, nothing if there is none."""
    from primad.metadata import read_record

    for data in files.values():
        if data.lstrip()[:2] == b"# ":
            try:
                return dict(read_record(data).tree)
            except (FileError, DataError):
                return {}
    return {}


def _number(name: str, value: object) -> float:
    """Return VALUE, measured by a team as NAME, if it is a number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise DataError(f"expected a number as {name[:80]}, found {value!r:.60}")
    return float(value)


# Systems ---------------------------------------------------------------------------------------------------------


def submit_bundle(folder: DataFolder, submission: Submission, name: str, data: bytes) -> Submitted:
    """Take DATA, the bundle called NAME, as the system of SUBMISSION, if it can be unpacked and says how to run it."""
    from primad.replay.manifest import manifest_tree

    refuse_who_may_not(submission.task.track, "submit-system", submission.team)
    manifest, missing = manifest_of_bundle(data, name)
    unknown = _unknown_configurations(submission, manifest)
    with changing(submission.task.track, "submit-system", of=submission.team):
        System.objects.create(
            submission=submission,
            version=_next_version(submission),
            kind="bundle",
            bundle=filing.keep(folder, {name: data}),
            manifest=manifest_tree(manifest),
            operating_system=title_of(manifest.operating_system),
            language=title_of(manifest.language),
            submitted_at=datetime.now(UTC),
        )
        note("submitted", f"system {submission.task.track.slug}/{submission}", kind="bundle", name=name)
    return Submitted(str(submission), unknown, missing)


def _next_version(submission: Submission) -> int:
    """Return the version that the next system of SUBMISSION is; a track that was imported may lack former ones."""
    return int(System.objects.filter(submission=submission).aggregate(last=Max("version"))["last"] or 0) + 1


def _unknown_configurations(submission: Submission, manifest: Manifest) -> tuple[str, ...]:
    """Return sentences on configurations that only the outputs of SUBMISSION or only its MANIFEST has."""
    submitted = set(Output.objects.filter(submission=submission).values_list("configuration", flat=True))
    missing = sorted(submitted - set(manifest.configurations))
    return tuple(f"the bundle has no configuration '{name}', of which an output was submitted" for name in missing)


def submit_remote(
    submission: Submission, instructions: str, *, secret: str = "", operating_system: str = "", language: str = ""
) -> System:
    """Take remote access as the system of SUBMISSION: INSTRUCTIONS for analysts, and a SECRET that is encrypted."""
    from primad.track.secrets import sealed

    if not instructions.strip():
        raise UsageError("expected instructions on how to reach and use the system, found none")
    token = sealed(secret) if secret else ""
    with changing(submission.task.track, "submit-system", of=submission.team):
        system: System = System.objects.create(
            submission=submission,
            version=_next_version(submission),
            kind="remote",
            instructions=text_of(instructions),
            secret=token,
            operating_system=title_of(operating_system),
            language=title_of(language),
            submitted_at=datetime.now(UTC),
        )
        note("submitted", f"system {submission.task.track.slug}/{submission}", kind="remote")
    return system


def withdraw(submission: Submission, reason: str) -> None:
    """Take SUBMISSION out of the track for a REASON; nothing is deleted."""
    with changing(submission.task.track, "withdraw", of=submission.team):
        Submission.objects.filter(pk=submission.pk).update(withdrawn_at=datetime.now(UTC))
        note("withdrew", f"submission {submission.task.track.slug}/{submission}", reason=text_of(reason))


def reinstate(submission: Submission, reason: str) -> None:
    """Bring SUBMISSION, which was withdrawn, back into the track for a REASON."""
    with changing(submission.task.track, "reinstate", of=submission.team):
        if not Submission.objects.filter(pk=submission.pk).exclude(withdrawn_at=None).update(withdrawn_at=None):
            raise UsageError(f"{submission} is not withdrawn")
        note("reinstated", f"submission {submission.task.track.slug}/{submission}", reason=text_of(reason))
