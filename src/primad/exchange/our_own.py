"""What is something that is in no format of others, and which command is it for?

our_own    what a path is in the words of primad, and what can be done with it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.errors import PrimadError
from primad.exchange.gathering import gather

if TYPE_CHECKING:
    from pathlib import Path

    from primad.exchange.thing import Role

# Of a folder the first counts that it has.
_COMMANDS: dict[Role, tuple[str, str]] = {
    "run": ("a run", "primad annotate gives a run metadata, primad archive add keeps it"),
    "metadata": ("a record", "primad annotate RUN --template FILE puts it into a run"),
    "measurements": ("a file of measurements", "primad qra reads it"),
    "qrels": ("a file of judgments", "primad evaluate QRELS RUN reads it"),
}


def our_own(path: Path) -> tuple[str, str]:
    """Return what PATH is or holds, and the command for it; nothing of what primad does not know."""
    try:
        roles = {file.role for file in gather(path).files}
    except PrimadError:
        return "", ""
    verb = "holds" if path.is_dir() else "is"
    return next(((f"{verb} {what}", hint) for role, (what, hint) in _COMMANDS.items() if role in roles), ("", ""))
