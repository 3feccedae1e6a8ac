"""How is YAML from outside read without harm, and how is ours written so that everybody reads the same?

    Node         a value with its line, and its text as it was written
    read_yaml    a YAML text as nodes
    node_of      plain values as nodes
    write_yaml   the one form we write

The text is read as a stream of events, never by a loader that builds objects: aliases, strange tags, deep nesting and
keys that stand twice are refused before anything is built, and no input can call code, grow or recurse.

Numbers are read as YAML 1.2 has them, true and false also as YAML 1.1 has them (yes, no, on, off).  Octal and
sexagesimal numbers, dates and numbers without a finite value stay text: 012 is rather a commit than 10.  A field that
holds text gets the text as it was written, by ``Node.text``.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from decimal import Decimal
from numbers import Integral, Rational, Real
from typing import TYPE_CHECKING, Any

import yaml

from primad.errors import DataError, FormatError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_BYTES = 1 << 20
MAX_DEPTH = 32

_MOST_PROBLEMS = 100
_LONGEST_SHOWN = 60
# Longer ones fit into no column of a database, and are rather commits or digests.
_LARGEST_INTEGER = 10**18 - 1
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NULLS = frozenset(["", "~", "null", "Null", "NULL"])
_BOOLEANS = {
    spelled: value
    for word, value in {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}.items()
    for spelled in (word, word.title(), word.upper())
}
_TAGS = "tag:yaml.org,2002:"
_TEXT_TAGS = {"str", "string", "binary", "timestamp"}
_VALUE_TAGS = {"bool", "int", "float", "null"}
# Control characters are refused by libyaml, too, but without the line; many directives take it long.
_UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]|^%TAG", re.MULTILINE)
_TREE_TAGS = {None, "!", _TAGS + "map", _TAGS + "seq"}


class Node:
    """A value of a YAML text, the line it stands in, and how it was written if it is no text.

    The value of a node is a mapping of text to nodes, a list of nodes, or a plain value.
    """

    __slots__ = ("line", "text", "value")

    def __init__(self, value: Any, line: int = 0, text: str | None = None) -> None:
        """Hold VALUE, which stands in LINE and is written as TEXT."""
        self.value = value
        self.line = line
        self.text = text

    def plain(self) -> Any:
        """Return the value as plain mappings, lists and values."""
        value = self.value
        if isinstance(value, dict):
            return {key: node.plain() for key, node in value.items()}
        if isinstance(value, list):
            return [node.plain() for node in value]
        return value

    def line_of(self, path: tuple[str | int, ...]) -> int:
        """Return the line of the value at PATH, or of the mapping it is missing from."""
        node = self
        for step in path:
            inner = node.at(step)
            if inner is None:
                break
            node = inner
        return node.line

    def at(self, step: str | int) -> Node | None:
        """Return the node at a key or place."""
        if isinstance(self.value, dict):
            return self.value.get(step)
        if isinstance(self.value, list) and isinstance(step, int) and 0 <= step < len(self.value):
            return self.value[step]  # type: ignore[no-any-return]
        return None


def node_of(tree: Any, depth: int = 0) -> Node:
    """Return plain values as nodes, which stand nowhere; DEPTH counts the lists and mappings around TREE."""
    if not isinstance(tree, dict | list | tuple):
        return Node(_as_read(tree))
    if depth >= MAX_DEPTH:
        raise DataError(f"expected at most {MAX_DEPTH} levels of lists and mappings in a record, found more")
    if isinstance(tree, dict):
        return Node({_encodable(str(key)): node_of(value, depth + 1) for key, value in tree.items()})
    return Node([node_of(value, depth + 1) for value in tree])


def _as_read(value: Any) -> Any:
    """Return a plain VALUE of Python as it is after it was written and read."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _encodable(value)
    if isinstance(value, Integral):
        # Decimal writes all digits, however many there are.
        return int(value) if abs(int(value)) <= _LARGEST_INTEGER else str(Decimal(int(value)))
    if isinstance(value, Real) and not isinstance(value, Rational):
        return float(value) if math.isfinite(value) else str(float(value))
    kind = type(value).__name__
    raise DataError(
        f"expected text, numbers, true and false, lists and mappings in a record, found a value of '{kind}'"
    )


def _encodable(text: str) -> str:
    """Return TEXT with bytes that are no text, as names of files may have them, written out."""
    return str(text) if text.isascii() else text.encode(errors="backslashreplace").decode()


class _Broken(Exception):
    """A line that cannot be read on."""

    def __init__(self, line: int, expected: str, found: str) -> None:
        self.problem = Problem(line, expected, found)
        super().__init__(str(self.problem))


