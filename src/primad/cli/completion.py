"""primad completion: what a shell needs to complete commands, options and their values."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._output import show

EXAMPLE = """\b
Examples:
  source <(primad completion bash)
  primad completion bash > ~/.local/share/bash-completion/completions/primad
  primad completion zsh > ~/.zfunc/_primad
  primad completion fish > ~/.config/fish/completions/primad.fish
"""

app = new_app()

# A shell sets this variable when it asks what could follow.
_ASKED_BY = "_PRIMAD_COMPLETE"


class Shell(StrEnum):
    """The shells that know how to ask."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


@app.command(epilog=EXAMPLE)
def completion(shell: Annotated[Shell, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")]) -> None:
    """Print the script by which SHELL completes what is typed behind primad: commands, options, values and files.

    For zsh the folder must be in fpath and compinit be called: fpath+=~/.zfunc; autoload -Uz compinit; compinit
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    show(get_completion_script(prog_name="primad", complete_var=_ASKED_BY, shell=shell) + "\n")


def prepare() -> None:
    """Get ready to answer a shell, if one asks; everybody else shall not wait for that."""
    if _ASKED_BY in os.environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]

        completion_init()
