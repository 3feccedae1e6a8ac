"""Does the schema page list every field with its reason, and lead to no file of the server?"""

import html
import json

import pytest

from primad.archive import rights as of_archive
from primad.metadata.profile import load_profile
from primad.metadata.schema import load_schema
from primad.metadata.typed import json_schema
from primad.track import rights as of_track
from primad.track.sight import SEEN
from tests.web.small_site import SmallSite

SCRIPT = "<script>alert(1)</script>"


def text_of(site: SmallSite, address: str, **query: str) -> str:
    return html.unescape(site.client().get(address, query).content.decode())


def test_every_field_is_listed_with_its_meaning_and_its_reason(site: SmallSite) -> None:
    text = text_of(site, "/schema/")

    fields = load_profile().schema.fields
    missing = [one.path for one in fields if f"<code>{one.path}</code>" not in text or one.meaning not in text]
    assert missing == []
    assert [one.path for one in fields if one.why and one.why not in text] == []
    assert f"{len(fields)} of {len(fields)} fields." in text


def test_a_search_shows_the_fields_that_have_all_words(site: SmallSite) -> None:
    text = text_of(site, "/schema/", words="ORCID actor")

    assert "<code>actor.orcid</code>" in text
    assert "<code>tag</code>" not in text


def test_a_component_and_an_importance_are_shown_alone(site: SmallSite) -> None:
    text = text_of(site, "/schema/", component="actor", importance="essential")

    expected = [
        one.path for one in load_profile().schema.fields if (one.component, one.importance) == ("actor", "essential")
    ]
    assert text.count('<li id="field-') == len(expected)
    assert all(f"<code>{path}</code>" in text for path in expected)


def test_an_older_version_has_its_own_fields(site: SmallSite) -> None:
    assert f"of {len(load_schema('0.1').fields)} fields." in text_of(site, "/schema/0.1/")


def test_programs_get_the_schema_and_people_a_skeleton(site: SmallSite) -> None:
    answer = site.client().get("/schema/0.2/schema.json", {"profile": "longeval2026"})
    skeleton = site.client().get("/schema/0.2/skeleton.yaml").content.decode()

    assert json.loads(answer.content) == json_schema(load_profile("longeval2026").schema)
    assert "ENTER_VALUE_HERE" in skeleton


@pytest.mark.parametrize(
    "address",
    [
        "/schema/0.3/",
        "/schema/?profile=/etc/passwd",
        "/schema/0.2/schema.json?profile=../../x.yaml",
        "/annotate/?profile=/etc/passwd",
    ],
)
def test_no_version_and_no_profile_but_ours_is_read(site: SmallSite, address: str) -> None:
    answer = site.client().get(address)

    assert answer.status_code == 404
    assert "there are" in answer.content.decode()
    assert "root:" not in answer.content.decode()


def test_what_is_searched_for_becomes_no_script(site: SmallSite) -> None:
    page = site.client().get("/schema/", {"words": SCRIPT, "component": SCRIPT, "importance": SCRIPT}).content

    assert b"<script>alert" not in page
    assert b"No field has all of these words." in page


def test_the_page_on_roles_has_a_row_for_each_right_that_services_ask_for(site: SmallSite) -> None:
    text = text_of(site, "/roles/")

    rows = [one.what for one in of_archive.RIGHTS.values()] + [one.what for one in SEEN.values()]
    rows += [one.what for one in of_track.RIGHTS.values()]
    assert [what for what in rows if f'<th scope="row" class="long">{what}</th>' not in text] == []
    assert '<th scope="row" class="long">fill in and lock a sheet</th><td>the analyst</td>' in text
    assert '<th scope="row" class="long">make a track</th><td>administrators</td>' in text
    assert '<th scope="row" class="long">remove a run</th><td>whoever added the run, administrators</td>' in text
