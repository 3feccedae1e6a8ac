"""Has each statement of docs/comparison.md about another tool evidence, and does each command that it names exist?"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import primad
from primad.cli import app
from tests.docs.pages import ROOT

TEXT = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")
BODY, _, TABLE = TEXT.partition("\n## Claims\n")
TOOLS = ["repro_eval", "trec_eval", "ir_measures", "tirex-tracker", "TIRA", "QRA, QRA++ and QRA3"]

# The pages on which people find commands to type.
PAGES = [ROOT / "docs" / f"{name}.md" for name in ("comparison", "which-number", "table2", "landscape")]


def claims() -> dict[str, str]:
    """Return how each claim is shown, by its mark."""
    rows = re.findall(r"^\| (c\d+) \| (?:[^|]+) \| ([^|]+) \|$", TABLE, flags=re.MULTILINE)
    return dict(rows)


def section(tool: str) -> str:
    """Return what the page says about TOOL."""
    return BODY[BODY.index(f"\n## {tool}\n") :].removeprefix(f"\n## {tool}\n").partition("\n## ")[0]


def items(text: str) -> list[str]:
    """Return the items of the first list of TEXT."""
    listed = text[text.index("\n- ") :].lstrip("\n").partition("\n\n")[0]
    return re.split(r"^- ", listed, flags=re.MULTILINE)[1:]


def names_of_tests(path: str) -> set[str]:
    """Return the names of the tests in the file at PATH."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_every_mark_has_a_row_and_every_row_a_mark() -> None:
    marks = re.findall(r"\[\[(c\d+)\]\]\(#claims\)", BODY)

    assert set(marks) == set(claims())
    assert list(claims()) == [f"c{number}" for number in range(1, len(claims()) + 1)]


def test_every_row_names_a_test_a_command_or_says_that_it_was_not_run() -> None:
    without = [mark for mark, shown in claims().items() if not re.search(r"`tests/|`make |not run", shown)]

    assert without == []


def test_every_test_that_is_named_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", TABLE)

    assert len(named) > 40
    assert [f"{path}::{name}" for path, name in named if name and name not in names_of_tests(path)] == []
    assert [path for path, _ in named if not (ROOT / path).is_file()] == []


@pytest.mark.parametrize("tool", TOOLS)
def test_what_a_tool_does_better_comes_first_and_each_statement_is_marked(tool: str) -> None:
    better, _, otherwise = section(tool).partition("\nWhat primad does otherwise, and why\n")

    assert [item for item in items(better) if "](#claims)" not in item] == []
    assert sum("](#claims)" in item for item in items(otherwise)) >= 2
    assert "How to move over" in otherwise


SECONDS = r"([\d.]+) s"


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        (
            rf"c18 \| .*: {SECONDS} against {SECONDS}, with intervals {SECONDS} \|",
            (
                "| repro_eval, one evaluator for all | {0} |",
                "| primad, 58 measures | {1} |",
                "| primad, 58 measures, intervals | {2} |",
            ),
        ),
        (
            rf"c26 \| 20 runs: {SECONDS} by pytrec_eval against {SECONDS}; a run .*: {SECONDS} against {SECONDS} \|",
            ("| pytrec_eval | {0} |", "| primad | {1} |", "| 10 | {3} | {2} |"),
        ),
        (
            rf"c33 \| 20 runs: {SECONDS} by ir_measures, for 65 of 95 values, against {SECONDS} \|",
            ("| ir_measures | {0} |", "| primad | {1} |"),
        ),
    ],
    ids=["repro_eval", "pytrec_eval", "ir_measures"],
)
def test_speeds_are_those_that_were_measured(claim: str, lines: tuple[str, ...]) -> None:
    figures = (ROOT / "bench" / "RESULTS.md").read_text(encoding="utf-8")
    said = re.search(claim, TABLE)

    assert said
    assert [line for line in lines if line.format(*said.groups()) not in figures] == []


def commands_named(page: Path) -> list[list[str]]:
    """Return the commands of primad that stand in marks on PAGE, by their words."""
    named = re.findall(r"`(primad [^`]+)`", page.read_text(encoding="utf-8"))
    return [text.split() for text in named]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_and_option_that_a_page_names_exists(page: Path) -> None:
    wrong = [" ".join(words) for words in commands_named(page) if not exists(words[1:])]

    assert wrong == []
    assert len(commands_named(page)) > 2


def exists(words: list[str]) -> bool:
    """Tell whether there is such a command, with all options among WORDS; what follows -- is another program's."""
    command: Any = get_command(app)
    rest = words[: words.index("--")] if "--" in words else words
    while hasattr(command, "commands"):
        if not rest or rest[0] not in command.commands:
            return not rest or rest[0].startswith("-")
        command, rest = command.commands[rest[0]], rest[1:]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    return all(word in known for word in rest if re.match(r"--?[a-zA-Z]", word))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param("assess --original B --qrels Q", True, id="a command"),
        pytest.param("assess --orignal B", False, id="a wrong option"),
        pytest.param("asses", False, id="a wrong command"),
        pytest.param("track nonsense", False, id="a wrong command of a group"),
        pytest.param("exec -- python --no-such", True, id="options of another program"),
    ],
)
def test_a_command_that_does_not_exist_is_noticed(line: str, *, expected: bool) -> None:
    assert exists(line.split()) is expected


def test_every_name_of_primad_that_the_page_has_is_public() -> None:
    named = set(re.findall(r"\bprimad\.(\w+)\(", TEXT))

    assert named <= set(primad.__all__)
    assert len(named) > 8
