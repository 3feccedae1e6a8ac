"""Is the long work of a site done as on the command line, and done even if its worker is killed in the middle?"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from primad.accounts.people import activate
from primad.archive.models import Score
from primad.errors import NotAllowed
from primad.reports.assessment.text import render
from primad.store import database, jobs, results
from primad.store.actors import acting, keeper
from primad.store.folder import find_folder
from primad.store.jobs.worker import Worker
from primad.store.models import Result
from primad.web.running.work import actor_for
from tests.web.small_site import SmallSite, run_text

pytestmark = pytest.mark.usefixtures("opened")
LONGEST_WAIT = 120.0  # seconds after which a test fails rather than waits
MEASUREMENTS = "object,measurand,value,performed_by\n" + "".join(
    f"system,BLEU,{value},lab{place}\n" for place, value in enumerate((24.1, 25.3, 24.8, 23.9))
)


@pytest.fixture
def opened(site: SmallSite) -> None:
    """Speak to the database of the site, as each of its pages does."""
    database.use(find_folder(site.folder))


def done(site: SmallSite, role: str, kind: str, **arguments: Any) -> jobs.JobFacts:
    """Return how a job stands that somebody in ROLE asked for, and that a worker has done."""
    with acting(site.actor(role)):
        key = jobs.ask(kind, "A job", **arguments).key
        Worker(find_folder(site.folder), actor_for).serve(once=True)
        return jobs.facts(key)


def kept(site: SmallSite, job: jobs.JobFacts) -> tuple[Result, dict[str, bytes]]:
    """Return what JOB came to, with its files."""
    assert job.state == "done", job.why
    result = results.found(job.result["result"])
    blobs = find_folder(site.folder).blobs
    return result, {row.path: blobs.get(row.digest) for row in result.files.all()}


# What is done ------------------------------------------------------------------------------------------------------


def test_runs_are_scored_for_a_user(site: SmallSite) -> None:
    first = done(site, "user", "archive.evaluate", query="", measures=["ndcg"])
    again = done(site, "user", "archive.evaluate", measures=["ndcg"])

    assert (first.state, first.done, first.total) == ("done", 3, 3)
    assert first.result == {
        "runs": 3,
        "measures": ["ndcg"],
        "computed": 3,
        "known": 0,
        "without": 0,
        "unscored": [],
    }
    assert (again.result["computed"], again.result["known"]) == (0, 3)


def test_runs_that_cannot_be_scored_are_told_with_the_reason(site: SmallSite, tmp_path: Path) -> None:
    (tmp_path / "alien.run").write_text(run_text("alien").replace("name: small", "name: unjudged"))
    with acting(keeper()):
        list(site.archive().add(tmp_path / "alien.run"))
    told = done(site, "user", "archive.evaluate", query="alien").result

    assert (told["runs"], told["without"], [one["tag"] for one in told["unscored"]]) == (1, 1, ["alien"])
    assert told["unscored"][0]["reason"].startswith("the collection unjudged has no judgments")


def test_each_of_many_runs_without_a_score_is_told_and_the_page_of_the_job_counts_those_it_leaves_out(
    site: SmallSite, tmp_path: Path
) -> None:
    for place in range(53):
        text = run_text(f"alien{place}", place).replace("name: small", "name: unjudged")
        (tmp_path / f"alien{place}.run").write_text(text)
    with acting(keeper()):
        list(site.archive().add(tmp_path, jobs=1))

    job = done(site, "user", "archive.evaluate", query="collection:unjudged OR tag:first", measures=["ndcg"])
    page = site.client("user").get(f"/jobs/{job.key}/").content.decode()

    assert {one["tag"] for one in job.result["unscored"]} == {f"alien{place}" for place in range(53)}
    assert "54 runs by ndcg." in page
    assert "<dt>Computed now</dt><dd>1</dd>" in page
    assert "<dt>Known before</dt><dd>0</dd>" in page
    assert "<dt>Without a score</dt><dd>53</dd>" in page
    assert page.count("the collection unjudged has no judgments") == 50
    assert "and 3 more" in page
    assert 'href="/archive/?q=collection%3Aunjudged%20OR%20tag%3Afirst"' in page
    assert "primad archive" not in page


def test_a_search_that_cannot_be_understood_is_told(site: SmallSite) -> None:
    failed = done(site, "user", "archive.evaluate", query="year:>")

    assert failed.state == "failed"
    assert failed.why.startswith("failed: query, position ")


def test_chosen_runs_are_assessed_and_the_report_is_kept_for_others(site: SmallSite) -> None:
    job = done(site, "user", "archive.assess", original=["first"], others=["second", ["third"]], measures=["map"])

    result, files = kept(site, job)
    tables = json.loads(files["assessment.json"])
    assert (result.kind, result.title, result.owner) == ("assessment", "A job", "user@example.org")
    assert [one["name"] for one in tables["reproductions"]] == ["second", "third"]
    assert {"report.html", "assessment.csv", "assessment.tex", "fragment.html"} <= files.keys()
    assert b"<html" not in files["fragment.html"]
    assert b"How well was first reproduced?" in files["fragment.html"]


def test_a_chosen_assessment_is_that_of_the_command_line(site: SmallSite, tmp_path: Path) -> None:
    import primad
    from primad.archive.jobs import assess_chosen
    from tests.web.small_site import QRELS

    (tmp_path / "small.qrels").write_text(QRELS)
    for place, tag in enumerate(("first", "second", "third")):
        (tmp_path / f"{tag}.run").write_text(run_text(tag, place, year=str(2018 + place)))
    there = primad.assess(
        (tmp_path / "first.run", tmp_path / "second.run"),
        {"third": (tmp_path / "third.run", tmp_path / "first.run")},
        tmp_path / "small.qrels",
        measures=["map"],
    )
    with acting(keeper()):
        here = assess_chosen(site.archive(), ["first", "second"], [["third", "first"]], measures=["map"])

    assert _values(render(here, "csv")) == _values(render(there, "csv"))


def _values(table: str) -> list[list[str]]:
    """Return the cells of TABLE without the names of experiments, which are addresses here and files there."""
    return [line.split(",")[1:] for line in table.splitlines()]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param({"original": ["nothing"]}, "nothing", id="no such run"),
        pytest.param({"original": ["first"], "others": ["first"]}, "an experiment twice: first", id="itself"),
        pytest.param({"original": ["first"], "others": [["second", "third"]]}, "the original has none", id="too many"),
        pytest.param({"original": ["first"], "others": [[]]}, "found 0", id="nothing as reproduction"),
        pytest.param({"original": ["first"], "others": ["second"], "measures": ["err"]}, "err", id="no such measure"),
        pytest.param({"original": ["first"], "others": ["second"], "depth": 0}, "depth of at least 1", id="no depth"),
        pytest.param({"original": ["first"], "others": ["second"], "colour": 1}, "'colour'", id="no such setting"),
        pytest.param({"original": ["first"], "others": ["second"], "rules": {"x": 1}}, "rules", id="no such rule"),
    ],
)
def test_an_assessment_that_cannot_be_made_says_why(site: SmallSite, arguments: dict[str, Any], said: str) -> None:
    failed = done(site, "user", "archive.assess", **arguments)

    assert failed.state == "failed"
    assert failed.why.startswith("failed: ")
    assert said in failed.why


def test_measurements_of_a_text_are_assessed_and_kept(site: SmallSite) -> None:
    job = done(site, "user", "qra", text=MEASUREMENTS, name="mine.csv", causes=True, variant="qra3")

    result, files = kept(site, job)
    assert (result.kind, result.title) == ("qra", "A job")
    assert json.loads(files["qra.json"])["variant"] == "qra3"
    assert b"How precise are the values of system?" in files["fragment.html"]


def test_scores_of_the_archive_are_assessed_and_kept(site: SmallSite) -> None:
    result, files = kept(site, done(site, "user", "qra", query="", measures=["map"]))

    assert result.kind == "qra"
    assert "bm25" in files["qra.csv"].decode() or "org.bm25" in files["qra.csv"].decode()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param({"text": "object,measurand,value\nx,y,z\n", "name": "m.csv"}, "m.csv:2", id="a wrong line"),
        pytest.param({"text": "/etc/passwd"}, "measurements", id="the name of a file is no name here"),
        pytest.param({"text": MEASUREMENTS, "query": ""}, "and not both", id="both"),
        pytest.param({}, "expected measurements", id="neither"),
        pytest.param({"query": "", "measures": ["bpref"]}, "no run that was found has a score", id="not scored"),
        pytest.param({"text": MEASUREMENTS, "published": []}, "found published", id="no such question"),
    ],
)
def test_measurements_that_cannot_be_assessed_say_why(site: SmallSite, arguments: dict[str, Any], said: str) -> None:
    failed = done(site, "user", "qra", **arguments)

    assert failed.state == "failed"
    assert said in failed.why


# Who may -----------------------------------------------------------------------------------------------------------


def test_a_token_that_may_only_read_has_nothing_scored(site: SmallSite) -> None:
    reader = actor_for(site.everybody["user"], frozenset({"read"}))

    with acting(reader), pytest.raises(NotAllowed, match="this token was not made for that"):
        jobs.ask("archive.evaluate", "Score all")


def test_a_job_of_a_user_who_was_kept_out_meanwhile_fails(site: SmallSite) -> None:
    with acting(site.actor("user")):
        job = jobs.ask("archive.evaluate", "Score all", measures=["ndcg"])
    with acting(keeper()):
        activate(site.user("user"), active=False)
        Worker(find_folder(site.folder), actor_for).serve(once=True)
        failed = jobs.facts(job.key)

    assert failed.why == "failed: whoever asked for it is kept out by now; ask an administrator"
    assert not Score.objects.filter(measure="ndcg").exists()


# A worker that is killed -------------------------------------------------------------------------------------------


def started(site: SmallSite, *options: str) -> "subprocess.Popen[str]":
    """Return the worker of the command line, started on SITE."""
    command = [sys.executable, "-c", "from primad.cli import main; main()", "worker", "--data", str(site.folder)]
    environment = os.environ | {"PRIMAD_SECRET_KEY": "A" * 43 + "="}
    return subprocess.Popen([*command, *options], env=environment, stderr=subprocess.PIPE, text=True)


def wait_for(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONGEST_WAIT
    while not is_so():
        assert time.monotonic() < deadline, "waited for too long"
        time.sleep(0.01)


def killed_while_scoring(site: SmallSite, runs: int) -> tuple[str, str, int]:
    """Return a job whose worker was killed when some of so many RUNS were scored, by which measure, and how many.

    Who comes to the end before it is killed is followed by another, with another measure.
    """
    for measure in ("ndcg", "bpref", "recip_rank", "Rprec", "recall_1000"):
        job = jobs.ask("archive.evaluate", "Score all", measures=[measure])
        database.close()
        with started(site) as worker:
            wait_for(lambda name=measure: Score.objects.filter(measure=name).exists())  # type: ignore[misc]
            worker.kill()
        scored = Score.objects.filter(measure=measure).count()
        if scored < runs:
            return job.key, measure, scored
    raise AssertionError("every worker came to the end before it was killed")


@pytest.mark.slow
def test_an_evaluation_whose_worker_is_killed_in_the_middle_is_done_by_the_next(
    site: SmallSite, tmp_path: Path
) -> None:
    runs = tmp_path / "more"
    runs.mkdir()
    for number in range(300):
        (runs / f"r{number}.run").write_text(run_text(f"r{number}", number) + f"5 Q0 own{number} 10 0.1 r{number}\n")
    with acting(keeper()):
        assert {one.status for one in site.archive().add(runs, jobs=1)} == {"added"}
        job, measure, scored = killed_while_scoring(site, 303)
        with started(site, "--once") as second:
            _, said = second.communicate(timeout=LONGEST_WAIT)
        at_last = jobs.facts(job)

    assert (second.returncode, at_last.state, at_last.starts) == (0, "done", 2)
    assert (at_last.result["computed"], at_last.result["known"]) == (303 - scored, scored)
    assert Score.objects.filter(measure=measure).count() == 303
    assert "Score all (archive.evaluate, for " in said
    assert ": done after " in said


@pytest.mark.slow
def test_a_worker_ends_when_it_is_told_and_refuses_a_folder_without_an_archive(site: SmallSite, tmp_path: Path) -> None:
    database.close()
    with started(site) as worker:
        assert worker.stderr is not None
        begun = worker.stderr.readline()
        worker.send_signal(signal.SIGTERM)
        worker.communicate(timeout=LONGEST_WAIT)
    (tmp_path / "empty").mkdir()
    with started(SmallSite(tmp_path / "empty", {})) as refused:
        _, said = refused.communicate(timeout=LONGEST_WAIT)

    assert begun == f"primad: at work on the jobs of {site.folder}; end it with Ctrl-C\n"
    assert (worker.returncode, refused.returncode) == (0, 1)
    assert "is no archive" in said
    assert list((tmp_path / "empty").iterdir()) == []
