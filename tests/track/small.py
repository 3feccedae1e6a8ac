"""A small track for tests: five documents to be coded, two teams, two analysts."""

import io
import tarfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from primad.safe_yaml import write_yaml
from primad.track.outputs import NewOutput
from primad.track.replays.wish import Wish
from primad.track.track import Track

TEXTS = b"d1\tflu\nd2\tasthma\nd3\tcough\nd4\tfever\nd5\tpain\n"
GOLD = b"d1\tj11\nd2\tj45\nd3\tr05\nd4\tr50\nd5\tr52\n"
# Four of five are right: precision, recall and F1 are .8.
OUTPUT = b"d1\tj11\nd2\tj45\nd3\tr05\nd4\tr50\nd5\tr10\n"
# Three of five are right.
WORSE = b"d1\tj11\nd2\tj45\nd3\tr05\nd4\tr51\nd5\tr10\n"
SCRIPT = f"""
import os, pathlib, sys
texts = pathlib.Path(os.environ["inputDataset"], "texts.tsv").read_bytes()
print("coding", len(texts.splitlines()), "documents", flush=True)
pathlib.Path(os.environ["outputDir"], "output.tsv").write_bytes({OUTPUT!r})
"""
MANIFEST: dict[str, Any] = {
    "name": "dictionary",
    "version": "1.0",
    "contact": "coders@example.org",
    "operating_system": "Linux",
    "language": "python",
    "prerequisites": [{"name": "python3", "version": ">=3.8"}],
    "run": ["/usr/bin/python3 code.py"],
    "expected": {"minutes": 1, "memory": "200 MB"},
    "progress": "prints how many documents it codes",
    "output": ["output.tsv"],
}


def bundle(folder: Path, name: str = "system.tar.gz", script: str = SCRIPT, **manifest: Any) -> Path:
    """Return a bundle in FOLDER whose only configuration runs SCRIPT; what MANIFEST has as None is left out."""
    stated = {name: value for name, value in (MANIFEST | manifest).items() if value is not None}
    files = {"primad-system.yaml": write_yaml(stated).encode(), "code.py": script.encode()}
    path = folder / name
    with tarfile.open(path, "w:gz") as archive:
        for member, data in files.items():
            entry = tarfile.TarInfo(member)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path


def fill(track: Track, folder: Path) -> None:
    """Give TRACK a task, a data set, two teams and two analysts; files are written to FOLDER."""
    texts, gold = folder / "texts.tsv", folder / "gold.tsv"
    texts.write_bytes(TEXTS)
    gold.write_bytes(GOLD)
    track.set_task("coding", title="Coding", scorer="coding", settings={"primary": "f1"})
    track.set_data_set("coding", "test", inputs=texts, gold=gold)
    track.set_team("alpha", title="Team Alpha", contact="alpha@example.org")
    track.set_team("beta", title="Team Beta")
    track.set_analyst("ann", role="user", title="Ann", background="linguistics")
    track.set_analyst("dan", role="developer", title="Dan", conflicts={"beta": "a former member"})
    track.set_machine("ann", "laptop", facts={"operating_system": "Ubuntu 22.04", "memory": "8 GB"})
    track.set_machine("dan", "server", facts={"operating_system": "Debian 12", "memory": "64 GB"})


def submit(track: Track, folder: Path, team: str = "alpha", output: bytes = OUTPUT, **manifest: Any) -> str:
    """Let TEAM submit OUTPUT and a system to TRACK, which is in set-up; return the address. The phase is systems."""
    if track.row.phase == "set-up":
        track.move_to("results")
    track.submit(team, "run1", [NewOutput({"output.tsv": output})], title=f"System of {team}")
    track.submit_bundle(f"{team}/run1", bundle(folder, f"{team}.tar.gz", **manifest))
    return f"{team}/run1"


def ready(track: Track, folder: Path) -> str:
    """Bring TRACK to replication, with a submission of alpha that both analysts run; return its address."""
    fill(track, folder)
    address = submit(track, folder)
    track.move_to("assignment")
    track.assign_all(per_submission=2)
    track.move_to("replication")
    return address


def move_on(track: Track, phase: str) -> None:
    """Move TRACK, which is in replication, on to PHASE, one after another."""
    later = ("replication", "adjudication", "published")
    for one in later[1 : later.index(phase) + 1]:
        track.move_to(one)


def cut_off(track: Track, number: int, after: int = 1) -> None:
    """Replay attempt NUMBER of TRACK, and interrupt that once the system has run so many times."""
    lines: list[str] = []

    def interrupt(line: str) -> None:
        lines.append(line)
        if lines.count("coding 5 documents") == after:
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        track.replay(number, Wish(), interrupt)


def repeated(track: Track, folder: Path, phase: str) -> None:
    """Bring TRACK to PHASE, replication or later, where attempt 2 repeats the first, which failed, and is open."""
    track.stop(track.start("ann", ready(track, folder)).number, "failed", stage="run", reason="it hangs")
    move_on(track, phase)
    track.again(1)
