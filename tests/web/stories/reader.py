"""What does somebody find who has no account?

reads_the_report    finds the track from the first page, reads its report, and downloads it
looks_at_runs       searches the archive while typing, opens a run, compares it with others
opens_the_result    by the permanent link that somebody sent
measures_precision  of values that they paste, a wrong line first
"""

import re

from playwright.sync_api import expect

from tests.web.stories.cast import Story

MEASURED = "object,measurand,value,c:performed_by\nsystem,BLEU,31.5,A\nsystem,BLEU,30.5,B\nsystem,BLEU,33.5,C\n"


def reads_the_report(story: Story) -> None:
    """Find the track, read its report, and take it home."""
    rita = story.person("rita")
    rita.visit("/")
    rita.follows("A track on paper")
    rita.sees("published", "alpha/run1", "run again")
    rita.follows("Read the report")
    rita.sees("A dictionary", "Replicated beside submitted scores", "In the middle of a wo", "Say which locale.")
    expect(rita.part("main svg").first).to_be_visible()
    assert rita.downloads("Download as a folder")[:2] == b"PK"


def looks_at_runs(story: Story) -> None:
    """Search while typing, open a run, see its scores by topic, download it, and compare it with another."""
    rita = story.person("rita")
    rita.visit("/")
    rita.follows("Archive", "header")
    rita.part("#q").press_sequentially("team:beta")
    rita.sees("1 run found.")
    expect(rita.page).to_have_url(re.compile(r"q=team%3Abeta"))
    rita.follows("second", "table")
    rita.reads("second")
    rita.sees("Number", "org.bm25", "Computed by")
    expect(rita.part("#topics svg").first).to_be_visible()
    assert rita.downloads("Download with header").startswith(b"# ir_metadata.start")
    assert rita.downloads("Download the ranking only").startswith(b"1 Q0 d")

    rita.follows("Archive", "header")
    for tag in ("first", "second"):
        rita.ticks(f"Choose {tag}")
    rita.presses("Compare the chosen runs")
    rita.sees("and what changed", "The original is", "Actor")


def opens_the_result(story: Story) -> None:
    """Open a result by its permanent link."""
    rita = story.person("rita")
    rita.visit(story.links["result"])
    rita.sees("Permanent address", "second", "third")
    rita.sees_no("Remove this result")


def measures_precision(story: Story) -> None:
    """Paste measurements with a wrong line, mend it, and see how precise they are."""
    rita = story.person("rita")
    rita.follows("Precision", "header")
    rita.types("Paste measurements", MEASURED + "system,BLEU,often,D\n")
    rita.presses("Assess the measurements")
    rita.sees("What is wrong", "often")
    assert rita.part("#text").input_value() == MEASURED + "system,BLEU,often,D\n"

    rita.types("Paste measurements", MEASURED)
    rita.presses("Assess the measurements")
    rita.sees("shown to you only", "CV*", "BLEU")
