"""Is a person on a terminal asked for what is missing, once, in words that help, and remembered?"""

import io
import os
import re
import select
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from primad.cli._asking import ask_for_missing, remember_actor, remembered_actor
from primad.metadata.annotation import annotate
from primad.metadata.reading import read_record
from primad.metadata.record import Record

RANKING = b"301 Q0 FT911-3 1 0.5 bm25\n"
ESSENTIAL = (
    "platform.software.libraries",
    "implementation.executable.cmd",
    "implementation.source.repository",
    "implementation.source.commit",
    "method.automatic",
    "method.retrieval[0].name",
    "actor.name",
    "actor.role (experimenter or reproducer)",
    "data.test collection.name",
)
ANSWERS = (
    "numpy==2.4.0",
    "search.py --k1 0.9",
    "https://example.org/team/code",
    "9548e6",
    "yes",
    "bm25",
    "Ann",
    "experimenter",
    "Core17",
)
ALL_BUT_THE_ACTOR = Record(
    {
        "tag": "bm25",
        "platform": {"software": {"libraries": {"python": ["numpy==2.4.0"]}}},
        "implementation": {"executable": {"cmd": "x"}, "source": {"repository": "https://x.org", "commit": "9548e6"}},
        "method": {"automatic": True, "retrieval": [{"name": "bm25"}]},
        "data": {"test collection": {"name": "Core17"}},
    }
)
PRIMAD = str(Path(sys.executable).with_name("primad"))
PROMPT = re.compile(rb"value, or nothing to leave it out(?: \[[^\]]*\])?: \Z")
QUESTION = re.compile(r"^([a-z][^:\n]*): .*$", re.MULTILINE)
CONTROL_D = b"\x04"
LONGEST_WAIT = 60  # seconds after which a test fails rather than waits


