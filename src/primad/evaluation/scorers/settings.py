"""What was a scorer told?  Its settings, each read as what it must be.

    Settings   the settings of one scorer; one that it does not know is a UsageError

Settings come from a file, where a list is a list, or from a command line, where everything is text: both are read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from primad.errors import UsageError, nearest

_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
_LONGEST_SHOWN = 60

_POSITIVE = r"([0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})([eE][+-]?[0-9]{1,3})?"

# Every scorer has these.
COMMON = ("measures", "primary", "limit")


class Settings:
    """The settings GIVEN to the scorer called SCORER, which knows those in KNOWN and the common ones."""

    def __init__(self, scorer: str, given: Mapping[str, Any], known: Collection[str] = ()) -> None:
        """Refuse a setting that the scorer does not know: it would be without effect."""
        self.scorer = scorer
        self._given = dict(given)
        names = [*known, *COMMON]
        unknown = [name for name in self._given if name not in names]
        if unknown:
            raise UsageError(
                f"expected settings that the scorer '{scorer}' knows ({', '.join(names)}), found '{_cut(unknown[0])}'"
            )

    def __contains__(self, name: str) -> bool:
        """Tell whether the setting NAME was given a value."""
        return self._given.get(name) not in (None, "", [], ())

    def text(self, name: str, default: str) -> str:
        """Return the text that NAME was set to."""
        value = self._value(name, default)
        if not isinstance(value, str):
            raise self._wrong(name, "a text")
        return value

    def choice(self, name: str, choices: Sequence[str]) -> str:
        """Return which of CHOICES NAME was set to, by default the first."""
        value = str(self._value(name, choices[0]))  # a file may have 10 where a choice is "10"
        if value not in choices:
            raise self._wrong(name, f"one of {', '.join(choices)}")
        return value

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Tell whether NAME is switched on."""
        word = str(self._value(name, default)).lower()
        if word not in _TRUE + _FALSE:
            raise self._wrong(name, "true or false")
        return word in _TRUE

    def whole(self, name: str, default: int, *, least: int = 0, most: int = 10**9) -> int:
        """Return the whole number that NAME was set to, from LEAST to MOST."""
        value = self._value(name, default)
        is_whole = isinstance(value, int | str) and re.fullmatch(r"-?[0-9]{1,10}", str(value)) is not None
        if not is_whole or not least <= int(value) <= most:
            raise self._wrong(name, f"a whole number from {least:,} to {most:,}")
        return int(value)

    def limit(self) -> float | None:
        """Return how far apart two values of the primary measure may be and still be close; None if that is not set."""
        if "limit" not in self:
            return None
        value = self._given["limit"]
        is_number = isinstance(value, int | float | str) and not isinstance(value, bool)
        if not is_number or not re.fullmatch(_POSITIVE, str(value)) or not 0 < float(value) < math.inf:
            raise self._wrong("limit", "a number above 0")
        return float(value)

    def names(self, name: str) -> tuple[str, ...]:
        """Return the names that NAME was set to: a list, or a text with blanks or commas between them."""
        value = self._given.get(name) or ()
        names = re.split(r"[\s,]+", value.strip(" \t\n,")) if isinstance(value, str) else value
        if not isinstance(names, list | tuple) or not all(isinstance(one, str) and one for one in names):
            raise self._wrong(name, "a list of names")
        return tuple(dict.fromkeys(names))

    def measures(self, known: Sequence[str], primary: str) -> tuple[tuple[str, ...], str]:
        """Return the chosen measures out of KNOWN, and the primary one: as set, else PRIMARY, else the first."""
        chosen = self.names("measures") or tuple(known)
        self._refuse_unknown("measures", chosen, known)
        first = primary if primary in chosen else chosen[0]
        return chosen, self.primary(chosen, first if "measures" not in self else chosen[0])

    def primary(self, chosen: Sequence[str], default: str) -> str:
        """Return the primary measure, one of those CHOSEN."""
        name = self.text("primary", default)
        self._refuse_unknown("primary", [name], chosen)
        return name

    def raw(self, name: str) -> Any:
        """Return what NAME was set to, whatever it is."""
        return self._given.get(name)

    def _value(self, name: str, default: Any) -> Any:
        """Return what NAME was set to; nothing, as a file may have it, is the DEFAULT."""
        return self._given[name] if name in self else default

    def _refuse_unknown(self, setting: str, names: Sequence[str], known: Sequence[str]) -> None:
        """Refuse NAMES of measures, which SETTING was set to, that are not among those KNOWN."""
        unknown = next((name for name in names if name not in known), None)
        if unknown is not None:
            expected = f"expected measures ({', '.join(known)}), found '{_cut(unknown)}'{_meant(unknown, known)}"
            raise UsageError(f"scorer '{self.scorer}', setting '{setting}': {expected}")

    def _wrong(self, name: str, expected: str) -> UsageError:
        """Return the error that NAME should have been what is EXPECTED."""
        found = _cut(repr(self._given.get(name)))
        return UsageError(f"scorer '{self.scorer}', setting '{name}': expected {expected}, found {found}")


def _meant(unknown: str, known: Sequence[str]) -> str:
    """Return which of the measures KNOWN was perhaps meant by an UNKNOWN name, upper and lower case being the same.

    >>> _meant("F1", ["precision", "f1"]), _meant("bleu", ["precision", "f1"])
    ("; did you mean 'f1'?", '')
    """
    near = nearest(unknown[:_LONGEST_SHOWN], known)
    return f"; did you mean '{near}'?" if near else ""


def _cut(text: str) -> str:
    """Return the beginning of TEXT, which may be of any length."""
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"
