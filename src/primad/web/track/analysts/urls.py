"""Which addresses do the pages for analysts have?  All below tracks/<track>/analysts/."""

from __future__ import annotations

from typing import Any

from django.urls import path

from primad.web.track.analysts import attempts, desk, sheets, systems

URLS: list[Any] = [
    path("<str:analyst>/", desk.desk, name="track-analyst"),
    path("<str:analyst>/systems/<str:team>/<str:name>/", systems.system, name="track-assigned"),
    path("<str:analyst>/attempts/<int:number>/", attempts.attempt, name="track-attempt"),
    path("<str:analyst>/attempts/<int:number>/replay/", attempts.replay, name="track-attempt-replay"),
    path("<str:analyst>/sheets/<str:team>/<str:name>/", sheets.sheet, name="track-sheet"),
    path("<str:analyst>/sheets/<str:team>/<str:name>/answers.json", sheets.answers, name="track-sheet-answers"),
]
