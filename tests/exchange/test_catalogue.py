"""Is every format in the catalogue, and is each told from the others?"""

import subprocess
import sys
from pathlib import Path

import pytest

import primad.exchange
from primad.errors import FileError
from primad.exchange import formats as register
from primad.exchange.catalogue import MODULES, formats, recognised
from primad.exchange.formats import Format, Received

SOURCE = Path(primad.exchange.__file__).parent


def test_every_module_that_registers_a_format_is_in_the_catalogue() -> None:
    registering = {
        path.relative_to(SOURCE).with_suffix("").as_posix().replace("/", ".")
        for path in SOURCE.rglob("*.py")
        if any(line.startswith(("@writes(", "@reads(")) for line in path.read_text(encoding="utf-8").splitlines())
    }

    assert registering <= set(MODULES)


def test_formats_are_in_the_order_of_the_catalogue_whichever_was_imported_first() -> None:
    ask = (
        "import primad.exchange.heds, primad.exchange.trackers.sacred_runs, primad.exchange.citations.bibtex;"
        "from primad.exchange.catalogue import formats; print(*formats())"
    )
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)

    names = done.stdout.split()
    assert names == list(formats())
    assert names[0] == "ro-crate"
    assert names.index("mlflow") < names.index("sacred") < names.index("qra3") < names.index("heds")


def test_every_format_says_what_it_is_and_can_be_written_or_read() -> None:
    assert {name: form.title for name, form in formats().items()} == TITLES
    for name, form in formats().items():
        assert form.name == name
        assert form.source.startswith("https://")
        assert form.write or form.read
        assert bool(form.write) == bool(form.of)
        assert bool(form.read) == bool(form.recognise)


def test_the_formats_of_trackers_and_of_measurements_are_there() -> None:
    assert {name: (bool(formats()[name].write), bool(formats()[name].read)) for name in WANTED} == WANTED


TITLES = {
    "ro-crate": "RO-Crate (Process Run Crate)",
    "schema.org": "schema.org (JSON-LD)",
    "datacite": "DataCite JSON",
    "cff": "CITATION.cff",
    "bibtex": "BibTeX",
    "prov": "W3C PROV (PROV-JSON)",
    "nanopub": "Nanopublications (TriG)",
    "cwl": "CWL CommandLineTool",
    "datasheet": "Datasheet (Gebru et al.)",
    "mlflow": "MLflow run folder",
    "sacred": "Sacred run folder",
    "tira": "Folder of TIRA (run.txt, ir-metadata.yml)",
    "tirex-tracker": "Metadata of tirex-tracker",
    "qra3": "QRA3 table and configuration",
    "heds": "Human Evaluation Datasheet",
}
WANTED = {
    "ro-crate": (True, True),
    "mlflow": (False, True),
    "sacred": (False, True),
    "tira": (True, True),
    "tirex-tracker": (False, True),
    "qra3": (True, True),
    "heds": (False, True),
}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 100,
        b"{}",
        b"[]",
        b"{" * 10_000,
        b"key: value\n",
        b"a,b\n1,2\n",
        b"PK\x03\x04",
        b"SQLite format 3\x00",
    ],
    ids=["nothing", "zeros", "a mapping", "a list", "nested", "YAML", "a table", "half a zip", "half a database"],
)
@pytest.mark.parametrize("suffix", [".json", ".csv", ".yml", ".zip", ".db", ""])
def test_a_file_of_no_format_is_refused_by_all_of_them(suffix: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"file{suffix}"
    path.write_bytes(content)

    for place in (path, tmp_path):
        with pytest.raises(FileError, match="is in no format that can be imported"):
            recognised(place)


def test_what_cannot_be_looked_at_is_an_error_with_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    formats()

    def recognise(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path / "inner"))

    def read(_path: Path) -> Received:
        raise AssertionError

    form = Format("closed", "Closed", "here", read=read, recognise=recognise)
    monkeypatch.setitem(register._REGISTERED, "closed", form)

    with pytest.raises(FileError, match=r"inner: cannot be read \(Permission denied\)"):
        recognised(tmp_path)
