"""How do figures get onto a page?  Where a page has those that were measured before, they become the new ones."""

from __future__ import annotations

import re
from pathlib import Path

from evidence.claim import Claim
from evidence.reading import Values
from primad.trec.files import atomic_write


def requote(root: Path, claim: Claim, before: Values, now: Values) -> list[str]:
    """Write into the pages at ROOT that quote CLAIM what is measured NOW, and return which pages changed.

    A page that does not have what was measured BEFORE stays as it is: a test says what it should have.
    """
    changed = []
    for quote in claim.quotes:
        path = root / quote.page
        old = path.read_text(encoding="utf-8")
        new = replaced(old, quote.filled(before), quote.filled(now))
        if new != old:
            with atomic_write(path) as file:
                file.write(new.encode())
            changed.append(quote.page)
    return changed


def replaced(text: str, old: str, new: str) -> str:
    r"""Return TEXT with the words of NEW for those of OLD, on the lines that they were on.

    >>> replaced("It takes\n1.79 s, no more.", "takes 1.79 s", "takes 1.52 s")
    'It takes\n1.52 s, no more.'
    >>> replaced("15 s and 5 s", "5 s", "6 s")
    '15 s and 6 s'
    """
    words = new.split()

    def written(found: re.Match[str]) -> str:
        gaps = [*found.groups(), *[" "] * len(words)][: len(words) - 1]
        return "".join(word + gap for word, gap in zip(words, [*gaps, ""], strict=True))

    pattern = r"(\s+)".join(re.escape(word) for word in old.split())
    return re.sub(rf"(?<![\w.,]){pattern}(?!\w)", written, text)
