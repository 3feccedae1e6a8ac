"""What was measured, when, and at which commit?  measured.json, from which the page is written.

LEDGER     where that is
Measured   the values of one claim, or why there are none
Ledger     all of them, by the name of the claim
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from primad.trec.files import atomic_write

LEDGER = "evidence/measured.json"


@dataclass(frozen=True)
class Measured:
    """What COMMAND gave at COMMIT, on DAY, on a MACHINE: VALUES, or the last lines of what it said when it FAILED."""

    command: str
    commit: str
    day: str
    machine: str = ""
    values: dict[str, float | str] = field(default_factory=dict)
    failed: str = ""


@dataclass
class Ledger:
    """What was measured of each claim, in the file at PATH."""

    path: Path
    entries: dict[str, Measured] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Ledger:
        """Return what is written at PATH; nothing if there is no such file."""
        if not path.exists():
            return cls(path)
        return cls(path, {name: Measured(**one) for name, one in json.loads(path.read_text("utf-8")).items()})

    def write(self) -> None:
        """Write it, all or nothing."""
        entries = {name: asdict(one) for name, one in sorted(self.entries.items())}
        with atomic_write(self.path) as file:
            file.write((json.dumps(entries, indent=1, ensure_ascii=False) + "\n").encode())
