"""Groups of commands: each command is made when somebody asks for it, and what was typed wrongly is said in our words.

    Commands   a group of commands, with help that comes at once
    Line       where a command is, and what help says of it
    new_app    what the functions of a module become commands by

To make a command takes longer than to run most: of a whole program only the one is made that is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

import typer
from typer.core import TyperGroup
from typer.main import get_group

from primad.cli._output import say


class Line(NamedTuple):
    """What a list of commands has of one: the MODULE whose ``app`` it is, or is in, and what it is ABOUT."""

    module: str
    about: str


class Commands(TyperGroup):
    """A group of commands, of which none loads a slow library before it is asked to do something.

    LINES are those that are made when somebody asks for them; a group without has the commands that it was given.
    """

    lines: ClassVar[Mapping[str, Line]] = {}

    @property
    def commands(self) -> MutableMapping[str, Any]:
        """Return all commands by name."""
        return {name: self._one(name) for name in self.lines} if self.lines else self._made

    @commands.setter
    def commands(self, given: MutableMapping[str, Any]) -> None:
        """Begin with the commands that were GIVEN."""
        self._made = given

    def _one(self, name: str) -> Any:
        """Return the command NAME, None if there is none."""
        if name in self.lines and name not in self._made:
            module, about = self.lines[name]
            found = get_group(import_module(module).app)
            command: Any = found if found.name == name else found.commands[name]
            command.short_help = about
            self._made[name] = command
        return self._made.get(name)

    def get_command(self, _ctx: Any, cmd_name: str) -> Any:
        """Return the command that is called so, None if there is none."""
        return self._one(cmd_name)

    def list_commands(self, _ctx: Any) -> list[str]:
        """Return the names of all commands, in the order of help."""
        return [*self.lines] or [*self._made]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands, of which none is made for that."""
        if not self.lines:
            super().format_commands(ctx, formatter)
            return
        with formatter.section("Commands"):
            formatter.write_dl([(name, line.about) for name, line in self.lines.items()])

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
        """Run the command that is named; of what is wrong with its arguments, say what was expected and found.

        Whoever interrupts it is told so, unless it says more about that itself.
        """
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            if ctx.parent is None:
                say("interrupted")
            raise
        except Exception as error:
            if ctx.parent is None:
                from primad.cli._mistakes import reword

                reword(error, self)
            raise


def new_app(name: str | None = None, cls: type[Commands] = Commands, **told: Any) -> typer.Typer:
    """Return what functions become commands by; with a NAME it is a group of commands, of which more is TOLD."""
    return typer.Typer(
        name=name,
        cls=cls,
        no_args_is_help=True,
        add_completion=False,
        # Plain help starts in a third of the time that coloured boxes take.
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        **told,
    )
