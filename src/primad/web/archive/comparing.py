"""What changed from an original to other runs?

compare   types, differences side by side, and which measures are possible
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from primad.errors import PrimadError, UsageError
from primad.web import served
from primad.web.archive.asking import MOST_RUNS, status
from primad.web.archive.side_by_side import Compared, compared
from primad.web.fields import distinct, field
from primad.web.pages import page


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Show what changed from an original to other runs; without an original, the first run is it."""
    runs = distinct(request, "run")
    given = field(request, "original")
    original = given or (runs[0] if runs else "")
    others = [name for name in runs if name != original]
    known: dict[str, Any] = {"original": original, "others": others, "address": _address, "most": MOST_RUNS}
    if not original or not others:
        return page(request, "archive/compare.html", found=None, **known)
    try:
        found = _compared(original, others)
    except PrimadError as error:
        return page(request, "archive/compare.html", status=status(request), found=None, problem=error, **known)
    return page(request, "archive/compare.html", found=found, **known)


def _compared(original: str, others: list[str]) -> Compared:
    """Return the comparison, unless it is of too many runs to be seen side by side."""
    if len(others) > MOST_RUNS:
        raise UsageError(f"expected at most {MOST_RUNS} runs beside the original, found {len(others)}; choose fewer")
    found = compared(served.archive(), original, others)
    if not found.runs:
        raise UsageError("expected a run beside the original, found the original only; choose another one")
    return found


def _address(original: str, others: list[str]) -> str:
    """Return the address of the comparison of ORIGINAL with OTHERS."""
    return f"?{urlencode({'original': original, 'run': others}, doseq=True)}"
