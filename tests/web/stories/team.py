"""What does a team do?

hands_in        follows the link, hands in results, then a bundle that analysts would miss things in, then a better one
answers         what an analyst has asked
"""

import io
import zipfile
from typing import Any

from primad.safe_yaml import write_yaml
from tests.track import small
from tests.web.browser import File, file
from tests.web.stories.cast import Story

README = """It needs Python 3.8 or later, from python.org.

    python3 code.py "$inputDataset" "$outputDir"

prints: coding 5 documents
"""
# What analysts need beyond what a bundle must have.
KIND = {
    "install": ["echo nothing to install"],
    "run": ['/usr/bin/python3 code.py "$inputDataset" "$outputDir"'],
    "sample_output": "sample.tsv",
}


def bundle(*, is_kind: bool) -> File:
    """Return a bundle; one that IS_KIND has all that analysts need."""
    manifest: dict[str, Any] = small.MANIFEST | (KIND if is_kind else {"contact": "", "prerequisites": []})
    files = {"primad-system.yaml": write_yaml(manifest), "code.py": small.SCRIPT}
    if is_kind:
        files |= {"README.md": README, "sample.tsv": small.OUTPUT.decode()}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return file("system.zip", packed.getvalue())


def hands_in(story: Story) -> None:
    """Hand in results that cannot be read, then some that can, and a system that is checked first."""
    tina = story.joins("tina", "a member of the team alpha in the track demo")
    tina.reads("A track on paper")
    tina.follows("Your team alpha")
    tina.follows("Submit results to Coding")
    tina.types("Name", "run1")
    tina.types("Title", "A dictionary")
    tina.attaches("Files", file("output.tsv", "no codes at all\n"))
    tina.presses("Submit")
    tina.sees("This did not work:", "What you typed is still here.")

    assert tina.part("#title").input_value() == "A dictionary"
    tina.attaches("Files", file("output.tsv", small.OUTPUT))
    tina.types("Values that you measured", "f1 0.8")
    tina.presses("Submit")
    tina.reads("A dictionary")

    _hands_in_a_system(story)


def _hands_in_a_system(story: Story) -> None:
    """Check a bundle that lacks what analysts need, mend it, and submit it."""
    tina = story.person("tina")
    tina.follows("Submit its system")
    tina.attaches("Bundle", file("broken.zip", b"PK no archive"))
    tina.presses("Submit the bundle")
    tina.sees("This did not work:", "broken.zip")

    tina.attaches("Bundle", bundle(is_kind=False))
    tina.presses("Only check it")
    tina.reads("System of alpha/run1")
    tina.sees("system.zip was checked, not submitted", "there is no README")

    tina.attaches("Bundle", bundle(is_kind=True))
    tina.presses("Submit the bundle")
    tina.reads("What analysts will miss in alpha/run1")
    tina.sees("The bundle was taken as the system of alpha/run1.", "Nothing is missing that can be told")
    tina.follows("To the submission")
    tina.sees("Version 1", "Expected memory")


def answers(story: Story) -> None:
    """Answer what an analyst has asked."""
    tina = story.person("tina")
    tina.visit("/")
    tina.sees("team alpha: answer what an analyst asked on alpha/run1")
    tina.follows("your team alpha")
    tina.follows("A track on paper")
    tina.sees("waits for you")
    tina.follows("answer it")
    tina.sees("Which locale does it need?", "waits for an answer")
    tina.types("Your answer", "Any; it reads bytes.")
    tina.presses("Send the answer")
    tina.sees("Any; it reads bytes.", "answered")
