"""Is what is handed to others whole, and does it say the same version everywhere?"""

import ast
import re
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from importlib.metadata import packages_distributions, requires, version
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from tests.packaging.building import ROOT, Built, build, core_lock, core_packages, normal

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("packaging")]

STATED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
SOURCE = ROOT / "src" / "primad"


def in_wheel(wheel: Path) -> dict[str, bytes]:
    """Return the files of the package in WHEEL, by path."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}


def in_sdist(sdist: Path) -> set[str]:
    """Return the paths of the files in SDIST, below its folder."""
    with tarfile.open(sdist) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def in_checkout() -> set[str]:
    """Return the paths of the files of the package in the checkout."""
    return {
        path.relative_to(SOURCE.parent).as_posix()
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_version_of_the_project_is_that_of_the_installation_and_of_the_citation() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))

    assert (version("primad"), str(citation["version"])) == (STATED, STATED)


def test_no_other_file_states_the_version() -> None:
    pattern = re.compile(rf"__version__ *=|primad[ =v@-]*{re.escape(STATED)}\b")
    texts = [path for path in SOURCE.rglob("*.py") if path.is_file()]
    texts += [ROOT / "README.md", ROOT / "Makefile", *(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy").iterdir()]

    found = {path.name for path in texts if pattern.search(path.read_text(encoding="utf-8"))}
    assert found == set()


def test_both_are_named_by_the_version(built: Built) -> None:
    assert (built.wheel.name, built.sdist.name) == (f"primad-{STATED}-py3-none-any.whl", f"primad-{STATED}.tar.gz")


def test_the_wheel_has_every_file_of_the_package_and_no_other(built: Built) -> None:
    assert in_wheel(built.wheel).keys() == in_checkout()


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"primad/py\.typed", id="marker of types"),
        pytest.param(r"primad/metadata/schemas/.+\.yaml", id="schemas"),
        pytest.param(r"primad/metadata/profiles/.+\.yaml", id="profiles"),
        pytest.param(r"primad/reports/templates/.+\.html", id="templates of reports"),
        pytest.param(r"primad/web/templates/.+\.html", id="templates of the site"),
        pytest.param(r"primad/web/static/.+\.css", id="styles of the site"),
        pytest.param(r"primad/web/static/.+\.js", id="scripts of the site"),
        pytest.param(r"primad/track/migrations/0001_.+\.py", id="migrations"),
        pytest.param(r"primad/qra/examples/.+", id="published measurements"),
        pytest.param(r"primad/qra/template\.qra\.yaml", id="template of measurements"),
        pytest.param(r"primad/reproducibility/coverage\.json", id="coverage of intervals"),
    ],
)
def test_the_wheel_has_what_is_no_code(built: Built, pattern: str) -> None:
    assert [name for name in in_wheel(built.wheel) if re.fullmatch(pattern, name)] != []


def test_the_wheel_that_is_built_of_the_sdist_is_the_same(built: Built, tmp_path: Path) -> None:
    with tarfile.open(built.sdist) as archive:
        archive.extractall(tmp_path, filter="data")

    (again,) = build(tmp_path / f"primad-{STATED}", tmp_path / "again", "wheel").glob("*.whl")

    assert in_wheel(again) == in_wheel(built.wheel)


def test_the_sdist_has_what_is_needed_to_test_it_and_nothing_of_whoever_built_it(built: Built) -> None:
    names = in_sdist(built.sdist)

    needed = {"pyproject.toml", "requirements.lock", "Makefile", "README.md", "LICENSE", "CITATION.cff", "CHANGELOG.md"}
    needed |= {"tests/conftest.py", "docs/index.md", "examples/README.md", ".pre-commit-hooks.yaml"}
    assert needed - names == set()
    assert [name for name in names if re.search(r"(^|/)(\.venv|\.git|__pycache__|\.\w+_cache|dist)/", name)] == []


def test_the_metadata_say_what_an_index_shows(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        told = Parser().parsestr(archive.read(f"primad-{STATED}.dist-info/METADATA").decode())

    assert (told["Name"], told["Version"], told["License-Expression"]) == ("primad", STATED, "MIT")
    assert (told["Requires-Python"], told["Description-Content-Type"]) == (">=3.11", "text/markdown")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert str(told.get_payload()).strip() == readme.strip()


def test_every_package_that_is_imported_is_one_that_primad_or_an_extra_brings() -> None:
    """What is imported is read from the source; packages that come with others count, as those of this environment."""
    owners = packages_distributions()
    brought = core_packages() | {normal(Requirement(line).name) for line in requires("primad") or ()}
    brought |= {"django-tasks", "pandas"}  # with django-tasks-db and pyterrier

    unknown = {name for name in imported() if not {normal(one) for one in owners.get(name, ())} & brought}
    assert unknown == set()


def imported() -> Iterator[str]:
    """Yield the names of the packages that the source imports, but for Python's own and primad."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level and node.module:
                names = [node.module]
            found = {name.partition(".")[0] for name in names}
            yield from found - sys.stdlib_module_names - {"primad"}


def test_the_lock_of_the_core_has_each_of_its_packages_with_hashes_and_no_other() -> None:
    entries = re.split(r"^(?=\S)", core_lock(), flags=re.MULTILINE)[1:]

    assert {normal(re.split("[=[ ;]", entry)[0]) for entry in entries} == core_packages()
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []
