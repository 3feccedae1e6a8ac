"""How do the values of real files become values of the type that a field has?

    converted   a value as the type of its field wants it, or as it was where that cannot be
    reshaped    the same for fields that hold others: a stage alone becomes a list of one, ...
    as_written  a number that belongs to no field, as the text that says more than the number

Nothing is refused and nothing is lost here: what cannot be converted stays, and checking says so.
"""

from __future__ import annotations

import re
import shlex
from decimal import Context, Decimal, Inexact
from typing import TYPE_CHECKING, Any

from primad.safe_yaml import Node

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from primad.metadata.schema import Field

# Libraries that nobody has said the language of.
UNKNOWN_LANGUAGE = "other"

QUANTITY = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([A-Za-zµ%/]+)")

_TRUE = {"true", "yes", "1"}
_FALSE = {"false", "no", "0"}
_FAMILIES: tuple[dict[str, Decimal], ...] = (
    {"B": Decimal(1), "KB": Decimal(10**3), "MB": Decimal(10**6), "GB": Decimal(10**9), "TB": Decimal(10**12)},
    {"ms": Decimal(1), "s": Decimal(1000), "min": Decimal(60_000), "h": Decimal(3_600_000)},
    {"J": Decimal(1), "kJ": Decimal(1000), "Wh": Decimal(3600), "kWh": Decimal(3_600_000)},
)
# Larger ones are text when they are read again.
_LARGEST = 1e18
_EXACT = Context(prec=60, traps=[Inexact])
_WHOLE = re.compile(r"\s*[-+]?[0-9]{1,18}\s*")
_NAME_AND_VERSION = re.compile(r"([A-Za-z0-9][\w.+-]*)\s+[vV]?([0-9][\w.+!-]*)")
_VERSION = re.compile(r"[vV]?[0-9][\w.+!-]*")
_ANY_VERSION = re.compile(r"[\w.+!-]*")


def converted(node: Node, field: Field) -> None:
    """Give NODE the type of FIELD where it can have it."""
    convert = _CONVERTERS.get(field.type)
    if convert and node.value is not None:
        convert(node, field)


def as_written(node: Node, *, round_zeros: bool) -> None:
    """Take the number of NODE for the text it was written as, if these differ; ROUND_ZEROS lets 0.40 be 0.4."""
    if not isinstance(node.value, float) or node.text is None:
        return
    text, printed = node.text, repr(node.value)
    # YAML has a point in each number that is not whole, also before an exponent.
    is_same = text in (printed, printed if "." in printed else printed.replace("e", ".0e"))
    is_longer = "e" not in text.lower() and Decimal(text) == Decimal(printed)
    if not is_same and not (round_zeros and is_longer):
        node.value = text


def reshaped(node: Node, field: Field, *, named: bool, fields: Collection[str] = ()) -> None:
    """Give NODE the shape of FIELD, which holds others; NAMED tells whether these have a name.

    FIELDS are the keys of NODE that are fields of what it holds: a mapping that has some is not one by names.
    """
    if node.value is None:
        return
    if field.type == "libraries":
        _to_libraries(node)
    elif field.type == "mapping" and named and not isinstance(node.value, dict | list):
        node.value = {"name": Node(*_content(node))}
    elif field.type == "mappings":
        _to_mappings(node, named=named, fields=fields)


def _content(node: Node) -> tuple[Any, int, str | None]:
    """Return what a copy of NODE is made of."""
    return node.value, node.line, node.text


def _text(node: Node) -> str | None:
    """Return NODE as text, None if it holds others."""
    if isinstance(node.value, dict | list) or node.value is None:
        return None
    if isinstance(node.value, str):
        return node.value
    spoken = str(node.value).lower() if isinstance(node.value, bool) else str(node.value)
    return spoken if node.text is None else node.text


def _to_text(node: Node, field: Field) -> None:
    """Take a number as it was written; a command that is a list becomes a line."""
    if isinstance(node.value, list) and node.value and field.path.endswith(".cmd"):
        words = [_text(element) for element in node.value]
        if None not in words:
            node.value = shlex.join(word for word in words if word is not None)
        return
    text = _text(node)
    if text is not None:
        node.value = text


def _to_integer(node: Node, _field: Field) -> None:
    """Take '16' and 16.0 for 16."""
    is_text = isinstance(node.value, str) and _WHOLE.fullmatch(node.value)
    if is_text or (isinstance(node.value, float) and node.value.is_integer() and abs(node.value) < _LARGEST):
        node.value = int(node.value)


def _to_number(node: Node, _field: Field) -> None:
    """Take '0.6' for 0.6."""
    if isinstance(node.value, str) and re.fullmatch(r"\s*[-+]?[0-9]{1,18}(\.[0-9]{1,18})?\s*", node.value):
        node.value = float(node.value) if "." in node.value else int(node.value)


def _to_boolean(node: Node, _field: Field) -> None:
    """Take 'true', 'yes' and 1 for true."""
    said = (_text(node) or "").strip().lower()
    if said in _TRUE | _FALSE:
        node.value = said in _TRUE


