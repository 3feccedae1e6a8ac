"""What will analysts miss in a bundle?  Told to its authors before they submit it.

    preflight      all that is missing, by what the manifest says and which files there are
    preflight_in   the same for a folder
    Missing        one thing, and the question of the sheet that it will cost points on
    FIRST          the questions that come first

The questions are those of Névéol et al., LOUHI 2016, Table 1.  The weakest answers there were to Q1 (which are the
prerequisites?) and Q6 (does it run as expected?), so what these miss comes first.  Nothing is run here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from primad.replay.manifest import Manifest, is_among, manifest_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

FIRST = ("Q1", "Q6")

_README = re.compile(r"(readme|install|usage|manual)(\.\w+)?", re.IGNORECASE)
_REQUIREMENTS = re.compile(r"requirements[\w.-]*\.(txt|in)", re.IGNORECASE)
_LOCKS = {
    "cargo.lock", "conda-lock.yml", "gemfile.lock", "go.sum", "package-lock.json", "pdm.lock", "pipfile.lock",
    "poetry.lock", "renv.lock", "requirements.lock", "uv.lock", "yarn.lock",
}  # fmt: skip
_DECLARED = {"cargo.toml", "environment.yml", "gemfile", "package.json", "pipfile", "pyproject.toml", "setup.py"}
# An address stands behind the last @ that is not at the end: from each of them, many would take long.
_PINNED = re.compile(r"[A-Za-z0-9][\w.\[\],-]*\s*===?\s*[^\s*]+|.+@\s*+(?:[^\s@]++@?|@)", re.DOTALL)
_INPUT = re.compile(r"\$\{?inputDataset\b")
_OUTPUT = re.compile(r"\$\{?outputDir\b")
_OWN_PATH = re.compile(
    r"""(?:^|[\s=:<>(,])["']?(/(?:home|Users|root|mnt|media|scratch|data\d*|work|tmp)/[^\s'"]*|~/[^\s'"]*)""",
    re.MULTILINE,
)
_FETCHING = re.compile(
    r"(?<![\w/.-])(pip3?\s+install|pip3?\s+download|conda\s+(install|create|env)|uv\s+(pip\s+install|sync)|npm\s+(i|ci|install)"
    r"|apt(-get)?\s+install|curl\s|wget\s|git\s+(clone|fetch|pull)|docker\s+(pull|run)|huggingface-cli\s+download"
    r"|hf\s+download|nltk\.download|spacy\s+download|mvn\s|gradle\s)"
)
_FILE = re.compile(
    r"(?<![\w$}./~-])(?:\./)?((?:[\w.-]+/)*[\w-][\w.-]*\.(?:py|sh|jar|pl|r|R|js|rb|txt|tsv|csv|json|yaml|yml|toml|xml|model|pkl|bin))"
    r"(?![\w/.-])"
)
_WRITTEN = re.compile(r">\s*(?:\./)?([\w./-]*)")
_MOST_NAMED = 5
_MOST_COMPARED = 10**8  # characters, where names are looked for in what commands say
_MOST_READ = 1 << 20


@dataclass(frozen=True)
class Missing:
    """WHAT analysts will miss, WHY they will, and HOW to mend it; QUESTION is the one it will cost points on ("Q1")."""

    question: str
    what: str
    why: str
    how: str


@dataclass(frozen=True)
class _Bundle:
    """What there is to look at."""

    manifest: Manifest
    files: frozenset[str]
    read: Callable[[str], str]

    @property
    def runs(self) -> str:
        """Return all commands that run the system."""
        return "\n".join(line for one in self.manifest.configurations.values() for line in one.run)


def preflight(
    manifest: Manifest, files: Iterable[str], read: Callable[[str], str] | None = None
) -> tuple[Missing, ...]:
    """Return what analysts will miss in a bundle with MANIFEST and FILES, by their paths; READ gives a file's text."""
    bundle = _Bundle(manifest, frozenset(files), read or (lambda _path: ""))
    found = [missing for check in _CHECKS for missing in check(bundle)]
    return tuple(sorted(found, key=_place))


def preflight_in(folder: Path) -> tuple[Missing, ...]:
    """Return what analysts will miss in a bundle that lies open in FOLDER."""
    files = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    return preflight(manifest_in(folder), files, lambda path: _beginning(folder / path))


def _beginning(path: Path) -> str:
    """Return the text of the file at PATH, of a very long one its beginning."""
    with path.open(encoding="utf-8", errors="replace") as stream:
        return stream.read(_MOST_READ)


def _place(missing: Missing) -> tuple[bool, int]:
    """Return where MISSING stands: the questions that come first, then the others in their order."""
    number = int(missing.question.removeprefix("Q"))
    return missing.question not in FIRST, number


def _named(names: Iterable[str]) -> str:
    """Return the first of NAMES."""
    known = list(dict.fromkeys(names))
    more = len(known) - _MOST_NAMED
    return ", ".join(known[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _prerequisites(bundle: _Bundle) -> Iterator[Missing]:
    """Look for prerequisites with their versions."""
    stated = bundle.manifest.prerequisites
    if not stated:
        yield Missing(
            "Q1",
            "no prerequisites are stated",
            "analysts find out what the system needs by errors, one after the other",
            "list under 'prerequisites' what must be there before the installation: interpreter, compiler, libraries",
        )
    open_ones = [one.name for one in stated if not one.version]
    if open_ones:
        yield Missing(
            "Q1",
            f"no version is stated of {_named(open_ones)}",
            "an older version that is there already fails with an error that does not name the version",
            "state the versions that work, as in 'java >=17' or 'python >=3.9,<4'",
        )


def _system(bundle: _Bundle) -> Iterator[Missing]:
    """Look for what tells whether a machine will do."""
    if not bundle.manifest.operating_system:
        yield Missing(
            "Q1",
            "no operating system is stated",
            "analysts have other machines than the authors",
            "state under 'operating_system' where it was run",
        )
    if bundle.manifest.expected.memory is None:
        yield Missing(
            "Q1",
            "no expected memory is stated",
            "a run that is killed for its memory looks like a fault of the system",
            "state it under 'expected', as in 'memory: 4 GB'",
        )


def _information(bundle: _Bundle) -> Iterator[Missing]:
    """Look for what tells whether a run goes well."""
    if bundle.manifest.expected.minutes is None:
        yield Missing(
            "Q6",
            "no expected time is stated",
            "nobody knows whether a run that is still silent after an hour has failed",
            "state under 'expected' how many 'minutes' a run takes",
        )
    if not bundle.manifest.progress:
        yield Missing(
            "Q6",
            "no progress messages are described",
            "analysts cannot tell whether the system does what it should",
            "let it print how far it is, and say under 'progress' what is seen",
        )
    if not bundle.manifest.sample_output:
        yield Missing(
            "Q6",
            "no sample of the output is there",
            "without one nobody sees early that the output is another one",
            "add the output on a few items, and its path under 'sample_output'",
        )
    elif not is_among(bundle.manifest.sample_output, bundle.files):
        yield Missing(
            "Q6",
            f"the sample of the output, {bundle.manifest.sample_output}, is not in the bundle",
            "without one nobody sees early that the output is another one",
            "add it",
        )


def _installation(bundle: _Bundle) -> Iterator[Missing]:
    """Look for instructions to install the system."""
    if not bundle.manifest.install:
        yield Missing(
            "Q3",
            "no installation is described",
            "analysts look for steps, and cannot tell that there are none",
            "list the commands under 'install'; if there are none to run, let one say so: echo nothing to install",
        )
    if not any(_README.fullmatch(PurePosixPath(file).name) for file in bundle.files):
        yield Missing(
            "Q3",
            "there is no README",
            "what goes wrong on another machine is explained nowhere",
            "add a README with prerequisites and where to get them, an example of each command, and what it prints",
        )


def _contact(bundle: _Bundle) -> Iterator[Missing]:
    """Look for somebody to ask."""
    if not bundle.manifest.contact:
        yield Missing(
            "Q4",
            "no contact is stated",
            "who needs to ask something has to give up",
            "state an address under 'contact' that is read while analysts work",
        )


def _commands(bundle: _Bundle) -> Iterator[Missing]:
    """Look at each configuration for what cannot work elsewhere."""
    for name, configuration in bundle.manifest.configurations.items():
        text = "\n".join(configuration.run)
        for variable, pattern, what in (("$inputDataset", _INPUT, "data set"), ("$outputDir", _OUTPUT, "output")):
            if not pattern.search(text):
                yield Missing(
                    "Q5",
                    f"the commands of '{name}' do not mention {variable}",
                    f"the folder of the {what} is another one on each machine",
                    f'name it in the command, as in: ./run "{variable}"; or let the program read the variable, '
                    "and say so in a comment of the command",
                )
        fetching = [found[0].strip() for found in _FETCHING.finditer(text)]
        if fetching:
            yield Missing(
                "Q5",
                f"the commands of '{name}' need a network ({_named(fetching)})",
                "a system is run without one, and what is fetched may be another thing tomorrow",
                "fetch it in a step of 'install', or put it into the bundle",
            )


def _own_paths(bundle: _Bundle) -> Iterator[Missing]:
    """Look for paths of the authors' own machine."""
    found = _OWN_PATH.findall("\n".join([*bundle.manifest.install, bundle.runs]))
    if found:
        yield Missing(
            "Q5",
            f"commands name places on your machine: {_named(found)}",
            "they are not there on another one",
            "name files by their path in the bundle, data by $inputDataset and the output by $outputDir",
        )


def _named_files(bundle: _Bundle) -> Iterator[Missing]:
    """Look for files that commands name and the bundle does not have, unless an earlier step makes them."""
    made = "\n".join(bundle.manifest.install)
    written = "\n".join(["", *_WRITTEN.findall(bundle.runs)])
    names = dict.fromkeys(found[1] for found in _FILE.finditer(bundle.runs))
    alike = _grouped(bundle.files, lambda file: file.rpartition("/")[2])
    lacking = (name for name in names if not _ends_one_of(name, alike[name.rpartition("/")[2]]))
    most = _MOST_COMPARED // (len(made) + len(written) + 1)
    gone = [
        name
        for number, name in enumerate(lacking)
        if number >= most or (PurePosixPath(name).stem not in made and f"\n{name}" not in written)
    ]
    if gone:
        yield Missing(
            "Q5",
            f"commands name files that are not in the bundle: {_named(gone)}",
            "the system stops where it looks for them",
            "add them, or say in 'install' how they are made; files of the data set are \"$inputDataset\"/NAME",
        )


def _ends_one_of(name: str, files: Iterable[str]) -> bool:
    """Tell whether one of FILES is called NAME, seen from whichever folder."""
    return any(file == name or file.endswith(f"/{name}") for file in files)


def _output(bundle: _Bundle) -> Iterator[Missing]:
    """Look for the names of what a run gives."""
    if not bundle.manifest.output:
        yield Missing(
            "Q7",
            "no output is named",
            "nobody can tell which of the files is the result in the format of the task",
            "list the names of the files under 'output'",
        )


def _sameness(bundle: _Bundle) -> Iterator[Missing]:
    """Look for what makes a run give the same again."""
    if not bundle.manifest.version:
        yield Missing(
            "Q8",
            "no version of the system is stated",
            "whether it is the one that made the submitted output is anybody's guess",
            "state under 'version' a release or a commit",
        )
    folders = _grouped(bundle.files, lambda file: file.rpartition("/")[0])
    loose = sorted(file for files in folders.values() for file in _loose(files, bundle))
    if loose:
        yield Missing(
            "Q8",
            f"dependencies are not pinned in {_named(loose)}",
            "libraries of another version give other results, or none",
            "state each with its version, as in numpy==2.4.1; 'pip freeze' writes such a file",
        )


def _loose(files: Iterable[str], bundle: _Bundle) -> list[str]:
    """Return those of the FILES of one folder that name dependencies without their versions, which none of them has."""
    names = {file: file.rpartition("/")[2].lower() for file in files}
    if _LOCKS & set(names.values()):
        return []
    listed = [file for file, name in names.items() if _REQUIREMENTS.fullmatch(name)]
    if not listed:
        return [file for file, name in names.items() if name in _DECLARED]
    return [file for file in listed if not all(map(_PINNED.fullmatch, _requirements(bundle.read(file))))]


def _grouped(files: Iterable[str], key: Callable[[str], str]) -> defaultdict[str, list[str]]:
    """Return FILES by the KEY of each, so that none has to be looked for among all."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for file in files:
        found[key(file)].append(file)
    return found


def _requirements(text: str) -> Iterator[str]:
    """Yield the requirements in TEXT without options, comments and conditions."""
    for line in text.replace("\\\n", " ").splitlines():
        plain = re.split(r"\s#|;|\s--", line, maxsplit=1)[0].strip()
        if plain and not plain.startswith(("#", "-")):
            yield plain


_CHECKS = (
    _prerequisites,
    _system,
    _information,
    _installation,
    _contact,
    _commands,
    _own_paths,
    _named_files,
    _output,
    _sameness,
)
