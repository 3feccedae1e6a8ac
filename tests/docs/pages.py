"""What do the pages of the documentation show?  Their blocks of code, their links, their headings.

    pages          every page, by its path from the root of the checkout
    blocks         the blocks of code of a page, each with what becomes of it
    commands       the commands that a page shows, each with the output under it
    files          the files that a page shows, by name

A block is run (`console`, `pycon`), written as a file (its first line is a comment with a name), or it says above
itself why not: `<!-- not run: the reason -->`.  `<!-- run by: tests/a_file.py -->` names the test that runs it in
surroundings of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]

# What sets up a checkout is tried by others: the tests run in what it made.
SET_UP = ("pip ", "make ")

_MARK = re.compile(r"<!-- (not run|run by): (.+?) -->")
_NAME = re.compile(r"# ([\w.+/-]*[\w+-]\.\w+)\n")


@dataclass(frozen=True)
class Block:
    """A block of code: the LINE it begins in, its LANGUAGE and TEXT, and the MARK above it, if there is one."""

    line: int
    language: str
    text: str
    mark: tuple[str, str] | None

    @property
    def file(self) -> str | None:
        """Return the name of the file that this is, if it is one."""
        named = _NAME.match(self.text)
        return named[1] if named and self.language not in {"console", "pycon"} and not self.mark else None

    @property
    def runs(self) -> bool:
        """Tell whether the page carries it out."""
        return self.mark is None and self.language in {"console", "pycon"}


def pages() -> list[str]:
    """Return the pages of the checkout, those of a folder behind each other."""
    found = (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
    return sorted(path.relative_to(ROOT).as_posix() for path in found if path.name != "CHANGELOG.md")


def text_of(page: str) -> str:
    """Return the text of a PAGE."""
    return (ROOT / page).read_text(encoding="utf-8")


@cache
def tokens(text: str) -> list[Token]:
    """Return what TEXT consists of, as CommonMark has it, with tables."""
    return MarkdownIt().enable("table").parse(text)


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of code of a page."""
    mark = None
    for token in tokens(text):
        if token.type == "html_block":
            found = _MARK.fullmatch(token.content.strip())
            mark = (found[1], found[2]) if found else None
        elif token.type in {"fence", "code_block"}:
            assert token.map
            yield Block(token.map[0] + 1, token.info.strip(), token.content, mark)
            mark = None
        elif token.type != "inline" or token.content:
            mark = None


def commands(text: str) -> list[tuple[str, str]]:
    """Return the commands that TEXT shows, each with the output under it."""
    shown = "".join(block.text for block in blocks(text) if block.runs and block.language == "console")
    steps = re.findall(r"^\$ ((?:.*\\\n)*.*\n)((?:(?!\$ ).*\n)*)", shown, flags=re.MULTILINE)
    return [(command.rstrip("\n"), output) for command, output in steps if not command.startswith(SET_UP)]


def files(text: str) -> dict[str, str]:
    """Return the files that TEXT shows, without the comment that names them."""
    return {block.file: block.text.partition("\n")[2] for block in blocks(text) if block.file}


def examples(text: str) -> str:
    """Return the Python that TEXT shows with its answers, as one text."""
    return "\n".join(block.text for block in blocks(text) if block.runs and block.language == "pycon")
