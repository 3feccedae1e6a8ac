"""How well was an experiment reproduced?

assess   choose an original, reproductions and measures, and ask for the assessment
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from primad.archive import rights
from primad.archive.search.measures import one_measure
from primad.errors import PrimadError, UsageError
from primad.reproducibility.assessment.settings import DEFAULT_MEASURES
from primad.web import served
from primad.web.archive.asking import MOST_RUNS, ask_job, status
from primad.web.fields import distinct, field, several
from primad.web.pages import page

if TYPE_CHECKING:
    from primad.archive.archive import Archive

ON_OFFER = ("map", "ndcg", "P_10", "ndcg_cut_10", "recip_rank", "recall_1000", "bpref")


@require_http_methods(["GET", "HEAD", "POST"])
def assess(request: HttpRequest) -> HttpResponse:
    """Let a user choose an original, reproductions and measures."""
    rights.require("assess")
    partners = several(request, "partner")  # several may share a baseline
    typed: dict[str, Any] = {
        "original": field(request, "original"),
        "advanced": field(request, "advanced"),
        "others": several(request, "run") if partners else distinct(request, "run"),
        "partners": partners,
        "chosen": distinct(request, "measure") or list(DEFAULT_MEASURES),
    }
    try:
        if request.method == "POST" and field(request, "do") != "look":
            return _asked(request, **typed)
        found = _found(typed["original"])
    except PrimadError as error:
        return _form(request, typed, status=status(request), found=None, problem=error)
    return _form(request, typed, found=found)


def _form(request: HttpRequest, typed: dict[str, Any], **more: Any) -> HttpResponse:
    """Return the form with what was TYPED."""
    measures = list(dict.fromkeys([*ON_OFFER, *typed["chosen"]]))
    return page(request, "archive/assess.html", measures=measures, most=MOST_RUNS, **typed, **more)


def _found(original: str) -> Any:
    """Return the reproductions of the run called ORIGINAL, None if none is named."""
    return served.archive().reproductions_of(original) if original else None


def _asked(
    request: HttpRequest, *, original: str, advanced: str, others: list[str], partners: list[str], chosen: list[str]
) -> HttpResponse:
    """Ask for the assessment, if all of it is there."""
    if not original:
        raise UsageError("expected the original by its address or tag, found none")
    for name in chosen:
        one_measure(name)
    archive = served.archive()
    runs = [archive.seen(name) for name in (original, advanced) if name]
    return ask_job(
        request,
        "archive.assess",
        f"Reproductions of {' and '.join(run.tag for run in runs)}",
        original=[run.address for run in runs],
        others=_experiments(archive, others, partners),
        measures=chosen,
    )


def _experiments(archive: Archive, others: list[str], partners: list[str]) -> list[list[str]]:
    """Return the reproductions OTHERS by their addresses, each with its advanced run among PARTNERS, if there are."""
    if len(others) > MOST_RUNS:
        raise UsageError(f"expected at most {MOST_RUNS} reproductions, found {len(others)}; choose fewer")
    if partners and len(partners) != len(others):
        raise UsageError(
            f"expected an advanced run for each of {len(others)} reproductions, in their order, found {len(partners)}"
        )
    addresses = [[archive.seen(name).address] for name in others]
    return [one + [archive.seen(name).address for name in partners[at : at + 1]] for at, one in enumerate(addresses)]
