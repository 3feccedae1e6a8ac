"""Is the rung that is found one that holds, and does the ladder never fall unasked?"""

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from primad.errors import FileError, UsageError, WorkError
from primad.replay.result import Limits, Rung
from primad.replay.sandbox import bubblewrap, reaching
from primad.replay.sandbox.box import Box, box_in
from primad.replay.sandbox.bubblewrap import Bubblewrap
from primad.replay.sandbox.container import Container
from primad.replay.sandbox.groups import group_for
from primad.replay.sandbox.holder import in_shell
from primad.replay.sandbox.ladder import find_sandbox
from primad.replay.sandbox.plain import Plain
from primad.replay.sandbox.processes import Crew
from primad.replay.sandbox.reaching import NOBODY, insist_on_reach, out_of_reach, shown
from primad.replay.sandbox.self_test import EVERYTHING, KEYS, try_out
from primad.replay.sandbox.trees import emptied, removed, walk
from tests.replay.boxes import OWN, has_process, wait_for

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


@pytest.fixture
def box(tmp_path: Path) -> Box:
    (tmp_path / "in").mkdir()
    return box_in(tmp_path / "work", tmp_path / "in")


def program(folder: Path, name: str, script: str) -> None:
    """Write a program of that NAME into FOLDER."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


# The ladder ----------------------------------------------------------------------------------------------------


def test_bubblewrap_is_found_and_what_it_holds_recorded() -> None:
    sandbox = find_sandbox().sandbox

    assert (sandbox.rung, sandbox.engine, sandbox.held, sandbox.open) == (
        Rung.BUBBLEWRAP,
        "bubblewrap",
        EVERYTHING,
        (),
    )


def test_trust_does_not_lower_the_rung() -> None:
    assert find_sandbox(trust=True).sandbox.rung is Rung.BUBBLEWRAP


def test_the_plain_rung_is_not_had_without_trust() -> None:
    with pytest.raises(UsageError, match="has to be asked for with --trust"):
        find_sandbox(wanted=Rung.PLAIN)


def test_the_name_of_a_rung_is_not_taken_for_the_rung() -> None:
    with pytest.raises(
        UsageError, match=r"expected one of Rung\.CONTAINER, Rung\.BUBBLEWRAP, Rung\.PLAIN, found 'plain'"
    ):
        find_sandbox(wanted="plain", trust=True)  # type: ignore[arg-type]  # as somebody writes who checks no types


def test_where_nothing_is_installed_it_is_said_what_was_tried_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(WorkError) as caught:
        find_sandbox(image="debian:12")

    assert str(caught.value) == (
        "found no sandbox; tried docker: not installed; podman: not installed; bwrap: not installed; "
        "plain: not without --trust; install bubblewrap (apt-get install bubblewrap), "
        "or run a system that you trust with --trust"
    )


def test_an_engine_that_is_installed_but_does_not_run_is_passed_over_with_what_it_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "bin", "docker", "echo 'Cannot connect to the daemon' >&2; exit 1")
    program(tmp_path / "bin", "podman", "echo 'ready: yes'")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")

    with pytest.raises(WorkError) as caught:
        find_sandbox(wanted=Rung.CONTAINER, image="debian:12")

    assert "docker: does not work here (Cannot connect to the daemon)" in str(caught.value)
    assert "podman: does not work here (it started nothing)" in str(caught.value)
    assert find_sandbox(image="debian:12").sandbox.rung is Rung.BUBBLEWRAP


def test_an_engine_that_runs_commands_but_does_not_hold_them_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A false engine: it runs the last word as a command, with the folders it was told of as they are.
    script = """
    for word do
        case $word in
            *=/replay/*|TMPDIR=*) ;;
            *source=*,target=/replay/input*) inputDataset=$(echo "$word" | sed 's/.*source=\\([^,]*\\).*/\\1/') ;;
            *source=*,target=/replay/output*) outputDir=$(echo "$word" | sed 's/.*source=\\([^,]*\\).*/\\1/') ;;
        esac
    done
    export inputDataset outputDir HOME=$outputDir TMPDIR=$outputDir
    exec bash -c "$word" """
    program(tmp_path / "bin", "docker", script)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")

    with pytest.raises(WorkError, match="docker: does not keep a command from writing outside of its folders, "):
        find_sandbox(wanted=Rung.CONTAINER, image="debian:12")


def test_no_container_is_tried_without_an_image() -> None:
    with pytest.raises(WorkError, match="tried container: no image is named"):
        find_sandbox(wanted=Rung.CONTAINER)


# The self-test -------------------------------------------------------------------------------------------------


class Careless(Plain):
    """What looks like a sandbox: the recipe that everybody writes down first."""

    def command(self, text: str, box: Box, *, network: bool, limits: Limits, step: str) -> list[str]:  # noqa: ARG002 - the careless use none
        words = [
            "bwrap",
            "--unshare-all",
            "--die-with-parent",
            "--ro-bind",
            "/",
            "/",
            "--proc",
            "/proc",
            "--dev",
            "/dev",
        ]
        for path in (box.output, box.home, box.tmp):
            words += ["--bind", str(path), str(path)]
        return [*words, "--", *in_shell(text)]


@as_root
def test_bubblewrap_run_by_root_is_found_out() -> None:
    finding = try_out(Careless())

    assert finding.broken == ""
    assert {"mounting", "reading /etc/shadow", "reading the user's home"} <= set(finding.open)


def test_a_network_that_is_left_is_found_out() -> None:
    class Online(Bubblewrap):
        def command(self, text: str, box: Box, *, network: bool, limits: Limits, step: str) -> list[str]:  # noqa: ARG002 - it has one anyway
            return super().command(text, box, network=True, limits=limits, step=step)

    assert try_out(Online()).open == ("using the network",)


def test_keys_of_our_session_that_are_left_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "sealed", list)

    class Unsealed(Bubblewrap):
        def command(self, text: str, box: Box, *, network: bool, limits: Limits, step: str) -> list[str]:
            words = super().command(text, box, network=network, limits=limits, step=step)
            place = words.index("--seccomp")
            return [*words[:place], *words[place + 2 :]]

    can_have_any = KEYS in try_out(Plain()).open
    assert (KEYS in try_out(Unsealed()).open) == can_have_any


def test_an_environment_that_is_passed_on_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAD_SECRET_OF_OURS", "x")

    class Chatty(Bubblewrap):
        def environment(self, box: Box, step: str) -> dict[str, str]:
            return {**os.environ, **super().environment(box, step)}

    assert try_out(Chatty()).open == ("reading the environment of other processes",)


def test_a_rung_that_cannot_start_is_broken_and_says_why() -> None:
    class Broken(Plain):
        def command(self, text: str, box: Box, *, network: bool, limits: Limits, step: str) -> list[str]:  # noqa: ARG002 - of no use
            return ["/bin/sh", "-c", "echo setting up namespaces: not permitted >&2; echo more >&2; exit 1"]

    assert try_out(Broken()).broken == "setting up namespaces: not permitted"


# Bubblewrap ----------------------------------------------------------------------------------------------------


@as_root
def test_root_becomes_another_user_before_bubblewrap_starts(box: Box) -> None:
    words = Bubblewrap().command("true", box, network=False, limits=Limits(), step="s")

    place = words.index("bwrap")
    assert words[place - 4 : place] == ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    assert "--share-net" not in words


@as_root
def test_who_is_not_root_needs_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    user = 54321
    place = Path("/tmp") / f"primad-test-{os.getpid()}"  # noqa: S108 - below a folder that everybody may enter
    (place / "in").mkdir(parents=True)
    try:
        box = box_in(place / "work", place / "in")
        for path in (place, *place.rglob("*")):
            os.chown(path, user, user)
        for module in (bubblewrap, reaching):
            monkeypatch.setattr(module, "is_root", lambda: False)
        monkeypatch.setattr("sys.executable", "/usr/bin/python3")  # one that this user may execute
        holder = Bubblewrap()
        text = "id -u; touch $outputDir/made; cat /etc/shadow"
        words = holder.command(text, box, network=False, limits=Limits(), step="s")
        become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]

        done = subprocess.run(
            [*become, *words], env=dict(holder.environment(box, "s")), capture_output=True, check=False, cwd="/"
        )

        assert "setpriv" not in words
        assert (done.stdout, done.returncode) == (f"s\n{user}\n".encode(), 1)
        assert (box.output / "made").stat().st_uid == user
    finally:
        subprocess.run(["rm", "-r", str(place)], check=True)  # noqa: S607 - of every system


def test_settings_of_the_network_are_shown_only_with_one(box: Box) -> None:
    holder = Bubblewrap()

    without, with_one = (
        holder.command("true", box, network=network, limits=Limits(), step="s") for network in (False, True)
    )

    assert not {"/etc/ssl", "/etc/resolv.conf", "--share-net"} & set(without)
    assert {"/etc/resolv.conf", "--share-net"} <= set(with_one)


def test_proxies_are_told_only_to_a_step_with_a_network_and_never_a_password(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.example.org:3128")
    monkeypatch.setenv("https_proxy", "http://ada:lovelace1815@proxy.example.org:3128")

    without, with_one = (
        Bubblewrap().command("true", box, network=network, limits=Limits(), step="s") for network in (False, True)
    )

    assert "http_proxy" not in without
    assert with_one[with_one.index("http_proxy") + 1] == "http://proxy.example.org:3128"
    assert "https_proxy" not in with_one


def test_java_and_python_of_the_system_are_found_by_their_links(box: Box) -> None:
    words = Bubblewrap().command("true", box, network=False, limits=Limits(), step="s")

    assert "/etc/alternatives" in words


# Containers ----------------------------------------------------------------------------------------------------


def test_a_container_is_started_with_nothing_that_it_does_not_need(box: Box) -> None:
    limits = Limits(memory=1000, processes=7, disk=500)

    words = Container("docker", "debian:12").command("echo hello", box, network=False, limits=limits, step="ab")

    assert words[:6] == ["docker", "run", "--rm", "--init", "--name", "primad-ab"]
    assert {"--read-only", "no-new-privileges", "fsize=500", "nofile=4096", "core=0"} <= set(words)
    options = {
        "--network": "none",
        "--cap-drop": "ALL",
        "--pids-limit": "7",
        "--memory": "1000",
        "--memory-swap": "1000",
        "--user": f"{NOBODY}:{NOBODY}" if os.geteuid() == 0 else f"{os.getuid()}:{os.getgid()}",
    }
    assert {name: words[words.index(name) + 1] for name in options} == options
    assert "--privileged" not in words
    assert words[words.index("debian:12") :] == ["debian:12", *in_shell("echo hello")]


def test_only_its_folders_are_mounted_into_a_container_and_only_some_writable(box: Box) -> None:
    odd = replace(box, input=Path("/data/a,b"))

    words = Container("docker", "i").command("true", odd, network=False, limits=Limits(), step="s")

    assert [words[place + 1] for place, word in enumerate(words) if word == "--mount"] == [
        'type=bind,"source=/data/a,b",target=/replay/input,readonly',
        f"type=bind,source={box.system},target=/replay/system,readonly",
        f"type=bind,source={box.output},target=/replay/output",
        f"type=bind,source={box.home},target=/replay/home",
        f"type=bind,source={box.tmp},target=/tmp",
    ]


def test_a_container_is_ended_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin", "docker", f'echo "$@" > {tmp_path}/said')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")

    Container("docker", "debian:12").end("ab")

    assert (tmp_path / "said").read_text(encoding="utf-8") == "kill primad-ab\n"


# Reaching ------------------------------------------------------------------------------------------------------


@as_root
def test_what_lies_in_a_closed_folder_is_out_of_reach_and_can_be_shown(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("content", encoding="utf-8")
    (tmp_path / "my file").write_text("more", encoding="utf-8")
    closed = [tmp_path / "folder", tmp_path / "my file"]

    assert out_of_reach([*closed, Path("/usr")]) == closed

    elsewhere, start = shown(closed)
    look = ["setpriv", f"--reuid={NOBODY}", "--clear-groups", "--regid=0", "cat"]
    paths = [str(elsewhere[closed[0]] / "file"), str(elsewhere[closed[1]])]
    done = subprocess.run([*start, *look, *paths], capture_output=True, check=False)
    assert done.stdout == b"contentmore"
    assert not any(path.exists() for path in elsewhere.values())  # nobody else sees them there


@as_root
def test_what_cannot_be_shown_elsewhere_either_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin", "unshare", "echo 'unshare failed: Operation not permitted' >&2; exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    (tmp_path / "closed").mkdir(mode=0o700)

    with pytest.raises(WorkError, match=r"cannot reach .*closed.*Operation not permitted.*name a workspace below"):
        insist_on_reach([tmp_path / "closed"])


def test_a_workspace_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    with pytest.raises(FileError, match="cannot be used"):
        box_in(tmp_path / "file", tmp_path)


def test_a_mask_that_keeps_everybody_out_does_not_keep_the_command_out(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        finding = try_out(Bubblewrap())
        (tmp_path / "in").mkdir()
        made = box_in(tmp_path / "work", tmp_path / "in")
    finally:
        os.umask(before)

    assert (finding.broken, finding.open) == ("", ())
    assert {path.stat().st_mode & 0o777 for path in (made.etc, made.output, made.home, made.tmp)} == {0o755}
    assert {path.stat().st_mode & 0o777 for path in made.etc.iterdir()} == {0o644}


# Trees ---------------------------------------------------------------------------------------------------------


def test_a_folder_is_removed_with_all_that_is_in_it_and_nothing_that_links_point_to(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").touch()
    (tmp_path / "gone" / "a" / "b").mkdir(parents=True)
    (tmp_path / "gone" / "c" / "d").mkdir(parents=True)
    (tmp_path / "gone" / "a" / "b" / "file").touch()
    (tmp_path / "gone" / "a" / "link").symlink_to(tmp_path / "kept")
    os.mkfifo(tmp_path / "gone" / "c" / "pipe")
    (tmp_path / "gone" / "a" / "b").chmod(0)
    (tmp_path / "gone").chmod(0)

    removed(tmp_path / "gone")

    assert sorted(tmp_path.rglob("*")) == [tmp_path / "kept", tmp_path / "kept" / "file"]


def test_every_folder_is_visited_once_and_left_once(tmp_path: Path) -> None:
    for path in ("a/b/c", "a/d", "e"):
        (tmp_path / path).mkdir(parents=True)
    (tmp_path / "a" / "file").touch()
    left: list[str] = []

    visited = [(sorted(below), others) for _, below, others in walk(tmp_path, leave=lambda _, name: left.append(name))]

    assert sorted(visited) == [([], []), ([], []), ([], []), (["a", "e"], []), (["b", "d"], ["file"]), (["c"], [])]
    assert sorted(left) == ["a", "b", "c", "d", "e"]
    assert left.index("c") < left.index("b") < left.index("a")


def test_a_folder_that_is_not_there_cannot_be_emptied(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"absent: cannot be emptied \(No such file or directory\)"):
        emptied([tmp_path / "absent"])


# Processes -----------------------------------------------------------------------------------------------------


def test_a_crew_does_not_take_a_process_for_its_own_that_got_the_number_of_one_that_is_gone() -> None:
    with subprocess.Popen(["sleep", f"4325.{OWN}"]) as stranger:  # noqa: S607 - of every system
        crew = Crew(stranger.pid, "no such step", loose=False)
        crew.seen[stranger.pid] -= 1  # as if another had been there, born before

        assert crew.members() == set()
        assert crew.end() == set()
        assert has_process(f"sleep 4325.{OWN}")
        stranger.kill()


def test_a_crew_ends_those_that_left_their_session_by_their_mark() -> None:
    script = f"(setsid sleep 4326.{OWN} &) ; sleep 4326.{OWN}"
    with subprocess.Popen(["bash", "-c", script], env={**os.environ, "PRIMAD_STEP": "abc"}) as root:  # noqa: S607 - of every system
        wait_for(lambda: has_process(f"sleep 4326.{OWN}"))
        crew = Crew(root.pid, "abc", loose=True)

        assert crew.end() == set()

    assert not has_process(f"sleep 4326.{OWN}")


# Groups --------------------------------------------------------------------------------------------------------


def test_a_group_has_every_process_of_a_step_and_refuses_too_many_and_is_gone_then() -> None:
    with group_for("abc", Limits(processes=4)) as group:
        if group is None:  # where this process may make none, steps are watched without
            return
        script = f"env -i setsid sleep 4327.{OWN} & for i in $(seq 40); do sleep 4327.{OWN} & done; wait"
        with subprocess.Popen(group.joined(["bash", "-c", script]), stderr=subprocess.DEVNULL) as root:
            wait_for(lambda: group.refused() > 0)
            members = group.members()
            crew = Crew(root.pid, "no mark", loose=False, group=group)
            assert crew.end() == set()

    assert root.pid in members
    assert 4 < len(members) <= 20
    assert not has_process(f"sleep 4327.{OWN}")
    assert not group.folder.exists()


def test_a_group_of_a_process_that_is_gone_is_removed_by_who_comes_next() -> None:
    with group_for("abc", Limits()) as group:
        if group is None:
            return
        left = group.folder.with_name("primad-999999999-abc")
        left.mkdir()
        with group_for("def", Limits()):
            assert not left.exists()