def read_yaml(text: str, name: str, first_line: int = 1, *, limit: int = MAX_BYTES) -> Node:
    """Return what TEXT, of at most LIMIT bytes, says; it starts at FIRST_LINE of the file NAME."""
    _refuse_unreadable(text, name, first_line, limit)
    reader = _Reader(text, first_line)
    try:
        root = reader.read(yaml.CSafeLoader(text))
    except _Broken as broken:
        raise FormatError(name, [broken.problem]) from None
    except yaml.YAMLError as error:
        raise FormatError(name, [_syntax_problem(error, text, first_line)]) from None
    if reader.repeated:
        raise FormatError(name, reader.repeated[:_MOST_PROBLEMS], len(reader.repeated), "remove one of the two")
    return root


def _refuse_unreadable(text: str, name: str, first_line: int, limit: int) -> None:
    """Say that TEXT is too large, no text, or takes libyaml long to read."""
    size = len(text.encode(errors="replace"))
    if size > limit:
        problem = Problem(first_line, f"YAML of at most {limit:,} bytes", f"{size:,}")
        raise FormatError(name, [problem], hint="keep long series of measurements in a file of their own")
    unreadable = _UNREADABLE.search(text)
    if unreadable:
        found = f"the character {unreadable[0]!a}" if unreadable[0] != "%TAG" else "a directive"
        line = first_line + text.count("\n", 0, unreadable.start())
        raise FormatError(name, [Problem(line, "plain YAML", found)])


def _syntax_problem(error: yaml.YAMLError, text: str, first_line: int) -> Problem:
    """Return what libyaml could not read, and where."""
    mark = getattr(error, "problem_mark", None)
    lines = text.count("\n", 0, mark.index) if mark else 0
    said = getattr(error, "problem", None) or "no text"
    return Problem(first_line + lines, "YAML", f"a line that is none ({said})")


class _Reader:
    """Builds the tree from events, with a stack of its own in place of recursion."""

    def __init__(self, text: str, first_line: int) -> None:
        """Count the lines of TEXT from FIRST_LINE."""
        # libyaml counts lines as well, but also those that end with one of Unicode's separators, as no editor does.
        self.line_ends = [found.start() for found in re.finditer("\n", text)]
        self.first_line = first_line
        self.repeated: list[Problem] = []
        self.root = Node(None, first_line)
        self.open: list[_Level] = []
        self.documents = 0

    def read(self, events: yaml.CSafeLoader) -> Node:
        """Return the only document of EVENTS."""
        take: dict[type[yaml.Event], Callable[[Any], None]] = {
            yaml.ScalarEvent: self._scalar,
            yaml.MappingStartEvent: self._enter,
            yaml.SequenceStartEvent: self._enter,
            yaml.MappingEndEvent: self._leave,
            yaml.SequenceEndEvent: self._leave,
            yaml.AliasEvent: self._refuse_alias,
            yaml.DocumentStartEvent: self._begin,
        }
        while (event := events.get_event()) is not None:
            if type(event) in take:
                take[type(event)](event)
        return self.root

    def _begin(self, event: yaml.DocumentStartEvent) -> None:
        """Refuse a second document."""
        self.documents += 1
        if self.documents > 1:
            raise self._broken(event, "one document", "a second one after '---'")

    def _leave(self, _event: yaml.CollectionEndEvent) -> None:
        """Close a mapping or a list."""
        self.open.pop()

    def _refuse_alias(self, event: yaml.AliasEvent) -> None:
        """Refuse what could grow without end."""
        raise self._broken(event, "each value written out", f"the alias {_short(event.anchor)}")

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        """Take a key, or a value with its type."""
        level = self.open[-1] if self.open else None
        if level and level.wants_key:
            self._take_key(level, event)
            return
        value = self._resolved(event)
        self._take(Node(value, self._line(event), None if isinstance(value, str) else event.value))

    def _take_key(self, level: _Level, event: yaml.ScalarEvent) -> None:
        """Remember the key that the next value belongs to; a key is always text."""
        level.key, level.line = event.value, self._line(event)
        if level.key in level.value:
            first = level.value[level.key].line
            found = f"{_short(event.value)} again (first in line {first})"
            self.repeated.append(Problem(level.line, "each key once", found))

    def _enter(self, event: yaml.CollectionStartEvent) -> None:
        """Open a mapping or a list."""
        if self.open and self.open[-1].wants_key:
            raise self._broken(event, "text as a key", "a list or mapping")
        if len(self.open) >= MAX_DEPTH:
            raise self._broken(event, f"at most {MAX_DEPTH} levels", "more")
        if event.tag not in _TREE_TAGS:
            raise self._broken(event, "a plain list or mapping", f"the tag {_short(event.tag)}")
        value: dict[str, Node] | list[Node] = {} if isinstance(event, yaml.MappingStartEvent) else []
        self._take(Node(value, self._line(event)))
        self.open.append(_Level(value))

    def _take(self, node: Node) -> None:
        """Put NODE into the mapping or list that is open."""
        if not self.open:
            self.root = node
            return
        level = self.open[-1]
        if level.key is None:
            level.value.append(node)
        else:
            node.line = level.line
            level.value.setdefault(level.key, node)
            level.key = None

    def _resolved(self, event: yaml.ScalarEvent) -> Any:
        """Return the value of a scalar: by its tag, else by its form if it is not quoted."""
        if event.tag is None:
            return _plain_value(event.value) if event.implicit[0] else event.value
        kind = event.tag.removeprefix(_TAGS)
        if event.tag == "!" or kind in _TEXT_TAGS:
            return event.value
        if not event.tag.startswith(_TAGS) or kind not in _VALUE_TAGS:
            raise self._broken(event, "plain values", f"the tag {_short(event.tag)}")
        # A tag that the text does not bear out (!!int "many") says nothing.
        return _plain_value(event.value)

    def _line(self, event: yaml.Event) -> int:
        """Return the line of the file that EVENT stands in."""
        mark = event.start_mark
        return self.first_line + (bisect_left(self.line_ends, mark.index) if mark else 0)

    def _broken(self, event: yaml.Event, expected: str, found: str) -> _Broken:
        """Return the error for EVENT."""
        return _Broken(self._line(event), expected, found)


