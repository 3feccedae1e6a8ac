"""What happens when a system is run again?  Its prerequisites are looked at, it is installed, it is run.

    replay          run a system that was unpacked into a workspace
    read_replayed   what a replay left whose process is gone
    end_leftovers   the end of processes that such a replay left
    as_json         a replay as plain values
    replayed_of     the same, read again

A workspace has ``system`` (the bundle, unpacked), ``output``, ``transcript.txt`` and ``steps.jsonl``, and folders that
commands use meanwhile.  Steps go one at a time, and the first that fails is the last.  A replay that was killed can be
resumed behind the last step that installed something; a run begins anew, with nothing in ``output``.  No step before
the run sees the data set or the output: one that installs may have a network.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from primad.errors import FileError, UsageError, WorkError
from primad.metadata.secrets import redact
from primad.replay.collecting import collect
from primad.replay.data_set import readable, without_data
from primad.replay.journal import Journal
from primad.replay.limits import Spent
from primad.replay.manifest import is_among
from primad.replay.prerequisites import look
from primad.replay.recorded import as_json, replayed_of
from primad.replay.result import Replayed, Rung, Stage
from primad.replay.sandbox.box import box_in
from primad.replay.sandbox.container import ENGINES, Container
from primad.replay.sandbox.groups import left_by
from primad.replay.sandbox.processes import Crew
from primad.replay.sandbox.trees import emptied
from primad.replay.steps import ending_of, new_token, run_step
from primad.replay.transcript import Transcript, brief, harmless, tail_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from primad.replay.manifest import Manifest
    from primad.replay.result import Limits, Produced, Step
    from primad.replay.sandbox.box import Box
    from primad.replay.sandbox.holder import Enclosure

__all__ = ["JOURNAL", "TRANSCRIPT", "as_json", "end_leftovers", "read_replayed", "replay", "replayed_of"]

TRANSCRIPT = "transcript.txt"
JOURNAL = "steps.jsonl"

_SECONDS_TO_LOOK = 60.0  # for what is there, each
_LINES_LEFT = 5
_WITH_A_NETWORK = "steps that install had a network, and with it could reach services of this machine itself"


def replay(
    workspace: Path,
    manifest: Manifest,
    *,
    inputs: Path,
    configuration: str,
    sandbox: Enclosure,
    limits: Limits,
    network_to_install: bool = False,
    show: Callable[[str], None],
    resume: bool = False,
    extra: Sequence[Path] = (),
) -> Replayed:
    """Run the system in WORKSPACE as its MANIFEST says, by one CONFIGURATION on the folder INPUTS, held by SANDBOX.

    SHOW gets each line as it comes.  EXTRA are folders with programs outside /usr that commands may use.
    """
    if configuration not in manifest.configurations:
        known = ", ".join(manifest.configurations) or "none"
        raise UsageError(f"'{manifest.name}' has no configuration '{configuration}'; it has: {known}")
    if not (workspace / "system").is_dir():
        raise FileError(str(workspace), "expected a folder 'system' with the unpacked bundle, found none")
    if resume:
        end_leftovers(workspace)
    journal = Journal(workspace / JOURNAL)
    past = journal.past() if resume else None
    kept = past.installed(tuple(map(redact, manifest.install))) if past else ()
    box = box_in(workspace, readable(inputs, workspace), tuple(extra))
    aside = without_data(box, workspace)
    emptied([box.output, box.tmp, *([] if kept else [box.home])])
    for one in (box, aside):
        sandbox.holder.admit(one)
    with Transcript(workspace / TRANSCRIPT) as transcript:
        spent = Spent(seconds=sum(step.wall for step in kept))
        run = _Replay(manifest, box, aside, sandbox, limits, show, transcript, journal, list(kept), spent)
        journal.begin(sandbox.sandbox, kept)
        replayed = run.result(configuration, network=network_to_install)
        journal.end(replayed)
        transcript.note(replayed.reason if not replayed.succeeded else "the replay succeeded")
    return replayed


class _Failed(Exception):
    """A system that got no further than STAGE, and why."""

    def __init__(self, stage: Stage, reason: str) -> None:
        """Say so."""
        self.stage = stage
        self.reason = reason
        super().__init__(reason)


@dataclass
class _Replay:
    """A replay on its way; STEPS are those that were done, ASIDE is the box of those before the run."""

    manifest: Manifest
    box: Box
    aside: Box
    sandbox: Enclosure
    limits: Limits
    show: Callable[[str], None]
    transcript: Transcript
    journal: Journal
    steps: list[Step]
    spent: Spent
    remarks: list[str] = field(default_factory=list)
    last_line: str = ""

    def result(self, configuration: str, *, network: bool) -> Replayed:
        """Do everything, and return what came of it."""
        installed = len(self.steps)
        try:
            self._look_at_prerequisites()
            self._install(self.manifest.install, behind=installed, network=network)
            self._run(self.manifest.configurations[configuration].run)
        except _Failed as failure:
            output, noticed = self._collected()
            return self._replayed(output, noticed, stage=failure.stage, reason=failure.reason)
        output, noticed = self._collected()
        missing = self._missing([produced.path for produced in output])
        return self._replayed(output, noticed, stage=Stage.OUTPUT if missing else None, reason=missing)

    def _collected(self) -> tuple[tuple[Produced, ...], tuple[str, ...]]:
        """Return what the run left; it may have shut the folder up."""
        self.box.output.chmod(0o755)
        return collect(self.box.output, self.limits)

    def _replayed(
        self, output: tuple[Produced, ...], noticed: tuple[str, ...], *, stage: Stage | None, reason: str
    ) -> Replayed:
        """Return the result."""
        remarks = (*self.remarks, *noticed)
        return Replayed(self.sandbox.sandbox, tuple(self.steps), output, stage is None, stage, reason, remarks)

    def _look_at_prerequisites(self) -> None:
        """Look for what the system needs; what is absent ends the replay, another version does not."""
        for found in look(self.manifest, self._looked):
            sentence = harmless(found.sentence)
            if not found.present:
                self.show(sentence)  # the transcript has it as the reason
                raise _Failed(Stage.PREREQUISITES, sentence)
            self._say(sentence)
            if found.satisfied is False:
                self.remarks.append(sentence)

    def _looked(self, command: str) -> tuple[int, str]:
        """Run a COMMAND that looks for something, and return its status and what it said."""
        said: list[str] = []
        limits = replace(self.limits, seconds=min(self.spent.seconds + _SECONDS_TO_LOOK, self.limits.seconds))
        step = self._step(command, Stage.PREREQUISITES, self.aside, limits, show=said.append)
        return step.status, "\n".join(said)

    def _install(self, commands: Sequence[str], *, behind: int, network: bool) -> None:
        """Install the system BEHIND the commands that were done before; it can write to its own folder meanwhile."""
        if behind:
            self._say(f"{behind} of {len(commands)} steps to install were done before")
        if network and behind < len(commands):
            self.remarks.append(_WITH_A_NETWORK)
        box = replace(self.aside, system_writable=True)
        for number, command in enumerate(commands, 1):
            if number > behind:
                step = self._shown_step(command, Stage.INSTALL, box, network=network)
                self._insist(step, number, len(commands))

    def _run(self, commands: Sequence[str]) -> None:
        """Run the system, without a network, from an output with nothing in it."""
        emptied([self.aside.output, self.box.output])
        for number, command in enumerate(commands, 1):
            step = self._shown_step(command, Stage.RUN, self.box)
            self._insist(step, number, len(commands))

    def _shown_step(self, command: str, stage: Stage, box: Box, *, network: bool = False) -> Step:
        """Run one COMMAND, and show that it starts and how it went."""
        self.show(f"[{stage}] {brief(redact(command))}")
        step = self._step(command, stage, box, self.limits, network=network)
        memory = f", {step.peak_memory / 1e6:.1f} MB of memory" if step.peak_memory else ""
        self.show(f"[{stage}] {ending_of(step)}{memory}")
        return step

    def _step(
        self,
        command: str,
        stage: Stage,
        box: Box,
        limits: Limits,
        *,
        network: bool = False,
        show: Callable[[str], None] | None = None,
    ) -> Step:
        """Run one COMMAND, and write down that it starts and how it went."""
        self.last_line = ""
        token = new_token()
        self.journal.start(stage, redact(command), token)
        step = run_step(
            self.sandbox,
            box,
            command,
            stage,
            limits,
            network=network,
            show=show or self._show,
            transcript=self.transcript,
            spent=self.spent,
            token=token,
        )
        self.journal.finish(step)
        self.steps.append(step)
        emptied([box.tmp])
        return step

    def _insist(self, step: Step, number: int, of: int) -> None:
        """End the replay if STEP failed."""
        if step.remark:
            self.remarks.append(f"{step.stage} step {number}: {step.remark}")
        if not step.succeeded:
            said = f"; it last said: {brief(self.last_line)}" if self.last_line else ""
            which = f"{step.stage} step {number} of {of}"
            raise _Failed(step.stage, f"{which} ({brief(step.command)}) {ending_of(step, timed=False)}{said}")

    def _missing(self, paths: Sequence[str]) -> str:
        """Return what is wrong with the output, given the PATHS in it; empty if nothing is."""
        absent = [
            name
            for name in self.manifest.output
            if not is_among(name, paths) and not any(fnmatchcase(path, name) for path in paths)
        ]
        if absent:
            return f"the run left no {', '.join(absent)} in $outputDir"
        return "" if paths else "the run left no file in $outputDir"

    def _show(self, line: str) -> None:
        """Show a line of a step, and remember it."""
        if line.strip():
            self.last_line = line.strip()
        self.show(line)

    def _say(self, text: str) -> None:
        """Show a line of our own."""
        self.transcript.note(text)
        self.show(text)


def read_replayed(workspace: Path) -> Replayed:
    """Return what the last replay in WORKSPACE left: its result, or how far it got before its process was gone."""
    past = Journal(workspace / JOURNAL).past()
    if past is None:
        raise FileError(str(workspace / JOURNAL), "expected the steps of a replay, found none")
    if past.ended:
        return past.ended
    at = f"in the {past.stage} step ({brief(past.command)})" if past.stage else "between two steps"
    return Replayed(
        sandbox=past.sandbox,
        steps=tuple(past.steps),
        output=(),
        succeeded=False,
        stage=past.stage or (past.steps[-1].stage if past.steps else Stage.PREREQUISITES),
        reason=f"the replay was cut off {at}: its process is gone; it can be resumed",
        remarks=tuple(f"transcript: {line}" for line in tail_of(workspace / TRANSCRIPT, _LINES_LEFT)),
    )


def end_leftovers(workspace: Path) -> int:
    """End the processes of the step that the last replay in WORKSPACE was at, and return how many there were.

    To be called only when the process of that replay is gone: on the plain rung its steps may run on.
    """
    past = Journal(workspace / JOURNAL).past()
    if past is None or past.ended or not past.token:
        return 0
    if past.sandbox.rung is Rung.CONTAINER and past.sandbox.engine in ENGINES:
        Container(past.sandbox.engine, "").end(past.token)
    crew = Crew(0, past.token, loose=True, group=left_by(past.token))
    found = crew.marked()
    left = crew.end()
    if left:
        numbers = ", ".join(map(str, sorted(left)))
        raise WorkError(f"processes of a replay whose own is gone could not be ended: {numbers}; end them by hand")
    return len(found)
