"""How does a package offer names whose modules nobody has to wait for?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def fetched(package: str, names: Mapping[str, Iterable[str]]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of PACKAGE, for the NAMES of each of its modules.

    A module is imported when one of its names is first used; numpy and polars alone take longer than most commands.
    A module that is named by itself is fetched itself.

    >>> getattr_, dir_ = fetched("xml", {"dom.minidom": ["parseString"], "sax": ["sax"]})
    >>> dir_(), getattr_("sax").__name__, getattr_("parseString")("<a/>").documentElement.tagName
    (['parseString', 'sax'], 'xml.sax', 'a')
    """
    modules = {name: module for module, offered in names.items() for name in offered}

    def __getattr__(name: str) -> Any:  # noqa: N807 - it becomes the package's
        if name not in modules:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        module = import_module(f"{package}.{modules[name]}")
        return module if name == modules[name] else getattr(module, name)

    def __dir__() -> list[str]:  # noqa: N807 - it becomes the package's
        return sorted(modules)

    return __getattr__, __dir__
