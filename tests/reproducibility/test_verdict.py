"""Is a replicated output judged as the rules say, and is chance what it is by counting all ways?"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from primad.errors import FormatError, UndefinedMeasure, UnknownMeasure
from primad.evaluation.scorers import Additive, Compared, Scored, scorer
from primad.evaluation.scorers.counting import additive_f1, additive_mean
from primad.reproducibility import chance
from primad.reproducibility import verdict as verdict_module
from primad.reproducibility.chance import Chance, Paired, chance_of
from primad.reproducibility.verdict import Agreement, Verdict, as_json, judge

GOLD = b"".join(b"%d\tc%d\n" % (number, number) for number in range(200))


TOO_FEW = "an interval takes at least 10 items, and there are %d"


def coded(*wrong: int, first: bytes = b"") -> bytes:
    """Return the gold standard, but for documents whose code is WRONG."""
    return first + b"".join(b"%d\t%s%d\n" % (n, b"x" if n in wrong else b"c", n) for n in range(200))


def verdict(submitted: bytes, replicated: bytes, gold: bytes = GOLD, **options: Any) -> Verdict:
    return judge(scorer("coding"), {"gold": gold}, {"mine.tsv": submitted}, {"theirs.tsv": replicated}, **options)


class Fixed:
    """A scorer whose output is its score, with another behind a blank."""

    name, title, primary = "fixed", "the number that the output is", "f"
    measures: tuple[str, ...] = ("f", "g")
    lower_is_better: frozenset[str] = frozenset()
    off_scale = frozenset({"g"})

    def __init__(self, limit: float | None = None) -> None:
        self.limit = limit

    def score(self, gold: Mapping[str, bytes], output: Mapping[str, bytes]) -> Scored:
        del gold
        first, *others = (float(word) for word in output["o"].split())
        return Scored("fixed", "f", {"f": first, "g": others[0] if others else 0.0})

    def compare(self, first: Mapping[str, bytes], second: Mapping[str, bytes]) -> Compared:
        return Compared(0, 1) if first["o"].split() != second["o"].split() else Compared(1, 0)


def fixed(submitted: str, replicated: str, limit: float | None = None) -> Verdict:
    return judge(Fixed(limit), {}, {"o": submitted.encode()}, {"o": replicated.encode()})


@pytest.mark.parametrize(
    ("replicated", "agreement", "points"),
    [
        pytest.param(coded(7), Agreement.BYTES, 4, id="the same bytes"),
        pytest.param(coded(7, first=b"\n"), Agreement.ITEMS, 4, id="another line"),
        pytest.param(coded(7).upper(), Agreement.ITEMS, 4, id="another case"),
        pytest.param(coded(8), Agreement.SCORES, 4, id="another document wrong"),
        pytest.param(coded(7, 8), Agreement.CLOSE, 3, id="one more wrong"),
        pytest.param(coded(7, 8, 9), Agreement.APART, 2, id="two more wrong"),
        pytest.param(b"\0", Agreement.ERROR, 1, id="no text"),
        pytest.param(b"1 c1\n", Agreement.ERROR, 1, id="wrong columns"),
    ],
)
def test_an_output_agrees_as_far_as_it_is_the_same(replicated: bytes, agreement: Agreement, points: int) -> None:
    found = verdict(coded(7), replicated)

    assert (found.agreement, found.points) == (agreement, points)


def test_several_files_are_the_same_only_under_the_same_names() -> None:
    one, other = b"1\ta\n", b"2\tb\n"
    gold = {"gold": one + other}
    coding = scorer("coding")

    kept = judge(coding, gold, {"1": one, "2": other}, {"2": other, "1": one})
    renamed = judge(coding, gold, {"1": one, "2": other}, {"1": other, "2": one})

    assert (kept.agreement, renamed.agreement) == (Agreement.BYTES, Agreement.ITEMS)


def test_a_file_under_a_name_that_counts_is_not_the_same() -> None:
    ann = b"T1\tA 0 5\tx\n"

    gold = {"d1.ann": ann, "d2.ann": ann}
    found = judge(scorer("spans"), gold, {"d1.ann": ann, "x.ann": b""}, {"d2.ann": ann, "x.ann": b""})

    assert found.agreement is Agreement.SCORES


@pytest.mark.parametrize(
    ("submitted", "replicated", "agreement"),
    [
        ("0.75", "0.74", Agreement.APART),  # 0.01000000000000000888 in floating point
        ("0.74", "0.75", Agreement.APART),
        ("0.81", "0.80", Agreement.APART),  # 0.01000000000000000888
        ("0.30", "0.31", Agreement.APART),  # 0.01000000000000000888
        ("0.07", "0.06", Agreement.APART),  # 0.01000000000000000888
        ("0.06", "0.07", Agreement.APART),
        ("0.29", "0.28", Agreement.APART),  # 0.00999999999999995
        ("0.75", "0.7400001", Agreement.CLOSE),
        ("0.75", "0.7399999", Agreement.APART),
        ("0.5", "0.50000000001", Agreement.SCORES),
        ("0.5", "0.5000000004", Agreement.SCORES),  # half of the ninth decimal, and
        ("0.5", "0.5000000006", Agreement.CLOSE),  # a little more
        ("0.5", "0.50000001", Agreement.CLOSE),
        ("0.5 0.1", "0.5 0.2", Agreement.CLOSE),
        ("0.5", "0.5", Agreement.BYTES),
        ("0.5", "0.5 ", Agreement.ITEMS),
    ],
)
def test_a_hundredth_is_apart_and_less_is_close(submitted: str, replicated: str, agreement: Agreement) -> None:
    assert fixed(submitted, replicated).agreement is agreement


def test_the_difference_is_replicated_minus_submitted() -> None:
    assert fixed("0.75", "0.5").difference == -0.25
    assert fixed("0.5", "0.75").difference == 0.25


def test_a_difference_that_rounding_leaves_nothing_of_is_0_without_a_sign() -> None:
    assert str(fixed("0.5 0.1", "0.4999999999999 0.2").difference) == "0.0"


def test_the_verdict_is_on_the_primary_measure_that_is_asked_for() -> None:
    found = judge(Fixed(), {}, {"o": b"0.5 0.1"}, {"o": b"0.5 0.9"}, primary="g")

    assert (found.primary, found.difference, found.agreement) == ("g", 0.8, Agreement.APART)
    with pytest.raises(UnknownMeasure, match="unknown measure 'h'; expected f or g"):
        judge(Fixed(), {}, {"o": b"1"}, {"o": b"1"}, primary="h")


def test_what_is_wrong_with_the_submitted_output_or_gold_is_raised() -> None:
    with pytest.raises(FormatError, match=r"mine\.tsv:1"):
        verdict(b"wrong", coded())
    with pytest.raises(FormatError, match="gold:1"):
        verdict(coded(), coded(), gold=b"wrong")


def test_what_is_wrong_with_the_replicated_output_is_the_verdict() -> None:
    found = verdict(coded(7), b"1 c1\n")

    assert found.error.startswith("theirs.tsv:1: expected 2 columns (document, code)")
    assert found.sentence == f"The scorer failed on the replicated output: {found.error}."
    assert (found.replicated, found.difference, found.compared, found.chance) == (None, None, None, None)
    assert found.submitted is not None
    assert found.submitted.measures["f1"] == pytest.approx(199 / 200)


def test_a_measure_that_only_the_replicated_output_has_no_value_of_is_a_scorer_error() -> None:
    numbers, gold = scorer("numbers"), {"g": b"a\t1\nb\t2\n"}
    constant = {"o": b"a\t5\nb\t5\n"}

    found = judge(numbers, gold, gold, constant)

    assert found.agreement is Agreement.ERROR
    assert found.error == "pearson is undefined: all numbers of the output are the same"
    with pytest.raises(UndefinedMeasure):
        judge(numbers, gold, constant, gold)
    assert judge(numbers, gold, constant, constant).agreement is Agreement.BYTES


def test_the_sentence_says_the_numbers_and_what_they_mean() -> None:
    assert verdict(coded(7), coded(7)).sentence == (
        "The replicated output is the submitted one, byte for byte (f1 0.9950)."
    )
    assert verdict(coded(7), coded(7).upper()).sentence == (
        "The replicated output says the same of all 200 items, in other bytes (f1 0.9950)."
    )
    assert verdict(coded(7), coded(8)).sentence == (
        "All scores are the same (f1 0.9950), though 2 of 200 items differ."
    )
    assert verdict(coded(7), coded(7, 8)).sentence == (
        "f1 is 0.9900 where 0.9950 was submitted, 0.0050 lower, which is less than .01 apart; 1 of 200 items differ; "
        "swapping items between the two at random gives as large a difference with p = 1.000."
    )
    assert fixed("0.5 0.1", "0.5 0.2").sentence == (
        "f is the same (0.5000), but other measures are not, and 1 of 1 items differ."
    )
    assert fixed("0.5", "0.75").sentence == (
        "f is 0.7500 where 0.5000 was submitted, 0.2500 higher, which is .01 or more apart; 1 of 1 items differ."
    )
    assert fixed("0.5", "0.500077").sentence == (
        "f is 0.5001 where 0.5000 was submitted, 7.7e-05 higher, which is less than .01 apart; 1 of 1 items differ."
    )
    assert fixed("0.5", "0.50000001").sentence == (
        "f is 0.5000 where 0.5000 was submitted, 1e-08 higher, which is less than .01 apart; 1 of 1 items differ."
    )
    assert "; 20 of 200 items differ; " in verdict(coded(), coded(*range(20))).sentence
    assert verdict(coded(), coded(*range(20))).sentence.endswith("as large a difference with p < 0.001.")


def test_where_nothing_can_be_swapped_the_reason_is_said() -> None:
    coding = scorer("coding", {"primary": "macro_f1"})

    found = judge(coding, {"g": GOLD}, {"o": coded(7)}, {"o": coded(8, 9)})

    assert found.chance is None
    assert found.no_chance == "macro_f1 is not made of sums over items, so that none can be swapped"
    assert verdict(coded(7), coded(7)).no_chance == "both outputs are the same"


class Summed(Fixed):
    """A scorer of which only the submitted output, which is 0.5, has a mean over items; of others it says why not."""

    def score(self, gold: Mapping[str, bytes], output: Mapping[str, bytes]) -> Scored:
        found = super().score(gold, output)
        if output["o"] == b"0.5":
            return replace(found, additive={"f": additive_mean(["1", "2"], [0.0, 1.0])}, remarks=("read well",))
        return replace(found, remarks=("f has no items, so it is not tested", "read well"))


@pytest.mark.parametrize("sides", [("0.5", "0.6"), ("0.6", "0.5"), ("0.6", "0.7")])
def test_where_either_output_has_no_items_the_scorer_says_why_chance_is_not_tested(sides: tuple[str, str]) -> None:
    submitted, replicated = ({"o": side.encode()} for side in sides)

    found = judge(Summed(), {}, submitted, replicated)

    assert (found.chance, found.no_chance) == (None, "f has no items, so it is not tested")


def test_a_p_value_of_a_thousandth_is_not_said_to_be_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict_module, "chance_of", lambda *_, **__: Chance(0.001, None, None, 999, 200))

    assert verdict(coded(), coded(*range(20))).sentence.endswith("as large a difference with p = 0.001.")


def test_swaps_are_drawn_with_the_seed_0_if_no_other_is_stated() -> None:
    submitted, replicated = coded(*range(20)), coded(*range(15, 40))

    drawn = verdict(submitted, replicated).chance

    assert drawn == verdict(submitted, replicated, seed=0).chance
    assert drawn != verdict(submitted, replicated, seed=1).chance


def test_a_verdict_is_plain_values() -> None:
    content = as_json(verdict(coded(7), coded(8, 9)))

    assert json.loads(json.dumps(content, allow_nan=False)) == content
    assert content["schema"] == "primad.verdict/1"
    assert content["agreement"] == "less than .01 apart"
    assert content["points"] == 3
    assert content["submitted"]["measures"]["f1"] == pytest.approx(199 / 200)
    assert content["replicated"]["measures"]["f1"] == pytest.approx(198 / 200)
    assert content["difference"] == pytest.approx(-1 / 200)
    assert content["compared"]["different"] == 3
    assert content["compared"]["differing"][0] == {"item": "7", "first": ["x7"], "second": ["c7"]}
    assert content["chance"]["exact"] is True
    failed = as_json(verdict(coded(7), b"\0"))
    assert (failed["replicated"], failed["chance"], failed["points"]) == (None, None, 1)


def by_counting(first: Additive, second: Additive) -> float:
    """Return the share of all ways to swap items that lie as far apart, items being the same."""
    observed = abs(second.value - first.value)
    ways = list(product([False, True], repeat=len(first.items)))
    as_far = 0
    for way in ways:
        mask = np.array(way)[:, None]
        one, other = np.where(mask, second.parts, first.parts), np.where(mask, first.parts, second.parts)
        far = abs(float(second.of_sums(other.sum(axis=0)) - first.of_sums(one.sum(axis=0))))
        as_far += far >= observed - 1e-12
    return as_far / len(ways)


score = st.integers(0, 8).map(lambda number: number / 8)
count = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)).map(
    lambda three: (min(three), three[1], three[2])
)


def mean_of(rows: list[float]) -> Additive:
    return additive_mean([str(number) for number in range(len(rows))], rows)


def f1_of(rows: list[tuple[int, int, int]]) -> Additive:
    return additive_f1([str(number) for number in range(len(rows))], np.array(rows, dtype=np.float64))["f1"]


@settings(max_examples=60)
@given(
    st.lists(st.tuples(score, score), min_size=1, max_size=8), st.lists(st.tuples(count, count), min_size=1, max_size=8)
)
def test_few_items_are_swapped_in_all_ways(
    scores: list[tuple[float, float]], counts: list[tuple[tuple[int, int, int], tuple[int, int, int]]]
) -> None:
    makers: list[tuple[Callable[[Any], Additive], Any]] = [(mean_of, scores), (f1_of, counts)]
    for make, rows in makers:
        first, second = (make(list(side)) for side in zip(*rows, strict=True))
        found = chance_of(first, second, draws=300)
        if isinstance(found, str):
            assert np.array_equal(first.parts, second.parts)
        else:
            assert found.exact
            assert found.p == pytest.approx(by_counting(first, second))


def test_drawn_swaps_come_near_to_all_swaps() -> None:
    generator = np.random.default_rng(3)
    first, second = mean_of(generator.random(12).tolist()), mean_of((generator.random(12) + 0.15).tolist())

    drawn = chance_of(first, second, draws=4000)  # fewer than 2**12

    assert isinstance(drawn, Chance)
    assert not drawn.exact
    assert drawn.p == pytest.approx(by_counting(first, second), abs=0.03)  # four standard errors at most


def test_chance_follows_from_the_seed_and_is_the_same_both_ways() -> None:
    generator = np.random.default_rng(5)
    first, second = mean_of(generator.random(60).tolist()), mean_of(generator.random(60).tolist())

    found, again, back, other = (
        chance_of(first, second, seed=1),
        chance_of(first, second, seed=1),
        chance_of(second, first, seed=1),
        chance_of(first, second, seed=2),
    )

    assert found == again != other
    assert isinstance(found, Chance)
    assert isinstance(back, Chance)
    assert found.p == back.p
    assert back.low is not None
    assert back.high is not None
    assert (found.low, found.high) == pytest.approx((-back.high, -back.low))


def test_the_interval_is_that_of_means_of_items_drawn_again() -> None:
    generator = np.random.default_rng(7)
    values = generator.random(400)
    first, second = mean_of([0.0] * 400), mean_of(values.tolist())

    found = chance_of(first, second)

    assert isinstance(found, Chance)
    error = values.std() / 20
    assert found.low == pytest.approx(values.mean() - 1.96 * error, abs=0.1 * error)
    assert found.high == pytest.approx(values.mean() + 1.96 * error, abs=0.1 * error)
    assert (found.items, found.draws) == (400, 10_000)


def test_items_that_add_the_same_are_drawn_like_others() -> None:
    # Four kinds among 400 items take the short way; the same with a trace of difference take the long one.
    rows = [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.0, 0.0)] * 100
    traced = [(one, other + number * 1e-9) for number, (one, other) in enumerate(rows)]

    short, long = (chance_of(*(mean_of(list(side)) for side in zip(*table, strict=True))) for table in (rows, traced))

    assert isinstance(short, Chance)
    assert isinstance(long, Chance)
    assert (short.low, short.high) == pytest.approx((long.low, long.high), abs=0.01)
    # The difference has the standard error sqrt(1/2 / 400).
    assert short.high == pytest.approx(1.96 * (0.5 / 400) ** 0.5, abs=0.006)


def test_an_item_that_one_output_lacks_adds_nothing_there() -> None:
    first, second = additive_mean(["a", "b"], [1.0, 0.0]), additive_mean(["b", "c"], [0.5, 0.5])

    paired = Paired.of(first, second)

    assert paired.first.tolist() == [[1, 1], [0, 1], [0, 0]]
    assert paired.second.tolist() == [[0, 0], [0.5, 1], [0.5, 1]]
    # Both means are 1/2: no difference is observed, and any is as far.
    assert chance_of(first, second) == Chance(1.0, None, None, 10_000, 3, exact=True, no_interval=TOO_FEW % 3)


def test_a_measure_without_a_value_in_most_resamples_has_no_interval() -> None:
    def rarely(sums: Any) -> Any:
        return np.where(sums[..., 0] > 10, sums[..., 0], np.nan)

    # Both have a value where a and b are drawn: in some 40 % of resamples.
    items, rest = tuple("abcdefghij"), [[0.0]] * 8
    first = Additive(items, np.array([[11.0], [0.0], *rest]), rarely)
    second = Additive(items, np.array([[0.0], [12.0], *rest]), rarely)

    assert chance_of(first, second) == "the measure has no value in most resamples of its items"


@pytest.mark.parametrize(("most", "draws"), [(10_000, 1000), (300_000, 3000), (10**9, 10_000)])
def test_of_very_many_items_fewer_draws_are_made(monkeypatch: pytest.MonkeyPatch, most: int, draws: int) -> None:
    monkeypatch.setattr(chance, "_MOST_DRAWN", most)
    first, second = mean_of([0.0] * 100), mean_of([number / 100 for number in range(100)])

    found = chance_of(first, second)

    assert isinstance(found, Chance)
    assert found.draws == draws


def test_topics_of_two_runs_are_swapped_as_wholes() -> None:
    trec = scorer("trec", {"measures": ["map"]})
    qrels = {"q": b"".join(b"%d 0 a 1\n" % topic for topic in range(6))}
    good = {"r": b"".join(b"%d Q0 a 1 1 t\n" % topic for topic in range(6))}
    bad = {"r": b"".join(b"%d Q0 x 1 2 t\n%d Q0 a 1 1 t\n" % (topic, topic) for topic in range(6))}

    found = judge(trec, qrels, good, bad)

    # Six topics fall from 1 to 1/2: of 64 ways to swap them, two lie as far apart.
    assert found.difference == -0.5
    assert found.chance == Chance(2 / 64, None, None, 10_000, 6, exact=True, no_interval=TOO_FEW % 6)
    assert found.sentence.endswith("as large a difference with p = 0.031.")


def run_of(topics: int) -> dict[str, bytes]:
    return {"r": b"".join(b"%d Q0 x 1 2 t\n%d Q0 a 1 1 t\n" % (topic, topic) for topic in range(topics))}


QRELS = {"q": b"".join(b"%d 0 a 1\n" % topic for topic in range(60))}


def test_topics_that_the_replicated_run_lost_count_as_0() -> None:
    found = judge(scorer("trec"), QRELS, run_of(50), run_of(1))

    assert (found.agreement, found.points) == (Agreement.APART, 2)
    assert found.difference == pytest.approx((1 - 50) * 0.5 / 60, abs=1e-9)  # of 60 judged topics
    assert "49 of 50 items differ, of which 49 that the replicated output lacks count as 0;" in found.sentence
    assert found.chance is not None
    assert found.chance.items == 60


def test_topics_that_the_replicated_run_lost_count_as_0_where_others_are_left_out() -> None:
    found = judge(scorer("trec", {"complete": False}), QRELS, run_of(50), run_of(1))

    assert found.difference == pytest.approx(0.01 - 0.5)
    assert "49 of 50 items differ, of which 49 that the replicated output lacks count as 0;" in found.sentence
    assert found.replicated is not None
    assert found.replicated.remarks == ("topics that only the submitted run has count as 0: 1, 2, 3, 4, 5 and 44 more",)
    assert found.chance is not None
    assert found.chance.items == 50


def test_a_run_of_the_best_topics_only_is_apart_from_one_of_all() -> None:
    found = judge(scorer("trec"), QRELS, run_of(3), run_of(60))

    assert (found.agreement, found.points) == (Agreement.APART, 2)
    assert found.difference == pytest.approx(57 * 0.5 / 60)


def test_topics_that_the_submitted_run_lacks_are_left_out_if_asked_for_and_the_sentence_counts_them() -> None:
    found = judge(scorer("trec", {"complete": False}), QRELS, run_of(50), run_of(53))

    assert found.agreement is Agreement.SCORES
    assert found.sentence == (
        "All scores are the same (map 0.5000), though 3 of 53 items differ, of which 3 that the submitted output lacks "
        "are left out."
    )
    assert found.replicated is not None
    assert found.replicated.remarks == ("topics that the submitted run lacks are left out: 50, 51, 52",)


def test_numbers_that_the_replicated_output_lost_are_an_error_even_where_missing_ones_are_skipped() -> None:
    numbers = scorer("numbers", {"missing": "skip"})
    gold, submitted, short = (
        {"o": b"".join(b"%d\t%d\n" % (item, item * item) for item in range(count))} for count in (100, 90, 3)
    )

    assert judge(numbers, gold, submitted, submitted).agreement is Agreement.BYTES
    longer = judge(numbers, gold, short, submitted)
    assert longer.agreement is Agreement.SCORES
    assert "87 of 90 items differ, of which 87 that the submitted output lacks are left out" in longer.sentence
    found = judge(numbers, gold, submitted, short)
    assert found.agreement is Agreement.ERROR
    assert found.error == (
        "o: expected a number for each item that the submitted output has, found none for 3, 4, 5, 6, 7 and 82 more"
    )


def test_documents_that_the_replicated_output_lost_count_as_0_in_the_mean_over_given_ones() -> None:
    found = judge(scorer("coding", {"primary": "map_given"}), {"g": GOLD}, {"o": GOLD}, {"o": b"1\tc1\n"})

    assert found.agreement is Agreement.APART
    assert found.difference == pytest.approx(1 / 200 - 1)


@pytest.mark.parametrize(
    ("submitted", "replicated", "limit", "agreement", "words"),
    [
        ("0.812", "0.8125", None, Agreement.CLOSE, "less than .01 apart"),
        ("81.2", "81.25", None, Agreement.APART, "not the same, and no limit of closeness was stated"),
        ("81.2", "81.25", 1.0, Agreement.CLOSE, "less than 1 apart"),
        ("81.2", "82.2", 1.0, Agreement.APART, "1 or more apart"),
        ("0.812", "0.8125", 0.0001, Agreement.APART, ".0001 or more apart"),
        ("81 1", "81 2", None, Agreement.CLOSE, "the same, but not in all measures"),
        ("81.2", "81.2", None, Agreement.BYTES, "identical bytes"),
        ("0.5", "0.6", 0.0, Agreement.APART, "0 or more apart"),
    ],
)
def test_close_means_within_a_limit_that_fits_the_scale(
    submitted: str, replicated: str, limit: float | None, agreement: Agreement, words: str
) -> None:
    found = fixed(submitted, replicated, limit)

    assert (found.agreement, found.words) == (agreement, words)
    assert as_json(found)["words"] == words
    assert as_json(found)["limit"] == (limit if limit is not None else 0.01 if submitted < "1" else None)
    if found.difference:
        assert f"which is {words};" in found.sentence


def test_a_value_above_1_has_no_limit_on_either_side() -> None:
    assert (fixed("0.9", "1.5").limit, fixed("1.5", "0.9").limit, fixed("1", "0.9").limit) == (None, None, 0.01)


def test_errors_and_counts_have_no_limit_unless_one_is_stated() -> None:
    gold, one, other = ({"o": b"a\t%s\nb\t.3\n" % number} for number in (b".1", b".2", b".201"))

    assert judge(scorer("numbers", {"primary": "mae"}), gold, one, other).limit is None
    stated = judge(scorer("numbers", {"primary": "mae", "limit": "0.001"}), gold, one, other)
    assert (stated.agreement, stated.limit) == (Agreement.CLOSE, 0.001)
    assert scorer("trec", {"measures": "num_rel_ret map"}).off_scale == {"num_rel_ret"}
    assert judge(Fixed(), {}, {"o": b"0 .1"}, {"o": b"0 .2"}, primary="g").limit is None


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=8),
    st.sampled_from(["mae", "rmse", "bias", "pearson"]),
    st.sampled_from([1.0, 1e-6, 1e6]),
    st.sampled_from([0.0, 1e5]),
)
def test_exact_p_values_do_not_depend_on_the_size_of_numbers(
    rows: list[tuple[int, int, int]], measure: str, size: float, offset: float
) -> None:
    def additives(size: float, offset: float) -> list[Additive]:
        truth, *guesses = (
            "".join(f"{place}\t{number * size + shift!r}\n" for place, number in enumerate(column)).encode()
            for column, shift in zip(zip(*rows, strict=True), (0.0, offset, offset), strict=True)
        )
        found = [scorer("numbers").score({"g": truth}, {"o": guess}).additive for guess in guesses]
        return [one[measure] for one in found if measure in one]

    if measure != "pearson":
        offset = 0.0
    plain, sized = additives(1.0, 0.0), additives(size, offset * size)
    assume(len(plain) == len(sized) == 2)

    expected, found = chance_of(plain[0], plain[1]), chance_of(sized[0], sized[1])

    if isinstance(expected, Chance):
        assert isinstance(found, Chance)
        assert found.p == pytest.approx(expected.p)
        moved = int(np.any(plain[0].parts != plain[1].parts, axis=1).sum())
        assert found.p * 2**moved % 2 == 0  # to swap all items is as far as to swap none


def test_one_item_has_a_p_value_of_1_and_no_interval() -> None:
    found = chance_of(mean_of([0.3]), mean_of([0.1]))

    assert found == Chance(
        1.0, None, None, 10_000, 1, exact=True, no_interval="an interval takes at least 10 items, and there is 1"
    )
