"""Are scores read from whatever table others left behind, and is what is no such table refused in words?"""

import gzip
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import FileError, FormatError, PairingError, PrimadError, UsageError
from primad.reproducibility.assessment.score_files import Columns, ScoreFile, experiments_in, read_scores

WIDE = {"base": {"301": 0.25, "302": 0.5}, "mine": {"301": 0.125, "302": 0.75}}


def scores(text: str | bytes, measure: str = "") -> dict[str, dict[str, float]]:
    """Return what is read from a table with that content."""
    return dict(read_scores(text.encode() if isinstance(text, str) else text, measure).runs)


def refusal(text: str | bytes, measure: str = "") -> str:
    """Return the message about a table with that content."""
    with pytest.raises(FileError) as caught:
        scores(text, measure)
    return str(caught.value).removeprefix("<bytes>")


# Forms of tables -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("topic,base,mine\n301,0.25,0.125\n302,0.5,0.75\n", id="commas"),
        pytest.param("topic;base;mine\n301;0.25;0.125\n302;0.5;0.75\n", id="semicolons"),
        pytest.param("topic\tbase\tmine\n301\t0.25\t0.125\n302\t0.5\t0.75\n", id="tabs"),
        pytest.param("topic,base,mine\r\n301,0.25,0.125\r\n302,0.5,0.75\r\n", id="CRLF"),
        pytest.param("\ufefftopic,base,mine\n301,0.25,0.125\n302,0.5,0.75\n", id="byte order mark"),
        pytest.param("topic,base,mine\n301,0.25,0.125\n302,0.5,0.75", id="no newline at the end"),
        pytest.param("topic,base,mine\n\n301,0.25,0.125\n,,\n302,0.5,0.75\n\n", id="empty rows"),
        pytest.param('"topic","base","mine"\n"301","0.25",.125\n302,+5e-1,7.5E-1\n', id="quotes and exponents"),
        pytest.param(" topic , base , mine \n 301 , 0.25 , 0.125 \n302,0.5,0.75\n", id="blanks"),
        pytest.param(",base,mine\n301,0.25,0.125\n302,0.5,0.75\n", id="first column without a name"),
        pytest.param("anything,base,mine\n301,0.25,0.125\n302,0.5,0.75\n", id="first column of any name"),
        pytest.param("topic,base,mine\n301,0.25,0.125\n302,0.5,0.75\nall,0.375,0.4375\n", id="summary of trec_eval"),
        pytest.param(
            "topic,run,score\n301,base,0.25\n301,mine,0.125\n302,base,0.5\n302,mine,0.75\nall,base,0.375\n", id="long"
        ),
        pytest.param(
            "Value;Query_ID;System\n0.25;301;base\n0.125;301;mine\n0.5;302;base\n0.75;302;mine\n",
            id="long with columns in another order and under other names",
        ),
    ],
)
def test_a_table_is_read_whatever_its_form(text: str) -> None:
    assert scores(text) == WIDE


@pytest.mark.parametrize("measure", ["map", "MAP"])
def test_a_table_as_primad_evaluate_writes_it_is_read_by_its_measure(measure: str) -> None:
    rows = [("base", "301", 0.25), ("base", "302", 0.5), ("mine", "301", 0.125), ("mine", "302", 0.75)]
    text = "".join(f"{run},tag,{topic},{score},1.0\n" for run, topic, score in rows)

    assert scores(f"run,tag,topic,map,P_10\n{text}base,tag,all,0.375,1.0\n", measure) == WIDE
    assert scores("run,topic,map\na,1,0.5\n") == {"a": {"1": 0.5}}


def test_of_a_table_of_several_measures_one_is_to_be_named() -> None:
    text = "run,tag,topic,map,P_10\na,t,1,0.5,1.0\n"

    assert refusal(text) == ":1: expected a column of one measure, found map, P_10; name one of them with -m"
    assert refusal(text, "bpref").startswith(":1: expected a column of the measure bpref, found map, P_10;")


@pytest.mark.parametrize("first", ["307,0.304,0.295", "307;1;0", "Q1\t.5\t1e-3", "307,NA,0.3", "307,,0.3"])
def test_a_table_that_begins_with_scores_is_refused_so_that_no_topic_is_lost(first: str) -> None:
    row = first.replace("307", "308").replace("Q1", "Q2")

    assert refusal(f"{first}\n{row}\n").startswith(
        ":1: expected names of columns: 'topic', then one for each run, found a topic"
    )


@pytest.mark.parametrize("first", ["topic", "topics", "Topic ID", "query-id", "#", "t", ""])
def test_runs_may_be_called_by_numbers_beside_the_name_of_a_column_of_topics(first: str) -> None:
    assert scores(f"{first},1,2\n301,0.25,0.125\n") == {"1": {"301": 0.25}, "2": {"301": 0.125}}


