"""Who takes part?

set_team      a team, new or changed
set_analyst   an analyst, new or changed
set_machine   a machine of an analyst, described or captured
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from primad.errors import UsageError
from primad.store.log import note
from primad.track.models import Analyst, Machine, Team, Track
from primad.track.naming import named, slug_of, text_of, title_of
from primad.track.services._changing import changing
from primad.track.wellformed import ROLES


def set_team(track: Track, slug: str, *, title: str = "", contact: str = "", remark: str = "") -> Team:
    """Return the team SLUG of TRACK, new or changed."""
    values = {"title": title_of(title) or slug, "contact": title_of(contact), "note": text_of(remark)}
    with changing(track, "register"):
        team, made = Team.objects.update_or_create(track=track, slug=slug_of(slug, "a team"), defaults=values)
        note("made" if made else "changed", f"team {track.slug}/{slug}")
    return team  # type: ignore[no-any-return]  # Django has no types


def set_analyst(
    track: Track,
    slug: str,
    *,
    role: str,
    title: str = "",
    background: str = "",
    conflicts: Mapping[str, str] | None = None,
) -> Analyst:
    """Return the analyst SLUG of TRACK in a ROLE, new or changed; CONFLICTS are teams, each with a reason."""
    if not role or role not in ROLES:
        raise UsageError(f"expected a role ({' or '.join(filter(None, ROLES))}), found '{role[:40]}'")
    values = {
        "title": title_of(title) or slug,
        "role": role,
        "background": text_of(background),
        "conflicts": {str(team): text_of(why) for team, why in (conflicts or {}).items()},
    }
    with changing(track, "enlist"):
        for team in values["conflicts"]:
            named(Team.objects.filter(track=track), team, "team")
        analyst, made = Analyst.objects.update_or_create(track=track, slug=slug_of(slug, "an analyst"), defaults=values)
        note("made" if made else "changed", f"analyst {track.slug}/{slug}", role=role)
    return analyst  # type: ignore[no-any-return]  # Django has no types


def set_machine(
    analyst: Analyst, slug: str, *, facts: Mapping[str, str] | None = None, record: Mapping[str, Any] | None = None
) -> Machine:
    """Return the machine SLUG of ANALYST: FACTS for a table, and a captured RECORD, from which facts are made."""
    from primad.track.machines import facts_of

    tree = dict(record or {})
    shown = facts_of(tree) | {str(name): title_of(value) for name, value in (facts or {}).items()}
    with changing(analyst.track, "machine", of=analyst):
        machine, made = Machine.objects.update_or_create(
            analyst=analyst, slug=slug_of(slug, "a machine"), defaults={"facts": shown, "record": tree}
        )
        note("made" if made else "changed", f"machine {analyst.track.slug}/{analyst.slug}/{slug}")
    return machine  # type: ignore[no-any-return]  # Django has no types
