"""primad exec, as a real process around real commands."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from primad import Record, read_record
from primad.metadata.recording.trace import strace_is_here

pytestmark = pytest.mark.slow

PRIMAD = str(Path(sys.executable).with_name("primad"))
GIT = shutil.which("git") or "git"
RUN = "".join(f"{topic} Q0 d{rank} {rank} {10 - rank} bm25\n" for topic in (301, 302) for rank in range(1, 4))
WRITES_A_RUN = f"open('bm25.run', 'w').write({RUN!r})"
BURNS_A_SECOND = """
import subprocess, sys
burn = "import time\\nwhile time.process_time() < 1.2: pass"
subprocess.run([sys.executable, "-c", burn], check=True)
"""

WAITS_FOR_AN_INTERRUPT = """
import time
try:
    open("ready", "w").close()
    time.sleep(60)
except KeyboardInterrupt:
    raise SystemExit(9)
"""


def primad_exec(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run ``primad exec ARGUMENTS`` in FOLDER."""
    environment = {**os.environ, **variables}
    return subprocess.run(
        [PRIMAD, "exec", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def side_record(folder: Path) -> Record:
    """Return the record in the only side file in FOLDER."""
    (path,) = folder.glob("primad-*.yml")
    return read_record(path)


def git(folder: Path, *arguments: str) -> str:
    """Run git in FOLDER as nobody in particular."""
    settings = ["-c", "user.name=Tester", "-c", "user.email=tester@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run([GIT, *settings, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def milliseconds(record: Record, field: str) -> int:
    return int(record[f"resources.runtime.{field}"].removesuffix(" ms"))


def test_the_run_that_the_command_wrote_is_annotated_and_its_ranking_untouched(tmp_path: Path) -> None:
    done = primad_exec(tmp_path, "--set", "actor.team=h2oloo", "--", sys.executable, "-c", WRITES_A_RUN)

    assert done.returncode == 0, done.stderr
    record = read_record(tmp_path / "bm25.run")
    assert record.tag == "bm25"
    assert record["actor.team"] == "h2oloo"
    assert record["resources.exit status"] == 0
    assert record["implementation.executable.program"] == "-c"
    assert (tmp_path / "bm25.run").read_text().endswith("# ir_metadata.end\n" + RUN)
    assert list(tmp_path.iterdir()) == [tmp_path / "bm25.run"]


def test_processor_time_of_a_child_that_burns_a_second_is_counted(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(BURNS_A_SECOND)

    done = primad_exec(tmp_path, "--", sys.executable, "script.py")

    assert done.returncode == 0, done.stderr
    record = side_record(tmp_path)
    assert milliseconds(record, "user") + milliseconds(record, "system") >= 1000
    assert milliseconds(record, "wallclock") >= 1000


def test_a_script_that_is_killed_leaves_its_record(tmp_path: Path) -> None:
    done = primad_exec(tmp_path, "--", sys.executable, "-c", "import os; os.kill(os.getpid(), 9)")

    assert done.returncode == 128 + signal.SIGKILL
    record = side_record(tmp_path)
    assert record["resources.exit status"] == 128 + signal.SIGKILL
    assert record["platform.software.runtime"] == [f"python=={'.'.join(map(str, sys.version_info[:3]))}"]


def test_primad_that_is_killed_itself_leaves_what_was_known_at_the_start(tmp_path: Path) -> None:
    process = subprocess.Popen([PRIMAD, "exec", "--", "sleep", "60"], cwd=tmp_path, start_new_session=True)
    try:
        while not list(tmp_path.glob("primad-*.yml")):
            time.sleep(0.02)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    record = side_record(tmp_path)

    assert record["implementation.executable.cmd"] == "sleep 60"
    assert record.get("resources.exit status") is None


def test_a_remote_with_a_token_is_stored_without_it(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "remote", "add", "origin", "https://me:ghp_abcdefghijklmnopqrstuvwxyz0123456789@example.org/a/b.git")
    (tmp_path / "search.py").write_text(WRITES_A_RUN)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "search")

    primad_exec(tmp_path, "--", sys.executable, "search.py", "--api-key", "s3cr3t-v4lue")

    header = (tmp_path / "bm25.run").read_text()
    assert read_record(tmp_path / "bm25.run")["implementation.source.repository"] == "https://example.org/a/b.git"
    assert "ghp_" not in header
    assert "s3cr3t" not in header
    assert "--api-key REDACTED" in header


def test_the_repository_is_recorded_before_and_after_the_command(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    script = tmp_path / "search.py"
    script.write_text(f"{WRITES_A_RUN}\nopen('search.py', 'a').write('# changed')\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "search")

    primad_exec(tmp_path, "--", sys.executable, "search.py")

    source = read_record(tmp_path / "bm25.run")["implementation.source"]
    assert source["commit"] == source["after"]["commit"] == git(tmp_path, "rev-parse", "HEAD")
    assert source["uncommitted changes"] is False
    assert source["after"]["uncommitted changes"] is True
    assert source["lang"] == ["Python"]


def test_the_libraries_are_those_of_the_interpreter_that_ran(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "other"], check=True)
    packages = next((tmp_path / "other" / "lib").glob("python*/site-packages"))
    (packages / "theirs-1.2.3.dist-info").mkdir()
    (packages / "theirs-1.2.3.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: theirs\nVersion: 1.2.3\n"
    )

    primad_exec(tmp_path, "--", str(tmp_path / "other" / "bin" / "python"), "-c", WRITES_A_RUN)

    assert read_record(tmp_path / "bm25.run")["platform.software.libraries"] == {"python": ["theirs==1.2.3"]}


@pytest.mark.parametrize(
    ("command", "status"),
    [
        pytest.param([sys.executable, "-c", "raise SystemExit(7)"], 7, id="its own"),
        pytest.param([sys.executable, "-c", "import os; os.kill(os.getpid(), 15)"], 143, id="terminated"),
    ],
)
def test_the_exit_status_is_that_of_the_command(tmp_path: Path, command: list[str], status: int) -> None:
    done = primad_exec(tmp_path, "--", *command)

    assert done.returncode == status
    assert side_record(tmp_path)["resources.exit status"] == status


@pytest.mark.parametrize(
    ("command", "status"),
    [
        pytest.param("./no-such-program", 127, id="not found"),
        pytest.param("./plain.txt", 126, id="not executable"),
    ],
)
def test_a_command_that_cannot_be_started_leaves_nothing_but_a_message(
    tmp_path: Path, command: str, status: int
) -> None:
    (tmp_path / "plain.txt").write_text("no program\n")

    done = primad_exec(tmp_path, "--", command)

    assert done.returncode == status
    assert command.removeprefix("./") in done.stderr
    assert list(tmp_path.iterdir()) == [tmp_path / "plain.txt"]


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--template", "absent.yml"], id="template that is not there"),
        pytest.param(["--set", "nothing"], id="setting without value"),
        pytest.param(["--output", "file.txt"], id="output that is no folder"),
    ],
)
def test_125_says_that_primad_itself_failed_and_the_command_was_not_run(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "file.txt").write_text("")

    done = primad_exec(tmp_path, *arguments, "--", "touch", "started")

    assert done.returncode == 125
    assert done.stderr.startswith("primad: ")
    assert not (tmp_path / "started").exists()


def test_a_run_that_cannot_be_annotated_does_not_hide_the_status(tmp_path: Path) -> None:
    broken = "# ir_metadata.start\n# no end\n" + RUN
    done = primad_exec(tmp_path, "--run", "x.run", "--", sys.executable, "-c", f"open('x.run', 'w').write({broken!r})")

    assert done.returncode == 0
    assert "could not be annotated" in done.stderr
    assert (tmp_path / "x.run").read_text() == broken
    assert side_record(tmp_path)["resources.exit status"] == 0


@pytest.mark.parametrize("named", [[], ["--run", "n.run"]], ids=["found", "named"])
def test_a_file_with_the_name_of_a_run_that_is_none_is_named_with_the_reason(tmp_path: Path, named: list[str]) -> None:
    done = primad_exec(tmp_path, *named, "--", sys.executable, "-c", "open('n.run', 'w').write('1 d1 3\\n')")

    assert done.returncode == 0
    assert "n.run:1: expected 6 columns (topic Q0 document rank score tag), found '1 d1 3'" in done.stderr
    assert "a mapping of components" not in done.stderr


def test_files_that_are_no_runs_are_named_as_far_as_a_person_reads_and_counted(tmp_path: Path) -> None:
    code = "for name in range(9): open(f'{name}.run', 'w').write('1 d1 3\\n' * 100_000)"

    said = primad_exec(tmp_path, "--", sys.executable, "-c", code).stderr

    assert [f"{name}.run:1: expected 6 columns" in said for name in range(6)] == [True] * 5 + [False]
    assert "nor could 4 more that are called runs" in said
    assert "more problems" not in said  # of which only those in the first lines were counted


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        pytest.param("a.run.gz", b"\x1f\x8b\x08\0\0", "a.run.gz: cannot be read (", id="broken packing"),
        pytest.param("b.res", b"x" * 100_000, "b.res:1: expected 6 columns", id="one long line"),
        pytest.param("c.run", b"", "c.run: ", id="nothing"),
        pytest.param("d.trec", b"<DOC>\n</DOC>\n", None, id="a collection"),
    ],
)
def test_of_what_is_called_a_run_the_first_lines_tell_why_it_is_none(
    tmp_path: Path, name: str, content: bytes, told: str | None
) -> None:
    code = f"open({name!r}, 'wb').write({content!r})"

    said = primad_exec(tmp_path, "--", sys.executable, "-c", code).stderr

    assert (told or name) in said if told else name not in said


