"""How does a person in a hurry write down a diagnosis?

    Noise      how often what happens to a text
    CAREFUL    a person with some time
    HURRIED    one with none
    noisy      a description as such a person would write it

The rules are ours: words are abbreviated, turned around and mistyped, and what says nothing is left away.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

# What is written for words of a description; the longest come first, so that they are found before their parts.
ABBREVIATIONS = {
    "myocardial infarction": "mi",
    "diabetes mellitus": "dm",
    "without mention of": "w/o",
    "heart failure": "hf",
    "hypertension": "htn",
    "hypertensive": "htn",
    "haemorrhage": "haem",
    "respiratory": "resp",
    "complications": "compl",
    "deficiency": "def",
    "obstructive": "obstr",
    "pulmonary": "pulm",
    "disorders": "dis",
    "disorder": "dis",
    "diseases": "dis",
    "disease": "dis",
    "syndrome": "synd",
    "cerebral": "cereb",
    "secondary": "sec",
    "bronchitis": "bronch",
    "pneumonia": "pneum",
    "infarction": "inf",
    "artery": "art",
    "chronic": "chr",
    "congenital": "cong",
    "without": "w/o",
    "due to": "d/t",
    "acute": "ac",
    "other": "oth",
    "with": "w",
}
_EMPTY = ("unspecified", "not elsewhere classified", "specified", "mention of")
_ASIDE = re.compile(r"\s*[(\[][^)\]]*[)\]]")
_MARKS = re.compile(r"[^\w\s/,-]+")
_LONG_ENOUGH = 5  # letters of a word in which a slip is not noticed


@dataclass(frozen=True)
class Noise:
    """How often, from 0 to 1, a phrase is ABBREVIATED, an empty phrase DROPPED, the order TURNED, a word MISTYPED."""

    abbreviated: float
    dropped: float
    turned: float
    mistyped: float


CAREFUL = Noise(abbreviated=0.3, dropped=0.5, turned=0.25, mistyped=0.04)
HURRIED = Noise(abbreviated=0.6, dropped=0.8, turned=0.35, mistyped=0.12)


def noisy(description: str, noise: Noise, chance: Random) -> str:
    """Return DESCRIPTION as somebody may write it, by CHANCE and as much NOISE."""
    text = _MARKS.sub(" ", _ASIDE.sub("", description.lower()))
    for phrase in _EMPTY:
        text = _replaced(text, phrase, " ", noise.dropped, chance)
    for phrase, short in ABBREVIATIONS.items():
        text = _replaced(text, phrase, short, noise.abbreviated, chance)
    parts = [words for part in text.split(",") if (words := part.split())]
    if len(parts) > 1 and chance.random() < noise.turned:
        parts = [*parts[1:], parts[0]]
    words = [word for part in parts for word in part]
    if chance.random() < noise.turned:
        words = [*words[1:], *words[:1]]
    return " ".join(_mistyped(word, chance) if chance.random() < noise.mistyped else word for word in words)


def _replaced(text: str, phrase: str, other: str, share: float, chance: Random) -> str:
    """Return TEXT with OTHER in the place of PHRASE, if it is there, in a SHARE of all texts."""
    found = re.search(rf"\b{phrase}\b", text)
    return re.sub(rf"\b{phrase}\b", other, text) if found and chance.random() < share else text


def _mistyped(word: str, chance: Random) -> str:
    """Return WORD with a slip: two letters exchanged, one left out, or one typed twice; a short word stays."""
    if len(word) < _LONG_ENOUGH:
        return word
    at = 1 + int(chance.random() * (len(word) - 2))
    left, letter, right = word[:at], word[at], word[at + 1 :]
    slips = (f"{left}{right[0]}{letter}{right[1:]}", f"{left}{right}", f"{left}{letter}{letter}{right}")
    return slips[int(chance.random() * len(slips))]
