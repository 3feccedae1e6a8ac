"""When is the session of somebody forgotten who does not come back?

sweep   forget those that have ended, once an hour; a server may run for months
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_SWEEP = timedelta(hours=1)
_swept: datetime | None = None


def sweep() -> None:
    """Forget the sessions that have ended, unless this process did so within the hour."""
    from django.contrib.sessions.backends.db import SessionStore

    global _swept  # noqa: PLW0603 - each process sweeps for itself
    now = datetime.now(UTC)
    if _swept is None or now - _swept > _SWEEP:
        _swept = now
        SessionStore.clear_expired()
