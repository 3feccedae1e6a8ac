"""Are terms, cards and citations what they should be, whatever stands in a record?"""

import pytest

from primad.archive.search.language import parse_query
from primad.reports.archive.answers import Hit, Shown
from primad.web.archive.cards import cards_of, page_text
from primad.web.archive.citing import cite
from primad.web.archive.terms import is_asked, term_of, with_term, without_term

VALUES = (
    "h2oloo",
    "ECIR 2019",
    'a "quoted" name',
    "back\\slash",
    "2015..2018",
    "bm25*",
    "OR",
    "<b>",
    "été",
    "a,b",
    "the “best” one",
)


@pytest.mark.parametrize("value", VALUES)
def test_a_term_asks_for_exactly_the_value_it_was_made_of(value: str) -> None:
    (term,) = parse_query(term_of("venue", value)).terms

    assert (term.name, [one.text for one in term.values], term.range) == ("venue", [value], None)
    assert not term.values[0].is_prefix


@pytest.mark.parametrize("value", VALUES)
def test_a_term_that_is_added_can_be_taken_away_again(value: str) -> None:
    query = 'neural venue:"SIGIR 2020"'
    term = term_of("team", value)

    asked = with_term(query, term)

    assert not is_asked(query, term)
    assert is_asked(asked, term)
    assert without_term(asked, term) == query


def test_quotes_of_an_editor_are_quotes_for_a_link_too() -> None:
    query = 'venue:“ECIR 2019” “a \\" b”'

    assert is_asked(query, 'venue:"ECIR 2019"')
    assert parse_query(without_term(query, 'venue:"ECIR 2019"')).clauses == parse_query('"a \\" b"').clauses


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("“" + '\\"' * 50_000 + "”", id="quotes in a phrase"),
        pytest.param('"' + '\\"' * 50_000, id="never closed"),
        pytest.param('"' + '\\"' * 50_000 + "\\", id="never closed, and a backslash at the end"),
        pytest.param("a" * 100_000, id="a word"),
    ],
)
def test_a_link_from_a_search_for_a_very_long_text_adds_a_term(query: str) -> None:
    # To look for the end of a phrase from each quote in it again would take minutes: no clock is needed to notice that.
    assert not is_asked(query, "team:a")


@pytest.mark.parametrize("query", ["team:a OR team:b", "team:b OR team:a", "NOT team:a", "-team:a", "team:ab"])
def test_a_term_that_belongs_to_others_is_not_taken_away(query: str) -> None:
    assert not is_asked(query, "team:a")
    assert without_term(query, "team:a") == query


def test_a_record_has_a_card_for_each_component_with_a_row_for_each_thing_stated() -> None:
    record = {
        "tag": "bm25",
        "method": {"retrieval": [{"name": "bm25", "k1": 0.9}, {"name": "rm3"}], "score ties": ""},
        "platform": {"software": {"libraries": {"python": ["numpy==2", "scipy==1"]}}},
        "actor": {"fields": None},
    }

    cards = {card.component: card for card in cards_of(record)}

    assert [card.letter for card in cards.values()] == ["P", "R", "I", "M", "A", "D", ""]
    assert cards["method"].rows == (
        ("retrieval 1, name", "bm25"),
        ("retrieval 1, k1", "0.9"),
        ("retrieval 2, name", "rm3"),
    )
    assert cards["platform"].rows == (("software, libraries, python", "numpy==2, scipy==1"),)
    assert cards["actor"].rows == ()
    assert cards["further"].rows == (("tag", "bm25"),)


def test_a_card_of_very_many_values_says_how_many_are_left_out() -> None:
    (card,) = [card for card in cards_of({"data": {f"field {n}": n for n in range(150)}}) if card.rows]

    assert (len(card.rows), card.more) == (120, 30)


def test_a_remark_on_a_page_names_no_command() -> None:
    remark = "no run has a score by map; compute them with: primad archive evaluate -m map"

    assert page_text(remark) == "no run has a score by map"
    assert page_text("nothing to type; only to read") == "nothing to type; only to read"


@pytest.mark.parametrize(
    ("remark", "expected"),
    [
        pytest.param("a, b: primad check c; d", "a; d", id="up to the next sentence"),
        pytest.param("a; primad annotate b; primad archive c; d", "a; d", id="two commands"),
        pytest.param("primad check a, b", "primad check a, b", id="nothing before it"),
        pytest.param("a;b, primad check c", "a;b", id="a semicolon without a blank"),
        pytest.param("a, primad checks", "a, primad checks", id="another word"),
    ],
)
def test_only_the_part_of_a_remark_that_has_a_command_is_left_away(remark: str, expected: str) -> None:
    assert page_text(remark) == expected


def test_a_remark_that_lists_very_many_names_is_left_as_it_is() -> None:
    # To look for a command behind each comma again would take minutes: no clock is needed to notice that.
    remark = "a, " * 100_000

    assert page_text(remark) == remark


def test_a_citation_has_the_permanent_address_and_is_safe_for_tex() -> None:
    run = Hit(address="a2af8052d871" * 5 + "abcd", tag="bm25_k1=0.9 & {more}", collection="small", actor="A. Ü")
    shown = Shown(run=run, ranking="", removed_at=None, record={}, versions=(), scores=(), events=())

    citation = cite(shown, "https://example.org/archive/runs/a2af/")

    assert citation.text == (
        "A. Ü: Run bm25_k1=0.9 & {more} on small. Version 1, https://example.org/archive/runs/a2af/"
    )
    assert citation.bibtex[0] == "@misc{bm25-k1-0-9-more-a2af8052,"
    # BibTeX counts a brace with a backslash, too: one that is never closed would swallow the entries behind.
    assert r"  title = {{Run bm25\_k1=0.9 \& \textbraceleft{}more\textbraceright{} on small}}," in citation.bibtex
    assert not any("year" in line for line in citation.bibtex)
    assert "  url = {https://example.org/archive/runs/a2af/}," in citation.bibtex