class Terminal:
    """A command on a terminal of its own, and somebody who types."""

    def __init__(self, *command: str, folder: Path) -> None:
        """Start COMMAND in FOLDER, at home in it."""
        self.side, theirs = os.openpty()
        self.said = b""
        self.process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env={"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")},
            start_new_session=True,
        )
        os.close(theirs)
        self.patience = time.monotonic() + LONGEST_WAIT

    def answer(self, *lines: str | bytes) -> None:
        """Wait for a question before each of LINES is typed."""
        for line in lines:
            while not PROMPT.search(self.said):
                assert self._listen(), f"expected a question, found: {self.said!r}"
            self.said += b"\n"  # so that the question is not taken for the next one
            os.write(self.side, line if isinstance(line, bytes) else f"{line}\n".encode())

    def end(self) -> str:
        """Wait for the end, and return all that was said."""
        while self._listen():
            pass
        self.hang_up()
        return self.said.decode(errors="replace").replace("\r\n", "\n")

    def hang_up(self) -> None:
        """Take the terminal away and wait for the end."""
        os.close(self.side)
        self.process.wait(LONGEST_WAIT)

    def _listen(self) -> bool:
        """Hear the next words; False when there will be none."""
        if not select.select([self.side], [], [], self.patience - time.monotonic())[0]:
            self.process.kill()
            self.hang_up()
            raise AssertionError(f"nothing was said for too long after: {self.said!r}")
        try:
            heard = os.read(self.side, 1 << 16)
        except OSError:  # the other side has closed it
            return False
        self.said += heard
        return bool(heard)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Make a run that says nothing."""
    path = tmp_path / "a.run"
    path.write_bytes(RANKING)
    return path


def asking(run: Path, *arguments: str) -> Terminal:
    """Start ``primad annotate RUN --ask ARGUMENTS`` on a terminal."""
    return Terminal(PRIMAD, "annotate", str(run), "--ask", "-i", "--no-capture", *arguments, folder=run.parent)


def questions(said: str) -> list[str]:
    """Return the fields that were asked for."""
    return QUESTION.findall(said)


# On a terminal -----------------------------------------------------------------------------------------------


def test_each_essential_field_that_is_missing_is_asked_for_and_the_answers_are_written(run: Path) -> None:
    terminal = asking(run)
    terminal.answer(*ANSWERS)
    said = terminal.end()

    values = {field.partition(" (")[0]: answer for field, answer in zip(ESSENTIAL, ANSWERS, strict=True)}
    assert terminal.process.returncode == 0
    assert questions(said) == list(ESSENTIAL)
    assert run.read_bytes() == annotate(RANKING, values=values).data
    assert read_record(run)["method"] == {"automatic": True, "retrieval": [{"name": "bm25"}]}


def test_a_question_says_what_is_meant_with_an_example_and_why_it_matters(run: Path) -> None:
    terminal = asking(run)
    terminal.answer(*[""] * len(ESSENTIAL))
    said = terminal.end()

    assert "such as {python: [scikit-learn==0.20.1, numpy==1.15.4], java: [lucene==7.6]}\n  Defaults" in said
    assert (
        "\nmethod.retrieval[0].name: Name of the stage, by which other stages refer to it, such as bm25\n"
        "  Without names the stages cannot be linked to each other or to the stages of another run, and the pipeline "
        "falls apart into a heap of parameters.\n"
        "  value, or nothing to leave it out: "
    ) in said
    assert (
        "\nactor.role (experimenter or reproducer): Whether the run is an experiment of its own or the reproduction of "
        "another, such as experimenter\n  The role decides"
    ) in said


def test_a_malformed_answer_is_refused_and_asked_for_again(run: Path) -> None:
    terminal = asking(run)
    terminal.answer("numpy==2.4.0", "search.py", "not an address", "https://example.org/code", "xyz", "9548e6")
    terminal.answer("perhaps", "no", "bm25", "Ann", "boss", "reproducer", "Core17", "WCrobust04")
    said = terminal.end()

    record = read_record(run)
    assert questions(said) == [*ESSENTIAL, "research goal.evaluation.baseline"]
    assert record["research goal.evaluation.baseline"] == ["WCrobust04"]
    assert "  expected the address of a repository, such as https://example.org/team/code or " in said
    assert "  expected a commit: 4 to 64 hexadecimal digits, found 'xyz'\n" in said
    assert "  expected true or false, found 'perhaps'\n" in said
    assert "  expected experimenter or reproducer, found 'boss'\n" in said
    assert (record["actor.role"], record["method.automatic"]) == ("reproducer", False)
    assert record["implementation.source"] == {"repository": "https://example.org/code", "commit": "9548e6"}


def test_bytes_that_are_no_text_are_refused_and_asked_for_again(run: Path) -> None:
    terminal = asking(run)
    terminal.answer("", "", "", "", "", "", b"Andr\xe9\n", "André", "", "")
    said = terminal.end()

    assert "  expected text, found bytes that are none\n" in said
    assert read_record(run)["actor"] == {"name": "André"}


def test_an_empty_answer_leaves_a_field_out(run: Path) -> None:
    terminal = asking(run)
    terminal.answer(*[""] * len(ESSENTIAL))
    terminal.end()

    assert terminal.process.returncode == 0
    assert run.read_bytes() == annotate(RANKING).data
    assert not (run.parent / "config").exists()


def test_what_is_stated_is_not_asked_for(run: Path) -> None:
    (run.parent / "me.yml").write_text(ALL_BUT_THE_ACTOR.to_yaml(), encoding="utf-8")

    terminal = asking(run, "--template", "me.yml", "--set", "actor.name=Ann")
    terminal.answer("experimenter")
    said = terminal.end()

    assert questions(said) == ["actor.role (experimenter or reproducer)"]
    assert read_record(run)["actor"] == {"name": "Ann", "role": "experimenter"}


def test_nobody_is_asked_where_nothing_is_missing(run: Path) -> None:
    (run.parent / "me.yml").write_text(ALL_BUT_THE_ACTOR.to_yaml(), encoding="utf-8")

    terminal = asking(run, "--template", "me.yml", "--set", "actor.name=Ann", "--set", "actor.role=reproducer")

    assert terminal.end() == ""
    assert terminal.process.returncode == 0


def test_who_has_answered_is_offered_the_same_next_time(run: Path) -> None:
    other = run.with_name("b.run")
    other.write_bytes(RANKING)
    first = asking(run)
    first.answer(*ANSWERS)
    first.end()

    second = asking(other)
    second.answer("", "", "", "", "", "", "", "reproducer", "", "")
    said = second.end()

    assert re.findall(r"leave it out \[(.*)\]: ", said) == ["Ann", "experimenter"]
    assert read_record(other)["actor"] == {"name": "Ann", "role": "reproducer"}
    assert read_record(run.parent / "config" / "primad" / "actor.yml").tree == {
        "actor": {"name": "Ann", "role": "reproducer"}
    }


def test_what_is_remembered_is_for_its_owner_only(run: Path) -> None:
    terminal = asking(run)
    terminal.answer(*ANSWERS)
    terminal.end()

    kept = run.parent / "config" / "primad" / "actor.yml"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert [path.name for path in kept.parent.iterdir()] == ["actor.yml"]


def test_the_end_of_input_is_the_end_of_the_questions_and_answers_so_far_count(run: Path) -> None:
    terminal = asking(run)
    terminal.answer("numpy==2.4.0", CONTROL_D)
    said = terminal.end()

    assert terminal.process.returncode == 0
    assert questions(said) == list(ESSENTIAL[:2])
    assert run.read_bytes() == annotate(RANKING, values={"platform.software.libraries": "numpy==2.4.0"}).data


def test_an_interrupt_leaves_the_run_as_it_was(run: Path) -> None:
    terminal = asking(run)
    terminal.answer("numpy==2.4.0", "search.py", "")
    while not PROMPT.search(terminal.said):
        assert terminal._listen()
    terminal.process.send_signal(signal.SIGINT)
    said = terminal.end()

    assert terminal.process.returncode not in (0, None)
    assert "Traceback" not in said
    assert run.read_bytes() == RANKING
    assert [path.name for path in run.parent.iterdir()] == ["a.run"]


def test_a_terminal_that_is_gone_is_the_end(run: Path) -> None:
    terminal = asking(run)
    terminal.answer("numpy==2.4.0")
    while not PROMPT.search(terminal.said):
        assert terminal._listen()
    terminal.hang_up()

    accepted = annotate(RANKING, values={"platform.software.libraries": "numpy==2.4.0"}).data
    assert run.read_bytes() in (RANKING, accepted)


@pytest.mark.parametrize("arguments", [("-",), ("a.run", "--template", "-")], ids=["run", "template"])
def test_a_terminal_is_for_answers_and_not_for_files(run: Path, arguments: tuple[str, ...]) -> None:
    terminal = Terminal(PRIMAD, "annotate", "--ask", "--no-capture", *arguments, folder=run.parent)
    said = terminal.end()

    message = "primad: --ask needs a terminal to ask on; give fields with --set or --template instead\n"
    assert (terminal.process.returncode, said) == (2, message)


# What is remembered ------------------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where answers are kept, in a place of this test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "primad" / "actor.yml"


def keep(kept: Path, content: str) -> None:
    kept.parent.mkdir(parents=True)
    kept.write_text(content, encoding="utf-8")


def type_in(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer questions with TEXT."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))


def test_answers_about_the_actor_are_remembered_by_field(kept: Path) -> None:
    remember_actor({"actor.name": "012", "actor.fields[0]": "ir"})

    assert kept.read_text(encoding="utf-8") == "actor:\n  name: '012'\n  fields:\n  - ir\n"
    assert remembered_actor() == {"actor.name": "012", "actor.fields[0]": "ir"}


def test_nothing_is_kept_where_nothing_was_answered(kept: Path) -> None:
    remember_actor({})

    assert not kept.parent.exists()


def test_a_secret_is_not_remembered(kept: Path) -> None:
    remember_actor({"actor.name": "ghp_" + "a1B2" * 9})

    assert kept.read_text(encoding="utf-8") == "actor:\n  name: REDACTED\n"


def test_what_others_could_read_is_hidden_when_it_is_written_again(kept: Path) -> None:
    keep(kept, "actor: {name: Ann}\n")
    kept.chmod(0o644)

    remember_actor({"actor.name": "Bob"})

    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert remembered_actor() == {"actor.name": "Bob"}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param("", {}, id="nothing"),
        pytest.param("actor: {name: Ann", {}, id="broken"),
        pytest.param("\x00", {}, id="no text"),
        pytest.param("301 Q0 d 1 0.5 t\n", {}, id="a run"),
        pytest.param("tag: a\n", {}, id="no actor"),
        pytest.param("tag: a\nactor: {name: Ann, team: }\n", {"actor.name": "Ann"}, id="more and less than the actor"),
        pytest.param("actor: {name: ENTER_VALUE_HERE}\n", {}, id="a placeholder"),
        pytest.param("actor: Ann\n", {"actor": "Ann"}, id="another shape"),
    ],
)
def test_of_what_was_kept_only_statements_about_the_actor_count(
    kept: Path, content: str, expected: dict[str, str]
) -> None:
    keep(kept, content)

    assert remembered_actor() == expected


def test_a_folder_in_the_place_of_the_file_is_nothing_remembered(kept: Path) -> None:
    kept.mkdir(parents=True)

    remember_actor({"actor.name": "Ann"})

    assert remembered_actor() == {}
    assert [*kept.iterdir()] == []


def test_a_file_in_the_place_of_the_folder_is_nothing_remembered(tmp_path: Path, kept: Path) -> None:
    (tmp_path / "config").write_bytes(b"")

    remember_actor({"actor.name": "Ann"})

    assert remembered_actor() == {}
    assert not kept.exists()


def test_a_place_with_too_long_a_name_is_nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/" + "x" * 300)

    remember_actor({"actor.name": "Ann"})

    assert remembered_actor() == {}


def test_without_a_place_for_configuration_it_is_below_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))

    remember_actor({"actor.name": "Ann"})

    assert (tmp_path / ".config" / "primad" / "actor.yml").is_file()


def test_a_person_without_a_home_is_asked_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 7)  # whom no list of users has
    type_in("Ann\nexperimenter\n", monkeypatch)

    assert ask_for_missing(ALL_BUT_THE_ACTOR) == {"actor.name": "Ann", "actor.role": "experimenter"}
    assert remembered_actor() == {}


def test_what_was_kept_and_does_not_fit_is_not_offered(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(kept, "actor: {name: Ann, role: boss, team: h2oloo}\n")
    type_in("\n\n", monkeypatch)

    answers = ask_for_missing(ALL_BUT_THE_ACTOR)

    assert answers == {"actor.name": "Ann"}
    assert "[boss]" not in capsys.readouterr().err


def test_what_was_kept_besides_stays(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(kept, "actor: {name: Ann, team: h2oloo}\n")
    type_in("Bob\nreproducer\n", monkeypatch)

    ask_for_missing(ALL_BUT_THE_ACTOR)

    assert remembered_actor() == {"actor.name": "Bob", "actor.team": "h2oloo", "actor.role": "reproducer"}


@pytest.mark.usefixtures("kept")
def test_an_answer_without_a_newline_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    type_in("Ann\nreproducer", monkeypatch)

    assert ask_for_missing(ALL_BUT_THE_ACTOR) == {"actor.name": "Ann", "actor.role": "reproducer"}
