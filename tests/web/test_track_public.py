"""Do readers see what there is to see of a track, and nothing before its time?"""

import io
import re
import zipfile
from itertools import product
from pathlib import Path

import pytest
from django.urls import reverse

from primad.errors import UsageError
from primad.reports.track.facts import TrackReport
from primad.store.actors import acting, keeper
from primad.track import models
from primad.track.track import Track
from primad.web.track import drawn
from primad.web.track.forms import values_in
from tests.track import small
from tests.web.small_site import SmallSite
from tests.web.track_stories import asked, at_database, at_results, obeyed, plain, published, text

TRACK = "/tracks/demo/"
RUN = "/tracks/demo/submissions/alpha/run1/"
EVIL = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>"


@pytest.fixture(autouse=True)
def _spoken_to(site: SmallSite) -> None:
    at_database(site)


def without_track() -> None:
    """Take the only track away."""
    for model in (models.Assignment, models.Output, models.System, models.Submission, models.Track):
        model.objects.all().delete()


# All tracks ----------------------------------------------------------------------------------------------------------


def test_the_list_of_tracks_says_the_phase_and_the_next_date_with_its_zone(site: SmallSite) -> None:
    at_results(site, "2031-05-01")

    page = plain(site.client().get("/tracks/"))

    assert "A small track results closes 2031-05-01 23:59 UTC" in page


@pytest.mark.parametrize(
    ("role", "next_step"),
    [
        pytest.param("visitor", "An administrator makes one; ask whoever runs this site.", id="visitor"),
        pytest.param("administrator", "Make the first track", id="administrator"),
    ],
)
def test_where_there_is_no_track_it_is_said_how_one_is_made(site: SmallSite, role: str, next_step: str) -> None:
    without_track()

    page = plain(site.client(role).get("/tracks/"))

    assert "There is no track here yet." in page
    assert next_step in page


# A track -------------------------------------------------------------------------------------------------------------


def test_phases_are_steps_with_dates_and_the_current_one_is_marked(site: SmallSite) -> None:
    at_results(site, "2031-05-01T12:00:00+02:00")

    page = text(site.client().get(TRACK))

    steps = re.findall(r"<li class=\"([a-z-]+)\"( aria-current=\"step\")?><strong>([a-z-]+)</strong>", page)
    assert [(name, place, bool(current)) for place, current, name in steps] == [
        ("set-up", "over", False),
        ("results", "now", True),
        ("systems", "to-come", False),
        ("assignment", "to-come", False),
        ("replication", "to-come", False),
        ("adjudication", "to-come", False),
        ("published", "to-come", False),
    ]
    assert "closes 2031-05-01 10:00 UTC" in plain(site.client().get(TRACK))


def test_a_visitor_hears_nothing_of_teams_submissions_and_analysts_before_publication(site: SmallSite) -> None:
    page = plain(site.client().get(TRACK))

    assert "2 teams and 1 submission so far" in page
    assert not {"alpha", "beta", "run1", "Ann", "Dan"} & set(re.findall(r"\w+", page))
    assert "is shown here once the track is published" in page


def test_it_is_said_what_is_possible_now_and_for_whom(site: SmallSite) -> None:
    page = plain(site.client().get(TRACK))

    assert "withdraw a submission teams, of what is theirs, organisers" in page
    assert "submit results" not in page  # which was possible in another phase


@pytest.mark.parametrize(
    ("role", "link"),
    [
        pytest.param("member", "/tracks/demo/teams/alpha/", id="team"),
        pytest.param("analyst", "/tracks/demo/analysts/ann/", id="analyst"),
        pytest.param("organiser", "/tracks/demo/organise/", id="organiser"),
    ],
)
def test_whoever_takes_part_is_led_to_their_part(site: SmallSite, role: str, link: str) -> None:
    assert f'href="{link}"' in text(site.client(role).get(TRACK))
    assert f'href="{link}"' not in text(site.client("user").get(TRACK))


def test_next_steps_are_told_in_words_and_commands_stay_behind_a_detail(site: SmallSite) -> None:
    page = text(site.client("analyst").get(TRACK))

    assert "run the system of alpha/run1</a> <details" in page
    command = "primad track replay alpha/run1 --analyst ann --server http://testserver --track demo"
    assert f"<summary>by command line</summary><code>{command}</code>" in page


