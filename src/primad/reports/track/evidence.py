"""What was run of one system, by whom, where and with which result?  A folder to show when a badge is asked for.

    write_evidence   README.md for people, evidence.json for programs, and the files that go with them

The folder is written whole or not at all, and every file in it is named with its size and digest.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from primad.errors import PairingError
from primad.reports._replacing import refuse_strangers, write
from primad.reports._tables import as_text, harmless
from primad.reports.lists import json_document, plain, size
from primad.reports.track.badges import AWARDED, badges_of
from primad.reports.track.contents import tables_of
from primad.reports.track.facts import MachineRow, QuestionRow, SystemRow, TrackReport
from primad.reports.track.table import Table
from primad.reports.track.titles import is_about
from primad.safe_paths import safe_path
from primad.trec.files import atomic_folder

SCHEMA = "primad.badge-evidence/1"
FILES = "files"

_README, _DOCUMENT = "README.md", "evidence.json"
_SHOWN = frozenset(
    ("systems", "machines", "times", "attempts", "verdicts", "precision", "cells", "moments", "scores", "comments")
)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~!])")


def write_evidence(
    report: TrackReport, submission: str, folder: str | os.PathLike[str], files: Mapping[str, bytes] | None = None
) -> list[Path]:
    """Write what REPORT says of the system of SUBMISSION and FILES, by their paths, into FOLDER; return all files."""
    part = part_of(report, submission)
    kept = {safe_path(name): content for name, content in (files or {}).items()}
    target = Path(folder)
    refuse_strangers(target, _DOCUMENT, SCHEMA, _known)
    with atomic_folder(target) as place:
        written = [write(place / _README, _page(part, submission, kept).encode())]
        written.append(write(place / _DOCUMENT, _document(part, submission, kept).encode()))
        for name, content in kept.items():
            path = place / FILES / name
            path.parent.mkdir(parents=True, exist_ok=True)
            written.append(write(path, content))
        names = [path.relative_to(place) for path in written]
    return [target / name for name in names]


def _known(former: dict[str, Any]) -> set[str]:
    """Return the files that the FORMER evidence lists."""
    files = former.get("files")
    listed = files if isinstance(files, list) else []
    return {_README, _DOCUMENT} | {str(one.get("path")) for one in listed if isinstance(one, dict)}


def part_of(report: TrackReport, submission: str) -> TrackReport:
    """Return what REPORT says about SUBMISSION alone; what belongs to it is told by its address."""
    system = _system(report, submission)
    attempts = tuple(one for one in report.attempts if one.submission == submission)
    machines = {(one.analyst, one.machine) for one in attempts}
    return replace(
        report,
        funnel=(),
        systems=(system,),
        machines=tuple(one for one in report.machines if _is_used(one, machines)),
        times=tuple(one for one in report.times if is_about(one, system, report)),
        stages=tuple(one for one in report.stages if is_about(one, system, report)),
        questions=tuple(_of_system(row, submission) for row in report.questions if submission in row.by_system),
        attempts=attempts,
        verdicts=tuple(one for one in report.verdicts if one.submission == submission),
        precision=tuple(one for one in report.precision if one.submission == submission),
        comments=tuple(one for one in report.comments if one.submission == submission),
        recommendations=tuple(one for one in report.recommendations if one.submission == submission),
        cells=tuple(one for one in report.cells if one.submission == submission),
        moments=tuple(one for one in report.moments if one.submission == submission),
    )


def _of_system(row: QuestionRow, submission: str) -> QuestionRow:
    """Return ROW, a question, with the score of the system of SUBMISSION alone."""
    score = row.by_system[submission]
    return replace(row, score=score, by_system={submission: score}, printed=None)


def _system(report: TrackReport, submission: str) -> SystemRow:
    """Return the system of SUBMISSION."""
    for one in report.systems:
        if one.submission == submission:
            return one
    raise PairingError(
        f"the report has no system of '{harmless(submission[:80])}'; it has", [one.submission for one in report.systems]
    )


def _is_used(row: MachineRow, used: set[tuple[str, str]]) -> bool:
    """Tell whether the machine of ROW is one of those USED."""
    return (row.analyst, row.machine) in used


def _document(part: TrackReport, submission: str, files: Mapping[str, bytes]) -> str:
    """Return PART for programs."""
    listed = [
        {"path": f"{FILES}/{name}", "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in files.items()
    ]
    badges = [plain(one) for one in badges_of(part, submission)]
    return json_document(
        SCHEMA, {"submission": submission, "awarded": AWARDED, "badges": badges}, report=part, files=listed
    )


# The page --------------------------------------------------------------------------------------------------------


def _page(part: TrackReport, submission: str, files: Mapping[str, bytes]) -> str:
    """Return PART for people, as Markdown."""
    return as_text("\n".join(_lines(part, submission, files)) + "\n")


def _lines(part: TrackReport, submission: str, files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the lines of the page."""
    system = part.systems[0]
    yield f"# Evidence for badges: {_text(system.title)}"
    yield ""
    yield f"Submission {_text(submission)} of {_text(system.team)} to {_text(part.title)}, task {_text(system.task)}."
    yield f"Written on {part.made_at:%Y-%m-%d}, with the track in the phase {_text(part.phase)}."
    yield from ("", AWARDED, "", "## What the evidence speaks to", "")
    yield "Badges are those of ACM's Artifact Review and Badging, version 1.1; what they ask for is in our words."
    yield ""
    for badge in badges_of(part, submission):
        yield f"- **{badge.name}.** {badge.asks} Found: {_text(badge.found)}"
    for table in tables_of(part):
        if table.rows and table.name in _SHOWN:
            yield from _table(table)
    if files:
        yield from ("", "## Files", "")
        for name, content in files.items():
            digest = hashlib.sha256(content).hexdigest()
            yield f"- {FILES}/{_text(name)}, {size(len(content))}, SHA-256 {digest}"


def _table(table: Table) -> Iterator[str]:
    """Yield TABLE as Markdown."""
    yield from ("", f"## {table.title}", "", f"{table.caption}.", "")
    yield f"| {' | '.join(map(_text, table.heading))} |"
    yield "|" + " --- |" * len(table.heading)
    for row in table.rows:
        yield f"| {' | '.join(_text(cell) for cell in row)} |"


def _text(text: str) -> str:
    """Return TEXT from outside as Markdown shows it, on one line."""
    lines = [_MARKDOWN.sub(r"\\\1", harmless(line)) for line in text.split("\n")]
    return "; ".join(filter(None, lines))
