"""The contenders that score many runs: each is a process, reads the runs, and writes their mean scores to a file.

    python -m bench.archive_peers primad SCORES ARCHIVE jobs=2|cluster=tcp://host:port [QUERY]
    python -m bench.archive_peers pytrec_eval SCORES JOBS QRELS FOLDER

primad evaluates the runs of an archive and keeps all scores there, those of topics too; scores that are there already
are removed before.  pytrec_eval reads run files in a pool of processes, as its documentation shows, and keeps nothing.
"""

from __future__ import annotations

import json
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from statistics import fmean
from typing import Any

from primad.archive.archive import DEFAULT_MEASURES

# By the name of the file and the measure.
Scores = dict[str, dict[str, float]]


def primad(folder: str, where: str, query: str = "") -> Scores:
    """Evaluate the runs that QUERY finds in the archive in FOLDER."""
    from primad.archive.archive import Archive
    from primad.compute import Place

    kind, _, value = where.partition("=")
    place = Place(jobs=int(value)) if kind == "jobs" else Place(cluster=value)
    archive = Archive(folder)
    _forget(archive)
    evaluated = archive.evaluate(query, place=place)
    assert not evaluated.unscored, evaluated.unscored[:3]
    return _kept(archive)


def _forget(archive: Any) -> None:
    """Remove all scores from ARCHIVE."""
    with archive.speaking():
        from primad.archive.models import Score, TopicScores

        Score.objects.all().delete()
        TopicScores.objects.all().delete()
    shutil.rmtree(archive.folder.scores, ignore_errors=True)


def _kept(archive: Any) -> Scores:
    """Return the scores that ARCHIVE has now."""
    found: Scores = {}
    with archive.speaking():
        from primad.archive.models import Score

        rows = Score.objects.values_list("ranking__runs__versions__name", "measure", "value")
        for name, measure, value in rows.iterator():
            found.setdefault(name, {})[measure] = value
    return found


def pytrec_eval(jobs: str, qrels: str, folder: str) -> Scores:
    """Evaluate the run files in FOLDER."""
    runs = sorted(Path(folder).iterdir())
    with ProcessPoolExecutor(int(jobs)) as pool:
        return dict(pool.map(partial(_by_pytrec_eval, qrels), runs, chunksize=4))


def _by_pytrec_eval(qrels: str, run: Path) -> tuple[str, dict[str, float]]:
    """Return the name of RUN and its mean scores."""
    import pytrec_eval as peer

    with run.open() as stream:
        topics = _evaluator(qrels).evaluate(peer.parse_run(stream))
    return run.name, {name: fmean(scores[name] for scores in topics.values()) for name in DEFAULT_MEASURES}


@cache
def _evaluator(qrels: str) -> Any:
    """Return the evaluator of this process, which has read the judgments QRELS."""
    import pytrec_eval as peer

    with Path(qrels).open() as stream:
        return peer.RelevanceEvaluator(peer.parse_qrel(stream), set(DEFAULT_MEASURES))


if __name__ == "__main__":
    contender, target, *arguments = sys.argv[1:]
    scores = primad(*arguments) if contender == "primad" else pytrec_eval(*arguments)
    Path(target).write_text(json.dumps(scores))
