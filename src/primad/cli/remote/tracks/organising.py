"""What do organisers and teams do with a track on a site?

Organising   phases, tasks, data sets and people; submissions and systems
Taken        a submission that was taken
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from primad.cli.remote.tracks.asking import Asking, plain
from primad.errors import UsageError

if TYPE_CHECKING:
    from primad.replay.preflight import Missing
    from primad.reports.track.answers import AnalystFacts, DataSetFacts, MachineFacts, TaskFacts, TeamFacts
    from primad.track.outputs import NewOutput

Given = str | os.PathLike[str] | Mapping[str, bytes]


@dataclass(frozen=True)
class Taken:
    """A submission that was taken, TEAM/NAME; REMARKS are sentences for its team, MISSING what analysts will miss."""

    submission: str
    remarks: tuple[str, ...] = ()
    missing: tuple[Missing, ...] = ()


@dataclass(frozen=True)
class Version:
    """A VERSION of the questions of a sheet."""

    version: int


@dataclass(frozen=True)
class _Moved:
    """What is left undone when a track moved on."""

    remarks: tuple[str, ...] = field(default=())


class Organising(Asking):
    """A track of a site as organisers and teams use it."""

    def move_to(self, phase: str, reason: str = "") -> tuple[str, ...]:
        """Bring the track into PHASE, and return what is left undone."""
        moved: _Moved = self.send(_Moved, "POST", "phase", phase=phase, reason=reason)
        return moved.remarks

    def change(self, **facts: Any) -> None:
        """Change title, about, source, dates, budget or blind."""
        self.send(None, "PATCH", **facts)

    def set_sheet(self, content: Mapping[str, Any]) -> Version:
        """Set a new version of the sheet."""
        made: Version = self.send(Version, "POST", "sheet", content=content)
        return made

    def set_task(self, slug: str, *, original_files: Given | None = None, **facts: Any) -> TaskFacts:
        """Return the task SLUG, new or changed."""
        from primad.cli.remote.packing import packed
        from primad.metadata.profile import BUILT_IN
        from primad.reports.track.answers import TaskFacts

        if facts.get("profile") and facts["profile"] not in BUILT_IN:
            raise UsageError(f"on a site a profile is one of {', '.join(BUILT_IN)}, found '{facts['profile']:.60}'")
        trees = {name: json.dumps(facts.pop(name)) for name in ("settings", "limits", "original") if facts.get(name)}
        files, is_packed = packed("original_files", original_files)
        fields = facts | trees | {"packed": is_packed}
        made: TaskFacts = self.upload(TaskFacts, "tasks", slug, files=files, fields=fields)
        return made

    def set_data_set(
        self,
        task: str,
        slug: str,
        *,
        inputs: Given | None = None,
        gold: Given | None = None,
        about: str = "",
        public: bool = False,
    ) -> DataSetFacts:
        """Return the data set SLUG of TASK, its INPUTS and GOLD from files or folders."""
        from primad.cli.remote.packing import packed
        from primad.reports.track.answers import TaskFacts

        seen, inputs_packed = packed("inputs", inputs)
        hidden, gold_packed = packed("gold", gold)
        fields = {"about": about, "public": public, "inputs_packed": inputs_packed, "gold_packed": gold_packed}
        path = ("tasks", task, "data-sets", slug)
        made: TaskFacts = self.upload(TaskFacts, *path, files=[*seen, *hidden], fields=fields)
        return next(one for one in made.data_sets if one.slug == slug)

    def set_team(self, slug: str, **facts: Any) -> TeamFacts:
        """Return the team SLUG, new or changed."""
        from primad.reports.track.answers import TeamFacts

        made: TeamFacts = self.send(TeamFacts, "PUT", "teams", slug, **facts)
        return made

    def set_analyst(self, slug: str, **facts: Any) -> AnalystFacts:
        """Return the analyst SLUG, new or changed."""
        from primad.reports.track.answers import AnalystFacts

        made: AnalystFacts = self.send(AnalystFacts, "PUT", "analysts", slug, **facts)
        return made

    def set_machine(self, analyst: str, slug: str, *, facts: Mapping[str, str] | None = None) -> MachineFacts:
        """Return the machine SLUG of ANALYST; without FACTS it is this one, captured."""
        from primad.metadata.capture import capture_platform
        from primad.reports.track.answers import MachineFacts

        told: dict[str, Any] = {"facts": facts} if facts else {"record": capture_platform()}
        made: MachineFacts = self.send(MachineFacts, "PUT", "analysts", analyst, "machines", slug, **told)
        return made

    def submit(
        self, team: str, slug: str, outputs: Sequence[NewOutput], *, task: str = "", title: str = "", about: str = ""
    ) -> Taken:
        """Hand the submission SLUG of TEAM over, with its OUTPUTS."""
        from primad.cli.remote.packing import packed_in_order

        described = [vars(one) | {"files": list(one.files)} for one in outputs]
        files, is_packed = packed_in_order("files", [data for one in outputs for data in one.files.values()])
        fields = {"team": team, "name": slug, "task": task, "title": title, "about": about}
        fields |= {"outputs": json.dumps(plain(described)), "packed": "true" if is_packed else ""}
        return self._taken("submissions", files=files, fields=fields)

    def submit_bundle(self, address: str, bundle: str | os.PathLike[str]) -> Taken:
        """Hand the file BUNDLE over as the system of the submission with this ADDRESS."""
        from primad.cli.remote.sending import content_of

        return self._taken(*self.path_of(address), "bundle", files=[("bundle", *content_of(bundle))], fields={})

    def _taken(self, *path: str, files: list[tuple[str, str, bytes]], fields: Mapping[str, Any]) -> Taken:
        """Send FILES and FIELDS to PATH, and return what was taken."""
        from primad.replay.preflight import Missing

        found = self.upload(dict[str, Any], *path, files=files, fields=fields)
        missing = tuple(Missing(**one) for one in found["missing"])
        return Taken(found["submission"], tuple(found["remarks"]), missing)

    def submit_remote(self, address: str, instructions: str, **facts: str) -> None:
        """Hand remote access over as the system of the submission with this ADDRESS; FACTS may have a secret."""
        self.send(None, "POST", *self.path_of(address), "remote", instructions=instructions, **facts)

    def decide(self, address: str, *, eligible: bool, reason: str) -> None:
        """Write down whether the submission with this ADDRESS is ELIGIBLE, and why."""
        self.send(None, "POST", *self.path_of(address), "decision", eligible=eligible, reason=reason)

    def withdraw(self, address: str, reason: str) -> None:
        """Take the submission with this ADDRESS out of the track."""
        self.send(None, "POST", *self.path_of(address), "withdrawal", reason=reason)
