"""Do the pages on collections show what is known of them, and can administrators say more?"""

import gzip
from dataclasses import replace
from tempfile import gettempdir

from django.conf import settings
from django.test import override_settings

from tests.web.archive.pages import Parsed, sent, shown, upload
from tests.web.small_site import QRELS, SmallSite, run_text


def test_collections_are_listed_with_their_judgments_and_runs(shelf: SmallSite) -> None:
    text = shown(shelf.client().get("/archive/collections/"))

    assert "/archive/collections/small/" in Parsed(text).links()
    assert '<td>small.qrels</td><td class="number">5</td><td class="number">3</td>' in text
    assert "Describe a new collection" not in text


def test_a_collection_shows_progress_in_a_chart_and_in_sentences(shelf: SmallSite) -> None:
    text = shown(shelf.client().get("/archive/collections/small/"))

    assert "map on small over the years" in text
    assert "From 2018 to 2020 the best map went from 0.4319 to 0.6429" in text
    assert '<tr><th scope="row">alpha</th><td>bm25</td><td class="number">3</td></tr>' in text
    assert "in use" in text


def test_a_collection_by_a_measure_without_scores_says_so(shelf: SmallSite) -> None:
    client = shelf.client()

    assert "has both a year and a score by bpref." in shown(client.get("/archive/collections/small/?measure=bpref"))
    assert "unknown measure &#39;nothing&#39;" in shown(client.get("/archive/collections/small/?measure=nothing"))


def test_a_collection_without_judgments_shows_its_runs_all_the_same(shelf: SmallSite) -> None:
    upload(shelf.client("user"), "add", sent(new__run=run_text("new", 5)), collection="unjudged")

    text = shown(shelf.client().get("/archive/collections/unjudged/"))

    assert "This collection has no judgments, so its runs have no scores." in text
    assert ">new</a>" in text


def test_a_collection_is_found_by_any_of_its_names_and_an_unknown_one_is_not(shelf: SmallSite) -> None:
    client = shelf.client()

    assert client.get("/archive/collections/SMALL/")["Location"] == "/archive/collections/small/"
    assert client.get("/archive/collections/smal/").status_code == 404


def test_an_administrator_describes_a_collection_whose_name_has_anything_in_it(shelf: SmallSite) -> None:
    client = shelf.client("administrator")
    name = "disks45/nocr & <more>"

    answer = client.post("/archive/collections/", {"name": name, "qrels": sent(other__qrels=QRELS), "also": "d45, x"})
    text = shown(client.get(answer["Location"]))

    assert answer.status_code == 303
    assert "<h1>disks45/nocr &amp; &lt;more&gt;</h1>" in text
    assert "d45, " in text
    assert "No run on it is in sight." in text


def test_an_administrator_gives_a_collection_judgments_and_a_profile(shelf: SmallSite) -> None:
    client = shelf.client("administrator")
    fewer = "".join(f"{line}\n" for line in QRELS.splitlines() if not line.startswith("5 "))

    client.post("/archive/collections/small/", {"qrels": sent(fewer__qrels=fewer), "profile": "longeval2026"})

    (facts,) = shelf.archive().collections()
    assert [(one.name, one.topics, one.is_current) for one in facts.qrels] == [
        ("small.qrels", 5, False),
        ("fewer.qrels", 4, True),
    ]
    assert facts.profile == "longeval2026"


def test_what_is_no_judgments_and_no_profile_is_refused_by_its_name(shelf: SmallSite) -> None:
    client = shelf.client("administrator")

    swapped = client.post("/archive/collections/small/", {"qrels": sent(mine__run=run_text("x"))})
    wrong = client.post("/archive/collections/small/", {"profile": "/etc/passwd"})
    own = client.post("/archive/collections/small/", {"own_profile": sent(mine__yml="title: nothing\n")})

    assert [one.status_code for one in (swapped, wrong, own)] == [422, 422, 422]
    assert "mine.run" in shown(swapped)
    assert gettempdir() not in shown(swapped) + shown(own)
    assert "expected one of the profiles ir_metadata, longeval2026, found" in shown(wrong)
    assert len(shelf.archive().collections()[0].qrels) == 1


def test_judgments_that_unpack_to_too_much_are_refused(shelf: SmallSite) -> None:
    bomb = gzip.compress(b"1 0 d 1\n" * (1 << 19))
    with override_settings(PRIMAD=replace(settings.PRIMAD, upload_limit=1 << 20)):
        answer = shelf.client("administrator").post("/archive/collections/small/", {"qrels": sent(q__gz=bomb)})

    assert answer.status_code == 422
    assert "unpacks to more than 1,048,576 bytes" in shown(answer)
    assert len(shelf.archive().collections()[0].qrels) == 1