def test_a_table_of_summaries_only_says_how_scores_of_topics_are_printed() -> None:
    said = ": expected scores of topics, found none but summaries; primad evaluate has --per-topic"

    assert refusal("run,tag,topic,map\na,t,all,0.5\n", "map") == said


@pytest.mark.parametrize("header", ["run,topic,score", "topic,base,mine"])
def test_a_table_that_ends_with_its_first_line_has_no_rows(header: str) -> None:
    assert refusal(f"{header}\n").startswith(": expected scores of topics, found no")


def test_numbers_behind_a_name_with_digits_may_be_runs_or_scores_so_that_both_are_told_what_to_do() -> None:
    told = "put such a line before the scores; if they are names of runs, call the first column 'topic'"

    assert refusal("TREC8,1,2\n401,0.2,0.3\n").endswith(f"; {told}")


def test_runs_keep_the_order_of_the_file() -> None:
    assert list(scores("t,z,a,m\n1,0,0,0\n")) == ["z", "a", "m"]


def test_a_packed_table_is_read(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv.gz"
    path.write_bytes(gzip.compress(b"t,a\n1,0.5\n"))

    assert read_scores(path) == ScoreFile(str(path), {"a": {"1": 0.5}})


@pytest.mark.parametrize("absent", ["", "NA", "n/a", "null", "None", "nan", "NaN", "-"])
def test_a_score_that_is_not_there_leaves_the_topic_out_of_its_run_only(absent: str) -> None:
    assert scores(f"t,a,b\n1,{absent},0.5\n2,0.25,1\n") == {"a": {"2": 0.25}, "b": {"1": 0.5, "2": 1.0}}


LONG = "topic,run,measure,score\n1,a,map,0.5\n1,a,ndcg,0.75\n2,a,map,0.25\n2,a,ndcg,1\n"


@pytest.mark.parametrize(
    ("measure", "expected"),
    [pytest.param("map", {"1": 0.5, "2": 0.25}, id="map"), pytest.param("ndcg", {"1": 0.75, "2": 1.0}, id="ndcg")],
)
def test_of_a_long_table_with_measures_one_is_taken(measure: str, expected: dict[str, float]) -> None:
    assert scores(LONG, measure) == {"a": expected}


def test_names_of_any_script_are_kept() -> None:
    assert scores("問題,検索\n問題 1,0.5\n") == {"検索": {"問題 1": 0.5}}


# What is no such table -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", ":1: expected a table with a column of topics and one for each run, found 0 columns", id="no"),
        pytest.param(
            "topic\n301\n",
            ":1: expected a table with a column of topics and one for each run, found 1 column",
            id="one column",
        ),
        pytest.param("t|a|b\n1|2|3\n", ":1: expected a table with a column of topics", id="odd separators"),
        pytest.param("t,a\n", ": expected scores of topics, found none for a", id="no rows"),
        pytest.param("t,a,b\n1,0.5,NA\n", ": expected scores of topics, found none for b", id="a run without scores"),
        pytest.param("t,a,b\n1,0.5\n", ":2: expected 3 columns, found 2", id="a cell too few"),
        pytest.param("t,a\n1,0.5,0.7\n", ":2: expected 2 columns, found 3", id="a cell too many"),
        pytest.param("t,a,a\n1,0.5,0.7\n", ":1: expected a name of its own for each run, found 'a'", id="twice a run"),
        pytest.param("t,a,\n1,0.5,0.7\n", ":1: expected a name of its own for each run, found ''", id="unnamed run"),
        pytest.param(
            "t,a\n1,0.5\n1,0.7\n", ":3: expected each topic once for a run, found '1' again", id="topic twice"
        ),
        pytest.param("t,a\n,0.5\n", ":2: expected a topic, found nothing", id="no topic"),
        pytest.param("t,a\n1,good\n", ":2: expected a finite number as score, found 'good'", id="text"),
        pytest.param("t;a\n1;0,5\n", ":2: expected a finite number as score, found '0,5'", id="decimal comma"),
        pytest.param("t,a\n1,inf\n", ":2: expected a finite number as score, found 'inf'", id="infinity"),
        pytest.param("t,a\n1,1e999\n", ":2: expected a finite number as score, found '1e999'", id="overflow"),
        pytest.param("t,a\n1,-1e200\n", ":2: expected a finite number as score, found '-1e200'", id="no square"),
        pytest.param("t,a\n1,1_0\n", ":2: expected a finite number as score, found '1_0'", id="underscore"),
        pytest.param("t,a\n1,٣\n", ":2: expected a finite number as score, found '٣'", id="digit of another script"),
        pytest.param("t,a\n1,0x1F\n", ":2: expected a finite number as score, found '0x1F'", id="hexadecimal"),
        pytest.param(
            "t,a\n1," + "9" * 300 + "\n", f":2: expected a finite number as score, found '{'9' * 60}'", id="long number"
        ),
        pytest.param("a\rb,c\r1,2\r", ":1: expected a row of a table, found new-line character", id="old Mac lines"),
        pytest.param('t,a\n1,"0.5\n2,1\n', ":3: expected a finite number as score, found", id="open quote"),
        pytest.param("t,a\n1," + "5" * 200_000, ":2: expected a row of a table, found field larger", id="huge cell"),
        pytest.param(
            "topic,run,score\n1,,0.5\n", ":2: expected the name of a run, found nothing", id="long without a run"
        ),
        pytest.param("topic,run,score\n1,a\n", ":2: expected 3 columns, found 2", id="long with a cell too few"),
        pytest.param(
            "run,score\na,0.5\n", ":1: expected the columns topic, run and score, found run, score", id="long"
        ),
    ],
)
def test_what_is_no_table_of_scores_is_refused_where_it_goes_wrong(text: str, message: str) -> None:
    assert refusal(text).startswith(message)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("t,ä\n1,0.5\n".encode("latin-1"), id="Latin 1"),
        pytest.param("t,a\n1,0.5\n".encode("utf-16"), id="UTF-16 with its mark"),
        pytest.param("t,a\n1,0.5\n".encode("utf-16-le"), id="UTF-16 without"),
        pytest.param(b"t,a\n1,0.5\0\n", id="NUL in a score"),
        pytest.param(b"t,\0a\n1,0.5\n", id="NUL in a name"),
        pytest.param(bytes(range(256)), id="any bytes"),
    ],
)
def test_other_bytes_than_text_are_refused(data: bytes) -> None:
    assert refusal(data) == ": expected a table in UTF-8, found other bytes; is it the file you meant?"


