"""What is stored of a replication track?

    Track                  a track with its phase and dates
    SheetTemplate          the questions of its sheet, versioned
    Task, DataSet          what systems have to do, on which inputs, judged by which scorer against which gold standard
    Team, Submission       who takes part, and what they have submitted to a task
    Output                 what a team says its system gives: one configuration on one data set, with measured values
    System                 the system itself: a bundle, or remote access
    Analyst, Machine       who runs systems again, and on what
    Assignment             who runs which
    Attempt                one go at it, with its outcome
    Span, Question         times that an analyst worked on it, and what authors were asked
    Sheet                  an analyst's answers on a submission
    Verdict                a replicated output beside the submitted one
    Published              a figure that was published without what it was made of
    Files, File            a set of files, each by the digest of its content

Contents are kept by their digest (primad.store.blobs); the database knows digests only.  Slugs tell things apart within
a track, and are what people type.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from primad.track.phases import PHASES
from primad.track.wellformed import KINDS, LONGEST_SLUG, ROLES, STATES, SYSTEMS, check_path, check_slug, choices

DIGEST = 64
SLUG = LONGEST_SLUG
NAME = 200


class Files(models.Model):
    """A set of files that belong together: a data set, an output, a bundle."""

    def __str__(self) -> str:
        """Return how many there are."""
        return f"{File.objects.filter(files=self).count()} files"


class File(models.Model):
    """One file: its PATH within the set, the DIGEST of its content and its SIZE in bytes."""

    files: Files = models.ForeignKey(Files, on_delete=models.CASCADE, related_name="files")
    path: str = models.CharField(max_length=1000, validators=[check_path])
    digest: str = models.CharField(max_length=DIGEST)
    size: int = models.BigIntegerField()

    class Meta:
        """A set has each path once."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["files", "path"], name="file_path_once")]

    def __str__(self) -> str:
        """Return the path."""
        return self.path


class Track(models.Model):
    """A track: its PHASE, the DATES of phases (by their names, each with opens and closes), and its rules.

    BUDGET is the minutes that an analyst gives to one system.  A BLIND track shows a sheet to other analysts only once
    all analysts of that submission have locked theirs.
    """

    slug: str = models.CharField(max_length=SLUG, unique=True, validators=[check_slug])
    title: str = models.CharField(max_length=NAME)
    about: str = models.TextField(blank=True, default="")
    source: str = models.TextField(blank=True, default="")  # where what is known of it was published
    phase: str = models.CharField(max_length=20, default="set-up", choices=choices(PHASES))
    dates: dict[str, Any] = models.JSONField(default=dict)
    budget: int = models.IntegerField(default=480)
    blind: bool = models.BooleanField(default=False)
    created_at: datetime = models.DateTimeField()

    def __str__(self) -> str:
        """Return the slug."""
        return self.slug


class SheetTemplate(models.Model):
    """The questions of a track's sheet as they stand from VERSION on; primad.track.sheet reads them."""

    track: Track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="templates")
    version: int = models.IntegerField()
    content: dict[str, Any] = models.JSONField(default=dict)

    class Meta:
        """Versions are counted."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["track", "version"], name="template_version_once")]

    def __str__(self) -> str:
        """Return track and version."""
        return f"{self.track} sheet {self.version}"


class Task(models.Model):
    """A task: its KIND, its SCORER with SETTINGS (format, measures, primary), and what a replay may use.

    PROFILE is what runs are checked by.  ORIGINAL says for the kind "reproduce" what is reproduced.
    """

    track: Track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="tasks")
    slug: str = models.CharField(max_length=SLUG, validators=[check_slug])
    title: str = models.CharField(max_length=NAME)
    about: str = models.TextField(blank=True, default="")
    kind: str = models.CharField(max_length=20, default="replicate", choices=choices(KINDS))
    scorer: str = models.CharField(max_length=20)
    settings: dict[str, Any] = models.JSONField(default=dict)
    primary: str = models.CharField(max_length=NAME, blank=True, default="")
    profile: str = models.CharField(max_length=NAME, blank=True, default="")
    limits: dict[str, Any] = models.JSONField(default=dict)
    network_to_install: bool = models.BooleanField(default=False)
    original: dict[str, Any] = models.JSONField(default=dict)
    original_files: Files | None = models.ForeignKey(Files, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        """A track has each slug once."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["track", "slug"], name="task_slug_once")]

    def __str__(self) -> str:
        """Return the slug."""
        return self.slug


