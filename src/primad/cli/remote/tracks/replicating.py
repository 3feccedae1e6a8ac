"""What do analysts do with a track on a site?

Replicating   assignments, attempts and replays
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from primad.cli.remote.tracks.asking import Asking, plain

if TYPE_CHECKING:
    from primad.reports.track.answers import AttemptFacts, AttemptRow, QuestionFacts, VerdictFacts
    from primad.track.matrix import Matrix
    from primad.track.replays.wish import Wish

Given = str | os.PathLike[str] | Mapping[str, bytes]


class Replicating(Asking):
    """A track of a site as analysts use it."""

    def assign_all(self, per_submission: int | None = None) -> Matrix:
        """Assign analysts to all eligible submissions."""
        from primad.track.matrix import Matrix

        made: Matrix = self.send(Matrix, "POST", "assignments", "matrix", per_submission=per_submission)
        return made

    def assign(self, analyst: str, address: str, machine: str = "", remark: str = "") -> None:
        """Assign ANALYST to the submission with this ADDRESS by hand."""
        told = {"analyst": analyst, "submission": address, "machine": machine, "remark": remark}
        self.send(None, "POST", "assignments", **told)

    def unassign(self, analyst: str, address: str) -> None:
        """Take an assignment back."""
        self.site.change(None, "DELETE", "tracks", self.slug, "assignments", analyst=analyst, submission=address)

    def start(self, analyst: str, address: str, **told: Any) -> AttemptRow:
        """Return a new attempt of ANALYST at the submission with this ADDRESS; their time begins."""
        from primad.reports.track.answers import AttemptFacts

        made: AttemptFacts = self.send(AttemptFacts, "POST", "attempts", analyst=analyst, submission=address, **told)
        return made.row

    def again(self, number: int, data_set: str = "") -> AttemptRow:
        """Return a new attempt that repeats an old one, on the same or another DATA_SET."""
        from primad.reports.track.answers import AttemptFacts

        made: AttemptFacts = self.send(AttemptFacts, "POST", "attempts", number, "repetition", data_set=data_set)
        return made.row

    def resume(self, number: int, stage: str = "", at: datetime | None = None) -> None:
        """Go on with an attempt that rests."""
        self.send(None, "POST", "attempts", number, "resumption", stage=stage, at=at)

    def pause(self, number: int, at: datetime | None = None) -> None:
        """Let an attempt rest."""
        self.send(None, "POST", "attempts", number, "pause", at=at)

    def stop(
        self, number: int, outcome: str, *, output: Given | None = None, at: datetime | None = None, **told: Any
    ) -> VerdictFacts | None:
        """End an attempt, and return the verdict."""
        from primad.cli.remote.packing import packed
        from primad.reports.track.answers import VerdictFacts

        files, is_packed = packed("output", output)
        fields = plain(told | {"outcome": outcome, "at": at, "packed": is_packed})
        found: VerdictFacts | None = self.upload(
            VerdictFacts | None, "attempts", number, "end", files=files, fields=fields
        )
        return found

    def correct(self, number: int, span: int, **told: Any) -> None:
        """Give the SPAN of human time of an attempt other times."""
        self.send(None, "POST", "attempts", number, "corrections", span=span, **told)

    def remark(self, number: int, text: str) -> None:
        """Add TEXT to the notes on an attempt."""
        self.send(None, "POST", "attempts", number, "remarks", text=text)

    def ask(self, number: int, text: str, at: datetime | None = None) -> QuestionFacts:
        """Write down what the authors were asked."""
        from primad.reports.track.answers import QuestionFacts

        made: QuestionFacts = self.send(QuestionFacts, "POST", "attempts", number, "questions", text=text, at=at)
        return made

    def answer(self, number: int, text: str, at: datetime | None = None) -> QuestionFacts:
        """Write down what the authors answer to the oldest open question."""
        from primad.reports.track.answers import QuestionFacts

        made: QuestionFacts = self.send(QuestionFacts, "POST", "attempts", number, "answers", text=text, at=at)
        return made

    def replay(self, number: int, wish: Wish, show: Callable[[str], None] = lambda _line: None) -> None:
        """Run the system of an attempt on this machine as WISH says, and hand in what comes of it."""
        from primad.cli.remote.replaying import replay

        replay(self.site, self.slug, number, wish, show)
