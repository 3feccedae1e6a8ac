"""Which calls of the kernel does a command in a box do without?  Those that reach what no namespace keeps apart.

    calls_of    the numbers of these calls on a kind of processor
    rules_for   the rules by which the kernel refuses them, as a program that it can load
    sealed      a command that finds these rules as an open file, and has no keys of ours

Keys belong to a session and to a user, not to a box: so a command gets a keyring of its own, and may not ask for keys
at all.  Sockets are taken of the kinds that a network namespace holds; one to the machine around a virtual machine is
none of them.  Shared memory of the old kind stays when nobody has it open, where no look at processes finds it: a page
each is enough for programs that mark their presence by it.  What is asked of the kernel by way of a ring passes by all
rules, so there are no rings.

Rules are those of classic BPF, see seccomp(2); a program for another kind of processor, whose calls have other numbers,
is ended.
"""

from __future__ import annotations

import errno
import platform
import struct
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad.errors import WorkError

if TYPE_CHECKING:
    from collections.abc import Sequence

RULES = 9  # the number of the open file with the rules

_LARGEST_SEGMENT = 4096  # bytes; a namespace has at most 4096 of them
_UNIX, _INET, _INET6, _NETLINK = 1, 2, 10, 16
_FAMILIES = (_UNIX, _INET, _INET6, _NETLINK)

_LOAD, _IF_EQUAL, _IF_GREATER, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x25, 0x35, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _PROCESSOR, _ARGUMENTS = 0, 4, 16  # where they are in what the kernel hands to the rules
_OTHER_ABI = 0x40000000  # from there on, calls of x86_64 are those of its variant with short pointers

Rule = tuple[int, int, int, int]  # what to do, how far to jump if so and if not, and a value

_SEAL = """
import ctypes, errno, os, signal, sys
join, file, rules, *command = sys.argv[1:]
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p]
libc.syscall.restype = ctypes.c_long
if libc.syscall(int(join), 1, None) < 0 and ctypes.get_errno() not in (errno.ENOSYS, errno.EPERM):
    sys.exit("cannot have a keyring of its own (" + os.strerror(ctypes.get_errno()) + ")")
made = os.memfd_create("rules")
os.write(made, bytes.fromhex(rules))
os.lseek(made, 0, os.SEEK_SET)
os.dup2(made, int(file))
for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores, and so would the command
    signal.signal(number, signal.SIG_DFL)
os.execvp(command[0], command)
"""


@dataclass(frozen=True)
class Calls:
    """The numbers of calls on a processor, which the kernel itself calls PROCESSOR."""

    processor: int
    socket: int
    shmget: int
    add_key: int
    request_key: int
    keyctl: int
    io_uring_setup: int = 425


_KNOWN = {
    "x86_64": Calls(0xC000003E, socket=41, shmget=29, add_key=248, request_key=249, keyctl=250),
    "aarch64": Calls(0xC00000B7, socket=198, shmget=194, add_key=217, request_key=218, keyctl=219),
}


def calls_of(machine: str = "") -> Calls | None:
    """Return the calls of a MACHINE, by default of this one; None if they are not known."""
    return _KNOWN.get(machine or platform.machine())


def rules_for(calls: Calls) -> bytes:
    """Return the rules that refuse CALLS, as the kernel loads them."""
    rules: list[Rule] = [
        *[(_LOAD, 0, 0, _PROCESSOR), (_IF_EQUAL, 1, 0, calls.processor), (_RETURN, 0, 0, _KILL)],
        *[(_LOAD, 0, 0, _NUMBER), (_IF_AT_LEAST, 0, 1, _OTHER_ABI), (_RETURN, 0, 0, _KILL)],
        *_refused(calls.add_key, errno.EPERM),
        *_refused(calls.request_key, errno.EPERM),
        *_refused(calls.keyctl, errno.EPERM),
        *_refused(calls.io_uring_setup, errno.ENOSYS),
        *_only_if(calls.socket, _of_a_known_family()),
        *_only_if(calls.shmget, _of_one_page()),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("<HBBI", *rule) for rule in rules)


def _refused(call: int, error: int) -> list[Rule]:
    """Return the rules that let a CALL fail with ERROR."""
    return [(_IF_EQUAL, 0, 1, call), (_RETURN, 0, 0, _ERRNO | error)]


def _only_if(call: int, rules: list[Rule]) -> list[Rule]:
    """Return RULES for a CALL that others jump over."""
    return [(_IF_EQUAL, 0, len(rules), call), *rules]


def _of_a_known_family() -> list[Rule]:
    """Return the rules for the first argument of socket(2)."""
    last = len(_FAMILIES)
    families = [(_IF_EQUAL, last - place, 0, family) for place, family in enumerate(_FAMILIES)]
    refusal = (_RETURN, 0, 0, _ERRNO | errno.EAFNOSUPPORT)
    return [(_LOAD, 0, 0, _ARGUMENTS), *families, refusal, (_RETURN, 0, 0, _ALLOW)]


def _of_one_page() -> list[Rule]:
    """Return the rules for the second argument of shmget(2), which has two halves."""
    low, high = _ARGUMENTS + 8, _ARGUMENTS + 12
    return [
        *[(_LOAD, 0, 0, high), (_IF_EQUAL, 0, 2, 0)],
        *[(_LOAD, 0, 0, low), (_IF_GREATER, 0, 1, _LARGEST_SEGMENT)],
        *[(_RETURN, 0, 0, _ERRNO | errno.EINVAL), (_RETURN, 0, 0, _ALLOW)],
    ]


def sealed(command: Sequence[str]) -> list[str]:
    """Return COMMAND so that it starts with a keyring of its own, and with the rules as the open file RULES."""
    calls = calls_of()
    if calls is None:
        raise WorkError(f"expected a processor of the kind {' or '.join(_KNOWN)}, found {platform.machine() or 'none'}")
    start = [sys.executable, "-I", "-S", "-c", _SEAL]
    return [*start, str(calls.keyctl), str(RULES), rules_for(calls).hex(), *command]
