"""What do pages say about other tools?  The table at the end of docs/comparison.md names what shows each statement.

A row that names tests becomes a claim that these tests show; one that says "not run" stays known from elsewhere.  Those
that name ``make bench`` are claims about speed, in speed.py, which quote their sentences.
"""

from __future__ import annotations

import re
from pathlib import Path

from evidence.claim import Claim, Quote, shown_by
from evidence.reading import passed

PAGE = "docs/comparison.md"
_ROOT = Path(__file__).resolve().parents[2]
_ROW = re.compile(r"^\| (c\d+) \| ([^|]+) \| ([^|]+) \|$", flags=re.MULTILINE)
_TEST = re.compile(r"`(tests/[\w/]+\.py(?:::\w+)?)`")
_SOURCES = (
    "tests/peers tests/claims src/primad/trec src/primad/evaluation src/primad/reproducibility src/primad/metadata"
)


def from_table(text: str) -> list[Claim]:
    """Return the claims of the table at the end of a page with TEXT, but for those about speed."""
    rows = _ROW.findall(text.partition("\n## Claims\n")[2])
    return [_claim(mark, says.strip(), shown) for mark, says, shown in rows if "`make bench`" not in shown]


def _claim(mark: str, says: str, shown: str) -> Claim:
    """Return the claim of a row."""
    names = _TEST.findall(shown)
    files = list(dict.fromkeys(name.partition("::")[0] for name in names))
    row = f"| {mark} | {says} |".replace("{", "{{").replace("}", "}}")
    quotes = (Quote(PAGE, f"[[{mark}]](#claims)"), Quote(PAGE, row))
    if not names:
        return Claim(mark, f"{says} ({mark})", "", (), quotes, source=shown.strip())
    return shown_by(mark, f"{says} ({mark})", " ".join(files), _SOURCES, *quotes, read=passed(*names))


CLAIMS = tuple(from_table((_ROOT / PAGE).read_text(encoding="utf-8")))
