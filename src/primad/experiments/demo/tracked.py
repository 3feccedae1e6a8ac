"""The last section of the demonstration: what becomes of systems when others run them again?

    track      a replication track for ICD-10 coding, carried out, and what was found
    told       what was found in one that was carried out
    Findings   what its report says, in sentences and tables
    held_by    what has held the systems

The line of the section says what the same seed gives again.  One of the systems draws lots without a seed: what depends
on it is on the page only, which says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from primad import Link, Section, Table
from primad.experiments.coding.story import ELSEWHERE, PLAYED, SIZE, TEST, TRACK, Played, play
from primad.experiments.demo.state import Shown, State
from primad.experiments.demo.words import extent

REPORT = "replication"

_SIZE_IN_QUICK = 300
_SAME = "identical bytes"
_ROLES = ("user", "developer")
_LOWEST = 2  # questions that the line names


def track(state: State) -> Shown:
    """Carry out a replication track, and say which results came back."""
    size = _SIZE_IN_QUICK if state.asked.quick else SIZE
    return told(play(state.folder, state.asked.seed, size, state.watch), state.folder)


def told(played: Played, folder: Path) -> Shown:
    """Return what was found in a track that was PLAYED; FOLDER gets its report."""
    played.track.write_report(folder / REPORT)
    found = Findings(played)
    played.track.close()
    line = found.line()
    section = Section(
        title="Replication track",
        text=[line, *found.varying(), held_by(found.rungs), PLAYED],
        tables=[found.systems(), found.data_sets()],
        links=[Link(path=f"{REPORT}/report.html", text="the whole report")],
        command=f"primad track show --archive {TRACK}",
    )
    return Shown(section, line, found.headline())


class Findings:
    """What the report of a track that was PLAYED says, by the address of each system."""

    def __init__(self, played: Played) -> None:
        self.report = played.track.report()
        self.gaps = {address: len(gaps.gaps) for address, gaps in played.gaps.items()}
        self.titles = {one.submission: one.title for one in self.report.systems}
        self.verdicts = {one.attempt: one for one in self.report.verdicts}
        self.rungs = sorted({one.rung for one in self.report.attempts})

    def headline(self) -> str:
        """Return how many systems gave the submitted output again, and what became of each."""
        same = [address for address in self.titles if self._came_back(address)]
        what = "; ".join(self._became(address) for address in [*same, *(one for one in self.titles if one not in same)])
        return (
            f"{len(same) or 'None'} of {len(self.titles)} submitted systems gave the submitted output again, byte for "
            f"byte, when others ran them: {what}."
        )

    def line(self) -> str:
        """Return who ran the systems, and what they were least content with."""
        return (
            f"Two analysts, both simulated, ran {len(self.titles)} submitted systems for ICD-10 coding again; the "
            f"lowest scores in the sheets they fill in are those of {' and '.join(self._lowest())}."
        )

    def _came_back(self, address: str) -> bool:
        """Tell whether any attempt gave the submitted output of the system with this ADDRESS."""
        return any(one.agreement == _SAME for one in self.report.verdicts if one.submission == address)

    def _became(self, address: str) -> str:
        """Return what became of the system with this ADDRESS."""
        title = self.titles[address]
        attempts = sum(one.submission == address for one in self.report.verdicts)
        if not attempts:
            return f"{title} failed {' and '.join(dict.fromkeys(self._failures(address)))}"
        if not self._came_back(address):
            return f"{title} gave another output in each of {attempts} attempts"
        failed = [role for role in _ROLES if not self._got(address, role)]
        without = f", but not for the {' and the '.join(failed)}" if failed else ""
        later = ", once its authors had repaired it" if any(self._failures(address)) else ""
        return f"{title} did{later}{without}"

    def _failures(self, address: str) -> Iterator[str]:
        """Yield where the attempts at a system failed, and why."""
        for one in self.report.attempts:
            if one.submission == address and one.state == "failed":
                yield f"at its {one.stage} ({one.reason})"

    def _got(self, address: str, role: str) -> bool:
        """Tell whether an analyst in ROLE got results."""
        return any(
            one.state == "succeeded" and one.role == role for one in self.report.attempts if one.submission == address
        )

    def _lowest(self) -> list[str]:
        """Return the questions with the lowest scores."""
        scored = [(one.score.share, one) for one in self.report.questions if one.score.share is not None]
        rows = sorted(scored, key=lambda pair: pair[0])[:_LOWEST]
        return [f"question {one.key[1:]} ({one.short.rstrip('?').lower()}: {100 * share:.0f} %)" for share, one in rows]

    def varying(self) -> list[str]:
        """Return what nobody gets again, of systems whose output was another one each time."""
        return [
            self._scatter(address, title)
            for address, title in self.titles.items()
            if any(one.agreement != _SAME for one in self.report.verdicts if one.submission == address)
        ]

    def _scatter(self, address: str, title: str) -> str:
        """Return by how much the scores of the system TITLE differ."""
        judged = [one for one in self.report.verdicts if one.submission == address]
        (precision,) = (one for one in self.report.precision if (one.submission, one.data_set) == (address, TEST))
        differences = [one.difference for one in judged if one.difference is not None]
        chances = [one.p for one in judged if one.p is not None]
        return (
            f"{title} draws lots without a seed, so its numbers here are others in the next demonstration: its F1 "
            f"differs from the submitted one by {extent(differences, '{:+.4f}')} (p of {extent(chances, '{:.2f}')} by "
            f"approximate randomisation), and over the submitted output and {precision.n - 1} attempts its CV* is "
            f"{_percent(precision.cv_star)}."
        )

    def systems(self) -> Table:
        """Return each system with what became of it in the hands of each analyst."""
        rows = [
            (title, str(self.gaps[address]), *(self._ended(address, role) for role in _ROLES), self._cv(address))
            for address, title in self.titles.items()
        ]
        head = ("System", "missing in its documentation", *(f"for the {role}" for role in _ROLES), "CV*")
        caption = "Systems, what a preflight finds missing in their bundles, and how attempts of each analyst ended."
        return Table(head=head, rows=rows, caption=caption)

    def _ended(self, address: str, role: str) -> str:
        """Return how the attempts of an analyst in ROLE ended, one after the other."""
        own = [one for one in self.report.attempts if (one.submission, one.role, one.repeats) == (address, role, None)]
        return ", then ".join(
            self.verdicts[one.number].agreement if one.number in self.verdicts else f"{one.state} at {one.stage}"
            for one in own
        )

    def _cv(self, address: str) -> str:
        """Return the CV* of a system on the test texts."""
        found = [one.cv_star for one in self.report.precision if (one.submission, one.data_set) == (address, TEST)]
        return _percent(found[0]) if found else ""

    def data_sets(self) -> Table:
        """Return the F1 of each system on each data set."""
        cells = {(one.submission, one.data_set): one for one in self.report.cells}
        rows = []
        for address, title in self.titles.items():
            test, other = cells.get((address, TEST)), cells.get((address, ELSEWHERE))
            values = (test and test.submitted, test and test.replicated, other and other.replicated)
            rows.append((title, *("" if value is None else f"{value:.4f}" for value in values)))
        head = ("System", "as submitted", "last attempt", "on other texts")
        caption = "F1 on the texts of the task, and on texts written in more of a hurry, which only analysts had."
        return Table(head=head, rows=rows, caption=caption)


def held_by(rungs: Sequence[str]) -> str:
    """Return what has held the systems while they ran: RUNGS of the ladder of sandboxes."""
    if "plain" in rungs:
        return (
            "This machine has no sandbox, so the systems, which are our own, were trusted and run as they are; the "
            "record of each attempt says so."
        )
    return f"Every system was run in a sandbox without a network ({', '.join(rungs)})."


def _percent(value: float | None) -> str:
    """Return VALUE, which is in percent."""
    return "unknown" if value is None else f"{value:.2f} %"
