"""How does a track come to be, and move on?

make_track      a new track, with the questions of its sheet
change_track    its title, dates and rules
move_to         its next phase, or an earlier one, reopened
set_template    a new version of its sheet
set_task        a task, new or changed
set_data_set    a data set of a task, new or changed
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from primad.errors import UsageError
from primad.metadata.profile import BUILT_IN
from primad.store.actors import current
from primad.store.database import writing
from primad.store.folder import DataFolder
from primad.store.log import note
from primad.store.profiles import kept_profile
from primad.track import filing, rights
from primad.track.models import Attempt, DataSet, Sheet, SheetTemplate, Submission, Task, Track
from primad.track.naming import slug_of, text_of, title_of
from primad.track.next_steps import awaits_level
from primad.track.phases import PHASES, check_dates, is_reopening, late
from primad.track.replays.running import limits_of
from primad.track.scoring import check_gold
from primad.track.services._changing import changing, refuse_who_may_not
from primad.track.sheet import DEFAULT, template_of, tree_of
from primad.track.wellformed import KINDS, check_original

_LONGEST_BUDGET = 100_000

_TAKING = ("results", "systems")  # phases in which teams hand something in
_TAKEN = ("new",)  # what follows the tracks in addresses of the site


def make_track(slug: str, title: str, **facts: Any) -> Track:
    """Return a new track called SLUG, whose maker organises it; FACTS are its other columns."""
    rights.require(None, "make-track")
    if slug in _TAKEN:
        raise UsageError(f"a page of the site is called {slug}; name the track otherwise")
    with writing():
        if Track.objects.filter(slug=slug).exists():
            raise UsageError(f"there is a track {slug} already; name another")
        track: Track = Track.objects.create(
            slug=slug_of(slug, "a track"),
            title=title_of(title) or slug,
            created_at=datetime.now(UTC),
            **_checked(facts),
        )
        SheetTemplate.objects.create(track=track, version=1, content=tree_of(template_of(DEFAULT)))
        note("made", f"track {slug}", title=track.title)
        let_maker_organise(track)
    return track


def let_maker_organise(track: Track) -> None:
    """Make whoever acts an organiser of TRACK, which is new, if they are a user; within a transaction."""
    from primad.accounts.models import User
    from primad.accounts.people import give

    user = User.objects.filter(pk=current().user or 0).first()
    if user is not None:
        give(user, track.slug, "organiser", "")


def change_track(track: Track, **facts: Any) -> None:
    """Give TRACK other FACTS: title, about, source, dates, budget, blind."""
    refuse_who_may_not(track, "edit")
    checked = _checked(facts)
    with changing(track, "edit"):
        Track.objects.filter(pk=track.pk).update(**checked)
        note("changed", f"track {track.slug}", **{name: text_of(str(value), 200) for name, value in checked.items()})
        track.refresh_from_db()


def _checked(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return FACTS of a track as its columns hold them: title, about, source, dates, budget, blind."""
    checks: dict[str, Callable[[Any], Any]] = {
        "title": title_of,
        "about": text_of,
        "source": text_of,
        "dates": check_dates,
        "budget": _minutes,
        "blind": bool,
    }
    unknown = [name for name in facts if name not in checks]
    if unknown:
        raise UsageError(f"expected facts of a track ({', '.join(checks)}), found '{text_of(unknown[0], 40)}'")
    return {name: checks[name](value) for name, value in facts.items()}


