"""How many people does a site stand?"""

from __future__ import annotations

from evidence.claim import Claim, Goal, Quote
from evidence.claims.speed import SERVER as PAGE
from evidence.claims.speed import benched
from evidence.reading import FigureMissing, Values, matched, section

_HEADING = "How many people does a site stand?"
_TIMES = ("median", "p95", "p99")
_KINDS = {"page": "a page", "answer": "an answer saved", "upload": "an upload"}


def _crowd(text: str, row: str) -> Values:
    """Return what fifty people met at a site set up as ROW says."""
    lines = section(text, _HEADING)
    found: dict[str, float | str] = {}
    for name, kind in _KINDS.items():
        cells = [line for line in lines.splitlines() if line.startswith(f"| {row} | {kind} |")]
        if not cells:
            raise FigureMissing(f"no {kind} of {row}")
        times = cells[0].strip("| ").split(" | ")[-len(_TIMES) :]
        found |= {f"{name}_{time}": float(cell.replace(",", "")) for time, cell in zip(_TIMES, times, strict=True)}
    rates = matched(rf"{row}: (?P<rate>\d+) a second, (?P<work>\d+) ms of processor time each")
    return found | dict(rates(" ".join(lines.split())))


def _whole(text: str) -> Values:
    """Return the smallest and the largest processor time of a question, and rates of one process."""
    each = [_crowd(text, f"{database}, {number}") for database, number in _SETUPS.values()]
    work, rates = ([float(one[name]) for one in each] for name in ("work", "rate"))
    return {"least": min(work), "most": max(work), "slow": min(rates), "alone": max(rates[:2])}


_SETUPS = {
    "sqlite-1": ("SQLite", "1 process"),
    "postgresql-1": ("PostgreSQL", "1 process"),
    "sqlite-2": ("SQLite", "2 processes"),
    "postgresql-2": ("PostgreSQL", "2 processes"),
}


_WHY = {
    "1 process": "fifty people ask for more pages than one processor can make",
    "2 processes": "database and people share the two processors with the site",
}


def _claim(name: str, database: str, number: str) -> Claim:
    """Return the claim about a site on DATABASE with this NUMBER of processes."""
    row = "| {database}, {number} | {{rate:.0f}} | {page} | {answer} | {upload} |".format(
        database=database,
        number=number.partition(" ")[0],
        **{kind: ", ".join(f"{{{kind}_{time}:,.0f}}" for time in _TIMES) for kind in _KINDS},
    )
    return benched(
        "site",
        f"fifty-people-{name}",
        f"95 of 100 pages are there within 300 ms while fifty people work at a site with {number} on {database}.",
        lambda text: _crowd(text, f"{database}, {number}"),
        "{page_p95:.0f} ms, {rate:.0f} questions a second",
        Quote(PAGE, row),
        goal=Goal("page_p95", " ms", most=300, why=_WHY[number]),
    )


def _within(text: str) -> Values:
    """Return within how many seconds, rounded up, 95 of 100 pages are there with two processes."""
    both = {name: float(_crowd(text, ", ".join(_SETUPS[f"{name}-2"]))["page_p95"]) for name in ("sqlite", "postgresql")}
    return {name: -(-milliseconds // 10) / 100 for name, milliseconds in both.items()}


CLAIMS = (
    *(_claim(name, *setup) for name, setup in _SETUPS.items()),
    benched(
        "site",
        "work-of-a-question",
        "A question takes some milliseconds of processor time, so one process answers so many in a second.",
        _whole,
        "{least:.0f} to {most:.0f} ms, {slow:.0f} to {alone:.0f} a second",
        Quote(
            PAGE,
            "a question takes {least:.0f} to {most:.0f} ms of processor time, nearly all of it in Python, so one "
            "process "
            "answers {slow:.0f} to {alone:.0f} in a second and the rest wait",
        ),
    ),
    benched(
        "site",
        "two-processes-at-a-deadline",
        "With two processes, pages are there soon for 95 of 100 questions.",
        _within,
        "{sqlite:.2f} s on SQLite, {postgresql:.2f} s on PostgreSQL",
        Quote(
            PAGE,
            "With two processes 95 of 100 pages were there within {sqlite:.2f} s on SQLite and {postgresql:.2f} s on "
            "PostgreSQL",
        ),
    ),
)
