"""Does everybody see and do what they may, and nothing else?"""

from __future__ import annotations

from evidence.claim import Claim, Quote, shown_by
from evidence.reading import matched

_WEB = ("src/primad/web", "src/primad/accounts", "src/primad/track", "src/primad/archive", "tests/web/expected")
_README = Quote("README.md", "everybody sees only what they may")

CLAIMS = (
    Claim(
        "pages-by-role",
        "Every address of a site answers every role and every method as its row says, and every change is in the log.",
        ".venv/bin/pytest -q tests/web/test_matrix.py && .venv/bin/python -m evidence.figures pages",
        ("tests/web/test_matrix.py", "evidence/figures.py", *_WEB),
        (
            _README,
            Quote("docs/guides/server.md", "every change is in the log with who made it, by which token, and when"),
        ),
        matched(r"^(?P<addresses>\d+) addresses, (?P<roles>\d+) roles, (?P<methods>\d+) methods"),
        "{addresses:.0f} addresses x {roles:.0f} roles x {methods:.0f} methods",
        is_long=True,
    ),
    Claim(
        "api-by-role",
        "Every question of the API answers every role as its row says.",
        ".venv/bin/pytest -q tests/web/test_api_matrix.py && .venv/bin/python -m evidence.figures questions",
        ("tests/web/test_api_matrix.py", "evidence/figures.py", *_WEB),
        (_README, Quote("README.md", "The same as a REST API")),
        matched(r"^(?P<addresses>\d+) addresses, (?P<answers>\d+) answers to (?P<roles>\d+) roles"),
        "{addresses:.0f} addresses, {answers:,.0f} answers to {roles:.0f} roles",
        is_long=True,
    ),
    shown_by(
        "scopes-of-tokens",
        "A token needs the scope that the reference names.",
        "tests/web/test_api_scopes.py",
        "src/primad/web src/primad/accounts docs/reference/rest.md",
    ),
    shown_by(
        "rights-in-archives",
        "Everybody may do in an archive what the table of rights says, and nothing else, past the site too.",
        "tests/archive/test_rights.py",
        "src/primad/archive src/primad/store",
    ),
    shown_by(
        "rights-in-tracks",
        "Everybody may do in a track what the table of rights says, and a hidden gold standard stays hidden.",
        "tests/track/test_rights.py tests/track/test_sight.py tests/track/test_hidden_gold.py",
        "src/primad/track src/primad/store",
    ),
    shown_by(
        "a-site-tells-browsers",
        "Pages run no foreign scripts, take no foreign forms, and are made for no foreign host.",
        "tests/web/test_safety.py",
        "src/primad/web",
        Quote("docs/guides/server.md", "every page forbids browsers to run or load what is not the site's own"),
    ),
)
