"""Which systems are submitted, and what do they give on the machines of their teams?

    System     a system: its team, its title, and the commands by which its team runs it
    SYSTEMS    the four of them
    files_of   the files of a system's bundle
    repaired   the same files once the fault of a manifest is repaired
    pack       files as a bundle, always the same bytes
    at_home    what a system gives where its team runs it

The files are in the folder ``bundles``.  The systems need Python's standard library alone, and are honest: each does
what its manifest says.  How well they are documented differs, and so does what becomes of them elsewhere.
"""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files as resources
from pathlib import Path
from tempfile import TemporaryDirectory

from primad.experiments.coding.texts import TEXTS, DataSet, known_codes, lines

OUTPUT = "output.tsv"
MANIFEST = "primad-system.yaml"

_SECONDS = 120
_EXECUTABLE = 0o755
_MOVED, _PLACE = b"model/index.json", b"index.json"


@dataclass(frozen=True)
class System:
    """A system called SLUG: its TEAM, the TITLE of both, and the COMMANDS that its team runs.

    OWN are programs of the team that are not in the bundle.  REPLY is what its team answers when it is asked, and where
    REPAIRS is true a repaired bundle comes with the answer.
    """

    slug: str
    title: str
    team: str
    team_title: str
    commands: tuple[str, ...] = ("python3 code.py",)
    own: tuple[str, ...] = ()
    reply: str = ""
    repairs: bool = False

    @property
    def address(self) -> str:
        """Return the address of its submission."""
        return f"{self.team}/{self.slug}"


SYSTEMS = (
    System("dictionary", "Dictionary", "lexicon", "Team Lexicon"),
    System(
        "trigrams",
        "Trigrams",
        "shingles",
        "Team Shingles",
        commands=("python3 index.py", 'python3 nearest.py index.json "$inputDataset" "$outputDir"'),
        reply="The index lies beside index.py since we tidied up, and the manifest still has its old place. Here is "
        "the bundle with the right one.",
        repairs=True,
    ),
    System("lots", "Drawing lots", "dice", "Team Dice"),
    System(
        "folding",
        "Folding",
        "folders",
        "Team Folders",
        own=("medfold",),
        reply="medfold belongs to our hospital, and we may not hand it out.",
    ),
)


def files_of(system: System, training: DataSet) -> dict[str, bytes]:
    """Return the files of the bundle of SYSTEM, with what it has learned from TRAINING, by their paths."""
    found = {name: data for name, data in _kept(system).items() if name not in system.own}
    found["codes.tsv"] = lines(known_codes().items())
    found["examples.tsv"] = training.examples
    return found


def _kept(system: System) -> dict[str, bytes]:
    """Return the files that are kept of SYSTEM; programs have another name here, so that nobody takes them for ours."""
    folder = resources("primad.experiments.coding") / "bundles" / system.slug
    return {path.name.removesuffix(".txt"): path.read_bytes() for path in folder.iterdir()}


def repaired(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return FILES with the index where the manifest says that it is."""
    return dict(files) | {MANIFEST: files[MANIFEST].replace(_MOVED, _PLACE)}


def pack(files: Mapping[str, bytes]) -> bytes:
    """Return FILES as a gzipped tar archive without times and owners."""
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name])
            archive.addfile(entry, io.BytesIO(files[name]))
    return packed.getvalue()


def at_home(system: System, files: Mapping[str, bytes], data_set: DataSet) -> bytes:
    """Return the output of SYSTEM with FILES on DATA_SET, on a machine that has the programs of its team."""
    with TemporaryDirectory(prefix="primad-") as scratch:
        places = {name: Path(scratch, name) for name in ("system", "programs", "input", "output")}
        for place in places.values():
            place.mkdir()
        for name, data in files.items():
            (places["system"] / name).write_bytes(data)
        for name in system.own:
            (places["programs"] / name).write_bytes(_kept(system)[name])
            (places["programs"] / name).chmod(_EXECUTABLE)
        (places["input"] / TEXTS).write_bytes(data_set.inputs)
        for command in system.commands:
            _run(command, places)
        return (places["output"] / OUTPUT).read_bytes()


def _run(command: str, places: Mapping[str, Path]) -> None:
    """Run COMMAND as a team would; its python3 is the one that runs this program."""
    path = os.pathsep.join([str(places["programs"]), str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {"PATH": path, "inputDataset": str(places["input"]), "outputDir": str(places["output"])}
    shell = shutil.which("sh") or "/bin/sh"
    subprocess.run(  # noqa: S603 - the commands stand above
        [shell, "-c", command], cwd=places["system"], env=environment, capture_output=True, check=True, timeout=_SECONDS
    )
