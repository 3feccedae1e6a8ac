"""Which commands are there, and what does each take?  The page of commands, from their help."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_WIDTH = 100

_INTRO = """\
# Commands

Made by `make docs` from the help of the commands.  Exit codes: 0 done; 1 the answer is no, or something that was given
is wrong; 2 wrong usage.  Data go to standard output, messages to standard error.

"""


def commands_page(program: Any, name: str = "primad") -> str:
    """Return the page of the commands of PROGRAM, which typer made, called NAME."""
    known = dict(commands(program, name))
    asked_by = program.context_settings.get("help_option_names")
    lines = [
        *_INTRO.splitlines(),
        "| command | what it does |",
        "|---|---|",
        *(f"| [`{one}`](#{one.replace(' ', '-')}) | {_short(command)} |" for one, command in known.items()),
        "",
    ]
    for one, command in known.items():
        help_text = "\n".join(line.rstrip() for line in _help(command, one, asked_by).splitlines())
        lines += [f"## {one}", "", "<!-- not run: what the option --help prints -->", "```text", help_text, "```", ""]
    return "\n".join(lines)


def commands(program: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield PROGRAM, called NAME, and all commands in it, by what is typed; groups before what is in them."""
    yield name, program
    for one, command in getattr(program, "commands", {}).items():
        if not command.hidden:
            yield from commands(command, f"{name} {one}")


def _help(command: Any, name: str, asked_by: list[str] | None) -> str:
    """Return the help of COMMAND, called NAME, for which options in ASKED_BY ask."""
    command = copy(command)
    command._help_option = None  # noqa: SLF001 - it is kept as the first asked for it, who may have had other names
    width = {"terminal_width": _WIDTH, "max_content_width": _WIDTH}
    with command.context_class(command, info_name=name, help_option_names=asked_by, **width) as context:
        return str(command.get_help(context))


def _short(command: Any) -> str:
    """Return what COMMAND does, in a sentence."""
    return " ".join(str(command.short_help or (command.help or "").split("\n\n")[0]).split())
