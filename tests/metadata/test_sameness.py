"""When two values of a field say the same."""

from __future__ import annotations

from typing import Any

import pytest

from primad.metadata.paths import parse
from primad.metadata.sameness import says_the_same


@pytest.mark.parametrize(
    ("field", "one", "other"),
    [
        pytest.param("actor.name", "Ada", "Ada", id="equal"),
        pytest.param(
            "implementation.source.repository", "git@a.org:me/x.git", "https://a.org/me/x", id="ssh and https"
        ),
        pytest.param("implementation.source.commit", "9548cd6", "9548CD6f2a1b", id="short commit"),
        pytest.param("platform.operating system.kernel", "5.4.0-90", "GNU/Linux 5.4.0-90", id="system named"),
        pytest.param("platform.hardware.ram", "64 GB", "67.3 GB", id="sold and measured"),
    ],
)
def test_the_same_thing_written_otherwise_is_the_same(field: str, one: Any, other: Any) -> None:
    assert says_the_same(parse(field), one, other)
    assert says_the_same(parse(field), other, one)


@pytest.mark.parametrize(
    ("field", "one", "other"),
    [
        pytest.param("implementation.source.repository", "https://a.org/me/x", "https://a.org/you/x", id="repository"),
        pytest.param("implementation.source.commit", "9548cd6", "9548cd7", id="commit"),
        pytest.param("platform.operating system.kernel", "5.4.0-90", "Linux 5.4.0-91", id="kernel"),
        pytest.param("platform.hardware.ram", "64 GB", "58 GB", id="memory"),
        pytest.param("platform.hardware.ram", "64 GB", "64 MB", id="unit"),
        pytest.param("platform.hardware.cpu.number of cores", 8, "8", id="number and text"),
        pytest.param("method.automatic", True, False, id="flag"),
    ],
)
def test_other_things_are_not_the_same(field: str, one: Any, other: Any) -> None:
    assert not says_the_same(parse(field), one, other)
    assert not says_the_same(parse(field), other, one)
