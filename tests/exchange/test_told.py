"""Do records tell people, software, data, commands and publications as they state them?"""

from typing import Any

import pytest

from primad.exchange.told import (
    Dataset,
    Deed,
    Person,
    Publication,
    Software,
    Used,
    address_in,
    datasets_of,
    deed_of,
    doi_in,
    making_of,
    orcid_in,
    people_of,
    program_of,
    publication_of,
    software_of,
)
from primad.metadata.reading import from_tree
from primad.metadata.record import Record
from tests.exchange.some_things import odd_things


def record(**tree: Any) -> Record:
    """Return a record that states TREE, where a line in a key is a blank."""
    return from_tree({key.replace("_", " "): value for key, value in tree.items()})


@pytest.mark.parametrize(
    ("actor", "expected"),
    [
        pytest.param(None, (), id="nobody"),
        pytest.param({"mail": "a@b.c"}, (), id="no name"),
        pytest.param({"name": "Ada"}, (Person("Ada"),), id="a name"),
        pytest.param({"team": "h2oloo"}, (Person("h2oloo", team="h2oloo"),), id="a team alone"),
        pytest.param(
            {"name": "Ada", "orcid": "https://orcid.org/0000-0002-0661-7189", "team": "T", "role": "reproducer"},
            (Person("Ada", "0000-0002-0661-7189", "", "T", "reproducer"),),
            id="all",
        ),
        pytest.param({"name": "Ada", "orcid": "0000-0002-0661-7188"}, (Person("Ada"),), id="a wrong ORCID"),
    ],
)
def test_people_are_told_with_what_is_true_of_them(actor: Any, expected: tuple[Person, ...]) -> None:
    assert people_of(record(actor=actor) if actor else record(tag="x")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0000-0002-0661-7189", "0000-0002-0661-7189"),
        (" http://orcid.org/0000-0002-0661-7189/ ", "0000-0002-0661-7189"),
        ("0000-0002-1694-233X", "0000-0002-1694-233X"),  # ORCID's own example of a check digit that is ten
        ("0000-0002-1694-2330", ""),
        ("0000-0002-0661-718", ""),
        ("0000000206617189", ""),
        ("\u0660" * 4 + "-0002-0661-7189", ""),  # digits, but not those of an ORCID
        ("", ""),
    ],
)
def test_an_orcid_counts_if_its_last_digit_checks(text: str, expected: str) -> None:
    assert orcid_in(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10.1145/3397271.3401036", "10.1145/3397271.3401036"),
        ("doi:10.1145/x", "10.1145/x"),
        ("DOI.org/10.1145/x", "10.1145/x"),
        ("http://dx.doi.org/10.1145/x", "10.1145/x"),
        ("10.1145/", ""),
        ("10.1/x", ""),
        ("https://example.org/10.1145/x", ""),
        ("10.1145/a b", ""),
    ],
)
def test_a_doi_is_told_without_its_address(text: str, expected: str) -> None:
    assert doi_in(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("https://a.b/c", "https://a.b/c"), ("ftp://a.b", ""), ("javascript:alert(1)", ""), ("https://a b", ""), ("", "")],
)
def test_only_addresses_of_the_web_are_addresses(text: str, expected: str) -> None:
    assert address_in(text) == expected


@pytest.mark.parametrize(
    ("implementation", "expected"),
    [
        pytest.param({}, None, id="nothing"),
        pytest.param({"executable": {"program": "rank.py"}}, Software("rank.py", "", "program"), id="a script"),
        pytest.param(
            {"source": {"release": "pyserini==0.36.0"}}, Software("pyserini", "0.36.0", "program"), id="a release"
        ),
        pytest.param(
            {"source": {"repository": "https://example.org/team/code.git/", "commit": "9548cd6"}},
            Software("code", "9548cd6", "program", "https://example.org/team/code.git/", "9548cd6"),
            id="a repository",
        ),
        pytest.param(
            {"source": {"repository": "git@example.org:team/code.git"}},
            Software("code", "", "program", "https://example.org/team/code.git"),
            id="a repository that is reached by SSH",
        ),
        pytest.param(
            {"source": {"repository": "../code.git"}},
            Software("code", "", "program"),
            id="a repository without an address of the web",
        ),
    ],
)
def test_the_code_is_told_by_release_repository_or_program(implementation: Any, expected: Software | None) -> None:
    assert program_of(record(implementation=implementation)) == expected


