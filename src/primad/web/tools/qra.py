"""The page on precision: how far apart are repeated measurements, and why?

precision   ask for an assessment of measurements, and see it

Whoever is signed in gets a permanent address to share; a visitor sees the result and nothing is kept.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods
from markupsafe import Markup

from primad.archive.search.facts import storable
from primad.errors import NotAllowed, PrimadError
from primad.qra.precision import VARIANTS
from primad.store.actors import current
from primad.web import served
from primad.web.fields import field
from primad.web.pages import done, page, status_of
from primad.web.tools import measuring
from primad.web.tools.measuring import Asked
from primad.web.tools.pointing import summed, wrongs
from primad.web.tools.uploads import chosen

_TITLES = {
    "acl2022": "acl2022: as the paper of 2022 defines it, with the factor 1 + 1/4n",
    "qra3": "qra3: as the later tool QRA3 computes it, without that factor",
}


@require_http_methods(["GET", "POST"])
def precision(request: HttpRequest) -> HttpResponse:
    """Ask for an assessment of measurements, or answer it."""
    if request.method == "GET":
        return _form(request, _asked_by_link(request))
    asked = _typed(request)
    try:
        return _answered(request, _asked(request, asked))
    except PrimadError as error:
        return _form(request, asked, error)


def _form(request: HttpRequest, asked: Asked, error: PrimadError | None = None) -> HttpResponse:
    """Return the form with what was ASKED, and what is wrong with it by ERROR."""
    return page(
        request,
        "tools/qra.html",
        asked=asked,
        variants=[(name, _TITLES[name]) for name in VARIANTS],
        examples=measuring.EXAMPLES,
        most=measuring.MOST_AT_ONCE,
        largest=measuring.LARGEST if current().is_known else measuring.MOST_OF_VISITORS,
        problem=error and summed(error),
        wrongs=wrongs(error) if error else [],
        status=status_of(error) if error else 200,
    )


def _asked_by_link(request: HttpRequest) -> Asked:
    """Return what a link to the page asks: an example, or a search of the archive."""
    study = request.GET.get("example", "")
    text = measuring.example(study) if study else ""
    return Asked(text=text, query=field(request, "query"), by=field(request, "by"), causes=bool(study))


def _typed(request: HttpRequest) -> Asked:
    """Return what was typed into the form."""
    return Asked(
        text=str(storable(request.POST.get("text", ""))),  # whose lines are counted from the first on
        query=field(request, "query"),
        measures=field(request, "measures"),
        by=field(request, "by"),
        title=field(request, "title"),
        in_archive=request.POST.get("source") == "archive",
        variant=request.POST.get("variant", VARIANTS[0]),
        causes=bool(request.POST.get("causes")),
    )


def _asked(request: HttpRequest, typed: Asked) -> Asked:
    """Return what was TYPED, with the file that was chosen."""
    from dataclasses import replace

    return replace(typed, upload=chosen(request, "file", measuring.LARGEST))


def _answered(request: HttpRequest, asked: Asked) -> HttpResponse:
    """Return the assessment that is ASKED for, or where it will be."""
    material = measuring.material_of(asked)
    count = len(material.measurements) + len(material.labels)
    title = asked.title or f"Precision of {count:,} measured values"
    if count > measuring.MOST_AT_ONCE:
        return _as_job(request, asked, title, count)
    found = measuring.assessed(material, asked)
    if current().is_known:
        result = measuring.kept(served.folder(), found, title)
        return done(request, "The result is kept: its address can be shared.", reverse("result", args=[result.key]))
    fragment = Markup(measuring.fragment_of(found))  # noqa: S704 - our own template, which escapes what came from outside
    return page(request, "tools/qra_seen.html", fragment=fragment)


def _as_job(request: HttpRequest, asked: Asked, title: str, count: int) -> HttpResponse:
    """Let a worker assess what is ASKED, as COUNT measurements take longer than a page may."""
    if not current().is_known:
        most = f"{measuring.MOST_AT_ONCE:,}"
        raise NotAllowed(f"{count:,} measurements are assessed as a job; sign in first, or send at most {most}")
    job = measuring.as_job(asked, title)
    return done(request, "The assessment is a job now; this page says how far it is.", reverse("job", args=[job.key]))
