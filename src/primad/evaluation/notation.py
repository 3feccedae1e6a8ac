"""Which measure is meant by a name, in trec_eval's notation or in that of ir_measures?

    map  P_10  ndcg_cut_10  ndcg_cut.10,20  utility.1,-1,0,0      trec_eval: family, parameter
    official  all_trec  set                                       trec_eval: sets of measures
    AP  P@10  nDCG@10  P(rel=2)@5  RR(judged_only=True)           ir_measures: name, settings, cutoff

A measure keeps the notation it was asked for in.  Names of ir_measures that are not ours are handed over to
that package.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from primad.errors import MeasureError, UnknownMeasure
from primad.evaluation import ir_measures_bridge
from primad.evaluation.measures import families
from primad.evaluation.parameters import Cutoffs, Pairs, Value
from primad.evaluation.registry import Measure
from primad.evaluation.rules import DEFAULT_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable


# The order in which trec_eval prints, whatever the order asked for.
TREC_EVAL_ORDER = (
    *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"),
    *("iprec_at_recall", "P", "relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg"),
    *("binG", "G", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success", "set_P"),
    *("set_relative_P", "set_recall", "set_map", "set_F", "num_nonrel_judged_ret", "rbp", "rbp_resid", "unj"),
)
NICKNAMES = {
    "all_trec": TREC_EVAL_ORDER,
    "official": TREC_EVAL_ORDER[: TREC_EVAL_ORDER.index("P") + 1],
    "set": (
        *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility"),
        *("set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
    ),
}
# What a table shows when nobody says what they want to see.
DEFAULT_MEASURES = ("map", "ndcg_cut_10", "P_10", "recip_rank", "recall_1000")

_PREFERENCES = re.compile(r"(all_)?prefs|prefs_.*|qrels_jg|.*_avgjg")
_OTHER = re.compile(r"(?P<name>\w+?)(?:\((?P<settings>[^()]*)\))?(?:@(?P<cutoff>[\d.]+))?")
_ALIASES = {
    "MAP": "AP",
    "MRR": "RR",
    "NDCG": "nDCG",
    "Precision": "P",
    "Recall": "R",
    "RPrec": "Rprec",
    "BPref": "Bpref",
}
# What is known of a measure that is handed over: nothing but that its summary is a mean.
_OTHERS = Measure(name="", title="", formula=lambda _: np.zeros(0), monotone=False, scale="")
_SEVERAL = re.compile(r"\w[, ]+\w")
_SWITCH = {"True": True, "False": False, "true": True, "false": False}


@dataclass(frozen=True)
class BoundMeasure:
    """A measure with its parameter: what a column of a table stands for.

    LABEL is how it is printed.  LEVEL and JUDGED_ONLY, if not None, take the place of the rules in force.
    A measure without FAMILY is computed by ir_measures.
    """

    label: str
    family: str = ""
    value: Value = None
    level: int | None = None
    judged_only: bool | None = None

    @property
    def facts(self) -> Measure:
        """Return what is known of the measure."""
        return families.get(self.family, _OTHERS)

    @property
    def follows_relevance(self) -> bool:
        """Tell whether documents in the order of their relevance give the best score, in the reverse the worst."""
        pairs: Any = self.value if isinstance(self.facts.parameter, Pairs) else ()
        return self.facts.monotone and not any(name.isdecimal() for name, _ in pairs)


def parse_measures(names: Iterable[str], compat: int) -> list[BoundMeasure]:
    """Return the measures meant by NAMES, each once."""
    names = list(names)
    # As in trec_eval, parameters behind a dot take the place of the defaults: all_trec with P.7 has no P_5.
    given = {name.partition(".")[0] for name in names if "." in name}
    measures: dict[str, BoundMeasure] = {}
    for name in names:
        for measure in parse_measure(name, compat):
            if name not in NICKNAMES or measure.family not in given:
                measures.setdefault(measure.label, measure)
    return list(measures.values())


def parse_measure(name: str, compat: int = DEFAULT_VERSION) -> list[BoundMeasure]:
    """Return the measures meant by NAME: several for a set of measures, or a family with a list of cutoffs.

    >>> [measure.label for measure in parse_measure("P.10,5")]
    ['P_5', 'P_10']
    >>> parse_measure("AP(rel=2)@100")
    [BoundMeasure(label='AP(rel=2)@100', family='map_cut', value=100, level=2, judged_only=None)]
    """
    if name in NICKNAMES:
        chosen = [family for family in NICKNAMES[name] if families[family].since <= compat]
        return [measure for family in chosen for measure in _bind(family, None, name)]
    if _PREFERENCES.fullmatch(name):
        raise MeasureError(name, "it needs preferences or several judgments per document, which qrels do not hold")
    ir_measures_bridge.refuse_subtopics(name, name.partition("@")[0].partition("(")[0])
    split = _split(name)
    if split is not None:
        return _bind(*split, name)
    return [_parse_other(name)]


def _split(name: str) -> tuple[str, str | None] | None:
    """Return family and parameter of NAME in trec_eval's notation, None if it is not in it."""
    if name in families:
        return name, None
    family, dot, parameter = name.partition(".")
    if dot and family in families:
        return family, parameter
    prefixes = [family for family in families if name.startswith(f"{family}_")]
    if not prefixes:
        return None
    family = max(prefixes, key=len)
    return family, name.removeprefix(f"{family}_")


