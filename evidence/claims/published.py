"""Do figures that others printed come out?"""

from __future__ import annotations

from evidence.claim import Claim, Quote, shown_by
from evidence.reading import matched

_TABLES = "tests/qra/test_published_tables.py"

CLAIMS = (
    Claim(
        "acl2022-tables",
        "The numbers that Belz, Popović and Mille printed (ACL 2022) come out to the last digit, but for a group whose "
        "value was rounded in print.",
        f".venv/bin/pytest -q {_TABLES} && .venv/bin/python -m evidence.figures published",
        (_TABLES, "src/primad/qra", "evidence/figures.py"),
        (Quote("README.md", "it reproduces the published figures"),),
        matched(r"^(?P<right>\d+) of (?P<all>\d+) printed numbers"),
        "{right:.0f} of {all:.0f}",
    ),
    shown_by(
        "sigir2020-table2",
        "Table 2 of Breuer et al. (SIGIR 2020) comes out, and where it does not the reason is known.",
        "tests/agreement/test_table2.py",
        "src/primad/reproducibility src/primad/evaluation",
    ),
    shown_by(
        "table2-page",
        "What docs/table2.md prints beside the paper is what primad computes.",
        "tests/claims/test_table2_page.py",
        "docs/table2.md src/primad/reproducibility src/primad/evaluation src/primad/reports",
        Quote(
            "docs/table2.md",
            "with 50 topics a difference of 0.0300 in the baseline's mean would be needed to be seen four times "
            "out of five",
        ),
        Quote("docs/table2.md", "the 95 % interval of ER runs from 0.7127 to 1.3857"),
    ),
    shown_by(
        "clef-ehealth-2016",
        "The tables of the CLEF eHealth 2016 replication track come out as its paper printed them.",
        "tests/track/test_clef_ehealth_2016.py",
        "src/primad/track src/primad/reports",
        Quote("README.md", "its tables are those of the paper, and the paper's own figures are an example"),
        Quote(
            "docs/guides/bundles.md",
            "the weakest answers were to Q1 (is it easy to understand which prerequisites there are?) and Q6 (is there "
            "enough information to tell whether it runs as expected?), at 33 % each",
        ),
    ),
    shown_by(
        "osirrc-reruns",
        "The reruns of ten systems of OSIRRC 2019 are judged as their files are.",
        "tests/agreement/test_osirrc_reruns.py",
        "src/primad/reproducibility src/primad/metadata",
        is_long=True,
    ),
)
