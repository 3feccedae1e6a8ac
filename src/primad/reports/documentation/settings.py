"""What can be set by the environment?  The page of settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Setting(NamedTuple):
    """A variable: what holds where it is not set, and what it is for."""

    default: str
    meaning: str


# What holds where a variable of a site is not set.
DEFAULTS = {
    "PRIMAD_ARCHIVE": "the folder in which the command is typed",
    "PRIMAD_DATABASE": "SQLite in the data folder",
    "PRIMAD_SECRET_KEY": "a key in the configuration folder of the user",
    "PRIMAD_HOSTS": "127.0.0.1, localhost, [::1]",
    "PRIMAD_HTTPS": "0",
    "PRIMAD_HSTS_PRELOAD": "0",
    "PRIMAD_PROXIES": "127.0.0.0/8, ::1/128",
    "PRIMAD_PRIVATE": "0",
    "PRIMAD_UPLOAD_LIMIT": "512",
    "PRIMAD_MAIL": "no mail; links are shown",
    "PRIMAD_MAIL_FROM": "the user of the mail server, else primad@localhost",
}
COMMANDS = {
    "PRIMAD_ARCHIVE": Setting(DEFAULTS["PRIMAD_ARCHIVE"], "the folder of the archive or track, as `--archive`"),
    "PRIMAD_SERVER": Setting("none", "the address of a site that commands ask instead of a folder, as `--server`"),
    "PRIMAD_TOKEN": Setting("what `primad login` keeps", "the token for that site, and for no other"),
    "DASK_SCHEDULER_ADDRESS": Setting("none", "the scheduler that `primad doctor` looks for"),
    "XDG_CONFIG_HOME": Setting(
        "`~/.config`", "where tokens, the key of a site and who you are are kept, below `primad/`"
    ),
    "XDG_STATE_HOME": Setting("`~/.local/state`", "where replays for a site keep their work, below `primad/`"),
    "OPENBLAS_NUM_THREADS": Setting("1", "threads of numpy; more rarely pay off"),
}
INSIDE = {
    "PRIMAD_STEP": Setting("-", "set by a replay, so that the processes of a step are known again"),
    "_PRIMAD_COMPLETE": Setting("-", "set by a shell that completes what is typed (`primad completion`)"),
}

_INTRO = """\
# Settings

Made by `make docs`.  All settings are variables of the environment; an option of a command goes before its variable.
A site is told its variables by a file, of which `deploy/primad.env.example` is an example
([how to run a site](../guides/server.md)).

"""


def settings_page(site: Mapping[str, str]) -> str:
    """Return the page of settings; SITE has the variables of a site with what they are for."""
    parts = {
        "Commands": COMMANDS,
        "A site": {name: Setting(DEFAULTS[name], meaning) for name, meaning in site.items()},
        "Set by primad itself": INSIDE,
    }
    lines = [*_INTRO.splitlines()]
    for title, settings in parts.items():
        lines += [f"## {title}", "", "| variable | if not set | what it is for |", "|---|---|---|"]
        lines += [f"| `{name}` | {one.default} | {one.meaning} |" for name, one in settings.items()]
        lines.append("")
    return "\n".join(lines)
