"""What do all pages have in common on which somebody works on a track?

    Form          what was sent from a page: the track, the names in its address, and what was typed
    Done          what was done, and the form that takes it back
    work_page     a page with forms: done is what they ask for, or the page comes again with everything that was typed
    nothing_typed what a page says of its forms before anybody has typed
    moment_of     a time as somebody typed it
    yaml_of       values as somebody typed them

A page has one address.  What a form on it asks for is in its field "do", so that a page works without any script.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse

from primad.errors import NotAllowed, PrimadError, UsageError
from primad.metadata.showing import harmless
from primad.track.track import Track
from primad.web.arriving import chosen
from primad.web.fields import field as typed_in
from primad.web.numbers import whole
from primad.web.pages import UNPROCESSABLE, done, page

_UNDO = "undo"  # the key of a session


@dataclass(frozen=True)
class Form:
    """What was sent from a page: by REQUEST, on a TRACK, and the NAMES in the address of the page."""

    request: HttpRequest
    track: Track
    names: Mapping[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return what was typed into the field NAME."""
        return typed_in(self.request, name)

    def has(self, name: str) -> bool:
        """Tell whether the box NAME was ticked."""
        return bool(self.request.POST.get(name))

    def files(self, name: str) -> Mapping[str, bytes] | None:
        """Return the files that came in the field NAME, None if there are none."""
        return chosen(self.request, name)

    def number(self, name: str, what: str) -> int:
        """Return the whole number in the field NAME, which is WHAT."""
        number = whole(self.text(name))
        if number is None:
            raise UsageError(f"expected {what} as a whole number, found '{harmless(self.text(name)[:40])}'")
        return number


@dataclass(frozen=True)
class Done:
    """What was done, as a sentence; UNDO are the fields of the form that takes it back, sent to the page at BACK."""

    said: str
    undo: Mapping[str, str | list[str]] = field(default_factory=dict)
    address: str = ""
    back: str = ""


Verb = Callable[[Form], Done | HttpResponse]


def work_page(
    form: Form, template: str, verbs: Mapping[str, Verb], show: Callable[[], Mapping[str, Any]]
) -> HttpResponse:
    """Return the page that TEMPLATE makes of what SHOW says; of what was sent, do it, as one of VERBS."""
    request = form.request
    if request.method != "POST":
        context = nothing_typed() | {"undo": request.session.pop(_UNDO, None)} | dict(show())
        return page(request, template, **context)
    try:
        found = _verb(form, verbs)(form)
    except NotAllowed:
        raise
    except PrimadError as error:
        context = {"typed": _typed_in(form), "undo": None} | dict(show())
        return page(request, template, status=UNPROCESSABLE, problem=error, **context)
    return _gone_on(request, found) if isinstance(found, Done) else found


def _verb(form: Form, verbs: Mapping[str, Verb]) -> Verb:
    """Return the one of VERBS that FORM asks for."""
    wanted = form.text("do")
    if wanted not in verbs:
        raise UsageError(f"expected one of {', '.join(verbs)} to do on this page, found '{harmless(wanted[:40])}'")
    return verbs[wanted]


def _gone_on(request: HttpRequest, what: Done) -> HttpResponse:
    """Go on to the page that says WHAT was done."""
    request.session.pop(_UNDO, None)
    if what.undo:
        request.session[_UNDO] = {"action": what.back or request.path, "fields": dict(what.undo)}
    return done(request, what.said, what.address or request.path)


def nothing_typed() -> dict[str, Any]:
    """Return what a page says of its forms before anybody has typed, and with nothing to take back."""

    def typed(_form: str, _name: str, default: Any = "") -> Any:
        return default

    return {"typed": typed, "undo": None}


def _typed_in(form: Form) -> Callable[..., Any]:
    """Return what tells of a field of a form, by its verb, what was typed into it."""
    sent = form.text("do")

    def typed(verb: str, name: str, default: Any = "") -> Any:
        if verb != sent:
            return default
        return form.request.POST.get(name, "" if isinstance(default, str) else False)

    return typed


def moment_of(text: str, what: str) -> datetime | None:
    """Return the time that somebody typed, in UTC where no zone is named; None where nothing was typed.

    >>> moment_of("2026-05-01T14:03", "a start")
    datetime.datetime(2026, 5, 1, 14, 3, tzinfo=datetime.timezone.utc)
    """
    if not text:
        return None
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"expected {what} as in 2026-05-01 14:03, found '{harmless(text[:40])}'") from None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def yaml_of(text: str, what: str) -> dict[str, Any]:
    """Return the mapping that somebody typed as YAML; WHAT is what it says."""
    from primad.safe_yaml import read_yaml

    if not text.strip():
        return {}
    tree = read_yaml(text.replace("\r\n", "\n"), what).plain()
    if not isinstance(tree, dict):
        raise UsageError(f"expected {what} as lines such as 'name: value', found '{harmless(str(tree)[:40])}'")
    return tree
