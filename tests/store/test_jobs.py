"""Is long work done once for whoever asked, does it say why it stands as it does, and does it survive its workers?"""

import logging
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction
from django_tasks_db.models import DBTaskResult

from primad.errors import NotAllowed, PairingError, UsageError
from primad.store import jobs, lease
from primad.store.actors import VISITOR, Actor, acting
from primad.store.folder import DataFolder
from primad.store.jobs import moving, queue
from primad.store.jobs.asking import MOST_OPEN
from primad.store.jobs.reaping import KEPT, reap
from primad.store.jobs.worker import Worker
from primad.store.models import Event, Job, Result
from tests.store import working

ADA = Actor("ada@example.org", user=7)
BOB = Actor("bob@example.org", user=8)
ROOT = Actor("root@example.org", user=9, is_administrator=True)
LAPTOP = "laptop"  # what a token is called
KEPT_OUT = Actor("eve@example.org", user=10)


def actor_for(user: int, scopes: frozenset[str]) -> Actor:
    if user == KEPT_OUT.user:
        raise NotAllowed("whoever asked for it is kept out by now")
    names = {one.user: one.name for one in (ADA, BOB, ROOT)}
    return Actor(names[user], user=user, scopes=scopes)


def work_off(folder: DataFolder) -> list[str]:
    """Let a worker do all jobs of FOLDER in this process, and return what it says."""
    said: list[str] = []
    Worker(folder, actor_for, said=said.append).serve(once=True)
    return said


def asked(file: str, actor: Actor = ADA, title: str = "Count") -> jobs.JobFacts:
    with acting(actor):
        return jobs.ask("test.count", title, file=file)


def facts(key: str, actor: Actor = ROOT) -> jobs.JobFacts:
    with acting(actor):
        return jobs.facts(key)


def lines(file: str) -> list[str]:
    return working.lines(file)


def dead_worker() -> str:
    """Return who a process is that has ended."""
    host, here, _, began = lease.holder().split("|")
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return "|".join((host, here, str(process.pid), began))


def begun_by(worker: str) -> Job:
    """Return the first job that waits, begun by WORKER."""
    entry = queue.waiting().first()
    entry.claim(worker)
    job = moving.take(entry, worker)
    assert job is not None
    return job


# What becomes of a job -------------------------------------------------------------------------------------------


def test_a_job_is_done_for_whoever_asked_and_leaves_the_queue(job_folder: DataFolder, file: str) -> None:
    with acting(ADA):
        job = jobs.ask("test.count", "  Count\nto three ", file=file, steps=3)
    said = work_off(job_folder)

    done = facts(job.key, ADA)
    assert (job.state, job.title, job.owner) == ("waiting", "Count to three", ADA.name)
    assert (done.state, done.why, done.result) == ("done", "done", {"steps": 3, "by": ADA.name})
    assert (done.done, done.total, done.doing, done.starts) == (3, 3, "step 3", 1)
    assert done.created_at <= (done.started_at or done.created_at) <= (done.ended_at or done.created_at)
    assert len(lines(file)) == 2
    assert said[0].startswith("Count to three (test.count, for ada@example.org): done after ")
    assert DBTaskResult.objects.count() == 0


def test_jobs_are_done_in_the_order_in_which_they_were_asked_for(job_folder: DataFolder, file: str) -> None:
    keys = [asked(file, actor).key for actor in (ADA, BOB, ADA)]
    work_off(job_folder)

    assert [line.split()[1] for line in lines(file)] == [key for key in keys for _ in range(2)]


def test_a_job_is_in_the_queue_if_and_only_if_its_row_is_there(job_folder: DataFolder, file: str) -> None:
    with transaction.atomic():
        asked(file)
        transaction.set_rollback(True)

    assert (Job.objects.count(), DBTaskResult.objects.count(), Event.objects.count()) == (0, 0, 0)
    assert work_off(job_folder) == []


