"""Which addresses do the pages on tracks have?"""

from __future__ import annotations

from django.urls import include, path

from primad.web.names import ATTEMPT, SUBMISSION
from primad.web.track import public, report, submissions, systems, teams
from primad.web.track.analysts.urls import URLS as ANALYSTS
from primad.web.track.organisers.urls import NEW_URLS as NEW
from primad.web.track.organisers.urls import URLS as ORGANISERS

_TEAM = "<called:track>/teams/<called:team>"
_SUBMISSION = f"<called:track>/submissions/{SUBMISSION}"

URLS = [
    path("", public.tracks, name="tracks"),
    path("", include(NEW)),
    path("<called:track>/", public.track, name="track"),
    path("<called:track>/analysts/", include(ANALYSTS)),
    path("<called:track>/organise/", include(ORGANISERS)),
    path(f"{_TEAM}/", teams.team, name="track-team"),
    path(f"{_TEAM}/questions/{ATTEMPT}/", teams.answer, name="track-answer"),
    path(f"{_TEAM}/submit/<called:task>/", teams.submit, name="track-submit"),
    path(f"{_TEAM}/submit/<called:task>/outputs/<number:place>/", teams.output, name="track-submit-output"),
    path(f"{_SUBMISSION}/", submissions.submission, name="track-submission"),
    path(f"{_SUBMISSION}/system/", systems.system, name="track-system"),
    path(f"{_SUBMISSION}/preflight/", systems.preflight, name="track-preflight"),
    path(f"{_SUBMISSION}/withdraw/", systems.withdraw, name="track-withdraw"),
    path(f"{_SUBMISSION}/reinstate/", systems.reinstate, name="track-reinstate"),
    path("<called:track>/files/<called:what>/<names:name>/-/<path:path>", submissions.file, name="track-file"),
    path("<called:track>/files/<called:what>/<names:name>/", submissions.files, name="track-files"),
    path("<called:track>/report/", report.report, name="track-report"),
    path("<called:track>/report/files/", report.files, name="track-report-files"),
]
