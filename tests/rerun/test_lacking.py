"""Is what a record does not say found before anything is run, and can a person help?"""

import shutil
from pathlib import Path

import pytest

from primad.metadata.capture import Environment
from primad.metadata.reading import read_record
from primad.metadata.record import Record
from primad.rerun import Given, Lack, missing, plan, rerun
from primad.rerun.given import origin_of
from primad.rerun.inputs import Needed, Place
from primad.rerun.libraries import Libraries, held_against, requirements
from primad.rerun.planning import given_for
from primad.rerun.running import shell_text
from primad.rerun.stated import File, Stated, stated_in
from tests.rerun.recorded import COMMAND, DOCUMENTS, LIMITS, SEARCH, altered, committed, git, recorded, untracked

COMMIT = "implementation.source.commit"
REPOSITORY = "implementation.source.repository"
CMD = "implementation.executable.cmd"
INPUTS = "data.inputs"


def essential(lacks: tuple[Lack, ...]) -> list[str]:
    return [lack.field for lack in lacks if lack.is_essential]


def told(lacks: tuple[Lack, ...]) -> list[str]:
    return [lack.field for lack in lacks if not lack.is_essential]


# The list -------------------------------------------------------------------------------------------------------


def test_a_record_that_says_nothing_lacks_code_and_command() -> None:
    lacks = missing(Record({"tag": "bm25"}))

    assert essential(lacks) == [REPOSITORY, COMMIT, CMD]
    assert lacks[0].remedy == "name one on this disk: --repo DIR"
    assert told(lacks) == ["platform.software.runtime"]


def test_a_recorded_run_lacks_nothing_where_its_repository_is(made: Path) -> None:
    assert missing(read_record(made), given_for(made)) == ()


def test_a_recorded_run_lacks_a_repository_elsewhere(made: Path, tmp_path: Path) -> None:
    run = Path(shutil.copy(made, tmp_path / "mine.run"))

    assert essential(missing(read_record(run), given_for(run))) == [REPOSITORY]


def test_a_repository_in_the_network_is_not_fetched_unless_that_is_wanted(made: Path) -> None:
    address = "https://someone:ghp_0123456789abcdefghijklmnopqrstuvwxyz@example.org/x.git"
    tree = read_record(made).tree
    source = tree["implementation"]["source"] | {"repository": address}
    record = Record(tree | {"implementation": tree["implementation"] | {"source": source}})

    (lack,) = missing(record)

    assert lack.what == "https://example.org/x.git is not on this disk"
    assert "--fetch" in lack.remedy
    assert missing(record, Given(fetch=True)) == ()


def test_a_commit_that_the_repository_does_not_have_is_told(made: Path, tmp_path: Path) -> None:
    run = altered(made, tmp_path / "mine.run", implementation__source__commit="0123456789abcdef")

    lack = missing(read_record(run), Given(repository=made.parent))[0]

    assert (lack.field, lack.what) == (COMMIT, f"{made.parent} does not have 0123456789ab")


def test_a_folder_that_is_no_repository_is_told(made: Path, tmp_path: Path) -> None:
    lacks = missing(read_record(made), Given(repository=tmp_path))

    assert [lack.what for lack in lacks] == [f"{tmp_path} is no repository that git reads"]


def test_a_working_tree_with_changes_is_told_and_the_commit_is_run(tmp_path: Path) -> None:
    folder = tmp_path / "repository"
    committed(folder, {"search.py": SEARCH, "data/docs.txt": DOCUMENTS})
    (folder / "data" / "docs.txt").write_text("d8 d7 d6\n")
    run = recorded(folder)

    found = rerun(run, limits=LIMITS)

    assert told(found.plan.lacks) == ["implementation.source.uncommitted changes"]
    assert found.agreement == "different items"


def test_code_that_was_changed_while_the_command_ran_is_told(made: Path, tmp_path: Path) -> None:
    run = altered(made, tmp_path / "mine.run", implementation__source__after={"commit": "0123456789abcdef"})

    assert told(missing(read_record(run), Given(repository=made.parent))) == ["implementation.source.after"]


def test_a_secret_that_was_taken_out_of_the_command_is_lacking(made: Path, tmp_path: Path) -> None:
    run = altered(made, tmp_path / "mine.run", implementation__executable__cmd="python3 search.py --api-key REDACTED")

    assert essential(missing(read_record(run), Given(repository=made.parent))) == [CMD]


