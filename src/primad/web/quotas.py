"""How much may one person send within a day?

    DAILY     in bytes
    COUNTED   what is smaller than this is no matter
    taken     count what somebody sends, or refuse it and say how long to wait

What is sent to be checked counts, too, for all of it is read.  Administrators send as much as they like.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db.models import F, Sum

from primad.store.actors import Actor
from primad.store.database import writing
from primad.web.models import Sent

DAILY = 2 << 30
COUNTED = 64 << 10
_DAY = timedelta(days=1)


def taken(actor: Actor, size: int) -> int:
    """Count SIZE bytes that ACTOR sends, and return 0; or the seconds to wait where it would be too much for a day."""
    if actor.user is None or actor.is_over_all or size < COUNTED:
        return 0
    now = datetime.now(UTC)
    hour = now.replace(minute=0, second=0, microsecond=0)
    with writing():
        mine = Sent.objects.filter(user=actor.user)
        mine.filter(hour__lte=hour - _DAY).delete()
        before = mine.aggregate(all=Sum("size"))["all"] or 0
        if before and before + size > DAILY:
            first: datetime = mine.order_by("hour").values_list("hour", flat=True)[0]
            return max(int((first + _DAY - now).total_seconds()), 1)
        Sent.objects.get_or_create(user=actor.user, hour=hour)
        mine.filter(hour=hour).update(size=F("size") + size)
    return 0
