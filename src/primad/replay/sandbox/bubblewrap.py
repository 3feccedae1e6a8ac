"""How does bubblewrap hold a command?  In namespaces of its own, as a user without rights.

    Bubblewrap   the rung

As root, bubblewrap alone holds nothing: a command could mount the disk again and write to it.  So root becomes another
user first.  The command sees /usr and little more of this machine; the root of its file system is read-only, its
processes end with the first of them, it has no network unless it is given one, and no keys of ours.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from primad.replay.result import Rung
from primad.replay.sandbox.box import Places, proxies, variables
from primad.replay.sandbox.calls import RULES, sealed
from primad.replay.sandbox.holder import bounded, in_shell
from primad.replay.sandbox.reaching import (
    NOBODY,
    as_nobody,
    hand_over,
    insist_on_reach,
    is_root,
    out_of_reach,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from primad.replay.result import Limits
    from primad.replay.sandbox.box import Box

_MB = 1 << 20
_PLACES = Places()
_ALONE = (
    *("--unshare-user", "--unshare-all", "--disable-userns", "--cap-drop", "ALL"),
    *("--new-session", "--die-with-parent", "--clearenv", "--hostname", "replay"),
)
_TOP = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# What programs below /usr look for in /etc, and what tells nothing about the people here.
_SETTINGS = (
    *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "java-*", "python3*", "perl", "R", "fonts"),
    *("localtime", "timezone", "mime.types", "magic", "protocols", "services"),
)
_SETTINGS_FOR_NETWORK = (
    "resolv.conf",
    "hosts",
    "host.conf",
    "nsswitch.conf",
    "gai.conf",
    "ssl",
    "pki",
    "ca-certificates",
)
_SHARED_MEMORY = 64 * _MB


class Bubblewrap:
    """Holds a command by bubblewrap."""

    rung = Rung.BUBBLEWRAP
    engine = "bubblewrap"
    loose = False

    def admit(self, box: Box) -> None:
        """Let the command's user write to the folders of BOX."""
        hand_over(box.written)
        insist_on_reach(box.sources)

    def environment(self, box: Box, step: str) -> Mapping[str, str]:
        """Return that of the command, since the command can read that of bubblewrap; programs are found by it."""
        return variables(box, _PLACES, step) | {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}

    def command(self, text: str, box: Box, *, network: bool, limits: Limits, step: str) -> list[str]:
        """Return what has to be executed so that the shell command TEXT runs in BOX."""
        elsewhere, start = shown(out_of_reach(box.sources)) if is_root() else ({}, [])
        words = ["bwrap", *_ALONE, "--seccomp", str(RULES), *(["--share-net"] if network else [])]
        words += _set(variables(box, _PLACES, step) | (proxies() if network else {}))
        words += _machine(network=network)
        words += _folders(box, elsewhere)
        shared = min(_SHARED_MEMORY, limits.memory)
        words += ["--size", str(shared), "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]  # noqa: S108 - of the box
        words += ["--remount-ro", "/", "--chdir", _PLACES.system, "--", *in_shell(text)]
        return bounded(sealed([*start, *as_nobody(words)]), limits, NOBODY if is_root() else os.getuid())

    def end(self, step: str) -> None:
        """Do nothing: its processes end with it."""


def _set(values: Mapping[str, str]) -> list[str]:
    """Return the options that set the environment."""
    return [word for name, value in values.items() for word in ("--setenv", name, value)]


def _machine(*, network: bool) -> list[str]:
    """Return the options that show the programs of this machine, and what they need."""
    words = ["--ro-bind", "/usr", "/usr"]
    for top in _TOP:
        if Path(top).is_symlink():
            words += ["--symlink", str(Path(top).readlink()), top]
        elif Path(top).is_dir():
            words += ["--ro-bind", top, top]
    settings = (*_SETTINGS, *_SETTINGS_FOR_NETWORK) if network else _SETTINGS
    for path in _found_in_etc(settings):
        words += ["--ro-bind-try", str(path), str(path)]
    return [*words, "--dev", "/dev", "--proc", "/proc"]


def _found_in_etc(names: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files and folders of /etc by these NAMES that everybody may read."""
    for name in names:
        for path in sorted(Path("/etc").glob(name)):
            if path.exists() and path.stat().st_mode & 0o004:
                yield path


def _folders(box: Box, elsewhere: Mapping[Path, Path]) -> list[str]:
    """Return the options that show the folders of BOX, some of which are found ELSEWHERE."""
    writable = [(box.output, _PLACES.output), (box.home, _PLACES.home), (box.tmp, _PLACES.tmp)]
    readable = [(box.input, _PLACES.input)]
    (writable if box.system_writable else readable).append((box.system, _PLACES.system))
    etc = elsewhere.get(box.etc, box.etc)
    words = [word for name in ("passwd", "group") for word in ("--ro-bind", str(etc / name), f"/etc/{name}")]
    for option, pairs in (("--bind", writable), ("--ro-bind", readable)):
        for path, place in pairs:
            words += [option, str(elsewhere.get(path, path)), place]
    for path in box.extra:  # last, for one below /tmp would be covered
        words += ["--ro-bind", str(elsewhere.get(path, path)), str(path)]
    return words
