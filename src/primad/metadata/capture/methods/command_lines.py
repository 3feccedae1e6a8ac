"""Which method does a command of Pyserini or Anserini carry out?

    read_command    the stages of the method and the toolkit, as fields of a record, and what could not be told
    CommandMethod   both

The command is read, not run, and neither Java nor a toolkit is needed.  What the command leaves to a default is
recorded only where the version is known, and the defaults of that version with it.  They were read in the files of
Pyserini 0.17.0 to 0.25.0 (all but 0.19.1), 0.44.0, 1.6.0 and 2.4.0 and of Anserini 0.14.4, 0.22.1, 0.25.0, 0.39.0,
1.7.1 and 2.3.0, which agree, so they are taken for the releases between these as well.  Parameters have the
names of Anserini's options, which does the work for both.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from primad.metadata.capture.packages import is_python
from primad.metadata.secrets import redact_tree

if TYPE_CHECKING:
    from primad.metadata.record import Tree


class _Part(NamedTuple):
    """A model or a kind of feedback: the class that implements it, and its parameters with their defaults."""

    method: str
    defaults: Mapping[str, Any]


_SIMILARITIES = "org.apache.lucene.search.similarities"
_MODELS = {
    "bm25": _Part(f"{_SIMILARITIES}.BM25Similarity", {"k1": 0.9, "b": 0.4}),
    "qld": _Part(f"{_SIMILARITIES}.LMDirichletSimilarity", {"mu": 1000}),
    "qljm": _Part(f"{_SIMILARITIES}.LMJelinekMercerSimilarity", {"lambda": 0.1}),
    "inl2": _Part(f"{_SIMILARITIES}.DFRSimilarity", {"c": 0.1}),
    "spl": _Part(f"{_SIMILARITIES}.IBSimilarity", {"c": 0.1}),
    "f2exp": _Part(f"{_SIMILARITIES}.AxiomaticF2EXP", {"s": 0.5}),
    "f2log": _Part(f"{_SIMILARITIES}.AxiomaticF2LOG", {"s": 0.5}),
    "impact": _Part("io.anserini.search.similarity.ImpactSimilarity", {}),
}
_ACCURATE = "io.anserini.search.similarity.AccurateBM25Similarity"
_RERANKERS = "io.anserini.rerank.lib"
_ROCCHIO = {"topFbTerms": 10, "topFbDocs": 10, "bottomFbTerms": 10, "bottomFbDocs": 10, "alpha": 1, "beta": 0.75}
_FEEDBACK = {
    "rm3": _Part(f"{_RERANKERS}.Rm3Reranker", {"fbTerms": 10, "fbDocs": 10, "originalQueryWeight": 0.5}),
    "rocchio": _Part(f"{_RERANKERS}.RocchioReranker", {**_ROCCHIO, "gamma": 0.15}),
    "bm25prf": _Part(
        f"{_RERANKERS}.BM25PrfReranker", {"fbTerms": 20, "fbDocs": 10, "k1": 0.9, "b": 0.4, "newTermWeight": 0.2}
    ),
    "axiom": _Part(f"{_RERANKERS}.AxiomReranker", {"r": 20, "n": 30, "beta": 0.4, "top": 20, "seed": 42}),
}
_PRCL = _Part("pyserini.search.lucene.reranker.PseudoRelevanceClassifierReranker", {"r": 10, "n": 100, "alpha": 0.5})
_IN_PYTHON = {
    "rm3": "pyserini.search.lucene.rerank.rm3_reranker.RM3Reranker",
    "rocchio": "pyserini.search.lucene.rerank.rocchio_reranker.RocchioReranker",
}
_HITS = {"hits": 1000}

# What else changes a ranking; recorded with the model where the command says it.
_FURTHER = {
    "Anserini": (
        *("sdm", "sdm.tw", "sdm.ow", "sdm.uw", "fields", "querygenerator", "generator", "topicfield", "topicField"),
        *("language", "stemmer", "keepstopwords", "keepStopwords", "stopwords", "pretokenized", "encoder", "rf.qrels"),
        *("removeQuery", "removedups", "selectMaxPassage", "selectMaxPassage.hits", "arbitraryScoreTieBreak"),
    ),
    "Pyserini": (
        *("bm25qs", "fields", "dismax", "dismax.tiebreaker", "language", "pretokenized", "tokenizer", "stopwords"),
        *("encoder", "onnx-encoder", "min-idf", "max-passage", "max-passage-hits", "remove-query", "remove-duplicates"),
    ),
}

# Pyserini sets k1 and b by the name of the index where the command does not.  All releases that were read know these
# names; others were renamed.
_TUNED = {
    "msmarco-passage": (0.82, 0.68),
    "msmarco-v1-passage": (0.82, 0.68),
    "msmarco-v1-passage-slim": (0.82, 0.68),
    "msmarco-v1-passage-full": (0.82, 0.68),
    "msmarco-v1-passage-d2q-t5": (2.18, 0.86),
    "msmarco-v1-doc": (4.46, 0.82),
    "msmarco-v1-doc-slim": (4.46, 0.82),
    "msmarco-v1-doc-full": (4.46, 0.82),
    "msmarco-v1-doc-segmented": (2.16, 0.61),
    "msmarco-v1-doc-segmented-slim": (2.16, 0.61),
    "msmarco-v1-doc-segmented-full": (2.16, 0.61),
}
_PERHAPS_TUNED = re.compile(r"msmarco-(passage|doc|v1-)[\w.-]*")

_KNOWN = {"Pyserini": ((0, 17, 0), (2, 4, 0)), "Anserini": ((0, 14, 4), (2, 3, 0))}
_MODULES = {"pyserini.search.lucene", "pyserini.search"}
_CLASS = re.compile(r"(io\.anserini\.search\.)?SearchCollection")
_JAR = re.compile(r"anserini-([0-9]{1,9}(?:\.[0-9]{1,9}){1,3}(?:-SNAPSHOT)?)(?:-fatjar)?\.jar")
_NUMBER = re.compile(r"[+-]?([0-9]{1,15}(\.[0-9]{0,15})?|\.[0-9]{1,15})([eE][+-]?[0-9]{1,2})?")


@dataclass(frozen=True)
class CommandMethod:
    """The method that a command carries out, as fields of a record, and what could not be told, as sentences."""

    tree: Tree
    remarks: tuple[str, ...]


def read_command(command: Sequence[str], libraries: Iterable[str] = ()) -> CommandMethod | None:
    """Return the method of COMMAND, run where the Python packages LIBRARIES are, which tell Pyserini's version.

    None if it is no command of Pyserini or Anserini.

    >>> read = read_command("SearchCollection -index i -bm25 -bm25.k1 0.82 -bm25.b 0.68 -hits 100".split())
    >>> read.tree["method"]["retrieval"][0]["k1"]
    0.82
    """
    for position, word in enumerate(command):
        rest = command[position + 1 :]
        if is_python(word):
            arguments = _after_module(rest)
            return _Pyserini(arguments, _installed(libraries)).read() if arguments is not None else None
        if _CLASS.fullmatch(PurePath(word).name):
            return _Anserini(_options(rest, "-"), _version_of_jar(command[:position])).read()
    return None


def _after_module(words: Sequence[str]) -> dict[str, list[str]] | None:
    """Return the options behind ``-m pyserini.search.lucene``; None if Python is told to run something else."""
    rest = iter(words)
    for word in rest:
        if word == "-m":
            return _options(list(rest), "--") if next(rest, "") in _MODULES else None
        if word in {"-W", "-X"}:
            next(rest, "")
        elif not word.startswith("-") or word == "-c":
            return None
    return None


def _options(words: Sequence[str], prefix: str) -> dict[str, list[str]]:
    """Return the values of each option among WORDS, by its name without PREFIX.

    >>> _options(["--bm25", "--k1=0.9", "--fields", "title=1", "body=2"], "--")
    {'bm25': [], 'k1': ['0.9'], 'fields': ['title=1', 'body=2']}
    """
    found: dict[str, list[str]] = {}
    name = None
    for word in words:
        if word.startswith(prefix) and not _NUMBER.fullmatch(word):
            name, equals, value = word.removeprefix(prefix).partition("=")
            found[name] = [value] if equals else []
        elif name is not None:
            found[name].append(word)
    return found


def _installed(libraries: Iterable[str]) -> str | None:
    """Return the version of Pyserini among LIBRARIES."""
    return next((text.partition("==")[2] for text in libraries if text.lower().startswith("pyserini==")), None)


def _version_of_jar(words: Iterable[str]) -> str | None:
    """Return the version of Anserini that an archive in WORDS names."""
    found = (_JAR.search(word) for word in words)
    return next((match[1] for match in found if match), None)


def _value(words: Sequence[str]) -> Any:
    """Return the values of an option as numbers where they are; one by itself, several as a list."""
    values = [_number(word) if _NUMBER.fullmatch(word) else word for word in words]
    return values[0] if len(values) == 1 else values


def _number(word: str) -> int | float:
    """Return the number that WORD says; 10 is whole, 10.0 is not."""
    return int(word) if word.lstrip("+-").isdigit() else float(word)


class _Reader(ABC):
    """What both toolkits have in common: stages of what is said and of defaults, as far as these are known."""

    toolkit = ""

    def __init__(self, options: dict[str, list[str]], version: str | None) -> None:
        """Read OPTIONS as VERSION of the toolkit does."""
        self._options = options
        self._version = version
        self._stages: list[Tree] = []
        self._left_out: list[str] = []

    def read(self) -> CommandMethod | None:
        """Return what the command says; None if it names no model."""
        self._add_stages()
        if not self._stages:
            return None
        tree: Tree = {"method": {"retrieval": self._stages}}
        if self._version:
            tree["platform"] = {"software": {"retrieval toolkit": [f"{self.toolkit.lower()}=={self._version}"]}}
        return CommandMethod(redact_tree(tree), tuple(self._remarks()))

    @abstractmethod
    def _add_stages(self) -> None:
        """Add the stages in the order in which they are carried out."""

    def _add(self, name: str, method: str, said: Mapping[str, Any], defaults: Mapping[str, Any]) -> None:
        """Add the stage NAME, which works on the one before, with the parameters SAID and the DEFAULTS of others."""
        known = defaults if self._defaults_are_known() else {}
        self._left_out += [f"{name}.{key}" for key in defaults if key not in said and key not in known]
        before = {"reranks": self._stages[-1]["name"]} if self._stages else {}
        self._stages.append({"name": name, "method": method, **before, **known, **said})

    def _said(self, names: Mapping[str, str]) -> Tree:
        """Return the values of the options that are given, by the parameters that NAMES has for them."""
        return {key: _value(self._options[option]) for option, key in names.items() if self._options.get(option)}

    def _further(self) -> Tree:
        """Return the further options that change the ranking; those without a value are switches."""
        given = [option for option in _FURTHER[self.toolkit] if option in self._options]
        return {option: _value(self._options[option]) if self._options[option] else True for option in given}

    def _defaults_are_known(self) -> bool:
        """Tell whether the version is one whose defaults are known."""
        first, last = _KNOWN[self.toolkit]
        numbers = tuple(
            int(number) for number in re.findall(r"[0-9]{1,9}", (self._version or "").partition("-")[0])[:3]
        )
        return first <= numbers <= last

    def _remarks(self) -> Iterable[str]:
        """Say which defaults were left out, and why."""
        if not self._left_out:
            return
        first, last = (".".join(map(str, version)) for version in _KNOWN[self.toolkit])
        why = (
            f"the defaults of {self.toolkit} {self._version} are not known, only those of {first} to {last}"
            if self._version and not self._defaults_are_known()
            else f"the version of {self.toolkit} cannot be told"
            if not self._version
            else "they depend on the index"
        )
        yield f"not recorded: {', '.join(self._left_out)}, for {why}; name them in the command or with --set"


class _Anserini(_Reader):
    """A command of Anserini's SearchCollection."""

    toolkit = "Anserini"

    def _add_stages(self) -> None:
        """Add the model, then each kind of feedback."""
        for name, part in _MODELS.items():
            if name in self._options:
                said, defaults = self._values(name, part, _HITS)
                accurate = name == "bm25" and "bm25.accurate" in self._options
                self._add(name, _ACCURATE if accurate else part.method, said | self._further(), defaults)
        if not self._stages:
            return
        for name, part in _FEEDBACK.items():
            if name in self._options:
                self._add(name, part.method, *self._values(name, part, {"rerankCutoff": 50}))

    def _values(self, name: str, part: _Part, general: Mapping[str, Any]) -> tuple[Tree, Tree]:
        """Return what is said about the parameters of PART and the GENERAL options, and the defaults of all."""
        own = {f"{name}.{key}": key for key in part.defaults}
        return self._said({**own, **{key: key for key in general}}), {**part.defaults, **general}


