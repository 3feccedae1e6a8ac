"""What do analysts do?

Replicating   assignments, attempts and replays
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING

from primad.track.facade.opened import Opened

if TYPE_CHECKING:
    from datetime import datetime

    from primad.reports.track.answers import QuestionFacts, VerdictFacts
    from primad.track import models
    from primad.track.matrix import Matrix
    from primad.track.replays.wish import Wish
    from primad.track.services.assigning import Reassigned


class Replicating(Opened):
    """A track as analysts use it."""

    def assign_all(self, per_submission: int | None = None) -> Matrix:
        """Assign analysts to all eligible submissions, roles and machines balanced."""
        from primad.track.services import assigning

        with self.speaking() as track:
            return assigning.assign_all(track, per_submission=per_submission)

    def assign(self, analyst: str, address: str, machine: str = "", remark: str = "") -> None:
        """Assign ANALYST to the submission with this ADDRESS by hand."""
        from primad.track.services import assigning

        with self.speaking():
            who = self.analyst(analyst)
            assigning.assign(who, self.submission(address), self._machine(who, machine), remark)

    def unassign(self, analyst: str, address: str) -> None:
        """Take an assignment back."""
        from primad.track.services import assigning

        with self.speaking():
            assigning.unassign(self.analyst(analyst), self.submission(address))

    def reassign(self, new: Iterable[tuple[str, str]], gone: Iterable[tuple[str, str]]) -> Reassigned:
        """Assign the pairs of an analyst and an address that are NEW, and take those back that are GONE, at once."""
        from primad.track.services import assigning

        with self.speaking() as track:
            wanted = [(self.analyst(who), self.submission(address)) for who, address in new]
            unwanted = [(self.analyst(who), self.submission(address)) for who, address in gone]
            return assigning.reassign(track, wanted, unwanted)

    def start(
        self,
        analyst: str,
        address: str,
        *,
        configuration: str = "",
        data_set: str = "",
        machine: str = "",
        at: datetime | None = None,
    ) -> models.Attempt:
        """Return a new attempt of ANALYST at the submission with this ADDRESS; their time begins."""
        from primad.track.services import attempting

        with self.speaking():
            who, submission = self.analyst(analyst), self.submission(address)
            return attempting.open_attempt(
                who,
                submission,
                configuration=configuration,
                data_set=self._data_set(submission.task, data_set),
                machine=self._machine(who, machine),
                at=at,
            )

    def resume(self, number: int, stage: str = "", at: datetime | None = None) -> None:
        """Go on with an attempt that rests."""
        from primad.track.services import timing

        with self.speaking():
            timing.resume(self.attempt(number), stage, at)

    def pause(self, number: int, at: datetime | None = None) -> None:
        """Let an attempt rest."""
        from primad.track.services import timing

        with self.speaking():
            timing.pause(self.attempt(number), at)

    def change_stage(self, number: int, stage: str) -> str:
        """Go on with an attempt at another STAGE without a gap, and return the one before."""
        from primad.track.services import timing

        with self.speaking():
            return timing.change_stage(self.attempt(number), stage)

    def stop(
        self,
        number: int,
        outcome: str,
        *,
        output: str | os.PathLike[str] | Mapping[str, bytes] | None = None,
        stage: str = "",
        reason: str = "",
        run_minutes: float | None = None,
        transcript: bytes = b"",
        at: datetime | None = None,
        unreadable: bool = False,
    ) -> VerdictFacts | None:
        """End an attempt, which succeeded with an OUTPUT, failed or was abandoned, and return the verdict.

        An output that the scorer cannot read may be a wrong file, so that is taken only if UNREADABLE says so; the
        verdict is then that the scorer failed.
        """
        from primad.track import filing, rights, scoring
        from primad.track.services import attempting, judging

        files = filing.files_of(output) if output else None
        with self.speaking() as track:
            attempt = self.attempt(number)
            rights.require(track, attempting.verb_to_end(outcome), analyst=attempt.analyst)
            with scoring.at_work() if files else nullcontext():  # or nothing is done: no end without its verdict
                if files and outcome == "succeeded" and not unreadable:
                    scoring.scored_output(self.folder, attempt.submission.task, attempt.data_set, files)
                attempting.close(
                    self.folder,
                    attempt,
                    outcome,
                    stage=stage,
                    reason=reason,
                    output=files,
                    run_seconds=None if run_minutes is None else run_minutes * 60,
                    transcript=transcript,
                    at=at,
                )
                return self._seen_verdict(judging.judge_attempt(self.folder, self.attempt(number)))

    def correct(
        self,
        number: int,
        span: int,
        *,
        started_at: datetime | None = None,
        ended_at: datetime | None = None,
        reason: str,
    ) -> None:
        """Give the SPAN of human time of an attempt, counted from 1, other times, for a REASON."""
        from primad.track.services import timing
        from primad.track.things import span_numbered

        with self.speaking():
            found = span_numbered(self.attempt(number), span)
            timing.correct_span(found, started_at=started_at, ended_at=ended_at, remark=reason)

    def keep_transcript(self, number: int, data: bytes) -> None:
        """Keep DATA, what a terminal printed, as the transcript of an attempt that was made by hand."""
        from primad.track.services import attempting

        with self.speaking():
            attempting.keep_transcript(self.folder, self.attempt(number), data)

    def remark(self, number: int, text: str) -> None:
        """Add TEXT to the notes on an attempt."""
        from primad.track.services import attempting

        with self.speaking():
            attempting.remark(self.attempt(number), text)

    def ask(self, number: int, text: str, at: datetime | None = None) -> QuestionFacts:
        """Write down what the authors were asked, now or AT a time."""
        from primad.track.queries import question_facts
        from primad.track.services import asking

        with self.speaking():
            return question_facts(asking.ask(self.attempt(number), text, at))

    def answer(self, number: int, text: str, at: datetime | None = None, *, question: int = 0) -> QuestionFacts:
        """Write down what the authors answer to the QUESTION with this key, or to the oldest open one, at a time."""
        from primad.track.naming import attempt_numbered
        from primad.track.queries import question_facts
        from primad.track.services import asking

        with self.speaking() as track:
            asked = attempt_numbered(track, number, self.sight.attempts_asking())
            return question_facts(asking.answer(asked, text, at, key=question))

    def replay(
        self,
        number: int,
        wish: Wish,
        show: Callable[[str], None] = lambda _line: None,
    ) -> models.Attempt:
        """Run the system of an attempt as WISH says, keep everything, judge the output, and return the attempt."""
        from primad.track.replays import replaying
        from primad.track.services import judging

        with self.speaking():
            done = replaying.replay(self.folder, self.attempt(number), wish, show)
            if done.state == "succeeded":
                judging.judge_attempt(self.folder, done)
            return self.attempt(number)

    def again(self, number: int, data_set: str = "") -> models.Attempt:
        """Return a new attempt that repeats an old one, on the same or another DATA_SET."""
        from primad.track.services import attempting

        with self.speaking():
            old = self.attempt(number)
            return attempting.repeat(old, self._data_set(old.submission.task, data_set))
