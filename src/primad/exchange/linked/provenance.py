"""Where does a thing come from: which command made it, of what, when, and on whose behalf?

    write      W3C PROV, as PROV-JSON

What stands in it: files as entities by their SHA-256, the thing as a collection of them; each command as an activity
with its times, and so what made a run where only the program is known; programs at their commits as plans; people by
their ORCID, and teams on whose behalf they acted.  A run is derived from another ranking where a stage of its method
reranks, interpolates or joins that; a result is derived from the runs, judgments and measurements that it is about.  A
reproduction is not derived from its original but influenced by it.

PROV-JSON is written, since it holds every statement of the model, needs no names for what has none, and is read by all
tools of PROV, which turn it into PROV-N, PROV-XML or RDF (with prov-convert, which the package prov brings).
Source: https://www.w3.org/TR/prov-dm/, https://www.w3.org/Submission/prov-json/
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from primad.exchange.computing import computing_of
from primad.exchange.formats import Written, writes
from primad.exchange.linked.names import clean, of_digest, of_person, of_thing, of_words
from primad.exchange.linked.prov_statements import Statements
from primad.exchange.linked.stages import sources_of
from primad.exchange.lost import not_carried
from primad.exchange.plain_text import counted
from primad.exchange.thing import File
from primad.exchange.told import datasets_of, is_making_told, making_of, people_of, program_of, software_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from primad.exchange.thing import Role, Thing
    from primad.exchange.told import Deed, Person, Used
    from primad.metadata.record import Record

CARRIED = (
    "tag",
    "method.retrieval[].name",
    "method.retrieval[].reranks",
    "method.retrieval[].interpolates",
    "method.retrieval[].ensembles",
    "platform.software.retrieval toolkit",
    "implementation.executable.cmd",
    "implementation.source.repository",
    "implementation.source.commit",
    "implementation.source.release",
    "actor.name",
    "actor.orcid",
    "actor.team",
    "actor.role",
    "data.test collection.name",
    "data.test collection.source",
    "data.test collection.ir_datasets",
    "data.training data[].name",
    "data.training data[].source",
    "data.training data[].ir_datasets",
    "data.other[].name",
    "data.inputs",
    "data.outputs",
    "research goal.evaluation.baseline",
    "resources.runtime.start time",
    "resources.runtime.stop time",
)

_DOUBLES = (
    "file has the same bytes as another, and is one entity with it",
    "files have the same bytes as others, and are one entity with them",
)
_RESULTS_OF: tuple[Role, ...] = ("run", "qrels", "measurements", "topics")


@writes(
    "prov",
    title="W3C PROV (PROV-JSON)",
    source="https://www.w3.org/TR/prov-dm/",
    of=("run", "experiment", "assessment", "precision", "attempt", "query", "collection"),
    extra="linked",
)
def write(thing: Thing) -> Written:
    """Return where THING comes from."""
    told = _Told(thing)
    told.tell()
    text = told.statements.to_json()
    lost = tuple(not_carried(thing, CARRIED, deeds=True))
    return Written((File.of_bytes(text.encode(), f"{thing.name}.prov.json", "other"),), lost, tuple(told.remarks))


class _Told:
    """What is told about a thing, statement by statement."""

    def __init__(self, thing: Thing) -> None:
        """Begin to tell about THING."""
        self.thing = thing
        self.statements = Statements()
        self.remarks: list[str] = []
        self._runs = {file.tag: file for file in reversed(thing.runs)}

    def tell(self) -> None:
        """Tell everything."""
        whole = of_thing(self.thing)
        stated = self.thing.stated
        facts = {
            "schema:license": stated.licence,
            "schema:publisher": stated.publisher,
            "schema:identifier": stated.doi,
        }
        self.statements.entity(whole, self.thing.title or self.thing.name, ("prov:Collection",), facts)
        for file in self.thing.files:
            self.statements.entity(
                _name(file), file.tag if file.role == "run" else file.path, _types(file), _facts(file)
            )
            self.statements.relate("hadMember", whole, _name(file))
        if doubles := len(self.thing.files) - len({file.sha256 for file in self.thing.files}):
            self.remarks.append(counted(doubles, *_DOUBLES))
        for run in self.thing.runs:
            if run.record is not None:
                self._run(run, run.record)
        for record in self.thing.records():
            if not any(run.record is record for run in self.thing.runs):
                self._alone(record)
        self._attempt(whole)
        self._results()

    def _run(self, run: File, record: Record) -> None:
        """Tell how RUN was made."""
        name = _name(run)
        people = people_of(record)
        activity = ""
        if is_making_told(record):
            deed = making_of(record)
            activity = self._activity(deed, record, people, name)
            self._wrote(activity, deed, run)
        self._attributed(name, people, activity)
        self._derived(run, record, activity)
        baselines = [str(value) for _, value in record.find("research goal.evaluation.baseline[]")]
        if record.get("actor.role") == "reproducer" and len(baselines) == 1 and baselines[0] in self._runs:
            original = _name(self._runs[baselines[0]])
            if original != name:
                self.statements.relate("wasInfluencedBy", name, original)

    def _alone(self, record: Record) -> None:
        """Tell of a command whose run is not part of the thing."""
        people = people_of(record)
        if is_making_told(record):
            deed = making_of(record)
            self._wrote(self._activity(deed, record, people, of_words("record", record.to_yaml())), deed, None)
        for person in people:
            self._agent(person, "")

    def _attempt(self, whole: str) -> None:
        """Tell of the commands of an attempt, and of the people who made it."""
        activity = ""
        for deed in self.thing.deeds:
            activity = self._activity(deed, None, self.thing.people)
            self._wrote(activity, deed, None)
        self._attributed(whole, self.thing.people, activity)

    def _results(self) -> None:
        """Tell of what the results are computed from."""
        computing = computing_of(self.thing)
        if computing is None:
            return
        sources = dict.fromkeys([*map(_name, self.thing.of_role("topics")), *map(self._file, computing.inputs)])
        for result in map(_name, computing.outputs):
            for source in sources:
                if source != result:
                    self.statements.relate("wasDerivedFrom", result, source)

    def _activity(self, deed: Deed, record: Record | None, people: Iterable[Person], made: str = "") -> str:
        """Tell of DEED, what it used and who was responsible; return its name, which without a command is that of MADE.

        A record that names a program but no command still says by what the run was made.
        """
        command = clean(deed.command)
        known = (command, deed.began, deed.ended, *(f"{one.path} {one.sha256}" for one in deed.outputs))
        name = of_words("command", *known) if command else of_words("making", made)
        began, ended = self._times(deed)
        self.statements.activity(name, command or clean(f"how {record.tag if record else ''} was made"), began, ended)
        for used in deed.inputs:
            self.statements.relate("used", name, self._file(used), role="input")
        plan = self._program(record) if record else ""
        for person in people:
            agent = self._agent(person, name)
            self.statements.relate("wasAssociatedWith", name, agent, plan=plan, role=clean(person.role))
        if plan:
            self.statements.relate("used", name, plan, role="program")
        for what, use in self._data(record) if record else ():
            self.statements.relate("used", name, what, role=use)
        return name

    def _times(self, deed: Deed) -> tuple[datetime | None, datetime | None]:
        """Return when the command of DEED began and ended; neither if it ended before it began."""
        began, ended = _time(deed.began), _time(deed.ended)
        if began and ended and ended < began:
            self.remarks.append(f"a command ended before it began ({clean(deed.began)}), so its times are left out")
            return None, None
        return began, ended

    def _wrote(self, activity: str, deed: Deed, run: File | None) -> None:
        """Tell what the ACTIVITY of DEED wrote: RUN itself, or a file from which it was made by adding a header."""
        own = "" if run is None else run.path.rsplit("/", 1)[-1]
        outputs = {self._file(used): used for used in deed.outputs}
        same = [name for name, used in outputs.items() if used.path.rsplit("/", 1)[-1] == own and own]
        for name, used in outputs.items():
            self._generated(name, activity, used.path)
        if run is None or _name(run) in outputs:
            return
        if len(same) == 1:
            self.statements.relate("wasDerivedFrom", _name(run), same[0], kind="prov:Revision")
        else:
            self._generated(_name(run), activity, run.path)

    def _generated(self, name: str, activity: str, path: str) -> None:
        """Tell that the file NAME was written by ACTIVITY, which of one file only one can have done."""
        by = self.statements.generator_of(name)
        if by and by != activity:
            self.remarks.append(f"{clean(path)} has the same bytes as a file of another command, which is told only")
            return
        self.statements.relate("wasGeneratedBy", name, activity)

    def _derived(self, run: File, record: Record, activity: str) -> None:
        """Tell from which other rankings that of RUN is derived, stage by stage."""
        found = sources_of(record)
        names = {stage: of_words("stage", run.sha256, stage) for stage in found.stages}
        names |= dict.fromkeys([found.last] if found.last else [], _name(run))
        for stage, source in found.derivations:
            other = names.get(source) or (_name(self._runs[source]) if source in self._runs else "")
            if not other or other == names[stage]:
                continue
            for one, which in ((names[stage], stage), (other, source)):
                if which in names and one != _name(run):
                    self.statements.entity(one, f"ranking of {which} for {run.tag}", ("schema:Dataset",), {})
                    if activity:
                        self.statements.relate("wasGeneratedBy", one, activity)
            self.statements.relate("wasDerivedFrom", names[stage], other)

    def _attributed(self, name: str, people: Iterable[Person], activity: str) -> None:
        """Tell to whom the entity NAME is owed, which came of ACTIVITY."""
        for person in people:
            self.statements.relate("wasAttributedTo", name, self._agent(person, activity))

    def _agent(self, person: Person, activity: str) -> str:
        """Tell of PERSON, who acted in ACTIVITY, or of the team if nobody of it is named; return the name."""
        if person.name == person.team and not person.orcid:
            return self._team(person.team)
        name = of_person(person)
        self.statements.agent(name, person.name, "prov:Person")
        if person.team:
            self.statements.relate("actedOnBehalfOf", name, self._team(person.team), activity=activity)
        return name

    def _team(self, team: str) -> str:
        """Tell of TEAM; return its name."""
        name = of_words("team", team)
        self.statements.agent(name, team, "prov:Organization")
        return name

    def _program(self, record: Record) -> str:
        """Tell of the program of RECORD at its commit; return its name, empty if nothing is said of it."""
        program = program_of(record)
        if program is None:
            return ""
        name = of_words("program", program.source or program.name, program.version, program.commit)
        facts = {"schema:codeRepository": program.source, "schema:version": program.version or program.commit}
        self.statements.entity(name, program.name, ("prov:Plan", "schema:SoftwareSourceCode"), facts)
        return name

    def _data(self, record: Record) -> Iterable[tuple[str, str]]:
        """Yield the collections and the toolkits that RECORD names, and what each was used as."""
        for one in datasets_of(record):
            name = of_words("dataset", one.ir_datasets or one.name, one.source)
            facts = {"schema:identifier": one.ir_datasets, "schema:url": one.source}
            self.statements.entity(name, one.name, ("schema:Dataset",), facts)
            yield name, {"test": "test collection", "training": "training data"}.get(one.use, "other data")
        for tool in software_of(record):
            if tool.kind == "toolkit":
                name = of_words("toolkit", tool.name, tool.version)
                facts = {"schema:version": tool.version}
                self.statements.entity(name, tool.name, ("schema:SoftwareApplication",), facts)
                yield name, "toolkit"

    def _file(self, used: Used) -> str:
        """Tell of the file USED, which may be one of the thing; return its name."""
        name = of_digest(used.sha256) or of_words("file", used.path, str(used.bytes))
        size = "" if used.bytes is None else str(used.bytes)
        self.statements.entity(name, used.path, (), {"schema:name": used.path, "schema:contentSize": size})
        return name


def _name(file: File) -> str:
    """Return the name of FILE."""
    return of_digest(file.sha256)


def _types(file: File) -> tuple[str, ...]:
    """Return of what kind FILE is, in the words of schema.org."""
    code = ("schema:SoftwareSourceCode",)
    return code if file.role == "system" else ("schema:Dataset",) if file.role in _RESULTS_OF else ()


def _facts(file: File) -> dict[str, str]:
    """Return what is known about the bytes of FILE."""
    return {
        "schema:name": file.path,
        "schema:contentSize": str(file.size),
        "schema:encodingFormat": file.media_type,
        "schema:sha256": file.sha256,
    }


def _time(text: str) -> datetime | None:
    """Return the time that TEXT writes, None if it writes none; one without a zone is taken for UTC."""
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
