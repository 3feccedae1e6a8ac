"""How is what was done written as actions of a crate?

    made        the command that made a run, by what its record says
    done        a command that no record tells of
    computed    results that primad has computed

A record that names a program but no command still says by what the run was made, so it has an action too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from primad.exchange.research_crate.crate import local_id, web_id
from primad.exchange.research_crate.describing import dataset, person, software, value
from primad.exchange.research_crate.words import COMPLETED, FAILED
from primad.exchange.told import (
    Deed,
    Person,
    Software,
    datasets_of,
    making_of,
    people_of,
    program_of,
    software_of,
)
from primad.metadata.paths import leaves, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from primad.exchange.computing import Computing
    from primad.exchange.research_crate.crate import Crate, Reference
    from primad.exchange.told import Used
    from primad.metadata.record import Record

# What tells the machine; the system and the libraries are software.
_MACHINE = (("platform", "hardware"), ("platform", "operating system", "platform"))
_USE = ("resources",)
_TOLD_OTHERWISE = {"start time", "stop time", "exit status"}


@dataclass
class Actions:
    """The actions of CRATE, in which FILES are known by the digest of their bytes."""

    crate: Crate
    files: Mapping[str, Reference]
    references: list[Reference] = field(default_factory=list)

    def made(self, record: Record, result: Sequence[Reference], tag: str) -> None:
        """Add the action that made RESULT, the run with TAG or nothing that is here, by what RECORD says."""
        deed = making_of(record)
        instruments = self._instruments(record, deed)
        if not instruments:
            return
        people = [person(self.crate, one) for one in people_of(record)]
        data = [dataset(self.crate, one) for one in datasets_of(record)]
        own = str(record.get("ranking.sha256", ""))
        properties = self._told(deed, own) | {
            "name": f"How {tag} was made" if tag else f"Execution of {_program(deed.command) or 'a command'}",
            "instrument": instruments,
            "agent": people,
            "additionalProperty": list(self._values(record, _MACHINE, "machine")),
            "resourceUsage": list(self._values(record, (_USE,), "use")),
        }
        properties["object"] = [*properties["object"], *data]
        properties["result"] = [*result, *(one for one in properties["result"] if one not in result)]
        self._add(properties)

    def done(self, deed: Deed, people: Sequence[Person]) -> None:
        """Add the action of DEED, which PEOPLE have done, with the program that its command names."""
        program = Software(_program(deed.command) or "a program", kind="program")
        properties = self._told(deed) | {
            "name": f"Execution of {program.name}",
            "instrument": [software(self.crate, program)],
            "agent": [person(self.crate, one) for one in people],
        }
        self._add(properties)

    def computed(self, what: str, computing: Computing, result: list[Reference]) -> None:
        """Add the action of COMPUTING that gave RESULT, which is WHAT."""
        properties = {
            "name": f"Execution of {computing.program.name}",
            "description": what,
            "instrument": [software(self.crate, computing.program)],
            "object": [self._used(one) for one in computing.inputs],
            "result": result,
        }
        self._add(properties)

    def _add(self, properties: dict[str, Any]) -> None:
        """Add an action with PROPERTIES."""
        number = len(self.references) + 1
        action = self.crate.once(("action", number), f"#action-{number}", "CreateAction", properties)
        self.references.append(action)

    def _told(self, deed: Deed, own: str = "") -> dict[str, Any]:
        """Return what DEED tells; the file with the digest OWN is the run itself, before its record was put into it."""
        is_failed = bool(deed.status)
        return {
            "description": deed.command,
            "startTime": _time(deed.began),
            "endTime": _time(deed.ended),
            "actionStatus": "" if deed.status is None else FAILED if is_failed else COMPLETED,
            "error": f"exit status {deed.status}" if is_failed else "",
            "object": [self._used(one) for one in deed.inputs],
            "result": [self._used(one) for one in deed.outputs if not own or one.sha256 != own],
        }

    def _used(self, used: Used) -> Reference:
        """Return the entity of the file USED: one of the crate if it has the same bytes, else one that is elsewhere."""
        if used.sha256 in self.files:
            return self.files[used.sha256]
        address = web_id(used.path)
        properties = {
            "name": used.path,
            "sha256": used.sha256,
            "contentSize": "" if used.bytes is None else str(used.bytes),
            "url": address,
            "description": "A file that is no part of this crate.",
        }
        wanted = local_id("file", used.path.rstrip("/").rsplit("/", 1)[-1])
        return self.crate.once(("used", used), wanted, "CreativeWork", properties)

    def _instruments(self, record: Record, deed: Deed) -> list[Reference]:
        """Return the program that RECORD names with all it requires; without one, what else says how it was made."""
        others = software_of(record)
        program = program_of(record)
        if program is None and (called := _program(deed.command)):
            program = Software(called, kind="program")
        if program is not None:
            required = dict.fromkeys(software(self.crate, one)["@id"] for one in others if one.name != program.name)
            return [software(self.crate, program, [{"@id": identifier} for identifier in required])]
        toolkits = [one for one in others if one.kind == "toolkit"]
        return [software(self.crate, one) for one in toolkits or others if one.kind != "system"]

    def _values(self, record: Record, tops: Sequence[tuple[str, ...]], group: str) -> Iterator[Reference]:
        """Yield the single values of RECORD below TOPS, each one of a GROUP; a series of values stays in the record."""
        for path, leaf in leaves(record.tree):
            is_below = any(path[: len(top)] == top for top in tops)
            is_single = not any(isinstance(step, int) for step in path) and isinstance(leaf, str | int | float)
            if is_below and is_single and path[-1] not in _TOLD_OTHERWISE:
                yield value(self.crate, written(path), leaf, group)


def _program(command: str) -> str:
    """Return the first word of COMMAND, of a path its last part."""
    return next(iter(command.split()), "").rstrip("/").rsplit("/", 1)[-1]


def _time(text: str) -> str:
    """Return the time TEXT as the profile has it, in thousandths of seconds and UTC; as it is, if that says too much.

    >>> _time("2025-05-14T04:52:12.798524-02:00"), _time("2025-05-14T04:52:12"), _time("in May")
    ('2025-05-14T06:52:12.798+00:00', '2025-05-14T04:52:12', 'in May')
    """
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return text
    return time.astimezone(UTC).isoformat(timespec="milliseconds") if time.tzinfo else text
