"""The page on which somebody describes a run: a form that makes a header, and returns the run with it.

annotate   fill in, check, download; or load the header of a run into the form

Nothing is stored: the run comes with the question and goes with the answer.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from primad.errors import DataError, PrimadError, UsageError
from primad.metadata.checking.findings import Checked, Finding
from primad.metadata.profile import DEFAULT, Profile
from primad.store.turns import READING
from primad.web import served
from primad.web.archive.asking import in_sight
from primad.web.pages import UNPROCESSABLE, download, page, status_of
from primad.web.tools.annotating import Described, described, largest, placed, texts_in
from primad.web.tools.catalogue import PROFILES, profile_called
from primad.web.tools.form import MORE, Texts, names_of, parts_of, texts_of
from primad.web.tools.pointing import summed, wrongs
from primad.web.tools.uploads import chosen


@dataclass(frozen=True)
class _Shown:
    """What the page shows: TEXTS in the form, REPLACE ticked, where they came FROM, what was found."""

    texts: Texts = field(default_factory=dict)
    replace: bool = False
    origin: str = ""
    described: Described = field(default_factory=Described)
    problem: PrimadError | None = None


@require_http_methods(["GET", "POST"])
def annotate(request: HttpRequest) -> HttpResponse:
    """Let somebody describe a run."""
    asked = request.POST if request.method == "POST" else request.GET
    profile = profile_called(asked.get("profile") or DEFAULT)
    if request.method == "GET":
        return _page(request, profile, _begun(request, profile))
    typed = _Shown(_typed(request), bool(request.POST.get("replace")))
    try:
        with READING.turn() if request.FILES else nullcontext():
            return _answered(request, profile, typed)
    except PrimadError as error:
        return _page(request, profile, _Shown(typed.texts, typed.replace, problem=error))


def _begun(request: HttpRequest, profile: Profile) -> _Shown:
    """Return the form as a link asks for it: empty, or with the record of a run of the archive."""
    address = request.GET.get("run", "")
    if not address:
        return _Shown()
    shown = in_sight(served.archive(), address)
    return _Shown(texts_of(dict(shown.record), profile.schema), replace=True, origin=f"the run {shown.run.address}")


def _typed(request: HttpRequest) -> Texts:
    """Return what was typed, by the names of the inputs."""
    own = ("csrfmiddlewaretoken", "action", "profile", "replace")
    return {name: str(text) for name, text in request.POST.items() if name not in own}


def _answered(request: HttpRequest, profile: Profile, typed: _Shown) -> HttpResponse:
    """Return what is asked for: a header loaded, the form checked, or the run with its header."""
    action = request.POST.get("action", "check")
    if action == "load":
        file = chosen(request, "header_from", largest())
        if file is None:
            raise UsageError("expected a run or a metadata file to load, found none; choose one first")
        return _page(request, profile, _Shown(texts_in(file, profile), replace=True, origin=file.name))
    if action == "more":
        return _page(request, profile, typed)
    made = described(typed.texts, chosen(request, "run", largest()), profile, replace=typed.replace)
    if action == "download" and not made.wrong:
        return download(made.data, made.name, "text/plain; charset=utf-8")
    problem = DataError("some values cannot be meant; they are marked below") if made.wrong else None
    return _page(request, profile, _Shown(typed.texts, typed.replace, described=made, problem=problem))


def _page(request: HttpRequest, profile: Profile, shown: _Shown) -> HttpResponse:
    """Return the form for PROFILE with what is SHOWN."""
    checked = shown.described.checked
    parts = parts_of(profile.schema, shown.texts, {})
    by_name, others = placed(checked.findings if checked else (), names_of(parts))
    wrong = {name: tuple(map(_said, several)) for name, several in by_name.items()} | shown.described.wrong
    error = shown.problem
    return page(
        request,
        "tools/annotate.html",
        profile=profile,
        profiles=PROFILES,
        parts=parts_of(profile.schema, shown.texts, wrong),
        more=shown.texts.get(MORE, ""),
        more_wrong=wrong.get(MORE, ()),
        replace=shown.replace,
        origin=shown.origin,
        checked=checked,
        counted=_counted(checked),
        others=[_said(one, of=one.field) for one in others],
        remarks=shown.described.remarks,
        largest=largest(),
        problem=error and summed(error),
        wrongs=wrongs(error) if error else [],
        status=200 if error is None else UNPROCESSABLE if shown.described.wrong else status_of(error),
    )


def _said(finding: Finding, *, of: str = "") -> str:
    """Return FINDING as a sentence, which begins with its line or with OF, the field that it is about."""
    where = f"line {finding.line:,}: " if finding.line and not finding.field else f"{of}: " if of else ""
    return f"{finding.severity}: {where}{finding.message}" + (f"; {finding.advice}" if finding.advice else "")


def _counted(checked: Checked | None) -> str:
    """Return in words how much was found, and how complete the record is."""
    if checked is None:
        return ""
    errors, warnings = checked.errors, checked.warnings
    numbers = f"{errors:,} error{'s' * (errors != 1)} and {warnings:,} warning{'s' * (warnings != 1)}"
    whole = checked.completeness.whole if checked.completeness else None
    share = f" {whole.stated} of the {whole.total} fields that matter for it are stated." if whole else ""
    return f"{numbers}.{share}"
