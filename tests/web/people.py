"""Somebody in each role, for tests.

fill      make them
ROLES     their names
"""

from datetime import UTC, datetime

from primad.accounts.models import User
from primad.accounts.people import give

PASSWORD = "a horse, a battery and a staple"  # noqa: S105 - of people who exist in tests only

# Who is what in the track "demo"; visitor is somebody who has not signed in.
ROLES = {
    "visitor": None,
    "user": (),
    "member": (("team", "alpha"),),
    "rival": (("team", "beta"),),
    "analyst": (("analyst", "ann"),),
    "colleague": (("analyst", "dan"),),
    "organiser": (("organiser", ""),),
    "administrator": (),
}
Everybody = dict[str, int]


def fill() -> Everybody:
    """Make somebody in each role, in the database that is spoken to, and return their keys."""
    everybody = {}
    for name, roles in ROLES.items():
        if roles is None:
            continue
        user = User(email=f"{name}@example.org", name=name.title(), created_at=datetime.now(UTC))
        user.is_administrator = name == "administrator"
        user.set_password(PASSWORD)
        user.save()
        for kind, slug in roles:
            give(user, "demo", kind, slug)
        everybody[name] = user.pk
    return everybody
