"""Does a page of results fall into the parts that were written, so that one can be written anew?"""

from bench import archive, precision, reproducibility, site
from bench.__main__ import PARTS, parts_of

PAGE = f"""# How fast is primad?

{reproducibility.HEADING}

| a | b |

{precision.HEADING}

{archive.HEADING}

{site.HEADING}

last
"""


def test_each_part_begins_with_its_heading_and_all_lines_are_in_one() -> None:
    parts = parts_of(PAGE)

    assert tuple(parts) == PARTS
    assert [lines[0] for lines in parts.values()] == [
        "# How fast is primad?",
        reproducibility.HEADING,
        precision.HEADING,
        archive.HEADING,
        site.HEADING,
    ]
    assert [line for lines in parts.values() for line in lines if line] == [line for line in PAGE.splitlines() if line]


def test_a_part_that_was_never_written_is_empty() -> None:
    parts = parts_of(PAGE.partition(archive.HEADING)[0])

    assert parts["archive"] == []
    assert parts["precision"][0] == precision.HEADING


def test_a_page_of_nothing_has_only_empty_parts() -> None:
    assert set(map(tuple, parts_of("").values())) == {()}
