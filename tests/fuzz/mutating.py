"""What could be wrong with a file?  A valid one, damaged in ways that a seed decides.

    mutated   one to four damages, one after the other
    ODD       pieces that readers have stumbled over: signs that cannot be seen, extreme numbers, halves of characters

Nothing is known here about what is in the file, except that text has lines, and numbers in them.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Sequence
from random import Random

Damage = Callable[[bytes, Random], bytes]

NUMBERS = (
    b"nan",
    b"-nan",
    b"NaN",
    b"inf",
    b"-Infinity",
    b"1e309",
    b"-1e309",
    b"1e-400",
    b"-0",
    b"-0.0",
    b"0",
    b"",
    b"9" * 19,
    b"-9223372036854775809",
    b"1" + b"0" * 400,
    b"1" + b"0" * 5000,
    b"0." + b"3" * 5000,
    b"1_000",
    b"0x10",
    b"1e5",
    b"2147483648",
    b"\xd9\xa3",  # a digit, but not one of ours
    b"\xc2\xb2",
    b"1,5",
    b"+1",
    b"1e",
    b".",
)
ODD = (
    b"\0",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\n",
    b"\t",
    b" ",
    b"\x0b",
    b"\x0c",
    b"\x1b[31m",
    b"\x7f",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xe2\x80\xae",  # from here on from right to left
    b"\xe2\x80\xa8",
    b"\xc2\x85",
    b"\xc2\xa0",
    b"\xed\xa0\x80",  # half of a character
    b"\xf4\x90\x80\x80",
    b"\xc3",
    b"e\xcc\x81",
    b"\xf0\x9f\xa6\x84",
    b'"',
    b"'",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"#",
    b"# ",
    b":",
    b": ",
    b"- ",
    b",",
    b";",
    b"{",
    b"}",
    b"[",
    b"]",
    b"[]",
    b"{}",
    b"&a ",
    b"*a",
    b"!!python/object:os.system ",
    b"<<: ",
    b"---\n",
    b"%",
    b"../",
    b"$(x)",
    b"null",
    b"true",
    b"~",
    b"=",
    b"<script>",
)
_NUMBER = re.compile(rb"[-+]?[0-9]+(?:\.[0-9]+)?")
_LONGEST = 1 << 20  # bytes of what comes out
_LONG, _LONG_BUT_RARE = 3_000, 100_000
_DEEP = 2_000


def mutated(data: bytes, chance: Random, others: Sequence[bytes] = ()) -> bytes:
    """Return DATA with one to four damages; a part of one of the OTHERS may get into it."""
    for _ in range(chance.choice((1, 1, 2, 2, 3, 4))):
        if others and chance.random() < 0.05:
            data = _spliced(data, chance.choice(others), chance)
        else:
            data = chance.choice(_DAMAGES)(data, chance)
    return data[:_LONGEST]


def _spliced(data: bytes, other: bytes, chance: Random) -> bytes:
    """Return the beginning of DATA with the end of OTHER."""
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other) + 1) :]


def _flip(data: bytes, chance: Random) -> bytes:
    """Turn a bit."""
    if not data:
        return data
    place = chance.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << chance.randrange(8))]) + data[place + 1 :]


def _cut_end(data: bytes, chance: Random) -> bytes:
    """Leave the end out."""
    return data[: chance.randrange(len(data) + 1)]


def _cut_out(data: bytes, chance: Random) -> bytes:
    """Leave a part out."""
    start, end = _part(data, chance)
    return data[:start] + data[end:]


def _double(data: bytes, chance: Random) -> bytes:
    """Say a part several times."""
    start, end = _part(data, chance)
    return data[:end] + data[start:end] * chance.choice((1, 1, 2, 50)) + data[end:]


def _part(data: bytes, chance: Random) -> tuple[int, int]:
    """Return where a part of DATA starts and ends."""
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.choice((1, 2, 8, 30, 200)))


def _insert(data: bytes, chance: Random) -> bytes:
    """Put something odd in, often at the beginning of a line or of all."""
    place = chance.randrange(len(data) + 1)
    if chance.random() < 0.4:
        place = data.rfind(b"\n", 0, place) + 1
    return data[:place] + chance.choice(ODD) + data[place:]


def _noise(data: bytes, chance: Random) -> bytes:
    """Put bytes in that mean nothing."""
    place = chance.randrange(len(data) + 1)
    return data[:place] + chance.randbytes(chance.randint(1, 8)) + data[place:]


def _renumber(data: bytes, chance: Random) -> bytes:
    """Give a number another value."""
    found = list(_NUMBER.finditer(data))
    if not found:
        return _insert(data, chance)
    start, end = chance.choice(found).span()
    return data[:start] + chance.choice(NUMBERS) + data[end:]


def _swap_lines(data: bytes, chance: Random) -> bytes:
    """Exchange two lines."""
    lines = data.split(b"\n")
    first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return b"\n".join(lines)


def _shuffle_words(data: bytes, chance: Random) -> bytes:
    """Give a line its words in another order, or leave one out."""
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    words = re.split(rb"([ \t,;:]+)", lines[place])
    chance.shuffle(words)
    lines[place] = b"".join(words[chance.randint(0, 1) :])
    return b"\n".join(lines)


def _repeat_line(data: bytes, chance: Random) -> bytes:
    """Say a line again somewhere."""
    lines = data.split(b"\n")
    lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))
    return b"\n".join(lines)


def _lengthen(data: bytes, chance: Random) -> bytes:
    """Make a word very long."""
    place = chance.randrange(len(data) + 1)
    length = _LONG if chance.random() < 0.9 else _LONG_BUT_RARE
    return (
        data[:place] + chance.choice((b"x", b"9", b" ", b"\t", b"\n", b"\xc3\xa9", b",", b"\0")) * length + data[place:]
    )


def _nest(data: bytes, chance: Random) -> bytes:
    """Put brackets around brackets."""
    place = chance.randrange(len(data) + 1)
    opening, closing = chance.choice(((b"[", b"]"), (b"{", b"}"), (b'{"a":', b"}"), (b"- ", b""), (b"(", b")")))
    depth = chance.choice((10, 200, _DEEP))
    return data[:place] + opening * depth + chance.choice((b"", closing * depth)) + data[place:]


def _all_line_ends(data: bytes, chance: Random) -> bytes:
    """Let all lines end as elsewhere."""
    return data.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\n", b"\xe2\x80\xa8", b" ")))


def _reencode(data: bytes, chance: Random) -> bytes:
    """Write text in another encoding."""
    return data.decode("latin-1").encode(chance.choice(("utf-16", "utf-16-le", "utf-32", "utf-8-sig")))


def _pack(data: bytes, chance: Random) -> bytes:
    """Pack it by gzip, sometimes damaged."""
    packed = gzip.compress(data, 1, mtime=0)
    return packed if chance.random() < 0.5 else _flip(packed, chance)


def _nothing(_data: bytes, chance: Random) -> bytes:
    """Leave almost nothing."""
    return chance.choice((b"", b"\n", b" ", b"\0", b"\xef\xbb\xbf", chance.choice(ODD), chance.choice(NUMBERS)))


_USUAL: tuple[Damage, ...] = (
    _flip,
    _cut_out,
    _double,
    _insert,
    _insert,
    _insert,
    _noise,
    _renumber,
    _renumber,
    _renumber,
    _swap_lines,
    _shuffle_words,
    _repeat_line,
)
_RARE: tuple[Damage, ...] = (_cut_end, _lengthen, _nest, _all_line_ends, _reencode, _pack, _nothing)
_DAMAGES = _USUAL * 4 + _RARE
