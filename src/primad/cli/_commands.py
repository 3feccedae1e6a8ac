"""Commands that answer --help at once."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup


class Commands(TyperGroup):
    """A group of commands, of which none loads a slow library before it is asked to do something."""

    def get_help_option(self, ctx: Any) -> Any:
        """Return --help, which is false where it is not given: of None, typer would ask a library that loads slowly."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.default = False
        return option
