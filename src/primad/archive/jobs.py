"""Which long work is there on an archive?

    archive.evaluate   score runs
    archive.assess     how well a run, or a baseline and an advanced run, was reproduced
    qra                how precise measured values are, of a file or of runs in the archive

    assess_chosen      an assessment of reproductions that somebody chose
    quantified         a quantified assessment of a text or of runs in the archive
    assessment_page    an assessment as part of a page, which is kept with the files of its report
    qra_page           the same of a quantified assessment

A result is called as the job is.  Done twice, each comes to the same: scores that are known are not computed again,
and a job keeps one result.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.archive import rights
from primad.archive.archive import DEFAULT_MEASURES, Archive
from primad.archive.bench import Bench, described
from primad.errors import DataError, UsageError
from primad.evaluation.rules import Rules
from primad.reproducibility.assessment.request import Request
from primad.reproducibility.assessment.settings import Settings
from primad.reproducibility.pairing import Described, Found, Pair
from primad.store import results
from primad.store.jobs import Work, job

if TYPE_CHECKING:
    from primad.archive.models import Run
    from primad.qra.material import Material
    from primad.qra.result import QuantifiedAssessment
    from primad.reproducibility.assessment.result import Assessment
    from primad.store.folder import DataFolder

_MOST_TOLD = 50
_NAME = "measurements"
_ONE_RUN, _TWO_RUNS = 1, 2
_SHOWN = 12
_QUESTIONS = {"by", "where", "causes", "variant", "conditions", "margins", "laboratory", "confidence"}


@job("archive.evaluate", partial(rights.require, "evaluate"))
def evaluate(work: Work, query: str = "", measures: Sequence[str] = ()) -> dict[str, Any]:
    """Score the runs that QUERY finds by MEASURES, and return how many had no score yet, and which have none still."""
    done = Archive(work.folder).evaluate(query, measures or DEFAULT_MEASURES, watch=work.watch)
    return {
        "runs": done.runs,
        "measures": list(done.measures),
        "computed": done.computed,
        "known": done.known,
        "without": len(done.unscored),
        "unscored": [asdict(replace(one, reason=work.folder.unnamed(one.reason))) for one in done.unscored],
    }


# How well runs were reproduced -----------------------------------------------------------------------------------


def _may_keep(verb: str) -> None:
    """Refuse whoever acts if they may not do VERB, or have kept enough results for a day."""
    rights.require(verb)
    results.refuse_more()


@job("archive.assess", partial(_may_keep, "assess"))
def assess(
    work: Work,
    original: Sequence[str],
    others: Sequence[str | Sequence[str]] = (),
    measures: Sequence[str] = (),
    printed: Mapping[str, Any] | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Assess how well ORIGINAL, one run or two, was reproduced by OTHERS, or by all that say so; keep the report.

    Each of OTHERS is a run, or a baseline and an advanced run.  PRINTED says how a terminal shows it, if one asks.
    SETTINGS are those of ``primad.assess``, its rules by their names.
    """
    from primad.reports.files import report_files

    stated = _stated(settings, measures)
    work.progress(0, 2, "comparing runs")
    archive = Archive(work.folder)
    if others:
        chosen = [[one] if isinstance(one, str) else list(one) for one in others]
        found = assess_chosen(archive, original, chosen, **stated)
    else:
        found = archive.assess(original, **stated)
    work.progress(1, 2, "writing the report")
    told = {"says": found.says_something, **_printed(found, printed)}
    kept = work.keep("assessment", work.title, report_files(found), assessment_page(found), **told)
    work.progress(2, 2, "")
    return kept


def _stated(settings: dict[str, Any], measures: Sequence[str]) -> dict[str, Any]:
    """Return SETTINGS and MEASURES as ``primad.assess`` takes them; rules came as values by their names."""
    stated = dict(settings)
    if measures:
        stated["measures"] = list(measures)
    if "rules" in settings:
        try:
            stated["rules"] = Rules(**settings["rules"])
        except TypeError as error:
            raise UsageError(f"expected rules such as level and complete, found others ({error})") from None
    return stated


