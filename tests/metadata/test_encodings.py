"""Is a text that cannot be what it should be told from one that can?"""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.metadata.encodings import PATTERNS, Complaint, complaint

NEXT_YEAR = datetime.now(tz=UTC).year + 1


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        pytest.param("version", "1.0", id="version"),
        pytest.param("version", 0.2, id="version that YAML took for a number"),
        pytest.param("version", "2.0.0-rc1+build.5", id="version of a candidate"),
        pytest.param("orcid", "0000-0002-0661-7189", id="orcid"),
        pytest.param("orcid", "0000-0002-1694-233X", id="orcid that ends in X"),
        pytest.param("orcid", "https://orcid.org/0000-0002-0661-7189", id="orcid as address"),
        pytest.param("orcid", " 0000-0002-0661-7189\n", id="orcid with blanks around"),
        pytest.param("commit", "9548", id="shortest commit"),
        pytest.param("commit", "9548CD6", id="commit in capitals"),
        pytest.param("commit", "a" * 64, id="longest commit"),
        pytest.param("sha256", "0" * 64, id="digest"),
        pytest.param("mail", "jimmylin@uwaterloo.ca", id="mail"),
        pytest.param("package", "numpy==1.15.4", id="package"),
        pytest.param("package", "@scope/tool==2", id="package of npm"),
        pytest.param("release", "pyserini==0.36.0", id="release"),
        pytest.param("release", "@scope/tool==2", id="release on npm"),
        pytest.param("doi", "10.1145/3477495.3531738", id="bare doi"),
        pytest.param("doi", "doi:10.1145/3477495.3531738", id="doi with scheme"),
        pytest.param("doi", "https://doi.org/10.1007/978-3-030-15712-8_26", id="doi as address"),
        pytest.param("doi", "http://dx.doi.org/10.1000/182", id="doi as old address"),
        pytest.param("uri", "https://example.org/a?b=c#d", id="address"),
        pytest.param("uri", "HTTPS://EXAMPLE.ORG", id="address in capitals"),
        pytest.param("uri", "s3://bucket/corpus", id="address of a store"),
        pytest.param("uri", "doi:10.5281/zenodo.1", id="doi where an address will do"),
        pytest.param("uri", "file:///data/qrels", id="file"),
        pytest.param("repository", "https://github.com/castorini/anserini", id="repository"),
        pytest.param("repository", "git@github.com:castorini/anserini.git", id="repository by ssh"),
        pytest.param("repository", "ssh://git@example.org:2222/team/code.git", id="repository by ssh with port"),
        pytest.param("year", 2019, id="year"),
        pytest.param("year", "1950", id="first year"),
        pytest.param("year", NEXT_YEAR, id="next year"),
        pytest.param("time", "2025-09-28T06:22:54+00:00", id="time"),
        pytest.param("time", "2025-09-28T06:22:54Z", id="time in UTC"),
        pytest.param("time", "2025-09-28T06:22:54", id="time without zone"),
        pytest.param("time", "2025-05-14T04:52:12.798524123+0200", id="time to the nanosecond"),
        pytest.param("stage", "any thing", id="names of stages have a rule of their own"),
        pytest.param("", "any thing", id="no encoding"),
    ],
)
def test_what_can_be_meant_is_no_complaint(encoding: str, text: object) -> None:
    assert complaint(encoding, text) is None


