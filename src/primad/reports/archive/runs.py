"""How are lists of runs and collections printed?  Each function returns an answer of the archive as text.

found_shown           runs that a query finds, with facets
baselines_shown       runs that another should be compared with
reproductions_shown   runs that reproduce another
collections_shown     collections
overview_shown        who has how many runs
standing_line         where a run ranks
run_name              how a line calls a run
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from primad.reports._tables import Cell, csv_text, harmless, number, p_value, wrapped
from primad.reports.lists import counts, fitted, json_document, many, ordinal, plain, signed

if TYPE_CHECKING:
    from primad.reports.archive.answers import (
        Baseline,
        Baselines,
        CollectionFacts,
        Found,
        Hit,
        OverviewRow,
        Reproductions,
        Standing,
    )

ADDRESS = 12  # digits of an address are enough for a person

_COLUMNS = ["address", "tag", "team", "collection", "method", "year"]
_RULE = (
    "difference: mean {measure} less that of {tag}, over the judged topics, one that a run lacks as 0, with its 95 % "
    "interval; p (Holm): paired t-test, corrected by Holm's method for {tests}; type: what changed from {tag} to the "
    "run."
)


def run_name(run: Any) -> str:
    """Return how a line calls RUN, whatever has an address and a tag."""
    return f"{run.tag} ({run.address[:ADDRESS]})"


def standing_line(standing: Standing) -> str:
    """Return where a run ranks, in a line."""
    place = f"{ordinal(standing.rank)} of {standing.of:,} on {standing.collection} by {standing.measure}"
    return f"{run_name(standing)}: {place}, {number(standing.score)}"


# Runs ------------------------------------------------------------------------------------------------------------


def found_shown(found: Found, form: str, width: int | None) -> str:
    """Return the runs FOUND in a FORM: table, csv or json."""
    if form == "json":
        facets = {
            field: [{"value": value, "runs": runs} for value, runs in values] for field, values in found.facets.items()
        }
        return json_document("primad.archive.search/1", found, facets=facets)
    if form == "csv":
        return csv_text(_hit_records(found.hits, found.measures))
    parts = [fitted([*_hit_rows(found.hits, found.measures)], len(_COLUMNS), width)] if found.hits else []
    parts += [counts(field, values, width) for field, values in found.facets.items()]
    return "\n".join(parts)


def _hit_rows(hits: Iterable[Hit], measures: Sequence[str]) -> Iterator[list[str]]:
    """Yield a heading, and a row for each of HITS."""
    yield [*_COLUMNS, *measures]
    for run in hits:
        scores = [number(run.scores[one]) if one in run.scores else "" for one in measures]
        yield [*_named(run), run.collection, run.method, _text(run.year), *scores]


def _named(run: Hit) -> list[str]:
    """Return the first cells of RUN: who did it is told by the team, else by the person."""
    return [run.address[:ADDRESS], run.tag, run.team or run.actor]


def _text(value: Any) -> str:
    """Return VALUE as a cell, empty where there is none."""
    return "" if value is None else str(value)


def _hit_records(hits: Iterable[Hit], measures: Sequence[str]) -> Iterator[list[Cell]]:
    """Yield a heading, and everything that is known of each of HITS."""
    yield [*_COLUMNS, "actor", "role", "toolkit", "venue", "version", "topics", "depth", "added_at", *measures]
    for run in hits:
        yield [
            *(run.address, run.tag, run.team, run.collection, run.method, run.year),
            *(run.actor, run.role, "; ".join(run.toolkit), run.venue, run.version, run.topics, run.depth),
            "" if run.added_at is None else run.added_at.isoformat(),
            *(run.scores.get(one) for one in measures),
        ]


# Baselines -------------------------------------------------------------------------------------------------------


def baselines_shown(found: Baselines, form: str, width: int | None) -> str:
    """Return the runs that another should be compared with, in a FORM: table, csv or json."""
    if form == "json":
        return json_document("primad.archive.baselines/1", found)
    if form == "csv":
        return csv_text(_baseline_records(found))
    if not found.baselines:
        return ""
    own = "has no score" if found.score is None else number(found.score)
    heading = f"{run_name(found.run)} on {found.run.collection}: {found.measure} {own}"
    rows = [["address", "tag", "team", "type", "called", found.measure, "difference", "95 % interval", "p (Holm)"]]
    rows += [_baseline_row(one) for one in found.baselines]
    parts = [wrapped(harmless(heading), width), "\n", fitted(rows, 5, width)]
    return "".join([*parts, *_below_baselines(found, width)])


def _baseline_row(one: Baseline) -> list[str]:
    """Return a run beside the given one as a row."""
    interval = "" if one.interval is None else f"[{signed(one.interval[0])}, {signed(one.interval[1])}]"
    difference = "" if one.difference is None else signed(one.difference)
    called = _called(one.type_name)
    return [*_named(one.run), one.type, called, number(one.score), difference, interval, p_value(one.p_holm)]


def _called(name: str) -> str:
    """Return the NAME of a type as a cell has room for it."""
    from primad.reproducibility.comparison.names import AS_FAR_AS_KNOWN

    return f"{name.removesuffix(AS_FAR_AS_KNOWN)} ?" if name.endswith(AS_FAR_AS_KNOWN) else name


def _unsure(types: Iterable[str], width: int | None) -> str:
    """Return what a question mark behind the names of TYPES means, if there is one."""
    from primad.reports.comparison import UNSURE_NOTE

    return wrapped(UNSURE_NOTE, width) if any("?" in one for one in types) else ""


def _below_baselines(found: Baselines, width: int | None) -> Iterator[str]:
    """Yield the rule by which runs are compared, and why some are not."""
    listed = len(found.baselines)
    tests = sum(one.p_holm is not None for one in found.baselines)
    if tests:
        rule = _RULE.format(measure=found.measure, tag=found.run.tag, tests=many(tests, "test"))
        yield wrapped(harmless(rule), width)
    reasons: dict[str, list[str]] = {}
    for one in found.baselines:
        if one.why_no_test:
            reasons.setdefault(one.why_no_test, []).append(one.run.tag)
    for reason, tags in reasons.items():
        who = "" if len(tags) == listed else f" of {', '.join(tags)}"
        yield wrapped(harmless(f"no test{who}: {reason}"), width)
    yield _unsure((one.type for one in found.baselines), width)


def _baseline_records(found: Baselines) -> Iterator[list[Cell]]:
    """Yield a heading, and a run beside the given one each."""
    more = ["difference", "low", "high", "p", "p_holm", "type", "type_name", "why_no_test"]
    yield [*_COLUMNS, found.measure, *more]
    for one in found.baselines:
        run = one.run
        low, high = one.interval or (None, None)
        yield [
            *(run.address, run.tag, run.team, run.collection, run.method, run.year, one.score, one.difference),
            *(low, high, one.p, one.p_holm, one.type, one.type_name, one.why_no_test),
        ]


# Reproductions ---------------------------------------------------------------------------------------------------


def reproductions_shown(found: Reproductions, form: str, width: int | None) -> str:
    """Return the reproductions of a run in a FORM: table, csv or json."""
    if form == "json":
        return json_document("primad.archive.reproductions/1", found)
    if form == "csv":
        return csv_text(_reproduction_records(found))
    if not found.reproductions:
        return ""
    rows = [["address", "tag", "team", "collection", "type", "called", "ranking"]]
    for one in found.reproductions:
        ranking = "identical" if one.is_perfect else "other"
        rows.append([*_named(one.run), one.run.collection, one.type, _called(one.type_name), ranking])
    heading = wrapped(harmless(f"reproductions of {run_name(found.run)}"), width)
    why = [wrapped(harmless(one.why), width, f"{harmless(run_name(one.run))}: ") for one in found.reproductions]
    table = fitted(rows, len(rows[0]), width) + _unsure((one.type for one in found.reproductions), width)
    return "\n".join([heading, table, "".join(why)])


def _reproduction_records(found: Reproductions) -> Iterator[list[Cell]]:
    """Yield a heading, and a reproduction each."""
    yield [*_COLUMNS, "type", "type_name", "is_perfect", "why"]
    for one in found.reproductions:
        run = one.run
        yield [
            *(run.address, run.tag, run.team, run.collection, run.method, run.year),
            *(one.type, one.type_name, str(one.is_perfect).lower(), one.why),
        ]


# Collections and teams -------------------------------------------------------------------------------------------


def collections_shown(collections: Sequence[CollectionFacts], form: str, width: int | None) -> str:
    """Return COLLECTIONS in a FORM: table or json."""
    if form == "json":
        return json_document("primad.archive.collections/1", {"collections": plain(list(collections))})
    if not collections:
        return ""
    rows = [["collection", "also called", "judgments", "profile", "topics kept", "judged topics", "runs"]]
    for one in collections:
        current = next((qrels for qrels in one.qrels if qrels.is_current), None)
        also = [name for name in one.names if name != one.name.casefold()]
        rows.append(
            [
                *(one.name, ", ".join(also), current.name if current else "none", one.profile[:ADDRESS]),
                *("yes" if one.has_topics else "no", f"{current.topics:,}" if current else "", f"{one.runs:,}"),
            ]
        )
    return fitted(rows, 5, width)


def overview_shown(rows: Sequence[OverviewRow], form: str, width: int | None) -> str:
    """Return who has how many runs in a FORM: table or json."""
    if form == "json":
        total = sum(row.runs for row in rows)
        return json_document("primad.archive.overview/1", {"runs": total, "rows": plain(list(rows))})
    if not rows:
        return ""
    cells = [[row.team, row.method, ", ".join(row.collections), f"{row.runs:,}"] for row in rows]
    return fitted([["team", "method", "collections", "runs"], *cells], 3, width)
