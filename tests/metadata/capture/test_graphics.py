"""Are graphics cards described, and does a bad driver harm nobody?

No card can be had here, so the driver's program is a script that says what the real one says.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from primad.metadata.capture.graphics import graphics

Driver = Callable[[str], None]


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Driver:
    """Return a function that puts a script in the place of nvidia-smi, the only program on the path."""

    def write(script: str) -> None:
        program = tmp_path / "nvidia-smi"
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)

    monkeypatch.setenv("PATH", str(tmp_path))
    return write


def say(*lines: str) -> str:
    """Return a script that prints lines."""
    return "/usr/bin/printf '%s\\n' " + " ".join(f"'{line}'" for line in lines)


@pytest.mark.usefixtures("driver")
def test_without_a_driver_there_is_no_card() -> None:
    assert graphics() == {}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(
            ["NVIDIA RTX A6000, 49140"],  # 49140 * 1048576 = 51,527,024,640 bytes
            {"model": "NVIDIA RTX A6000", "memory": "51.5 GB", "number of gpus": 1},
            id="one card",
        ),
        pytest.param(
            ["NVIDIA RTX A6000, 49140", "NVIDIA RTX A6000, 49140"],
            {"model": "NVIDIA RTX A6000", "memory": "51.5 GB", "number of gpus": 2},
            id="two equal cards",
        ),
        pytest.param(
            ["NVIDIA A100-SXM4-40GB, 40536", "Tesla T4, 15360", "Tesla T4, 15360"],
            {"model": "NVIDIA A100-SXM4-40GB, Tesla T4", "number of gpus": 3},
            id="two kinds of cards",
        ),
        pytest.param(
            ["NVIDIA A40, 46068", "NVIDIA RTX A6000, 46068"],  # 46068 * 1048576 = 48,305,799,168 bytes
            {"model": "NVIDIA A40, NVIDIA RTX A6000", "memory": "48.3 GB", "number of gpus": 2},
            id="two kinds of cards with the same memory",
        ),
        pytest.param(
            ["NVIDIA A100, 40960", "NVIDIA A100, 81920"],
            {"model": "NVIDIA A100", "number of gpus": 2},
            id="one name for two kinds of cards",
        ),
        pytest.param(
            ["Tesla T4, 15360", "NVIDIA GB10, [N/A]"],
            {"model": "Tesla T4, NVIDIA GB10", "number of gpus": 2},
            id="memory of one card not told",
        ),
        pytest.param(
            ["Tesla M40, 11444"],  # 11444 * 1048576 = 11,999,903,744 bytes
            {"model": "Tesla M40", "memory": "12 GB", "number of gpus": 1},
            id="a whole number",
        ),
        pytest.param(["NVIDIA GB10, [N/A]"], {"model": "NVIDIA GB10", "number of gpus": 1}, id="memory not told"),
        pytest.param(
            ["GeForce 210, 512"], {"model": "GeForce 210", "memory": "0.5 GB", "number of gpus": 1}, id="half a GB"
        ),
        pytest.param(["No devices were found"], {}, id="no card"),
        pytest.param(
            ["", ",", "x", "A, b, c", "\x1b[31mA, 5", ", 49140", "A, 99999999999999", "A" * 200 + ", 1"],
            {},
            id="no sense",
        ),
        pytest.param(
            ["warning: old driver", "Tesla T4, 15360"],
            {"model": "Tesla T4", "memory": "16.1 GB", "number of gpus": 1},
            id="a card after a warning",
        ),
    ],
)
def test_cards_are_read_from_what_the_driver_says(
    driver: Driver, lines: list[str], expected: dict[str, object]
) -> None:
    driver(say(*lines))

    assert graphics() == expected


def test_the_driver_is_asked_for_name_and_memory_without_units(driver: Driver, tmp_path: Path) -> None:
    driver(f"echo \"$@\" > '{tmp_path}/asked'")

    graphics()

    asked = (tmp_path / "asked").read_text(encoding="utf-8")
    assert asked == "--query-gpu=name,memory.total --format=csv,noheader,nounits\n"


def test_a_driver_that_fails_is_not_believed(driver: Driver) -> None:
    driver(say("Tesla T4, 15360") + "; exit 9")

    assert graphics() == {}


def test_a_driver_that_never_ends_is_left_behind(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("primad.metadata.capture.graphics"), "_PATIENCE", 1.0)
    driver(say("Tesla T4, 15360") + "; exec /bin/sleep 1000")

    assert graphics() == {}


def test_bytes_without_end_are_not_collected(driver: Driver) -> None:
    driver("exec /usr/bin/yes 'Tesla T4, 15360'")

    assert graphics() == {}


def test_bytes_that_are_no_text_are_not_taken_for_a_card(driver: Driver) -> None:
    driver("/usr/bin/printf 'Te\\377sla, 15360\\n\\000\\001\\n'")

    assert graphics() == {}