class _Pyserini(_Reader):
    """A command of pyserini.search.lucene."""

    toolkit = "Pyserini"

    def _add_stages(self) -> None:
        """Add the model, which is BM25 if none is named, then each kind of feedback."""
        if "dense" in self._options:
            return  # another kind of index, whose options are not read here
        self._add_model()
        for name, in_python in _IN_PYTHON.items():
            if name in self._options or f"{name}-py" in self._options:
                method = _FEEDBACK[name].method if name in self._options else in_python
                self._add(name, method, {}, self._feedback(name))
        if self._options.get("prcl"):
            said = self._said({f"prcl.{key}": key for key in ("r", "n", "alpha", "vectorizer")})
            self._add("prcl", _PRCL.method, {"classifiers": self._options["prcl"], **said}, _PRCL.defaults)

    def _add_model(self) -> None:
        """Add the first stage."""
        name = next((model for model in ("impact", "qld") if model in self._options), "bm25")
        names = {"hits": "hits", **({"k1": "k1", "b": "b"} if name == "bm25" else {})}
        said = self._said(names)
        defaults = dict(_MODELS[name].defaults)
        if name == "bm25" and not {"k1", "b"} & said.keys():
            defaults = self._tuned()
        self._add(name, _MODELS[name].method, said | self._further(), {**defaults, **_HITS})

    def _tuned(self) -> Tree:
        """Return k1 and b as Pyserini sets them for the index; nothing where releases differ."""
        index = str((self._options.get("index") or [""])[0])
        if index in _TUNED:
            return dict(zip(("k1", "b"), _TUNED[index], strict=True))
        if _PERHAPS_TUNED.fullmatch(index):
            self._left_out += ["bm25.k1", "bm25.b"]
            return {}
        return dict(_MODELS["bm25"].defaults)

    def _feedback(self, name: str) -> Tree:
        """Return the parameters of feedback, none of which the command can set but the use of negatives."""
        defaults = dict(_FEEDBACK[name].defaults)
        if name == "rocchio":
            is_negative = "rocchio-use-negative" in self._options
            defaults |= {"gamma": 0.15 if is_negative else 0, "useNegative": is_negative}
        return defaults
