"""Is what a publisher says refused where it is none?"""

import pytest

from primad.errors import UsageError
from primad.exchange.stating import author_of, refuse_misstated
from primad.exchange.thing import Statement, Thing
from primad.exchange.told import Person
from primad.exchange.writing import export

ORCID = "0000-0002-0661-7189"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Ada Lovelace", Person("Ada Lovelace"), id="a name"),
        pytest.param(f"Ada Lovelace {ORCID}", Person("Ada Lovelace", ORCID), id="an ORCID behind it"),
        pytest.param(f"Ada  Lovelace ({ORCID})", Person("Ada Lovelace", ORCID), id="in brackets"),
        pytest.param(f"Lovelace, Ada <https://orcid.org/{ORCID}>", Person("Lovelace, Ada", ORCID), id="an address"),
        pytest.param("user 1", Person("user 1"), id="a number"),
    ],
)
def test_an_author_has_a_name_and_may_have_an_orcid(text: str, expected: Person) -> None:
    assert author_of(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            "Ada 0000-0002-0661-7188", "expected an ORCID such as .*, found '0000-0002-0661-7188'", id="digit"
        ),
        pytest.param("Ada 0000-0002", "expected an ORCID such as .*, found '0000-0002'", id="half of one"),
        pytest.param(ORCID, "expected the name of an author", id="nobody"),
        pytest.param(" ", "expected the name of an author", id="nothing"),
    ],
)
def test_an_author_without_a_name_or_with_a_wrong_orcid_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        author_of(text)


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        pytest.param(Statement(date="17.11.2026"), "a date such as 2026-11-17, found '17.11.2026'", id="a date"),
        pytest.param(Statement(date="2026-13-01"), "a date such as 2026-11-17, found '2026-13-01'", id="no such month"),
        pytest.param(Statement(date="2026-11-17x"), "a date such as 2026-11-17, found '2026-11-17x'", id="more behind"),
        pytest.param(Statement(doi="zenodo.12"), "a DOI such as 10.5281/zenodo.1234, found 'zenodo.12'", id="a DOI"),
        pytest.param(Statement(licence="CCBY"), "found 'CCBY'; did you mean 'CC-BY-", id="a licence"),
        pytest.param(Statement(licence="qqq"), "found 'qqq'; https://spdx.org/licenses/ lists", id="like no other"),
    ],
)
def test_what_is_stated_and_is_none_is_refused_with_what_was_expected(stated: Statement, message: str) -> None:
    with pytest.raises(UsageError, match=f"^expected .*{message}"):
        refuse_misstated(stated)


@pytest.mark.parametrize(
    "licence", ["cc-by-4.0", "GPL-3.0", "https://example.org/terms", "see the file", "LicenseRef-x"]
)
def test_licences_are_identifiers_of_spdx_addresses_and_words(licence: str) -> None:
    refuse_misstated(Statement(licence=licence, date="2026-11-17", doi="https://doi.org/10.5281/zenodo.1234"))


@pytest.mark.parametrize("to", ["tira", "cwl", "bibtex"])
def test_formats_that_do_not_write_it_refuse_it_too(to: str) -> None:
    with pytest.raises(UsageError, match="expected a DOI"):
        export(Thing("run", "a", "a"), to, "somewhere", stated=Statement(doi="none"))
