"""Does a datasheet ask all questions, answer those that data answer, and leave the others open?

markdown-it reads the Markdown, as a page would show it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from primad.exchange.datasheets.datasheet import in_markdown, write
from primad.exchange.datasheets.questions import NUMBER_OF_QUESTIONS, SECTIONS
from primad.exchange.thing import File, Thing
from tests.exchange.some_things import QRELS, TOPICS, a_run, an_experiment, odd_things

NAMES = list(odd_things())


def text_of(thing: Thing) -> str:
    """Return the datasheet of THING, whatever its kind."""
    return write(thing).files[0].read().decode()


def answer(text: str, number: str) -> list[str]:
    """Return the lines below the question NUMBER in the datasheet TEXT."""
    behind = text.split(f"\n### {number} ", 1)[1].split("\n#", 1)[0]
    return [line for line in behind.splitlines()[1:] if line]


def a_collection(qrels: bytes = QRELS, topics: bytes = TOPICS) -> Thing:
    """Return a collection of judgments and topics."""
    files = (File.of_bytes(qrels, "core17.qrels", "qrels"), File.of_bytes(topics, "topics.txt", "topics"))
    return Thing("collection", "core17", "Core17", files=files)


def test_all_questions_of_the_paper_are_asked_under_its_headings() -> None:
    assert [len(questions) for questions in SECTIONS.values()] == [4, 16, 12, 4, 6, 7, 8]
    assert NUMBER_OF_QUESTIONS == 57
    assert list(SECTIONS) == [
        "1 Motivation",
        "2 Composition",
        "3 Collection process",
        "4 Preprocessing, cleaning and labelling",
        "5 Uses",
        "6 Distribution",
        "7 Maintenance",
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_reader_of_markdown_sees_the_headings_and_no_markup_from_outside(name: str) -> None:
    thing = replace(odd_things()[name], kind="experiment")

    tokens = MarkdownIt("commonmark", {"html": True}).parse(text_of(thing))

    headings = [token.tag for token in tokens if token.type == "heading_open"]
    assert [headings.count(tag) for tag in ("h1", "h2", "h3")] == [1, 7, 57]
    inner = [child for token in tokens for child in token.children or []]
    assert {token.type for token in [*tokens, *inner]} <= {
        *("heading_open", "heading_close", "paragraph_open", "paragraph_close", "inline", "text", "text_special"),
        *("em_open", "em_close", "link_open", "link_close"),
        *("bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"),
    }


def test_a_hostile_title_is_shown_as_it_is() -> None:
    thing = replace(odd_things()["markup"], kind="experiment")
    title = "<b>R&D</b> \\alpha {braces} 50% $x_1$ #1 ~a^b \"quoted\" 'single' `code` | pipe * [a](b)"

    _, heading, *_ = MarkdownIt("commonmark").parse(text_of(thing))

    assert "".join(child.content for child in heading.children or []) == f"Datasheet: {title}"


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        pytest.param("http://a.b/c.d.,", "<http://a.b/c.d>.,", id="marks behind"),
        pytest.param("https://a:8080):;", "<https://a:8080>):;", id="a port"),
        pytest.param("http://,,,", "<http://,>,,", id="nothing but marks"),
        pytest.param("http://", "http://", id="no host"),
        pytest.param("https://.", "<https://.>", id="a mark as host"),
        pytest.param("(http://a)", "(http://a)", id="no beginning of an address"),
    ],
)
def test_what_ends_a_sentence_is_no_part_of_an_address(word: str, expected: str) -> None:
    assert in_markdown(word) == expected


def test_an_address_of_many_marks_is_read_in_one_pass() -> None:
    # To look for the end of the address from each comma again would take minutes: no clock is needed to notice that.
    address = "http://a" + "," * 100_000 + "x"

    assert in_markdown(f"{address}.") == f"<{address}>."


def test_judgments_and_topics_are_counted() -> None:
    text = text_of(a_collection())

    assert answer(text, "2.2") == [
        "- topics.txt: 2 topics (8 lines, 134 bytes). Words of a topic: 3 to 5, median 4.",
        "- core17.qrels: 4 judgments of 3 documents for 2 topics.",
        "*How this is known: counted in the files named.*",
    ]
    assert answer(text, "2.5") == [
        "- core17.qrels: level 0: 2 (50.0 %), level 1: 1 (25.0 %), level 2: 1 (25.0 %).",
        "- core17.qrels: documents of a topic that have a level above 0: 1. Topics without such a document: none.",
        "*How this is known: counted in the files named.*",
    ]
    assert answer(text, "2.7")[0] == (
        "- core17.qrels: a judgment relates a document to a topic; 1 document of 3 (33.3 %) is judged for more than "
        "one topic."
    )


def test_what_is_wrong_with_judgments_is_told() -> None:
    text = text_of(a_collection(b"307 0 a 1\n307 0 a 1\n307 0 b 0\n307 0 b 1\n999 0 a 0\nnonsense\n"))

    assert answer(text, "2.9")[0] == (
        "- core17.qrels: lines that repeat an earlier judgment: 1; pairs of topic and document with more than one "
        "level: 1; lines that are no judgments: 1."
    )
    assert answer(text, "2.6")[:2] == [
        "- Topics without judgments: 1 (310).",
        "- Judged topics without words: 1 (999).",
    ]
    assert answer(text, "2.5")[1].endswith("Topics without such a document: 1 (999).")


def test_core17_is_answered_from_its_real_files(shared_data: Path) -> None:
    folder = shared_data / "osirrc_core17"
    files = (
        File.of_path(folder / "qrels.core17.txt", "qrels.core17.txt", "qrels"),
        File.of_path(folder / "topics.core17.txt", "topics.core17.txt", "topics"),
    )

    text = text_of(Thing("collection", "core17", "Core17", files=files))

    assert answer(text, "2.2")[:2] == [
        "- topics.core17.txt: 50 topics (598 lines, 24,444 bytes). Words of a topic: 1 to 5, median 3.",
        "- qrels.core17.txt: 30,030 judgments of 29,080 documents for 50 topics.",
    ]
    assert answer(text, "2.3")[0].startswith(
        "- qrels.core17.txt: documents judged for a topic: 331 to 965, median 588.5; all others are not judged."
    )
    assert answer(text, "2.5")[0] == (
        "- qrels.core17.txt: level 0: 21,028 (70.0 %), level 1: 5,549 (18.5 %), level 2: 3,453 (11.5 %)."
    )


def test_vaswani_has_judgments_of_relevant_documents_only(shared_data: Path) -> None:
    folder = shared_data / "vaswani"
    files = (
        File.of_path(folder / "qrels", "qrels", "qrels"),
        File.of_path(folder / "query-text.trec", "query-text.trec", "topics"),
    )

    text = text_of(Thing("collection", "vaswani", "Vaswani", files=files))

    assert answer(text, "2.5")[0] == "- qrels: level 1: 2,083 (100.0 %)."
    assert answer(text, "2.2")[1] == "- qrels: 2,083 judgments of 1,735 documents for 93 topics."


def test_a_question_that_data_cannot_answer_is_not_answered_and_listed() -> None:
    written = write(a_collection())

    text = written.files[0].read().decode()
    assert answer(text, "3.6") == ["*not answered*"]
    assert text.count("\n*not answered*\n") == 49
    assert written.remarks[0].startswith("49 of 57 questions are not answered: 1.1, 1.2, 1.3, 1.4, 2.8, 2.10, ")
    assert written.remarks[1] == "of the others, 3 are answered only in part: 2.3, 2.6, 2.9; complete them"


def test_an_experiment_is_answered_from_its_records() -> None:
    text = text_of(an_experiment())

    assert answer(text, "1.1")[0] == "- Does relevance feedback still help over a well-tuned baseline?"
    assert answer(text, "1.2")[:2] == ["- Jan van der Berg (h2oloo).", "- Ada Lovelace (h2oloo)."]
    assert answer(text, "2.2")[2] == (
        "- 2 runs, in which topics have 2 identifiers. Documents for a topic of a run: 1 to 2, median 1.5."
    )
    assert answer(text, "3.1")[0] == "- Made by the command: java -jar anserini.jar -bm25 -rm3"
    assert answer(text, "3.5")[0] == "- From 2026-11-16 to 2026-11-17. This is when the runs were made."
    assert answer(text, "4.1")[0] == "- stemmer: Porter"
    assert answer(text, "4.3")[0] == "- <https://github.com/castorini/anserini>, commit 9548cd6."
    assert answer(text, "5.1")[0] == "- For the publication SIGIR 2020 doi:10.1145/3397271.3401036."


def test_what_the_publisher_states_is_answered() -> None:
    text = text_of(an_experiment())

    assert answer(text, "6.2")[0] == "- doi:10.5281/zenodo.1234567."
    assert answer(text, "6.3")[0] == "- 2026-11-17."
    assert answer(text, "6.4")[0] == (
        "- Creative Commons Attribution 4.0 International. <https://spdx.org/licenses/CC-BY-4.0.html>"
    )
    assert answer(text, "7.1")[0] == "- Zenodo."


def test_facts_of_a_collection_are_told_and_those_on_pooling_where_they_are_asked_for() -> None:
    thing = replace(a_collection(), facts={"ir_datasets": "nyt", "pool": "75 runs to depth 100", "people": ["x"]})

    text = text_of(thing)

    assert answer(text, "2.16")[:2] == ["- ir\\_datasets: nyt.", "- pool: 75 runs to depth 100."]
    assert answer(text, "3.3")[0] == "- pool: 75 runs to depth 100."
    assert write(thing).lost[-1] == "1 fact (people)"


def test_a_secret_in_a_command_is_not_handed_on() -> None:
    thing = replace(a_run(implementation={"executable": {"cmd": "search --api-key hunter2secret"}}), kind="experiment")

    assert "hunter2secret" not in text_of(thing)


def test_what_is_not_carried_is_listed() -> None:
    lost = write(an_experiment()).lost

    assert "platform.hardware: 6 values" in lost
    assert lost[-3:] == (
        "the content of 2 runs",
        "the content of 1 file of judgments",
        "the content of 1 file of topics",
    )


def test_the_same_thing_gives_the_same_bytes() -> None:
    assert text_of(an_experiment()) == text_of(an_experiment())