def test_the_history_of_a_submission_says_yes_and_no(site: SmallSite) -> None:
    with acting(keeper()):
        site.track().decide("alpha/run1", eligible=True, reason="complete")

    page = plain(site.client("organiser").get(f"{TRACK}submissions/alpha/run1/"))

    assert "(eligible: yes, reason: complete)" in page


def test_a_team_is_told_on_the_page_of_the_track_that_a_question_waits(site: SmallSite) -> None:
    asked(site, "Which locale does it need?")

    assert "An analyst has asked something on alpha/run1" in plain(site.client("member").get(TRACK))
    assert "An analyst has asked" not in plain(site.client("rival").get(TRACK))


def test_once_published_everybody_sees_submissions_verdicts_and_the_way_to_the_report(
    site: SmallSite, tmp_path: Path
) -> None:
    published(site, tmp_path)

    answer = site.client().get(TRACK)

    assert 'href="/tracks/demo/report/"' in text(answer)
    assert "1 alpha/run1 default test succeeded identical bytes" in plain(answer)
    assert "2 alpha/run1 default test succeeded .01 or more apart" in plain(answer)
    assert "Submissions by state" in plain(answer)
    assert "<svg" in text(answer)


def test_a_name_with_dots_has_a_page(site: SmallSite) -> None:
    with acting(keeper()):
        Track.init(site.folder, "clef.2016_v-1", "With dots")

    assert 'href="/tracks/clef.2016_v-1/"' in text(site.client().get("/tracks/"))
    assert site.client().get("/tracks/clef.2016_v-1/").status_code == 200


def test_a_track_that_is_not_there_is_not_found(site: SmallSite) -> None:
    answer = site.client().get("/tracks/demi/")

    assert answer.status_code == 404
    assert "no track is called 'demi'; did you mean 'demo'?" in plain(answer)


# A submission --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["alpha/run1", "alpha/nothing", "nobody/run1"])
def test_another_team_is_told_the_same_of_what_it_may_not_know_and_of_what_is_not_there(
    site: SmallSite, address: str
) -> None:
    answer = site.client("rival").get(f"/tracks/demo/submissions/{address}/")

    assert answer.status_code == 404
    assert f"no submission is called '{address}'; there is none that you may see" in plain(answer)


@pytest.mark.parametrize("address", ["alpha/run1", "nobody/nothing"])
def test_a_visitor_is_asked_to_sign_in_whether_there_is_something_or_not(site: SmallSite, address: str) -> None:
    path = f"/tracks/demo/submissions/{address}/"

    assert site.client().get(path).headers["Location"] == f"/sign-in/?next={path.replace('/', '%2F')}"


def test_a_visitor_is_not_asked_to_sign_in_for_what_a_published_track_has_not(site: SmallSite, tmp_path: Path) -> None:
    published(site, tmp_path)

    assert site.client().get("/tracks/demo/submissions/alpha/nothing/").status_code == 404


def test_a_team_sees_its_scores_by_a_hidden_gold_standard_only_once_the_track_is_published(
    site: SmallSite, tmp_path: Path
) -> None:
    before = plain(site.client("member").get(RUN))
    published(site, tmp_path)
    after = plain(site.client("member").get(RUN))

    assert "not shown before publication" in before
    assert "0.8000" not in before
    assert "f1 not stated 0.8000" in after
    assert "f1 is 0.6000 where 0.8000 was submitted, 0.2000 lower" in after


def test_a_published_submission_shows_a_visitor_outputs_and_verdicts_but_neither_system_nor_contact(
    site: SmallSite, tmp_path: Path
) -> None:
    published(site, tmp_path)

    page = plain(site.client().get(RUN))

    assert "default@test/output.tsv (35 bytes)" in page
    assert "The replicated output is the submitted one, byte for byte (f1 0.8000)." in page
    assert not [one for one in ("coders@example.org", "alpha.tar.gz", "transcript") if one in page]


def test_the_system_is_shown_to_its_team_and_its_analysts_by_version(site: SmallSite) -> None:
    for role in ("member", "analyst", "organiser"):
        page = plain(site.client(role).get(RUN))
        assert "Version 1 the newest counts" in page
        assert "Prerequisites python3 >=3.8 Contact coders@example.org" in page


