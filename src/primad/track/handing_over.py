"""How is an attempt handed to what writes it in formats of others?

handed_over   an attempt as a thing: the system that was run, what it gave, what was submitted, and what came of it

Whoever takes it over may be anybody, so the analyst is called by role and number, as in a published report, and the
score sheet stays in the track.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from primad.exchange.gathering import role_of
from primad.exchange.thing import File, Thing
from primad.exchange.told import Deed, Person, Used
from primad.metadata.reading import from_tree
from primad.qra.material import Material
from primad.qra.measurement import Measurement
from primad.track.records import is_by_hand, record_of_attempt, type_of
from primad.track.reporting.names import enlisted
from primad.track.scoring import submitted_output
from primad.track.sight import numbered
from primad.trec.files import read_bytes

if TYPE_CHECKING:
    from primad.exchange.thing import Role
    from primad.metadata.record import Record
    from primad.reports.track.answers import AttemptFacts, VerdictFacts
    from primad.track.facade.seeing import Seeing
    from primad.track.models import Attempt

_SHEET = (
    "the score sheet of the analyst, which is for organisers; primad track report has what follows from all of them"
)
_REPLICATED = "replicated"
_RUN = "run"
# What can be downloaded of an attempt: under which name, whether it goes by the number or by the address, as what.
_PARTS: tuple[tuple[str, str, str, Role], ...] = (
    ("result", _REPLICATED, "number", "other"),
    ("output", "submitted", "address", "other"),
    ("bundle", "system", "address", "system"),
    ("transcript", "transcript", "number", "transcript"),
)


def handed_over(track: Seeing, row: Attempt, facts: AttemptFacts) -> Thing:
    """Return the attempt ROW of TRACK, of which FACTS may be seen, as a thing."""
    analyst = numbered((one.slug, one.role) for one in enlisted(row.track))[row.analyst.slug]
    address, submitted = str(row.submission), submitted_output(row)
    known = record_of_attempt(row, submitted) if submitted else row.record
    record = from_tree(known | {"actor": {"name": analyst, "role": "reproducer"}})
    files = tuple(_files(track, row))
    return Thing(
        "attempt",
        f"attempt-{row.number}",
        f"Attempt {row.number} at {row.submission.title or address} in {row.track.title}",
        facts.sentence or facts.row.why,
        (*files, _metadata(record)),
        Material((*_measured(facts, address), *_submitted(track.verdict_facts(row.number), address))),
        {
            "type": type_of(row, submitted) if submitted else "",
            "state": facts.row.state,
            "level": facts.level.decided_words,
            "sandbox": facts.rung,
            "began": facts.row.opened_at.isoformat(),
            "ended": facts.closed_at.isoformat() if facts.closed_at else "",
            "human minutes": facts.row.human_minutes,
        },
        f"{row.track.slug}/{row.number}",
        left_out=(_SHEET,),
        deeds=tuple(_deeds(row, facts, files)),
        people=(Person(analyst, role="analyst"),),
    )


def _files(track: Seeing, row: Attempt) -> Iterator[File]:
    """Yield the files of the attempt ROW, each below a folder that says what it is."""
    names = {"number": str(row.number), "address": str(row.submission)}
    for what, folder, by, role in _PARTS:
        for one in track.file_list(what, names[by]):
            read = partial(track.download, what, names[by], one.path)
            is_run = role == "other" and role_of(one.path, read_bytes(read())) == "run"
            yield File(f"{folder}/{one.path}", "run" if is_run else role, read)


def _metadata(record: Record) -> File:
    """Return RECORD as a file of its own."""
    return File.of_bytes(record.to_yaml().encode(), "attempt.yml", "metadata", record=record)


def _measured(facts: AttemptFacts, address: str) -> Iterator[Measurement]:
    """Yield the scores of the output that may be seen."""
    for measure, value in facts.scored.items():
        yield Measurement(
            object=address,
            measurand=measure,
            value=str(value),
            role="reproduction",
            experiment=f"attempt {facts.row.number}",
        )


def _submitted(verdict: VerdictFacts | None, address: str) -> Iterator[Measurement]:
    """Yield the score that the output which the team submitted has, as VERDICT compares it, if it may be seen."""
    if verdict is not None and verdict.submitted is not None:
        yield Measurement(
            object=address,
            measurand=verdict.primary,
            value=str(verdict.submitted),
            role="original",
            experiment="submitted",
        )


def _deeds(row: Attempt, facts: AttemptFacts, files: tuple[File, ...]) -> Iterator[Deed]:
    """Yield the steps of ROW that may be seen, with their times.

    The last one that was run gave what is among FILES, unless that was handed over by hand.
    """
    runs = [] if is_by_hand(row) else [number for number, step in enumerate(facts.steps) if step.stage == _RUN]
    outputs = tuple(
        Used(one.path.removeprefix(f"{_REPLICATED}/"), one.sha256, one.size)  # as the command has named it
        for one in files
        if one.path.startswith(f"{_REPLICATED}/")
    )
    for number, step in enumerate(facts.steps):
        kept = row.replay["steps"][number]
        made = outputs if runs[-1:] == [number] else ()
        yield Deed(step.command, kept["started"], kept["ended"], step.status, outputs=made)
