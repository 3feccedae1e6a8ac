"""Demonstrations that were really carried out, and the surroundings to carry them out in."""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pytest

from primad.experiments.demo.demonstrate import CONTENTS

BIN = Path(sys.executable).parent
PRIMAD = str(BIN / "primad")

# Read by Python before anything else: packages that are said to be missing cannot be found, and nobody can be called.
SITECUSTOMIZE = """
import os, socket
from importlib.machinery import PathFinder

find = PathFinder.find_spec
missing = os.environ.get("MISSING", "").split()
PathFinder.find_spec = lambda name, *rest: None if name.split(".")[0] in missing else find(name, *rest)

def unreachable(*_, **__):
    raise socket.gaierror(-2, "Name or service not known")

socket.getaddrinfo = unreachable
"""


class Demonstration(NamedTuple):
    """A finished `primad demo`: the folder it was started in, that it was to write, and what it said."""

    place: Path
    folder: Path
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """Return what was found, each sentence as one line however it was wrapped, and the command at the end."""
        found: list[str] = []
        for block in self.out.strip().split("\n\n"):
            for line in block.splitlines():
                is_new = not found or found[-1].endswith("\n") or line.startswith(("- ", "Look ", "  cd "))
                found = [*found, line.strip()] if is_new else [*found[:-1], f"{found[-1]} {line.strip()}"]
            found[-1] += "\n"
        return [line.rstrip("\n") for line in found]


def demonstrate(place: Path, *arguments: object, out: str = "demo", missing: str = "") -> Demonstration:
    """Run `primad demo ARGUMENTS --out OUT` in PLACE, where packages in MISSING are not installed."""
    command = [PRIMAD, "demo", *map(str, arguments), "--out", out]
    done = subprocess.run(command, cwd=place, env=surroundings(place, missing), capture_output=True, check=False)
    return Demonstration(place, place / out, done.returncode, done.stdout.decode(), done.stderr.decode())


def surroundings(place: Path, missing: str = "") -> dict[str, str]:
    """Return an environment without a network, without packages in MISSING, and with temporary files of its own."""
    for name in ("site", "temporary"):
        (place / name).mkdir(exist_ok=True)
    (place / "site" / "sitecustomize.py").write_text(SITECUSTOMIZE)
    return os.environ | {
        "PATH": f"{BIN}:{os.environ['PATH']}",
        "PYTHONPATH": str(place / "site"),
        "TMPDIR": str(place / "temporary"),
        "IR_DATASETS_HOME": str(place / "ir_datasets"),
        "MISSING": missing,
    }


def former(folder: Path) -> Path:
    """Leave in FOLDER what a former demonstration would have left, in short, and return it."""
    names = ("index.html", "published/report.html", "dataset/runs/stale.run")
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"the former {name}")
    (folder / CONTENTS).write_text("\n".join([*names, ""]))
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of FOLDER by their path."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def quick(factory: pytest.TempPathFactory) -> Demonstration:
    """Carry out `primad demo --quick --out demo` where a former demonstration is, once for all who look at it."""

    def make(place: Path) -> Demonstration:
        former(place / "demo")
        return demonstrate(place, "--quick")

    return made_once(factory, "demonstration", make)


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Demonstration]) -> Demonstration:
    """Return what MAKE makes in a folder called NAME; of several processes that run tests, the first one makes it."""
    base = factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    place.mkdir(exist_ok=True)
    with (place / "made").open("a+") as kept:
        fcntl.flock(kept, fcntl.LOCK_EX)
        kept.seek(0)
        if said := kept.read():
            return Demonstration(place, place / "demo", *json.loads(said))
        done = make(place)
        kept.write(json.dumps([done.code, done.out, done.err]))
    return done


# Pages ---------------------------------------------------------------------------------------------------------


@dataclass
class Part:
    """A section of the page: its paragraphs, the rows of its tables, and its command."""

    text: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    command: str = ""


class Page(HTMLParser):
    """What a page shows by section, where it leads, and the places that it has itself."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.parts: dict[str, Part] = {}
        self.lead: list[str] = []
        self.leads_to: list[str] = []
        self.ids: set[str] = set()
        self._tag = ""
        self._part = Part()
        self.feed(path.read_text(encoding="utf-8"))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note addresses and places, and begin what follows."""
        given = {name: value or "" for name, value in attrs}
        self.leads_to += [given[name] for name in ("href", "src") if name in given]
        self.ids |= {given["id"]} if "id" in given else set()
        self._tag = tag if tag in {"h2", "h3", "p", "th", "td", "code"} else self._tag
        if tag == "p":
            self._part.text.append("")
        elif tag == "tr":
            self._part.rows.append([])
        elif tag in {"th", "td"}:
            self._part.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        """End what was begun."""
        self._tag = "" if tag == self._tag else self._tag

    def handle_data(self, data: str) -> None:
        """Put text where it belongs."""
        if self._tag in {"h2", "h3"}:
            self.lead = self.lead or self._part.text
            self._part = self.parts.setdefault(data, Part())
        elif self._tag == "p":
            self._part.text[-1] += data
        elif self._tag in {"th", "td"}:
            self._part.rows[-1][-1] += data
        elif self._tag == "code":
            self._part.command += data.removeprefix("$ ")

    @property
    def commands(self) -> Mapping[str, str]:
        """Return the command of each section that has one."""
        return {title: part.command for title, part in self.parts.items() if part.command}

    def dead_ends(self) -> Iterator[str]:
        """Yield the addresses that lead nowhere, or out of the folder; a publication may be anywhere."""
        for address in self.leads_to:
            name, _, place = address.partition("#")
            if (place and not name and place in self.ids) or address.startswith("https://doi.org/"):
                continue
            if not name or ":" in name or name.startswith("/") or not (self.path.parent / unquote(name)).is_file():
                yield address
