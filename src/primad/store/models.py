"""What does every database of ours know?

    Identity   which folder the database belongs to, and the version of its tables
    Event      what was changed, when and by whom

Events are only ever added.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

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