def test_software_is_told_with_its_versions() -> None:
    found = software_of(
        record(
            platform={
                "software": {
                    "libraries": {"python": ["numpy==2.4.6"], "java": ["lucene"]},
                    "retrieval toolkit": "anserini==0.3.0",
                    "runtime": ["java==17"],
                },
                "operating system": {"kernel": "6.1", "distribution": "Debian 12"},
            }
        )
    )

    assert found == (
        Software("anserini", "0.3.0", "toolkit"),
        Software("java", "17", "runtime"),
        Software("numpy", "2.4.6", "library"),
        Software("lucene", "", "library"),
        Software("Debian 12", "6.1", "system"),
    )
    assert software_of(record(tag="x")) == ()


def test_data_are_told_with_the_test_collection_first() -> None:
    data = {
        "other": ["GloVe"],
        "training data": [{"name": "disks 4 and 5", "source": "https://trec.nist.gov"}, {"folds": 5}],
        "test collection": {"ir_datasets": "nyt/trec-core-2017", "qrels": "q"},
    }

    assert datasets_of(record(data=data)) == (
        Dataset("nyt/trec-core-2017", "test", qrels="q", ir_datasets="nyt/trec-core-2017"),
        Dataset("disks 4 and 5", "training", "https://trec.nist.gov"),
        Dataset("GloVe", "other"),
    )


@pytest.mark.parametrize(
    ("status", "expected"), [(0, 0), (2, 2), (None, None), ("killed", None), (True, None)], ids=str
)
def test_a_command_is_told_with_its_times_files_and_status(status: Any, expected: int | None) -> None:
    found = deed_of(
        record(
            implementation={"executable": {"cmd": "rank topics.txt"}},
            data={"inputs": [{"path": "topics.txt", "sha256": "00", "bytes": 12}, {"sha256": "11"}]},
            resources={"exit status": status, "runtime": {"start time": "2026-11-17T00:00:00+00:00"}},
        )
    )

    assert found == Deed(
        "rank topics.txt", "2026-11-17T00:00:00+00:00", "", expected, (Used("topics.txt", "00", 12),), ()
    )


def test_how_a_run_was_made_is_told_without_a_command_too() -> None:
    resources = {"exit status": 0, "runtime": {"start time": "2026-11-16", "stop time": "2026-11-17"}}
    told = making_of(record(resources=resources, data={"inputs": [{"path": "topics.txt"}]}))

    assert told == Deed("", "2026-11-16", "2026-11-17", 0, (Used("topics.txt"),))


def test_a_record_without_a_command_tells_of_no_deed() -> None:
    assert deed_of(record(implementation={"executable": {"program": "rank.py"}})) is None


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        pytest.param({"description": "x"}, None, id="none"),
        pytest.param(
            {"publication": {"doi": "https://doi.org/10.1145/x"}, "venue": {"name": "SIGIR", "year": 2020}},
            Publication("10.1145/x", "", "SIGIR", 2020),
            id="a DOI",
        ),
        pytest.param(
            {"publication": {"arxiv": "https://arxiv.org/abs/1"}},
            Publication("", "https://arxiv.org/abs/1"),
            id="an address",
        ),
        pytest.param({"publication": {"doi": "soon", "url": "ask me"}}, None, id="neither"),
        pytest.param({"venue": {"name": "TREC", "year": 2017}}, None, id="a venue only"),
    ],
)
def test_a_publication_is_told_by_doi_or_address_and_is_no_venue(goal: Any, expected: Publication | None) -> None:
    assert publication_of(record(research_goal=goal)) == expected


@pytest.mark.parametrize("name", odd_things())
def test_odd_records_are_told_without_an_error(name: str) -> None:
    for one in odd_things()[name].records():
        told = (people_of(one), program_of(one), software_of(one), datasets_of(one), deed_of(one), publication_of(one))
        assert len(told[0]) <= 1
        assert not any(person.orcid and orcid_in(person.orcid) != person.orcid for person in told[0])
