"""Is a command kept from calls of the kernel that reach what no namespace keeps apart?"""

import errno
import socket
import struct
import subprocess
from pathlib import Path

import pytest

from primad.errors import WorkError
from primad.replay.result import Rung
from primad.replay.sandbox.calls import Calls, calls_of, rules_for, sealed
from primad.replay.sandbox.holder import Enclosure
from primad.replay.sandbox.keys import laid_out
from primad.replay.sandbox.ladder import find_sandbox
from tests.replay.boxes import Bench, bench_in

ALLOW, KILL = 0x7FFF0000, 0x80000000
OF_PERL = "perl -e 'exit($! + 0) if syscall({call}) < 0'"  # whose exit status is the error

here = calls_of() or Calls(0, 0, 0, 0, 0, 0)


def search_for(key: str) -> str:
    return f"perl -e 'exit(syscall({here.keyctl}, 10, -3, @ARGV, 0) < 0)' user {key}"


def is_found(key: str, command: list[str] | None = None) -> bool:
    """Tell whether a COMMAND, by default a shell, finds a key."""
    words = command or ["sh", "-c", search_for(key)]
    return not subprocess.run(words, check=False).returncode


def keys_can_be_had() -> bool:
    """Tell whether the kernel lets us have keys, which it does not in many containers."""
    with laid_out() as key:
        return is_found(key)


needs_keys = pytest.mark.skipif(not keys_can_be_had(), reason="the kernel lets nobody have keys here")
needs_numbers = pytest.mark.skipif(calls_of() is None, reason="the calls of this processor are not known")


@pytest.fixture(scope="module")
def bubblewrap() -> Enclosure:
    return find_sandbox(wanted=Rung.BUBBLEWRAP)


@pytest.fixture
def boxed(bubblewrap: Enclosure, tmp_path: Path) -> Bench:
    """Return a bench that bubblewrap holds."""
    return bench_in(tmp_path, bubblewrap)


# In a box ------------------------------------------------------------------------------------------------------


@needs_keys
def test_a_key_of_our_session_is_found_by_a_step_that_is_trusted_only(boxed: Bench, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    trusted = bench_in(tmp_path / "other", find_sandbox(wanted=Rung.PLAIN, trust=True))

    with laid_out() as key:
        found = [bench.run(search_for(key)).succeeded for bench in (boxed, trusted)]

    assert found == [False, True]


@needs_keys
def test_a_key_that_was_laid_out_is_gone_afterwards() -> None:
    with laid_out() as key:
        during = is_found(key)

    assert (during, is_found(key)) == (True, False)


@needs_keys
def test_a_sealed_command_has_a_keyring_of_its_own_even_before_it_is_in_a_box() -> None:
    with laid_out() as key:
        found = [is_found(key), is_found(key, sealed(["sh", "-c", search_for(key)]))]

    assert found == [True, False]


@needs_numbers
@pytest.mark.parametrize(
    ("call", "error"),
    [
        pytest.param(
            f'{here.add_key}, my $k = "user", my $n = "left", my $v = "x", 1, -3', errno.EPERM, id="leave key"
        ),
        pytest.param(f'{here.request_key}, my $k = "user", my $n = "x", 0, 0', errno.EPERM, id="ask for a key"),
        pytest.param(f"{here.keyctl}, 0, -3, 1", errno.EPERM, id="a keyring"),
        pytest.param(f"{here.io_uring_setup}, 1, 0", errno.ENOSYS, id="a ring"),
        pytest.param(f"{here.shmget}, 0, 4097, 01600", errno.EINVAL, id="two pages of shared memory"),
        pytest.param(f"{here.shmget}, 0, 1 << 32, 01600", errno.EINVAL, id="very much shared memory"),
        pytest.param(f"{here.shmget}, 0, 4096, 01600", 0, id="a page of shared memory"),
        pytest.param(f"{here.socket}, 40, 1, 0", errno.EAFNOSUPPORT, id="a socket to the machine around"),
        pytest.param(f"{here.socket}, 38, 5, 0", errno.EAFNOSUPPORT, id="a socket to ciphers of the kernel"),
        pytest.param(f"{here.socket}, {int(socket.AF_UNIX)}, 1, 0", 0, id="a socket in the box"),
        pytest.param(f"{here.socket}, {int(socket.AF_INET)}, 1, 0", 0, id="a socket"),
        pytest.param(f"{here.socket}, {int(socket.AF_NETLINK)}, 3, 0", 0, id="a socket to ask for interfaces"),
    ],
)
def test_a_step_may_make_only_calls_that_its_box_holds(boxed: Bench, call: str, error: int) -> None:
    assert boxed.run(OF_PERL.format(call=call)).status == error


def test_a_pipe_that_nobody_reads_ends_a_command_as_anywhere_else(boxed: Bench) -> None:
    boxed.run("(yes; echo $? >&2) | true")

    assert boxed.lines == ["141"]


# The rules -----------------------------------------------------------------------------------------------------


def decision(rules: bytes, processor: int, number: int, *arguments: int) -> int:
    """Return what the kernel would decide by RULES, as seccomp(2) says."""
    padded = (*arguments, *([0] * 6))[:6]
    data = struct.pack("<iIQ6Q", number, processor, 0, *padded)
    program = list(struct.iter_unpack("<HBBI", rules))
    place, value = 0, 0
    while True:
        code, if_so, if_not, operand = program[place]
        place += 1
        if code == 0x06:
            return int(operand)
        if code == 0x20:
            value = struct.unpack_from("<I", data, operand)[0]
        else:
            holds = {0x15: value == operand, 0x25: value > operand, 0x35: value >= operand}[code]
            place += if_so if holds else if_not


def refusal(error: int) -> int:
    return 0x00050000 | error


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_rules_refuse_what_they_should_on_either_processor(machine: str) -> None:
    known = calls_of(machine)
    assert known is not None
    rules = rules_for(known)

    def decided(number: int, *arguments: int) -> int:
        return decision(rules, known.processor, number, *arguments)

    assert {decided(number) for number in (known.add_key, known.request_key, known.keyctl)} == {refusal(errno.EPERM)}
    assert decided(known.io_uring_setup) == refusal(errno.ENOSYS)
    assert [decided(known.socket, family) for family in (1, 2, 10, 16)] == [ALLOW] * 4
    assert {decided(known.socket, family) for family in (0, 3, 38, 40)} == {refusal(errno.EAFNOSUPPORT)}
    assert [decided(known.shmget, 7, size) for size in (0, 56, 4096)] == [ALLOW] * 3
    assert {decided(known.shmget, 7, size) for size in (4097, 1 << 32, 1 << 63)} == {refusal(errno.EINVAL)}
    assert {decided(number) for number in (0, 1, 56, 220, 500)} == {ALLOW}


def test_a_program_of_another_kind_whose_calls_have_other_numbers_is_ended() -> None:
    known = calls_of("x86_64")
    assert known is not None
    rules = rules_for(known)

    assert decision(rules, 0x40000003, 1) == KILL  # the older processor
    assert decision(rules, known.processor, 0x40000000 | 1) == KILL  # short pointers


def test_where_the_calls_are_not_known_nothing_is_sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "vax")

    with pytest.raises(WorkError, match="expected a processor of the kind x86_64 or aarch64, found vax"):
        sealed(["true"])
