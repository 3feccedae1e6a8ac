"""Do other tools take what is exported, and does it come back?"""

from __future__ import annotations

from evidence.claim import Quote, shown_by

CLAIMS = (
    shown_by(
        "crates-come-back",
        "What was packed as a research object comes back byte for byte.",
        "tests/exchange/test_research_crate_round_trip.py",
        "src/primad/exchange",
        Quote("docs/tasks/exchange.md", "What primad has packed comes back byte for byte"),
    ),
    shown_by(
        "crates-are-valid",
        "A validator by others finds all in a research object that its profile requires.",
        "tests/exchange/test_research_crate_validator.py",
        "src/primad/exchange tests/peers",
        Quote("README.md", "makes a research object that a data archive takes"),
        is_long=True,
    ),
    shown_by(
        "formats-out",
        "Tools by others read what is written: schema.org, DataCite, CITATION.cff, BibTeX, PROV, "
        "nanopublications, CWL.",
        "tests/exchange/test_schema_org.py tests/exchange/test_datacite.py tests/exchange/test_citation_file.py "
        "tests/exchange/test_bibtex.py tests/exchange/test_provenance.py tests/exchange/test_nanopublication.py "
        "tests/exchange/test_cwl.py tests/exchange/test_datasheet.py",
        "src/primad/exchange tests/peers",
        Quote(
            "README.md",
            "other formats are schema.org, DataCite, CITATION.cff, BibTeX, W3C PROV, nanopublications, CWL, "
            "datasheets, TIRA and "
            "QRA3",
        ),
        is_long=True,
    ),
    shown_by(
        "formats-in",
        "Folders of TIRA, tirex-tracker, MLflow and Sacred, QRA3 and HEDS are taken over.",
        "tests/exchange/test_tira.py tests/exchange/test_tirex_tracker.py tests/exchange/test_mlflow_runs.py "
        "tests/exchange/test_sacred_runs.py tests/exchange/test_qra3.py tests/exchange/test_heds.py",
        "src/primad/exchange tests/peers",
        Quote(
            "README.md",
            "takes over research objects, TIRA's folders, tirex-tracker's metadata, runs of MLflow and Sacred, "
            "QRA3 and HEDS",
        ),
    ),
    shown_by(
        "losses-listed",
        "What a format cannot carry is listed.",
        "tests/exchange/test_lost.py",
        "src/primad/exchange",
        Quote("README.md", "What a format cannot carry is listed"),
    ),
)
