"""Is a path taken only if it is that of one file below its folder, and can be shown?"""

import pytest

from primad.errors import FileError
from primad.safe_paths import LONGEST, is_safe_path, safe_path


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("run.txt", id="a name"),
        pytest.param("a/b c/d.e", id="folders and blanks"),
        pytest.param("größe/数据", id="other letters"),
        pytest.param("..a/b..", id="dots in names"),
        pytest.param("x" * LONGEST, id="as long as may be"),
    ],
)
def test_a_path_below_its_folder_is_taken_as_it_is(path: str) -> None:
    assert is_safe_path(path)
    assert safe_path(path) == path


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        pytest.param("", "one that is empty", id="nothing"),
        pytest.param("/etc/passwd", "begins at the root", id="absolute"),
        pytest.param("../a", "has '.', '..' or nothing", id="up"),
        pytest.param("a/../b", "has '.', '..' or nothing", id="up inside"),
        pytest.param("a/..", "has '.', '..' or nothing", id="up at the end"),
        pytest.param("a//b", "nothing for a part", id="an empty part"),
        pytest.param("a/", "nothing for a part", id="an empty end"),
        pytest.param("./a", "has '.', '..' or nothing", id="another name of a file"),
        pytest.param("a\\b", "a backslash", id="backslash"),
        pytest.param("a\nb", "a line break", id="end of line"),
        pytest.param("a\x00b", "another character that cannot be shown", id="null"),
        pytest.param("a\u202eb", "another character that cannot be shown", id="direction of writing"),
        pytest.param("a\udcffb", "another character that cannot be shown", id="no UTF-8"),
        pytest.param("x" * (LONGEST + 1), "one of 1,001 characters", id="too long"),
    ],
)
def test_any_other_path_is_refused_in_words_that_can_be_shown(path: str, fault: str) -> None:
    assert not is_safe_path(path)
    with pytest.raises(FileError, match=f"expected the path of a file below its folder, found .*{fault}") as caught:
        safe_path(path)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < LONGEST
