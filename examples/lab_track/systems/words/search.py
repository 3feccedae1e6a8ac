"""Rank documents by how many of their words are words of the topic."""

import sys
from pathlib import Path

source, target = map(Path, sys.argv[1:])


def table(name: str) -> dict[str, str]:
    """Return the second column of a table by the first."""
    lines = (source / name).read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


documents, topics = table("documents.tsv"), table("topics.tsv")
with (target / "words.run").open("w", encoding="utf-8") as run:
    for topic, query in topics.items():
        print(f"topic {topic} of {len(topics)}", flush=True)
        wanted = query.split()
        scores = {name: sum(word in wanted for word in text.split()) for name, text in documents.items()}
        found = sorted((name for name in scores if scores[name]), key=lambda name: (-scores[name], name))
        for rank, name in enumerate(found, start=1):
            print(topic, "Q0", name, rank, scores[name], "words", file=run)
