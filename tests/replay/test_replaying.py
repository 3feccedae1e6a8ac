"""Is a system run again as its manifest says, and is what happened known whatever happens meanwhile?"""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from primad.errors import DataError, FileError, UsageError
from primad.replay.manifest import Configuration, Manifest, Prerequisite
from primad.replay.replaying import JOURNAL, TRANSCRIPT, as_json, end_leftovers, read_replayed, replay, replayed_of
from primad.replay.result import Limits, Produced, Replayed, Rung, Stage
from primad.replay.sandbox.holder import Enclosure
from primad.replay.sandbox.ladder import find_sandbox
from tests.replay.boxes import OWN, has_process

pytestmark = pytest.mark.slow

MB = 1 << 20
LIMITS = Limits(seconds=20, memory=400 * MB, processes=60, disk=100 * MB, log=MB, output=10 * MB, files=100)
COUNT = 'wc -l < "$inputDataset/words.txt" > "$outputDir/count.txt"'


@pytest.fixture(scope="module")
def held() -> Enclosure:
    """Return what holds commands by bubblewrap."""
    return find_sandbox(wanted=Rung.BUBBLEWRAP)


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """Return a data set of three words."""
    folder = tmp_path / "words"
    folder.mkdir()
    (folder / "words.txt").write_text("one\ntwo\nthree\n", encoding="utf-8")
    return folder


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Return a workspace below a folder that other users cannot enter, with a system in it."""
    tmp_path.chmod(0o700)
    (tmp_path / "work" / "system").mkdir(parents=True)
    (tmp_path / "work" / "system" / "README").write_text("A system.\n", encoding="utf-8")
    return tmp_path / "work"


def system(*run: str, install: tuple[str, ...] = (), **more: object) -> Manifest:
    return replace(
        Manifest("counter", install=install, configurations={"default": Configuration("default", run)}),
        **more,  # type: ignore[arg-type]  # fields of any kind
    )


def said_by_steps(shown: list[str]) -> list[str]:
    """Return the lines of SHOWN but those that say which step begins and ends."""
    return [line for line in shown if not line.startswith("[")]


def replayed(
    workspace: Path, manifest: Manifest, inputs: Path, held: Enclosure, shown: list[str] | None = None, **more: object
) -> Replayed:
    lines = [] if shown is None else shown
    return replay(
        workspace,
        manifest,
        inputs=inputs,
        configuration="default",
        sandbox=held,
        limits=LIMITS,
        show=lines.append,
        **more,  # type: ignore[arg-type]  # options of any kind
    )


# What comes of it ----------------------------------------------------------------------------------------------


def test_a_system_is_installed_and_run_and_its_output_is_collected(
    workspace: Path, inputs: Path, held: Enclosure
) -> None:
    shown: list[str] = []

    result = replayed(
        workspace,
        system("echo counting", COUNT, install=("echo 'made at install' > made.txt",)),
        inputs,
        held,
        shown,
    )

    assert result.succeeded
    assert (result.stage, result.reason, result.remarks) == (None, "", ())
    assert [(step.stage, step.status) for step in result.steps] == [
        (Stage.INSTALL, 0),
        (Stage.RUN, 0),
        (Stage.RUN, 0),
    ]
    assert result.output == (Produced("count.txt", 2, sha256(b"3\n").hexdigest()),)
    assert result.sandbox == held.sandbox
    assert said_by_steps(shown) == ["counting"]
    starts = [f"[{step.stage}] {step.command}" for step in result.steps]
    assert [line for line in shown if line in starts] == starts
    assert sum("ended after" in line and "with exit status 0" in line for line in shown) == len(result.steps)
    assert (workspace / "system" / "made.txt").read_text(encoding="utf-8") == "made at install\n"
    assert result.run_seconds == pytest.approx(sum(step.wall for step in result.steps[1:]))


def test_folders_above_the_workspace_stay_closed(workspace: Path, inputs: Path, held: Enclosure) -> None:
    before = [(path, path.stat().st_mode, path.stat().st_uid) for path in (workspace, *workspace.parents, inputs)]

    assert replayed(workspace, system(COUNT), inputs, held).succeeded

    assert [(path, path.stat().st_mode, path.stat().st_uid) for path, *_ in before] == before


def test_a_data_set_that_only_we_may_read_can_be_used(workspace: Path, inputs: Path, held: Enclosure) -> None:
    (inputs / "words.txt").chmod(0o600)
    (inputs / "deep").mkdir(mode=0o700)

    assert replayed(workspace, system(COUNT), inputs, held).succeeded

    assert (inputs / "words.txt").stat().st_mode & 0o777 == 0o600


def test_what_a_link_in_a_data_set_stands_for_can_be_read(workspace: Path, inputs: Path, held: Enclosure) -> None:
    (inputs / "words.txt").rename(inputs.parent / "elsewhere.txt")
    (inputs / "words.txt").symlink_to(inputs.parent / "elsewhere.txt")

    result = replayed(workspace, system(COUNT), inputs, held)

    assert result.output[0].digest == sha256(b"3\n").hexdigest()


def test_a_data_set_that_lies_where_a_copy_would_is_not_lost(workspace: Path, inputs: Path, held: Enclosure) -> None:
    place = inputs.rename(workspace / "input")
    (place / "link").symlink_to("words.txt")

    assert replayed(workspace, system(COUNT), place, held).succeeded

    assert sorted(path.name for path in place.iterdir()) == ["link", "words.txt"]


def test_the_system_cannot_change_its_data_set_nor_itself_when_it_runs(
    workspace: Path, inputs: Path, held: Enclosure
) -> None:
    attempts = 'for f in "$inputDataset/words.txt" README; do echo x >> "$f" || echo "kept $f"; done; ' + COUNT

    shown: list[str] = []
    result = replayed(workspace, system(attempts), inputs, held, shown)

    assert result.succeeded
    assert [line for line in shown if line.startswith("kept")] == ["kept /replay/input/words.txt", "kept README"]
    assert (workspace / "system" / "README").read_text(encoding="utf-8") == "A system.\n"


def test_a_python_environment_can_be_made_at_install_and_used_by_the_run(
    workspace: Path, inputs: Path, held: Enclosure
) -> None:
    install = ("python3 -m venv --without-pip env",)
    run = "env/bin/python -c 'import sys; print(sys.prefix)' > \"$outputDir/prefix.txt\""

    result = replayed(workspace, system(run, install=install), inputs, held)

    assert result.succeeded, result.reason
    assert (workspace / "output" / "prefix.txt").read_text(encoding="utf-8") == "/replay/system/env\n"


def test_programs_outside_of_usr_can_be_lent(workspace: Path, inputs: Path, held: Enclosure, tmp_path: Path) -> None:
    tool = tmp_path / "tools" / "bin" / "shout"
    tool.parent.mkdir(parents=True)
    tool.write_text("#!/bin/sh\necho LOUD\n", encoding="utf-8")
    tool.chmod(0o755)

    result = replayed(workspace, system("shout > $outputDir/o"), inputs, held, extra=[tmp_path / "tools"])

    assert result.succeeded, result.reason
    assert (workspace / "output" / "o").read_text(encoding="utf-8") == "LOUD\n"


def test_the_interpreter_that_runs_us_can_be_lent_from_a_home_that_is_closed(
    workspace: Path, inputs: Path, held: Enclosure
) -> None:
    run = "python3 -c 'import sys; print(sys.base_prefix)' > $outputDir/o"

    result = replayed(workspace, system(run), inputs, held, extra=[Path(sys.base_prefix)])

    assert result.succeeded, result.reason
    assert (workspace / "output" / "o").read_text(encoding="utf-8") == f"{sys.base_prefix}\n"


# What is kept from whom ----------------------------------------------------------------------------------------

LOOKS = 'find "$inputDataset" "$outputDir" -mindepth 1 -printf "%f\\n"'


def test_no_step_before_the_run_sees_the_data_set_or_writes_to_the_output(
    workspace: Path, inputs: Path, held: Enclosure
) -> None:
    forge = 'echo forged > "$outputDir/forged.txt"'
    checked = Prerequisite("data", check=f'{forge}; test -z "$(ls -A "$inputDataset")"')
    manifest = system(LOOKS, COUNT, install=(f"{LOOKS}; {forge}",), prerequisites=(checked,))

    shown: list[str] = []
    result = replayed(workspace, manifest, inputs, held, shown)

    assert result.succeeded, result.reason
    assert said_by_steps(shown)[1:] == [
        "forged.txt",
        "words.txt",
    ]  # that of the check is seen by the installation, none by the run
    assert [produced.path for produced in result.output] == ["count.txt"]
    assert not list((workspace / "install").rglob("forged.txt"))


def test_that_a_step_with_a_network_reaches_this_machine_too_is_part_of_the_record(
    workspace: Path, inputs: Path, held: Enclosure
) -> None:
    result = replayed(workspace, system(COUNT, install=("true",)), inputs, held, network_to_install=True)

    assert [step.network for step in result.steps] == [True, False]
    assert result.remarks == (
        "steps that install had a network, and with it could reach services of this machine itself",
    )


def test_a_mask_that_keeps_everybody_out_does_not_keep_a_system_from_running(
    workspace: Path, inputs: Path, held: Enclosure
) -> None:
    before = os.umask(0o077)
    try:
        result = replayed(workspace, system(COUNT, install=("touch made",)), inputs, held)
    finally:
        os.umask(before)

    assert result.succeeded, result.reason


def test_what_all_steps_print_together_is_bounded(workspace: Path, inputs: Path, held: Enclosure) -> None:
    chatter = "yes 0123456789 | head -c 300000"

    result = replayed(workspace, system(*[chatter] * 7), inputs, held)

    assert [step.stopped_by for step in result.steps] == ["", "", "", "log"]
    assert (workspace / TRANSCRIPT).stat().st_size < LIMITS.log + 3000


def test_reasons_of_runs_that_failed_in_the_same_way_are_the_same(
    workspace: Path, inputs: Path, held: Enclosure
) -> None:
    results = [replayed(workspace, system(f"sleep {pause}; exit 3"), inputs, held) for pause in (0, 0.3)]

    reasons = [result.reason.replace("sleep 0.3", "sleep 0") for result in results]
    assert reasons[0] == reasons[1] == "run step 1 of 1 (sleep 0; exit 3) ended with exit status 3"


# How it fails --------------------------------------------------------------------------------------------------


def test_the_first_step_that_fails_is_the_last_and_the_reason_quotes_it(
    workspace: Path, inputs: Path, held: Enclosure
) -> None:
    result = replayed(workspace, system("touch $outputDir/half; echo no model; exit 3", "echo never"), inputs, held)

    assert not result.succeeded
    assert result.stage is Stage.RUN
    assert len(result.steps) == 1
    assert result.reason == (
        "run step 1 of 2 (touch $outputDir/half; echo no model; exit 3) ended with exit status 3; "
        "it last said: no model"
    )
    assert [produced.path for produced in result.output] == ["half"]


def test_a_prerequisite_that_is_absent_ends_the_replay_before_anything_is_installed(
    workspace: Path, inputs: Path, held: Enclosure
) -> None:
    manifest = system(COUNT, install=("touch installed",), prerequisites=(Prerequisite("frobnicator", ">=2"),))

    shown: list[str] = []
    result = replayed(workspace, manifest, inputs, held, shown)

    assert (result.succeeded, result.stage) == (False, Stage.PREREQUISITES)
    assert shown == [result.reason]
    assert result.reason == "frobnicator is missing; the system asks for >=2"
    assert (workspace / TRANSCRIPT).read_text(encoding="utf-8").count(result.reason) == 1
    assert {step.stage for step in result.steps} == {Stage.PREREQUISITES}
    assert not (workspace / "system" / "installed").exists()


def test_a_prerequisite_of_another_version_is_remarked_on_and_the_system_tried(
    workspace: Path, inputs: Path, held: Enclosure
) -> None:
    result = replayed(workspace, system(COUNT, prerequisites=(Prerequisite("bash", ">=99"),)), inputs, held)

    assert result.succeeded
    assert len(result.remarks) == 1
    assert "bash" in result.remarks[0]


@pytest.mark.parametrize(
    ("named", "run", "reason"),
    [
        pytest.param((), "true", "the run left no file in $outputDir", id="nothing"),
        pytest.param(("a.run", "*.log"), "touch $outputDir/x.log", "the run left no a.run in $outputDir", id="not all"),
    ],
)
def test_a_run_without_the_output_it_promised_fails_at_the_output(
    workspace: Path, inputs: Path, held: Enclosure, named: tuple[str, ...], run: str, reason: str
) -> None:
    result = replayed(workspace, system(run, output=named), inputs, held)

    assert (result.succeeded, result.stage, result.reason) == (False, Stage.OUTPUT, reason)


@pytest.mark.parametrize(
    ("named", "run"),
    [
        pytest.param("codes[1].tsv", "touch '$outputDir/codes[1].tsv'", id="brackets"),
        pytest.param("runs", "mkdir $outputDir/runs; touch $outputDir/runs/a.run", id="a folder"),
        pytest.param("*.run", "touch $outputDir/a.run", id="a pattern"),
    ],
)
def test_output_is_there_as_the_manifest_names_it(
    workspace: Path, inputs: Path, held: Enclosure, named: str, run: str
) -> None:
    result = replayed(workspace, system(run.replace("'", '"'), output=(named,)), inputs, held)

    assert (result.succeeded, result.reason) == (True, "")


def test_an_unknown_configuration_is_refused_with_those_there_are(
    workspace: Path, inputs: Path, held: Enclosure
) -> None:
    manifest = replace(system(COUNT), configurations={"fast": Configuration("fast", (COUNT,))})

    with pytest.raises(UsageError, match="'counter' has no configuration 'default'; it has: fast"):
        replayed(workspace, manifest, inputs, held)


def test_a_workspace_without_a_system_is_refused(tmp_path: Path, inputs: Path, held: Enclosure) -> None:
    with pytest.raises(FileError, match="expected a folder 'system' with the unpacked bundle, found none"):
        replayed(tmp_path / "empty", system(COUNT), inputs, held)


def test_a_folder_of_inputs_that_is_not_there_is_refused(workspace: Path, tmp_path: Path, held: Enclosure) -> None:
    with pytest.raises(FileError, match="expected the folder of a data set, found none"):
        replayed(workspace, system(COUNT), tmp_path / "nowhere", held)


# What is written down ------------------------------------------------------------------------------------------


def test_a_replay_is_the_same_when_it_was_written_down_and_read_again(
    workspace: Path, inputs: Path, held: Enclosure
) -> None:
    result = replayed(workspace, system("exit 1"), inputs, held)

    values = json.loads(json.dumps(as_json(result)))

    assert values["schema"] == "primad.replay/1"
    assert replayed_of(values) == result
    assert read_replayed(workspace) == result


@pytest.mark.parametrize(
    ("values", "found"),
    [
        pytest.param({"schema": "primad.replay/9"}, "found 'primad.replay/9'", id="other schema"),
        pytest.param({"schema": "primad.replay/1"}, "found one that is not whole", id="cut"),
    ],
)
def test_what_is_no_replay_is_refused(values: dict[str, object], found: str) -> None:
    with pytest.raises(DataError, match=found):
        replayed_of(values)


def test_secrets_are_neither_in_the_transcript_nor_in_the_record(
    workspace: Path, inputs: Path, held: Enclosure
) -> None:
    secret = "hf_abcdefghij1234567890abcdefghij1234"  # noqa: S105 - none that anybody has

    result = replayed(workspace, system(f"HF_TOKEN={secret} env | grep HF; touch $outputDir/x"), inputs, held)

    assert result.succeeded
    assert secret not in (workspace / TRANSCRIPT).read_text(encoding="utf-8")
    assert secret not in (workspace / JOURNAL).read_text(encoding="utf-8")
    assert result.steps[0].command == "HF_TOKEN=REDACTED env | grep HF; touch $outputDir/x"


# Going on ------------------------------------------------------------------------------------------------------


def test_a_replay_resumes_behind_what_was_installed(workspace: Path, inputs: Path, held: Enclosure) -> None:
    install = ("echo x >> first; echo home > ~/kept", "test -e fixed", "echo x >> third")
    manifest = system(COUNT, install=install)
    failed = replayed(workspace, manifest, inputs, held)
    (workspace / "system" / "fixed").touch()

    result = replayed(workspace, manifest, inputs, held, resume=True)

    assert failed.stage is Stage.INSTALL
    assert result.succeeded, result.reason
    assert [step.command for step in result.steps] == [*install, COUNT]
    assert result.steps[0] == failed.steps[0]
    assert (workspace / "system" / "first").read_text(encoding="utf-8") == "x\n"
    assert (workspace / "home" / "kept").exists()
    assert read_replayed(workspace) == result


def test_nothing_is_kept_of_an_installation_by_other_commands(workspace: Path, inputs: Path, held: Enclosure) -> None:
    replayed(workspace, system("exit 1", install=("echo x >> first",)), inputs, held)

    result = replayed(workspace, system(COUNT, install=("echo y >> first",)), inputs, held, resume=True)

    assert [step.command for step in result.steps] == ["echo y >> first", COUNT]


def test_a_run_that_is_repeated_finds_an_empty_output(workspace: Path, inputs: Path, held: Enclosure) -> None:
    deep = (
        "cd $outputDir; for i in $(seq 40); do mkdir d; cd d; done; ln -s /etc/passwd $outputDir/l; chmod 0 $outputDir"
    )
    replayed(workspace, system(deep), inputs, held)

    shown: list[str] = []
    result = replayed(workspace, system("ls -A $outputDir", COUNT), inputs, held, shown, resume=True)

    assert (result.succeeded, said_by_steps(shown)) == (True, [])
    assert [produced.path for produced in result.output] == ["count.txt"]


def test_a_torn_last_line_of_the_steps_is_passed_over(workspace: Path, inputs: Path, held: Enclosure) -> None:
    manifest = system("exit 1", install=("echo x >> first",))
    before = replayed(workspace, manifest, inputs, held)
    with (workspace / JOURNAL).open("ab") as stream:
        stream.write(b'{"began": "2016-')

    assert read_replayed(workspace) == before
    assert replayed(workspace, manifest, inputs, held, resume=True).steps[0] == before.steps[0]
    assert not read_replayed(workspace).succeeded


def test_there_is_nothing_to_read_where_nothing_was_replayed(workspace: Path) -> None:
    with pytest.raises(FileError, match="expected the steps of a replay, found none"):
        read_replayed(workspace)


KILLED = """
    import sys
    from pathlib import Path
    from primad.replay.manifest import Configuration, Manifest
    from primad.replay.replaying import replay
    from primad.replay.result import Limits
    from primad.replay.sandbox.ladder import find_sandbox

    workspace, inputs = map(Path, sys.argv[1:])
    run = "echo $$ > $outputDir/half; echo at work; sleep 60"
    configurations = {"default": Configuration("default", (run,))}
    manifest = Manifest("s", install=("echo installed > done",), configurations=configurations)
    held = find_sandbox()
    replay(workspace, manifest, inputs=inputs, configuration="default", sandbox=held, limits=Limits(), show=print)