def test_of_several_measures_one_must_be_named() -> None:
    assert refusal(LONG) == ": expected scores of one measure, found map, ndcg; name one of them with -m"


def test_a_measure_that_a_long_table_lacks_is_refused_with_those_it_has() -> None:
    assert refusal(LONG, "P_10") == ": expected scores of one measure, found map, ndcg; name one of them with -m"


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"gone\.csv: no such file"):
        read_scores(tmp_path / "gone.csv")


def test_a_message_carries_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("t,a\n1,0.5\n\n2,x\n")

    with pytest.raises(FormatError) as caught:
        read_scores(path)

    assert (caught.value.path, caught.value.line) == (str(path), 4)


def test_a_table_of_very_many_runs_is_read() -> None:
    runs = [f"run{number}" for number in range(50_000)]

    found = scores(f"t,{','.join(runs)}\n1{',0.5' * len(runs)}\n")

    assert list(found) == runs
    assert found["run49999"] == {"1": 0.5}


@given(st.text())
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    with suppress(PrimadError):
        found = scores(text)

        assert found
        assert all(found.values())


@given(st.dictionaries(st.from_regex(r"[a-z0-9]{1,5}", fullmatch=True), st.floats(-1e100, 1e100), min_size=1))
def test_scores_are_read_as_python_writes_them(topics: dict[str, float]) -> None:
    topics.pop("all", None)
    topics["1"] = 0.5

    assert scores("t,a\n" + "".join(f"{topic},{score!r}\n" for topic, score in topics.items())) == {"a": topics}


# Which runs belong together ------------------------------------------------------------------------------------


def table(*runs: str, name: str = "base.csv") -> ScoreFile:
    """Return a table with these RUNS."""
    return ScoreFile(name, {run: {"1": 0.5} for run in runs})


def baseline(run: str, name: str | None = None) -> Columns:
    """Return the experiment of the baseline RUN alone."""
    return Columns(name or run, {"baseline": run})


def both(base: str, advanced: str, name: str) -> Columns:
    """Return the experiment of two runs."""
    return Columns(name, {"baseline": base, "advanced": advanced})


def test_the_first_run_is_the_original_and_all_others_reproduce_it() -> None:
    found = experiments_in([table("orig", "a", "b")])

    assert found == (baseline("orig", "original"), [baseline("a"), baseline("b")])


def test_the_original_may_be_named() -> None:
    found = experiments_in([table("a", "orig", "b")], ["orig"])

    assert found == (baseline("orig", "original"), [baseline("a"), baseline("b")])


