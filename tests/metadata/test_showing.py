"""Is text from strangers shown without doing anything?"""

from __future__ import annotations

import pytest

from primad.metadata.showing import harmless


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("\x1b[2J", r"\x1b[2J", id="an escape sequence"),
        pytest.param("\x9b2J", r"\x9b2J", id="an escape sequence of one byte"),
        pytest.param("a\nb\tc", r"a\nb\tc", id="a second line"),
        pytest.param("a\u2028b", r"a\u2028b", id="a separator of lines"),
        pytest.param("a\u202eb", r"a\u202eb", id="another direction"),
        pytest.param("a\u2066b", r"a\u2066b", id="an isolated direction"),
        pytest.param("\udcff", r"\udcff", id="a byte that is no text"),
        pytest.param("Grün → τ <b>", "Grün → τ <b>", id="nothing of the kind"),
    ],
)
def test_what_steers_a_terminal_is_written_out(text: str, shown: str) -> None:
    assert harmless(text) == shown


def test_what_lays_out_a_page_can_be_kept_and_nothing_else_is() -> None:
    assert harmless("a\n\tb\r\x07", keep="\n\t") == "a\n\tb\\r\\x07"
