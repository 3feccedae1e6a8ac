"""How is it shown what a recording became as a bundle?

packed_shown   the bundle, and what the recording does not tell
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.replay.manifest import manifest_tree
from primad.reports._tables import harmless, wrapped
from primad.reports.lists import facts, json_document, many, size

if TYPE_CHECKING:
    from primad.replay.packing import Packed

_SCHEMA = "primad.pack/1"


def packed_shown(packed: Packed, form: str, width: int | None) -> str:
    """Return what was PACKED in a FORM, table or json."""
    return _json(packed) if form == "json" else _table(packed, width)


def _json(packed: Packed) -> str:
    """Return what was PACKED for programs."""
    return json_document(
        _SCHEMA,
        {
            "path": str(packed.path),
            "bytes": packed.bytes,
            "source": packed.source,
            "files": packed.files,
            "manifest": manifest_tree(packed.manifest),
            "untold": packed.untold,
            "left_out": packed.left_out,
            "missing": packed.missing,
        },
    )


def _table(packed: Packed, width: int | None) -> str:
    """Return what was PACKED for people."""
    runs = [command for one in packed.manifest.configurations.values() for command in one.run]
    known = {
        "bundle": f"{packed.path} ({many(len(packed.files), 'file')}, {size(packed.bytes)})",
        "code": packed.source,
        "install": "; ".join(packed.manifest.install),
        "run": "; ".join(runs),
    }
    missing = [f"{one.question}: {one.what}; {one.how}" for one in packed.missing]
    return (
        facts(known, width)
        + _listed("What the recording does not tell", packed.untold, width)
        + _listed("Files that are left out", packed.left_out, width)
        + _listed("What analysts will miss", missing, width)
    )


def _listed(title: str, sentences: tuple[str, ...] | list[str], width: int | None) -> str:
    """Return SENTENCES as a list below TITLE; nothing if there are none."""
    lines = (wrapped(harmless(sentence), width, "- ") for sentence in sentences)
    return f"\n{title}\n{''.join(lines)}" if sentences else ""
