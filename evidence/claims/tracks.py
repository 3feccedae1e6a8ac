"""Does a replication track come to its report, with what became of each system?"""

from __future__ import annotations

from evidence.claim import Quote, shown_by

_DEMONSTRATION = "docs/guides/demonstration.md"

CLAIMS = (
    shown_by(
        "systems-of-the-demonstration",
        "Of the systems of the demonstration, what is seeded comes back byte for byte and what draws lots does not.",
        "tests/experiments/coding/test_story.py",
        "src/primad/experiments src/primad/track src/primad/replay",
        Quote(_DEMONSTRATION, "well documented | comes back byte for byte |"),
        Quote(
            _DEMONSTRATION,
            "fails for the user, who gives up; comes back byte for byte for the developer, who asks, and gets a "
            "repaired bundle",
        ),
        is_long=True,
    ),
    shown_by(
        "levels-of-repeatability",
        "The level that a record speaks for is proposed.",
        "tests/track/test_levels.py",
        "src/primad/track",
        Quote(
            "docs/guides/track.md",
            "1 its authors say that it builds, 2 it builds, 3 within 30 minutes, 4 it gives results consistent "
            "with those submitted",
        ),
    ),
    shown_by(
        "replays-of-a-track",
        "Systems are run again in a sandbox, and what came out is put beside what was submitted.",
        "tests/track/test_replaying.py tests/track/test_reporting.py",
        "src/primad/track src/primad/replay",
        Quote("README.md", "the report says which results came back, at what cost, and why others did not"),
        is_long=True,
    ),
    shown_by(
        "scores-of-outputs",
        "`primad score` scores document coding, spans, numbers and runs, and compares two outputs item by item.",
        "tests/evaluation/scorers",
        "src/primad/evaluation/scorers",
        Quote(
            "README.md",
            "scores document coding, span annotations, numbers and runs, and compares two outputs item by item",
        ),
    ),
    shown_by(
        "a-site-for-everybody",
        "Reader, user, team, analyst and organiser do their work on the pages of a site, in a browser.",
        "tests/web/stories/test_story_of_a_site.py",
        "src/primad/web",
        Quote(
            "README.md",
            "a track with pages for teams, analysts (a timer, sheets that are saved as they are typed) and organisers",
        ),
        is_long=True,
    ),
)