def test_a_run_that_nobody_can_be_sure_of_is_to_be_named(tmp_path: Path) -> None:
    code = "open('n.run', 'w').write('1 x d1 1 0.5 t\\n')"

    assert "n.run: may be a run; name it with --run" in primad_exec(tmp_path, "--", sys.executable, "-c", code).stderr
    primad_exec(tmp_path, "--run", "n.run", "--", sys.executable, "-c", code)

    assert read_record(tmp_path / "n.run").tag == "t"


@pytest.mark.parametrize("name", ["notes.txt", "n.run.yml", "core.qrels"])
def test_of_a_file_without_the_name_of_a_run_nothing_is_said(tmp_path: Path, name: str) -> None:
    done = primad_exec(tmp_path, "--", sys.executable, "-c", f"open({name!r}, 'w').write('1 d1 3\\n')")

    assert name not in done.stderr


def test_what_a_failed_command_left_half_done_is_not_read(tmp_path: Path) -> None:
    done = primad_exec(tmp_path, "--", "sh", "-c", "echo 1 Q > n.run; exit 3")

    assert done.returncode == 3
    assert "n.run" not in done.stderr


def test_what_the_command_reads_and_prints_passes_through_untouched(tmp_path: Path) -> None:
    echo = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read()); sys.stderr.write('said')"

    done = subprocess.run(
        [PRIMAD, "exec", "--output", "records", "--", sys.executable, "-c", echo],
        cwd=tmp_path,
        input=b"\x00\xff\r\n",
        capture_output=True,
        check=False,
    )

    assert done.stdout == b"\x00\xff\r\n"
    assert b"said" in done.stderr


