"""In which surroundings are the commands of pages carried out, and how?

    surroundings   an environment with `primad`, without a home and without settings
    at             work in a folder, in these surroundings
    carried_out    what a command prints, and how it ends

A page has up to forty commands, and `primad` takes longer to start than to answer.  So it is called in this process
where a command is `primad` with plain words, or begins with that before a pipe; a shell does everything else.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.running import Outcome, primad

# What other programs print goes past this process, what serves does not end, and who signs in is asked.
OF_THEIR_OWN = {"completion", "demo", "exec", "login", "rerun", "serve", "worker"}


def surroundings(home: Path) -> dict[str, str]:
    """Return an environment with `primad`, in which HOME is nobody's, and nothing of primad is set."""
    home.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PRIMAD_", "XDG_", "GIT_"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return kept | {"PATH": path, "HOME": str(home), "XDG_CACHE_HOME": str(Path.home() / ".cache")}


@contextmanager
def at(place: Path, home: Path) -> Iterator[None]:
    """Work in PLACE, where HOME is that of nobody."""
    wanted = surroundings(home)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for name in os.environ.keys() - wanted.keys():
            patch.delenv(name)
        for name, value in wanted.items():
            patch.setenv(name, value)
        yield


def carried_out(command: str) -> Outcome:
    """Return what COMMAND prints here, and how it ends."""
    ours, pipe, filters = command.partition(" | ")
    if not is_plain(ours):
        return shell(command)
    done = primad(*shlex.split(ours)[1:])
    return shell(filters, done.out)._replace(err=done.err) if pipe else done


def is_plain(command: str) -> bool:
    """Tell whether COMMAND is `primad` with words that no shell has to read, and can be called in this process."""
    outside = re.sub(r"'[^']*'", "", command)
    words = command.split()
    return words[0] == "primad" and words[1] not in OF_THEIR_OWN and not re.search(r"[|<>;&$*?`(){}~\\]", outside)


def shell(command: str, given: str = "") -> Outcome:
    """Return what a shell prints for COMMAND, whose standard input is what was GIVEN."""
    done = subprocess.run(["/bin/sh", "-c", command], input=given, capture_output=True, text=True, check=False)
    return Outcome(done.returncode, done.stdout, done.stderr)