"""


def wait_for(condition: Callable[[], bool]) -> None:
    """Return as soon as CONDITION holds, and fail the test if that takes too long."""
    for _ in range(1500):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("waited in vain")


def has_text(path: Path, text: str) -> bool:
    return path.exists() and text in path.read_text(encoding="utf-8")


def processes_below(folder: Path) -> list[int]:
    """Return the processes that were told to show FOLDER."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if os.fsencode(folder) in path.read_bytes() and int(path.parent.name) != os.getpid():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=["kill", "term", "interrupt"])
def test_a_replay_whose_process_ends_leaves_no_process_and_says_how_far_it_got(
    workspace: Path, inputs: Path, held: Enclosure, number: signal.Signals
) -> None:
    arguments = [sys.executable, "-c", textwrap.dedent(KILLED), str(workspace), str(inputs)]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_for(lambda: has_text(workspace / TRANSCRIPT, "\nat work\n"))
        process.send_signal(number)

    left = read_replayed(workspace)

    wait_for(lambda: not processes_below(workspace))
    assert (left.succeeded, left.stage) == (False, Stage.RUN)
    assert [(step.stage, step.status) for step in left.steps] == [(Stage.INSTALL, 0)]
    assert left.reason.startswith("the replay was cut off in the run step (echo $$ > $outputDir/half; ")
    assert left.remarks[-1] == "transcript: at work"
    again = replayed(workspace, system(COUNT, install=("echo installed > done",)), inputs, held, resume=True)
    assert [produced.path for produced in again.output] == ["count.txt"]
    assert again.steps[0] == left.steps[0]