def test_options_behind_the_command_belong_to_the_command(tmp_path: Path) -> None:
    done = primad_exec(tmp_path, "printf", "%s", "--trace")

    assert done.stdout == "--trace"


def test_only_the_named_run_is_annotated(tmp_path: Path) -> None:
    both = f"{WRITES_A_RUN}; open('other.run', 'w').write({RUN!r})"

    primad_exec(tmp_path, "--run", "other.run", "--", sys.executable, "-c", both)

    assert (tmp_path / "bm25.run").read_text() == RUN
    assert read_record(tmp_path / "other.run").tag == "bm25"


def test_a_named_run_that_the_command_did_not_write_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "old.run").write_text(RUN)

    done = primad_exec(tmp_path, "--run", "old.run", "--run", "absent.run", "--", "true")

    assert done.returncode == 0
    assert (tmp_path / "old.run").read_text() == RUN
    assert "old.run was not written by the command" in done.stderr
    assert "absent.run: no such file" in done.stderr
    assert side_record(tmp_path)["resources.exit status"] == 0


def test_runs_of_a_failed_command_are_not_annotated(tmp_path: Path) -> None:
    done = primad_exec(tmp_path, "--", sys.executable, "-c", f"{WRITES_A_RUN}; raise SystemExit(3)")

    assert done.returncode == 3
    assert (tmp_path / "bm25.run").read_text() == RUN
    assert "the command failed" in done.stderr