def _to_texts(node: Node, field: Field) -> None:
    """Take one text for a list of one."""
    if not isinstance(node.value, dict | list):
        node.value = [Node(*_content(node))]
    for element in node.value if isinstance(node.value, list) else ():
        _to_text(element, field)
        if field.encoding == "package" and isinstance(element.value, str):
            element.value = _package(element.value)


def _to_quantity(node: Node, field: Field) -> None:
    """Write number and unit apart, in the unit of the field where that is exact; 'null J' says nothing."""
    if not isinstance(node.value, str):
        return
    if node.value.split(" ")[0] == "null":
        node.value = None
        return
    found = QUANTITY.fullmatch(node.value.strip())
    if found:
        node.value = _in_unit(Decimal(found[1]), found[2], field.unit)


def _in_unit(amount: Decimal, unit: str, wanted: str) -> str:
    """Return the quantity in the WANTED unit if that is of the same family, else in its own."""
    for family in _FAMILIES:
        if unit in family and wanted in family:
            try:
                return f"{_digits(_EXACT.divide(_EXACT.multiply(amount, family[unit]), family[wanted]))} {wanted}"
            except Inexact:
                break
    return f"{_digits(amount)} {unit}"


def _digits(amount: Decimal) -> str:
    """Return AMOUNT without exponent and without zeros at the end.

    >>> _digits(Decimal("33.3470")), _digits(Decimal("1E+3"))
    ('33.347', '1000')
    """
    text = format(amount, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


_CONVERTERS: dict[str, Callable[[Node, Field], None]] = {
    "text": _to_text,
    "integer": _to_integer,
    "number": _to_number,
    "boolean": _to_boolean,
    "texts": _to_texts,
    "quantity": _to_quantity,
}


def _to_mappings(node: Node, *, named: bool, fields: Collection[str]) -> None:
    """Take one mapping for a list of one, mappings by name for a list of named ones, and texts for names."""
    if isinstance(node.value, dict):
        inner = node.value
        is_element = "name" in inner or fields
        by_name = named and not is_element and inner and all(isinstance(n.value, dict) for n in inner.values())
        node.value = [_with_name(*item) for item in inner.items()] if by_name else [Node(inner, node.line)]
    elif not isinstance(node.value, list):
        node.value = [Node(*_content(node))]
    for element in node.value if named else ():
        text = _text(element)
        if text is not None:
            element.value = {"name": Node(text, element.line)}


def _with_name(name: str, node: Node) -> Node:
    """Return the mapping NODE with its NAME in it."""
    return Node({"name": Node(name, node.line)} | node.value, node.line)


def _to_libraries(node: Node) -> None:
    """Take every way libraries are listed for lists of name==version by language."""
    languages: dict[str, list[Node]] = {}
    _collect(node, UNKNOWN_LANGUAGE, languages)
    node.value = {language: _list_of(libraries, node.line) for language, libraries in languages.items()}


def _list_of(libraries: list[Node], line: int) -> Node:
    """Return LIBRARIES as a list, nothing if they are stated to be nothing; an empty list stands in LINE."""
    stated = [library for library in libraries if library.value is not None]
    return Node(stated if stated or not libraries else None, libraries[0].line if libraries else line)


def _collect(node: Node, language: str, languages: dict[str, list[Node]]) -> None:
    """Add what NODE lists to the libraries of LANGUAGE, or of those it names itself."""
    if isinstance(node.value, list):
        languages.setdefault(language, []) if not node.value else None
        for element in node.value:
            _collect(element, language, languages)
        return
    if not isinstance(node.value, dict):
        said = node.value if node.value is None else _package(str(_text(node)))
        languages.setdefault(language, []).append(Node(said, node.line))
        return
    if "name" in node.value:
        languages.setdefault(language, []).append(_described(node))
        return
    for key, inner in node.value.items():
        if _is_version(inner, language):
            languages.setdefault(language, []).append(Node(_pinned(key, _text(inner)), inner.line))
        else:
            _collect(inner, key, languages)


def _described(node: Node) -> Node:
    """Return a library with name and version as one text, unless more than these is stated about it."""
    name, version = _text(node.value["name"]), node.value.get("version", Node(None))
    says_more = node.value.keys() - {"name", "version"} or isinstance(version.value, dict | list)
    return Node(node.value if says_more or not name else _pinned(name, _text(version)), node.line)


def _is_version(node: Node, language: str) -> bool:
    """Tell whether NODE is the version of a library, rather than what a language has."""
    text = _text(node)
    if language == UNKNOWN_LANGUAGE:
        return text is not None and _VERSION.fullmatch(text) is not None
    return node.value is None or (text is not None and _ANY_VERSION.fullmatch(text) is not None)


def _pinned(name: str, version: str | None) -> str:
    """Return a library with its version, if it is known."""
    return f"{name}=={version}" if version else name


def _package(text: str) -> str:
    """Return 'name version' as 'name==version'.

    >>> _package("PyTerrier 0.10.0"), _package("numpy==1.15.4"), _package("my own tool")
    ('PyTerrier==0.10.0', 'numpy==1.15.4', 'my own tool')
    """
    found = None if "==" in text else _NAME_AND_VERSION.fullmatch(text.strip())
    return f"{found[1]}=={found[2]}" if found else text