def _minutes(value: Any) -> int:
    """Return VALUE if it can be the minutes that an analyst gives to a system."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= _LONGEST_BUDGET:
        raise UsageError(f"expected a budget of 1 to {_LONGEST_BUDGET:,} minutes, found {text_of(str(value), 40)}")
    return value


def move_to(track: Track, phase: str, reason: str = "") -> tuple[str, ...]:
    """Bring TRACK into PHASE, and return what an organiser should know; to go back takes a REASON."""
    if phase not in PHASES:
        raise UsageError(f"expected a phase ({', '.join(PHASES)}), found '{phase[:40]}'")
    rights.require(track, "move")
    with writing():
        track.refresh_from_db()
        if is_reopening(track.phase, phase) and not reason:
            raise UsageError(f"the track is in {track.phase}; to reopen {phase} say why", "with --because")
        note("moved", f"track {track.slug}", before=track.phase, after=phase, reason=text_of(reason))
        remarks = tuple(_remarks(track, phase))
        Track.objects.filter(pk=track.pk).update(phase=phase)
        track.refresh_from_db()
    return remarks


def _remarks(track: Track, phase: str) -> Iterator[str]:
    """Yield what is left undone when TRACK moves to PHASE."""
    skipped = PHASES[PHASES.index(track.phase) + 1 : PHASES.index(phase)]
    if skipped:
        yield f"passed over: {', '.join(skipped)}"
    if PHASES.index(phase) > PHASES.index("replication") and not is_reopening(track.phase, phase):
        attempts = Attempt.objects.filter(track=track, state__in=("open", "running", "stopped")).count()
        sheets = Sheet.objects.filter(analyst__track=track, locked_at=None).count()
        if attempts:
            yield f"{attempts} attempt{'s have' if attempts > 1 else ' has'} not ended"
        if sheets:
            yield f"{sheets} sheet{'s are' if sheets > 1 else ' is'} not locked, and will not be counted"
    yield from _unready(track, phase)


def _unready(track: Track, phase: str) -> Iterator[str]:
    """Yield why PHASE cannot be what it is for in TRACK, as it is now."""
    if phase in _TAKING and late(track.dates, phase, datetime.now(UTC)):
        command = f"primad track change --closes {phase}=DATE"
        yield f"{phase} closed on {track.dates[phase]['closes']}, so that teams can hand in nothing; {command}"
    submitted = Submission.objects.filter(team__track=track, withdrawn_at=None)
    if PHASES.index(phase) > PHASES.index("results") and not submitted.exists():
        yield "nothing was submitted"
    attempts = Attempt.objects.filter(track=track, submission__in=submitted.exclude(eligible=False))
    undecided = sum(awaits_level(*one) for one in attempts.values_list("state", "stage", "level"))
    if phase == "published" and undecided:
        yield f"the level of {undecided} attempt{'s is' if undecided > 1 else ' is'} not decided, only proposed"


def set_template(track: Track, content: Mapping[str, Any]) -> SheetTemplate:
    """Return a new version of the sheet of TRACK, unless it is as it was; sheets that were begun keep theirs."""
    refuse_who_may_not(track, "edit")
    tree = tree_of(template_of(content))
    with changing(track, "edit"):
        newest = template_in_force(track)
        if newest.content == tree:
            return newest
        made: SheetTemplate = SheetTemplate.objects.create(track=track, version=newest.version + 1, content=tree)
        note("changed", f"track {track.slug}", sheet=made.version)
    return made


def template_in_force(track: Track) -> SheetTemplate:
    """Return the newest version of the sheet of TRACK."""
    newest: SheetTemplate = SheetTemplate.objects.filter(track=track).latest("version")
    return newest


def set_task(
    folder: DataFolder,
    track: Track,
    slug: str,
    *,
    title: str = "",
    kind: str = "replicate",
    scorer: str,
    settings: Mapping[str, Any] | None = None,
    original: Mapping[str, Any] | None = None,
    original_files: Mapping[str, bytes] | None = None,
    profile: str | None = "",
    **facts: Any,
) -> Task:
    """Return the task SLUG of TRACK, new or changed; its SCORER with SETTINGS must exist.

    ORIGINAL says what is reproduced or measured, ORIGINAL_FILES are its runs.  Where they and PROFILE are None, those
    that the task has stay.
    """
    from primad.evaluation.scorers import scorer as scorer_called

    refuse_who_may_not(track, "edit")
    _refuse_reaching_out(scorer, profile or "")
    if kind not in KINDS:
        raise UsageError(f"expected a kind of task ({', '.join(KINDS)}), found '{kind[:40]}'")
    judge = scorer_called(scorer, settings or {})
    limits_of(facts.get("limits") or {})  # refuses what are none
    check_original(original or {})
    values: dict[str, Any] = {
        "title": title_of(title) or slug,
        "kind": kind,
        "scorer": scorer,
        "settings": dict(settings or {}),
        "primary": judge.primary,
        "original": None if original is None else dict(original),
        "profile": kept_profile(folder, profile) if profile else profile,
        **facts,
    }
    values = {name: value for name, value in values.items() if value is not None}
    with changing(track, "edit"):
        if original_files:
            values["original_files"] = filing.keep(folder, original_files)
        task, made = Task.objects.update_or_create(track=track, slug=slug_of(slug, "a task"), defaults=values)
        note("made" if made else "changed", f"task {track.slug}/{slug}", scorer=scorer, kind=kind)
    return task  # type: ignore[no-any-return]  # Django has no types


def _refuse_reaching_out(scorer: str, profile: str) -> None:
    """Refuse a SCORER that runs a command here and a PROFILE that is a file here, unless the keeper wants it."""
    if scorer == "command":
        rights.require_keeper("to score by a command")
    if profile and profile not in BUILT_IN:
        rights.require_keeper("to check runs by a profile that is a file")


def set_data_set(
    folder: DataFolder,
    task: Task,
    slug: str,
    *,
    inputs: Mapping[str, bytes] | None = None,
    gold: Mapping[str, bytes] | None = None,
    about: str = "",
    public: bool = False,
) -> DataSet:
    """Return the data set SLUG of TASK, new or changed; without INPUTS or GOLD those it has stay."""
    refuse_who_may_not(task.track, "edit")
    if gold:
        check_gold(task, gold)
    with changing(task.track, "edit"):
        data_set, made = DataSet.objects.get_or_create(task=task, slug=slug_of(slug, "a data set"))
        data_set.inputs = filing.keep(folder, inputs) if inputs else data_set.inputs
        data_set.gold = filing.keep(folder, gold) if gold else data_set.gold
        data_set.about, data_set.public = text_of(about) or data_set.about, public
        data_set.save()
        note("made" if made else "changed", f"data set {task.track.slug}/{task.slug}/{slug}")
    return data_set  # type: ignore[no-any-return]  # Django has no types
