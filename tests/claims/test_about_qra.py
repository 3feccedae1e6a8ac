"""Is what docs/comparison.md says about other programs for CV* true, as far as it can be shown without them?"""

from __future__ import annotations

import pytest

import primad

# The seven values in small_sample_cv.py of asbelz/coeff-var, and what its comment says that they give.
VALUES = [84.51, 84.50, 87.46, 85.60, 84.20, 86.61, 86.20]
PRINTED = 1.5616560359100269


def test_cv_star_is_what_the_authors_program_prints() -> None:
    assert primad.cv_star(VALUES) == pytest.approx(PRINTED, abs=1e-12)


def test_the_later_definition_leaves_out_a_factor() -> None:
    assert primad.cv_star(VALUES, variant="qra3") == pytest.approx(PRINTED / (1 + 1 / 28), abs=1e-12)
