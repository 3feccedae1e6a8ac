"""Which kinds of work are there?

    job            register a function as a kind of work
    kind_called    the function of a kind
    refuse_misfit  refuse arguments that a kind does not take
    refuse_asker   refuse whoever acts if they may not ask for a kind

The module ``jobs`` of each application is imported when a kind is first looked for, so whoever asks for work need not
know where it is done.  A worker that dies leaves its job half done and another begins it again: a kind of work must
come to the same when it is done twice.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from django.utils.module_loading import autodiscover_modules

from primad.errors import UsageError
from primad.metadata.showing import harmless
from primad.store.jobs.work import Work

Kind = Callable[..., dict[str, Any]]

_kinds: dict[str, Kind] = {}
_rules: dict[str, Callable[[], None]] = {}
_SHOWN = 40


def job(name: str, rule: Callable[[], None] = lambda: None) -> Callable[[Kind], Kind]:
    """Register a function of a ``Work`` and of arguments that JSON can hold as the kind of work NAME.

    RULE raises NotAllowed where whoever acts may not ask for it.
    """

    def registered(kind: Kind) -> Kind:
        _kinds[name] = kind
        _rules[name] = rule
        return kind

    return registered


def kind_called(name: str) -> Kind:
    """Return the function of the kind NAME."""
    autodiscover_modules("jobs")
    if name not in _kinds:
        raise UsageError(
            f"expected a kind of work ({', '.join(sorted(_kinds))}), found '{harmless(name[:_SHOWN])}'; "
            "does the worker run another version of primad?"
        )
    return _kinds[name]


def refuse_misfit(name: str, arguments: Mapping[str, Any]) -> None:
    """Refuse ARGUMENTS that work of the kind NAME does not take."""
    try:
        inspect.signature(kind_called(name)).bind(Work, **arguments)
    except TypeError as error:
        raise UsageError(f"{name} cannot be asked for like this: {error}") from None


def refuse_asker(name: str) -> None:
    """Refuse whoever acts if they may not ask for work of the kind NAME."""
    kind_called(name)
    _rules[name]()
