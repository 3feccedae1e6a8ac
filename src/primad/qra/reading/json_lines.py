"""How are measurements read from JSON, one to a line or in one document?

    read_json_text    a text of JSON, in either form
    read_json_lines   one object to a line
    read_json_tree    an array of objects, or an object as a YAML file has it

Numbers are kept as they were written.  A key that stands twice, NaN and Infinity are flaws, although the JSON of many
programs has them: which value is meant is not known.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from primad.qra.naming import short
from primad.qra.reading.nodes import merged, record_of
from primad.qra.reading.records import kind_of
from primad.qra.reading.yaml_files import LISTS, MAPPING_FIELDS, read_document
from primad.safe_yaml import Node

if TYPE_CHECKING:
    from primad.qra.reading.fields import Notes
    from primad.qra.reading.records import Reading

_BLANKS = re.compile(r"[ \t\r\n]*")


def read_json_text(text: str, reading: Reading, *, is_lines: bool) -> None:
    """Read TEXT; the first line decides, and if it is no whole object, IS_LINES does, as the name of the file says."""
    if _starts_with_a_record(text, by_name=is_lines):
        read_json_lines(text, reading)
    else:
        read_json_tree(text, reading)


def _starts_with_a_record(text: str, *, by_name: bool) -> bool:
    """Tell whether the first line of TEXT is an object of its own, and not a document; BY_NAME if it is neither."""
    try:
        first = json.loads(text.lstrip().partition("\n")[0])
    except (ValueError, RecursionError):
        return by_name and not text.lstrip().startswith("[")
    return isinstance(first, dict) and not any(key in first for key in LISTS)


def read_json_lines(text: str, reading: Reading) -> None:
    """Read the objects of TEXT, one to a line."""
    decoder = _Decoder(reading.notes)
    for line, said in enumerate(text.split("\n"), start=1):
        if not said.strip():
            continue
        try:
            node = decoder.node(said.strip(), line)
        except json.JSONDecodeError as error:
            reading.notes.flaw(line, "JSON", "one object", f"{short(said.strip())} ({error.msg}, column {error.colno})")
        except RecursionError:
            reading.notes.flaw(line, "JSON", "lists and objects of a few levels", "more")
        else:
            take_mapping(node, reading)


def take_mapping(node: Node, reading: Reading) -> None:
    """Add the measurement, label or claim that the mapping NODE describes."""
    kind = kind_of(node.value if isinstance(node.value, dict) else ())
    record = record_of(node, MAPPING_FIELDS[kind], reading.notes, "remark")
    if record:
        reading.take(kind, merged(record))


def read_json_tree(text: str, reading: Reading) -> None:
    """Read TEXT as one document."""
    try:
        root = _Scanner(text, _Decoder(reading.notes)).document()
    except json.JSONDecodeError as error:
        reading.notes.flaw(error.lineno, "JSON", "a document", f"what is none ({error.msg}, column {error.colno})")
    except RecursionError:
        reading.notes.flaw(0, "JSON", "lists and objects of a few levels", "more")
    else:
        if isinstance(root.value, list):
            for node in root.value:
                take_mapping(node, reading)
        else:
            read_document(root, reading, "remark")


class _Decoder:
    """Decodes JSON into nodes, and notes what JSON leaves open."""

    def __init__(self, notes: Notes) -> None:
        """Write what is wrong into NOTES."""
        self._notes = notes
        self._line = 0
        self._json = json.JSONDecoder(
            parse_float=str, parse_int=str, parse_constant=self._constant, object_pairs_hook=self._object
        )

    def node(self, text: str, line: int) -> Node:
        """Return all of TEXT, which stands in LINE."""
        self._line = line
        return self._node(self._json.decode(text))

    def value_at(self, text: str, start: int, line: int) -> tuple[Node, int]:
        """Return the value of TEXT that begins at START in LINE, and where it ends."""
        self._line = line
        value, end = self._json.raw_decode(text, start)
        return self._node(value), end

    def note_key(self, name: str, known: dict[str, Node], line: int) -> None:
        """Note a key that is already KNOWN."""
        if name in known:
            self._notes.flaw(line, "JSON", "each key once", f"{short(name)} again")

    def _object(self, pairs: list[tuple[str, Any]]) -> Node:
        """Return an object as a node."""
        members: dict[str, Node] = {}
        for key, value in pairs:
            self.note_key(key, members, self._line)
            members.setdefault(key, self._node(value))
        return Node(members, self._line)

    def _constant(self, name: str) -> str:
        """Note a number that is none."""
        self._notes.flaw(self._line, "JSON", "finite numbers", name)
        return name

    def _node(self, value: Any) -> Node:
        """Return a decoded VALUE as a node in the line at hand."""
        if isinstance(value, str):
            return Node(value, self._line)
        if isinstance(value, Node):
            return value
        if isinstance(value, list):
            return Node([self._node(inner) for inner in value], self._line)
        return Node(value, self._line, json.dumps(value) if isinstance(value, bool) else None)


class _Scanner:
    """Goes through the outer levels of a document by itself, so that each entry is known by its line."""

    def __init__(self, text: str, decoder: _Decoder) -> None:
        """Begin at the start of TEXT."""
        self._text = text
        self._decoder = decoder
        self._at = 0
        self._line = 1

    def document(self) -> Node:
        """Return the only value of the text."""
        self._skip_blanks()
        root = self._list() if self._is_next("[") else self._mapping()
        self._skip_blanks()
        if self._at < len(self._text):
            raise json.JSONDecodeError("something after the end", self._text, self._at)
        return root

    def _mapping(self) -> Node:
        """Return the object at the top; its lists are gone through, too."""
        members: dict[str, Node] = {}
        line = self._line
        self._expect("{")
        while not self._is_next("}"):
            if members:
                self._expect(",")
            if not self._is_next('"'):
                raise json.JSONDecodeError("expecting a name in quotes", self._text, self._at)
            at, key = self._line, self._value().value
            self._expect(":")
            self._decoder.note_key(key, members, at)
            members.setdefault(key, self._list() if self._is_next("[") else self._value())
        self._expect("}")
        return Node(members, line)

    def _list(self) -> Node:
        """Return a list whose entries have lines of their own."""
        entries: list[Node] = []
        line = self._line
        self._expect("[")
        while not self._is_next("]"):
            if entries:
                self._expect(",")
            entries.append(self._value())
        self._expect("]")
        return Node(entries, line)

    def _value(self) -> Node:
        """Return the next value, whatever it is."""
        node, end = self._decoder.value_at(self._text, self._at, self._line)
        self._go_to(end)
        self._skip_blanks()
        return node

    def _is_next(self, sign: str) -> bool:
        """Tell whether SIGN comes next."""
        return self._text.startswith(sign, self._at)

    def _expect(self, sign: str) -> None:
        """Go past SIGN, which must come next."""
        if not self._is_next(sign):
            raise json.JSONDecodeError(f"expecting '{sign}'", self._text, self._at)
        self._at += 1
        self._skip_blanks()

    def _skip_blanks(self) -> None:
        """Go to what is no blank."""
        blanks = _BLANKS.match(self._text, self._at)
        if blanks:
            self._go_to(blanks.end())

    def _go_to(self, end: int) -> None:
        """Go to END, counting the lines."""
        self._line += self._text.count("\n", self._at, end)
        self._at = end
