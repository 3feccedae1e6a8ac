"""What does an archive answer?  The plain values that ``primad.reports.archive`` shows, where they are defined."""

from primad.reports.archive.answers import *  # noqa: F403 - all of them
