"""Which codes may an output give?  Those of a list: what stands outside of it is left out before anything is counted.

    ValidCodes      the settings ``valid_codes`` and ``valid_codes_in`` of a scorer
    left_out        what is to be said of codes that were left out

A list is a setting, ``valid_codes``, or stands in files beside the gold standard, ``valid_codes_in``: the code is what
stands before the first tab of a line, as terminologies have it, with a description behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from primad.errors import FileError
from primad.evaluation.scorers.reading import few, texts_of
from primad.evaluation.scorers.settings import Settings

SETTINGS = ("valid_codes", "valid_codes_in")


@dataclass(frozen=True)
class ValidCodes:
    """The codes that are LISTED, and the FILES of the gold standard that list more; CASE says whether case counts."""

    listed: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    case: bool = False

    @classmethod
    def of(cls, settings: Settings, *, case: bool) -> ValidCodes:
        """Return what SETTINGS say."""
        return cls(settings.names("valid_codes"), settings.names("valid_codes_in"), case)

    def parted(self, gold: Mapping[str, bytes]) -> tuple[dict[str, bytes], frozenset[str] | None]:
        """Return GOLD without lists of codes, and the codes that are valid; None if all are."""
        absent = next((name for name in self.files if name not in gold), None)
        if absent is not None:
            hint = "hand over a folder that holds both" if len(gold) == 1 else ""
            raise FileError(absent, f"expected the valid codes beside the gold standard, found {few(gold)}", hint)
        kept = {name: data for name, data in gold.items() if name not in self.files}
        if not self.listed and not self.files:
            return kept, None
        texts = texts_of({name: gold[name] for name in self.files}) if self.files else []
        codes = [line.partition("\t")[0].strip() for text in texts for _, line in text.lines]
        return kept, frozenset(code if self.case else code.casefold() for code in (*self.listed, *codes))


def left_out(codes: Iterable[str]) -> tuple[str, ...]:
    """Return the remark on CODES that are not valid, if there are any."""
    named = sorted(set(codes))
    return (f"codes outside of the valid ones are left out: {few(named)}",) if named else ()
