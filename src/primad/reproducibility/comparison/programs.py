r"""Which program does a command line run?  Its arguments are of no interest here.

    programs_in          the programs or modules that a command line runs; none if that cannot be told
    is_only_a_starter    whether what was recorded as a program does no more than start another

A command is read as a shell reads it, and never run.  Launchers and interpreters are seen through where every option
before the program is known; with any other option nobody can tell which word is the program, and the answer is none
rather than a wrong one.  What only prepares (``cd``) or passes text on (``tee``) is not counted.
"""

from __future__ import annotations

import re
import shlex
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_COMMAND = 1 << 16
_MOST_STARTERS = 20


class _Starter(NamedTuple):
    """How what starts a program is called: the options before the program, and how many other words."""

    alone: str = "(?!)"
    with_value: str = "(?!)"
    words: int = 0
    code: str = "(?!)"  # behind this option stands code, and no program


_TIME = _Starter(
    r"-[apqv]+|--(append|portability|quiet|verbose)",
    r"-[apqv]*[fo]|--(format|output)",
)
_SLURM = _Starter(
    r"-[AcGJnNptw].+|-[lqQuv]+|--(exclusive|label|overlap|pty|unbuffered)",
    r"-[AcGJnNptw]|--(account|cpus-per-task|gpus|gres|job-name|mem|nodes|ntasks|partition|time)",
)
_MPI = _Starter(r"--(allow-run-as-root|oversubscribe)", r"-(host|hostfile|n|np|x|H)|--(host|hostfile|np)")
_CONDA = _Starter(r"-v+|--(live-stream|no-capture-output)", r"-[np]|--(cwd|name|prefix)")
_UV = _Starter(
    r"-[mqs]|--(frozen|isolated|locked|module|no-project|no-sync|offline|quiet|script)",
    r"-p|--(directory|env-file|extra|group|package|project|python|with|with-requirements)",
)
_TORCH = _Starter(
    r"-m|--(module|standalone)",
    r"--(local|log|master|max|monitor|nnodes|node|nproc|rdzv|redirects|role|start|tee)[\w-]*",
)
_ACCELERATE = _Starter(
    r"-m|--(cpu|module|multi_gpu|use_deepspeed|use_fsdp)", r"--(config|dynamo|gpu|machine|main|mixed|num)[\w-]*"
)
_SWITCHES_OF_PYTHON = "[bBdEiIOPqsSuvx]"
_PYTHON = _Starter(
    rf"-{_SWITCHES_OF_PYTHON}+|-{_SWITCHES_OF_PYTHON}*(m|[WX].+)",
    rf"-{_SWITCHES_OF_PYTHON}*[WX]|--check-hash-based-pycs",
    code=rf"-{_SWITCHES_OF_PYTHON}*c",
)
_JAVA = _Starter(
    r"-[DX].+|-(agentlib|agentpath|da|ea|javaagent|verbose)(:.*)?|-(client|jar|m|server)|--(enable-preview|module)",
    r"-(cp|classpath|p)|--(class-path|module-path)|--(add|limit)-(exports|modules|opens|reads)",
)
_SWITCHES_OF_SHELL = "[abefhiklmnprtuvxBCEHPT]"
_SHELL = _Starter(
    rf"[-+]{_SWITCHES_OF_SHELL}+|--(login|noprofile|norc|posix)",
    rf"[-+]{_SWITCHES_OF_SHELL}*[oO]",
    code=rf"-{_SWITCHES_OF_SHELL}*c",
)
_OTHER_INTERPRETER = _Starter(r"-w|-I.+", r"-[Ir]", code="-e")

