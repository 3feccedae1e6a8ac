"""By what were the results of a report computed, and of which files?

    REPORT          what the report of an assessment is called
    computing_of    the deed of primad that gave the results of a thing, and the program that it was
    assessed_in     the files that a report is about, by path, with their digests where it says them

A report names the runs and judgments that were assessed, which seldom lie beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from primad.errors import PrimadError
from primad.exchange.told import Software, Used
from primad.qra.reading.foreign import json_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from primad.exchange.thing import File, Thing

REPORT = "assessment.json"


class Computing(NamedTuple):
    """The PROGRAM that made OUTPUTS out of INPUTS."""

    program: Software
    inputs: tuple[Used, ...]
    outputs: tuple[File, ...]


def computing_of(thing: Thing) -> Computing | None:
    """Return what gave the results of THING, None if it is no report."""
    results = thing.of_role("result")
    if thing.kind not in ("assessment", "precision") or not results:
        return None
    beside = [Used(file.path, file.sha256, file.size) for file in thing.of_role("run", "qrels", "measurements")]
    here = {one.sha256 for one in beside}
    elsewhere = [Used(path, digest) for path, digest in assessed_in(thing.files).items() if digest not in here]
    version = str(_said(thing.files).get("primad", ""))
    return Computing(
        Software("primad", version, "program"), (*beside, *(one for one in elsewhere if one.sha256)), results
    )


def assessed_in(files: Iterable[File]) -> dict[str, str]:
    """Return the runs and judgments that the report of an assessment among FILES names, with their digests."""
    said = _said(files)
    try:
        experiments = (said["original"], *said["reproductions"])
        runs = [str(run["path"]) for one in experiments for run in one["runs"].values()]
        names = dict.fromkeys([*runs, *(str(one["qrels"]) for one in experiments)], "")
        digests = {str(path): str(digest) for path, digest in said.get("files", {}).items()}
    except (LookupError, TypeError, AttributeError):
        return {}  # it is not one that primad wrote, and says nothing that can be relied on
    return names | {path: digest for path, digest in digests.items() if path in names}


def _said(files: Iterable[File]) -> dict[str, Any]:
    """Return what the report of an assessment among FILES says, nothing if there is none."""
    for file in files:
        if file.path == REPORT:
            try:
                said = json_of(file.read().decode(), file.path)
            except (PrimadError, UnicodeDecodeError):
                return {}
            return said if isinstance(said, dict) else {}
    return {}