RUNS_ON = """
    import sys
    from pathlib import Path
    from primad.replay.manifest import Configuration, Manifest
    from primad.replay.replaying import replay
    from primad.replay.result import Limits, Rung
    from primad.replay.sandbox.ladder import find_sandbox

    workspace, inputs = map(Path, sys.argv[1:3])
    run = f"(setsid sleep 4331.{sys.argv[3]} &); echo at work; sleep 4331.{sys.argv[3]}"
    manifest = Manifest("s", configurations={"default": Configuration("default", (run,))})
    held = find_sandbox(wanted=Rung.PLAIN, trust=True)
    replay(workspace, manifest, inputs=inputs, configuration="default", sandbox=held, limits=Limits(), show=print)
"""


def test_processes_that_a_killed_replay_left_on_the_plain_rung_can_be_ended(workspace: Path, inputs: Path) -> None:
    arguments = [sys.executable, "-c", textwrap.dedent(RUNS_ON), str(workspace), str(inputs), str(OWN)]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_for(lambda: has_text(workspace / TRANSCRIPT, "\nat work\n"))
        process.kill()
    assert has_process(f"sleep 4331.{OWN}")

    ended = end_leftovers(workspace)

    assert ended >= 2
    assert not has_process(f"sleep 4331.{OWN}")
    assert end_leftovers(workspace) == 0
    assert read_replayed(workspace).stage is Stage.RUN


def test_there_are_no_leftovers_where_nothing_was_replayed_or_all_has_ended(
    workspace: Path, inputs: Path, held: Enclosure
) -> None:
    before = end_leftovers(workspace)
    replayed(workspace, system(COUNT), inputs, held)

    assert (before, end_leftovers(workspace)) == (0, 0)
