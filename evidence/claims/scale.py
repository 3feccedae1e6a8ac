"""Do the sums of docs/guides/scale.md start from what was measured?  Its estimates are these figures, multiplied."""

from __future__ import annotations

from evidence.claim import Quote
from evidence.claims.speed import SCALE as PAGE
from evidence.claims.speed import benched
from evidence.reading import Cell, Reader, Values, cells, matched

_RUNS = 100_000
_MILLIONS = 10_000_000
_HOUR = 3600
_PROCESSORS = 64
_GOAL = 0.05  # seconds for a search
_DATABASE = "A database of 100,000 runs with 500,000 scores"
_KINDS = "Searching in 100,000 runs"
_EVALUATING = "Evaluating 2,000 runs of 50 topics x 1,000 documents in an archive"


def _tables(text: str) -> Values:
    """Return kilobytes a run in databases; ten million of them are as many tens of gigabytes."""
    found = cells(
        tables=Cell(_DATABASE, "PostgreSQL", "tables, MB"),
        indexes=Cell(_DATABASE, "PostgreSQL", "indexes, MB"),
        sqlite=Cell(_DATABASE, "SQLite", "together, MB"),
    )(text)
    a_run = {name: float(value) * 1e3 / _RUNS for name, value in found.items()}
    return a_run | {f"{name}_all": value * _MILLIONS / 1e6 for name, value in a_run.items()}


def _storage(text: str) -> Values:
    """Return kilobytes a run, terabytes of ten million, and which share of everything contents are."""
    found = matched(
        r"Each has (?P<plain>[\d,]+) kB as a plain file, (?P<packed>[\d,]+) kB packed[^,]*, "
        r"and (?P<topics>[\d.]+) kB of topic"
    )(text.replace("\n", " "))
    sizes = {name: float(value) for name, value in found.items()}
    others = _tables(text)
    kept = sizes["packed"] + sizes["topics"] + float(others["tables"]) + float(others["indexes"])
    return sizes | {
        "contents": 100 * sizes["packed"] / kept,
        "plain_all": sizes["plain"] * _MILLIONS / 1e9,
        "packed_all": sizes["packed"] * _MILLIONS / 1e9,
        "topics_all": sizes["topics"] * _MILLIONS / 1e6,
        "share": 100 * sizes["packed"] / sizes["plain"],
        "feeds": round(1e9 / 8 / (sizes["packed"] * 1e3), -1),
    }


def _hours(place: Cell) -> Reader:
    """Return a reader of the runs a second at PLACE, and of the hours that ten million take."""

    def read(text: str) -> Values:
        rate = float(cells(rate=place)(text)["rate"])
        return {"rate": rate, "hours": _MILLIONS / rate / _HOUR, "shared": _MILLIONS / rate / _HOUR / _PROCESSORS}

    return read


def _adding(text: str) -> Values:
    """Return how many runs a second were added, and the hours that ten million take."""
    rate = round(float(matched(r"Adding these runs took \d+ s \((?P<rate>[\d.]+) runs")(text)["rate"]))
    return {"rate": rate, "hours": _MILLIONS / rate / _HOUR, "processors": 2 * _MILLIONS / rate / _HOUR}


def _searches(text: str) -> Values:
    """Return the medians of two kinds of searches, and a hundred times as long, in seconds."""
    found = cells(
        phrase=Cell(_KINDS, "a phrase", "PostgreSQL: median"),
        broad=Cell(_KINDS, "a broad query, with facets", "PostgreSQL: median"),
    )(text)
    longer = {f"{name}_all": float(value) / 10 for name, value in found.items()}
    missed = {f"{name}_missed": round(seconds / _GOAL, -1) for name, seconds in longer.items()}
    return {**found, **longer, **missed}


