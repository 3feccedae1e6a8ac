"""How does the site show docstrings?  With their examples as code: Markdown would take ``>>>`` for a quotation.

Read by mkdocstrings (see mkdocs.yml) from this file, so it imports nothing of ours.
"""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

_EXAMPLE = re.compile(r"(?:^[ ]*>>> .*\n?(?:^[ ]*\S.*\n?)*)+", re.MULTILINE)


def with_code(text: str) -> str:
    r"""Return TEXT with a fence around each example.

    >>> with_code("Add.\n\n>>> 1 + 1\n2\n")
    'Add.\n\n```pycon\n>>> 1 + 1\n2\n```\n'
    """
    return _EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)


class Examples(Extension):
    """Fences around the examples of everything that is documented."""

    def on_instance(self, *, obj: Object, **_: Any) -> None:
        """Mend the docstring of OBJ, if it has one."""
        if obj.docstring:
            obj.docstring.value = with_code(obj.docstring.value)