def test_a_path_of_the_authors_machine_is_lacking_until_it_is_given(made: Path, tmp_path: Path) -> None:
    command = "python3 search.py /home/ada/docs.txt mine.run"
    run = altered(made, tmp_path / "mine.run", implementation__executable__cmd=command)
    documents = tmp_path / "here.txt"
    documents.write_text(DOCUMENTS)

    without = rerun(run, repository=made.parent, limits=LIMITS)
    found = rerun(run, repository=made.parent, inputs=[("/home/ada/docs.txt", documents)], limits=LIMITS)

    assert essential(without.plan.lacks) == [CMD]
    assert without.steps == ()
    assert "--input /home/ada/docs.txt=PATH" in without.plan.lacks[0].remedy
    assert found.agreement == "identical bytes"
    assert found.steps[0].command.endswith(f"search.py {documents} mine.run")


def test_files_of_the_repository_may_be_named_by_absolute_paths(tmp_path: Path) -> None:
    folder = tmp_path / "repository"
    committed(folder, {"search.py": SEARCH, "data/docs.txt": DOCUMENTS})
    run = recorded(folder, (COMMAND[0], str(folder / "search.py"), str(folder / "data" / "docs.txt"), "mine.run"))
    away = tmp_path / "away"
    folder.rename(away)

    found = rerun(away / run.name, limits=LIMITS)

    assert found.agreement == "identical bytes"
    assert found.steps[0].command.endswith(" search.py data/docs.txt mine.run")


def test_libraries_that_are_not_stated_are_told(made: Path) -> None:
    tree = read_record(made).tree
    record = Record({name: part for name, part in tree.items() if name != "platform"})

    assert told(missing(record, given_for(made))) == ["platform.software.libraries", "platform.software.runtime"]


# Inputs ---------------------------------------------------------------------------------------------------------


def test_a_file_in_no_commit_is_taken_from_the_working_folder_if_it_is_the_recorded_one(loose: Path) -> None:
    assert rerun(loose, limits=LIMITS).agreement == "identical bytes"


def test_a_file_that_has_changed_since_is_lacking_and_nothing_is_run(loose: Path) -> None:
    (loose.parent / "data" / "docs.txt").write_text("d9\n")

    found = rerun(loose, limits=LIMITS)

    (lack,) = found.plan.lacks
    assert lack.field == INPUTS
    assert lack.what == "'data/docs.txt' is read, and it is not in the commit, and the one at hand is another file"
    assert (found.recreated, found.steps, found.sandbox) == (False, (), None)
    assert found.reason == "something that is needed is not known"


@pytest.mark.parametrize(("name", "given"), [("./data/docs.txt", "docs.txt"), ("data", ".")], ids=["file", "folder"])
def test_a_file_is_taken_from_where_the_person_says(loose: Path, tmp_path: Path, name: str, given: str) -> None:
    shutil.rmtree(loose.parent / "data")
    elsewhere = tmp_path / "my data"
    elsewhere.mkdir(mode=0o700)
    (elsewhere / "docs.txt").write_text(DOCUMENTS)
    (elsewhere / "docs.txt").chmod(0o600)

    found = rerun(loose, inputs=[(name, elsewhere / given)], limits=LIMITS)

    assert found.agreement == "identical bytes", found.last_lines
    assert found.plan.lacks == ()


