"""Does `primad export` write what other tools read, and say what they will not find?"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import primad as library
from primad.cli.export import FORMATS
from primad.exchange.catalogue import formats
from tests.archive.described import write_qrels, write_run
from tests.cli.running import primad

RUN = b"301 Q0 d1 1 2.5 bm25\n301 Q0 d2 2 1.5 bm25\n"
RECORDED = {
    "actor.name": "Ada Example",
    "actor.orcid": "0000-0002-1825-0097",
    "research goal.description": "Ranks documents by BM25.",
    "method.retrieval[0].name": "bm25",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, which has an annotated run."""
    monkeypatch.chdir(tmp_path)
    library.annotate(RUN, values=RECORDED).save(tmp_path / "bm25.run")
    return tmp_path


def test_all_formats_are_listed_with_what_can_be_done_with_them() -> None:
    outcome = primad("export", "--list")

    rows = {line.split()[0]: line for line in outcome.out.splitlines()[2:]}
    assert (outcome.code, outcome.err) == (0, "")
    assert {"ro-crate", "datacite", "cff", "bibtex", "schema.org", "prov", "nanopub", "cwl", "datasheet"} < rows.keys()
    assert "folder  yes" in rows["ro-crate"]
    assert "-       yes" in rows["mlflow"]


def test_the_formats_in_the_help_are_those_of_the_catalogue() -> None:
    assert list(FORMATS) == [name for name, form in formats().items() if form.write]


def test_authors_and_description_are_said_on_the_command_line() -> None:
    said = (
        "--author",
        "Lovelace, Ada (0000-0002-0661-7189)",
        "--author",
        "Grace Hopper",
        "--description",
        "A baseline.",
    )

    outcome = primad("export", "bm25.run", "--to", "datacite", "--licence", "MIT", *said)

    document = json.loads(outcome.out)
    assert [one["name"] for one in document["creators"]] == ["Lovelace, Ada", "Hopper, Grace"]
    assert document["creators"][0]["nameIdentifiers"][0]["nameIdentifier"] == "https://orcid.org/0000-0002-0661-7189"
    assert document["descriptions"][0] == {"description": "A baseline.", "descriptionType": "Abstract"}
    assert document["rightsList"][0]["rightsIdentifier"] == "MIT"


def test_a_text_goes_to_standard_output_and_what_is_lost_to_standard_error() -> None:
    outcome = primad("export", "bm25.run", "--to", "bibtex", "--date", "2026-11-17")

    assert outcome.code == 0
    assert outcome.out.startswith("@")
    assert "author = {Example, Ada}" in outcome.out
    (carried,) = [line for line in outcome.err.splitlines() if line.startswith("primad: not carried: ")]
    assert "the content of 1 run" in carried.split("; ")


def test_a_text_can_go_to_a_file(folder: Path) -> None:
    printed = primad("export", "bm25.run", "--to", "cff", "--date", "2026-11-17").out

    outcome = primad("export", "bm25.run", "--to", "cff", "--date", "2026-11-17", "--output", "CITATION.cff")

    assert (outcome.code, outcome.out) == (0, "")
    assert (folder / "CITATION.cff").read_text() == printed
    assert outcome.err.startswith("primad: bm25 as cff in CITATION.cff, 1 file\n")


def test_a_folder_can_be_packed_and_the_same_thing_packs_to_the_same_bytes(folder: Path) -> None:
    for name in ("one.zip", "two.zip"):
        arguments = ("--license", "CC-BY-4.0", "--date", "2026-11-17", "--output", name)
        assert primad("export", "bm25.run", "--to", "ro-crate", *arguments).code == 0

    assert (folder / "one.zip").read_bytes() == (folder / "two.zip").read_bytes()


def test_what_was_written_is_told_to_programs() -> None:
    outcome = primad("export", "bm25.run", "--to", "datacite", "--format", "json", "--date", "2026-11-17")

    document = json.loads(outcome.out)
    assert outcome.code == 0
    assert (document["schema"], document["format"], document["name"]) == ("primad.export/1", "datacite", "bm25")
    assert json.loads(document["text"])["creators"][0]["name"] == "Example, Ada"
    assert "the content of 1 run" in document["lost"]


