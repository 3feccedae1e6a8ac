"""How is a claim measured?  Its command is run at the root of the checkout, and its figure is read.

stale      why a claim has to be measured, if it has to
shared     which commands are run for which claims
measure    runs commands for the claims that they show
adopt      takes over what an earlier run of the command left in a file, at the commit that first had it
machine    what this machine is
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from evidence.claim import TESTS, Claim
from evidence.history import changed_since, first_with, head, uncommitted
from evidence.ledger import Measured
from evidence.reading import FigureMissing, is_of, tests_that

_MOST_LINES = 5
_LONGEST_LINE = 200


class UnsureCommit(Exception):
    """What was measured is not what a commit has."""


def stale(root: Path, claim: Claim, measured: Measured | None) -> str:
    """Return why CLAIM has to be measured, empty if what was MEASURED is still about what is there."""
    if not claim.command:
        return ""
    if measured is None:
        return "not measured yet"
    if measured.command != claim.command:
        return "shown by another command"
    if measured.failed:
        return "failed"
    if changed_since(root, measured.commit, claim.subject):
        return f"changed since {measured.commit}"
    return ""


def shared(claims: Sequence[Claim], wanted: Container[str]) -> list[tuple[tuple[str, ...], list[Claim]]]:
    """Return what has to be run so that all WANTED commands are, each time with those of CLAIMS that it shows.

    Where all tests are run, no test is run once more for a claim that it shows.  They come last: they read the pages,
    which have figures of what came before.
    """
    whole = TESTS if all(command in wanted for command in TESTS) else ()
    by_tests = [claim for claim in claims if whole and (claim.command in whole or claim.tests)]
    runs: dict[tuple[str, ...], list[Claim]] = {}
    for claim in claims:
        if claim.command in wanted and claim not in by_tests:
            runs.setdefault((claim.command,), []).append(claim)
    return [*runs.items(), *([(whole, by_tests)] if by_tests else [])]


def measure(root: Path, commands: Sequence[str], claims: Sequence[Claim]) -> dict[str, Measured]:
    """Run the COMMANDS that show CLAIMS, and return what was measured of each.

    What is not in a commit, before or after, is refused: nobody could tell later what the figure was about.
    """
    subject = sorted({path for claim in claims for path in claim.subject})
    _sure(root, subject)
    commit = head(root)
    ran = {command: _run(root, command) for command in commands}
    if changed_since(root, commit.id, subject):
        raise UnsureCommit(f"changed while it was measured: {', '.join(subject)}")
    day = datetime.now(UTC).date().isoformat()
    return {claim.name: _read(root, claim, ran, Measured(claim.command, commit.id, day, machine())) for claim in claims}


def adopt(root: Path, claim: Claim) -> Measured:
    """Return what the file of CLAIM says, as measured at the commit since which it says so."""
    values = claim.read((root / claim.file).read_text(encoding="utf-8"))

    def gives(text: str) -> bool:
        try:
            return claim.read(text) == values
        except FigureMissing:
            return False

    commit = first_with(root, claim.file, gives)
    return Measured(claim.command, commit.id, commit.day.isoformat(), values=dict(values))


def machine() -> str:
    """Return what this machine is, without its name."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    python = platform.python_version()
    return f"{os.cpu_count()} processors ({platform.machine()}), {memory:.0f} GB of memory, Python {python}"


def _sure(root: Path, subject: Sequence[str]) -> None:
    """Refuse what is in no commit."""
    unsure = uncommitted(root, subject)
    if unsure:
        raise UnsureCommit(f"in no commit as it is now: {', '.join(unsure[:3])}; commit it, then measure")


class _Ran(NamedTuple):
    """What a command PRINTED, and its exit STATUS."""

    printed: str
    status: int


def _run(root: Path, command: str) -> _Ran:
    """Run COMMAND at ROOT; tests say of each how it ended, and one that is skipped without leave makes them fail."""
    done = subprocess.run(  # noqa: S603 - a command of ours
        ["bash", "-o", "pipefail", "-c", command],  # noqa: S607 - that of whoever measures
        cwd=root,
        env=os.environ | {"PYTEST_ADDOPTS": "-rap", "CI": "true"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return _Ran(done.stdout.decode("utf-8", "replace"), done.returncode)


def _read(root: Path, claim: Claim, ran: Mapping[str, _Ran], entry: Measured) -> Measured:
    """Return ENTRY with the values of CLAIM, or with what was said in the end."""
    printed, status = ran[claim.command] if claim.command in ran else _of_tests(claim, ran)
    said = _why_it_failed(printed.replace(str(root), "."))  # whose folders these are is nobody's business
    if status != 0:
        return replace(entry, failed=f"exit status {status}: {said}")
    text = (root / claim.file).read_text(encoding="utf-8") if claim.file else printed
    try:
        values = dict(claim.read(text))
    except FigureMissing as error:
        return replace(entry, failed=f"{error}: {said}")
    return replace(entry, values=values)


def _of_tests(claim: Claim, ran: Mapping[str, _Ran]) -> _Ran:
    """Return what the tests of CLAIM printed among all that RAN; of a run that did not come to its end, that."""
    for one in ran.values():
        if not re.search(r"^=* ?.*\d+ passed.* in [\d.]+s", one.printed, flags=re.MULTILINE):
            return one._replace(status=one.status or 1)
    lines = "\n".join(one.printed for one in ran.values()).splitlines()
    own = [line for line in lines if any(is_of(line.partition(" ")[2], name) for name in claim.tests)]
    printed = "\n".join(own)
    return _Ran(printed, int(bool(tests_that("FAILED", printed) or tests_that("ERROR", printed))))


def _why_it_failed(text: str) -> str:
    """Return which tests failed by TEXT, or else the last lines of it that say something, as one."""
    lines = [line.strip()[:_LONGEST_LINE] for line in text.splitlines() if line.strip()]
    failed = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
    return " / ".join(failed[:_MOST_LINES] or lines[-_MOST_LINES:])