class DataSet(models.Model):
    """A data set of a task: the INPUTS that systems see and the GOLD that nobody but the scorer sees.

    Where PUBLIC is true, the gold standard is nobody's secret.
    """

    task: Task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="data_sets")
    slug: str = models.CharField(max_length=SLUG, validators=[check_slug])
    about: str = models.TextField(blank=True, default="")
    inputs: Files | None = models.ForeignKey(Files, null=True, on_delete=models.PROTECT, related_name="+")
    gold: Files | None = models.ForeignKey(Files, null=True, on_delete=models.PROTECT, related_name="+")
    public: bool = models.BooleanField(default=False)

    class Meta:
        """A task has each slug once."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["task", "slug"], name="data_set_slug_once")]

    def __str__(self) -> str:
        """Return the slug."""
        return self.slug


class Team(models.Model):
    """A team, with the address that analysts may ask at."""

    track: Track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="teams")
    slug: str = models.CharField(max_length=SLUG, validators=[check_slug])
    title: str = models.CharField(max_length=NAME)
    contact: str = models.CharField(max_length=NAME, blank=True, default="")
    note: str = models.TextField(blank=True, default="")

    class Meta:
        """A track has each slug once."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["track", "slug"], name="team_slug_once")]

    def __str__(self) -> str:
        """Return the slug."""
        return self.slug


class Submission(models.Model):
    """What a team has submitted to a task; its address is TEAM/SLUG.

    ELIGIBLE says whether it is replicated, None while nobody has decided, and REASON why.
    """

    team: Team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="submissions")
    task: Task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="submissions")
    slug: str = models.CharField(max_length=SLUG, validators=[check_slug])
    title: str = models.CharField(max_length=NAME, blank=True, default="")
    about: str = models.TextField(blank=True, default="")
    submitted_at: datetime = models.DateTimeField()
    eligible: bool | None = models.BooleanField(null=True)
    reason: str = models.TextField(blank=True, default="")
    withdrawn_at: datetime | None = models.DateTimeField(null=True)

    class Meta:
        """A team has each slug once."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["team", "slug"], name="submission_slug_once")]

    def __str__(self) -> str:
        """Return the address."""
        return f"{self.team.slug}/{self.slug}"


class Output(models.Model):
    """What a team says its system gives: FILES of one CONFIGURATION on one data set, and VALUES by measure.

    SCORED are the values that the task's scorer found, by measure.  For the kind "measure" there may be values only.
    """

    submission: Submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="outputs")
    configuration: str = models.CharField(max_length=SLUG, default="default", validators=[check_slug])
    data_set: DataSet | None = models.ForeignKey(DataSet, null=True, on_delete=models.PROTECT, related_name="outputs")
    files: Files | None = models.ForeignKey(Files, null=True, on_delete=models.PROTECT, related_name="+")
    values: dict[str, Any] = models.JSONField(default=dict)
    scored: dict[str, Any] = models.JSONField(default=dict)
    conditions: dict[str, Any] = models.JSONField(default=dict)  # of a repeated evaluation, for the kind "measure"
    record: dict[str, Any] = models.JSONField(default=dict)  # how it was made, as PRIMAD metadata

    def __str__(self) -> str:
        """Return submission and configuration."""
        return f"{self.submission} {self.configuration}"


class System(models.Model):
    """The system of a submission: a BUNDLE with its MANIFEST, or remote access with INSTRUCTIONS.

    SECRET is what is needed to reach it, encrypted by primad.track.secrets.  The newest VERSION counts.
    """

    submission: Submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="systems")
    version: int = models.IntegerField(default=1)
    kind: str = models.CharField(max_length=20, blank=True, default="bundle", choices=choices(SYSTEMS))
    bundle: Files | None = models.ForeignKey(Files, null=True, on_delete=models.PROTECT, related_name="+")
    manifest: dict[str, Any] = models.JSONField(default=dict)
    operating_system: str = models.CharField(max_length=NAME, blank=True, default="")
    language: str = models.CharField(max_length=NAME, blank=True, default="")
    instructions: str = models.TextField(blank=True, default="")
    secret: str = models.TextField(blank=True, default="")
    submitted_at: datetime = models.DateTimeField()

    class Meta:
        """Versions are counted."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["submission", "version"], name="system_version_once")]

    def __str__(self) -> str:
        """Return submission and version."""
        return f"{self.submission} system {self.version}"


