"""What has somebody typed into a form on a track?

typed_fields   what was typed, for the form to show it again
said           a text that has to be there
number_in      a whole number
OutputForm     what was typed of one output
output_forms   all of them
new_outputs    outputs as the track takes them, with the files that came
values_in      numbers by name, a line each
conditions_in  texts by name, a line each
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.http import HttpRequest

from primad.errors import UsageError
from primad.metadata.showing import harmless
from primad.track.outputs import NewOutput
from primad.web import served
from primad.web.arriving import chosen
from primad.web.fields import field
from primad.web.numbers import whole

MOST_OUTPUTS = 50


_PARTS = re.compile(r"\s*[=:]\s*|\s+")


def typed_fields(request: HttpRequest, *names: str) -> dict[str, str]:
    """Return what was typed into the fields called NAMES, empty where nothing was."""
    return {name: field(request, name) for name in names}


def said(text: str, what: str) -> str:
    """Return TEXT if it says anything; WHAT is what is expected."""
    if not text.strip():
        raise UsageError(f"expected {what}, found nothing; write it down and send the form again")
    return text


def number_in(text: str, what: str) -> int:
    """Return the whole number that TEXT is, which is WHAT; 0 where nothing is said.

    >>> number_in(" 12 ", "the key of a question"), number_in("", "the key of a question")
    (12, 0)
    """
    number = whole(text.strip() or "0")
    if number is None:
        raise UsageError(f"expected {what} as a whole number, found '{harmless(text[:40])}'")
    return number


@dataclass(frozen=True)
class OutputForm:
    """What was typed of the output at a PLACE of the form; files are not shown again by any browser."""

    place: int
    configuration: str = ""
    data_set: str = ""
    values: str = ""
    conditions: str = ""


def output_forms(request: HttpRequest) -> list[OutputForm]:
    """Return what was typed of each output, in the order of the form."""
    return [_output_form(request, place) for place in _places(request)]


def _places(request: HttpRequest) -> Iterator[int]:
    """Yield the places of the form that came with REQUEST."""
    for place in range(MOST_OUTPUTS):
        if f"configuration-{place}" in request.POST or f"files-{place}" in request.FILES:
            yield place


def _output_form(request: HttpRequest, place: int) -> OutputForm:
    """Return what was typed of the output at PLACE."""
    names = ("configuration", "data_set", "values", "conditions")
    return OutputForm(place, **{name: field(request, f"{name}-{place}") for name in names})


def new_outputs(request: HttpRequest, forms: Iterable[OutputForm]) -> list[NewOutput]:
    """Return the outputs that FORMS and the files that came with them describe, not more than a site takes at once."""
    found: list[NewOutput] = []
    left = served.site().upload_limit
    for one in forms:
        files = chosen(request, f"files-{one.place}") or {}
        left -= sum(map(len, files.values()))
        if left < 0:
            raise UsageError("the files are more than this site takes at once; submit fewer outputs at a time")
        found.append(_new_output(one, files))
    return found


def _new_output(form: OutputForm, files: Mapping[str, bytes]) -> NewOutput:
    """Return the output that FORM describes, with FILES."""
    return NewOutput(
        files=files,
        data_set=form.data_set,
        configuration=form.configuration or "default",
        values=values_in(form.values),
        conditions=conditions_in(form.conditions),
    )


def values_in(text: str) -> dict[str, float]:
    r"""Return the numbers in TEXT by their names, a line each.

    >>> values_in("f1 0.81\nP = .5")
    {'f1': 0.81, 'P': 0.5}
    """
    return {name: _number(name, value) for name, value in _pairs(text, "f1 0.81").items()}


def conditions_in(text: str) -> dict[str, str]:
    """Return the texts in TEXT by their names, a line each.

    >>> conditions_in("annotators: three experts")
    {'annotators': 'three experts'}
    """
    return dict(_pairs(text, "annotators: 3"))


def _pairs(text: str, example: str) -> Mapping[str, str]:
    """Return the two parts of each line of TEXT; EXAMPLE shows what a line looks like."""
    found: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, *value = _PARTS.split(line, maxsplit=1)
        if not name or not value or name in found:
            what = "each name once" if name in found else f"a name and a value such as '{example}'"
            raise UsageError(f"expected {what} in each line, found '{harmless(line[:80])}'")
        found[name] = value[0]
    return found


def _number(name: str, text: str) -> float:
    """Return TEXT, measured as NAME, if it is a number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UsageError(f"expected a number for {harmless(name[:80])}, found '{harmless(text[:80])}'")
    return value