def test_what_is_wrong_with_the_data_is_told_as_it_is(job_folder: DataFolder) -> None:
    with acting(ADA):
        job = jobs.ask("test.wrong", "Wrong")
    work_off(job_folder)

    failed = facts(job.key)
    assert (failed.state, failed.why) == ("failed", "failed: expected five topics, found four")
    assert failed.result == {}


def test_what_nobody_foresaw_is_in_the_log_of_the_worker_only(
    job_folder: DataFolder, caplog: pytest.LogCaptureFixture
) -> None:
    with acting(ADA):
        job = jobs.ask("test.broken", "Broken")
    with caplog.at_level(logging.ERROR):
        work_off(job_folder)

    assert facts(job.key).why == "failed unexpectedly; the log of the worker has more"
    assert "ZeroDivisionError" in caplog.text


def test_texts_that_no_database_stores_are_written_out(job_folder: DataFolder) -> None:
    with acting(ADA):
        job = jobs.ask("test.odd", "Odd \x00\udcff")
        failed = jobs.ask("test.odd", "Odd", fail=True)
    work_off(job_folder)

    assert facts(job.key).title == "Odd \\x00\\udcff"
    assert facts(job.key).result == {"text": "a\\x00b\\udcff"}
    assert facts(job.key).doing == "c\\x00d\\udcff"
    assert facts(failed.key).why == "failed: a\\x00b\\udcff"


def test_a_job_of_somebody_who_was_kept_out_fails_and_says_so(job_folder: DataFolder, file: str) -> None:
    job = asked(file, KEPT_OUT)
    work_off(job_folder)

    assert facts(job.key).why == "failed: whoever asked for it is kept out by now"
    assert lines(file) == []


def test_a_job_may_do_what_whoever_asked_came_to_do(job_folder: DataFolder, file: str) -> None:
    scopes: list[frozenset[str]] = []

    def noted(user: int, granted: frozenset[str]) -> Actor:
        scopes.append(granted)
        return Actor("ada", user=user, scopes=granted)

    asked(file, Actor("ada", user=7, scopes=frozenset({"archive"})))
    Worker(job_folder, noted).serve(once=True)

    assert scopes == [frozenset({"archive"})]


# Who may ask and see ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("job_folder")
def test_a_job_is_seen_by_its_owner_and_by_administrators_only(file: str) -> None:
    job = asked(file)

    assert facts(job.key, ADA).key == facts(job.key, ROOT).key == job.key
    for other in (BOB, VISITOR):
        with acting(other), pytest.raises(PairingError, match="no job at this address that you may see"):
            jobs.facts(job.key)
        with acting(other), pytest.raises(PairingError):
            jobs.cancel(job.key)
    assert facts(job.key).state == "waiting"


@pytest.mark.usefixtures("job_folder")
def test_what_the_keeper_asked_for_is_nobody_elses(file: str) -> None:
    job = jobs.ask("test.count", "Of the keeper", file=file)

    assert [one.key for one in jobs.mine()] == [job.key]
    for other in (ADA, VISITOR):
        with acting(other):
            assert jobs.mine() == ()
            with pytest.raises(PairingError):
                jobs.facts(job.key)


@pytest.mark.usefixtures("job_folder")
def test_my_jobs_are_mine_the_latest_first(file: str) -> None:
    first, _, second = asked(file), asked(file, BOB), asked(file)

    with acting(ADA):
        assert [one.key for one in jobs.mine()] == [second.key, first.key]


@pytest.mark.usefixtures("job_folder")
def test_a_token_that_may_only_read_neither_asks_for_a_job_nor_cancels_one(file: str) -> None:
    reader, job = replace(ADA, scopes=frozenset({"read"}), token=LAPTOP), asked(file)

    with pytest.raises(NotAllowed, match="make one with the scope 'archive'"):
        asked(file, reader)
    with acting(reader), pytest.raises(NotAllowed, match="make one with the scope 'archive'"):
        jobs.cancel(job.key)

    assert [(one.key, one.state) for one in Job.objects.all()] == [(job.key, "waiting")]