# Files ---------------------------------------------------------------------------------------------------------------


def test_a_submitted_output_is_handed_out_as_it_came_and_never_as_a_page(site: SmallSite) -> None:
    address = reverse("track-file", args=["demo", "output", "alpha/run1", "default@test/output.tsv"])

    answer = site.client("analyst").get(address)

    assert answer.content == small.OUTPUT
    assert answer.headers["Content-Disposition"] == 'attachment; filename="output.tsv"'
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_inputs_come_as_one_archive_to_those_who_take_part(site: SmallSite) -> None:
    answer = site.client("rival").get("/tracks/demo/files/inputs/coding/test/")

    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "demo-inputs-coding-test/texts.tsv": small.TEXTS
        }
    assert site.client("user").get("/tracks/demo/files/inputs/coding/test/").status_code == 403


def test_files_are_linked_for_those_who_may_have_them(site: SmallSite) -> None:
    link = 'href="/tracks/demo/files/inputs/coding/test/">inputs</a> (1 file)'

    assert link in text(site.client("member").get(TRACK))
    assert "inputs, for those who take part" in plain(site.client().get(TRACK))
    assert "files/gold" not in text(site.client("organiser").get(TRACK))
    models.DataSet.objects.update(public=True)
    assert 'href="/tracks/demo/files/gold/coding/test/"' in text(site.client().get(TRACK))


def test_more_files_than_can_be_packed_at_once_are_refused_with_a_sentence(site: SmallSite) -> None:
    files = models.DataSet.objects.get().inputs
    more = [models.File(files=files, path=f"{place}.txt", digest="0" * 64, size=1 << 20) for place in range(257)]
    models.File.objects.bulk_create(more)

    answer = site.client("member").get("/tracks/demo/files/inputs/coding/test/")

    assert answer.status_code == 422
    assert "expected at most 20,000 files or 256 MB to pack at once, found 258 files" in plain(answer)


@pytest.mark.parametrize("role", ["user", "member", "analyst"])
def test_a_hidden_gold_standard_is_handed_out_to_organisers_only(site: SmallSite, tmp_path: Path, role: str) -> None:
    published(site, tmp_path)
    address = reverse("track-file", args=["demo", "gold", "coding/test", "gold.tsv"])

    answer = site.client(role).get(address)

    assert answer.status_code == 403
    assert "j11" not in text(answer)
    assert site.client("organiser").get(address).content == small.GOLD


@pytest.mark.parametrize(
    ("address", "status"),
    [
        pytest.param(
            "/tracks/demo/files/output/alpha/run1/-/../../../primad.sqlite3", 404, id="path out of its folder"
        ),
        pytest.param("/tracks/demo/files/output/alpha/run1/-/default@test/missing", 404, id="no such file"),
        pytest.param("/tracks/demo/files/secrets/alpha/run1/-/x", 422, id="no such kind"),
        pytest.param("/tracks/demo/files/result/999999999999999999999/-/x", 404, id="number that no column holds"),
        pytest.param("/tracks/demo/files/result/1/-/output.tsv", 404, id="attempt that nobody made"),
        pytest.param("/tracks/demo/files/transcript/0/", 404, id="attempt zero"),
    ],
)
def test_a_file_that_is_not_there_is_told_in_a_sentence(site: SmallSite, address: str, status: int) -> None:
    answer = site.client("organiser").get(address)

    assert answer.status_code == status
    assert "This did not work" in text(answer)


# The report ----------------------------------------------------------------------------------------------------------


def test_before_publication_organisers_alone_see_the_report_and_are_told_so(site: SmallSite) -> None:
    page = plain(site.client("organiser").get("/tracks/demo/report/"))

    assert "Nobody but organisers sees this yet." in page
    assert site.client("member").get("/tracks/demo/report/").status_code == 403


def test_a_published_report_is_a_page_with_its_tables_and_figures_for_everybody(
    site: SmallSite, tmp_path: Path
) -> None:
    published(site, tmp_path)

    answer = site.client().get("/tracks/demo/report/")

    page = text(answer)
    assert "Nobody but organisers" not in page
    assert page.count("<h1") == 1
    for heading in ("Systems", "Machines", "Human time and run time", "Scores by question", "Verdicts"):
        assert re.search(rf"<h2[^>]*>{heading}", page), heading
    assert page.count('role="img"') == 2  # times, and differences of scores