CLAIMS = (
    benched(
        "archive",
        "storage-of-runs",
        "What runs take on the disk is what was measured, and ten million times that.",
        _storage,
        "{plain:,.0f} kB plain, {packed:.0f} kB packed, {topics:.1f} kB of topic scores",
        Quote(PAGE, "| run file, plain | {plain:,.0f} kB | ≈ {plain_all:.1f} TB |"),
        Quote(PAGE, "| contents, packed with zstd | {packed:.0f} kB | ≈ {packed_all:.1f} TB |"),
        Quote(PAGE, "| topic scores (Parquet) | {topics:.1f} kB | ≈ {topics_all:.0f} GB |"),
        Quote(PAGE, "Contents are {contents:.0f} % of it"),
        Quote(PAGE, "The contents of synthetic runs pack to {share:.0f} % of their size"),
        Quote(
            PAGE,
            "| contents that travel to workers | {packed:.0f} kB a run | ≈ {packed_all:.1f} TB: 11 hours at 1 "
            "Gbit/s, 1.1 hours at 10 Gbit/s |",
        ),
        Quote(PAGE, "At {packed:.0f} kB a run, 1 Gbit/s feeds ≈ {feeds:.0f} runs a second"),
        Quote(PAGE, "`verify` reads everything: ≈ {packed_all:.1f} TB, 7 hours from a disk with 200 MB/s"),
    ),
    benched(
        "archive",
        "storage-of-databases",
        "What a run takes in a database is what was measured, and ten million times that.",
        _tables,
        "PostgreSQL {tables:.1f} kB and {indexes:.1f} kB of indexes, SQLite {sqlite:.1f} kB",
        Quote(PAGE, "| PostgreSQL, tables | {tables:.1f} kB | ≈ {tables_all:.0f} GB |"),
        Quote(PAGE, "| PostgreSQL, indexes | {indexes:.1f} kB | ≈ {indexes_all:.0f} GB |"),
        Quote(PAGE, "| SQLite, tables and indexes | {sqlite:.1f} kB | ≈ {sqlite_all:.0f} GB |"),
        Quote(PAGE, "Its indexes (≈ {indexes_all:.0f} GB) should be in memory for searches to be as fast as measured"),
    ),
    benched(
        "archive",
        "slow-searches-of-ten-million",
        "A search that counts what it finds takes a hundred times as long in a hundred times as many runs.",
        _searches,
        "{phrase:.0f} ms and {broad:.0f} ms, so ≈ {phrase_all:.1f} s and ≈ {broad_all:.1f} s",
        Quote(PAGE, "takes ≈ 100 times as long: from {phrase:.0f} ms to ≈ {phrase_all:.1f} s"),
        Quote(PAGE, "from a median of {broad:.0f} ms in PostgreSQL to ≈ {broad_all:.1f} s"),
        Quote(
            PAGE,
            "So the goal of 50 ms would be missed by a factor of {phrase_all_missed:.0f} to {broad_all_missed:.0f} by "
            "every question that finds many runs.",
        ),
    ),
    benched(
        "archive",
        "adding-ten-million",
        "Adding ten million runs takes as long as the rate that was measured says.",
        _adding,
        "{rate:.0f} runs a second, so ≈ {hours:.0f} hours",
        Quote(PAGE, "| {rate:.0f} runs a second | ≈ {hours:.0f} hours, which are {processors:.0f} processor hours |"),
    ),
    benched(
        "archive",
        "rows-of-ten-million",
        "Writing their rows alone to PostgreSQL takes as long as the rate that was measured says.",
        _hours(Cell(_DATABASE, "PostgreSQL", "rows alone, runs a second")),
        "{rate:.0f} runs a second, so ≈ {hours:.0f} hours",
        Quote(PAGE, "| {rate:.0f} runs a second | ≈ {hours:.0f} hours |"),
    ),
    benched(
        "archive",
        "evaluating-ten-million",
        "Evaluating ten million runs takes as long as the rate that was measured says.",
        _hours(Cell(_EVALUATING, "primad, 1 process", "runs a second")),
        "{rate:.0f} runs a second, so ≈ {hours:.0f} hours",
        Quote(PAGE, "| one process | {rate:.0f} runs a second | ≈ {hours:.0f} hours |"),
        Quote(PAGE, "| 64 processors, if all are kept busy | | ≈ {shared:.1f} hours |"),
    ),
)
