"""What do tests of re-created runs share?  Repositories with a small system, recorded for real."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path

from primad.metadata.paths import put
from primad.metadata.reading import read_metadata
from primad.metadata.record import Record
from primad.metadata.recording.of_command import record_command
from primad.replay.result import Limits

MB = 1 << 20
LIMITS = Limits(seconds=120, memory=400 * MB, processes=60, disk=100 * MB, log=MB, output=10 * MB, files=100)

SEARCH = """
import sys
source, target = sys.argv[1:3]
print("searching in", source, flush=True)
documents = open(source).read().split()
with open(target, "w") as run:
    for topic in (301, 302):
        for rank, document in enumerate(documents, 1):
            run.write(f"{topic} Q0 {document} {rank} {10 - rank} mine\\n")
"""
DRAWN = SEARCH.replace("import sys", "import random, sys").replace(
    ".read().split()", ".read().split()\nrandom.shuffle(documents)"
)
DOCUMENTS = "d1 d2 d3 d4 d5 d6 d7 d8\n"
QRELS = "301 0 d1 1\n301 0 d5 1\n302 0 d2 1\n"
COMMAND = (sys.executable, "search.py", "data/docs.txt", "mine.run")


def git(folder: Path, *arguments: str, given: str = "") -> str:
    """Run git in FOLDER as nobody in particular, with what it is GIVEN to read."""
    settings = ["-c", "user.name=Tester", "-c", "user.email=tester@example.org", "-c", "init.defaultBranch=main"]
    program = shutil.which("git") or "git"
    done = subprocess.run(
        [program, *settings, *arguments], cwd=folder, input=given, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def committed(folder: Path, files: Mapping[str, str]) -> str:
    """Write FILES into the repository at FOLDER, which is made where there is none, and return their commit."""
    if not (folder / ".git").exists():
        folder.mkdir(parents=True, exist_ok=True)
        git(folder, "init", "--quiet")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "add", "--", *files)
    git(folder, "commit", "--quiet", "--message", "work")
    return git(folder, "rev-parse", "HEAD")


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Work in FOLDER."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def recorded(folder: Path, command: tuple[str, ...] = COMMAND, *, trace: bool = True, run: str = "mine.run") -> Path:
    """Run COMMAND in FOLDER as ``primad exec`` does, and return the annotated run."""
    with working_in(folder):
        found = record_command(command, runs=[run], trace=trace, values={"actor.name": "Ada", "actor.team": "h2oloo"})
    assert found.execution.status == 0
    return folder / run


def system(folder: Path, search: str = SEARCH) -> Path:
    """Return the run of a small system in a new repository at FOLDER, recorded."""
    committed(folder, {"search.py": search, "data/docs.txt": DOCUMENTS})
    return recorded(folder)


def untracked(folder: Path, *, trace: bool = True) -> Path:
    """Return the run of a system in FOLDER whose documents are in no commit."""
    committed(folder, {"search.py": SEARCH})
    (folder / "data").mkdir()
    (folder / "data" / "docs.txt").write_text(DOCUMENTS)
    return recorded(folder, trace=trace)


def altered(run: Path, target: Path, **values: object) -> Path:
    """Return RUN as TARGET with other values of fields, whose names have '__' between their parts, however wrong."""
    metadata = read_metadata(run)
    tree = deepcopy(metadata.record.tree)
    for name, value in values.items():
        put(tree, tuple(name.split("__")), value)
    lines = "".join(f"# {line}\n" for line in Record(tree).to_yaml().splitlines())
    target.write_bytes(f"# ir_metadata.start\n{lines}# ir_metadata.end\n".encode() + metadata.rest)
    return target


def ranking_of(data: bytes) -> bytes:
    """Return the lines of a run in DATA that are no header."""
    return b"".join(line for line in data.splitlines(keepends=True) if not line.startswith(b"#"))
