"""What are analysts asked?

questions   the questions of the sheet, and a new version of them
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from primad.errors import UsageError
from primad.safe_yaml import write_yaml
from primad.track.services.setting_up import template_in_force
from primad.track.sheet import SCALE_WORDS, rule_of, template_of
from primad.web.track.organisers.office import form_of, office
from primad.web.track.working import Done, Form, yaml_of


@require_http_methods(["GET", "POST"])
def questions(request: HttpRequest, track: str) -> HttpResponse:
    """Show the questions of the sheet, and take a new version of them."""
    form = form_of(request, track)
    return office(form, "track/organise_sheet.html", {"sheet": _set}, lambda: _shown(form), "track-questions")


def _in_force(form: Form) -> tuple[Mapping[str, Any], int]:
    """Return the newest questions of the sheet as a tree, and their version."""
    with form.track.speaking() as track:
        newest = template_in_force(track)
        return newest.content, newest.version


def _shown(form: Form) -> Mapping[str, Any]:
    """Return what the page on the sheet says."""
    tree, version = _in_force(form)
    template = template_of(tree, version)
    return {
        "sheet": template,
        "rules": {one.key: rule_of(one) for one in template.items},
        "scale_words": SCALE_WORDS,
        "as_yaml": write_yaml(dict(tree)),
    }


def _set(form: Form) -> Done:
    """Take a new version of the questions, typed or as a file."""
    before, version = _in_force(form)
    files = form.files("file")
    text = _decoded(next(iter(files.values()))) if files else form.text("content")
    made = form.track.set_sheet(yaml_of(text, "the sheet"))
    if made.version == version:
        return Done(f"Nothing is changed: these are the questions of version {version}.")
    undo = {"do": "sheet", "content": write_yaml(dict(before))}
    return Done(f"Version {made.version} of the sheet holds from now on; sheets that were begun keep theirs.", undo)


def _decoded(data: bytes) -> str:
    """Return the text of a file."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"expected the file in UTF-8, found other bytes at {error.start}") from None
