"""Which addresses do the pages for analysts have?  All below tracks/<track>/analysts/."""

from __future__ import annotations

from typing import Any

from django.urls import path

from primad.web.names import ANALYST, ATTEMPT, SUBMISSION
from primad.web.track.analysts import attempts, desk, sheets, systems

URLS: list[Any] = [
    path(f"{ANALYST}/", desk.desk, name="track-analyst"),
    path(f"{ANALYST}/systems/{SUBMISSION}/", systems.system, name="track-assigned"),
    path(f"{ANALYST}/attempts/{ATTEMPT}/", attempts.attempt, name="track-attempt"),
    path(f"{ANALYST}/attempts/{ATTEMPT}/replay/", attempts.replay, name="track-attempt-replay"),
    path(f"{ANALYST}/sheets/{SUBMISSION}/", sheets.sheet, name="track-sheet"),
    path(f"{ANALYST}/sheets/{SUBMISSION}/answers.json", sheets.answers, name="track-sheet-answers"),
]
