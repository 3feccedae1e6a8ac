"""How does a container engine hold a command?  In a container of an image that somebody named.

    Container   the rung: docker or podman

The container has no network, no capability, a read-only file system and limits of the kernel; it is never privileged.
"""

from __future__ import annotations

import csv
import io
import os
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

from primad.replay.result import Rung
from primad.replay.sandbox.box import Places, proxies, variables
from primad.replay.sandbox.holder import OPEN_FILES, in_shell
from primad.replay.sandbox.reaching import NOBODY, hand_over, is_root

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from primad.replay.result import Limits
    from primad.replay.sandbox.box import Box

ENGINES = ("docker", "podman")

_PLACES = Places()
# What the engine's own program needs of us; the container gets none of it.
_FOR_THE_CLIENT = ("PATH", "HOME", "DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST", "XDG_RUNTIME_DIR")
_SECONDS_TO_END = 30


class Container:
    """Holds a command in a container of IMAGE."""

    rung = Rung.CONTAINER
    loose = False

    def __init__(self, engine: str, image: str) -> None:
        """Use the program ENGINE."""
        self.engine = engine
        self.image = image

    def admit(self, box: Box) -> None:
        """Let the command's user write to the folders of BOX."""
        hand_over(box.written)

    def environment(self, box: Box, step: str) -> Mapping[str, str]:  # noqa: ARG002 - the same for all
        """Return what the engine's own program needs."""
        return {name: os.environ[name] for name in _FOR_THE_CLIENT if name in os.environ}

    def command(self, text: str, box: Box, *, network: bool, limits: Limits, step: str) -> list[str]:
        """Return what has to be executed so that the shell command TEXT runs in BOX."""
        user = (NOBODY, NOBODY) if is_root() else (os.getuid(), os.getgid())
        words = [self.engine, "run", "--rm", "--init", "--name", _name_of(step), "--hostname", "replay"]
        words += ["--network", "bridge" if network else "none", "--read-only", "--cap-drop", "ALL"]
        words += ["--security-opt", "no-new-privileges", "--pids-limit", str(limits.processes)]
        words += ["--memory", str(limits.memory), "--memory-swap", str(limits.memory)]
        for bound in (f"fsize={limits.disk}", f"nofile={OPEN_FILES}", "core=0"):
            words += ["--ulimit", bound]
        words += ["--user", f"{user[0]}:{user[1]}"]
        if self.engine == "podman" and not is_root():
            words += ["--userns", "keep-id"]
        for name, value in (variables(box, _PLACES, step) | (proxies() if network else {})).items():
            words += ["--env", f"{name}={value}"]
        for mount in _mounts(box):
            words += ["--mount", mount]
        return [*words, "--workdir", _PLACES.system, "--entrypoint", "", self.image, *in_shell(text)]

    def end(self, step: str) -> None:
        """End the container: it goes on when the program that started it is gone."""
        with suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(  # noqa: S603 - a fixed command
                [self.engine, "kill", _name_of(step)], capture_output=True, check=False, timeout=_SECONDS_TO_END
            )


def _name_of(step: str) -> str:
    """Return the name of a step's container."""
    return f"primad-{step}"


def _mounts(box: Box) -> Iterator[str]:
    """Yield the folders of BOX as the engine is told of them."""
    yield _mount(box.input, _PLACES.input, writable=False)
    yield _mount(box.system, _PLACES.system, writable=box.system_writable)
    for folder, place in ((box.output, _PLACES.output), (box.home, _PLACES.home), (box.tmp, _PLACES.tmp)):
        yield _mount(folder, place, writable=True)
    for path in box.extra:
        yield _mount(path, str(path), writable=False)


def _mount(folder: Path, place: str, *, writable: bool) -> str:
    """Return one folder as the engine is told of it: a line of comma-separated values."""
    line = io.StringIO()
    values = ["type=bind", f"source={folder}", f"target={place}", *([] if writable else ["readonly"])]
    csv.writer(line, lineterminator="").writerow(values)
    return line.getvalue()
