r"""Which lines of a stream belong to a private key?

    KeyLines   asked about one line after the other

A key is shown in many ways: behind the prefix of a log, as texts of a list, with lines of others in between, or cut
off.  And somebody may only speak of keys, after which little may vanish that is none.  So below a line with BEGIN
hidden is what has a word, or much of one, that only chance writes; and what has base64 alone behind the same prefix as
BEGIN or as a line of the key.  What is neither is shown, and the key goes on.

No expression here goes over the same text again and again, for lines may be very long.
"""

from __future__ import annotations

import re

_MARKED = "-----BEGIN "
_BEGINS = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?P<whole>(?: BLOCK)?-----)?")
_ENDS = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY")
_ABOUT_KEY = ("Proc-Type: ", "DEK-Info: ")
_MOST = 300  # lines of a key

_AROUND = " \t\"'`,;()[]"  # what stands around the texts of a list
# With a digit or a plus, which names of errors lack, and not a part of the name of a file.
_RANDOM_WORD = re.compile(r"(?<![\w.+/-])(?=[A-Za-z/]*+[0-9+])[A-Za-z0-9+/]{16,}+(?![\w.-])", re.ASCII)
_MUCH_BASE64 = re.compile(r"[A-Za-z0-9+/]{40}")
_LAST_OF_LINE = r"""(?:\\[nr])*+[\s"'`,;()\[\]\\+]*+"""  # an end of line that is spelled out, and what joins texts
_NOTHING_MORE = re.compile(_LAST_OF_LINE)
_ONLY_BASE64 = re.compile(r"""[\s"'`,;()\[\]]*+=?[A-Za-z0-9+/]++={0,2}""" + _LAST_OF_LINE)
_DIGITS = re.compile(r"[0-9]++")


class KeyLines:
    """Tells which lines belong to a private key; IS_HIDING says whether the last one did."""

    def __init__(self) -> None:
        """Begin outside of a key."""
        self.is_hiding = False
        self._left = 0  # so many lines may still belong to one
        self._prefixes: set[str] = set()

    def hides(self, line: str) -> bool:
        """Tell whether LINE, which follows the one before, belongs to a private key; in doubt it does."""
        begin = _unended(line) if _MARKED in line else None
        if begin:
            self._left = _MOST
            is_alone = begin["whole"] and _NOTHING_MORE.fullmatch(line, begin.end())
            self._prefixes = {_shape(line[: begin.start()]).rstrip(_AROUND)} if is_alone else set()
            self.is_hiding = True
        elif not self._left:
            self.is_hiding = False
        elif _ENDS.search(line):
            self._left, self.is_hiding = 0, True
        else:
            self.is_hiding = self._is_of_key(line)
            self._left -= self.is_hiding
        return self.is_hiding

    def _is_of_key(self, line: str) -> bool:
        """Tell whether LINE, below the beginning of a key, belongs to it; learn how such lines begin."""
        if not line.strip():
            return self.is_hiding
        found = _RANDOM_WORD.search(line) or _MUCH_BASE64.search(line)
        if found and _ONLY_BASE64.fullmatch(line, found.start()):
            self._prefixes.add(_shape(line[: found.start()]).rstrip(_AROUND))
        return bool(found) or line.lstrip().startswith(_ABOUT_KEY) or self._is_like_others(line)

    def _is_like_others(self, line: str) -> bool:
        """Tell whether LINE has base64 alone behind the prefix of another line, such as a short last one."""
        shape = _shape(line)
        begun = (prefix for prefix in self._prefixes if shape.startswith(prefix))
        return any(_ONLY_BASE64.fullmatch(shape, len(prefix)) for prefix in begun)


def _unended(line: str) -> re.Match[str] | None:
    """Return where a key begins in LINE that does not end there, None if there is none."""
    *_, last = (None, *_BEGINS.finditer(line))
    return None if last is None or _ENDS.search(line, last.end()) else last


def _shape(text: str) -> str:
    """Return TEXT as others look like it: numbers such as times may differ, and what stands around texts.

    >>> _shape("  [12:31:07] app | ") == _shape("[12:31:08] app | ")
    True
    """
    return _DIGITS.sub("0", text).lstrip(_AROUND)
