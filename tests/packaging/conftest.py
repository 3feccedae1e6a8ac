"""What is built is built once, and so is the environment that it is installed in."""

from pathlib import Path

import pytest

from tests.packaging.building import ROOT, Built, bare_environment, build, core_packages, install


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Return the wheel and the sdist of this checkout."""
    folder = build(ROOT, tmp_path_factory.mktemp("dist"), "wheel", "sdist")
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return Built(wheel, sdist)


@pytest.fixture(scope="session")
def bare(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of an environment in which the wheel is installed with no extra."""
    python = bare_environment(tmp_path_factory.mktemp("bare") / "environment", core_packages())
    install(python, built.wheel)
    return python
