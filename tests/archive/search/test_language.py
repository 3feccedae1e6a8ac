"""Is a query read as it was meant, and is what cannot be read said with its place?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.archive.search.conditions import Bounds
from primad.archive.search.fields import field_meant
from primad.archive.search.language import LONGEST_QUERY, MOST_TERMS, MOST_VALUES, Range, Term, Value, parse_query
from primad.archive.search.measures import one_measure
from primad.archive.search.terms import addresses_in, bounds_in, stated_in, texts_in, times_in, words_in
from primad.errors import MeasureError, PrimadError, QueryError, UsageError

FIELDS = ("method.retrieval.name", "method.retrieval.k1", "platform.hardware.ram", "actor.name", "data.index.ram")


def only(text: str) -> Term:
    """Return the only term of the query TEXT."""
    (term,) = parse_query(text).terms
    return term


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("team:h2oloo", Term("team", 1, (Value("h2oloo"),)), id="a value"),
        pytest.param("team=h2oloo", Term("team", 1, (Value("h2oloo"),)), id="an equals sign"),
        pytest.param("team==h2oloo", Term("team", 1, (Value("h2oloo"),)), id="two equals signs"),
        pytest.param('venue:"ECIR 2019"', Term("venue", 1, (Value("ECIR 2019", is_quoted=True),)), id="two words"),
        pytest.param(
            "venue:“ECIR 2019”", Term("venue", 1, (Value("ECIR 2019", is_quoted=True),)), id="quotes of an editor"
        ),
        pytest.param(
            r'venue:"a \"b\" \\"', Term("venue", 1, (Value('a "b" \\', is_quoted=True),)), id="quotes in quotes"
        ),
        pytest.param("tag:bm25*", Term("tag", 1, (Value("bm25", is_prefix=True),)), id="a beginning"),
        pytest.param('tag:"bm25*"', Term("tag", 1, (Value("bm25*", is_quoted=True),)), id="a star in quotes"),
        pytest.param("team:*", Term("team", 1, (Value("", is_prefix=True),)), id="anything"),
        pytest.param(
            'tag:a,"b c",d*',
            Term("tag", 1, (Value("a"), Value("b c", is_quoted=True), Value("d", is_prefix=True))),
            id="several",
        ),
        pytest.param("toolkit:anserini==0.4", Term("toolkit", 1, (Value("anserini==0.4"),)), id="signs in a value"),
        pytest.param("tag:100%_x", Term("tag", 1, (Value("100%_x"),)), id="signs that mean something in SQL"),
        pytest.param("map>=0.3", Term("map", 1, range=Range(low="0.3")), id="at least"),
        pytest.param("map > .3", Term("map", 1, range=Range(low=".3", has_low=False)), id="above, with blanks"),
        pytest.param("year<2018", Term("year", 1, range=Range(high="2018", has_high=False)), id="below"),
        pytest.param("year<=2018", Term("year", 1, range=Range(high="2018")), id="at most"),
        pytest.param("year:2015..2018", Term("year", 1, range=Range("2015", "2018")), id="from, to"),
        pytest.param("year:2015..", Term("year", 1, range=Range("2015")), id="from"),
        pytest.param("k1:..0.5", Term("k1", 1, range=Range("", "0.5")), id="to"),
        pytest.param("k1:.5...7", Term("k1", 1, range=Range(".5", ".7")), id="three dots"),
        pytest.param("k1:1...", Term("k1", 1, range=Range("1", ".")), id="three dots at the end"),
        pytest.param("k1:..", Term("k1", 1, (Value(".."),)), id="dots alone"),
        pytest.param("k1:1..2x", Term("k1", 1, (Value("1..2x"),)), id="a range and a letter"),
        pytest.param("k1:0,9", Term("k1", 1, (Value("0"), Value("9"))), id="two numbers"),
        pytest.param('tag:"1..2"', Term("tag", 1, (Value("1..2", is_quoted=True),)), id="dots in quotes"),
        pytest.param("tag:a..b", Term("tag", 1, (Value("a..b"),)), id="dots between letters"),
        pytest.param("P(rel=2)@10>0.5", Term("P(rel=2)@10", 1, range=Range(low="0.5", has_low=False)), id="a measure"),
        pytest.param("neural", Term("", 1, (Value("neural"),)), id="a word"),
        pytest.param("neur*", Term("", 1, (Value("neur", is_prefix=True),)), id="how a word begins"),
        pytest.param(
            '"relevance feedback"', Term("", 1, (Value("relevance feedback", is_quoted=True),)), id="a phrase"
        ),
        pytest.param("cross-collection", Term("", 1, (Value("cross-collection"),)), id="a word with a hyphen"),
        pytest.param("-team:x", Term("team", 1, (Value("x"),), is_negated=True), id="a dash"),
        pytest.param("NOT team:x", Term("team", 1, (Value("x"),), is_negated=True), id="not"),
        pytest.param("team!=x", Term("team", 1, (Value("x"),), is_negated=True), id="other than"),
        pytest.param("-team!=x", Term("team", 1, (Value("x"),)), id="not other than"),
        pytest.param('"not"', Term("", 1, (Value("not", is_quoted=True),)), id="not in quotes is a word"),
        pytest.param("NOTHING", Term("", 1, (Value("NOTHING"),)), id="a word that begins with NOT"),
        pytest.param("  neural", Term("", 3, (Value("neural"),)), id="blanks before"),
    ],
)
def test_a_term_is_read(text: str, expected: Term) -> None:
    assert only(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("  \n\t", [], id="blanks"),
        pytest.param("a b", [["a"], ["b"]], id="both"),
        pytest.param("a AND b", [["a"], ["b"]], id="and"),
        pytest.param("a OR b", [["a", "b"]], id="or"),
        pytest.param("a b OR c d", [["a"], ["b", "c"], ["d"]], id="or takes its neighbours"),
        pytest.param("a OR b OR c", [["a", "b", "c"]], id="or twice"),
        pytest.param("a OR -b", [["a", "-b"]], id="or not"),
        pytest.param('a "or" b', [["a"], ["or"], ["b"]], id="or in quotes is a word"),
        pytest.param('a"b c"d', [["a"], ["b c"], ["d"]], id="a phrase between words"),
    ],
)
def test_clauses_must_all_hold_and_or_joins_two_terms(text: str, expected: list[list[str]]) -> None:
    read = [
        ["-" * term.is_negated + term.values[0].text for term in clause.terms] for clause in parse_query(text).clauses
    ]

    assert read == expected


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        pytest.param('team:"h2oloo', 6, "expected a closing quote, found the end", id="no closing quote"),
        pytest.param('a "b', 3, "expected a closing quote, found the end", id="no closing quote of a phrase"),
        pytest.param("team:", 6, "expected a value behind 'team:', found the end", id="no value"),
        pytest.param("team: x", 6, "expected a value behind 'team:', found 'x'", id="a blank before the value"),
        pytest.param("map=>3", 5, "expected a value behind 'map=', found '>3'", id="signs in the wrong order"),
        pytest.param("tag:a,", 7, "expected a value behind ',', found the end", id="a comma at the end"),
        pytest.param("OR a", 1, "expected a term before OR, found none", id="or at the beginning"),
        pytest.param("a OR", 3, "expected a term behind OR, found none", id="or at the end"),
        pytest.param("a -", 3, "expected a term behind -, found none", id="a dash at the end"),
        pytest.param("- a", 1, "expected a term behind -, found none", id="a dash alone"),
        pytest.param("NOT", 1, "expected a term behind NOT, found none", id="not at the end"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(text: str, position: int, problem: str) -> None:
    with pytest.raises(QueryError) as raised:
        parse_query(text)

    assert (raised.value.position, raised.value.problem) == (position, problem)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param(
            "a" * (LONGEST_QUERY + 1), f"at most {LONGEST_QUERY:,} characters, found {LONGEST_QUERY + 1:,}", id="long"
        ),
        pytest.param("a " * (MOST_TERMS + 1), f"at most {MOST_TERMS} terms, found more", id="terms"),
        pytest.param("a:" + "b," * MOST_VALUES + "b", f"at most {MOST_VALUES} values, found more", id="values"),
        pytest.param("-" * 5000, "expected a term behind -, found none", id="dashes"),
    ],
)
def test_a_query_of_any_size_is_refused_rather_than_asked(text: str, problem: str) -> None:
    with pytest.raises(QueryError, match=problem):
        parse_query(text)


def test_a_value_of_as_many_dots_as_a_query_can_have_is_no_range() -> None:
    # To try each pair of dots as the middle of a range would take a minute: no clock is needed to notice that.
    dots = "." * (LONGEST_QUERY - len("a:!")) + "!"

    assert only(f"a:{dots}") == Term("a", 1, (Value(dots),))


@given(st.text(alphabet=st.sampled_from("ab:=<>!,\"\\*-. ()@\0%_'ORNT1é\ud800"), max_size=40))
def test_any_text_is_a_query_or_an_error_of_ours(text: str) -> None:
    try:
        places = [term.position for term in parse_query(text).terms]
    except QueryError as error:
        places = [error.position]

    assert all(1 <= place <= len(text) + 1 for place in places)


def test_what_steers_a_terminal_is_written_out_in_a_message() -> None:
    with pytest.raises(QueryError) as raised:
        parse_query('team:\x1b[2J,"')

    assert "\x1b" not in str(raised.value)


# Values ----------------------------------------------------------------------------------------------------------


def test_values_are_folded_as_records_are() -> None:
    assert stated_in(only('team:"  Étude  X "')) == (["etude x"], [], [])


def test_a_number_is_found_however_it_is_written() -> None:
    assert stated_in(only("k1:0.90,1e1,x")) == (["x"], [0.9, 10.0], [])


def test_a_name_without_a_version_is_found_with_any() -> None:
    texts, _, beginnings = stated_in(only("toolkit:Anserini,lucene==9"), has_versions=True)

    assert (texts, beginnings) == (["anserini", "lucene==9"], ["anserini=", "anserini "])


def test_null_bytes_are_written_out_as_they_are_in_the_database() -> None:
    assert stated_in(only("tag:a\0b"))[0] == ["a\\x00b"]
    assert words_in(only("a\0b")) == ["a", "x00b"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("map>=0.3", Bounds(low=0.3), id="at least"),
        pytest.param("map:0.25", Bounds(0.25, 0.25), id="exactly"),
        pytest.param("map:*", Bounds(), id="any"),
        pytest.param("map:0.1..0.2", Bounds(0.1, 0.2), id="from, to"),
    ],
)
def test_a_range_of_numbers_is_read(text: str, expected: Bounds) -> None:
    assert bounds_in(only(text)) == expected


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        pytest.param("added:2024", "2024-01-01", "2025-01-01", id="a year"),
        pytest.param("added:2024-12", "2024-12-01", "2025-01-01", id="a month"),
        pytest.param("added:2024-02", "2024-02-01", "2024-03-01", id="february"),
        pytest.param("added:2024-02-29", "2024-02-29", "2024-03-01", id="a day"),
        pytest.param("added>=2024-05", "2024-05-01", None, id="since"),
        pytest.param("added>2024-05", "2024-06-01", None, id="after"),
        pytest.param("added<2024", None, "2024-01-01", id="before"),
        pytest.param("added<=2024", None, "2025-01-01", id="until the end"),
        pytest.param("added:2024-05..2024-06-10", "2024-05-01", "2024-06-11", id="from, to"),
    ],
)
def test_a_date_means_all_of_the_time_that_it_names(text: str, low: str | None, high: str | None) -> None:
    found = times_in(only(text))

    assert [one and f"{one:%Y-%m-%d}" for one in (found.low, found.high)] == [low, high]


@pytest.mark.parametrize(
    ("read", "text", "problem"),
    [
        pytest.param(bounds_in, "map>=x", "expected a number behind 'map', found 'x'", id="no number"),
        pytest.param(bounds_in, "map:1,2", "expected a number or a range behind 'map', found '1,2'", id="two"),
        pytest.param(bounds_in, "year:2018,2019..2021", "a number or a range .* found '2018,2019..2021'$", id="years"),
        pytest.param(bounds_in, "map>=0.2,0.5", "expected a number behind 'map', found '0.2,0.5'$", id="two at least"),
        pytest.param(bounds_in, "map:1,2,3", "a number or a range behind 'map', found '1,2,3'$", id="three"),
        pytest.param(times_in, "added>=2024,5", "expected a date .* found '2024,5'$", id="a date with a comma"),
        pytest.param(bounds_in, "map>=9e999", "expected a number behind 'map', found '9e999'", id="too large"),
        pytest.param(bounds_in, "map>=nan", "expected a number behind 'map', found 'nan'", id="not a number"),
        pytest.param(times_in, "added:2024-13", "expected a date such as", id="no month"),
        pytest.param(times_in, "added:9999-12-31", "expected a date such as", id="the last day"),
        pytest.param(times_in, "added:yesterday", "found 'yesterday'", id="no date"),
        pytest.param(addresses_in, "address:xyz", "expected hexadecimal digits behind 'address'", id="no address"),
        pytest.param(texts_in, "team:1..2", "expected a text behind 'team', found '1..2'", id="a range of texts"),
        pytest.param(texts_in, 'team:" "', "expected a value behind 'team', found ' '", id="an empty text"),
        pytest.param(words_in, "***", r"expected a word, found '\*\*'", id="no word"),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused(read: object, text: str, problem: str) -> None:
    assert callable(read)
    with pytest.raises(QueryError, match=problem):
        read(only(text))


@pytest.mark.parametrize(
    ("text", "expected", "found"),
    [
        pytest.param("map>=0,28", "a number", "0,28", id="at least"),
        pytest.param("map < 0,28", "a number", "0,28", id="below, with blanks"),
        pytest.param("map:0,2..0,28", "a number", "0,2", id="both ends of a range"),
        pytest.param("map:0,2..", "a number", "0,2", id="from"),
        pytest.param("map:0.2..0,28", "a number", "0,28", id="from, to"),
        pytest.param("map:..0,28", "a number", "0,28", id="to"),
        pytest.param("map:0,28", "a number or a range", "0,28", id="exactly"),
    ],
)
def test_a_decimal_comma_is_refused_with_how_to_write_it(text: str, expected: str, found: str) -> None:
    with pytest.raises(QueryError) as raised:
        bounds_in(only(text))

    assert raised.value.problem == f"expected {expected} behind 'map', found '{found}'; write decimals with a point"


# Names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "field"),
    [
        pytest.param("team", "actor.team", id="a short name"),
        pytest.param("Stage", "method.retrieval.name", id="in capital letters"),
        pytest.param("method.retrieval.name", "method.retrieval.name", id="a path"),
        pytest.param("method.retrieval[].name", "method.retrieval.name", id="a path as records have it"),
        pytest.param("retrieval.name", "method.retrieval.name", id="the last parts"),
        pytest.param("k1", "method.retrieval.k1", id="the last part"),
        pytest.param("research_goal.publication.doi", "research_goal.publication.doi", id="stated by no run yet"),
        pytest.param("doi", "research_goal.publication.doi", id="the last part of what no run states"),
    ],
)
def test_a_field_is_found_by_its_name(name: str, field: str) -> None:
    assert field_meant(name, FIELDS).field == field


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        pytest.param("map", "map", id="trec_eval's"),
        pytest.param("AP", "map", id="that of ir_measures"),
        pytest.param("nDCG@10", "ndcg_cut_10", id="a cutoff"),
        pytest.param("P.7", "P_7", id="a parameter"),
        pytest.param("P(rel=2)@5", "P(rel=2)@5", id="what trec_eval has no name for"),
    ],
)
def test_a_measure_is_found_by_any_of_its_names(name: str, kept: str) -> None:
    meant = field_meant(name, FIELDS)

    assert meant.score is not None
    assert meant.score.name == kept


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("tema", "unknown field 'tema'; did you mean 'team'?", id="letters in another order"),
        pytest.param(
            "retreival.name", "unknown field 'retreival.name'; did you mean 'method.retrieval.name'?", id="in a path"
        ),
        pytest.param("colection", "unknown field 'colection'; did you mean 'collection'?", id="a letter too few"),
        pytest.param("qqqqqq", "unknown field 'qqqqqq'", id="nothing like it"),
        pytest.param(
            "ram", "'ram' is the end of 2 fields, write more of it: data.index.ram, platform.hardware.ram", id="two"
        ),
    ],
)
def test_a_wrong_name_is_refused_with_what_was_perhaps_meant(name: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        field_meant(name, FIELDS)

    assert str(raised.value) == message


def test_in_a_query_a_wrong_name_is_said_with_its_place() -> None:
    with pytest.raises(QueryError) as raised:
        field_meant("https", FIELDS, position=7)

    assert raised.value.position == 7
    assert raised.value.problem.endswith("to search for the text itself, put it in quotes")


def test_a_family_of_measures_is_no_measure() -> None:
    with pytest.raises(MeasureError, match=r"expected one measure, found 9 \(P_5, P_10"):
        one_measure("P")


@given(st.text(min_size=1, max_size=30))
def test_any_name_means_something_or_is_an_error_of_ours(name: str) -> None:
    try:
        meant = field_meant(name, FIELDS)
    except PrimadError:
        return
    assert meant.column or meant.field or meant.score


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("a or b", "query, position 3: expected OR in capitals, or 'or' in quotes, found or", id="or"),
        pytest.param("not a", "query, position 1: expected NOT in capitals, or 'not' in quotes, found not", id="not"),
        pytest.param(
            "(team:x OR team:y)",
            "query, position 1: expected no parentheses but in quotes, found '(team:x'",
            id="parentheses",
        ),
    ],
)
def test_what_other_languages_join_terms_by_is_refused_with_what_to_write(text: str, message: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse_query(text)

    assert str(caught.value) == message
