"""What does only the site store?

    Answered   what was answered to a question with an idempotency key, so that the same question changes nothing again
    Failure    a try to sign in that failed, for whoever tries too often
    Sent       how much a user sent within an hour, for whoever sends too much

None of it is worth a backup.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from django.db import models


class Answered(models.Model):
    """What was answered to a question of an actor (WHOM) with a KEY; ASKED is the digest of the question."""

    whom: str = models.CharField(max_length=200)
    key: str = models.CharField(max_length=200)
    asked: str = models.CharField(max_length=64)
    status: int = models.IntegerField(default=0)  # 0 while the question is being answered
    body: dict[str, Any] = models.JSONField(default=dict)
    at: datetime = models.DateTimeField(db_index=True)

    class Meta:
        """Nobody uses a key twice."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["whom", "key"], name="answered_once")]

    def __str__(self) -> str:
        """Return whose question it was."""
        return f"{self.whom} {self.key}"


class Failure(models.Model):
    """A try to sign in that failed: WHAT tells the address or the machine it came from, as a digest."""

    what: str = models.CharField(max_length=64, db_index=True)
    at: datetime = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        """Return when it was."""
        return f"{self.at}"


class Sent(models.Model):
    """How many bytes the USER with this key sent within the HOUR that began then."""

    user: int = models.BigIntegerField()
    hour: datetime = models.DateTimeField()
    size: int = models.BigIntegerField(default=0)

    class Meta:
        """An hour of a user is there once."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "hour"], name="sent_by_hour")]

    def __str__(self) -> str:
        """Return how much it was, and when."""
        return f"{self.size} bytes at {self.hour}"
