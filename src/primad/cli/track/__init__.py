"""primad track: systems are submitted, run again and judged; one file per group of commands.

The commands are put together when somebody asks for one of them: every other command of primad starts sooner that way.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from functools import cache
from typing import Any

import typer

from primad.cli._commands import Commands

HELP = """Hold a replication track: teams submit systems, analysts run them again, results are compared.

Each command acts on the track in the folder that --archive or PRIMAD_ARCHIVE names, else in the working folder; with
--server or PRIMAD_SERVER on that of a site.  Where there are several, --track names one.  What is to be done next is
in: primad track show.
"""
EXAMPLE = """\b
Examples:
  primad track init my-track
  primad track task coding --scorer coding
  primad track submit alpha run1 output.tsv
  primad track replay alpha/run1 --analyst ann
  primad track report --out report/
"""


class TrackCommands(Commands):
    """The commands on a track, which are made when somebody asks for one."""

    _made: MutableMapping[str, Any] | None = None

    @property
    def commands(self) -> MutableMapping[str, Any]:
        """Return the commands by name."""
        if not self._made:
            self._made = _all_commands()
        return self._made

    @commands.setter
    def commands(self, given: MutableMapping[str, Any]) -> None:
        """Take commands that were GIVEN beforehand, of which there are none."""
        self._made = given


@cache
def _all_commands() -> dict[str, Any]:
    """Return all commands by name."""
    from primad.cli.track._all import app as everything

    group: Any = typer.main.get_command(everything)
    commands: dict[str, Any] = group.commands
    return commands


app = typer.Typer(cls=TrackCommands, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)
