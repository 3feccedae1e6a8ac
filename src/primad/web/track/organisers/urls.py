"""Which addresses do the pages for organisers have?  Below tracks/<track>/organise/, and that of a new track."""

from __future__ import annotations

from typing import Any

from django.urls import path

from primad.web.names import SUBMISSION
from primad.web.track.organisers import (
    adjudicating,
    assigning,
    board,
    deciding,
    exporting,
    making,
    people,
    questions,
    rules,
    tasks,
)

NEW_URLS: list[Any] = [path("new/", making.new, name="track-new")]
URLS: list[Any] = [
    path("", board.board, name="track-organise"),
    path("rules/", rules.rules, name="track-rules"),
    path("tasks/", tasks.tasks, name="track-tasks"),
    path("tasks/<called:task>/", tasks.task, name="track-task"),
    path("questions/", questions.questions, name="track-questions"),
    path("people/", people.people, name="track-people"),
    path("eligible/", deciding.deciding, name="track-eligible"),
    path("assign/", assigning.assigning, name="track-assign"),
    path("adjudicate/", adjudicating.overview, name="track-adjudication"),
    path(f"adjudicate/{SUBMISSION}/", adjudicating.adjudicate, name="track-adjudicate"),
    path("export/", exporting.export, name="track-export"),
]
