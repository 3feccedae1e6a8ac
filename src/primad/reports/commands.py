"""How is a command written so that it finds the same folder or site again?

options_for     the options that name a folder or a site, and a track
with_options    a sentence with options behind each command in it
"""

from __future__ import annotations

import re
import shlex

_COMMAND = re.compile(r"primad [^,;]+")  # up to where the sentence goes on


def options_for(*, archive: str = "", server: str = "", track: str = "") -> str:
    """Return the options that name a folder, a site and a track, each if there is one.

    >>> options_for(archive="my data", track="coding"), options_for()
    (" --archive 'my data' --track coding", '')
    """
    given = (("--archive", archive), ("--server", server), ("--track", track))
    return "".join(f" {option} {shlex.quote(value)}" for option, value in given if value)


def with_options(sentence: str, options: str) -> str:
    """Return SENTENCE with OPTIONS behind each command in it.

    >>> with_options("go on: primad track replay --resume 1, or leave it", " --track coding")
    'go on: primad track replay --resume 1 --track coding, or leave it'
    """
    return _COMMAND.sub(lambda found: f"{found[0]}{options}", sentence)
