"""Tracks for programs: everything that a page does with a track, under /api/v1/tracks.

reading      what is known of tracks, and files
organising   tracks, phases, tasks, data sets, teams, analysts and assignments
people       who acts for whom, and invitations
submitting   outputs and systems of teams
attempting   attempts of analysts
replaying    a replay on the machine of an analyst
concluding   sheets and reports
shared       the router of all of them
"""

from __future__ import annotations

from primad.web.api.tracks import attempting, concluding, organising, people, reading, replaying, submitting
from primad.web.api.tracks.shared import router

PARTS = (attempting, concluding, organising, people, reading, replaying, submitting)  # each adds its questions

__all__ = ["PARTS", "router"]
