"""Which runs are there?

search     the runs that a query finds, with facets; each search has an address of its own
evaluate   have runs scored, as a job
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from primad.archive import rights
from primad.archive.archive import DEFAULT_MEASURES, MEASURE
from primad.archive.search.measures import one_measure
from primad.errors import PrimadError, QueryError
from primad.web import served
from primad.web.archive import reading
from primad.web.archive.asking import ask_job, status
from primad.web.fields import distinct, field
from primad.web.numbers import whole
from primad.web.pages import page, wrong_here

EXAMPLES = (
    ("team:h2oloo method:bm25", "runs of a team by a method; both must hold"),
    ('venue:"ECIR 2019" year:2015..2019', "a value with blanks in quotes; from one number to another"),
    ("map>=0.3 collection:core17", "scores, and any field of a record, compared"),
    ("tag:bm25* -role:reproducer", "what begins so; what is not so"),
    ('"relevance feedback" OR neural', "words and phrases of titles and abstracts; one or the other"),
)
_LONGEST_SHOWN = 400


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Show the runs that a query finds."""
    query, sort, measure = field(request, "q"), field(request, "sort"), field(request, "measure", MEASURE) or MEASURE
    asked = {"q": query, "sort": sort, "measure": "" if measure == MEASURE else measure}
    known: dict[str, Any] = {
        "query": query,
        "sort": sort,
        "measure": measure,
        "measures": reading.measures_on_offer(measure),
        "orders": _orders(sort, measure),
        "examples": EXAMPLES,
        "address": lambda **changed: _address(asked | changed),
    }
    try:
        number = whole(field(request, "page")) or 1
        found = reading.searched(served.archive(), query, sort=sort, measure=measure, page=number)
    except PrimadError as error:
        wrong = error.position if isinstance(error, QueryError) else None
        marked = _marked(query, wrong) if wrong else None
        return page(
            request,
            "archive/search.html",
            status=status(request),
            found=None,
            wrong=wrong_here(error),
            marked=marked,
            **known,
        )
    return page(request, "archive/search.html", found=found, wrong=None, marked=None, **known)


def _orders(sort: str, measure: str) -> list[tuple[str, str]]:
    """Return the orders that the form offers, the one that is asked for among them."""
    offered = reading.ORDERS | {measure: f"{measure}, best first"}
    return list((offered if sort in offered else offered | {sort: sort}).items())


def _address(asked: dict[str, str | int]) -> str:
    """Return the address of the search for what is ASKED, without what goes without saying."""
    said = {name: value for name, value in asked.items() if value not in ("", 1)}
    return f"?{urlencode(said)}" if said else "?"


def _marked(query: str, position: int) -> tuple[str, str, str]:
    """Return QUERY before, at and behind the POSITION of what is wrong, the first being 1."""
    at = min(max(position - 1, 0), len(query))
    start = max(at - _LONGEST_SHOWN, 0)
    return query[start:at], query[at : at + 1] or "(end)", query[at + 1 : at + _LONGEST_SHOWN]


@require_POST
def evaluate(request: HttpRequest) -> HttpResponse:
    """Have the runs that a query finds scored."""
    rights.require("evaluate")
    query = field(request, "q")
    measures = distinct(request, "measure") or list(DEFAULT_MEASURES)
    for name in measures:
        one_measure(name)
    total = served.archive().search(query, limit=1).total
    title = f"Scores of {total:,} run{'' if total == 1 else 's'} by {', '.join(measures)}"
    return ask_job(request, "archive.evaluate", title, query=query, measures=measures)
