"""Where do pages state figures that were measured, and which of them are no claims?

    PAGES        the pages that are looked at
    prose        the text of a page without its blocks of code
    figures      the places of figures in it
    NO_CLAIMS    words with figures that claim nothing, by page, with the reason

A figure is a number with a unit or a ratio, or words such as "byte for byte" and "faster".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tests.docs.making import MADE
from tests.docs.pages import pages, text_of, tokens

PAGES = [one for one in pages() if one.startswith(("README", "docs/")) and one.removeprefix("docs/") not in MADE]

_UNITS = (
    r"ms|s|seconds?|minutes?|hours?|TB|GB|GiB|MiB|MB|kB|bytes|%|percent|times|x|passed|digits|runs a second|a second"
)
_WORDS = r"\bfaster\b|\bslower\b|as fast as|byte for byte|byte-identical|(?:third|quarter) of a second"
_TIMES = r"\b(?:two|three|four|five|six|ten|twenty|fifty|hundred) times\b"
_FIGURE = re.compile(rf"(?<![\w.])\d[\d,.]*\s?(?:{_UNITS})(?!\w)|\d\u2013\d|1e-\d+|{_WORDS}|{_TIMES}", re.IGNORECASE)


class Figure(NamedTuple):
    """A figure in the prose of a page: where it begins and ends, and the words around it."""

    begin: int
    end: int
    around: str


def prose(page: str) -> str:
    """Return the text of PAGE, without blocks of code, in one line."""
    return without_code(text_of(page))


def without_code(text: str) -> str:
    """Return TEXT without blocks of code, in one line."""
    lines = text.splitlines()
    for token in tokens(text):
        if token.type in {"fence", "code_block"} and token.map:
            lines[slice(*token.map)] = [""] * (token.map[1] - token.map[0])
    return " ".join(" ".join(lines).split())


def figures(text: str) -> Iterator[Figure]:
    """Yield the figures in the prose TEXT; what stands in marks of code is typed, not claimed."""
    plain = re.sub(r"`[^`]*`", lambda found: "`" * len(found[0]), text)
    for found in _FIGURE.finditer(plain):
        yield Figure(found.start(), found.end(), text[max(0, found.start() - 60) : found.end() + 40])


_LEVEL = "a level of confidence that was chosen"
_SHOWN = "what a block on the page prints, which tests carry out"
_MEANS = "the definition of what is printed"
_ASSUMED = "an estimate or an assumption, which the page says it is"

NO_CLAIMS: dict[str, dict[str, str]] = {
    "docs/explanations/two-cvs.md": {
        "12.5 % larger for two values, 3.6 % for seven": "1 + 1/4n for n = 2 and n = 7",
        "a true coefficient of variation of 5 %": "a setting of the simulation in the block below",
        "with two values the 95 % interval": _LEVEL,
    },
    "docs/guides/archive.md": {"the 95 % interval of that difference": _LEVEL},
    "docs/guides/assessing.md": {
        "could have detected (four times out of five)": _MEANS,
        "they are 5 % of the original mean for a mean score and 10 % for RMSE": "margins that primad takes by default",
    },
    "docs/guides/precision.md": {
        "| stdev 95% CI |": _LEVEL,
        "| CV 95% CI |": _LEVEL,
        "| within s, within 2s |": _MEANS,
        "| one in ten five times as wide |": "the name of a population",
        "runs it five times": "what `--repeat 5` means",
    },
    "docs/guides/sandbox.md": {
        "at least every quarter of a second besides": "a pause that primad/replay/limits.py states",
        "up to four times as large as what was printed": "a control character is spelled out as four",
    },
    "docs/guides/scale.md": {
        "A server with 128 GB keeps what is hot; that is an estimate": _ASSUMED,
        "≈ 10 MB a term": "a byte for each of ten million runs",
        "≈ 15 processor hours to unpack and hash (5.5 ms a run *)": "read off once, which the page says",
    },
    "docs/guides/scorers.md": {
        "10,000 times, p = (as far apart + 1)": "how many draws are made",
        "drawn with replacement, 10,000 times; the interval holds 95 % of the differences": "how many draws are made",
    },
    "docs/guides/server.md": {
        "hand something in every 20 s, each with pauses of 0.2 to 1 s": "how the crowd of the benchmark behaves",
        "| a page: median, 95 %, 99 % (ms) |": "the heading of a table",
    },
    "docs/tasks/assess.md": {
        "would have shown four times out of five": _MEANS,
        "85 % of the effect came back, and anything from 57 to 128 % is compatible with these scores": _SHOWN,
    },
    "docs/tasks/human-evaluations.md": {"11.9 % may be anything from 6 to 40 %": _SHOWN},
    "docs/which-number.md": {
        "1, 0 and 0 %; anything else is a finding": "what perfect values are",
        "A ranker that depends on its seed, five times": "what the block below does",
    },
}