class _Level:
    """A mapping or list that is being filled: the key that waits for its value, and the line of the key."""

    __slots__ = ("key", "line", "value")

    def __init__(self, value: Any) -> None:
        """Fill VALUE."""
        self.value = value
        self.key: str | None = None
        self.line = 0

    @property
    def wants_key(self) -> bool:
        """Tell whether a key comes next."""
        return self.key is None and isinstance(self.value, dict)


def _plain_value(text: str) -> Any:
    """Return what TEXT is when it is not quoted."""
    if text in _NULLS:
        return None
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text) and not _is_octal(text):
        number = float(text)
        return number if math.isfinite(number) else text
    return text


def _is_octal(text: str) -> bool:
    """Tell whether TEXT is whole and starts with a zero that says nothing, as commits may."""
    return text.lstrip("+-").isdigit()


def _short(text: str | None) -> str:
    """Return TEXT quoted, and not too long for a message."""
    text = text or ""
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…")


class _Writer(yaml.CSafeDumper):
    """Quotes whatever any reader could take for something else than text."""

    def ignore_aliases(self, _data: Any) -> bool:
        """Write each value out, also if it is the same object twice."""
        return True


# Versions, commits, ORCIDs, dates and times start like numbers.
_LIKE_A_NUMBER = re.compile(r"[-+.]?[0-9]|[-+.~<=]|(y|n)$", re.IGNORECASE)
_END_OF_HEADER = "ir_metadata.end"
_NOT_IN_A_BLOCK = re.compile(r"[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|\ufeff|[\u2028\u2029]")


def _represent_text(writer: _Writer, text: str) -> yaml.Node:
    """Return TEXT as lines where it has several, quoted where it could be misread."""
    style = None
    if _NOT_IN_A_BLOCK.search(text):
        style = '"'
    elif "\n" in text:
        style = "|" if _fits_a_block(text) else '"'
    elif _LIKE_A_NUMBER.match(text):
        style = "'"
    return writer.represent_scalar(_TAGS + "str", text, style=style)


def _fits_a_block(text: str) -> bool:
    """Tell whether TEXT is the same after it was written as lines: no blanks where editors remove them, no marker."""
    lines = text.split("\n")
    is_unsafe = any(line[-1:].isspace() or line.strip() == _END_OF_HEADER for line in lines)
    return bool(lines[0]) and not text.startswith(" ") and not is_unsafe


_Writer.add_representer(str, _represent_text)


def write_yaml(tree: Any) -> str:
    """Return TREE as YAML text, mappings in their order."""
    plain = node_of(tree).plain()
    text = yaml.dump(
        plain, Dumper=_Writer, sort_keys=False, allow_unicode=True, default_flow_style=False, width=1 << 20
    )
    return str(text)
