"""What does a rung really keep a command from?  A command tries, in a box of its own.

    Finding     what a rung holds, what it leaves open, and why it does not work at all, if so
    try_out     find out

Nothing is damaged where a rung does not hold: it is looked whether something could be written, not written.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from primad.errors import WorkError
from primad.replay.result import Limits
from primad.replay.sandbox.box import Places, box_in, variables
from primad.replay.sandbox.calls import calls_of
from primad.replay.sandbox.keys import SEARCH, SESSION, laid_out
from primad.replay.sandbox.processes import Crew

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.replay.sandbox.box import Box
    from primad.replay.sandbox.holder import Holder

WRITING = "writing outside of its folders"
MOUNTING = "mounting"
SHADOW = "reading /etc/shadow"
HOME = "reading the user's home"
NETWORK = "using the network"
ENVIRONMENT = "reading the environment of other processes"
KEYS = "reading the keys of the user's session"
OUTLIVING = "outliving its step"
EVERYTHING = (WRITING, MOUNTING, SHADOW, HOME, NETWORK, ENVIRONMENT, KEYS, OUTLIVING)

_SECONDS = 60
_LIMITS = Limits(seconds=_SECONDS, memory=512 << 20, processes=64, disk=64 << 20)
_LONGEST_REASON = 300
_OF_THE_SHELL = {"PWD", "OLDPWD", "SHLVL", "_", "HOSTNAME", "container"}
_READY = "primad-box"
_NAMES = {
    "ready",
    "writable",
    "usable",
    "mounts",
    "shadow",
    "home",
    "interface",
    "connected",
    "variable",
    "keys",
    "done",
}

# Each answer is a line "name: value".  $home, $port, $hand, $key and $search are put before it.  The shell itself asks
# neither for keys nor for sockets (40: to the machine around a virtual one): where there is nothing else that could, it
# is looked whether the kernel keeps any rules for it.
_PROBES = """
echo ready: primad-box
for place in / /usr /etc /dev /proc/sys/kernel/hostname "$inputDataset" "$HOME/.."; do
    [ -w "$place" ] && echo "writable: $place"
done
touch "$inputDataset/touched" 2>/dev/null && echo "writable: $inputDataset"
touch "$outputDir/touched" && touch "$TMPDIR/touched" && touch "$HOME/touched" && echo "usable: yes"
if [ "$(id -u)" = 0 ]; then echo "mounts: root"; else
    mount -o remount,rw /usr 2>/dev/null && echo "mounts: yes"
    unshare --user --map-root-user --mount true 2>/dev/null && echo "mounts: namespaces"
fi
cat /etc/shadow >/dev/null 2>&1 && echo "shadow: yes"
ls -A "$home" 2>/dev/null | sed 's/^/home: /'
cat /proc/net/dev 2>/dev/null | sed -n 's/^ *\\([^ :]*\\):.*/interface: \\1/p'
[ -e /proc/net/dev ] || echo "interface: unknown"
(: </dev/tcp/127.0.0.1/$port) 2>/dev/null && echo "connected: yes"
if command -v perl >/dev/null; then
    perl -e "exit(!socket(my \\$s, 40, 1, 0))" && echo "connected: around"
    perl -e "exit(syscall($search, @ARGV, 0) < 0)" user "$key" && echo "keys: found"
elif command -v python3 >/dev/null; then
    python3 -c 'import socket; socket.socket(40, 1)' 2>/dev/null && echo "connected: around"
    python3 -c "import ctypes; exit(ctypes.CDLL(None).syscall($search, b'user', b'$key', 0) < 0)" && echo "keys: found"
else
    grep -q '^Seccomp:.*[12]' /proc/self/status || echo "keys: unknown"
fi
cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' |
    sed -n 's/^\\([A-Za-z_][A-Za-z_0-9]*\\)=.*/variable: \\1/p' | sort -u
