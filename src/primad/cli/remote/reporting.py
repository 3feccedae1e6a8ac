"""How does a terminal show what a site has assessed?

    assessed     reproductions in the archive of a site, assessed there
    quantified   the precision of measured values, assessed there

The text is made on the site, in the form that the terminal wants; a report is fetched as the files that were kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from primad.cli._output import say, say_remarks, show, terminal_width
from primad.cli.remote.archive import RemoteArchive
from primad.cli.remote.packing import unpacked
from primad.cli.remote.waiting import following

if TYPE_CHECKING:
    from primad.cli.remote.site import RemoteSite
    from primad.reproducibility.assessment.settings import Settings


def assessed(
    site: RemoteSite, original: Sequence[str], settings: Settings, *, form: str, per_topic: bool, report: str | None
) -> None:
    """Print how well ORIGINAL was reproduced on SITE, and fetch the report if one is wanted."""
    printed = {"form": form, "width": _width(), "per_topic": per_topic}
    job = RemoteArchive(site).waited(
        "archive", "assessments", original=list(original), settings=asdict(settings), printed=printed
    )
    _show(site, job["result"]["result"], form, report)


def quantified(
    site: RemoteSite, source: Mapping[str, Any], questions: Mapping[str, Any], form: str, report: str | None
) -> None:
    """Print how precise the values from SOURCE are, looked at as QUESTIONS say, and fetch the REPORT if wanted."""
    printed = {"form": form, "width": _width(), "per_topic": False}
    said: dict[str, Any] = site.send(dict[str, Any], "POST", "qra", **source, questions=questions, printed=printed)
    if "state" in said:
        with following() as told:
            _show(site, site.followed(said["key"], told)["result"]["result"], form, report)
        return
    _tell(said["printed"], said["remarks"], form, has_labels=bool(said["found"]["labels"]))
    if said["result"] is not None:
        _keep(site, said["result"], report)
    elif report is not None:
        say(f"no report: a site keeps results of users only; sign in with: primad login {site.address}")
    if not said["says_something"]:
        raise typer.Exit(1)


def _show(site: RemoteSite, key: str, form: str, report: str | None) -> None:
    """Print the result KEY of SITE, and fetch its report if one is wanted; exit with 1 if it says nothing."""
    facts = site.get(dict[str, Any], "results", key)["facts"]
    _tell(facts["printed"], facts.get("remarks", ()), form, has_labels=False)
    _keep(site, key, report)
    if not facts["says"]:
        raise typer.Exit(1)


def _tell(printed: str, remarks: Sequence[str], form: str, *, has_labels: bool) -> None:
    """Print what a site has PRINTED, and say its REMARKS."""
    from primad.metadata.showing import harmless

    show(harmless(printed, keep="\n\t"))
    say_remarks(remarks, form, has_labels=has_labels)


def _width() -> int | None:
    """Return how many characters fit a line, as a site takes it."""
    width = terminal_width()
    return None if width is None else min(max(width, 20), 1_000)


# Reports ---------------------------------------------------------------------------------------------------------


def _keep(site: RemoteSite, key: str, report: str | None) -> None:
    """Say where the result KEY of SITE is for good, and fetch its REPORT into a folder if one is wanted."""
    say(f"kept at {site.address}/results/{key}/")
    if report is None:
        return
    _write(unpacked(site.download("results", key, "report"), site.address), report)
    say(f"report in {report}")


def _write(files: Mapping[str, bytes], report: str) -> None:
    """Write FILES into the folder REPORT, all of them or none."""
    from primad.track.folders.trees import write_tree
    from primad.trec.files import atomic_folder

    with atomic_folder(report) as place:
        write_tree(place, files)
