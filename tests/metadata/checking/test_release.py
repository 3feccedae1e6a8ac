"""Does a released package stand in for repository and commit, and does nothing less?"""

from pathlib import Path

import pytest

from primad import check_file
from primad.metadata.checking.fields import check_fields, completeness, missing_fields
from primad.metadata.checking.files import Demands
from primad.metadata.checking.files import check_file as check_for
from primad.metadata.profile import load_profile
from primad.metadata.reading import Metadata, metadata_in
from primad.metadata.template import skeleton
from primad.safe_yaml import read_yaml
from tests.metadata.checking.complete import RECORD, run_with

REPOSITORY = "repository: 'https://example.org/team/code'"
COMMIT = "commit: 9548cd6"
RELEASE = "release: pyserini==0.36.0"


def stating(*facts: str) -> str:
    """Return the complete record whose implementation.source states the language and FACTS."""
    before = f"source: {{lang: [python], {REPOSITORY}, {COMMIT}}}"
    assert RECORD.count(before) == 1
    return RECORD.replace(before, f"source: {{{', '.join(('lang: [python]', *facts))}}}")


def read(text: str) -> Metadata:
    """Return the record in TEXT."""
    metadata = metadata_in(text.encode(), "m.yml")
    assert metadata is not None
    return metadata


def found(text: str) -> list[tuple[str, str, str]]:
    """Return what is wrong with the source of the record in TEXT: which field, how badly, and in what way."""
    findings = check_fields(read(text), load_profile())
    return [(one.field.removeprefix("implementation.source."), one.severity, one.code) for one in findings]


NOT_STATED = [("repository", "error", "missing"), ("commit", "error", "missing")]


@pytest.mark.parametrize(
    ("facts", "wrong"),
    [
        pytest.param((), NOT_STATED, id="none of them"),
        pytest.param((REPOSITORY, COMMIT), [], id="repository and commit"),
        pytest.param((RELEASE,), [], id="release"),
        pytest.param((RELEASE, REPOSITORY), [], id="release and repository"),
        pytest.param((RELEASE, REPOSITORY, COMMIT), [], id="all of them"),
        pytest.param((REPOSITORY,), NOT_STATED[1:], id="repository alone"),
        pytest.param((COMMIT,), NOT_STATED[:1], id="commit alone"),
        pytest.param(("release: null",), NOT_STATED, id="a release that is empty"),
        pytest.param(("release: ''",), NOT_STATED, id="a release without letters"),
        pytest.param(("release: '  '",), NOT_STATED, id="a release of blanks"),
        pytest.param(("release: {}",), [("release", "error", "type"), *NOT_STATED], id="an empty mapping"),
        pytest.param(("release: ENTER_VALUE_HERE",), [("release", "error", "placeholder")], id="a placeholder"),
        pytest.param(("release: primad",), [("release", "error", "encoding")], id="no version"),
        pytest.param(("release: 'primad=='",), [("release", "error", "encoding")], id="an empty version"),
        pytest.param(("release: 'primad>=0.1'",), [("release", "error", "encoding")], id="the least version"),
        pytest.param(("release: '==0.1'",), [("release", "error", "encoding")], id="a version of nothing"),
        pytest.param(("release: primad 0.1",), [("release", "error", "encoding")], id="words"),
        pytest.param(("release: [primad==0.1]",), [("release", "error", "type")], id="a list"),
    ],
)
def test_code_is_known_by_repository_and_commit_or_by_a_release_with_its_version(
    facts: tuple[str, ...], wrong: list[tuple[str, str, str]]
) -> None:
    assert found(stating(*facts)) == wrong


def test_what_a_release_should_look_like_is_said() -> None:
    (finding,) = check_fields(read(stating("release: primad")), load_profile())

    assert finding.message == "expected a package with its version, such as pyserini==0.36.0, found 'primad'"


def test_a_run_with_a_release_passes_the_check_and_one_without_any_does_not(tmp_path: Path) -> None:
    for name, facts in {"with.run": [RELEASE], "without.run": []}.items():
        (tmp_path / name).write_bytes(run_with(stating(*facts)))

    assert check_file(tmp_path / "with.run").findings == ()
    assert {one.severity for one in check_file(tmp_path / "without.run").findings} == {"error"}


def test_what_a_release_stands_in_for_is_neither_asked_nor_counted() -> None:
    profile = load_profile()
    released, located, silent = (read(stating(*facts)).record.tree for facts in ((RELEASE,), (REPOSITORY, COMMIT), ()))

    assert missing_fields(released, profile) == []
    assert [path for path, _ in missing_fields(silent, profile)] == [
        "implementation.source.repository",
        "implementation.source.commit",
    ]
    (of_released,) = [one for one in completeness(released, profile).components if one.component == "implementation"]
    (of_located,) = [one for one in completeness(located, profile).components if one.component == "implementation"]
    assert of_released.essential_stated == of_released.essential == of_located.essential - 2


# Tasks -------------------------------------------------------------------------------------------------------


def errors_for_longeval(folder: Path, source: str) -> set[str]:
    """Return which fields of implementation are wrong for LongEval, if its source is stated as SOURCE."""
    path = folder / "metadata.yml"
    path.write_text(f"tag: a\nimplementation: {{source: {source}}}\n", encoding="utf-8")
    checked = check_for(str(path), Demands("longeval2026"))
    return {one.field for one in checked.findings if one.field.startswith("implementation") and one.severity == "error"}


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        pytest.param("{release: pyserini==0.36.0}", {"implementation.source.repository"}, id="release"),
        pytest.param("{repository: ours}", set(), id="a name will do"),
        pytest.param("{lang: [python]}", {"implementation.source.repository"}, id="neither"),
    ],
)
def test_a_task_that_demands_a_repository_takes_no_release_for_it(source: str, wrong: set[str], tmp_path: Path) -> None:
    assert errors_for_longeval(tmp_path, source) == wrong


def test_a_task_with_demands_of_its_own_has_none_of_the_conditions_of_the_schema() -> None:
    fields = {field.path: field for field in load_profile("longeval2026").schema.fields}

    assert (fields["implementation.source.repository"].only_if, fields["implementation.source.repository"].unless) == (
        "implementation",
        "",
    )
    assert fields["implementation.source.commit"].unless == ""


# Templates ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", ["ir_metadata", "longeval2026"])
def test_a_template_asks_for_no_release_for_it_is_optional(profile: str) -> None:
    assert "release:" not in skeleton(load_profile(profile))


def test_a_template_of_the_component_has_a_place_for_the_release_beside_repository_and_commit() -> None:
    text = skeleton(load_profile(), ["implementation"])

    source = read_yaml(text, "template").plain()["implementation"]["source"]
    assert {"repository", "commit", "release"} <= set(source)
    assert "(optional; example: pyserini==0.36.0)" in " ".join(text.replace("#", "").split())