_STARTERS = {
    "command": _Starter(),
    "env": _Starter(r"-|-[iv]|--(debug|ignore-environment)", r"-[uC]|--(chdir|unset)"),
    "exec": _Starter(),
    "ionice": _Starter(r"-t|-[cn]\d+", r"-[cn]"),
    "nice": _Starter(r"-n?[+-]?\d+", r"-n|--adjustment"),
    "nohup": _Starter(),
    "numactl": _Starter(r"-[al]|--(all|localalloc)", r"-[CNimp]|--(cpunodebind|interleave|membind|physcpubind)"),
    "setsid": _Starter(r"-[cfw]+"),
    "stdbuf": _Starter(r"-[eio].+", r"-[eio]"),
    "sudo": _Starter(r"-[EHPSbn]+|--(non-interactive|preserve-env|set-home)", r"-[CDRTghpu]|--(chdir|group|user)"),
    "taskset": _Starter(r"-[ac]+|--(all-tasks|cpu-list)", words=1),
    "time": _TIME,
    "timeout": _Starter(r"-v|--(foreground|preserve-status|verbose)", r"-[ks]|--(kill-after|signal)", words=1),
    "srun": _SLURM,
    **dict.fromkeys(("mpiexec", "mpirun"), _MPI),
    **dict.fromkeys(("conda run", "mamba run", "micromamba run"), _CONDA),
    **dict.fromkeys(("pdm run", "pipenv run", "poetry run"), _Starter()),
    "primad exec": _Starter(r"--trace", r"-o|--(output|run|set|template)"),
    "uv run": _UV,
    **dict.fromkeys(("torch.distributed.launch", "torch.distributed.run", "torchrun"), _TORCH),
    **dict.fromkeys(("accelerate launch", "accelerate.commands.launch"), _ACCELERATE),
    "deepspeed": _Starter(r"--module", r"--(exclude|hostfile|include|master|num)[\w-]*"),
    **dict.fromkeys(("pypy", "python"), _PYTHON),
    "java": _JAVA,
    **dict.fromkeys(("bash", "dash", "ksh", "mksh", "sh", "zsh"), _SHELL),
    "Rscript": _Starter(r"--(slave|vanilla|verbose|no-[\w-]+)", code="-e"),
    "julia": _Starter(r"-[iq]|-[Ogpt]\w+|--project", r"-[JLpt]|--(procs|threads)", code="-e"),
    **dict.fromkeys(("lua", "node", "perl", "php", "ruby"), _OTHER_INTERPRETER),
}
# An option of more letters has its value behind the sign; not if that names what is run.
_WITH_ITS_VALUE = re.compile(r"--(?!(class|module)=)[\w-]+=.*", re.DOTALL)

# What they run stands in an image, in a file, or anywhere among their arguments; of a loop nobody can tell.
_CANNOT_BE_SEEN_THROUGH = re.compile(
    r"""apptainer|docker|enroot|kubectl|podman|singularity|ssh
    | accelerate|conda|hatch|mamba|micromamba|pdm|pipenv|pipx|pixi|poetry|uv|uvx
    | bsub|dvc|make|mlflow|nextflow|parallel|qsub|sbatch|screen|script|snakemake|spark-submit|tmux|watch|xargs
    | R|bazel|cargo|dotnet|go|gradle|matlab|mvn|npm|npx|powershell|sbt|yarn
    | jupyter|nbconvert|nox|papermill|runpy|tox
    | cProfile|coverage|gdb|pdb|perf|profile|scalene|strace|trace|valgrind
    | \[\[?|case|do|done|elif|else|esac|eval|fi|for|function|if|select|then|until|while""",
    re.VERBOSE,
)
_ASIDE = re.compile(
    r"""\.|:|cd|date|echo|export|module|popd|printf|pushd|set|sleep|source|trap|true|ulimit|umask|unset|wait
    | (conda|mamba)\ (de)?activate
    | cat|cp|grep|gunzip|gzip|head|ln|mkdir|mv|rm|sort|tail|tee|wc|zcat""",
    re.VERBOSE,
)

_TOKEN = re.compile(
    r"""[^\S\n]+
    | (?P<end>&&|\|\||\|&|[;|&\n]+)
    | (?P<redirection>\d*(&>>?|>>?|<>?)(&\d*-?|\|)?)
    | (?P<word>([^\s;|&<>'"\\]|\\.|'[^']*'|"([^"\\]|\\.)*")+)""",
    re.VERBOSE | re.DOTALL,
)
_ASSIGNMENT = re.compile(r"\w+=")
_VERSION = re.compile(r"(?<=[^\d.])[\d.]+\Z")
_NAME = re.compile(r"(?=.*[^\W\d])[^-+=@$`(){}*?~!#][^$`(){}*?]*", re.DOTALL)