class Analyst(models.Model):
    """An analyst: in the ROLE of a user or a developer, with a background, and teams that are CONFLICTS of interest."""

    track: Track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="analysts")
    slug: str = models.CharField(max_length=SLUG, validators=[check_slug])
    title: str = models.CharField(max_length=NAME)
    role: str = models.CharField(max_length=20, blank=True, choices=choices(ROLES))
    background: str = models.TextField(blank=True, default="")
    conflicts: dict[str, Any] = models.JSONField(default=dict)  # the slug of a team, and why

    class Meta:
        """A track has each slug once."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["track", "slug"], name="analyst_slug_once")]

    def __str__(self) -> str:
        """Return the slug."""
        return self.slug


class Machine(models.Model):
    """A machine of an analyst: FACTS as a table shows them, RECORD as it was captured."""

    analyst: Analyst = models.ForeignKey(Analyst, on_delete=models.CASCADE, related_name="machines")
    slug: str = models.CharField(max_length=SLUG, validators=[check_slug])
    facts: dict[str, Any] = models.JSONField(default=dict)  # operating_system, memory, cache, processor
    record: dict[str, Any] = models.JSONField(default=dict)  # the component "platform" of a record

    class Meta:
        """An analyst has each slug once."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["analyst", "slug"], name="machine_slug_once")]

    def __str__(self) -> str:
        """Return analyst and machine."""
        return f"{self.analyst}/{self.slug}"


class Assignment(models.Model):
    """An analyst who is to run a submission's system, BY_HAND or by the matrix."""

    analyst: Analyst = models.ForeignKey(Analyst, on_delete=models.CASCADE, related_name="assignments")
    submission: Submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="assignments")
    machine: Machine | None = models.ForeignKey(Machine, null=True, on_delete=models.PROTECT, related_name="+")
    by_hand: bool = models.BooleanField(default=False)
    note: str = models.TextField(blank=True, default="")

    class Meta:
        """Nobody is assigned twice."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["analyst", "submission"], name="assigned_once")]

    def __str__(self) -> str:
        """Return who runs what."""
        return f"{self.analyst} runs {self.submission}"


class Attempt(models.Model):
    """One go of an analyst at a system: one CONFIGURATION on one data set, on one machine.

    STATE is "open", "running" (a replay is at work), "stopped" (one was, and can go on), "succeeded", "failed" or
    "abandoned"; a failure has a STAGE and a REASON.  REPLAY is what primad.replay wrote down, if it ran the system;
    RECORD is on what it ran, if a replay ended the attempt, and empty if a person did.  RUN_SECONDS is what the run
    took, measured by it or by the analyst.  SCORED are the values of the output by measure.  LEVEL is that of
    repeatability (1 to 4), None while nobody has decided.  Whoever runs a replay holds the lease: HOLDER says who,
    BEAT_AT when it was last seen alive.
    """

    track: Track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="attempts")
    number: int = models.IntegerField()
    analyst: Analyst = models.ForeignKey(Analyst, on_delete=models.PROTECT, related_name="attempts")
    submission: Submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="attempts")
    system: System | None = models.ForeignKey(System, null=True, on_delete=models.PROTECT, related_name="attempts")
    configuration: str = models.CharField(max_length=SLUG, default="default", validators=[check_slug])
    data_set: DataSet | None = models.ForeignKey(DataSet, null=True, on_delete=models.PROTECT, related_name="attempts")
    machine: Machine | None = models.ForeignKey(Machine, null=True, on_delete=models.PROTECT, related_name="attempts")
    repeats: Attempt | None = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="repeated_by")
    state: str = models.CharField(max_length=20, default="open", choices=choices(STATES))
    stage: str = models.CharField(max_length=20, blank=True, default="")
    reason: str = models.TextField(blank=True, default="")
    note: str = models.TextField(blank=True, default="")
    opened_at: datetime = models.DateTimeField()
    closed_at: datetime | None = models.DateTimeField(null=True)
    run_seconds: float | None = models.FloatField(null=True)
    replay: dict[str, Any] = models.JSONField(default=dict)
    output: Files | None = models.ForeignKey(Files, null=True, on_delete=models.PROTECT, related_name="+")
    transcript: Files | None = models.ForeignKey(Files, null=True, on_delete=models.PROTECT, related_name="+")
    scored: dict[str, Any] = models.JSONField(default=dict)
    record: dict[str, Any] = models.JSONField(default=dict)
    level: int | None = models.IntegerField(null=True)
    level_note: str = models.TextField(blank=True, default="")
    holder: str = models.CharField(max_length=NAME, blank=True, default="")
    beat_at: datetime | None = models.DateTimeField(null=True)

    class Meta:
        """Attempts of a track are counted."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["track", "number"], name="attempt_number_once")]

    def __str__(self) -> str:
        """Return how a message calls the attempt."""
        return f"attempt {self.number} ({self.analyst} on {self.submission})"