@pytest.mark.parametrize(
    ("encoding", "text", "expected"),
    [
        pytest.param("version", "newest", "a version such as 1.0", id="version in words"),
        pytest.param("version", "1.0 beta", "a version such as 1.0", id="version with a blank"),
        pytest.param("orcid", "0000-0002-0661-718", "an ORCID such as 0000-0002-0661-7189", id="short orcid"),
        pytest.param("orcid", "0000000206617189", "an ORCID such as 0000-0002-0661-7189", id="orcid without dashes"),
        pytest.param("orcid", "0000-0002-0661-71x9", "an ORCID such as 0000-0002-0661-7189", id="letter in an orcid"),
        pytest.param(
            "orcid", "https://example.org/0000-0002-0661-7189", "an ORCID such as 0000-0002-0661-7189", id="other site"
        ),
        pytest.param(
            "orcid", "0000-0002-0661-7188", "an ORCID whose last digit is 9, the check digit", id="last digit wrong"
        ),
        pytest.param(
            "orcid", "0000-0002-6061-7189", "an ORCID whose last digit is X, the check digit", id="digits swapped"
        ),
        pytest.param(
            "orcid", "0000-0002-1694-2330", "an ORCID whose last digit is X, the check digit", id="0 in place of X"
        ),
        pytest.param(
            "orcid",
            "https://orcid.org/0000-0002-0661-7188",
            "an ORCID whose last digit is 9, the check digit",
            id="last digit wrong in an address",
        ),
        pytest.param("commit", "954", "a commit: 4 to 64 hexadecimal digits", id="three digits"),
        pytest.param("commit", "a" * 65, "a commit: 4 to 64 hexadecimal digits", id="65 digits"),
        pytest.param("commit", "main", "a commit: 4 to 64 hexadecimal digits", id="branch"),
        pytest.param("sha256", "0" * 63, "a SHA-256 digest: 64 hexadecimal digits", id="short digest"),
        *[
            pytest.param("release", text, "a package with its version, such as pyserini==0.36.0", id=f"release: {text}")
            for text in ("primad", "primad==", "primad>=0.1", "==0.1", "primad 0.1")
        ],
        pytest.param("mail", "Jimmy Lin", "an e-mail address", id="name in place of mail"),
        pytest.param("mail", "a@b", "an e-mail address", id="mail without domain"),
        pytest.param("mail", "a@b@c.d", "an e-mail address", id="two at signs"),
        pytest.param("doi", "10.1145", "a DOI such as https://doi.org/10.1145/3477495.3531738", id="half a doi"),
        pytest.param(
            "doi",
            "https://example.org/10.1145/1",
            "a DOI such as https://doi.org/10.1145/3477495.3531738",
            id="doi of another site",
        ),
        pytest.param("year", "19", "a year with four digits, such as 2019", id="two digits"),
        pytest.param("year", 1949, "a year with four digits, such as 2019", id="before computers"),
        pytest.param("year", NEXT_YEAR + 1, "a year with four digits, such as 2019", id="far future"),
        pytest.param(
            "year", "\uff12\uff10\uff11\uff19", "a year with four digits, such as 2019", id="digits of another script"
        ),
        pytest.param(
            "time",
            "2025-13-28T06:22:54",
            "a time as ISO 8601 writes it, such as 2025-09-28T06:22:54+00:00",
            id="month 13",
        ),
        pytest.param(
            "time", "yesterday", "a time as ISO 8601 writes it, such as 2025-09-28T06:22:54+00:00", id="time in words"
        ),
        pytest.param("uri", "", "an address such as https://example.org/path", id="nothing"),
        pytest.param("uri", "see the paper", "an address such as https://example.org/path", id="words"),
        pytest.param("uri", "https//example.org", "an address such as https://example.org/path", id="colon forgotten"),
        pytest.param("uri", "https:/example.org", "an address such as https://example.org/path", id="one slash"),
        pytest.param("uri", "https://", "an address such as https://example.org/path", id="no host"),
        pytest.param("uri", "http://[::1", "an address such as https://example.org/path", id="half a bracket"),
        pytest.param("uri", "javascript:alert(1)", "an address such as https://example.org/path", id="script"),
        pytest.param(
            "repository",
            "my-repository",
            "the address of a repository, such as https://example.org/team/code or git@example.org:team/code.git",
            id="name in place of a repository",
        ),
        *[
            pytest.param(
                "repository",
                text,
                "the address of a repository, such as https://example.org/team/code or git@example.org:team/code.git",
                id=f"no repository: {text}",
            )
            for text in (
                "C:/code",
                "C:\\code",
                "c:code",
                "foo://example.org/code",
                "codecommit::us-east-1://code",
                "gh:",
                "https:/example.org",
                "HTTPS:example.org",
                "javascript:alert(1)",
                "gh:a b",
                "gh:a:b",
                "localhost:8080",
            )
        ],
    ],
)
def test_what_cannot_be_meant_is_an_error(encoding: str, text: object, expected: str) -> None:
    assert complaint(encoding, text) == Complaint(expected, "error")


@pytest.mark.parametrize(
    ("encoding", "text", "expected"),
    [
        pytest.param("uri", "example.org/corpus", "an address such as https://example.org/path", id="no scheme"),
        pytest.param(
            "repository",
            "github.com/castorini/anserini",
            "the address of a repository, such as https://example.org/team/code or git@example.org:team/code.git",
            id="repository as the paper writes it",
        ),
        pytest.param("package", "numpy", "name==version", id="library without version"),
        pytest.param("package", "numpy>=1.15", "name==version", id="library with the least version"),
        pytest.param("package", "my own tool", "name==version", id="library in words"),
    ],
)
def test_what_a_person_still_understands_is_a_warning(encoding: str, text: str, expected: str) -> None:
    assert complaint(encoding, text) == Complaint(expected, "warning")


@pytest.mark.parametrize(
    "encoding", ["version", "orcid", "mail", "uri", "repository", "doi", "package", "release", "time"]
)
@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param("1" * 1_000_000 + "!", id="digits"),
        pytest.param("a@" + "." * 1_000_000 + "@", id="dots"),
        pytest.param("https://" + "a." * 500_000 + "!", id="labels"),
        pytest.param("10.1145/" + "é" * 1_000_000, id="letters"),
    ],
)
def test_a_text_of_a_megabyte_is_refused_at_once(encoding: str, hostile: str) -> None:
    wrong = complaint(encoding, hostile)

    assert wrong is not None
    assert wrong.severity == "error"


@pytest.mark.parametrize(
    "text", ["gh:me/code.git", "github.com:org/repo.git", "work-box:~/code", "nas.local:/srv/git/code.git", "gh:code"]
)
def test_a_host_that_only_ssh_knows_has_repositories(text: str) -> None:
    assert complaint("repository", text) is None


def test_a_host_with_a_port_is_understood_as_an_address_without_scheme() -> None:
    wrong = complaint("repository", "example.org:8080/code")

    assert wrong is not None
    assert wrong.severity == "warning"


@given(encoding=st.sampled_from([*PATTERNS, "uri", "repository", "year", "time", "stage"]), text=st.text(max_size=80))
def test_no_text_whatever_ends_in_anything_but_a_complaint(encoding: str, text: str) -> None:
    found = complaint(encoding, text)

    assert found is None or (found.expected and found.severity in ("error", "warning"))


@given(digits=st.integers(min_value=0, max_value=10**15 - 1))
def test_of_all_last_digits_of_an_orcid_one_is_right(digits: int) -> None:
    text = f"{digits:015}"
    orcids = [f"{text[:4]}-{text[4:8]}-{text[8:12]}-{text[12:]}{last}" for last in "0123456789X"]

    right = [orcid for orcid in orcids if complaint("orcid", orcid) is None]

    # ISO 7064 MOD 11-2: the digits, each times its power of two, give 1 modulo 11.
    values = [10 if digit == "X" else int(digit) for digit in right[0].replace("-", "")]
    assert len(right) == 1
    assert sum(value << (15 - place) for place, value in enumerate(values)) % 11 == 1