def test_what_a_job_does_is_done_by_the_token_that_asked_for_it(job_folder: DataFolder, file: str) -> None:
    with acting(replace(ADA, token=LAPTOP)):
        jobs.ask("test.keep", "A result", file=file)
    work_off(job_folder)

    assert Event.objects.get(verb="kept").details["token"] == LAPTOP


@pytest.mark.usefixtures("job_folder")
def test_a_visitor_asks_for_nothing(file: str) -> None:
    with pytest.raises(NotAllowed, match="sign in first"):
        asked(file, VISITOR)

    assert Job.objects.count() == 0


@pytest.mark.parametrize(
    ("kind", "arguments", "said"),
    [
        pytest.param("test.nothing", {}, "expected a kind of work", id="no such kind"),
        pytest.param("test.count", {}, "missing a required argument: 'file'", id="an argument missing"),
        pytest.param("test.count", {"file": "x", "more": 1}, "unexpected keyword argument 'more'", id="one too many"),
        pytest.param("test.count", {"file": "a\0b"}, "a character NUL", id="what PostgreSQL cannot store"),
        pytest.param("test.count", {"file": "\udcff"}, "found something else", id="what is no text"),
        pytest.param("test.count", {"file": float("nan")}, "found something else", id="what JSON does not know"),
    ],
)
@pytest.mark.usefixtures("job_folder")
def test_what_cannot_be_done_is_refused_at_once(kind: str, arguments: dict[str, object], said: str) -> None:
    with acting(ADA), pytest.raises(UsageError, match=said):
        jobs.ask(kind, "Title", **arguments)

    assert Job.objects.count() == 0


@pytest.mark.usefixtures("job_folder")
def test_nobody_fills_the_queue_alone(file: str) -> None:
    for _ in range(MOST_OPEN):
        asked(file)

    with pytest.raises(UsageError, match="wait until one is, or cancel one"):
        asked(file)
    assert asked(file, BOB).state == "waiting"


# Why it stands as it does ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("job_folder")
def test_a_job_that_waits_says_for_what(file: str) -> None:
    alone = asked(file)
    queue.here_i_am(lease.holder())
    first, last = facts(alone.key), asked(file, BOB)

    assert alone.why == "no worker is running; whoever runs this site has to start one"
    assert first.why == "a worker takes it in a moment"
    assert (last.why, last.place) == ("waits behind 1 other job", 1)
    assert asked(file).why == "waits behind 2 other jobs"


@pytest.mark.usefixtures("job_folder")
def test_a_worker_that_ended_is_not_counted(file: str) -> None:
    queue.here_i_am(dead_worker())
    queue.here_i_am("elsewhere|x|1|2")
    DBTaskResult.objects.filter(worker_ids=["elsewhere|x|1|2"]).update(
        started_at=datetime.now(UTC) - timedelta(hours=1)
    )

    assert queue.workers() == set()
    assert asked(file).why.startswith("no worker is running")


@pytest.mark.usefixtures("job_folder")
def test_a_job_that_is_being_done_says_where_and_when_that_was_seen(file: str) -> None:
    job, behind = asked(file), asked(file, BOB)
    begun_by(lease.holder())
    host = lease.host_of(lease.holder())

    assert facts(job.key).why == f"a worker on {host} is at work on it, last seen 0 s ago"
    assert facts(behind.key).why == "waits behind 1 other job"


# Cancelling ------------------------------------------------------------------------------------------------------


def test_a_job_that_waits_is_cancelled_at_once(job_folder: DataFolder, file: str) -> None:
    job = asked(file)
    with acting(ADA):
        cancelled = jobs.cancel(job.key)
    work_off(job_folder)

    assert (cancelled.state, cancelled.why) == ("cancelled", "cancelled by ada@example.org")
    assert (facts(job.key).state, lines(file)) == ("cancelled", [])


