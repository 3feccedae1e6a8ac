"""What does every database of ours know?

    Identity   which folder the database belongs to, and the version of its tables
    Event      what was changed, when and by whom
    Job        long work that somebody asked for, and how far it is
    Result     something that was computed and is kept under a permanent address, with its ResultFiles

Events are only ever added.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from django.db import models


class Identity(models.Model):
    """The folder that the database belongs to; there is one row."""

    value: str = models.CharField(max_length=36)
    migrations: dict[str, list[str]] = models.JSONField(default=dict)

    def __str__(self) -> str:
        """Return the identity."""
        return self.value


class Event(models.Model):
    """One change: a VERB, what it was done to (SUBJECT), by WHOM, and DETAILS."""

    at: datetime = models.DateTimeField(auto_now_add=True)
    whom: str = models.CharField(max_length=200)
    verb: str = models.CharField(max_length=40)
    subject: str = models.CharField(max_length=200, db_index=True)
    details: dict[str, Any] = models.JSONField(default=dict)

    def __str__(self) -> str:
        """Return the event as a line."""
        return f"{self.at:%Y-%m-%d %H:%M} {self.whom} {self.verb} {self.subject}"


class Job(models.Model):
    """Long work of a KIND with ARGUMENTS: who asked for it (OWNER, and the key of their USER), and how far it is.

    STATE is "waiting", "running", "done", "failed" or "cancelled", and WHY says more to a person.  DONE of TOTAL says
    how far it is, DOING what is done now.  RESULT is what came of it.  Whoever works on it holds the lease: HOLDER says
    who, BEAT_AT when it was last seen alive; STARTS counts how often it was begun.  TASK is its number in the queue.
    """

    key: str = models.CharField(max_length=32, unique=True)
    kind: str = models.CharField(max_length=40)
    title: str = models.CharField(max_length=200)
    arguments: dict[str, Any] = models.JSONField(default=dict)
    owner: str = models.CharField(max_length=200)
    user: int | None = models.BigIntegerField(null=True)
    state: str = models.CharField(max_length=20, default="waiting", db_index=True)
    why: str = models.TextField(blank=True, default="")
    done: int = models.BigIntegerField(default=0)
    total: int = models.BigIntegerField(default=0)
    doing: str = models.CharField(max_length=200, blank=True, default="")
    result: dict[str, Any] = models.JSONField(default=dict)
    task: str = models.CharField(max_length=36, blank=True, default="")
    starts: int = models.IntegerField(default=0)
    holder: str = models.CharField(max_length=200, blank=True, default="")
    beat_at: datetime | None = models.DateTimeField(null=True)
    cancel_asked_at: datetime | None = models.DateTimeField(null=True)
    created_at: datetime = models.DateTimeField()
    started_at: datetime | None = models.DateTimeField(null=True)
    ended_at: datetime | None = models.DateTimeField(null=True)

    def __str__(self) -> str:
        """Return the job as a line."""
        return f"{self.title} ({self.state})"


class Result(models.Model):
    """Something that was computed: of a KIND, with FACTS for programs and files for people.

    Whoever knows the KEY, which nobody can guess, can look at it.
    """

    key: str = models.CharField(max_length=32, unique=True)
    kind: str = models.CharField(max_length=40)
    title: str = models.CharField(max_length=200)
    owner: str = models.CharField(max_length=200)
    user: int | None = models.BigIntegerField(null=True)
    facts: dict[str, Any] = models.JSONField(default=dict)
    made_at: datetime = models.DateTimeField()
    removed_at: datetime | None = models.DateTimeField(null=True)

    def __str__(self) -> str:
        """Return the title."""
        return self.title


class ResultFile(models.Model):
    """A file of a result: its PATH within it, the DIGEST of its content and its SIZE in bytes."""

    result: Result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="files")
    path: str = models.CharField(max_length=200)
    digest: str = models.CharField(max_length=64)
    size: int = models.BigIntegerField()

    class Meta:
        """A result has each path once."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["result", "path"], name="result_path_once")]

    def __str__(self) -> str:
        """Return the path."""
        return self.path
