"""How can anybody with a runner of CWL carry out the command that made a run?

    write      a CommandLineTool (v1.2) from the command that a record states, a graph of tools if there are several

A runner starts a command in an empty folder.  So the files that it read are staged where it will look for them, which
are inputs of the tool with the recorded paths as defaults, and the folders that it writes to are made.  The command
itself stays as it was, word by word; where it needs a shell, it gets one.  Libraries with their versions are a hint, as
CWL recommends: a runner that cannot provide them may still try.  Digests of SHA-256 stand in the documentation of
files, since CWL checks SHA-1 only.  No value of the environment is written but those that the command line itself sets.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from primad.errors import DataError
from primad.exchange.formats import Written, writes
from primad.exchange.linked.names import clean
from primad.exchange.lost import not_carried
from primad.exchange.plain_text import one_line, paragraphs
from primad.exchange.remarking import together
from primad.exchange.thing import File
from primad.exchange.told import Deed, Used, deed_of, program_of, software_of
from primad.exchange.workflows.command_lines import CommandLine, parsed
from primad.metadata.secrets import redact
from primad.safe_paths import is_safe_path
from primad.safe_yaml import write_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from primad.exchange.thing import Thing
    from primad.metadata.record import Record

VERSION = "v1.2"
CARRIED = (
    "tag",
    "research goal.description",
    "platform.software",
    "implementation.executable",
    "implementation.source.repository",
    "implementation.source.commit",
    "implementation.source.release",
    "data.inputs",
    "data.outputs",
    "resources.runtime.start time",
    "resources.exit status",
)

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_]+")
_PLAIN = re.compile(r"[A-Za-z0-9._+-]+(/[A-Za-z0-9._+-]+)*")  # what cwltool takes for the name of a file by default
_PATTERN = re.compile(r"[\[*?]")
_DATA, _OUTPUT = "inputDataset", "outputDir"  # variables that a replay sets
_MOST_COMMANDS = 100
_SHOWN = 60
_INTERPRETERS = re.compile(r"(.*/)?(python[0-9.]*|java|perl|ruby|Rscript|bash|sh|node)")


@writes(
    "cwl",
    title="CWL CommandLineTool",
    source="https://www.commonwl.org/v1.2/CommandLineTool.html",
    of=("run", "experiment", "attempt", "query"),
)
def write(thing: Thing) -> Written:
    """Return the commands of THING as tools."""
    told = list(_commands(thing))
    if not told:
        hint = "state implementation.executable.cmd, or make the run with: primad exec -- COMMAND"
        raise DataError(f"expected a command for CWL, found none in {thing.name}; {hint}")
    tools: list[dict[str, Any]] = []
    remarks: list[tuple[str, str]] = []
    taken: set[str] = set()
    for title, deed, record in told[:_MOST_COMMANDS]:
        builder = _Tool(title, _with_inputs(deed, thing), record, _output_of(thing, record))
        if not builder.line.named:
            remarks.append((title, f"'{clean(deed.command)[:_SHOWN]}' is no command, and left out"))
            continue
        taken.add(name := _name(redact(title), taken))
        tools.append({"id": name} | builder.build())
        remarks += [(title, one) for one in builder.remarks]
    if not tools:
        raise DataError(f"expected a command for CWL, found '{clean(told[0][1].command)[:_SHOWN]}' in {thing.name}")
    document = {"cwlVersion": VERSION} | (tools[0] if len(tools) == 1 else {"$graph": tools})
    lost = [*not_carried(thing, CARRIED, deeds=True)]
    if len(told) > _MOST_COMMANDS:
        lost.append(f"{len(told) - _MOST_COMMANDS:,} commands after the first {_MOST_COMMANDS}")
    text = "#!/usr/bin/env cwl-runner\n" + write_yaml(_without_secrets(document))
    file = File.of_bytes(text.encode(), f"{thing.name}.cwl", "other")
    return Written((file,), tuple(lost), tuple(together(remarks, alone=len(told) == 1)))


def _commands(thing: Thing) -> Iterator[tuple[str, Deed, Record | None]]:
    """Yield each command of THING once, with what it is called and the record that tells it."""
    seen = set()
    for record in thing.records():
        deed = deed_of(record)
        if deed is not None and deed not in seen:
            seen.add(deed)
            yield one_line(record.tag) or thing.name, deed, record
    for number, deed in enumerate(thing.deeds, 1):
        if deed.command.strip() and deed not in seen:
            seen.add(deed)
            yield f"{thing.name} {number}", deed, None


def _with_inputs(deed: Deed, thing: Thing) -> Deed:
    """Return DEED, which read the files of THING that its command names, where nobody has recorded what it read."""
    if deed.inputs:
        return deed
    known = {PurePosixPath(file.path).name: file for file in thing.of_role("topics", "qrels", "system", "other")}
    written = {PurePosixPath(one.path).name for one in deed.outputs}
    names = known.keys() - written
    words = [word for word in parsed(deed.command).named if PurePosixPath(word).name in names]
    found = ((word, known[PurePosixPath(word).name]) for word in dict.fromkeys(words))
    return replace(deed, inputs=tuple(Used(word, file.sha256, file.size) for word, file in found))


def _output_of(thing: Thing, record: Record | None) -> str:
    """Return the name of the run that has RECORD, empty if there is none."""
    return next((PurePosixPath(run.path).name for run in thing.runs if run.record is record and record), "")


class _Tool:
    """A tool in the making: what is asked for while it is made stands in ``remarks``."""

    def __init__(self, title: str, deed: Deed, record: Record | None, output: str) -> None:
        """Describe the command of DEED, which RECORD tells and which wrote the run OUTPUT."""
        self.title = title
        self.deed = deed
        self.record = record
        self.output = output
        self.line = parsed(deed.command)
        self.remarks = [*self.line.remarks]
        self._inputs: dict[str, Any] = {}
        self._listing: list[dict[str, Any]] = []
        self._places: dict[str, str] = {}  # paths that a runner chooses, by those that were recorded

    def build(self) -> dict[str, Any]:
        """Return the tool."""
        for used in self._read():
            self._add_input(used)
        outputs = self._outputs()
        tool: dict[str, Any] = {"class": "CommandLineTool", "label": self.title, "doc": self._doc()}
        requirements = self._requirements()
        tool |= {"requirements": requirements} if requirements else {}
        packages = _packages(self.record)
        tool |= {"hints": {"SoftwareRequirement": {"packages": packages}}} if packages else {}
        tool |= self._command()
        tool |= {"inputs": self._inputs, "outputs": outputs}
        if self.deed.status:
            tool["successCodes"] = [self.deed.status]
            self.remarks.append(f"the command ended with the status {self.deed.status}, which is not 0")
        return tool

    def _read(self) -> Iterator[Used]:
        """Yield the files that the command read: those recorded, and its program where it names one by a path."""
        yield from self.deed.inputs
        if not self.deed.inputs and _DATA not in self.line.reads:
            self.remarks.append(
                "no inputs are recorded (primad exec --trace does); add the files that the command reads"
            )
        if self.record is None:
            return
        program = str(self.record.get("implementation.executable.program", ""))
        source = program_of(self.record)
        if program in self.line.named and PurePosixPath(program).suffix and program not in self._recorded():
            yield Used(program, str(self.record.get("implementation.executable.sha256", "")))
            if source and source.source:
                at = f" at {source.commit}" if source.commit else ""
                self.remarks.append(f"other files of {source.source}{at} that {program} needs are no inputs; add them")
        elif "-m" in self.line.words:
            self.remarks.append("the module behind -m has to be installed where the tool runs")

    def _recorded(self) -> set[str]:
        """Return the paths of the inputs that were recorded."""
        return {used.path for used in self.deed.inputs}

    def _add_input(self, used: Used) -> None:
        """Make the file USED an input, at the place where the command looks for it."""
        path = used.path.removeprefix("./")
        name = _name(redact(PurePosixPath(path).name), self._inputs)
        described = {"type": "File", "doc": _about(used)}
        if is_safe_path(path):
            default = {"class": "File", "location": quote(path)}
            self._inputs[name] = described | {"default": default}
            self._listing.append({"entryname": path, "entry": f"$(inputs.{name})"})
            self._remark_odd_name(path)
            return
        self._inputs[name] = described
        self._places[used.path] = f"$(inputs.{name}.path)"
        if not any(_ends_in(word, used.path) for word in self.line.words):
            self.remarks.append(
                f"{one_line(path)} was read but is not named by a word of the command; see where it goes"
            )

    def _outputs(self) -> dict[str, Any]:
        """Return the files that the command wrote, and have the folders made that they go to."""
        wrote = list(self.deed.outputs) or [
            Used(word) for word in self.line.named if self.output and PurePosixPath(word).name == self.output
        ]
        outputs: dict[str, Any] = {}
        folders: dict[str, None] = {}
        for used in wrote:
            path = used.path.removeprefix("./")
            if not is_safe_path(path):
                self.remarks.append(f"{one_line(path)} is written outside of the folder of the tool, and not collected")
                continue
            binding = {"glob": _PATTERN.sub(lambda found: f"[{found[0]}]", path)}
            outputs[_name(redact(PurePosixPath(path).name), outputs)] = {
                "type": "File",
                "doc": _about(used),
                "outputBinding": binding,
            }
            folders |= dict.fromkeys([str(PurePosixPath(path).parent)] if "/" in path else [])
        if not outputs:
            self.remarks.append("no output of the command is known, so the tool collects none")
        staged = {str(above) for one in self._listing for above in PurePosixPath(one["entryname"]).parents}
        self._listing += [_folder(path) for path in folders if path not in staged]
        return outputs

    def _requirements(self) -> dict[str, Any]:
        """Return what a runner must be able to do."""
        found: dict[str, Any] = {}
        if self.line.shell:
            found["ShellCommandRequirement"] = {}
        if self._listing:
            found["InitialWorkDirRequirement"] = {"listing": self._listing}
        variables = {name: _literal(value) for name, value in self.line.environment.items()} | self._places_given()
        if variables:
            found["EnvVarRequirement"] = {"envDef": variables}
        if unknown := [name for name in self.line.reads if name not in variables]:
            self.remarks.append(f"the command reads {', '.join(unknown)} from its environment, which is not recorded")
        return found

    def _places_given(self) -> dict[str, str]:
        """Return the variables by which systems of a track are given their data and where to write, as inputs."""
        given: dict[str, str] = {}
        if _DATA in self.line.reads:
            self._inputs[_DATA] = {"type": "Directory", "doc": "the data set that the system is run on"}
            given[_DATA] = f"$(inputs.{_DATA}.path)"
        if _OUTPUT in self.line.reads:
            given[_OUTPUT] = "$(runtime.outdir)"
        return given

    def _command(self) -> dict[str, Any]:
        """Return the command as CWL has it."""
        line = self.line
        if line.shell:
            return {"arguments": [{"shellQuote": False, "valueFrom": _literal(line.shell)}]}
        base = 2 if _INTERPRETERS.fullmatch(line.words[0]) and _is_script(line) else 1
        if line.words[0].startswith("/"):
            self.remarks.append(f"{line.words[0]} is a place on the machine where the command ran; put in one of yours")
        return {
            "baseCommand": list(line.words[:base]),
            "arguments": [self._argument(word) for word in line.words[base:]],
        }

    def _argument(self, word: str) -> str:
        """Return WORD, with the place that a runner has for a file in place of the one that was recorded."""
        for path, place in self._places.items():
            if _ends_in(word, path):
                return _literal(word.removesuffix(path), is_part=True) + place
        return _literal(word)

    def _remark_odd_name(self, path: str) -> None:
        """Say which names of files a runner may refuse."""
        if not _PLAIN.fullmatch(path):
            self.remarks.append(f"cwltool takes '{path}' as the name of a file only with --relax-path-checks")

    def _doc(self) -> str:
        """Return what a person should know about the tool."""
        record, deed = self.record, self.deed
        goal = paragraphs(record.get("research goal.description", "")) if record else ""
        source = program_of(record) if record else None
        at = f" at {source.commit}" if source and source.commit else ""
        lines = [
            goal,
            f"Source: {source.source or source.name}{at}" if source else "",
            f"Carried out: {one_line(deed.began)}" if deed.began else "",
            f"Recorded by primad from: {one_line(_shown(self.line))}",
        ]
        return "\n".join(line for line in lines if line)


def _without_secrets(value: Any) -> Any:
    """Return VALUE with every text in it redacted; names of inputs and outputs stay, whatever they sound like."""
    if isinstance(value, dict):
        return {key: _without_secrets(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_without_secrets(one) for one in value]
    return redact(value) if isinstance(value, str) else value


def _shown(line: CommandLine) -> str:
    """Return the command line without secrets, for a person."""
    return line.shell or shlex.join(line.words)


def _is_script(line: CommandLine) -> bool:
    """Tell whether the second word is what an interpreter carries out, and no option of its own."""
    return len(line.words) > 1 and not line.words[1].startswith("-")


def _ends_in(word: str, path: str) -> bool:
    """Tell whether WORD is PATH, or ends in it behind '=' as options do."""
    return word == path or word.endswith(f"={path}")


def _literal(text: str, *, is_part: bool = False) -> str:
    """Return TEXT so that no runner takes a part of it for an expression; IS_PART says that an expression follows."""
    if is_part or "$(" in text or "${" in text:
        return text.replace("\\", "\\\\").replace("$(", "\\$(").replace("${", "\\${")
    return text


def _folder(path: str) -> dict[str, Any]:
    """Return the empty folder at PATH."""
    *above, last = path.split("/")
    inner: dict[str, Any] = {"class": "Directory", "basename": last, "listing": []}
    for name in reversed(above):
        inner = {"class": "Directory", "basename": name, "listing": [inner]}
    return inner


def _about(used: Used) -> str:
    """Return what is known about the file USED."""
    size = "" if used.bytes is None else f"{used.bytes:,} bytes"
    digest = f"SHA-256 {one_line(used.sha256)}" if used.sha256 else ""
    return ", ".join(part for part in (one_line(used.path), size, digest) if part)


def _packages(record: Record | None) -> list[dict[str, Any]]:
    """Return the software that RECORD names, each once, with its versions."""
    found: dict[str, dict[str, None]] = {}
    for one in software_of(record) if record else ():
        name = one_line(one.name)
        if name and one.kind != "system":
            found.setdefault(name, {}).update({one_line(one.version): None} if one.version else {})
    return [{"package": name} | ({"version": list(versions)} if versions else {}) for name, versions in found.items()]


def _name(text: str, taken: Iterable[str]) -> str:
    """Return TEXT as a name that CWL takes and that is not TAKEN."""
    plain = _NOT_IN_NAMES.sub("_", text).strip("_")[:80] or "thing"
    plain = plain if plain[0].isalpha() else f"_{plain}"
    known, name, number = set(taken), plain, 2
    while name in known:
        name, number = f"{plain}_{number}", number + 1
    return name