@pytest.mark.slow
def test_the_report_can_be_downloaded_as_a_folder_in_all_formats(site: SmallSite, tmp_path: Path) -> None:
    published(site, tmp_path)

    answer = site.client().get("/tracks/demo/report/files/")

    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        names = {Path(name).suffix for name in archive.namelist()}
        assert {name.partition("/")[0] for name in archive.namelist()} == {"demo-report"}
    assert names == {".html", ".tex", ".csv", ".json", ".svg", ".pdf", ".png"}


def test_a_report_is_drawn_once_and_again_when_it_says_something_else(site: SmallSite, tmp_path: Path) -> None:
    published(site, tmp_path)
    with acting(keeper()):
        first, second = site.track().report(), site.track().report()
        models.Track.objects.update(title="Another title")
        changed = site.track().report()

    def fragment(report: TrackReport) -> str:
        return str(drawn.fragment_of(report))

    assert first.made_at != second.made_at
    assert fragment(first) == fragment(second)
    assert "Another title" not in fragment(second)
    assert "Another title" in fragment(changed)


# Whatever others wrote -----------------------------------------------------------------------------------------------


def test_markup_in_whatever_others_wrote_is_shown_and_never_obeyed(site: SmallSite, tmp_path: Path) -> None:
    number = asked(site, EVIL)
    with acting(keeper()):
        track = site.track()
        track.answer(number, EVIL)
        track.stop(number, "abandoned", reason=EVIL)
    published(site, tmp_path)
    models.Track.objects.update(title=EVIL, about=EVIL, source=EVIL)
    models.Task.objects.update(title=EVIL, about=EVIL)
    models.DataSet.objects.update(about=EVIL)
    models.Team.objects.update(title=EVIL, contact=EVIL)
    models.Submission.objects.update(title=EVIL, about=EVIL, reason=EVIL)
    models.System.objects.update(operating_system=EVIL, language=EVIL, instructions=EVIL)
    models.File.objects.update(path=EVIL.replace("/", ""))

    for path in ("/tracks/", TRACK, "/tracks/demo/teams/alpha/", RUN, "/tracks/demo/report/"):
        page = site.client("organiser").get(path)
        assert "&lt;script&gt;" in text(page), path
        assert obeyed(page) == [], path


@pytest.mark.slow
def test_no_page_has_style_or_script_of_its_own(site: SmallSite, tmp_path: Path) -> None:
    published(site, tmp_path)
    paths = ("/tracks/", TRACK, "/tracks/demo/teams/alpha/", RUN, "/tracks/demo/report/")

    for role, path in product(("visitor", "member", "analyst", "organiser"), paths):
        answer = site.client(role).get(path)
        assert answer.status_code == 200, path
        assert obeyed(answer) == [], path
        assert text(answer).count("<h1") == 1, path


def test_a_value_that_is_no_number_is_refused_with_its_line() -> None:
    with pytest.raises(UsageError, match="expected a number for f1, found 'high'"):
        values_in("f1 high")
    with pytest.raises(UsageError, match=r"such as 'f1 0\.81' in each line, found 'f1'"):
        values_in("f1")
    with pytest.raises(UsageError, match=r"expected each name once in each line, found 'f1 0\.2'"):
        values_in("f1 0.1\nf1 0.2")
    with pytest.raises(UsageError, match="expected a number for f1, found 'nan'"):
        values_in("f1 nan")


def test_an_organiser_is_led_from_what_is_next_to_the_page_where_it_is_done(site: SmallSite) -> None:
    for address in (TRACK, f"{TRACK}organise/"):
        page = text(site.client("organiser").get(address))
        assert '<a href="/tracks/demo/organise/">move the track on to adjudication</a>' in page

    assert '<a href="/tracks/demo/organise/">move' not in text(site.client("analyst").get(TRACK))


def test_the_way_to_a_report_names_the_track_by_its_title(site: SmallSite) -> None:
    page = text(site.client("organiser").get("/tracks/demo/report/"))

    assert '<a href="/tracks/demo/">A small track</a>' in page
