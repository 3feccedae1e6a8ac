"""Recording a piece of Python, as context manager and decorator."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import bm25s
import pytest
from bm25s.tokenization import Tokenizer

import primad
from primad import Record, read_record
from primad.errors import DataError, FileError
from primad.metadata.recording.of_python import Recording

RUN = "".join(f"{topic} Q0 d{rank} {rank} {10 - rank} bm25\n" for topic in (301, 302) for rank in range(1, 4))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_run(path: Path) -> None:
    path.write_text(RUN)


def committed(repository: Path, name: str, text: str = "print(1)\n") -> str:
    """Make a repository with one committed file, and return the commit."""
    repository.mkdir()
    (repository / name).write_text(text)
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    for arguments in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "first"]):
        subprocess.run(["git", *arguments], cwd=repository, check=True)  # noqa: S607 - git is where the machine has it
    said = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=repository, text=True)  # noqa: S607 - as above
    return said.strip()


def test_a_run_handed_over_inside_is_annotated_at_the_end_with_the_whole_time(folder: Path) -> None:
    with primad.record(values={"actor.team": "h2oloo"}) as recording:
        write_run(folder / "bm25.run")
        recording.annotate("bm25.run")
        assert (folder / "bm25.run").read_text() == RUN
        time.sleep(0.2)

    record = read_record(folder / "bm25.run")
    assert record["actor.team"] == "h2oloo"
    assert record["resources.exit status"] == 0
    assert int(record["resources.runtime.wallclock"].removesuffix(" ms")) >= 200
    assert f"python=={sys.version.split()[0]}" in record["platform.software.runtime"]
    assert [path.name for path in folder.iterdir()] == ["bm25.run"]


def test_a_run_handed_over_afterwards_is_annotated_at_once(folder: Path) -> None:
    with primad.record() as recording:
        write_run(folder / "bm25.run")
    recording.annotate("bm25.run", {"tag": "other"})

    assert read_record(folder / "bm25.run").tag == "other"


def test_processor_time_of_children_is_counted(folder: Path) -> None:
    burn = "import time\nwhile time.process_time() < 0.5: pass"
    with primad.record() as recording:
        subprocess.run([sys.executable, "-c", burn], check=True)

    runtime = recording.tree["resources"]["runtime"]
    spent = sum(int(runtime[kind].removesuffix(" ms")) for kind in ("user", "system"))
    assert spent >= 500
    assert len(list(folder.glob("primad-*.yml"))) == 1


def test_an_exception_passes_through_and_leaves_a_record_instead_of_headers(folder: Path) -> None:
    def search() -> None:
        write_run(folder / "bm25.run")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), primad.record(runs=["bm25.run"]):
        search()

    (left,) = folder.glob("primad-*.yml")
    assert read_record(left)["resources.exit status"] == 1
    assert (folder / "bm25.run").read_text() == RUN


def test_each_call_of_a_decorated_function_is_a_recording_of_its_own(folder: Path) -> None:
    @primad.record(runs=["bm25.run"], values={"actor.name": "Ada"})
    def search(ending: str) -> str:
        (folder / "bm25.run").write_text(RUN.replace("bm25", ending))
        return ending

    assert search("first") == "first"
    first = read_record(folder / "bm25.run")
    assert search("second") == "second"
    second = read_record(folder / "bm25.run")

    assert (first.tag, second.tag) == ("first", "second")
    assert first["resources.runtime.start time"] < second["resources.runtime.start time"]


def test_the_method_is_described_by_its_stages(folder: Path) -> None:
    with primad.record(template=Record({"method": {"automatic": True}})) as recording:
        recording.method([{"name": "bm25", "k1": 0.9}])
        write_run(folder / "bm25.run")
        recording.annotate("bm25.run")

    assert read_record(folder / "bm25.run")["method"] == {"automatic": True, "retrieval": [{"name": "bm25", "k1": 0.9}]}


def test_a_tokenizer_gives_fields_of_indexing_without_a_remark_on_any_of_them(folder: Path) -> None:
    with primad.record() as recording:
        recording.method(Tokenizer(stopwords=[]), bm25s.BM25())
        write_run(folder / "bm25.run")
        recording.annotate("bm25.run")

    method = read_record(folder / "bm25.run")["method"]
    assert method["indexing"] == {
        "tokenizer": "bm25s.tokenization.Tokenizer",
        "pattern": r"(?u)\b\w\w+\b",
        "lowercase": True,
        "stemmer": "none",
        "stopwords": "none",
    }
    assert [stage["name"] for stage in method["retrieval"]] == ["bm25"]
    assert recording.remarks == ()


@pytest.mark.parametrize("pattern", ["[a-z]", "1.0", "~"])
def test_a_pattern_of_a_tokenizer_is_text_whatever_yaml_would_make_of_it(pattern: str, folder: Path) -> None:
    with primad.record() as recording:
        recording.method(Tokenizer(splitter=pattern))
        write_run(folder / "bm25.run")
        recording.annotate("bm25.run")

    assert read_record(folder / "bm25.run")["method.indexing.pattern"] == pattern


def test_a_tokenizer_wins_over_the_template_and_what_a_person_has_stated_over_both(folder: Path) -> None:
    template = Record({"method": {"automatic": True, "indexing": {"tokenizer": "ours", "language": "en"}}})
    with primad.record(template=template, values={"method.indexing.stemmer": "Porter"}) as recording:
        recording.method(Tokenizer())
        write_run(folder / "bm25.run")
        recording.annotate("bm25.run")

    method = read_record(folder / "bm25.run")["method"]
    assert (method["automatic"], method["indexing"]["language"]) == (True, "en")
    assert method["indexing"]["tokenizer"] == "bm25s.tokenization.Tokenizer"
    assert method["indexing"]["stemmer"] == "Porter"
    assert template.tree["method"]["indexing"] == {"tokenizer": "ours", "language": "en"}


def test_what_a_tokenizer_told_is_in_the_record_of_a_failure(folder: Path) -> None:
    def search(recording: Recording) -> None:
        recording.method(Tokenizer(lower=False))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), primad.record() as recording:
        search(recording)

    (left,) = folder.glob("primad-*.yml")
    assert read_record(left)["method.indexing.lowercase"] is False


def test_a_mapping_of_fields_is_what_a_person_states_and_a_misspelled_one_is_remarked(folder: Path) -> None:
    with primad.record() as recording:
        recording.method({"automatic": True, "indexing": {"stemer": "Porter", "tokenizer": "ours"}})
        write_run(folder / "bm25.run")
        recording.annotate("bm25.run")

    assert read_record(folder / "bm25.run")["method"] == {
        "automatic": True,
        "indexing": {"tokenizer": "ours", "stemer": "Porter"},
    }
    (remark,) = recording.remarks
    assert remark.startswith("'method.indexing.stemer' is no field of the schema and was added as it is; did you mean ")
    assert remark.endswith(" 'method.indexing.stemmer'?")


def test_a_name_with_a_dot_or_a_bracket_in_a_mapping_of_fields_is_one_name(folder: Path) -> None:
    with primad.record() as recording:
        recording.method({"indexing": {"max.length": 7, "fields[0]": "title"}, "my.own": 1})
        write_run(folder / "bm25.run")
        recording.annotate("bm25.run")

    method = read_record(folder / "bm25.run")["method"]
    assert method == {"indexing": {"max.length": 7, "fields[0]": "title"}, "my.own": 1}


def test_a_toolkit_describes_its_pipelines_by_an_adapter() -> None:
    (stage,) = primad.method_of(bm25s.BM25(k1=1.2))["method"]["retrieval"]

    assert (stage["name"], stage["method"], stage["k1"]) == ("bm25", "bm25s.BM25", 1.2)


def test_a_pipeline_that_no_adapter_knows_is_refused_by_its_type() -> None:
    with pytest.raises(DataError, match=r"found builtins\.int"):
        primad.method_of(3)


def test_annotating_before_the_recording_has_begun_is_refused() -> None:
    with pytest.raises(DataError, match="expected a recording that has begun"):
        primad.record().annotate("bm25.run")


def test_a_run_that_was_not_written_is_an_error_and_the_record_is_kept(folder: Path) -> None:
    with pytest.raises(FileError, match=r"absent\.run: no such file"), primad.record(runs=["absent.run"]):
        pass

    (left,) = folder.glob("primad-*.yml")
    assert read_record(left)["resources.exit status"] == 0


def test_the_record_goes_to_the_output_folder_as_well(folder: Path) -> None:
    with primad.record(output="records", runs=["bm25.run"]):
        write_run(folder / "bm25.run")

    (kept,) = (folder / "records").iterdir()
    assert read_record(kept)["resources"] == read_record(folder / "bm25.run")["resources"]


def test_values_for_one_run_do_not_reach_another(folder: Path) -> None:
    with primad.record() as recording:
        for name in ("a.run", "b.run"):
            write_run(folder / name)
            recording.annotate(name, {"tag": name})

    assert [read_record(folder / name).tag for name in ("a.run", "b.run")] == ["a.run", "b.run"]


def test_every_failure_leaves_a_record_of_its_own(folder: Path) -> None:
    @primad.record()
    def fail() -> None:
        raise ZeroDivisionError

    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            fail()

    assert len(list(folder.glob("primad-*.yml"))) == 3


@pytest.mark.parametrize(
    ("code", "status"),
    [
        pytest.param(None, 0, id="none"),
        pytest.param(0, 0, id="zero"),
        pytest.param(3, 3, id="number"),
        pytest.param("said", 1, id="text"),
    ],
)
def test_the_status_of_an_exit_is_recorded(folder: Path, code: object, status: int) -> None:
    def search() -> None:
        write_run(folder / "bm25.run")
        sys.exit(code)  # type: ignore[arg-type]  # any object may be a status

    with pytest.raises(SystemExit), primad.record(output="records", runs=["bm25.run"]):
        search()

    (kept,) = (folder / "records").iterdir()
    assert read_record(kept)["resources.exit status"] == status
    assert ((folder / "bm25.run").read_text() == RUN) == (status != 0)


def test_one_run_that_is_missing_does_not_keep_the_others_from_being_annotated(folder: Path) -> None:
    with pytest.raises(FileError, match=r"absent\.run"), primad.record(runs=["absent.run", "bm25.run"]):
        write_run(folder / "bm25.run")

    assert read_record(folder / "bm25.run")["resources.exit status"] == 0


def test_what_was_stated_is_in_the_record_of_a_failure(folder: Path) -> None:
    def search(recording: Recording) -> None:
        recording.method([{"name": "bm25"}])
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), primad.record(values={"actor.name": "Ada"}) as recording:
        search(recording)

    (left,) = folder.glob("primad-*.yml")
    record = read_record(left)
    assert record["actor.name"] == "Ada"
    assert record["method.retrieval"] == [{"name": "bm25"}]


def test_memory_of_children_counts(folder: Path) -> None:
    with primad.record() as recording:
        subprocess.run([sys.executable, "-c", "bytearray(900_000_000)"], check=True)

    assert float(recording.tree["resources"]["ram"]["peak"].removesuffix(" MB")) >= 900
    assert folder.is_dir()


def test_the_repository_of_the_code_can_be_another_than_that_of_the_working_folder(folder: Path) -> None:
    code = folder / "elsewhere"
    commit = committed(code, "search.py")
    with primad.record(code=code / "search.py") as recording:
        write_run(folder / "bm25.run")
        recording.annotate("bm25.run")

    record = read_record(folder / "bm25.run")
    assert record["implementation.source.commit"] == commit
    assert "folder" not in record["implementation.executable"]


@pytest.mark.parametrize("ignored", [".venv\n", "nothing\n"], ids=["ignored", "untracked"])
def test_code_that_a_repository_does_not_track_is_not_taken_for_its_own(folder: Path, ignored: str) -> None:
    committed(folder / "project", ".gitignore", text=ignored)
    installed = folder / "project" / ".venv" / "package"
    installed.mkdir(parents=True)
    with primad.record(code=installed) as recording:
        write_run(folder / "bm25.run")
        recording.annotate("bm25.run")

    assert read_record(folder / "bm25.run").get("implementation.source") is None


def test_the_command_that_does_the_work_again_can_be_stated(folder: Path) -> None:
    with primad.record(command=["primad", "demo", "--seed", "7"]) as recording:
        write_run(folder / "bm25.run")
        recording.annotate("bm25.run")

    executable = read_record(folder / "bm25.run")["implementation.executable"]
    assert executable["cmd"] == "primad demo --seed 7"
    assert executable["program"] == "primad"
