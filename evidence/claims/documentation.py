"""Do pages show what happens?"""

from __future__ import annotations

from evidence.claim import Quote, shown_by
from evidence.reading import passed

_RUNNING = "tests/docs/test_running.py"

CLAIMS = (
    shown_by(
        "pages-run",
        "Every command and every line of Python on a page, with the output under it, is what happens.",
        _RUNNING,
        "README.md docs examples src/primad/cli",
        Quote("docs/index.md", "Shown is what commands print as their result"),
        read=passed(f"{_RUNNING}::test_a_page_shows_what_happens"),
        figure="{passed} pages",
        is_long=True,
    ),
    shown_by(
        "links-lead-somewhere",
        "Every link of a page leads somewhere.",
        "tests/docs/test_links.py",
        "README.md docs",
    ),
    shown_by(
        "reference-from-code",
        "The reference is made from the code, and has every command, option, measure, error and setting.",
        "tests/docs/test_made.py",
        "docs src/primad",
        Quote("docs/index.md", "The reference is made from the code."),
    ),
    shown_by(
        "json-as-described",
        "What commands print as JSON is what its schemas say.",
        "tests/docs/test_json.py",
        "docs/reference src/primad/cli",
        is_long=True,
    ),
    shown_by(
        "outputs-of-assess",
        "An assessment goes to the terminal, JSON, CSV, LaTeX, or a page, from runs, folders, or tables of "
        "topic scores.",
        "tests/cli/test_assess.py",
        "src/primad/cli src/primad/reports src/primad/reproducibility",
        Quote(
            "README.md",
            "From runs, from folders of annotated runs, or from tables of topic scores; to the terminal, JSON, "
            "CSV, LaTeX, or a page with figures",
        ),
    ),
)
