"""Measures by name, runs against qrels, and outputs of systems against a gold standard."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from primad.evaluation import Rules, evaluate
from primad.evaluation.notation import parse_measure
from primad.evaluation.scorers import SCORERS, Scorer, scorer
from primad.evaluation.scorers.command import _additive, _understood
from primad.evaluation.scorers.scored import Expecting
from primad.reproducibility.registry import get_measure
from primad.trec import read_qrels, read_run
from tests.fuzz.mutating import mutated
from tests.fuzz.target import in_bytes, packed, target, unpacked
from tests.fuzz.targets.trec import QRELS, RUN, make_qrels, make_run
from tests.fuzz.trees import as_json, changed, odd

NAMES = (
    "map", "P_10", "ndcg_cut_10", "P.5,10", "AP(rel=2)@100", "RBP(p=0.8)", "ERR@20", "iprec_at_recall_0.10", "nDCG@10",
    "ndcg.1=3,2=5", "gm_map", "infAP", "set_F.0.5", "utility.1,-1,0,0", "relstring_10", "success.1,5", "all_trec",
    "official", "INST(T=3)", "alpha_nDCG@10", "RPrec(judged_only=True)", "Judged@10", "er", "deltaRI", "rbo", "ktu",
    "rmse", "p_value", "NumQ", "SetF(beta=2)", "BPM(T=2,max_rel=3)", "11pt_avg", "unj_10", "recall_1000", "G_0.5",
)  # fmt: skip
GOLD = {
    "coding": b"1\ta\n1\tb\n2\tc\n",
    "spans": b"T1\tDISO 0 10\tinsuf\nN1\tReference T1 UMLS:C0001\tx\n"
    b"T2\tDISO 12 20;25 30\taigue\n#1\tAnnotatorNotes T2\tC2 C3\n",
    "numbers": b"a\t1\nb\t2\nc\t3\n",
    "trec": QRELS,
}
OUTPUTS = {
    "coding": (
        b"1\ta\n2\tc\n",
        b"1\ta|b\n2\t\n",
        b"document,code,rank\n1,a,1\n1,b,2\n2,c,1\n",
        b'1;"a";0.5\n2;c;0.1\n',
    ),
    "spans": (
        GOLD["spans"],
        b"T1\tDISO 0 9\tx\nT2\tCHEM 40 50\ty\n",
        b"d1\t0 10;12 20\tDISO\tc0001\nd1\t5 9\tCHEM\tb\n",
        b"d1\tDISO\tc1\ttext\t0 10\n",
    ),
    "numbers": (b"a\t2\nb\t2\nc\t5\n", b"item,value\na,2\nb,1e3\nc,-5.5\n", b"a\t1\nb\t2\n"),
    "trec": (RUN,),
}
SETTINGS: dict[str, dict[str, Any]] = {
    "coding": {
        "measures": ["f1", "map"],
        "primary": "f1",
        "case": True,
        "format": "found",
        "header": "none",
        "ranked": 1,
    },
    "spans": {"format": "found", "types": False, "case": "yes", "tolerance": 5, "primary": "exact_f1"},
    "numbers": {"missing": "skip", "measures": "pearson, mae", "limit": 0.5},
    "trec": {"complete": True, "level": 2, "depth": 10, "compat": "9", "measures": ["map", "P_5"], "primary": "map"},
}
PRINTED = (b'{"measures": {"f1": 0.5}, "items": {"a": {"f1": 0.5}, "b": {"f1": 0.5}}}', b"f1\t0.5\nrecall\t1\n")


def make_name(chance: Random) -> bytes:
    """Return what is nearly the name of a measure."""
    others = [name.encode() for name in NAMES]
    return mutated(chance.choice(others), chance, others)


def make_scored(name: str, chance: Random) -> bytes:
    """Return a gold standard, two outputs and settings for the scorer NAME, of which at least one is damaged."""
    gold, known = GOLD[name], OUTPUTS[name]
    files = [gold, chance.choice(known), chance.choice(known)]
    damaged = chance.randrange(3)
    files[damaged] = mutated(files[damaged], chance, (gold, *known))
    settings = {key: value for key, value in SETTINGS[name].items() if chance.random() < 0.2}
    if chance.random() < 0.2:
        settings = changed(SETTINGS[name], chance)
    ends = (".ann", ".tsv", "", ".run", ".gz")
    names = [f"d1{chance.choice(ends[:2] if name == 'spans' else ends)}" for _ in files]
    return packed(
        {
            "files": [[one, data.decode("latin-1")] for one, data in zip(names, files, strict=True)],
            "settings": json.dumps(settings),
        }
    )


@target("measure-name", make_name, weight=80)
def take_name(data: bytes, _place: Path) -> Any:
    """Find the measures that a name means, of runs or of reproductions."""
    name = data.decode("utf-8", "surrogateescape")
    if len(data) % 2:
        return get_measure(name).name
    return [(one.label, one.follows_relevance) for one in parse_measure(name, 9 + len(data) % 4 // 2)]


@target(
    "evaluate",
    lambda chance: packed({"qrels": make_qrels(chance), "run": make_run(chance)}),
    weight=5,
)
def take_evaluated(data: bytes, _place: Path) -> Any:
    """Score a run against qrels, both damaged."""
    given = unpacked(data)
    qrels, run = _readable(given["qrels"], read_qrels, QRELS), _readable(given["run"], read_run, RUN)
    rules = Rules(level=1 + len(data) % 2, complete=len(data) % 3 == 0, compat=9 + len(data) % 2)
    evaluated = evaluate(qrels, {"x": run}, ["all_trec", "nDCG@10", "rbp.p=0.8"], rules=rules)
    return [(one.summary, one.topics) for one in evaluated.runs]


def _readable(text: str, read: Any, instead: bytes) -> Any:
    """Return what TEXT says, or INSTEAD where it cannot be read: the next step is what is looked at."""
    from primad.errors import PrimadError

    try:
        return read(in_bytes(text))
    except PrimadError:
        return read(instead)


@target("evaluate-measure", make_name, weight=10, programs=("perl",))  # which ir_measures computes ERR with
def take_measured(data: bytes, _place: Path) -> Any:
    """Score a run by a measure of that name."""
    evaluated = evaluate(read_qrels(QRELS), {"x": read_run(RUN)}, [data.decode("utf-8", "surrogateescape")])
    return [one.summary for one in evaluated.runs]


def _score(name: str, data: bytes) -> Any:
    """Score two outputs with the scorer NAME, and compare them."""
    given = unpacked(data)
    settings = json.loads(given["settings"])
    judge: Scorer = scorer(name, settings if isinstance(settings, dict) else {"primary": settings})
    gold, first, second = ({one: in_bytes(text)} for one, text in given["files"])
    scored = judge.score(gold, first)
    beside = judge.score_beside(gold, first, second) if isinstance(judge, Expecting) else None
    sums = [one.value for one in scored.additive.values()]
    return scored.measures, sums, beside and beside.measures, judge.compare(first, second)


def _register(name: str) -> None:
    """Register the target of the scorer NAME."""
    target(f"scorer-{name}", lambda chance: make_scored(name, chance), weight=10 if name == "trec" else 40)(
        lambda data, _place: _score(name, data)
    )


for _name in GOLD:
    _register(_name)
assert {*GOLD, "command"} == {*SCORERS}, "a scorer is not fuzzed"


def make_printed(chance: Random) -> bytes:
    """Return what a scorer of one's own may print."""
    if chance.random() < 0.5:
        return mutated(chance.choice(PRINTED), chance, PRINTED)
    return as_json(changed(json.loads(PRINTED[0]), chance), chance)


@target("scorer-command", make_printed, weight=40)
def take_printed(data: bytes, _place: Path) -> Any:
    """Understand what a scorer of one's own has printed."""
    measures, items = _understood(data, "ours")
    return measures, items, _additive({"f1": 0.5} | measures, items, "f1")[1]


@target(
    "scorer-settings",
    lambda chance: as_json(
        [
            chance.choice(sorted(SCORERS)),
            {
                chance.choice(
                    (
                        "measures",
                        "primary",
                        "limit",
                        "command",
                        "seconds",
                        "format",
                        "tolerance",
                        "level",
                        "valid_codes",
                        "valid_codes_in",
                        "document",
                    )
                ): odd(chance)
            },
        ],
        chance,
    ),
    weight=20,
)
def take_scorer(data: bytes, _place: Path) -> Any:
    """Make a scorer with odd settings."""
    name, settings = json.loads(data)
    return scorer(name, settings).limit
