"""What does somebody do who brings runs to the archive?

brings_runs      a wrong one first: what is wrong is told by its line, and nothing is stored
asks_for_scores  of them; a worker computes them
asks_how_close   a reproduction came; the result has a permanent link
removes_a_run    and brings it back
"""

from playwright.sync_api import expect

from tests.web.browser import file
from tests.web.small_site import run_text
from tests.web.stories.cast import Story

RUNS = {
    "first.run": run_text("first", 0, year="2018"),
    "second.run": run_text("second", 1, team="beta", year="2019"),
    "third.run": run_text("third", 2, team="gamma", year="2020"),
}


def brings_runs(story: Story) -> None:
    """Choose a run with a wrong line, see which one it is, mend it, and add all."""
    uma = story.joins("uma", "a user of this site")
    uma.follows("Archive", "header")
    uma.follows("Add runs", "nav.rooms")
    lines = RUNS["first.run"].splitlines()
    wrong = "\n".join([*lines[:25], "1 Q0 d7 eight", *lines[25:]])
    uma.attaches("Files", file("first.run", wrong))
    uma.sees("would be refused", "26", "6 columns", where="#outcome")

    uma.attaches("Files", *(file(name, text) for name, text in RUNS.items()))
    uma.sees("3 of 3 files would be kept.", where="#outcome")
    uma.presses("Add")
    uma.sees("3 runs are in the archive.")


def asks_for_scores(story: Story) -> None:
    """Ask for scores; a worker computes them while the page follows."""
    uma = story.person("uma")
    uma.presses("Score them")
    uma.sees("done")
    uma.visit("/archive/")
    uma.sees("3 runs found.")
    # As trec_eval scores them.
    expect(uma.part("table tbody td.number")).to_have_text(["0.6429", "0.4319", "0.4319"])


def asks_how_close(story: Story) -> None:
    """Ask how close the reproductions of a run came, and keep the permanent link of the answer."""
    uma = story.person("uma")
    uma.follows("Assess", "nav.rooms")
    uma.types("Run, or baseline of two", "first")
    uma.types("Runs by address or tag (optional)", "second third")
    uma.presses("Assess")
    uma.sees("Permanent address", "How well was first reproduced?")  # the page of the job went on by itself
    story.links["result"] = uma.part("#address").input_value()
    assert uma.downloads("Download the report (zip)")[:2] == b"PK"


def removes_a_run(story: Story) -> None:
    """Remove a run, see that others no longer find it, and bring it back."""
    uma = story.person("uma")
    uma.visit("/archive/?q=tag:third")
    uma.follows("third", "table")
    uma.opens("Remove this run")
    uma.types("Why", "added by mistake", "details.removal")
    uma.presses("Remove it")
    uma.sees("This run was removed")

    other = story.visitor()
    other.visit("/archive/")
    other.sees("2 runs found.")
    other.leaves()

    uma.presses("Bring it back")
    uma.sees_no("This run was removed")
    uma.visit("/archive/")
    uma.sees("3 runs found.")
