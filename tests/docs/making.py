"""Which files of the documentation are made from the code?  `make docs` writes them with `python -m tests.docs.making`.

    made    their texts, by their path in docs/

test_made.py compares each with what is there.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from primad.reports.documentation.checklist import checklist_page
from primad.reports.documentation.measures import measures_page
from primad.trec.files import atomic_write
from tests.docs.pages import ROOT

DOCS = ROOT / "docs"


def speed_page() -> str:
    """Return what `make bench` wrote, which lies outside docs/, as one page."""
    parts = (ROOT / "bench" / "RESULTS.md").read_text(encoding="utf-8")
    return "# Speed\n\n" + re.sub(r"^#", "##", parts, flags=re.MULTILINE)


def growth() -> str:
    """Return the figure of that page."""
    return (ROOT / "bench" / "growth.svg").read_text(encoding="utf-8")


MADE: dict[str, Callable[[], str]] = {
    "reference/measures.md": measures_page,
    "reference/checklist.md": checklist_page,
    "reference/speed.md": speed_page,
    "reference/growth.svg": growth,
}


if __name__ == "__main__":
    for name, text in MADE.items():
        with atomic_write(DOCS / name) as file:
            file.write(text().encode())