def test_another_file_than_the_recorded_one_is_told_and_used(loose: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("d8 d7\n")

    found = rerun(loose, inputs=[("data/docs.txt", other)], limits=LIMITS)

    assert [lack.what for lack in found.plan.lacks] == ["data/docs.txt is another file than the one that was read"]
    assert found.agreement == "different items"
    assert found.record is not None
    assert [file["path"] for file in found.record["data.inputs"]] == ["search.py"]


def test_an_input_cannot_be_written_to(tmp_path: Path) -> None:
    spoiling = SEARCH + "open(source, 'a').write('d9')\n"
    folder = tmp_path / "repository"
    committed(folder, {"search.py": spoiling})
    documents = tmp_path / "docs.txt"
    documents.write_text(DOCUMENTS)
    documents.chmod(0o666)
    run = altered(
        recorded_without_trace(folder, documents),
        tmp_path / "mine.run",
        implementation__executable__cmd="python3 search.py docs.txt mine.run",
    )
    documents.write_text(DOCUMENTS)

    found = rerun(run, repository=folder, inputs=[("docs.txt", documents)], limits=LIMITS)

    assert "Read-only file system" in "\n".join(found.last_lines)
    assert documents.read_text() == DOCUMENTS


def recorded_without_trace(folder: Path, documents: Path) -> Path:
    """Return the run of the system in FOLDER on DOCUMENTS, of which nobody knows which files it read."""
    return recorded(folder, (COMMAND[0], "search.py", str(documents), "mine.run"), trace=False)


def test_a_file_at_hand_of_which_nothing_was_recorded_is_told_but_not_taken(tmp_path: Path) -> None:
    run = untracked(tmp_path / "repository", trace=False)

    found = rerun(run, limits=LIMITS)

    assert told(found.plan.lacks) == [INPUTS]
    assert found.plan.lacks[0].remedy == "say where it is: --input data/docs.txt=PATH"
    assert "No such file or directory: 'data/docs.txt'" in "\n".join(found.last_lines)


def test_a_file_that_is_given_has_to_be_there(made: Path, tmp_path: Path) -> None:
    lacks = missing(read_record(made), given_for(made, inputs={"data/docs.txt": tmp_path / "gone"}))

    assert [lack.what for lack in lacks] == [f"'data/docs.txt' is read, and there is no {tmp_path / 'gone'}"]


# The plan -------------------------------------------------------------------------------------------------------


def test_the_plan_names_the_steps_and_does_nothing(made: Path, scratch: Path) -> None:
    found = plan(made)

    assert [one.step for one in found.steps] == ["clone", "environment", "inputs", "command", "result"]
    assert found.steps[0].does == f"clone {made.parent} at commit {git(made.parent, 'rev-parse', 'HEAD')[:12]}"
    assert found.steps[0].needs == "no network"
    assert found.steps[2].needs == "2 in the commit"
    assert found.is_possible
    assert list(scratch.iterdir()) == []


def test_the_nearest_place_that_has_the_code_is_chosen(made: Path) -> None:
    stated = Stated(repository="https://example.org/x.git", commit=git(made.parent, "rev-parse", "HEAD"))

    origins = [
        origin_of(stated, given) for given in (Given(), Given(here=(made.parent,)), Given(repository=Path("/r")))
    ]

    assert [(one.place, one.is_local) for one in origins if one] == [
        ("https://example.org/x.git", False),
        (str(made.parent), True),
        ("/r", True),
    ]


# Parts ----------------------------------------------------------------------------------------------------------


def test_what_a_record_states_in_a_wrong_form_is_not_stated() -> None:
    record = Record(
        {
            "implementation": {"source": {"commit": 1234567, "repository": ["x"]}, "executable": {"cmd": {"a": 1}}},
            "data": {"inputs": ["x", {"path": "y"}, {"sha256": "z"}]},
        }
    )

    stated = stated_in(record)

    assert (stated.commit, stated.repository, stated.command) == ("1234567", "", "")
    assert stated.inputs == (File("y"),)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("python3 a.py x", "PY a.py x"),
        ("/home/ada/venv/bin/python3.9 a.py", "PY a.py"),
        (".venv/bin/python a.py", "PY a.py"),
        ("nice -n 5 /opt/conda/bin/python a.py", "nice -n 5 PY a.py"),
        ("bash -c 'python3 a.py'", "bash -c 'python3 a.py'"),
        ("python3 a.py --docs=/home/ada/d/x.txt", "PY a.py --docs=/here/x.txt"),
        ("python3 a.py /home/ada/deep", "PY a.py /home/ada/deep"),
        ("python3 a.py < /home/ada/d/x.txt > out.run", "PY a.py < /here/x.txt > out.run"),
        ("python3 a.py -o /home/ada/out.run", 'PY a.py -o "$outputDir"/out.run'),
        ("python3 a.py '/home/ada/my runs/mine.run'", 'PY a.py "$outputDir"/mine.run'),
    ],
)
def test_a_command_is_left_as_it_is_but_for_paths_of_another_machine(command: str, expected: str) -> None:
    given = Given(inputs={"/home/ada/d": Path("/here")}, run="mine.run")
    items = (Needed("/home/ada/d", Place.GIVEN, Path("/here")),)

    assert shell_text(Stated(command=command), given, items, "PY") == expected


def test_libraries_are_held_against_those_of_an_environment_by_name_and_version() -> None:
    stated = Stated(libraries=("NumPy==2.1.0", "scikit_learn==1.5", "gone==1"), runtimes=("python==3.9.1",))
    here = Environment("python==3.11.7", ("numpy==2.1.0", "scikit-learn==1.6", "more==3"))

    held = held_against(stated, here)

    assert held == Libraries(1, (("scikit-learn", "1.5", "1.6"),), ("gone 1",), "Python is 3.11.7, not 3.9.1")
    assert held.sentences == (
        "1 of 3 stated libraries are here in the same version",
        "Python is 3.11.7, not 3.9.1",
        "scikit-learn is 1.6, not 1.5",
        "not here: gone 1",
    )


def test_only_names_with_versions_are_given_to_pip() -> None:
    hostile = ("--index-url=http://evil", "x @ git+ext::sh", "a==1; import os", "pip==23.0", "numpy==2.1.0", "b==*")

    assert requirements(Stated(libraries=hostile)) == (
        ("numpy==2.1.0",),
        ("--index-url=http://evil", "x @ git+ext::sh", "a==1; import os", "b==*"),
    )
