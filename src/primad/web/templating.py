"""What can a template do?  Everything is escaped, and what is not known is an error.

environment   the environment of all templates
at_site       a command as it is typed elsewhere to ask this site
asset         the address of a style sheet or script, which changes with its content
moment        a time, with its zone, for people and for programs
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from django.contrib.messages import get_messages
from django.contrib.staticfiles import finders
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse
from markupsafe import Markup

from primad.metadata.showing import harmless
from primad.reports.commands import options_for
from primad.reports.lists import detailed, size, spent


def environment(**options: Any) -> Any:
    """Return where templates are found, and how they are filled in."""
    import jinja2

    options |= {"undefined": jinja2.StrictUndefined, "trim_blocks": True, "lstrip_blocks": True, "finalize": _shown}
    del options["autoescape"]  # whatever Django thinks
    made = jinja2.Environment(autoescape=True, **options)
    made.globals.update(url=url, asset=asset, known=known, messages_of=get_messages)
    made.filters.update(at_site=at_site, detailed=detailed, moment=moment, minutes=minutes, number=number, size=size)
    return made


def _shown(value: Any) -> Any:
    """Return VALUE without what steers the direction of writing; its lines, and markup of ours, as they are.

    A browser ends the lines of what was typed in its own way.
    """
    return harmless(value.replace("\r\n", "\n"), keep="\n\t") if type(value) is str else value


def url(name: str, *args: Any, **kwargs: Any) -> str:
    """Return the address of the page NAME."""
    return str(reverse(name, args=args or None, kwargs=kwargs or None))


def known(name: str) -> bool:
    """Tell whether there is a page NAME."""
    try:
        reverse(name)
    except NoReverseMatch:
        return False
    return True


def at_site(command: str, request: HttpRequest, track: str) -> str:
    """Return COMMAND on TRACK as whoever sent REQUEST types it on their own machine, empty where there is none."""
    if not command:
        return ""
    return f"{command}{options_for(server=request.build_absolute_uri('/').rstrip('/'), track=track)}"


@cache
def asset(path: str) -> str:
    """Return the address of the file at PATH, which changes with its content, so that browsers may keep it."""
    found = finders.find(path)
    digest = hashlib.sha256(Path(found).read_bytes()).hexdigest()[:12] if found else "missing"
    return f"{static(path)}?v={digest}"


def moment(value: datetime | str | None, empty: str = "not yet") -> str:
    """Return a time with its zone, as people read it and programs can."""
    if not value:
        return empty
    when = datetime.fromisoformat(value) if isinstance(value, str) else value
    when = when.astimezone(UTC) if when.tzinfo else when.replace(tzinfo=UTC)
    return Markup('<time datetime="{}">{}</time>').format(
        when.isoformat(timespec="seconds"), f"{when:%Y-%m-%d %H:%M} UTC"
    )


def minutes(value: float | None, empty: str = "not measured") -> str:
    """Return MINUTES as people say them.

    >>> minutes(1.5), minutes(None)
    ('1.5 min', 'not measured')
    """
    return empty if value is None else spent(value)


def number(value: float | None, digits: int = 4, empty: str = "-") -> str:
    """Return VALUE with some DIGITS behind the point.

    >>> number(0.25), number(None)
    ('0.2500', '-')
    """
    return empty if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.{digits}f}"
