"""Commands that answer --help at once, and say in our words what was typed wrongly."""

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

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take ``help COMMAND`` for ``COMMAND --help``, then parse."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that is named; of what is wrong with its arguments, say what was expected and found."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            if ctx.parent is None:
                from primad.cli._mistakes import reword

                reword(error, self)
            raise