def test_a_job_that_is_being_done_stops_at_its_next_step(job_folder: DataFolder) -> None:
    with acting(ADA):
        job = jobs.ask("test.called_off", "Called off")
    work_off(job_folder)

    assert (facts(job.key).state, facts(job.key).why) == ("cancelled", "cancelled by ada@example.org")


def test_a_job_that_is_over_cannot_be_cancelled_any_more(job_folder: DataFolder, file: str) -> None:
    job = asked(file)
    work_off(job_folder)
    with acting(ADA):
        after = jobs.cancel(job.key)

    assert (after.state, after.why) == ("done", "done")
    assert not Event.objects.filter(verb="cancelled").exists()


def test_a_job_whose_worker_died_is_cancelled_at_once(job_folder: DataFolder, file: str) -> None:
    job = asked(file)
    begun_by(dead_worker())
    with acting(ADA):
        assert jobs.cancel(job.key).state == "cancelled"
    assert work_off(job_folder) == []


# Trying again ----------------------------------------------------------------------------------------------------


def cancelled(key: str, actor: Actor = ADA) -> None:
    with acting(actor):
        jobs.cancel(key)


def test_a_job_that_is_tried_again_and_again_has_what_it_was_given_stored_once(
    job_folder: DataFolder, file: str
) -> None:
    job = asked(file)
    for _ in range(3):
        cancelled(job.key)
        with acting(ADA):
            job = jobs.again(job.key)
    given = [one.arguments["given"] for one in Job.objects.order_by("pk")]
    work_off(job_folder)

    assert given == [{}, {}, {}, {"file": file}]
    assert (facts(job.key).state, len(lines(file)) > 0) == ("done", True)


def test_a_job_is_tried_again_once_and_only_if_it_came_to_nothing(job_folder: DataFolder, file: str) -> None:
    done = asked(file)
    work_off(job_folder)
    first, waiting = asked(file), asked(file)
    cancelled(first.key)

    with acting(ADA):
        jobs.again(first.key)
        with pytest.raises(UsageError, match="was asked for again already; find the new one among your jobs"):
            jobs.again(first.key)
        for key, state in ((done.key, "done"), (waiting.key, "waiting")):
            with pytest.raises(UsageError, match=f"the job is {state}; it can be asked for again if it fails"):
                jobs.again(key)
    assert Job.objects.count() == 4


@pytest.mark.usefixtures("job_folder")
def test_a_job_that_an_administrator_tries_again_stays_its_owners_to_try(file: str) -> None:
    job = asked(file)
    cancelled(job.key)

    for actor in (ROOT, ADA):
        with acting(actor):
            assert jobs.again(job.key).owner == actor.name


