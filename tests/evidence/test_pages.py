"""Is everything that a page claims on the list of claims, in the words of the page?"""

from __future__ import annotations

import re

import pytest

from evidence.__main__ import PAGE, ROOT
from evidence.claim import Claim, Quote
from evidence.claims import SUBJECTS, comparison
from evidence.ledger import LEDGER, Ledger
from evidence.page import page as written
from tests.claims.test_comparison_page import claims as rows_of_comparison
from tests.docs.pages import text_of
from tests.evidence.said import NO_CLAIMS, PAGES, figures, prose, without_code

CLAIMS = [claim for claims in SUBJECTS.values() for claim in claims]
QUOTED = [(claim, quote) for claim in CLAIMS for quote in claim.quotes]
MEASURED = Ledger.read(ROOT / LEDGER).entries
_FIELD = re.compile(r"\{\w+(:[^}]*)?\}")


def words(claim: Claim, quote: Quote) -> re.Pattern[str]:
    """Return what QUOTE looks for: its words, with the figures that were measured, or any where none were."""
    if claim.file:
        return re.compile(re.escape(quote.filled(claim.read((ROOT / claim.file).read_text(encoding="utf-8")))))
    entry = MEASURED.get(claim.name)
    if entry and entry.values:
        return re.compile(re.escape(quote.filled(entry.values)))
    parts = _FIELD.split(quote.words)[::2]
    return re.compile(r"[\d.,]+".join(re.escape(part) for part in parts))


@pytest.mark.parametrize("claim", [one for one in CLAIMS if one.quotes], ids=lambda one: one.name)
def test_a_claim_quotes_its_pages_with_the_figures_that_were_measured(claim: Claim) -> None:
    expected = {words(claim, quote): " ".join(text_of(quote.page).split()) for quote in claim.quotes}

    assert [one.pattern for one, text in expected.items() if not one.search(text)] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_figure_of_a_page_is_quoted_by_a_claim_or_claims_nothing(page: str) -> None:
    text = prose(page)
    quoted = [words(claim, quote) for claim, quote in QUOTED if quote.page == page]
    idle = [re.compile(re.escape(one)) for one in NO_CLAIMS.get(page, {})]

    covered = [found.span() for one in (*quoted, *idle) for found in one.finditer(text)]

    assert [
        one.around for one in figures(text) if not any(begin <= one.begin and one.end <= end for begin, end in covered)
    ] == []


def test_what_claims_nothing_is_on_its_page_and_has_a_figure() -> None:
    listed = [(page, text) for page, texts in NO_CLAIMS.items() for text in texts]

    assert [one for one in listed if one[1] not in prose(one[0])] == []
    assert [one for one in listed if not any(figures(one[1]))] == []


def test_everything_that_the_readme_says_it_does_is_claimed() -> None:
    items = prose("README.md").partition("## What it does today - ")[2].partition(" ## Install")[0].split(" - **")
    quoted = [words(claim, quote) for claim, quote in QUOTED if quote.page == "README.md"]

    assert len(items) > 10
    assert [one[:40] for one in items if not any(words.search(one) for words in quoted)] == []


def test_every_statement_about_another_tool_is_a_claim() -> None:
    own = {claim.name for claim in comparison.CLAIMS}
    by_speed = {mark for _, quote in QUOTED for mark in re.findall(r"\[\[(c\d+)\]\]", quote.words)} - own

    assert own | by_speed == rows_of_comparison().keys()
    assert by_speed == {mark for mark, shown in rows_of_comparison().items() if "`make bench`" in shown}


def test_every_claim_has_a_name_of_its_own() -> None:
    names = [claim.name for claim in CLAIMS]

    assert sorted(names) == sorted(set(names))


def test_what_a_claim_is_about_is_there() -> None:
    paths = {path for claim in CLAIMS for path in claim.subject}

    assert [path for path in paths if not any(ROOT.glob(re.sub(r"^:\(\w+\)", "", path)))] == []
    assert [claim.name for claim in CLAIMS if claim.command and not claim.subject] == []


def test_the_tests_that_a_command_runs_are_there() -> None:
    files = {path for claim in CLAIMS for path in re.findall(r"tests/[\w/.]+", claim.command)}

    assert len(files) > 50
    assert [path for path in files if not (ROOT / path).exists()] == []


def test_what_no_command_shows_has_a_source() -> None:
    assert [claim.name for claim in CLAIMS if bool(claim.command) == bool(claim.source)] == []


def test_whatever_misses_its_goal_says_why() -> None:
    goals = {one.name: one.goal for one in CLAIMS if one.goal and one.name in MEASURED and MEASURED[one.name].values}
    missed = {name: goal for name, goal in goals.items() if goal.missed_by(MEASURED[name].values)}

    assert [name for name, goal in missed.items() if not goal.why] == []


def test_the_page_of_evidence_is_written_from_what_was_measured() -> None:
    text = (ROOT / PAGE).read_text(encoding="utf-8")

    assert text == written(SUBJECTS, Ledger.read(ROOT / LEDGER)), "run: python -m evidence --write"


def test_the_page_of_evidence_has_a_line_for_each_claim() -> None:
    lines = (ROOT / PAGE).read_text(encoding="utf-8").splitlines()

    said = {claim.name: sum(line.startswith(f"| {claim.says} ") for line in lines) for claim in CLAIMS}
    assert {name: count for name, count in said.items() if count != 1} == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("It takes 6.36 s, 27 times as long.", ["6.36 s", "27 times"], id="units and ratios"),
        pytest.param("All\n\n```text\n12 s\n```\n\nwithin 3\nminutes", ["3 minutes"], id="not in blocks of code"),
        pytest.param("`--wait 30 s` is three times as long", ["three times"], id="not in marks of code"),
        pytest.param("comes back byte for byte in 2026", ["byte for byte"], id="words"),
        pytest.param("18 groups in version 1.2", [], id="numbers without a unit"),
    ],
)
def test_figures_are_found_in_prose(text: str, expected: list[str]) -> None:
    found = without_code(text)

    assert [found[one.begin : one.end] for one in figures(found)] == expected
