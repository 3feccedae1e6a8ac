"""How does a folder of YAML and files become a track?

    import_track   the track that a folder describes, all of it or nothing

The folder may have been written by ``export_track`` or by hand; what it says is checked, and what is wrong is named
with file and line.  A track that is imported keeps its phase: services, which ask for the phase, are not used here.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db.models import Max

from primad.errors import DataError, FileError, FormatError, PairingError, Problem, UsageError
from primad.metadata.reading import from_tree
from primad.replay.manifest import manifest_of
from primad.replay.recorded import replayed_of
from primad.safe_paths import safe_path
from primad.safe_yaml import Node, read_yaml
from primad.store.database import writing
from primad.store.folder import DataFolder
from primad.store.log import note
from primad.store.models import Event
from primad.store.profiles import kept_profile
from primad.track import filing, models, rights
from primad.track.folders.columns import values_of
from primad.track.folders.exporting import history_of
from primad.track.folders.nodes import items_at, mapping_at, number_at, text_at, told_with
from primad.track.levels import LEVELS
from primad.track.naming import attempt_numbered, named, slug_of, submission_named
from primad.track.phases import check_dates
from primad.track.replays.running import limits_of
from primad.track.services.setting_up import let_maker_organise
from primad.track.sheet import DEFAULT, check_answers, template_of, tree_of
from primad.track.wellformed import check_corrected, check_numbers, check_original, check_texts, check_verdict

_LARGEST = 1 << 26
_MOST_DIGITS = 6
_NOT_RUNNING = {"running": "stopped"}  # whoever ran it does not run it here


def import_track(folder: DataFolder, source: Path, *, trust: bool = False) -> models.Track:
    """Return the track that SOURCE describes, new in FOLDER; all of it is there or nothing.

    A scorer that is a command runs with the rights of whoever scores, so that takes TRUST.
    """
    rights.require(None, "make-track")
    if trust:
        rights.require_keeper("to take in a track that scores by a command")
    if not (source / "track.yaml").is_file():
        raise FileError(str(source), "expected a folder with a file track.yaml", "see examples/clef-ehealth-2016")
    with writing():
        reader = _Reader(folder, source, trust=trust)
        track = reader.track_itself()
        reader.tasks()
        reader.people()
        reader.submissions()
        reader.replication()
        reader.history()
        note("imported", f"track {track.slug}")
        let_maker_organise(track)
    return track


class _Reader:
    """Reads the folder SOURCE into the database of FOLDER, within a transaction."""

    track: models.Track

    def __init__(self, folder: DataFolder, source: Path, *, trust: bool) -> None:
        self.folder = folder
        self.source = source
        self.trust = trust

    # Files -----------------------------------------------------------------------------------------------------

    def node(self, path: Path) -> Node:
        """Return the YAML at PATH."""
        self.refuse_links(path)
        if not path.is_file():
            raise FileError(str(path), "expected a file", "see examples/clef-ehealth-2016")
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise FileError(str(path), f"cannot be read ({error})") from None
        return read_yaml(text, str(path), limit=_LARGEST)

    def refuse_links(self, path: Path) -> None:
        """Refuse PATH below the source if any part of it is a link."""
        for part in (path, *path.parents):
            if part == self.source:
                return
            if part.is_symlink():
                raise FileError(str(part), "expected files and folders, found a link", "take it out")

    def folders(self, path: str) -> Iterator[Path]:
        """Yield the folders in the folder PATH, in order."""
        place = self.source / path
        self.refuse_links(place)
        found = sorted(place.iterdir()) if place.is_dir() else []
        yield from (one for one in found if one.is_dir() and not one.is_symlink())

    def yaml_files(self, path: str) -> Iterator[tuple[str, Path]]:
        """Yield the YAML files in the folder PATH by the names of what they describe."""
        place = self.source / path
        self.refuse_links(place)
        for one in sorted(place.glob("*.yaml")) if place.is_dir() else ():
            yield one.stem, one

    def files(self, place: Path) -> models.Files | None:
        """Return the files in the folder PLACE, kept; None if there are none."""
        self.refuse_links(place)
        found = filing.read_tree(place) if place.is_dir() else {}
        return filing.keep(self.folder, found) if found else None

    # Rows ------------------------------------------------------------------------------------------------------

    def track_itself(self) -> models.Track:
        """Return the track, with the versions of its sheet and its published figures."""
        path = self.source / "track.yaml"
        node = self.node(path)
        values = values_of(models.Track, node, str(path))
        with told_with(path):
            slug_of(values["slug"], "a track")
            values["dates"] = check_dates(values.get("dates", {}))
        if models.Track.objects.filter(slug=values["slug"]).exists():
            raise UsageError(f"there is a track {values['slug']} already; import into another folder")
        self.track = models.Track.objects.create(**values)
        self._templates()
        published = self.source / "published.yaml"
        for one in self._list(published):
            models.Published.objects.create(track=self.track, **values_of(models.Published, one, str(published)))
        return self.track

    def _templates(self) -> None:
        """Keep the versions of the sheet, the usual one if there are none."""
        versions: dict[str, Any] = {stem: self.node(path).plain() for stem, path in self.yaml_files("sheet")}
        for stem, tree in (versions or {"1": DEFAULT}).items():
            file = self.source / "sheet" / f"{stem}.yaml"
            if not _is_number(stem):
                raise FileError(str(file), "expected a number, the version, as its name")
            with told_with(file):
                content = tree_of(template_of(tree))
            models.SheetTemplate.objects.create(track=self.track, version=int(stem), content=content)

    def _list(self, path: Path) -> list[Node]:
        """Return the list in the file PATH, an empty one if there is no such file."""
        if not path.exists():
            return []
        node = self.node(path)
        if not isinstance(node.value, list):
            raise FormatError(str(path), [Problem(node.line or 1, "a list", "something else")])
        return node.value

    def tasks(self) -> None:
        """Keep tasks and their data sets."""
        from primad.evaluation.scorers import scorer

        for place in self.folders("tasks"):
            file = place / "task.yaml"
            values = values_of(models.Task, self.node(file), str(file))
            if values["scorer"] == "command" and not self.trust:
                raise UsageError(
                    f"{file}: the task is scored by a command, which would run with your rights; "
                    f"look at it, and import with --trust if you do trust it"
                )
            with told_with(file):
                judge = scorer(values["scorer"], values.get("settings", {}))
                limits_of(values.get("limits", {}))  # refuses what are none
                check_original(values.get("original", {}))
            values["primary"] = values.get("primary") or judge.primary
            if values.get("profile"):
                named_here = place / "profile.yaml"
                own = values["profile"] == named_here.name and named_here.is_file() and not named_here.is_symlink()
                values["profile"] = kept_profile(self.folder, str(named_here) if own else values["profile"])
            task = models.Task.objects.create(
                track=self.track,
                slug=slug_of(place.name, "a task"),
                original_files=self.files(place / "original"),
                **values,
            )
            for data in self.folders(f"tasks/{place.name}/data"):
                self._data_set(task, data)

    def _data_set(self, task: models.Task, place: Path) -> None:
        """Keep the data set of TASK in the folder PLACE."""
        file = place / "data-set.yaml"
        values = values_of(models.DataSet, self.node(file), str(file)) if file.exists() else {}
        models.DataSet.objects.create(
            task=task,
            slug=slug_of(place.name, "a data set"),
            inputs=self.files(place / "inputs"),
            gold=self.files(place / "gold"),
            **values,
        )

    def people(self) -> None:
        """Keep teams and analysts with their machines."""
        for slug, path in self.yaml_files("teams"):
            values = values_of(models.Team, self.node(path), str(path))
            models.Team.objects.create(track=self.track, slug=slug_of(slug, "a team"), **values)
        for slug, path in self.yaml_files("analysts"):
            node = self.node(path)
            values = values_of(models.Analyst, node, str(path), ("machines",))
            with told_with(path):
                check_texts(values.get("conflicts", {}), "conflicts of interest")
            analyst = models.Analyst.objects.create(track=self.track, slug=slug_of(slug, "an analyst"), **values)
            for name, one in mapping_at(node, "machines", path).items():
                facts = values_of(models.Machine, one, str(path))
                with told_with(path):
                    check_texts(facts.get("facts", {}), "facts of a machine")
                    from_tree({"platform": facts.get("record", {})})  # refuses what is none
                models.Machine.objects.create(analyst=analyst, slug=slug_of(name, "a machine"), **facts)

    def submissions(self) -> None:
        """Keep submissions with their outputs and systems."""
        places = [place for team in self.folders("submissions") for place in self.folders(f"submissions/{team.name}")]
        nodes = [(place, self.node(place / "submission.yaml")) for place in places]
        for place, node in sorted(nodes, key=_submitted):
            file = place / "submission.yaml"
            values = values_of(models.Submission, node, str(file), ("task", "outputs", "system", "systems"))
            with told_with(file):
                team = named(models.Team.objects.filter(track=self.track), place.parent.name, "team")
                task = named(models.Task.objects.filter(track=self.track), text_at(node, "task", file), "task")
                slug = slug_of(place.name, "a submission")
            submission = models.Submission.objects.create(team=team, task=task, slug=slug, **values)
            only = node.value.get("system")
            with told_with(file):
                for one in items_at(node, "outputs", file):
                    self._output(submission, one, place)
                for one in [only] if only else items_at(node, "systems", file):
                    self._system(submission, one, place)

    def _output(self, submission: models.Submission, node: Node, place: Path) -> None:
        """Keep the output of SUBMISSION that NODE describes, its files below PLACE."""
        file = place / "submission.yaml"
        values = values_of(models.Output, node, str(file), ("data_set", "files"))
        for name in ("values", "scored"):
            check_numbers(values.get(name, {}), name)
        check_texts(values.get("conditions", {}), "conditions of an output")
        from_tree(values.get("record", {}))  # refuses what is none
        slug_of(values.get("configuration", "default"), "a configuration")
        known = models.DataSet.objects.filter(task=submission.task)
        models.Output.objects.create(
            submission=submission,
            data_set=named(known, text_at(node, "data_set", file), "data set") if "data_set" in node.value else None,
            files=self.files(place / safe_path(text_at(node, "files", file))) if "files" in node.value else None,
            **values,
        )

    def _system(self, submission: models.Submission, node: Node, place: Path) -> None:
        """Keep the system of SUBMISSION that NODE describes, its bundle below PLACE."""
        file = place / "submission.yaml"
        values = values_of(models.System, node, str(file), ("bundle", "secret"))
        if values.get("manifest"):
            manifest_of(values["manifest"])  # refuses what is none
        bundle = self.files(place / safe_path(text_at(node, "bundle", file))) if "bundle" in node.value else None
        models.System.objects.create(submission=submission, bundle=bundle, **values)

    # Replication -----------------------------------------------------------------------------------------------

    def replication(self) -> None:
        """Keep assignments, attempts and sheets."""
        path = self.source / "assignments.yaml"
        for node in self._list(path):
            values = values_of(models.Assignment, node, str(path), ("analyst", "submission", "machine"))
            with told_with(path):
                analyst, submission = self._who_and_what(node, path)
                machine = self._machine(analyst, node, path)
            models.Assignment.objects.create(analyst=analyst, submission=submission, machine=machine, **values)
        for place in sorted(self.folders("attempts"), key=lambda one: (len(one.name), one.name)):
            with told_with(place / "attempt.yaml"):
                self._attempt(place)
        for owner in self.folders("sheets"):
            for team in self.folders(f"sheets/{owner.name}"):
                for slug, sheet in self.yaml_files(f"sheets/{owner.name}/{team.name}"):
                    with told_with(sheet):
                        self._sheet(owner.name, f"{team.name}/{slug}", sheet)

    def _who_and_what(self, node: Node, path: Path) -> tuple[models.Analyst, models.Submission]:
        """Return the analyst and the submission that NODE names."""
        analysts = models.Analyst.objects.filter(track=self.track)
        analyst = named(analysts, text_at(node, "analyst", path), "analyst")
        return analyst, submission_named(self.track, text_at(node, "submission", path))

    def _machine(self, analyst: models.Analyst, node: Node, path: Path) -> models.Machine | None:
        """Return the machine of ANALYST that NODE names, None if it names none."""
        if "machine" not in node.value:
            return None
        known = models.Machine.objects.filter(analyst=analyst)
        found: models.Machine = named(known, text_at(node, "machine", path), "machine")
        return found

    def _attempt(self, place: Path) -> None:
        """Keep the attempt in the folder PLACE, whose name is its number."""
        file = place / "attempt.yaml"
        node = self.node(file)
        others = ("analyst", "submission", "system", "data_set", "machine", "repeats", "spans", "questions", "verdict")
        values = values_of(models.Attempt, node, str(file), others)
        values["state"] = _NOT_RUNNING.get(values.get("state", "open"), values.get("state", "open"))
        if not _is_number(place.name):
            raise FileError(str(place), "expected a number as the name of an attempt", "rename the folder")
        _check_attempt(values)
        analyst, submission = self._who_and_what(node, file)
        known = models.DataSet.objects.filter(task=submission.task)
        attempt = models.Attempt.objects.create(
            track=self.track,
            number=int(place.name),
            analyst=analyst,
            submission=submission,
            system=self._system_of(submission, node, file),
            data_set=named(known, text_at(node, "data_set", file), "data set") if "data_set" in node.value else None,
            machine=self._machine(analyst, node, file),
            repeats=attempt_numbered(self.track, number_at(node, "repeats", file)) if "repeats" in node.value else None,
            output=self.files(place / "output"),
            transcript=self.files(place / "transcript"),
            **values,
        )
        self._belongings(attempt, node, file)

    def _system_of(self, submission: models.Submission, node: Node, file: Path) -> models.System | None:
        """Return the version of the system of SUBMISSION that NODE names, None if it names none."""
        if "system" not in node.value:
            return None
        version = number_at(node, "system", file)
        found: models.System | None = models.System.objects.filter(submission=submission, version=version).first()
        if found is None:
            raise PairingError(f"{submission} has no version {version} of its system")
        return found

    def _belongings(self, attempt: models.Attempt, node: Node, file: Path) -> None:
        """Keep the times, questions and verdict of ATTEMPT."""
        for one in items_at(node, "spans", file):
            values = values_of(models.Span, one, str(file))
            check_corrected(values.get("corrected", {}))
            models.Span.objects.create(attempt=attempt, **values)
        for one in items_at(node, "questions", file):
            models.Question.objects.create(attempt=attempt, **values_of(models.Question, one, str(file)))
        verdict = node.value.get("verdict")
        if verdict is not None:
            values = values_of(models.Verdict, verdict, str(file))
            check_verdict(values["agreement"], values["points"], values.get("content", {}))
            models.Verdict.objects.create(attempt=attempt, **values)

    def _sheet(self, analyst: str, address: str, path: Path) -> None:
        """Keep the sheet of ANALYST on the submission with this ADDRESS."""
        node = self.node(path)
        values = values_of(models.Sheet, node, str(path), ("version",))
        templates = models.SheetTemplate.objects.filter(track=self.track)
        wanted = templates.filter(version=number_at(node, "version", path)) if "version" in node.value else templates
        template = wanted.order_by("-version").first()
        if template is None:
            raise FormatError(str(path), [Problem(node.line_of(("version",)), "a version of the sheet", "another")])
        values["answers"] = check_answers(template_of(template.content), values.get("answers", {}), final=False)
        models.Sheet.objects.create(
            analyst=named(models.Analyst.objects.filter(track=self.track), analyst, "analyst"),
            submission=submission_named(self.track, address),
            template=template,
            **values,
        )

    def history(self) -> None:
        """Keep what was done to the track before it came here."""
        last = Event.objects.aggregate(last=Max("pk"))["last"] or 0
        path = self.source / "history.yaml"
        for node in self._list(path):
            values = values_of(Event, node, str(path), ("at",))
            moment = values_of(models.Span, Node({"started_at": Node(text_at(node, "at", path), node.line)}), str(path))
            event = Event.objects.create(**values)
            Event.objects.filter(pk=event.pk).update(at=moment["started_at"])  # it is not of today
        if history_of(self.track).count() != Event.objects.filter(pk__gt=last).count():
            raise FileError(str(path), "expected events of this track, found others", "take them out")


def _submitted(one: tuple[Path, Node]) -> str:
    """Return by what submissions are in order: when they were submitted, else by their names."""
    node = one[1].at("submitted_at")
    return str(node.value) if node else ""


def _is_number(name: str) -> bool:
    """Tell whether the NAME of a file or folder is a number that a column holds."""
    return name.isdecimal() and name.isascii() and len(name) <= _MOST_DIGITS


def _check_attempt(values: dict[str, Any]) -> None:
    """Refuse VALUES that no attempt can have."""
    slug_of(values.get("configuration", "default"), "a configuration")
    check_numbers(values.get("scored", {}), "scored")
    from_tree(values.get("record", {}))  # refuses what is none
    if values.get("level") is not None and values["level"] not in LEVELS:
        raise DataError(f"expected a level from {min(LEVELS)} to {max(LEVELS)}, found {values['level']}")
    if values.get("replay"):
        replayed_of(values["replay"])
