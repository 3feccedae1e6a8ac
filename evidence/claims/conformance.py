"""Do others find the same values?  trec_eval, pytrec_eval, repro_eval, and scores that a workshop published."""

from __future__ import annotations

from evidence.claim import Quote, shown_by
from evidence.reading import passed

_EVALUATING = "src/primad/trec src/primad/evaluation"
_OUTPUTS = "tests/agreement/test_trec_eval_outputs.py"
_PYTREC = "tests/agreement/test_pytrec_eval.py"
_VECTORS = "tests/agreement/test_repro_eval_vectors.py"

CLAIMS = (
    shown_by(
        "trec-eval-10-byte-for-byte",
        "The expected outputs in the tests of trec_eval 10 are printed byte for byte.",
        _OUTPUTS,
        f"{_EVALUATING} src/primad/cli",
        Quote("README.md", "every measure of trec_eval's `all_trec`, byte for byte as trec_eval 9 or 10 prints them"),
        Quote(
            "docs/guides/evaluation.md",
            "with `--compat 10` the expected outputs in the tests of trec_eval 10 come out byte for byte",
        ),
        Quote("docs/comparison.md", "byte for byte the expected outputs of trec_eval 10, [[c23]](#claims)"),
        read=passed(_OUTPUTS),
        figure="{passed} outputs",
    ),
    shown_by(
        "trec-eval-9-on-random-data",
        "Every measure agrees with trec_eval 9, as pytrec_eval runs it, on random data to nine digits.",
        _PYTREC,
        _EVALUATING,
        Quote(
            "docs/guides/evaluation.md",
            "without it every measure agrees with pytrec_eval, which is trec_eval 9, on random data to nine digits",
        ),
        Quote("README.md", "byte for byte as trec_eval 9 or 10 prints them"),
    ),
    shown_by(
        "official-scores",
        "The official scores that OSIRRC 2019 published beside its 20 Core17 runs are found to four decimals.",
        "tests/agreement/test_official_scores.py",
        _EVALUATING,
    ),
    shown_by(
        "repro-eval-values",
        "Each value that repro_eval computes is found, unless a defect of it is listed.",
        _VECTORS,
        f"{_EVALUATING} src/primad/reproducibility",
        Quote("docs/comparison.md", "It finds the same values where both define one, [[c3]](#claims)"),
    ),
    shown_by(
        "ir-measures-values",
        "A measure of ir_measures has its scores.",
        "tests/agreement/test_ir_measures.py",
        _EVALUATING,
        Quote("README.md", "and those of ir_measures besides"),
    ),
    shown_by(
        "what-exists",
        "The test collection decides which measures exist, and each one that does not has its reason.",
        "tests/claims/test_which_number.py tests/reproducibility/assessment/test_levels.py",
        "src/primad/reproducibility docs/which-number.md",
        Quote("README.md", "The test collection decides which measures exist; each one that does not has its reason."),
    ),
    shown_by(
        "processes-by-size",
        "Runs are evaluated by one process, or by one for each processor if the files have 100 MB together.",
        "tests/test_compute.py",
        "src/primad/compute src/primad/cli/evaluate.py",
        Quote("docs/guides/evaluation.md", "by default one, or one per processor if the files have 100 MB together"),
    ),
)