def test_reproductions_may_be_named() -> None:
    found = experiments_in([table("orig", "a", "b", "c")], [], [["c"], ["a"]])

    assert found == (baseline("orig", "original"), [baseline("c"), baseline("a")])


def test_runs_of_two_tables_are_paired_by_what_tells_them_from_their_neighbours() -> None:
    files = [table("orig", "rpl_base_1", "rpl_base_10", "rpl_base_2"), table("ORIG", "adv2", "adv10", "adv1")]

    first, others = experiments_in(files)

    assert first == both("orig", "ORIG", "original")
    assert others == [
        both("rpl_base_1", "adv1", "reproduction 1"),
        both("rpl_base_10", "adv10", "reproduction 10"),
        both("rpl_base_2", "adv2", "reproduction 2"),
    ]


def test_runs_of_two_tables_are_paired_by_words_too() -> None:
    files = [table("o", "base_lucene", "base_terrier"), table("o", "adv_terrier", "adv_lucene")]

    assert experiments_in(files)[1] == [
        both("base_lucene", "adv_lucene", "lucene"),
        both("base_terrier", "adv_terrier", "terrier"),
    ]


def test_of_one_reproduction_in_each_table_nothing_is_to_be_paired() -> None:
    assert experiments_in([table("o", "x"), table("p", "y")])[1] == [both("x", "y", "y")]


def test_a_reproduction_of_the_baseline_alone_may_be_named_beside_two_tables() -> None:
    assert experiments_in([table("o", "x"), table("p", "y")], [], [["x"]])[1] == [baseline("x")]


def test_runs_named_for_two_tables_are_an_experiment() -> None:
    files = [table("o", "x", "y"), table("p", "u", "v")]

    assert experiments_in(files, ["x", "u"], [["y", "v"]]) == (both("x", "u", "original"), [both("y", "v", "v")])


def test_experiments_that_would_have_the_same_name_are_called_by_both_runs() -> None:
    found = experiments_in([table("o", "x", "y"), table("p", "u")], [], [["x", "u"], ["y", "u"]])[1]

    assert [columns.name for columns in found] == ["x u", "y u"]


def test_a_column_called_original_is_not_taken_for_the_original() -> None:
    assert [columns.name for columns in experiments_in([table("bm25", "original")])[1]] == ["original (1)"]


@pytest.mark.parametrize(
    ("files", "candidates"),
    [
        pytest.param(
            [table("o", "b_1", "b_2", "b_3"), table("o", "a_1", "a_2", name="adv.csv")], ["b_3"], id="one more"
        ),
        pytest.param([table("o", "b_1", "b_2"), table("o", "a_1", "a_3", name="adv.csv")], ["b_2", "a_3"], id="others"),
    ],
)
def test_tables_of_other_reproductions_are_refused_with_those_that_have_no_partner(
    files: list[ScoreFile], candidates: list[str]
) -> None:
    with pytest.raises(PairingError, match=r"base\.csv and adv\.csv, found others; name them") as caught:
        experiments_in(files)

    assert caught.value.candidates == candidates


@pytest.mark.parametrize(
    ("original", "chosen"),
    [pytest.param(["gone"], [], id="original"), pytest.param([], [["a"], ["gone"]], id="reproduction")],
)
def test_a_column_that_is_not_there_is_refused_with_those_that_are(
    original: list[str], chosen: list[list[str]]
) -> None:
    with pytest.raises(FileError, match=r"^base\.csv: expected a column 'gone', found orig, a$"):
        experiments_in([table("orig", "a")], original, chosen)


@pytest.mark.parametrize(
    ("original", "chosen"),
    [pytest.param(["orig", "a"], [], id="original"), pytest.param([], [["a", "orig"]], id="reproduction")],
)
def test_more_columns_than_tables_are_refused(original: list[str], chosen: list[list[str]]) -> None:
    with pytest.raises(UsageError, match="one file of scores has one run of an experiment, found 2 named"):
        experiments_in([table("orig", "a")], original, chosen)


def test_three_columns_are_more_than_two_tables_have() -> None:
    with pytest.raises(UsageError, match="2 files have one run each of an experiment, found 3 named: a b c"):
        experiments_in([table("a"), table("b")], ["a", "b", "c"])


@pytest.mark.parametrize(
    "files",
    [
        pytest.param([table("orig")], id="one table"),
        pytest.param([table("orig"), table("p", "y", name="adv.csv")], id="baselines"),
    ],
)
def test_a_table_without_reproductions_is_refused(files: list[ScoreFile]) -> None:
    with pytest.raises(FileError, match=r"base\.csv: expected runs besides the original, found only 'orig'"):
        experiments_in(files)