def _bind(family: str, parameter: str | None, name: str) -> list[BoundMeasure]:
    """Return the measures of FAMILY with PARAMETER as written."""
    kind = families[family].parameter
    try:
        choices = kind.default() if parameter is None else kind.parse(parameter)
    except ValueError as error:
        cut = f"{family}_cut"
        meant = f"; did you mean '{cut}_{parameter}'?" if cut in families and str(parameter).isdecimal() else ""
        raise MeasureError(name, f"{error}{meant}") from None
    return [BoundMeasure(family + suffix, family, value) for suffix, value in choices]


def _parse_other(name: str) -> BoundMeasure:
    """Return the measure meant by NAME in the notation of ir_measures."""
    match = _OTHER.fullmatch(name)
    if not match and _SEVERAL.search(name):
        raise MeasureError(name, "expected one measure at a time, as in: -m map -m P_10")
    ours = _ours(name, match) if match else None
    if ours is not None:
        return ours
    known = ir_measures_bridge.names()
    if match and match["name"] in known:
        return BoundMeasure(ir_measures_bridge.check(name))
    respelt = _respelt(match, known) if match else []
    raise UnknownMeasure(name, [*respelt, *examples(), *NICKNAMES, *known])


def _respelt(match: re.Match[str], known: Iterable[str]) -> list[str]:
    """Return what MATCH names, in upper and lower case as measures are, with its own cutoff; none if none is so."""
    names = {one.casefold(): one for one in (*known, *(other.rstrip("@") for other in _by_other_name()))}
    name = names.get(match["name"].casefold(), match["name"])
    whole = name + match[0].removeprefix(match["name"])
    if whole == match[0]:
        return []
    try:
        _parse_other(whole)
    except (MeasureError, UnknownMeasure):
        return []
    return [whole]


def _ours(label: str, match: re.Match[str]) -> BoundMeasure | None:
    """Return our measure of that name and settings, None if we have none."""
    name, cutoff = _ALIASES.get(match["name"], match["name"]), match["cutoff"]
    try:
        settings = dict(_setting(item) for item in (match["settings"] or "").split(",") if item.strip())
    except ValueError:
        return None
    if "cutoff" in settings and cutoff is None:
        cutoff = str(settings.pop("cutoff"))
    if name == "SetP" and settings.pop("relative", False):
        name = "SetRelP"
    if name == "NumRet" and "rel" in settings:
        name = "NumRelRet"
    family = _by_other_name().get(f"{name}@" if cutoff is not None else name)
    if settings.get("rel", 0) < 0:
        raise MeasureError(label, f"expected a relevance level from 0 on, found {settings['rel']}")
    if cutoff is not None and isinstance(families[family or "P"].parameter, Cutoffs) and not cutoff.isdecimal():
        raise MeasureError(label, f"expected a whole number behind '@', found {cutoff}")
    parameter = cutoff
    if family == "set_F" and "beta" in settings:
        parameter = str(settings.pop("beta"))
    if settings.pop("dcg", "log2") != "log2" or family is None or settings.keys() - {"rel", "judged_only"}:
        return None
    (measure,) = _bind(family, parameter, label)
    return BoundMeasure(label, family, measure.value, settings.get("rel"), settings.get("judged_only"))


def _setting(item: str) -> tuple[str, Any]:
    """Return name and value of a setting such as ``rel=2``; raise ValueError if it is none."""
    name, separator, text = (part.strip() for part in item.partition("="))
    if not separator:
        raise ValueError(item)
    if name in ("rel", "cutoff"):
        return name, int(text)
    if name == "beta":
        return name, float(text)
    if name in ("judged_only", "relative"):
        return name, _switch(text)
    return name, text.strip("'\"")


def _switch(text: str) -> bool:
    if text not in _SWITCH:
        raise ValueError(text)
    return _SWITCH[text]


def _by_other_name() -> dict[str, str]:
    """Return our families by their names in ir_measures."""
    return {family.ir_measures: name for name, family in families.items() if family.ir_measures}


def examples() -> list[str]:
    """Return a full name of every measure, for suggestions."""
    labels = [family + suffix for family in families for suffix, _ in families[family].parameter.default()]
    return [*families, *labels, *(name.replace("@", "@10") for name in _by_other_name())]