def test_an_interrupt_reaches_the_command_and_leaves_a_record(tmp_path: Path) -> None:
    command = [PRIMAD, "exec", "--", sys.executable, "-c", WAITS_FOR_AN_INTERRUPT]
    process = subprocess.Popen(command, cwd=tmp_path, start_new_session=True)
    while not (tmp_path / "ready").exists():
        time.sleep(0.02)
    time.sleep(0.1)

    os.killpg(process.pid, signal.SIGINT)

    assert process.wait() == 9
    assert side_record(tmp_path)["resources.exit status"] == 9


def test_a_template_is_merged_into_the_record_of_a_failure(tmp_path: Path) -> None:
    (tmp_path / "me.yml").write_text("actor:\n  name: Ada\n")

    primad_exec(tmp_path, "--template", "me.yml", "--", "false")

    assert side_record(tmp_path)["actor.name"] == "Ada"


def test_traced_inputs_go_to_the_data_with_their_digests(tmp_path: Path) -> None:
    if not strace_is_here():
        pytest.skip("strace cannot be used here")
    (tmp_path / "topics.txt").write_text("301 foreign minorities\n")
    reads = f"open('topics.txt').read(); {WRITES_A_RUN}"

    done = primad_exec(tmp_path, "--trace", "--", sys.executable, "-c", reads)

    assert done.returncode == 0, done.stderr
    record = read_record(tmp_path / "bm25.run")
    digest = hashlib.sha256(b"301 foreign minorities\n").hexdigest()
    assert record["data.inputs"] == [{"path": "topics.txt", "sha256": digest, "bytes": 23}]
    assert [entry["path"] for entry in record["data.outputs"]] == ["bm25.run"]
    assert record["implementation.executable.cmd"].startswith(sys.executable)


def test_a_folder_that_cannot_be_written_to_sends_the_record_elsewhere(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        command = [PRIMAD, "exec", "--", "false"]
        folder = Path("/proc")  # where not even root can make files
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "TMPDIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
    else:
        folder = tmp_path / "closed"
        folder.mkdir(mode=0o500)
        done = primad_exec(folder, "--", "false", TMPDIR=str(tmp_path))

    assert done.returncode == 1
    # Nobody else can have put a link there, as they could where everybody writes.
    (elsewhere,) = tmp_path.glob("primad-*")
    assert elsewhere.stat().st_mode & 0o777 == 0o700
    assert side_record(elsewhere)["resources.exit status"] == 1


def test_tracing_without_strace_is_refused_before_the_command_starts(tmp_path: Path) -> None:
    done = primad_exec(tmp_path, "--trace", "--", sys.executable, "-c", "open('started', 'w')", PATH=str(tmp_path))

    assert done.returncode == 125
    assert done.stderr.startswith("primad: --trace needs strace")
    assert not (tmp_path / "started").exists()


def test_a_template_that_spells_the_repository_otherwise_loses_nothing_that_was_recorded(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "remote", "add", "origin", "git@example.org:me/code.git")
    (tmp_path / "search.py").write_text(WRITES_A_RUN)
    (tmp_path / "me.yml").write_text(
        "implementation: {source: {repository: 'https://example.org/me/code'}}\nplatform: {hardware: {ram: 1 GB}}\n"
    )
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "search")

    primad_exec(tmp_path, "--template", "me.yml", "--", sys.executable, "search.py")

    record = read_record(tmp_path / "bm25.run")
    assert record["implementation.source.repository"] == "https://example.org/me/code"
    assert record["implementation.source.commit"] == git(tmp_path, "rev-parse", "HEAD")
    assert record["implementation.executable.program"] == "search.py"
    assert record["platform.hardware.ram"] == "1 GB"
    assert record["platform.hardware.cpu.architecture"]


def test_another_run_as_template_gives_what_a_person_stated_and_nothing_of_its_own(tmp_path: Path) -> None:
    primad_exec(tmp_path, "--set", "actor.name=Ada", "--", sys.executable, "-c", WRITES_A_RUN)
    old = read_record(tmp_path / "bm25.run")
    newer = RUN.replace("bm25", "newer")

    primad_exec(
        tmp_path, "--template", "bm25.run", "--", sys.executable, "-c", f"open('new.run', 'w').write({newer!r})"
    )

    new = read_record(tmp_path / "new.run")
    assert new["actor.name"] == "Ada"
    assert new.tag == "newer"
    assert "new.run" in new["implementation.executable.cmd"]
    assert new["resources.runtime.start time"] > old["resources.runtime.start time"]