setsid sleep $hand >/dev/null 2>&1 </dev/null &
sleep 0.05
echo done: yes
"""


@dataclass(frozen=True)
class Finding:
    """What a rung keeps a command from (HELD) and what not (OPEN); BROKEN says why it cannot be used, if so."""

    held: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    broken: str = ""


def try_out(holder: Holder) -> Finding:
    """Run a command by HOLDER that tries what it should not, and return what came of it."""
    with tempfile.TemporaryDirectory(prefix="primad-box-") as name, _listener() as port, laid_out() as key:
        place = Path(name)
        place.chmod(0o711)  # ours, and the command's user must get through
        (place / "input").mkdir()
        (place / "input").chmod(0o755)
        box = box_in(place, place / "input")
        step = secrets.token_hex(8)
        text = f"home={quote(str(_home()))} port={port} hand={_SECONDS} key={key} search={_search()}\n{_PROBES}"
        try:
            holder.admit(box)
            answers, said = _answers_of(holder, box, step, text)
        except (OSError, WorkError, subprocess.TimeoutExpired) as error:
            return Finding(broken=str(error))
        finally:
            holder.end(step)
        if answers.get("ready") != {_READY} or not answers.keys() >= {"usable", "done"}:
            return Finding(broken=said or "it started nothing")
        leaks = _leaks(answers, box)
        held = tuple(what for what in EVERYTHING if what not in leaks)
        return Finding(held, tuple(what for what in EVERYTHING if what in leaks))


def _search() -> str:
    """Return the call that looks for a key in the session, without kind and name, as one word of a shell."""
    calls = calls_of()
    return quote(f"{calls.keyctl if calls else -1}, {SEARCH}, {SESSION}")


def _answers_of(holder: Holder, box: Box, step: str, text: str) -> tuple[dict[str, set[str]], str]:
    """Return the answers by name, and the first that was said besides."""
    command = holder.command(text, box, network=False, limits=_LIMITS, step=step)
    process = subprocess.Popen(  # noqa: S603 - what a rung makes of our own text
        command,
        env=dict(holder.environment(box, step)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    crew = Crew(process.pid, step, loose=True)
    try:
        output, _ = process.communicate(timeout=_SECONDS)
        answers, said = _read(output.replace(step.encode(), b""))
        if _outlived(crew):
            answers["outlived"] = {"yes"}
        return answers, said
    finally:
        process.kill()
        process.wait()
        crew.end()


def _outlived(crew: Crew) -> bool:
    """Tell whether a process is still there when its step has ended, and does not go by itself."""
    for _ in range(50):
        if not crew.members():
            return False
        time.sleep(0.01)
    return True


def _read(output: bytes) -> tuple[dict[str, set[str]], str]:
    """Return the answers in OUTPUT by name, and the first line that is none."""
    answers: dict[str, set[str]] = {}
    said = ""
    for line in output.decode("utf-8", "replace").splitlines():
        name, sign, value = line.partition(": ")
        if sign and name in _NAMES:
            answers.setdefault(name, set()).add(value)
        elif not said:
            said = line.strip()[:_LONGEST_REASON]
    return answers, said


def _leaks(answers: dict[str, set[str]], box: Box) -> set[str]:
    """Return what a command could do, by its ANSWERS."""
    real_home = {path.name for path in _home().iterdir()} if os.access(_home(), os.R_OK) else set()
    known = {*variables(box, Places(), ""), *_OF_THE_SHELL}
    found = {
        WRITING: answers.get("writable"),
        MOUNTING: answers.get("mounts"),
        SHADOW: answers.get("shadow"),
        HOME: answers.get("home", set()) & real_home,
        NETWORK: answers.get("connected") or answers.get("interface", set()) - {"lo"},
        ENVIRONMENT: answers.get("variable", set()) - known,
        KEYS: answers.get("keys"),
        OUTLIVING: answers.get("outlived"),
    }
    return {what for what, leak in found.items() if leak}


def _home() -> Path:
    """Return the user's home; whoever has none has that of root."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/root")


@contextmanager
def _listener() -> Iterator[int]:
    """Listen on this machine only, and yield the port: a command without a network cannot reach it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


def is_there(program: str) -> bool:
    """Tell whether there is a PROGRAM of that name; whether it works is another question."""
    return shutil.which(program) is not None
