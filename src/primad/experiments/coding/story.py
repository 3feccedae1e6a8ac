"""How does the whole track go, from the texts to the last repeated attempt?

    play       carry it out in a folder
    Played     the track, and what was found missing in the documentation of each system
    TRACK      the data folder of the track, below that folder: that of the archive, so that one site shows both
    BUNDLES    the folder with the systems as they were submitted

One program plays organisers, teams and analysts.  Texts, systems, outputs, sandbox, scores and verdicts are real.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from primad import NewOutput, Track, Wish
from primad.experiments.coding.analysts import PROFILES, RULE, STAGES, Gaps, Profile, Try, answers, minutes
from primad.experiments.coding.noise import CAREFUL, HURRIED
from primad.experiments.coding.teams import OUTPUT, SYSTEMS, System, at_home, files_of, pack, repaired
from primad.experiments.coding.texts import CODES, TEXTS, DataSet, make
from primad.experiments.watching import Watch, unwatched

TRACK, DATA, BUNDLES = "archive", "coding", "coding/bundles"
SIZE = 600
TASK, TRAINING, TEST, ELSEWHERE = "coding", "train", "test", "letters"
PLAYED = (
    "One program plays everybody here: organisers, teams, authors and analysts. The texts are made up from "
    "descriptions of ICD-10. The systems, what they give, the sandbox, scores and verdicts are real; answers in the "
    "sheets follow by rule from what happened; human times are simulated."
)

_NOISE = {TRAINING: CAREFUL, TEST: CAREFUL, ELSEWHERE: HURRIED}
_ABOUT = {
    TRAINING: "Texts to learn from, with their codes.",
    TEST: "Texts by people with some time, as those to learn from.",
    ELSEWHERE: "Texts by people in a hurry: more abbreviations and slips.",
}
_WORKING_DAY = timedelta(hours=8)
_LIMITS = {"seconds": 120, "memory": 1 << 30, "processes": 64, "disk": 100 << 20, "log": 1 << 20, "output": 10 << 20}
_DRAWS_LOTS, _TIMES_AGAIN = "dice/lots", 3
# The systems are our own, so where a machine has no sandbox they are trusted; what was used is in the record.
_WISH = Wish(trust=True)


@dataclass(frozen=True)
class Played:
    """A TRACK that was carried out, and what a preflight found missing in the documentation of each system (GAPS)."""

    track: Track
    gaps: Mapping[str, Gaps]


def play(folder: Path, seed: int, size: int = SIZE, watch: Watch = unwatched) -> Played:
    """Carry out the track of SEED in FOLDER, on data sets with so many texts; WATCH sees the systems being run."""
    data = {name: make(name, seed, noise, size) for name, noise in _NOISE.items()}
    track = Track.init(
        folder / TRACK, "icd10-coding", "ICD-10 coding of short diagnosis texts", about=f"{PLAYED} {RULE}"
    )
    _set_up(track, folder / DATA, data)
    platform = _enlist(track)
    bundles = {system.address: files_of(system, data[TRAINING]) for system in SYSTEMS}
    gaps = _submit(track, folder / BUNDLES, bundles, data[TEST], platform)
    _assign(track)
    replicated: dict[str, int] = {}
    for profile in PROFILES:
        replicated |= _Work(track, profile, gaps, bundles, folder / BUNDLES).do_everything(watch)
    for phase in ("adjudication", "published"):
        track.move_to(phase)
    _repeat(track, replicated, watch)
    return Played(track, gaps)


def _set_up(track: Track, folder: Path, data: Mapping[str, DataSet]) -> None:
    """Describe the task and its DATA sets; FOLDER gets what everybody may see."""
    track.set_task(
        TASK, title="ICD-10 coding", about="Give each text its codes.", scorer="coding", limits=_LIMITS, settings={}
    )
    for name, one in data.items():
        (folder / name).mkdir(parents=True)
        inputs = folder / name / TEXTS
        inputs.write_bytes(one.inputs)
        with TemporaryDirectory(prefix="primad-") as hidden:
            gold = Path(hidden) / CODES
            gold.write_bytes(one.gold)
            is_public = name == TRAINING
            track.set_data_set(TASK, name, inputs=inputs, gold=gold, about=_ABOUT[name], public=is_public)
        if is_public:
            (folder / name / CODES).write_bytes(one.gold)


def _enlist(track: Track) -> Mapping[str, Any]:
    """Enlist teams and analysts, and return what is known of the machine that they share."""
    for system in SYSTEMS:
        track.set_team(system.team, title=system.team_title, contact=f"{system.team}@example.org")
    machines = []
    for who in PROFILES:
        track.set_analyst(who.slug, role=who.role, title=who.title, background=who.background)
        machines.append(track.set_machine(who.slug, "this-machine"))
    return machines[0].record


def _submit(
    track: Track,
    folder: Path,
    bundles: Mapping[str, Mapping[str, bytes]],
    data_set: DataSet,
    platform: Mapping[str, Any],
) -> dict[str, Gaps]:
    """Let each team submit its output on DATA_SET, made on this PLATFORM, and its bundle; return what is missing."""
    track.move_to("results")
    for system in SYSTEMS:
        files = {OUTPUT: at_home(system, bundles[system.address], data_set)}
        output = NewOutput(files, data_set=data_set.name, record={"platform": platform})
        track.submit(system.team, system.slug, [output], title=system.title)
    track.move_to("systems")
    folder.mkdir()
    return {system.address: _hand_in(track, folder, system, bundles[system.address]) for system in SYSTEMS}


def _hand_in(track: Track, folder: Path, system: System, files: Mapping[str, bytes], version: int = 1) -> Gaps:
    """Submit FILES as a VERSION of SYSTEM, and return what analysts will miss in it."""
    bundle = folder / f"{system.slug}-{version}.tar.gz"
    bundle.write_bytes(pack(files))
    taken = track.submit_bundle(system.address, bundle)
    return Gaps([(one.question, one.what, one.how) for one in taken.missing])


def _assign(track: Track) -> None:
    """Let each analyst have each system."""
    track.move_to("assignment")
    for system in SYSTEMS:
        track.decide(system.address, eligible=True, reason="an output and a system were submitted in time")
    track.assign_all(per_submission=len(PROFILES))
    track.move_to("replication")


@dataclass
class _Work:
    """What one analyst does; the CLOCK is that of the simulated human time, of which one working day is over now."""

    track: Track
    profile: Profile
    gaps: Mapping[str, Gaps]
    bundles: Mapping[str, Mapping[str, bytes]]
    folder: Path
    clock: datetime = field(default_factory=lambda: datetime.now(UTC) - _WORKING_DAY)

    def do_everything(self, watch: Watch) -> dict[str, int]:
        """Run each system, again after a repair, fill in the sheets, and return the attempts that succeeded."""
        succeeded: dict[str, int] = {}
        for system in watch(SYSTEMS, len(SYSTEMS), f"systems run by {self.profile.title}"):
            tries = [self._try(system)]
            if not tries[-1].succeeded and self.profile.asks and system.repairs:
                self._wait_for_repair(system, tries[-1])
                tries.append(self._try(system, again=True))
            given = answers(self.profile, self.gaps[system.address], tries)
            self.track.fill(self.profile.slug, system.address, given, lock=True)
            if tries[-1].succeeded:
                succeeded[system.address] = tries[-1].number
        return succeeded

    def _try(self, system: System, *, again: bool = False) -> Try:
        """Return how an attempt at SYSTEM ended, the first one or one AGAIN after a repair."""
        attempt = self.track.start(self.profile.slug, system.address, data_set=TEST, at=self.clock)
        number = attempt.number
        self.track.remark(number, "Human times of this attempt are simulated.")
        needs = attempt.system.manifest.get("prerequisites", []) if attempt.system else []
        self._work(number, self.gaps[system.address], lacks=not all(map(_is_here, needs)), again=again)
        done = self.track.replay(number, _WISH)
        ended = Try(number, done.state == "succeeded", done.stage, done.reason)
        if not ended.succeeded and self.profile.asks:
            self.track.ask(number, f"It fails at the stage {ended.stage}: {ended.reason}. What can we do?")
            self.track.answer(number, system.reply)
        return ended

    def _work(self, number: int, gaps: Gaps, *, lacks: bool, again: bool) -> None:
        """Note the human time at each stage before a replay; who LACKS a prerequisite does not get behind the first."""
        stages = STAGES[:1] if lacks else STAGES
        for stage in stages:
            if stage != stages[0]:
                self.track.resume(number, stage, at=self.clock)
            searches = stage == stages[0] and (lacks or again)
            self.clock += timedelta(minutes=minutes(self.profile, stage, gaps, searches=searches))
            self.track.pause(number, at=self.clock)

    def _wait_for_repair(self, system: System, failure: Try) -> None:
        """Reopen the phase of systems, so that the team of SYSTEM can hand in a bundle without the FAILURE."""
        self.track.move_to("systems", f"{system.address} fails at the stage {failure.stage}, and its team repairs it")
        _hand_in(self.track, self.folder, system, repaired(self.bundles[system.address]), version=2)
        self.track.move_to("replication")


def _is_here(prerequisite: Mapping[str, str]) -> bool:
    """Tell whether this machine has the program that is a PREREQUISITE."""
    return shutil.which(prerequisite["name"]) is not None


def _repeat(track: Track, replicated: Mapping[str, int], watch: Watch) -> None:
    """Repeat attempts that succeeded (REPLICATED) on another data set, and those of the system that draws lots."""
    wanted = [(number, ELSEWHERE) for number in replicated.values()]
    if _DRAWS_LOTS in replicated:
        wanted += [(replicated[_DRAWS_LOTS], TEST)] * _TIMES_AGAIN
    for number, data_set in watch(wanted, len(wanted), "attempts repeated"):
        track.replay(track.again(number, data_set).number, _WISH)
