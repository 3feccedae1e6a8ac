"""What the README and the pages show is what happens: commands print it, Python returns it, files are used.

A page is carried out from top to bottom in one empty folder, with the home of nobody.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.demonstrations import quick
from tests.docs.pages import ROOT, Block, blocks, commands, examples, files, pages, text_of
from tests.docs.surroundings import at, carried_out, is_plain, shell

DEMO = "primad demo --quick --out demo > /dev/null"
FEW = 5  # commands


def is_run(page: str) -> bool:
    """Tell whether PAGE shows anything that can be carried out."""
    return bool(commands(text_of(page)) or examples(text_of(page)))


def marked(page: str) -> object:
    """Return PAGE as a case, slow if it takes a demonstration or many commands."""
    shown = commands(text_of(page))
    is_slow = len(shown) > FEW or any(command == DEMO for command, _ in shown)
    return pytest.param(page, marks=[pytest.mark.slow] * is_slow, id=page)


@pytest.mark.parametrize("page", [marked(page) for page in pages() if is_run(page)])
def test_a_page_shows_what_happens(page: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    text, place = text_of(page), tmp_path / "page"
    place.mkdir()
    for name, content in files(text).items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(content)

    with at(place, tmp_path / "home"):
        for command, output in commands(text):
            if command == DEMO:  # which takes half a minute
                shutil.copytree(quick(tmp_path_factory).folder, "demo")
                continue
            done = carried_out(command)
            assert f"$ {command}\n{done.out}" == f"$ {command}\n{output}", done.err
            assert done.code == 0 or (done.code == 1 and output), f"$ {command}\n{done.err}"  # 1 is a "no"

        if examples(text):
            Path("../examples.txt").write_text(examples(text))
            done = shell(f"{shlex.quote(sys.executable)} -m doctest ../examples.txt")
            assert (done.out, done.code) == ("", 0), done.err


def test_the_readme_and_a_guide_are_carried_out() -> None:
    run = [page for page in pages() if is_run(page)]

    assert {"README.md", "docs/guides/assessing.md"} <= set(run)
    assert DEMO in text_of("README.md")


@pytest.mark.parametrize("page", pages())
def test_every_block_of_a_page_is_carried_out_or_says_why_not(page: str) -> None:
    found = [block for block in blocks(text_of(page)) if not (block.runs or block.file or block.mark)]

    assert [f"{page}:{block.line}: {block.text.splitlines()[0]}" for block in found] == []


@pytest.mark.parametrize("page", pages())
def test_a_block_that_is_said_to_be_run_elsewhere_is_run_by_a_test_that_names_the_page(page: str) -> None:
    tests = {block.mark[1] for block in blocks(text_of(page)) if block.mark and block.mark[0] == "run by"}

    assert [test for test in tests if not (ROOT / test).is_file() or Path(page).name not in text_of(test)] == []


@pytest.mark.parametrize("page", pages())
def test_a_console_shows_commands(page: str) -> None:
    found = [block for block in blocks(text_of(page)) if block.language == "console"]

    assert [f"{page}:{block.line}" for block in found if not block.text.startswith("$ ")] == []


@pytest.mark.parametrize("page", pages())
def test_a_file_that_a_page_shows_is_used_on_it(page: str) -> None:
    text = text_of(page)
    shown = files(text)
    users = [command for command, _ in commands(text)] + [examples(text)]

    def is_used(name: str) -> bool:
        others = [content for other, content in shown.items() if other != name]
        named = [name, Path(name).parts[0], f"import {Path(name).stem}", f"from {Path(name).stem} import"]
        return any(word in user for user in (*users, *others) for word in named)

    assert [name for name in shown if not is_used(name)] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("```console\n$ ls\n```\n", Block(1, "console", "$ ls\n", None), id="plain"),
        pytest.param("a\n\n    $ ls\n", Block(3, "", "$ ls\n", None), id="indented"),
        pytest.param(
            "- a\n\n  ```yaml\n  # a.yml\n  b: 1\n  ```\n", Block(3, "yaml", "# a.yml\nb: 1\n", None), id="list"
        ),
        pytest.param(
            "<!-- not run: it needs root -->\n```console\n$ ls\n```\n",
            Block(2, "console", "$ ls\n", ("not run", "it needs root")),
            id="marked",
        ),
        pytest.param(
            "<!-- not run: it needs root -->\n\nwords\n\n```console\n$ ls\n```\n",
            Block(5, "console", "$ ls\n", None),
            id="a mark that is not directly above",
        ),
    ],
)
def test_a_block_is_found_with_its_mark(text: str, expected: Block) -> None:
    assert list(blocks(text)) == [expected]


def test_commands_may_go_on_in_the_next_line_and_belong_to_what_they_print() -> None:
    text = "```console\n$ pip install x\n$ a \\\n    b\nc\n\nd\n$ e\n```\n\n```console\n$ f\n```\n"

    assert commands(text) == [("a \\\n    b", "c\n\nd\n"), ("e", ""), ("f", "")]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param("primad check a.run --set 'b=c; d'", True, id="plain, with a quoted word"),
        pytest.param("primad check *.run", False, id="with a pattern"),
        pytest.param("primad check a.run > b", False, id="with a redirection"),
        pytest.param('primad check "$HOME"', False, id="with a variable"),
        pytest.param("primad exec -- python search.py", False, id="starting others"),
        pytest.param("PRIMAD_ARCHIVE=a primad archive search", False, id="with a setting"),
    ],
)
def test_a_command_that_needs_a_shell_gets_one(command: str, *, expected: bool) -> None:
    assert is_plain(command) is expected


@pytest.mark.parametrize("target", ["make demo", "make test"])
def test_the_readme_names_the_two_commands_of_a_checkout(target: str) -> None:
    assert re.search(rf"^\$ {target}$", text_of("README.md"), re.MULTILINE)
