"""What have systems to do, on which data?

tasks   all tasks, and a form for a new one
task    one task: its scorer, settings and limits, and its data sets
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from primad.errors import UsageError
from primad.evaluation.scorers import SCORERS
from primad.metadata.profile import BUILT_IN
from primad.replay.result import Limits
from primad.reports.track.answers import TaskFacts
from primad.safe_yaml import write_yaml
from primad.track.wellformed import KINDS
from primad.web.track.organisers.office import form_of, office
from primad.web.track.working import Done, Form, yaml_of

_AS_IT_IS = "="


@require_http_methods(["GET", "POST"])
def tasks(request: HttpRequest, track: str) -> HttpResponse:
    """Show all tasks of a track, and make a new one."""
    form = form_of(request, track)
    return office(form, "track/organise_tasks.html", {"task": _made}, lambda: _all(form), "track-tasks")


@require_http_methods(["GET", "POST"])
def task(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Show a task, change it, and give it data sets."""
    form = form_of(request, track, task=task)
    form.track.task_facts(task)  # before anything is done to it
    verbs = {"task": _changed, "data-set": _data_set}
    return office(form, "track/organise_task.html", verbs, lambda: _one(form), "track-tasks")


def _choices() -> Mapping[str, Any]:
    """Return what can be chosen for a task; to score by a command is for whoever has the server."""
    return {
        "kinds": [(one, one) for one in KINDS],
        "scorers": [(name, f"{name}: {title}") for name, title in SCORERS.items() if name != "command"],
        "profiles": [("", "none"), *((one, one) for one in BUILT_IN)],
        "limit_names": ", ".join(Limits.__dataclass_fields__),
    }


def _all(form: Form) -> Mapping[str, Any]:
    """Return what the page on all tasks says."""
    return {**_choices(), "tasks": form.track.facts().tasks, "task": None, "yaml": {}}


def _one(form: Form) -> Mapping[str, Any]:
    """Return what the page on a task says."""
    facts = form.track.task_facts(form.names["task"])
    names = [(facts.scorer, facts.scorer)] if facts.scorer not in dict(_choices()["scorers"]) else []
    kept = [(_AS_IT_IS, f"as it is: {facts.profile[:40]}")] if facts.profile and facts.profile not in BUILT_IN else []
    choices = dict(_choices())
    choices["scorers"] = [*names, *choices["scorers"]]
    choices["profiles"] = [*kept, *choices["profiles"]]
    return {**choices, "task": facts, "yaml": _as_yaml(facts)}


def _as_yaml(facts: TaskFacts) -> dict[str, str]:
    """Return the settings and limits of a task as text."""
    trees = {"settings": facts.settings, "limits": facts.limits}
    return {name: write_yaml(dict(tree)) if tree else "" for name, tree in trees.items()}


def _made(form: Form) -> Done:
    """Make a task."""
    slug = form.text("slug")
    if any(one.slug == slug for one in form.track.facts().tasks):
        raise UsageError(f"there is a task {slug} already; change it on its own page")
    _set_task(form, slug)
    where = reverse("track-task", kwargs={"track": form.track.row.slug, "task": slug})
    return Done(f"The task {slug} is made. Give it a data set now.", address=where)


def _changed(form: Form) -> Done:
    """Change a task."""
    before = form.track.task_facts(form.names["task"])
    _set_task(form, before.slug)
    return Done(f"The task {before.slug} is changed.", _fields(before))


def _fields(facts: TaskFacts) -> dict[str, str]:
    """Return the fields of the form that makes a task what it was."""
    ticked = {"network": "1"} if facts.network_to_install else {}
    profile = facts.profile if facts.profile in ("", *BUILT_IN) else _AS_IT_IS
    words = {"title": facts.title, "about": facts.about, "kind": facts.kind, "scorer": facts.scorer}
    return {"do": "task", **words, **_as_yaml(facts), "profile": profile, **ticked}


def _set_task(form: Form, slug: str) -> None:
    """Make or change the task SLUG as a form says; what it says nothing of stays."""
    profile, original = form.text("profile"), form.text("original")
    form.track.set_task(
        slug,
        title=form.text("title"),
        about=form.text("about"),
        kind=form.text("kind"),
        scorer=form.text("scorer"),
        settings=yaml_of(form.text("settings"), "settings"),
        limits=yaml_of(form.text("limits"), "limits"),
        profile=None if profile == _AS_IT_IS else profile,
        network_to_install=form.has("network"),
        original=yaml_of(original, "the original") if original else None,
        original_files=form.files("original_files"),
    )


def _data_set(form: Form) -> Done:
    """Make or change a data set of a task."""
    slug = form.text("slug")
    form.track.set_data_set(
        form.names["task"],
        slug,
        inputs=form.files("inputs"),
        gold=form.files("gold"),
        about=form.text("about"),
        public=form.has("public"),
    )
    return Done(f"The data set {slug} is kept.")