@pytest.mark.usefixtures("job_folder")
def test_a_job_that_may_not_be_asked_for_keeps_what_it_was_given(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    job = asked(file)
    cancelled(job.key)
    monkeypatch.setattr("primad.store.jobs.asking.MOST_OPEN", 0)

    with acting(ADA), pytest.raises(UsageError, match="jobs that are not done yet"):
        jobs.again(job.key)

    assert Job.objects.get(key=job.key).arguments["given"] == {"file": file}


def test_a_worker_forgets_jobs_that_were_over_long_ago_and_no_others(job_folder: DataFolder, file: str) -> None:
    long_ago, lately = (datetime.now(UTC) - KEPT + timedelta(minutes=one) for one in (-1, 1))
    old, young, waiting = asked(file, title="old"), asked(file, title="young"), asked(file, title="waiting")
    cancelled(old.key)
    cancelled(young.key)
    Job.objects.filter(key=old.key).update(ended_at=long_ago)
    Job.objects.filter(key=young.key).update(ended_at=lately)
    Job.objects.filter(key=waiting.key).update(created_at=long_ago)

    work_off(job_folder)

    assert set(Job.objects.values_list("title", "state")) == {("young", "cancelled"), ("waiting", "done")}


# Workers that die ------------------------------------------------------------------------------------------------


def test_a_job_whose_worker_died_is_begun_again_and_says_so(job_folder: DataFolder, file: str) -> None:
    job = asked(file)
    begun_by(dead_worker())
    alone = facts(job.key)
    reap()
    waiting = facts(job.key)
    work_off(job_folder)

    assert alone.why.startswith("its worker died; it is begun again (start 2 of 3) once there is another; no worker")
    assert waiting.state == "waiting"
    assert waiting.why.startswith("its worker died; it is begun again (start 2 of 3); no worker is running")
    assert (facts(job.key).state, facts(job.key).starts, len(lines(file))) == ("done", 2, 2)


def test_a_job_that_is_begun_again_keeps_its_place(job_folder: DataFolder, file: str) -> None:
    first, second = asked(file), asked(file)
    begun_by(dead_worker())
    work_off(job_folder)

    assert [line.split()[1] for line in lines(file)] == [first.key, first.key, second.key, second.key]


def test_a_job_whose_worker_died_three_times_fails_with_its_reason(job_folder: DataFolder, file: str) -> None:
    job = asked(file)
    dead = dead_worker()
    for _ in range(3):
        begun_by(dead)
        reap()
    failed = facts(job.key)

    assert (failed.state, failed.starts) == ("failed", 3)
    assert failed.why.startswith("failed: its worker died 3 times while at work on it")
    assert (work_off(job_folder), lines(file)) == ([], [])


def test_a_worker_that_died_between_queue_and_job_leaves_both_to_others(job_folder: DataFolder, file: str) -> None:
    job = asked(file)
    queue.waiting().first().claim(dead_worker())
    work_off(job_folder)

    assert (facts(job.key).state, facts(job.key).starts) == ("done", 1)


def test_a_job_that_the_queue_does_not_know_comes_back_into_it(job_folder: DataFolder, file: str) -> None:
    job = asked(file)
    DBTaskResult.objects.all().delete()  # as in a backup, which has our own tables only
    work_off(job_folder)

    assert (facts(job.key).state, len(lines(file))) == ("done", 2)


def test_a_worker_that_was_taken_for_dead_changes_nothing_any_more(job_folder: DataFolder, file: str) -> None:
    job = asked(file)
    slow = begun_by("elsewhere|x|1|2")
    Job.objects.filter(key=job.key).update(beat_at=datetime.now(UTC) - timedelta(minutes=5))
    work_off(job_folder)

    assert moving.finish(slow, "done", "done", {"steps": 99}) is False
    assert moving.hand_back(slow, "") is False
    assert (facts(job.key).state, facts(job.key).result["steps"]) == ("done", 1)


def test_a_job_keeps_one_result_however_often_it_keeps(job_folder: DataFolder, file: str) -> None:
    with acting(ADA):
        job = jobs.ask("test.keep", "Keep", file=file)
    work_off(job_folder)

    kept = Result.objects.get()
    assert facts(job.key).result == {"result": kept.key, "again": kept.key}
    assert (kept.title, kept.owner, kept.facts) == ("A result", ADA.name, {"number": 1, "job": job.key})


def test_a_worker_that_is_told_to_stop_hands_its_job_back(job_folder: DataFolder, file: str) -> None:
    with acting(ADA):
        job = jobs.ask("test.stopped", "Stopped", file=file)
    said = work_off(job_folder)
    waiting = facts(job.key)
    work_off(job_folder)

    assert (waiting.state, waiting.starts) == ("waiting", 0)
    assert waiting.why.startswith("its worker was stopped; it is begun again; no worker is running")
    assert "waiting (its worker was stopped; it is begun again)" in said[0]
    assert (facts(job.key).state, facts(job.key).starts, len(lines(file))) == ("done", 1, 2)