def _printed(found: Assessment | QuantifiedAssessment, printed: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what a terminal shows of what was FOUND, in the form that PRINTED says; nothing if no terminal asks."""
    from primad.qra.result import QuantifiedAssessment
    from primad.reports.assessment import text as assessment
    from primad.reports.qra import text as qra

    if printed is None:
        return {}
    form, width = printed["form"], printed["width"]
    if isinstance(found, QuantifiedAssessment):
        return {"printed": qra.render(found, form, width=width), "remarks": list(found.remarks)}
    return {"printed": assessment.render(found, form, per_topic=printed["per_topic"], width=width)}


def assessment_page(found: Assessment) -> str:
    """Return what was FOUND about reproductions as part of a page."""
    from primad.reports.assessment.figures import drawings
    from primad.reports.assessment.page import render_fragment

    return render_fragment(found, list(drawings(found)))


# Chosen reproductions --------------------------------------------------------------------------------------------


def assess_chosen(
    archive: Archive, original: Sequence[str], others: Sequence[Sequence[str]], **settings: Any
) -> Assessment:
    """Return how well ORIGINAL was reproduced by OTHERS, which somebody chose whatever their records say.

    ORIGINAL and each of OTHERS is a run, or a baseline and an advanced run, by address or tag.
    """
    stated = Settings.of(settings)
    with archive.speaking(), tempfile.TemporaryDirectory(prefix="primad-") as place:
        rights.require("assess")
        bench = Bench(Path(place), archive.folder)
        judged, silent = bench.bring_judgments(_found(archive, original, others))
        brought = bench.bring_runs(judged)
        assessment = bench.assessed(brought, Request(own_qrels=bench.qrels, settings=stated))
    return replace(assessment, remarks=tuple(dict.fromkeys((*assessment.remarks, *silent))))


def _found(archive: Archive, original: Sequence[str], others: Sequence[Sequence[str]]) -> Found:
    """Return ORIGINAL and OTHERS as experiments."""
    experiments = [_runs(archive, names) for names in (original, *others)]
    known: set[tuple[int, ...]] = set()
    for names, runs in zip((original, *others), experiments, strict=True):
        keys = tuple(run.pk for run in runs)
        if keys in known or len(runs) > len(experiments[0]):
            what = "an experiment twice" if keys in known else "an advanced run, and the original has none"
            raise UsageError(f"expected other experiments like the original, found {what}: {' and '.join(names)}")
        known.add(keys)
    said = described([run.pk for runs in experiments for run in runs])
    pairs = [_pair([said[run.pk] for run in runs]) for runs in experiments]
    tags = [pair.name for pair in pairs]
    named = [
        pair if tags.count(pair.name) == 1 else replace(pair, name=f"{pair.name} ({pair.baseline.path[:_SHOWN]})")
        for pair in pairs
    ]
    return Found(named[0], tuple(named[1:]))


def _runs(archive: Archive, names: Sequence[str]) -> list[Run]:
    """Return the runs of an experiment that are called NAMES."""
    if not _ONE_RUN <= len(names) <= _TWO_RUNS:
        raise UsageError(f"expected a run, or a baseline and an advanced run, found {len(names)}")
    runs = [archive.seen(name) for name in names]
    if len({run.pk for run in runs}) < len(runs):
        raise UsageError(f"expected a baseline and another run as advanced run, found {names[0]} as both")
    return runs


def _pair(runs: Sequence[Described]) -> Pair:
    """Return RUNS as an experiment."""
    advanced = runs[1] if len(runs) == _TWO_RUNS else None
    return Pair(str(runs[0]), runs[0], advanced, "chosen by whoever asked")


# How precise values are ------------------------------------------------------------------------------------------


@job("qra", partial(_may_keep, "qra"))
def qra(
    work: Work,
    text: str = "",
    query: str | None = None,
    printed: Mapping[str, Any] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Say how precise the values in TEXT are, or the scores of the runs that QUERY finds; keep the report.

    PRINTED says how a terminal shows it, if one asks.  OPTIONS are those of ``quantified``.
    """
    from primad.reports.files import report_files

    work.progress(0, 0, "reading measurements")
    found = quantified(work.folder, text=text, query=query, progress=work.watch, **options)
    work.progress(0, 0, "writing the report")
    told = {"says": found.says_something, **_printed(found, printed)}
    return work.keep("qra", work.title, report_files(found), qra_page(found), **told)


def quantified(
    folder: DataFolder,
    *,
    text: str = "",
    name: str = "",
    query: str | None = None,
    measures: Sequence[str] = (),
    object_field: str | None = None,
    progress: Callable[[Any, int], Any] | None = None,
    **questions: Any,
) -> QuantifiedAssessment:
    """Return how precise the values in TEXT are, a file called NAME, or the scores by MEASURES of runs QUERY finds.

    QUESTIONS are those of ``primad.qra``: by, where, causes, variant, conditions, margins, laboratory, confidence.
    """
    from primad.qra.assess import assess as assess_values

    if bool(text.strip()) == (query is not None):
        raise UsageError("expected measurements, or a search for runs in the archive, and not both")
    if query is None:
        material = _read(text, name)
    else:
        archive = Archive(folder)
        material = archive.measurements(query, measures or DEFAULT_MEASURES, object_field=object_field)
        if not material.measurements:
            raise DataError(
                ". ".join(["nothing to assess: no run that was found has a score", *material.remarks[:_MOST_TOLD]])
            )
    unknown = set(questions) - _QUESTIONS
    if unknown:
        raise UsageError(f"expected some of {', '.join(sorted(_QUESTIONS))}, found {', '.join(sorted(unknown))}")
    return assess_values(material, progress=progress, **questions)


def _read(text: str, name: str) -> Material:
    """Return the measurements in TEXT, which messages call NAME; it is a content, and never the name of a file."""
    from primad.qra.reading.read import read_measurements

    material = read_measurements(text.encode(), name=name or _NAME)
    if not material.measurements and not material.labels:
        raise DataError(". ".join(["nothing to assess: no measurements and no labels", *material.remarks[:_MOST_TOLD]]))
    return material


def qra_page(found: QuantifiedAssessment) -> str:
    """Return what was FOUND about the precision of values as part of a page."""
    from primad.reports.qra.figures import drawings
    from primad.reports.qra.page import render_fragment

    return render_fragment(found, list(drawings(found)))
