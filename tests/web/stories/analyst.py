"""What does an analyst do?

begins_an_attempt   follows the link, describes a machine, reads what the system needs, and begins, with a timer
asks                the team
ends_it             with the output, and sees the verdict
loses_the_network   while typing, and closes the tab: what was typed is offered again
fills_in_the_sheet  which is saved as it is typed, and closes the tab in the middle of a word
another_one         runs the same system, worse, and locks another sheet
"""

import re

from playwright.sync_api import expect

from tests.track import small
from tests.web.browser import Person, file
from tests.web.stories.cast import Story

SHEET = "/tracks/demo/analysts/ann/sheets/alpha/run1/"


def begins_an_attempt(story: Story) -> None:
    """Describe a machine, and begin: the time runs, rests, and runs again."""
    ann = story.joins("ann", "the analyst ann of the track demo")
    _starts(ann, "ann", "laptop")
    expect(ann.part("output.clock")).to_have_text(re.compile(r"0:00:0[1-9]"))  # second by second
    ann.presses("Pause")
    ann.sees("so far; the time rests")
    ann.chooses("Stage", "run")
    ann.presses("Go on")
    ann.sees("at the stage run")


def _starts(who: Person, slug: str, machine: str) -> None:
    """Let WHO describe a MACHINE, and begin to run the only system that is assigned to them."""
    who.follows(f"Your work as {slug}")
    who.opens("Add or change a machine")
    who.types("Name", machine)
    who.types("Memory", "8 GB")
    who.presses("Keep the machine")
    who.sees("8 GB", where="table")
    who.follows("A dictionary")
    who.sees("python3", "What it needs", "Your time begins when you press the button")
    assert who.downloads("Download system.zip")[:2] == b"PK"
    who.chooses("Machine", machine)
    who.presses("Start, my time begins")
    who.sees("your time runs")


def asks(story: Story) -> None:
    """Write a note, and ask the team something."""
    ann = story.person("ann")
    ann.types("A note", "It reads the texts, and says how many.")
    ann.presses("Keep the note")
    ann.sees("It reads the texts, and says how many.")
    ann.types("A question", "Which locale does it need?")
    ann.presses("Ask")
    ann.sees("Waits for an answer of team alpha.")


def ends_it(story: Story) -> None:
    """Read the answer, hand in the output, and see the verdict."""
    ann = story.person("ann")
    ann.page.reload()
    ann.sees("Any; it reads bytes.")
    _ends(ann, small.OUTPUT)
    ann.sees("Verdict", "in all")
    ann.follows("Fill in the sheet")


def _ends(who: Person, output: bytes) -> None:
    """Let WHO end an attempt with OUTPUT."""
    who.opens("It succeeded")
    who.attaches("The files that the system wrote", file("output.tsv", output))
    who.types("Minutes that the run took", "2")
    who.presses("End it: succeeded")


def loses_the_network(story: Story) -> None:
    """Type while the server cannot be reached, close the tab, and come back when it can."""
    ann = story.person("ann")
    ann.sees("Everything is saved as you type.")
    ann.context.set_offline(True)
    ann.part("#value-Q9").press_sequentially("Say which locale.")
    ann.sees("Not saved yet: the server cannot be reached. It is kept in this browser", where="#saved-Q9")
    ann.page.close()
    ann.context.set_offline(False)
    ann.complaints[:] = [one for one in ann.complaints if "ERR_INTERNET_DISCONNECTED" not in one]

    _comes_back(ann, "#value-Q9")
    ann.page.reload()
    expect(ann.part("#value-Q9")).to_have_value("Say which locale.")


def _comes_back(ann: Person, box: str) -> None:
    """Open the sheet again; what the server never heard of, as the tab was closed too quickly, is offered."""
    ann.page = ann.context.new_page()
    ann.visit(SHEET)
    if ann.part(box).input_value() == "":
        ann.presses("Take what I had typed")
        ann.sees("Saved at", where=box.replace("value", "saved").replace("comment", "saved"))


def fills_in_the_sheet(story: Story) -> None:
    """Type, close the tab in the middle of a word, come back, find it all, and lock."""
    ann = story.person("ann")
    ann.sees("Everything is saved as you type.")
    first, second = (one.get_attribute("data-key") or "" for one in ann.part("fieldset.asked").all()[:2])
    ann.part(f"#comment-{first}").press_sequentially("It took a while to find the locale.")
    expect(ann.part(f"#saved-{first}")).to_contain_text("Saved at")
    ann.part(f"#comment-{second}").press_sequentially("In the middle of a wo")
    ann.page.close()

    _comes_back(ann, f"#comment-{second}")
    expect(ann.part(f"#comment-{first}")).to_have_value("It took a while to find the locale.")
    expect(ann.part(f"#comment-{second}")).to_have_value("In the middle of a wo")

    ann.presses("Save and lock")
    ann.sees("the sheet cannot be locked yet", "Missing before it can be locked:")
    _answers_all(ann, 4)
    ann.presses("Save and lock")
    ann.sees("The sheet is locked, and counts.", "In the middle of a wo")


def _answers_all(who: Person, point: int) -> None:
    """Answer every question of the sheet that has no proposed answer, with POINT or yes."""
    for box in who.part("fieldset.asked").all():
        if box.locator(".hint strong").count() or not box.locator("input[type=radio]").count():
            continue
        points = [one.get_attribute("value") for one in box.locator("input[type=radio]").all()]
        box.locator(f"input[type=radio][value='{point if str(point) in points else points[0]}']").check()


def another_one(story: Story) -> None:
    """Let a second analyst run the same system, get another output, and lock a sheet of their own."""
    dan = story.joins("dan", "the analyst dan of the track demo")
    _starts(dan, "dan", "server")
    _ends(dan, small.WORSE)
    dan.follows("Fill in the sheet")
    dan.sees_no("Sheets of others")
    _answers_all(dan, 2)
    dan.presses("Save and lock")
    dan.sees("The sheet is locked, and counts.")
