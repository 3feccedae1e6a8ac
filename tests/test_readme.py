"""What the README and the guides show is what happens."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from primad.reproducibility import registry
from primad.reproducibility.catalogue import measures
from tests.cli.demonstrations import quick

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
PAGES = ("README.md", "docs/guides/archive.md", "docs/guides/assessing.md", "docs/guides/comparing.md", "docs/guides/precision.md", "docs/guides/track.md")

pytestmark = pytest.mark.xdist_group("demo")  # as tests/cli/test_demo.py, which looks at the same demonstration

# What sets up a checkout is tried by others: the tests run in what it made.
NOT_HERE = ("pip ", "make ")
DEMO = "primad demo --quick --out demo > /dev/null"


def shown_commands(text: str) -> list[tuple[str, str]]:
    """Return the commands that TEXT shows, each with the output under it."""
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    steps = [step for block in blocks for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    pairs = [(command, output) for command, _, output in (step.partition("\n") for step in steps)]
    return [(command, output) for command, output in pairs if not command.startswith(NOT_HERE)]


def shown_files(text: str) -> dict[str, str]:
    """Return the files that TEXT shows: YAML that begins with its name in a comment."""
    blocks = re.findall(r"```yaml\n# (\S+)\n(.*?)```", text, re.DOTALL)
    return dict(blocks)


@pytest.fixture(scope="module", params=PAGES)
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Return a page, and a folder in which its commands were carried out, with their outputs in files."""
    text = (ROOT / request.param).read_text()
    place = tmp_path_factory.mktemp("page")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for name, content in shown_files(text).items():
        (place / name).write_text(content)
    for number, (command, _) in enumerate(shown_commands(text)):
        if command == DEMO:  # which takes half a minute
            shutil.copytree(quick(tmp_path_factory).folder, place / "demo")
            (place / f"{number}.out").touch()
            continue
        done = subprocess.run(
            ["/bin/sh", "-c", command], cwd=place, env={**os.environ, "PATH": path}, capture_output=True, check=False
        )
        (place / f"{number}.out").write_bytes(done.stdout)
    return text, place


def test_a_page_shows_what_its_commands_print(page: tuple[str, Path]) -> None:
    text, folder = page
    shown = [output for _, output in shown_commands(text)]

    printed = [(folder / f"{number}.out").read_text() for number in range(len(shown))]

    assert printed == shown
    assert "".join(shown)


def test_a_page_shows_what_its_python_returns(page: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    text, folder = page
    monkeypatch.chdir(folder)
    measures()  # what registers itself must not do so for the first time in what is put back below
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    code = "\n".join(re.findall(r"```pycon\n(.*?)```", text, re.DOTALL))

    results = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(code, {}, "page", "page", 0))

    assert results.failed == 0


@pytest.mark.parametrize("target", ["make demo", "make test"])
def test_the_readme_names_the_two_commands_of_a_checkout(target: str) -> None:
    assert f"$ {target}\n" in README


@pytest.mark.parametrize(
    "name", sorted(path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")))
)
def test_links_of_a_page_lead_to_files(name: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", (ROOT / name).read_text())

    assert [link for link in links if not (ROOT / name).parent.joinpath(link).exists()] == []
