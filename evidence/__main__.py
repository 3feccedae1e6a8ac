"""What shows that what the pages say is true?  Measures what is no longer sure, and writes EVIDENCE.md.

    python -m evidence                 measures the lines whose subject changed since, and those never measured
    python -m evidence --quick         leaves out commands that take long: benchmarks, rounds of faults, the whole suite
    python -m evidence --only NAME     measures this one, and all that its command shows; can be given again
    python -m evidence --all           measures everything anew
    python -m evidence --write         measures nothing, and writes the page again, after claims got other words
    python -m evidence --adopt         enters what benchmarks left in their files, at the commit that first had it
    python -m evidence --stale         lists what would be measured, and exits with 1 if there is anything

The page is written after each command, so that whoever stops it loses one command only; pages that quote a figure get
the new one.  It exits with 1 if a command failed, or if something was not measured because it is in no commit: such as
tests that read a page which has just got another figure.  Commit it, and go on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from evidence.claim import Claim
from evidence.claims import SUBJECTS
from evidence.ledger import LEDGER, Ledger
from evidence.measuring import UnsureCommit, adopt, measure, shared, stale
from evidence.page import page
from evidence.quoting import requote
from primad.trec.files import atomic_write

ROOT = Path(__file__).resolve().parents[1]
PAGE = "EVIDENCE.md"

Subjects = Mapping[str, Sequence[Claim]]


class Book:
    """The claims of SUBJECTS about the checkout at ROOT, what was measured of them, and the page about it."""

    def __init__(self, root: Path, subjects: Subjects) -> None:
        self.root, self.subjects = root, subjects
        self.claims = [claim for claims in subjects.values() for claim in claims]
        known = Ledger.read(root / LEDGER)
        own = {claim.name: known.entries[claim.name] for claim in self.claims if claim.name in known.entries}
        self.ledger = Ledger(known.path, own)

    def stale(self) -> dict[str, str]:
        """Return which claims have to be measured, and why."""
        reasons = {one.name: stale(self.root, one, self.ledger.entries.get(one.name)) for one in self.claims}
        return {name: why for name, why in reasons.items() if why}

    def adopt(self) -> None:
        """Enter what files say of claims that have to be measured."""
        reasons = self.stale()
        found = {one.name: adopt(self.root, one) for one in self.claims if one.file and one.name in reasons}
        self.ledger.entries |= found

    def measure(self, chosen: Sequence[Claim]) -> list[str]:
        """Measure all that the commands of CHOSEN claims show, write after each, and return what went wrong."""
        runs = shared(self.claims, {claim.command for claim in chosen})
        troubles = []
        for number, (commands, claims) in enumerate(runs, start=1):
            sys.stderr.write(f"[{number}/{len(runs)}] {' && '.join(commands)}\n")
            troubles += self._measure(commands, claims)
            self.write()
        return troubles

    def _measure(self, commands: Sequence[str], claims: Sequence[Claim]) -> list[str]:
        """Measure CLAIMS that COMMANDS show, and return what went wrong."""
        try:
            found = measure(self.root, commands, claims)
        except UnsureCommit as error:
            return [f"{claims[0].name}: not measured: {error}"]
        for claim in claims:
            known = self.ledger.entries.get(claim.name)
            if known and known.values.keys() == found[claim.name].values.keys():
                requote(self.root, claim, known.values, found[claim.name].values)
            sys.stderr.write(f"    {claim.name}: {found[claim.name].failed or claim.told(found[claim.name].values)}\n")
        self.ledger.entries |= found
        return [f"{name}: FAILED {one.failed}" for name, one in found.items() if one.failed]

    def write(self) -> None:
        """Write what was measured, and the page about it."""
        self.ledger.write()
        with atomic_write(self.root / PAGE) as file:
            file.write(page(self.subjects, self.ledger).encode())


def run(root: Path, subjects: Subjects, arguments: Sequence[str]) -> int:
    """Do what ARGUMENTS say, and return the exit status."""
    given = _options().parse_args(arguments)
    book = Book(root, subjects)
    if unknown := set(given.only) - {claim.name for claim in book.claims}:
        sys.stderr.write(f"no such claim: {', '.join(sorted(unknown))}; evidence/claims has their names\n")
        return 2
    if given.stale:
        reasons = book.stale()
        sys.stdout.write("".join(f"{name}: {why}\n" for name, why in reasons.items()))
        return int(bool(reasons))
    if given.adopt:
        book.adopt()
    book.write()
    if given.adopt or given.write:
        return 0
    troubles = book.measure(_chosen(book, given))
    sys.stderr.write("".join(f"{trouble}\n" for trouble in troubles))
    return int(bool(troubles))


def _options() -> argparse.ArgumentParser:
    """Return what can be asked for."""
    options = argparse.ArgumentParser(
        prog="python -m evidence", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = options.add_mutually_exclusive_group()
    what.add_argument("--all", action="store_true", help="measure everything anew")
    what.add_argument("--only", action="append", default=[], metavar="NAME", help="measure this claim")
    what.add_argument("--stale", action="store_true", help="list what would be measured")
    what.add_argument("--write", action="store_true", help="measure nothing, write the page")
    what.add_argument("--adopt", action="store_true", help="enter what files of benchmarks say")
    options.add_argument("--quick", action="store_true", help="leave out commands that take long")
    return options


def _chosen(book: Book, given: argparse.Namespace) -> list[Claim]:
    """Return the claims to measure."""
    if given.only:
        return [claim for claim in book.claims if claim.name in given.only]
    reasons = {} if given.all else book.stale()
    wanted = [claim for claim in book.claims if claim.command and (given.all or claim.name in reasons)]
    return [claim for claim in wanted if not (given.quick and claim.is_long)]


if __name__ == "__main__":
    sys.exit(run(ROOT, SUBJECTS, sys.argv[1:]))
