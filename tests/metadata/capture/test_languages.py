"""Are the languages of a repository those that most of it is written in?"""

import json
import os
import sys
from pathlib import Path

import pytest

from primad.metadata.capture.languages import MAX_BYTES_OF_A_FILE, MAX_FILES, languages

module = sys.modules[languages.__module__]  # the package has a function of that name


def write(root: Path, files: dict[str, str]) -> list[str]:
    """Write files below a folder, and return their names."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(files)


def lines(number: int) -> str:
    """Return a text of so many lines."""
    return "x\n" * number


def notebook(*cells: tuple[str, str | list[str]]) -> str:
    """Return a notebook of cells with kind and source."""
    listed = [{"cell_type": kind, "source": source, "outputs": ["x\n"] * 50} for kind, source in cells]
    return json.dumps({"cells": listed, "nbformat": 4}, indent=1)


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.py", "Python"),
        ("src/A.java", "Java"),
        ("a.c", "C"),
        ("a.cpp", "C++"),
        ("a.cc", "C++"),
        ("a.rs", "Rust"),
        ("a.go", "Go"),
        ("a.R", "R"),
        ("a.jl", "Julia"),
        ("a.scala", "Scala"),
        ("a.kt", "Kotlin"),
        ("a.sh", "Shell"),
        ("a.pl", "Perl"),
        ("a.rb", "Ruby"),
        ("a.js", "JavaScript"),
        ("a.tsx", "TypeScript"),
        ("a.m", "Matlab"),
        ("A.PY", "Python"),
        ("a.b.py", "Python"),
        ("a.h", "C"),
    ],
)
def test_a_language_is_known_by_the_extension(tmp_path: Path, name: str, language: str) -> None:
    assert languages(tmp_path, write(tmp_path, {name: lines(1)})) == [language]


@pytest.mark.parametrize(
    "name", ["README.md", "a.csv", "Makefile", "a.json", "a.html", "py", ".py", "a.py.txt", "a.", "a"]
)
def test_what_is_no_program_is_not_counted(tmp_path: Path, name: str) -> None:
    assert languages(tmp_path, write(tmp_path, {name: lines(9)})) == []


def test_the_language_with_most_lines_comes_first(tmp_path: Path) -> None:
    files = {"a.py": lines(5), "b.java": lines(4), "c.java": lines(4), "d.sh": lines(1), "e.txt": lines(99)}

    assert languages(tmp_path, write(tmp_path, files)) == ["Java", "Python", "Shell"]


def test_equal_languages_are_in_alphabetical_order(tmp_path: Path) -> None:
    assert languages(tmp_path, write(tmp_path, {"a.rs": lines(2), "b.go": lines(2)})) == ["Go", "Rust"]


def test_empty_lines_do_not_count(tmp_path: Path) -> None:
    files = {"a.py": "\n  \n\t\n" * 9 + "x\n", "b.go": lines(2)}

    assert languages(tmp_path, write(tmp_path, files)) == ["Go", "Python"]


def test_a_language_with_less_than_one_line_in_a_hundred_is_left_out(tmp_path: Path) -> None:
    names = write(tmp_path, {"a.py": lines(99), "b.sh": lines(1)})

    assert languages(tmp_path, names) == ["Python", "Shell"]

    write(tmp_path, {"a.py": lines(100)})

    assert languages(tmp_path, names) == ["Python"]


def test_headers_go_with_what_there_is_more_of(tmp_path: Path) -> None:
    header = write(tmp_path, {"a.h": lines(9)})
    mostly_c = write(tmp_path, {"a.c": lines(2), "a.cpp": lines(1)})
    mostly_cpp = write(tmp_path, {"b.c": lines(1), "b.cpp": lines(2)})

    assert languages(tmp_path, [*header, *mostly_c]) == ["C", "C++"]
    assert languages(tmp_path, [*header, *mostly_cpp]) == ["C++", "C"]


def test_of_a_notebook_the_lines_of_code_count(tmp_path: Path) -> None:
    text = notebook(("markdown", ["# a\n"] * 9), ("code", ["x = 1\n", "\n", "y = 2"]), ("code", "z = 3\n"))
    names = write(tmp_path, {"a.ipynb": text, "b.go": lines(2), "c.rs": lines(4)})

    assert languages(tmp_path, names) == ["Rust", "Jupyter Notebook", "Go"]


@pytest.mark.parametrize(
    "text",
    ["", "no json", "[]", "5", "{}", '{"cells": 5}', '{"cells": [5]}', '{"cells": [{}]}', "[" * 100_000, "\ufeff{}"],
)
def test_a_damaged_notebook_has_no_lines(tmp_path: Path, text: str) -> None:
    assert languages(tmp_path, write(tmp_path, {"a.ipynb": text, "b.go": lines(1)})) == ["Go"]


def test_a_notebook_with_strange_characters_is_read(tmp_path: Path) -> None:
    text = '{"cells": [{"cell_type": "code", "source": ["\\ud800"]}]}'

    assert languages(tmp_path, write(tmp_path, {"a.ipynb": text})) == ["Jupyter Notebook"]


# Limits ------------------------------------------------------------------------------------------------------------


def test_links_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"outside/a.py": lines(9), "root/b.go": lines(1)})
    root = tmp_path / "root"
    (root / "link.py").symlink_to(tmp_path / "outside" / "a.py")
    (root / "folder").symlink_to(tmp_path / "outside")

    assert languages(root, ["link.py", "folder/a.py", "b.go"]) == ["Go"]


def test_a_repository_behind_a_link_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"root/b.go": lines(1)})
    (tmp_path / "link").symlink_to("root")

    assert languages(tmp_path / "link", ["b.go"]) == ["Go"]


def test_files_outside_are_not_read(tmp_path: Path) -> None:
    write(tmp_path, {"outside/a.py": lines(9), "root/b.go": lines(1)})

    names = ["../outside/a.py", str(tmp_path / "outside" / "a.py"), "x/../../outside/a.py", "b.go"]

    assert languages(tmp_path / "root", names) == ["Go"]


def test_what_is_no_plain_file_is_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    names = write(tmp_path, {"a.go": lines(1)})

    assert languages(tmp_path, ["pipe.py", "folder.py", "gone.py", "with\0nul.py", *names]) == ["Go"]


def test_a_file_too_large_to_be_written_by_hand_is_passed_over(tmp_path: Path) -> None:
    names = write(tmp_path, {"a.js": "x\n" * (MAX_BYTES_OF_A_FILE // 2), "b.go": lines(1)})

    assert languages(tmp_path, names) == ["JavaScript"]

    write(tmp_path, {"a.js": "x\n" * (MAX_BYTES_OF_A_FILE // 2 + 1)})

    assert languages(tmp_path, names) == ["Go"]


def test_only_so_many_files_are_read(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": lines(1), "b.go": lines(1)})

    assert languages(tmp_path, ["a.py"] * (MAX_FILES - 1) + ["b.txt"] + ["b.go"] * 9000) == ["Python"]
    assert languages(tmp_path, ["b.txt"] * MAX_FILES + ["b.go"]) == ["Go"]


def test_only_so_many_bytes_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(languages.__globals__, "MAX_BYTES", 10)
    names = write(tmp_path, {"a.py": lines(4), "b.go": lines(2), "c.rs": lines(1)})

    assert languages(tmp_path, names) == ["Python", "Rust"]


def test_a_file_that_has_changed_is_counted_anew_and_no_other_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = write(tmp_path, {"a.py": lines(3), "b.go": lines(5)})
    read: list[str] = []
    content_of = module._read

    def noted(path: Path, limit: int) -> bytes:
        read.append(path.name)
        content: bytes = content_of(path, limit)
        return content

    monkeypatch.setattr(module, "_read", noted)

    first = languages(tmp_path, files)
    write(tmp_path, {"a.py": lines(9)})
    second = languages(tmp_path, files)

    assert (first, second) == (["Go", "Python"], ["Python", "Go"])
    assert read == ["a.py", "b.go", "a.py"]
