"""What does a track answer?  The plain values that ``primad.reports.track`` shows, where they are defined."""

from primad.reports.track.answers import *  # noqa: F403 - all of them
