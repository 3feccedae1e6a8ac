"""Of which words does a recorded command line consist, and does it need a shell?

    CommandLine    the words, or the text where only a shell can part it, and the variables that it sets and reads
    parsed         a command line, as a record states it

primad records words, quoted where a shell would do something with them; people write what they typed.  So what stands
outside of quotes and means something to a shell (pipes, redirections, variables, patterns) is taken as meant for one.
Secrets are gone before anything else is looked at.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field

from primad.metadata.secrets import REDACTED, redact, redact_command

LONGEST = 100_000  # characters

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_][A-Za-z0-9_]*)|([A-Za-z_][A-Za-z0-9_]*))")
_OPERATORS = frozenset("|&;<>()`$*?[\n")
_IN_QUOTES = frozenset("`$")
_AT_BEGINNING = frozenset("~#")  # of a word
_RECORDER = ("primad", "exec")


@dataclass(frozen=True)
class CommandLine:
    """A command line: its WORDS, or if it needs a SHELL, its text.

    environment   the variables that are set in front of it
    reads         the names of the variables that a shell would put into it
    remarks       what could not be parted, or was left out
    """

    words: tuple[str, ...] = ()
    shell: str = ""
    environment: dict[str, str] = field(default_factory=dict)
    reads: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        """Return the words, of a text for a shell those that are seen without one."""
        return self.words or tuple(re.findall(r"[^\s|&;<>()'\"]+", self.shell))


def parsed(text: str) -> CommandLine:
    """Return what the command line TEXT consists of.

    >>> parsed("python search.py --k1 '0.9 or so'").words
    ('python', 'search.py', '--k1', '0.9 or so')
    >>> parsed("cat topics.txt | sort").shell
    'cat topics.txt | sort'
    """
    text = text.strip()
    try:
        words = shlex.split(text) if len(text) <= LONGEST else []
    except ValueError as error:
        why = f"the command cannot be parted into words ({str(error).lower()}), so a shell gets it as it is"
        return _for_shell(redact(text), [why])
    if not words:
        return CommandLine(remarks=("the command has no words",) if len(text) <= LONGEST else ("it is too long",))
    if needs_shell(text):
        return _for_shell(redact(text), [])
    remarks = []
    if tuple(words[: len(_RECORDER)]) == _RECORDER and "--" in words:
        words = words[words.index("--") + 1 :]
        remarks.append("'primad exec' and its options are left out, since they only record the command")
    return _of_words(words, remarks)


def needs_shell(text: str) -> bool:
    r"""Tell whether something in TEXT outside of quotes means something to a shell only.

    >>> needs_shell("a | b"), needs_shell("a '|' b"), needs_shell('a "$B"'), needs_shell(r"a \$B"), needs_shell("~/a")
    (True, False, True, False, True)
    """
    return any(
        sign in (_IN_QUOTES if quote == '"' else _OPERATORS)
        or (sign in _AT_BEGINNING and not quote and before.isspace())
        for sign, quote, before in _bare(text)
    )


def _of_words(words: list[str], remarks: list[str]) -> CommandLine:
    """Return the command line of WORDS, without the variables that are set in front of it."""
    environment: dict[str, str] = {}
    while words and (found := _ASSIGNMENT.fullmatch(words[0])):
        said = redact(words[0])
        if REDACTED in said:
            remarks.append(f"the variable {found[1]} is left out, since its value may be a secret")
        else:
            environment[found[1]] = found[2]
        words = words[1:]
    clean = redact_command(words)
    if clean != list(words):
        remarks.append(f"what may be a secret in the command is {REDACTED} now; it has to be put in again by hand")
    return CommandLine(tuple(clean), environment=environment, remarks=tuple(remarks))


def _for_shell(text: str, remarks: list[str]) -> CommandLine:
    """Return the command line TEXT, which only a shell understands."""
    names = dict.fromkeys(one or other for one, other in _VARIABLE.findall(text))
    if REDACTED in text:
        remarks.append(f"what may be a secret in the command is {REDACTED} now; it has to be put in again by hand")
    return CommandLine(shell=text, reads=tuple(names), remarks=tuple(remarks))


def _bare(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each sign of TEXT that is not protected, the quote it stands in, if in double ones, and the sign before."""
    quote, before, position = "", " ", 0
    while position < len(text):
        sign = text[position]
        position += 1
        if sign == "\\" and quote != "'":
            position += 1
        elif quote == "'":
            quote = "" if sign == "'" else quote
        elif sign in "'\"" and quote in ("", sign):
            quote = "" if quote else sign
        else:
            yield sign, quote, before
        before = sign
