"""What the README and the guide show is what happens."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def shown_commands(text: str) -> list[tuple[str, str]]:
    """Return the primad commands that TEXT shows, each with the output under it."""
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    steps = [step for block in blocks for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    pairs = [(command, output) for command, _, output in (step.partition("\n") for step in steps)]
    return [(command, output) for command, output in pairs if command.startswith("primad ")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the README's commands were carried out, with their outputs in files."""
    place = tmp_path_factory.mktemp("readme")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for number, (command, _) in enumerate(shown_commands(README)):
        done = subprocess.run(
            ["/bin/sh", "-c", command], cwd=place, env={**os.environ, "PATH": path}, capture_output=True, check=True
        )
        (place / f"{number}.out").write_bytes(done.stdout)
    return place


def test_the_readme_shows_what_its_commands_print(folder: Path) -> None:
    shown = [output for _, output in shown_commands(README)]

    printed = [(folder / f"{number}.out").read_text() for number in range(len(shown))]

    assert printed == shown
    assert "".join(shown)


def test_the_readme_shows_what_its_python_returns(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    code = "\n".join(re.findall(r"```pycon\n(.*?)```", README, re.DOTALL))

    results = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(code, {}, "README.md", "README.md", 0))

    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize("target", ["make demo", "make test"])
def test_the_readme_names_the_two_commands_of_a_checkout(target: str) -> None:
    assert f"$ {target}\n" in README


@pytest.mark.parametrize("page", sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("*.md")))
def test_links_of_a_page_lead_to_files(page: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", (ROOT / page).read_text())

    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []
