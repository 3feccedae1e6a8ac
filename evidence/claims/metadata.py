"""Do runs say where they come from, truly, and can they be made again?"""

from __future__ import annotations

from evidence.claim import Quote, shown_by

CLAIMS = (
    shown_by(
        "rankings-untouched",
        "Annotating a run leaves the bytes of its ranking as they are.",
        "tests/metadata/test_annotation.py",
        "src/primad/metadata src/primad/trec/files.py",
        Quote("README.md", "without touching the ranking"),
    ),
    shown_by(
        "annotated-in-five-minutes",
        "The commands of the page about annotating leave the same ranking, byte for byte, and nothing "
        "essential missing.",
        "tests/docs_tasks/test_annotate_in_five_minutes.py",
        "docs/tasks/annotate.md src/primad/metadata src/primad/cli",
        Quote(
            "docs/tasks/annotate.md",
            "a check that finds nothing essential missing, and the same ranking as before, byte for byte",
        ),
    ),
    shown_by(
        "no-secrets",
        "Secrets are taken out of what is written.",
        "tests/metadata/test_secrets.py",
        "src/primad/metadata/secrets.py",
        Quote("README.md", "without secrets"),
    ),
    shown_by(
        "child-processes",
        "A recorded command is measured with all its child processes.",
        "tests/metadata/recording/test_command.py",
        "src/primad/metadata/recording",
        Quote("README.md", "measures it with all its child processes"),
    ),
    shown_by(
        "methods-read",
        "The method is read from objects of scikit-learn, bm25s and PyTerrier, and from commands of Pyserini "
        "and Anserini.",
        "tests/metadata/capture/methods",
        "src/primad/metadata/capture",
        Quote(
            "README.md",
            "The method is read from the objects used (scikit-learn, bm25s, PyTerrier) or from the command "
            "(Pyserini, Anserini).",
        ),
    ),
    shown_by(
        "metadata-checked",
        "Problems of runs and their metadata are named with their line and what to do, against what a task demands.",
        "tests/metadata/checking tests/metadata/test_profile.py",
        "src/primad/metadata",
        Quote("README.md", "every problem with its line and what to do, against what a task demands"),
    ),
    shown_by(
        "headers-of-others",
        "repro_eval reads headers of primad, and primad those of repro_eval.",
        "tests/agreement/test_repro_eval_handler.py",
        "src/primad/metadata",
        Quote(
            "README.md",
            "It reads the headers of ir_metadata 0.1, tirex-tracker and repro_eval, and repro_eval reads ours",
        ),
    ),
    shown_by(
        "letters",
        "What changed between two runs is named in six letters, as the literature has it.",
        "tests/reproducibility/comparison",
        "src/primad/reproducibility/comparison",
        Quote("README.md", "names what changed in six letters"),
    ),
    shown_by(
        "re-created",
        "An annotated run is made again from what it says of itself, byte for byte, in a sandbox without a network.",
        "tests/rerun/test_recreating.py tests/rerun/test_lacking.py",
        "src/primad/rerun src/primad/replay",
        Quote("README.md", "clones the stated commit, runs the stated command in a sandbox, and judges what came out"),
    ),
    shown_by(
        "demonstrations-twice",
        "The runs of a study that is carried out twice are byte for byte the same, and of the type primad.",
        "tests/experiments/ccrf/test_study_twice.py",
        "src/primad/experiments src/primad/evaluation src/primad/metadata",
        Quote(
            "docs/guides/demonstration.md",
            "On one machine, the runs of two demonstrations with the same seed are byte for byte the same below "
            "their headers, and "
            "`primad compare` gives the type `primad` for each two of the same tag",
        ),
        is_long=True,
    ),
)
