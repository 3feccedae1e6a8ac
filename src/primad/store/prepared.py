"""How is a query that every page asks kept cheap?  Django writes its SQL once, and not with every question.

Prepared   a query with one number in it, such as all teams of a track

To write the SQL takes Django several times as long as a database needs to answer it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from primad.errors import UsageError

_MARK = 7_072_696_173  # stands for the number until it is known, and is nobody's key


class Prepared:
    """The query that WRITTEN makes of a number; it has that number as its only parameter."""

    def __init__(self, written: Callable[[int], Any]) -> None:
        """Begin with no SQL: which database is meant is known later."""
        self._written = written
        self._sql: dict[str, tuple[Any, str]] = {}

    def rows(self, number: int) -> list[Any]:
        """Return what the query finds for NUMBER."""
        from django.db import connection

        if connection.vendor not in self._sql:
            query = self._written(_MARK)
            sql, parameters = query.query.sql_with_params()
            if tuple(parameters) != (_MARK,):
                raise UsageError(f"expected a query with one parameter, found {len(parameters)}")
            self._sql[connection.vendor] = (query.model, sql)
        model, sql = self._sql[connection.vendor]
        return list(model.objects.raw(sql, [number]))
