"""Is every page, whatever it is about, well formed, readable without a network or a script, and open to all readers?"""

from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

from tests.reports.outline import ASSESSED, QUANTIFIED, Outline, assessment_outline, quantified_outline

each = pytest.mark.parametrize(
    "read",
    [
        *(pytest.param(partial(assessment_outline, *case), id=f"assessment {case[0]}") for case in ASSESSED),
        *(pytest.param(partial(quantified_outline, *case), id=f"quantified {case[0]}") for case in QUANTIFIED),
    ],
)


@each
def test_a_page_is_well_formed(read: Callable[[], Outline]) -> None:
    outline = read()

    assert outline.faults == []
    assert outline.open == []


@each
def test_no_two_elements_share_an_identifier(read: Callable[[], Outline]) -> None:
    identifiers = Counter(attributes["id"] for _, attributes in read().elements if "id" in attributes)

    assert [name for name, number in identifiers.items() if number > 1] == []


@each
def test_every_reference_inside_the_page_leads_somewhere(read: Callable[[], Outline]) -> None:
    outline = read()
    identifiers = {attributes.get("id") for _, attributes in outline.elements}
    links = [attributes["href"][1:] for _, attributes in outline.elements if attributes.get("href", "").startswith("#")]
    labels = [name for _, a in outline.elements for name in a.get("aria-labelledby", "").split()]
    clips = [value[5:-1] for _, a in outline.elements for value in a.values() if value.startswith("url(#")]

    assert {*links, *labels, *clips} - identifiers == set()


@each
def test_a_page_loads_nothing(read: Callable[[], Outline]) -> None:
    outline = read()

    assert {"script", "link", "img", "iframe", "object", "embed", "base", "form"} & {
        tag for tag, _ in outline.elements
    } == set()
    assert [
        key for _, attributes in outline.elements for key in attributes if key == "src" or key.startswith("on")
    ] == []
    outside = [a["href"] for _, a in outline.elements if not a.get("href", "#").startswith("#")]
    assert [address for address in outside if not address.startswith("https://doi.org/10.")] == []


@each
def test_a_policy_forbids_what_a_page_need_not_do(read: Callable[[], Outline]) -> None:
    policies = [(meta["http-equiv"], meta["content"]) for meta in read().all("meta") if "http-equiv" in meta]

    assert policies == [("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")]


@each
def test_no_element_has_a_style_of_its_own_which_the_pages_of_a_site_forbid(read: Callable[[], Outline]) -> None:
    assert [tag for tag, attributes in read().elements if "style" in attributes] == []


@each
def test_a_page_has_its_own_colours_for_the_night_and_for_paper(read: Callable[[], Outline]) -> None:
    style = " ".join(read().said("style"))

    assert "@media (prefers-color-scheme: dark)" in style
    assert "@media print" in style


@each
def test_tables_have_captions_and_headings_with_a_scope(read: Callable[[], Outline]) -> None:
    outline = read()

    assert len(outline.all("table")) == len(outline.all("caption"))
    assert [heading for heading in outline.all("th") if "scope" not in heading] == []


@each
def test_tables_scroll_in_boxes_that_a_keyboard_reaches(read: Callable[[], Outline]) -> None:
    elements = read().elements
    boxes = [elements[place - 1] for place, (tag, _) in enumerate(elements) if tag == "table"]

    assert all((tag, box["class"], box["tabindex"]) == ("div", "scroll", "0") for tag, box in boxes)


@each
def test_each_section_opens_with_words(read: Callable[[], Outline]) -> None:
    outline = read()

    assert outline.following("h2") <= {"p", "ul", "h3", "dl"}
    assert outline.following("h3") <= {"p", "dl"}
