"""The runs of the ir_metadata paper (doi:10.1145/3477495.3531738), as records.

From the paper: who (GC, YXL, BFFMSSS, BPS), the target and source collections (section 5, Table 1), where they
published, that GC rank all documents by a classifier on tf-idf features, that YXL put a first stage of BM25 before
it, rerank its first 10,000 documents and interpolate by weights from 0.1 on (section 6.1), Anserini 0.3.0 at commit
9548cd6b with Java 8 and Lucene 7.6 (section 5), that BFFMSSS follow GC as closely as they can, that GC trained on
result pages of search engines in 2018 and BPS reproduce that (section 6.3). That these are the types priMad, PRIMAd
and PRIMAD is section 6.

Made up, so that every component is stated: the platforms of GC, BFFMSSS and BPS, and the addresses of their code; the
distribution that YXL ran; the measures that each reports; the addresses of what GC and BPS published; and the name of
the features of BFFMSSS, which is all that sets their method apart from that of GC.
"""

from __future__ import annotations

from typing import Any

from primad.metadata.reading import from_tree
from primad.metadata.record import Record

COLLECTIONS = {
    "Core17": ("The New York Times Annotated Corpus", "nyt/trec-core-2017"),
    "Core18": ("TREC Washington Post Corpus v2", "wapo/v2/trec-core-2018"),
    "Robust04": ("TREC disks 4 and 5", "disks45/nocr/trec-robust-2004"),
    "Robust05": ("AQUAINT", "aquaint/trec-robust-2005"),
}
CLASSIFIER = {"name": "lr", "features": "tf-idf"}


def data(target: str, sources: list[str]) -> dict[str, Any]:
    """Return the data of a run on TARGET that learns from SOURCES."""
    name, identifier = COLLECTIONS[target]
    return {
        "test collection": {"name": name, "ir_datasets": identifier},
        "training data": [{"name": source} for source in sources],
    }


def gc(target: str = "Core17", sources: tuple[str, ...] = ("Robust04",)) -> Record:
    """Return a run of Grossman and Cormack at TREC."""
    year = 2017 if target == "Core17" else 2018
    return from_tree(
        {
            "tag": "WCrobust04",
            "platform": {
                "operating system": {"distribution": "Debian 9"},
                "software": {"libraries": ["sofia-ml==1.0"]},
            },
            "research goal": {
                "venue": {"name": "TREC", "year": year},
                "publication": {"url": f"https://trec.nist.gov/pubs/{year}/MRG_UWaterloo.pdf"},
                "evaluation": {"reported measures": ["map", "P_10", "ndcg"]},
            },
            "implementation": {"source": {"repository": "https://example.org/waterloo/ccrf", "lang": ["c++"]}},
            "method": {"automatic": True, "retrieval": [CLASSIFIER]},
            "actor": {"name": "Maura R. Grossman", "team": "MRG_UWaterloo", "role": "experimenter"},
            "data": data(target, list(sources)),
        }
    )


def yxl(target: str = "Core17", weight: float = 0.6, sources: tuple[str, ...] = ("Robust04",)) -> Record:
    """Return a run of Yu, Xie and Lin with Anserini."""
    return from_tree(
        {
            "tag": f"anserini-bm25-lr-{weight}",
            "platform": {
                "operating system": {"distribution": "Ubuntu 20.04.3 LTS"},
                "software": {
                    "runtime": ["java==8"],
                    "libraries": {"java": ["lucene==7.6"]},
                    "retrieval toolkit": ["anserini==0.3.0"],
                },
            },
            "research goal": {
                "venue": {"name": "ECIR", "year": 2019},
                "publication": {"doi": "https://doi.org/10.1007/978-3-030-15712-8_26"},
                "evaluation": {"reported measures": ["map", "P_10"], "baseline": ["WCrobust04"]},
            },
            "implementation": {
                "executable": {"cmd": f"python src/main/python/ecir2019_ccrf/generate_runs.py --weight {weight}"},
                "source": {
                    "repository": "https://github.com/castorini/anserini",
                    "commit": "9548cd6b",
                    "lang": ["java", "python"],
                },
            },
            "method": {
                "automatic": True,
                "retrieval": [
                    {"name": "bm25", "b": 0.4, "k1": 0.9, "depth": 10_000},
                    {"name": "lr", "reranks": "bm25"},
                    {"name": "interpolation", "weight": weight, "interpolates": ["lr", "bm25"]},
                ],
            },
            "actor": {"name": "Jimmy Lin", "team": "h2oloo", "role": "reproducer"},
            "data": data(target, list(sources)),
        }
    )


def bffmsss() -> Record:
    """Return a run of Breuer et al., SIGIR 2020, who follow GC as closely as they can."""
    return from_tree(
        {
            "tag": "irc-wcrobust04",
            "platform": {
                "operating system": {"distribution": "Ubuntu 18.04"},
                "software": {"libraries": {"python": ["scikit-learn==0.20.1"]}},
            },
            "research goal": {
                "venue": {"name": "SIGIR", "year": 2020},
                "publication": {"doi": "https://doi.org/10.1145/3397271.3401036"},
                "evaluation": {"reported measures": ["map", "P_10", "ndcg"], "baseline": ["WCrobust04"]},
            },
            "implementation": {"source": {"repository": "https://example.org/irc/ccrf", "lang": ["python"]}},
            "method": {"automatic": True, "retrieval": [{**CLASSIFIER, "features": "tf-idf of scikit-learn"}]},
            "actor": {"name": "Timo Breuer", "team": "IRC", "role": "reproducer"},
            "data": data("Core17", ["Robust04"]),
        }
    )


def bps(target: str) -> Record:
    """Return a run of Breuer, Pest and Schaer, who reproduce GC of 2018: training on pages of a search engine."""
    return from_tree(
        {
            "tag": f"bps-{target}",
            "platform": {
                "operating system": {"distribution": "Ubuntu 20.04"},
                "software": {"libraries": {"python": ["scikit-learn==0.24.0"]}},
            },
            "research goal": {
                "venue": {"name": "CLEF", "year": 2021},
                "publication": {"doi": "https://doi.org/10.1007/978-3-030-85251-1_2"},
                "evaluation": {"reported measures": ["map", "P_10"], "baseline": ["WCrobust04"]},
            },
            "implementation": {"source": {"repository": "https://example.org/irc/web-search", "lang": ["python"]}},
            "method": {
                "automatic": True,
                "retrieval": [{"name": "web search"}, {**CLASSIFIER, "reranks": "web search"}],
            },
            "actor": {"name": "Timo Breuer", "team": "IRC", "role": "reproducer"},
            "data": data(target, ["another search engine"]),
        }
    )
