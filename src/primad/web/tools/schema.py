"""Pages on the metadata schema: which fields a record has, and why each matters.

schema     the fields as checklists, by component and profile, with a search
as_json    the schema for programs, as JSON Schema
skeleton   a commented YAML text to fill in
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from primad.metadata.profile import DEFAULT, Profile
from primad.metadata.versions import NEWEST, VERSIONS
from primad.web.pages import download, page
from primad.web.tools.catalogue import PROFILES, TITLES, profile_called, sections

IMPORTANCES = ("essential", "recommended", "optional")


@require_GET
def schema(request: HttpRequest, version: str = NEWEST) -> HttpResponse:
    """Show the fields of a VERSION of the schema as checklists."""
    profile = _profile(request, version)
    asked = {name: request.GET.get(name, "") for name in ("component", "words", "importance")}
    return page(
        request,
        "tools/schema.html",
        version=version,
        versions=VERSIONS,
        newest=NEWEST,
        profile=profile,
        profiles=PROFILES,
        titles=TITLES,
        importances=IMPORTANCES,
        asked=asked,
        sections=sections(profile, **asked),
        total=len(profile.schema.fields),
    )


@require_GET
def as_json(request: HttpRequest, version: str) -> HttpResponse:
    """Return a VERSION of the schema as JSON Schema."""
    from primad.reports.metadata import render_schema

    profile = _profile(request, version)
    return download(render_schema(profile).encode(), f"{profile.name}-{version}.schema.json", "application/json")


@require_GET
def skeleton(request: HttpRequest, version: str) -> HttpResponse:
    """Return what a person fills in, as commented YAML."""
    from primad.metadata.template import skeleton as made

    profile = _profile(request, version)
    return download(made(profile).encode(), f"{profile.name}-{version}.yaml", "application/yaml")


def _profile(request: HttpRequest, version: str) -> Profile:
    """Return the profile that is asked for, with the fields of VERSION."""
    return profile_called(request.GET.get("profile") or DEFAULT, version)
