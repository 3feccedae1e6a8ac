"""What does a team do?

team        its page: submissions with their states, questions that wait for an answer, and what can be handed in
answer      answer a question of an analyst
submit      hand in results
output      one more output in the form for results
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from primad.errors import NotAllowed, PrimadError
from primad.track.services.submitting import Submitted
from primad.track.track import Track
from primad.web import served
from primad.web.fields import field
from primad.web.pages import UNPROCESSABLE, done, page, status_of
from primad.web.track.forms import MOST_OUTPUTS, OutputForm, new_outputs, number_in, output_forms, said, typed_fields
from primad.web.track.reading import closed, for_members, page_of, questions, require


@require_safe
@for_members
def team(request: HttpRequest, track: str, team: str) -> HttpResponse:
    """Show a team to its members, and to others what they may see of it."""
    return _team_page(request, served.track(track), team)


def _team_page(request: HttpRequest, track: Track, slug: str, status: int = 200, **context: Any) -> HttpResponse:
    """Return the page on the team SLUG."""
    facts, found = track.facts(), track.team_facts(slug)
    verbs = ("submit", "submit-system", "withdraw", "answer")
    return page(
        request,
        "track/team.html",
        status=status,
        **{"answers": {}}
        | context
        | {
            "track": facts,
            "team": found,
            "questions": questions(track, slug),
            "may": {verb: track.may(verb, team=slug) for verb in verbs},
            "closed": closed(facts),
            "page_of": page_of,
            "todo_steps": [one for one in facts.next if one.who == f"team {slug}"],
        },
    )


@require_POST
def answer(request: HttpRequest, track: str, team: str, number: int) -> HttpResponse:
    """Write down what a team answers to a question of the attempt NUMBER: the one that the form names."""
    here = served.track(track)
    text, asked = field(request, "text"), number_in(field(request, "question"), "the key of a question")
    require(here, "answer", team)
    try:
        here.answer(number, said(text, "an answer to the question"), question=asked)
    except NotAllowed:
        raise
    except PrimadError as error:
        status = status_of(error)
        return _team_page(request, here, team, status, problem=error, answers={asked: text})
    return done(request, "The analyst can read your answer now.", reverse("track-team", args=[track, team]))


# Results ---------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def submit(request: HttpRequest, track: str, team: str, task: str) -> HttpResponse:
    """Show the form for results of a team, and take what it says."""
    here = served.track(track)
    here.team_facts(team)
    require(here, "submit", team)
    if request.method != "POST":
        return _submit_page(request, here, team, task, [OutputForm(0)])
    given, forms = typed_fields(request, "name", "title", "about"), output_forms(request)
    if "more" in request.POST:
        free = max((one.place for one in forms), default=-1) + 1
        return _submit_page(request, here, team, task, [*forms, OutputForm(free)], given=given)
    try:
        outputs = new_outputs(request, forms)
        name = said(given["name"], "a short name for the submission")
        taken = here.submit(team, name, outputs, task=task, title=given["title"], about=given["about"])
    except PrimadError as error:
        return _submit_page(request, here, team, task, forms, UNPROCESSABLE, given=given, problem=error)
    return done(request, _sentence(taken), reverse("track-submission", args=[track, *taken.submission.split("/")]))


def _sentence(taken: Submitted) -> str:
    """Return what was TAKEN, and what its team should know."""
    remarks = "".join(f" Note: {one}." for one in taken.remarks)
    return f"{taken.submission} was taken.{remarks} Submit its system next, so that analysts can run it."


def _submit_page(
    request: HttpRequest,
    track: Track,
    team: str,
    task: str,
    forms: list[OutputForm],
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """Return the form for results of TEAM to TASK with what was typed into it."""
    given = {"name": "", "title": "", "about": ""} | context.pop("given", {})
    facts = track.facts()
    return page(
        request,
        "track/team_submit.html",
        status=status,
        track=facts,
        team=track.team_facts(team),
        task=track.task_facts(task),
        given=given,
        forms=forms[:MOST_OUTPUTS] or [OutputForm(0)],
        closed=closed(facts),
        **context,
    )


@require_safe
@for_members
def output(request: HttpRequest, track: str, team: str, task: str, place: int) -> HttpResponse:
    """Show what is asked of one more output, at PLACE of the form."""
    here = served.track(track)
    found = here.task_facts(task)
    here.team_facts(team)
    require(here, "submit", team)
    form = OutputForm(min(place, MOST_OUTPUTS - 1))
    return page(
        request,
        "track/team_output.html",
        track=here.facts(),
        team=here.team_facts(team),
        task=found,
        form=form,
    )
