"""Two people searched the same collection: did the second reproduce the first, and how well?

    pip install .                                                    in a checkout of primad
    python assess_two_runs.py                                        on the data below
    python assess_two_runs.py ORIGINAL.run MINE.run QRELS [FOLDER]   on yours; FOLDER is for a report

Only what `import primad` offers is used.
"""

import sys

import primad

# Six topics; of each, the documents in the order in which they were found, and those that are relevant.
ORIGINAL = {"1": "abcde", "2": "fghij", "3": "klmno", "4": "pqrst", "5": "uvwxy", "6": "ABCDE"}
REPRODUCED = {"1": "abdce", "2": "fghij", "3": "lkmno", "4": "pqsrt", "5": "uvwxy", "6": "BACDE"}
RELEVANT = {"1": "ac", "2": "g", "3": "kn", "4": "pt", "5": "w", "6": "AB"}


def as_run(found: dict[str, str]) -> dict[str, dict[str, float]]:
    """Return rankings with scores that fall from rank to rank."""
    return {topic: {name: 10.0 - rank for rank, name in enumerate(names)} for topic, names in found.items()}


def assess(original: object, reproduction: object, qrels: object) -> primad.Assessment:
    """Return how well REPRODUCTION reproduces ORIGINAL."""
    return primad.assess(original, {"mine": reproduction}, qrels, measures=["map"])


def tell(result: primad.Assessment) -> None:
    """Print how close the two are, level by level, and what that comes to."""
    mine = result["mine"]
    for title, measure, of in (("order", "rbo_ext", ""), ("order", "tau", ""), ("scores", "rmse", "map")):
        found = mine.find(measure, of=of, run="baseline")
        if found and found.value is not None:
            print(f"{title:<8}{measure:<8}{found.value:.4f}")
    for answer in mine.answers:
        print(f"- {answer.level}: {answer.sentence}")
    for reason in result.reasons():
        print(f"- not computed: {reason}")


if __name__ == "__main__":
    if len(sys.argv) > 3:
        assessed = assess(*sys.argv[1:4])
    else:
        judged = {topic: dict.fromkeys(names, 1) for topic, names in RELEVANT.items()}
        assessed = assess(as_run(ORIGINAL), as_run(REPRODUCED), judged)
    tell(assessed)
    if len(sys.argv) > 4:
        files = primad.write_report(assessed, sys.argv[4])
        print(f"report in {sys.argv[4]}, {len(files)} files")