def test_what_was_stated_is_in_the_record_of_a_failure_without_placeholders(tmp_path: Path) -> None:
    (tmp_path / "me.yml").write_text("actor: {name: Ada, team: ENTER_VALUE_HERE}\n")

    primad_exec(tmp_path, "--template", "me.yml", "--set", "method.seed=42", "--", "sh", "-c", "exit 3")

    record = side_record(tmp_path)
    assert record["method.seed"] == 42
    assert record["actor"] == {"name": "Ada"}


def test_a_run_that_a_process_of_the_command_goes_on_writing_is_left_alone(tmp_path: Path) -> None:
    line = "301 Q0 d1 1 2.5 late"
    script = f"exec 3>late.run; echo '{line}' >&3; (sleep 1; echo '{line}' >&3) & sleep 0.1"

    done = primad_exec(tmp_path, "--", "sh", "-c", script)
    while (tmp_path / "late.run").read_text().count("\n") < 2:
        time.sleep(0.05)

    assert "still being written" in done.stderr
    assert (tmp_path / "late.run").read_text() == f"{line}\n{line}\n"


def test_beside_another_recording_only_named_runs_are_annotated(tmp_path: Path) -> None:
    other = subprocess.Popen([PRIMAD, "exec", "--", "sleep", "60"], cwd=tmp_path, start_new_session=True)
    try:
        while not list(tmp_path.glob("primad-*.yml")):
            time.sleep(0.02)
        found = primad_exec(tmp_path, "--", sys.executable, "-c", WRITES_A_RUN)
        discovered = (tmp_path / "bm25.run").read_text()
        primad_exec(tmp_path, "--run", "bm25.run", "--", sys.executable, "-c", WRITES_A_RUN)
    finally:
        os.killpg(other.pid, signal.SIGKILL)
        other.wait()

    assert "name the runs of a command with --run" in found.stderr
    assert discovered == RUN
    assert read_record(tmp_path / "bm25.run").tag == "bm25"


@pytest.mark.parametrize(
    "arguments", [pytest.param(["--nope", "--", "true"], id="option"), pytest.param([], id="none")]
)
def test_wrong_options_have_the_status_of_a_failure_of_primad(tmp_path: Path, arguments: list[str]) -> None:
    assert primad_exec(tmp_path, *arguments).returncode == 125


def test_the_repository_is_that_of_the_program_not_of_the_working_folder(tmp_path: Path) -> None:
    for name in ("code", "results"):
        (tmp_path / name).mkdir()
        git(tmp_path / name, "init", "-q")
        git(tmp_path / name, "remote", "add", "origin", f"https://example.org/me/{name}.git")
        (tmp_path / name / "search.py").write_text(WRITES_A_RUN)
        git(tmp_path / name, "add", ".")
        git(tmp_path / name, "commit", "-qm", name)

    primad_exec(tmp_path / "results", "--", sys.executable, "../code/search.py")

    source = read_record(tmp_path / "results" / "bm25.run")["implementation.source"]
    assert source["repository"] == "https://example.org/me/code.git"
    assert source["commit"] == source["after"]["commit"] == git(tmp_path / "code", "rev-parse", "HEAD")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        pytest.param(["sh", "-c", "true"], "those of what sh starts are not looked for", id="shell"),
        pytest.param(["bash", "work.sh"], "those of what bash starts are not looked for", id="script of a shell"),
        pytest.param(["env", "true"], "true is neither Python nor Java", id="program"),
        pytest.param(["perl", "-e", "1"], "perl is neither Python nor Java", id="code of another language"),
    ],
)
def test_why_libraries_are_missing_is_said_with_the_name_of_the_program(
    tmp_path: Path, command: list[str], said: str
) -> None:
    (tmp_path / "work.sh").write_text("true\n")

    done = primad_exec(tmp_path, "--", *command)

    assert f"no libraries were captured, for {said}; state them with --set" in done.stderr


def test_what_the_record_will_lack_is_said_at_once(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")

    done = primad_exec(tmp_path, "--", "sh", "-c", "true")

    assert "the command wrote no run" in done.stderr
    assert "no libraries were captured" in done.stderr
    assert "the repository has no remote" in done.stderr