def test_runs_of_an_archive_are_exported_by_a_query(folder: Path) -> None:
    archive = library.Archive.init(folder / "kept")
    archive.set_collection("Core17", qrels=[write_qrels(folder)])
    list(archive.add([write_run(folder / "in", f"{tag}.run", tag, at) for at, tag in enumerate(("one", "two"))]))
    archive.close()

    outcome = primad("export", "archive:tag:two", "--archive", "kept", "--to", "ro-crate", "--output", "two")

    assert outcome.code == 0
    assert [path.name for path in (folder / "two").rglob("*.run")] == ["two.run"]
    assert (folder / "two" / "Core17" / "two.run").read_bytes() == (folder / "in" / "two.run").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(
            ("bm25.run", "--to", "ro-crat", "--output", "x"),
            2,
            f"primad: format 'ro-crat' is unknown; did you mean 'ro-crate'? There are: {', '.join(FORMATS)}\n",
            id="a typing mistake",
        ),
        pytest.param(
            ("bm25.run",),
            2,
            f"primad: expected a format, found none; there are: {', '.join(FORMATS)}\n",
            id="no format",
        ),
        pytest.param(
            ("bm25.run", "--to", "cff", "--license", "CCBY"),
            2,
            "primad: expected as licence an identifier of SPDX such as CC-BY-4.0, an address or words, found 'CCBY'; "
            "did you mean 'CC-BY-4.0'?\n",
            id="no licence",
        ),
        pytest.param(
            ("bm25.run", "--to", "mlflow", "--output", "x"),
            2,
            "primad: format 'mlflow' can only be imported",
            id="one way",
        ),
        pytest.param(
            ("bm25.run", "--to", "ro-crate"),
            2,
            "primad: RO-Crate (Process Run Crate) is a folder of files: expected where to write it, with --output DIR "
            "or FILE.zip\n",
            id="no place",
        ),
        pytest.param(
            ("bm25.run", "--to", "ro-crate", "--output", "crate.tar.gz"),
            2,
            "primad: expected a folder or FILE.zip to write to, found 'crate.tar.gz'; name a .zip instead\n",
            id="another packing",
        ),
        pytest.param(
            ("nosuch.run", "--to", "cff"),
            1,
            "primad: nosuch.run: no such file or folder; is it the file you meant?\n",
            id="no such file",
        ),
        pytest.param(
            ("track:twelve", "--to", "ro-crate", "--output", "x"),
            2,
            "primad: expected track:NUMBER, the number of an attempt, found 'track:twelve'\n",
            id="no number",
        ),
        pytest.param(
            ("bm25.run", "--archive", "kept", "--to", "cff"),
            2,
            "primad: --archive and --track belong to archive:QUERY and track:NUMBER, found the path 'bm25.run'\n",
            id="an archive for a path",
        ),
        pytest.param(
            ("bm25.run", "--to", "ro-crate", "--output", "used"),
            1,
            "primad: used: expected a new or an empty folder, found files in it; name another folder\n",
            id="a folder in use",
        ),
    ],
)
def test_what_cannot_be_exported_is_said_in_one_message(
    folder: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    (folder / "used").mkdir()
    (folder / "used" / "kept.txt").write_text("mine")

    outcome = primad("export", *arguments)

    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.startswith(message)
    assert outcome.err.count("\n") == 1
    assert sorted(path.name for path in folder.iterdir()) == ["bm25.run", "used"]
    assert (folder / "used" / "kept.txt").read_text() == "mine"


@pytest.mark.parametrize("command", ["export", "import"])
def test_help_loads_no_format(command: str) -> None:
    script = (
        "import sys; sys.argv = ['primad', sys.argv[1], '--help']\n"
        "from primad.cli import main\n"
        "try: main()\n"
        "except SystemExit: print([one for one in sys.modules if one.startswith('primad.exchange')], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, command], capture_output=True, text=True, check=True)

    assert done.stderr == "[]\n"