class Span(models.Model):
    """A while that an analyst worked on an attempt, at a STAGE; CORRECTED keeps what stood there before."""

    attempt: Attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="spans")
    stage: str = models.CharField(max_length=20, blank=True, default="")
    started_at: datetime = models.DateTimeField()
    ended_at: datetime | None = models.DateTimeField(null=True)
    note: str = models.TextField(blank=True, default="")
    corrected: dict[str, Any] = models.JSONField(default=dict)

    def __str__(self) -> str:
        """Return the times."""
        return f"{self.started_at} to {self.ended_at}"


class Question(models.Model):
    """What the authors of a system were asked during an attempt, and what they answered."""

    attempt: Attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="questions")
    asked_at: datetime = models.DateTimeField()
    text: str = models.TextField()
    answered_at: datetime | None = models.DateTimeField(null=True)
    answer: str = models.TextField(blank=True, default="")

    def __str__(self) -> str:
        """Return the question."""
        return self.text


class Sheet(models.Model):
    """An analyst's ANSWERS on a submission, by question: value, what was proposed, note and comment."""

    analyst: Analyst = models.ForeignKey(Analyst, on_delete=models.PROTECT, related_name="sheets")
    submission: Submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="sheets")
    template: SheetTemplate = models.ForeignKey(SheetTemplate, on_delete=models.PROTECT, related_name="sheets")
    answers: dict[str, Any] = models.JSONField(default=dict)
    locked_at: datetime | None = models.DateTimeField(null=True)

    class Meta:
        """An analyst fills one sheet on a submission."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["analyst", "submission"], name="sheet_once")]

    def __str__(self) -> str:
        """Return whose sheet on what."""
        return f"sheet of {self.analyst} on {self.submission}"


class Verdict(models.Model):
    """What was found when an attempt's output was put beside the submitted one; CONTENT is that of the arithmetic."""

    attempt: Attempt = models.OneToOneField(Attempt, on_delete=models.CASCADE, related_name="verdict")
    agreement: str = models.CharField(max_length=40)
    points: int = models.IntegerField()
    primary: str = models.CharField(max_length=NAME)
    submitted: float | None = models.FloatField(null=True)
    replicated: float | None = models.FloatField(null=True)
    content: dict[str, Any] = models.JSONField(default=dict)
    made_at: datetime = models.DateTimeField()

    def __str__(self) -> str:
        """Return the agreement."""
        return self.words

    @property
    def words(self) -> str:
        """Return the agreement in words, with the limit that was in force."""
        return str(self.content.get("words") or self.agreement)


class Published(models.Model):
    """A figure that was published without what it was made of: an aggregate is kept as what it is.

    TABLE says what it belongs to ("time" or "score"), NAME what it is about within it, CONTENT what was printed.
    """

    track: Track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="published")
    table: str = models.CharField(max_length=20)
    name: str = models.CharField(max_length=NAME)
    content: dict[str, Any] = models.JSONField(default=dict)

    def __str__(self) -> str:
        """Return table and name."""
        return f"{self.table}: {self.name}"
