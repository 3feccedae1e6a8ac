"""How do the rows of a database get into a file, and from there into another database?

    Table        a table of the database: its name, and its columns in a fixed order
    tables       all tables of ours but the one that says whose the database is
    write_rows   all rows of a table, each a line of JSON, below a line with the names of the columns
    read_rows    the same back into a table, numbers and times as they were

What is written does not depend on the database.  Rows are read and written as they come, so that no memory grows with
their number.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any

from primad.errors import DataError
from primad.store.database import APPS
from primad.store.parts import in_parts

_AT_ONCE = 2000
_LONGEST_LINE = 1 << 28
_LARGEST_INTEGER = 1 << 63
_DIGEST = re.compile(r"[0-9a-f]{64}")
_OWNER = "store.identity"


@dataclass(frozen=True)
class Table:
    """A table of the database, by the MODEL that Django has of it."""

    model: Any

    @property
    def name(self) -> str:
        """Return how files call the table."""
        return str(self._facts.label_lower)

    @property
    def columns(self) -> list[str]:
        """Return the names of the columns, in order."""
        return [field.attname for field in self.fields]

    @property
    def fields(self) -> list[Any]:
        """Return the columns as Django has them, by their names: each version of a model has an order of its own."""
        return sorted(self._facts.concrete_fields, key=lambda field: str(field.attname))

    @property
    def _facts(self) -> Any:
        """Return what Django knows of the model; a name with a dash, but its public one."""
        return self.model._meta  # noqa: SLF001

    def insertion(self, quoted: Callable[[str], str]) -> str:
        """Return the statement that puts a row into the table, names QUOTED as the database has it."""
        columns = ", ".join(quoted(field.column) for field in self.fields)
        places = ", ".join(["%s"] * len(self.fields))
        return f"INSERT INTO {quoted(self._facts.db_table)} ({columns}) VALUES ({places})"  # noqa: S608 - names of ours


def tables(apps: Any = None) -> list[Table]:
    """Return all tables that have something to keep, as Django has them today, or as other APPS have them."""
    from django.apps import apps as today

    labels = {app.rpartition(".")[2] for app in APPS}
    known = (one for one in (apps or today).get_app_configs() if one.label in labels)  # older backups have fewer
    found = [Table(model) for one in known for model in one.get_models()]
    return sorted((table for table in found if table.name != _OWNER), key=lambda table: table.name)


def write_rows(table: Table, stream: IO[bytes]) -> int:
    """Write the rows of TABLE to STREAM, and return their number."""
    stream.write(json.dumps(table.columns).encode() + b"\n")
    count = 0
    rows = table.model.objects.order_by("pk").values_list(*table.columns)
    for row in rows.iterator(chunk_size=_AT_ONCE):
        stream.write(json.dumps(row, default=_written, separators=(",", ":")).encode() + b"\n")
        count += 1
    return count


def _written(value: Any) -> str:
    """Return a VALUE that JSON has no word for."""
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no place in a file of rows")


def read_rows(table: Table, stream: IO[bytes], digests: Container[str] = ()) -> int:
    """Put the rows in STREAM into TABLE, within a transaction, and return their number.

    Texts in columns that DIGESTS has must be a SHA-256, or empty where the column may be.
    """
    from django.db import DEFAULT_DB_ALIAS, connections

    connection = connections[DEFAULT_DB_ALIAS]
    count = 0
    with connection.cursor() as cursor:
        for rows in in_parts(_rows(table, stream, connection, digests), _AT_ONCE):
            cursor.executemany(table.insertion(connection.ops.quote_name), rows)
            count += len(rows)
    return count


def _rows(table: Table, stream: IO[bytes], connection: Any, digests: Container[str]) -> Iterator[list[Any]]:
    """Yield the rows in STREAM as the database of CONNECTION takes them."""
    from django.core.exceptions import ValidationError

    if stream.readline(_LONGEST_LINE).strip() != json.dumps(table.columns).encode():
        raise DataError(f"the table {table.name} does not begin with its columns")
    readers = [_reader(field, connection, is_digest=field.attname in digests) for field in table.fields]
    number = 0
    while line := stream.readline(_LONGEST_LINE):
        number += 1
        try:
            values = json.loads(line)
            if not isinstance(values, list) or len(values) != len(readers):
                raise ValueError(f"expected {len(readers)} columns")  # noqa: TRY301 - said below
            yield [None if value is None else read(value) for read, value in zip(readers, values, strict=True)]
        except (ValueError, TypeError, RecursionError, OverflowError, ValidationError) as error:
            raise DataError(f"row {number:,} of the table {table.name} cannot be read ({error})"[:300]) from None


def _reader(field: Any, connection: Any, *, is_digest: bool) -> Callable[[Any], Any]:
    """Return what makes of a value in a file one that the database of CONNECTION takes as this FIELD.

    SQLite would take anything, and Django makes a text of anything.
    """
    kind = (field.target_field if field.is_relation else field).get_internal_type()
    if kind in ("CharField", "TextField"):
        return lambda value: _text(value, field, is_digest=is_digest)
    if kind == "DateTimeField":
        return lambda value: field.get_db_prep_save(_time(field.to_python(value)), connection)
    if kind == "BooleanField":
        return lambda value: field.get_db_prep_save(_of_type(value, bool), connection)
    if kind == "JSONField":
        return lambda value: field.get_db_prep_save(_of_type(value, dict), connection)
    return _float if kind == "FloatField" else _integer


def _of_type(value: Any, kind: type) -> Any:
    """Return VALUE if it is of this KIND."""
    if type(value) is not kind:
        raise ValueError(f"expected a value of type {kind.__name__}, found {value!r:.60}")
    return value


def _text(value: Any, field: Any, *, is_digest: bool) -> str:
    """Return VALUE if it is a text that FIELD can have, and a SHA-256 if IS_DIGEST says so."""
    text: str = _of_type(value, str)
    text.encode()  # half a character has no bytes
    if field.max_length and len(text) > field.max_length:
        raise ValueError(f"expected at most {field.max_length} characters as {field.attname}, found {len(text):,}")
    if field.choices and text not in dict(field.choices):
        raise ValueError(f"expected one of {', '.join(dict(field.choices))} as {field.attname}, found {text!r:.60}")
    field.run_validators(text)
    if is_digest and not (_DIGEST.fullmatch(text) or (field.blank and not text)):
        raise ValueError(f"expected a SHA-256 as {field.attname}, found {text!r:.60}")
    return text


def _time(value: datetime) -> datetime:
    """Return VALUE if it is a time that everybody has at once."""
    if value.tzinfo is None:
        raise ValueError(f"expected a time with its zone, found {value}")
    return value


def _float(value: Any) -> float:
    """Return VALUE if it is a number that has an end."""
    number = float(value if type(value) is int else _of_type(value, float))
    if not math.isfinite(number):
        raise ValueError(f"expected a finite number, found {number}")
    return number


def _integer(value: Any) -> int:
    """Return VALUE if it is an integer that databases have."""
    number: int = _of_type(value, int)
    if abs(number) >= _LARGEST_INTEGER:
        raise ValueError(f"expected an integer of 64 bits, found one of {number.bit_length():,}")
    return number