@lru_cache(maxsize=1000)
def programs_in(command: str) -> tuple[str, ...]:
    """Return the programs or modules that a COMMAND line runs, by the names of their files; none if one is in doubt.

    >>> programs_in("cd src && nice -n 19 python3 -u search.py --k1 0.9"), programs_in("docker run image")
    (('search.py',), ())
    """
    if len(command) > _LONGEST_COMMAND:
        return ()
    try:
        found = [name for words in _commands(command.replace("\\\n", " ")) for name in _run_by(words)]
    except ValueError:  # a quote that does not end
        return ()
    return tuple(found) if all(found) else ()


def is_only_a_starter(program: str, command: str) -> bool:
    """Tell whether PROGRAM, as it was recorded for COMMAND, is not what was run: a launcher, or a line for a shell."""
    if program.startswith("-"):  # code among the arguments: that of an interpreter is a program, that of a shell is not
        return not any(name.startswith("-") for name in programs_in(command))
    name = _plain(program)
    return name in _STARTERS or bool(_CANNOT_BE_SEEN_THROUGH.fullmatch(name))


def _commands(line: str) -> Iterator[list[str]]:
    """Yield the words of each command in a LINE of shell, without what is read from or written to files."""
    words: list[str] = []
    place, is_file = 0, False
    while place < len(line):
        token = _TOKEN.match(line, place)
        if token is None:
            raise ValueError(line[place:])
        place = token.end()
        if token["word"] is not None:
            words += [] if is_file else ["".join(shlex.split(token["word"]))]
            is_file = False
        elif token["redirection"] is not None:
            is_file = not re.search(r"&(\d+-?|-)\Z", token["redirection"])
        elif token["end"] is not None:
            yield words
            words, is_file = [], False
    yield words


def _run_by(words: list[str], left: int = _MOST_STARTERS) -> list[str]:
    """Return the programs that a command of WORDS runs in the end, an empty name for one that cannot be told.

    At most as many starters as are LEFT are seen through.
    """
    while words and _ASSIGNMENT.match(words[0]):
        words = words[1:]
    if not words:
        return []
    name, pair = _plain(words[0]), " ".join([_plain(words[0]), *words[1:2]])
    if _ASIDE.fullmatch(name) or _ASIDE.fullmatch(pair):
        return []
    key = pair if pair in _STARTERS else name
    if not left or _CANNOT_BE_SEEN_THROUGH.fullmatch(key):
        return [""]
    if key not in _STARTERS:
        file = _file_name(words[0])
        return [file if _NAME.fullmatch(file) else ""]
    starter = _STARTERS[key]
    rest = _behind_options(words[len(key.split()) :], starter)
    if rest and re.fullmatch(starter.code, rest[0]):
        code = "".join(rest[1:2])
        return [*programs_in(code)] or [""] if starter is _SHELL else [f"-c {code}"]
    return _run_by(rest[starter.words :], left - 1) or [""]


def _behind_options(words: list[str], starter: _Starter) -> list[str]:
    """Return what follows the options of STARTER at the beginning of WORDS; nothing if one of them is not known."""
    while words and words[0].startswith(("-", "+")):
        if words[0] == "--":
            return words[1:]
        if re.fullmatch(starter.code, words[0]):
            return words
        if re.fullmatch(starter.with_value, words[0]):
            words = words[2:]
        elif re.fullmatch(starter.alone, words[0]) or _WITH_ITS_VALUE.fullmatch(words[0]):
            words = words[1:]
        else:
            return []
    return words


def _plain(word: str) -> str:
    """Return the name of a program without folder and version, so that python3.11 is python."""
    return _VERSION.sub("", _file_name(word))


def _file_name(word: str) -> str:
    """Return the last part of a path; of a path that has none, such as a dot, all of it."""
    return PurePosixPath(word).name or word
