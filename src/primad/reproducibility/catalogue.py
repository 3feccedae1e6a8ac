"""Every reproducibility measure there is: ours, family by family, and those that others have registered.

    measures      all of them by name
    get_measure   one of them
    measure       the line above a formula of one's own; here the names of ours are taken already

Values that come without a formula of topics (mean score, p-value, effect size, costs) are not among them.
"""

from __future__ import annotations

# A family registers its measures when it is imported; their order here is that of reports.
from primad.reproducibility import effects, order_measures, score_error
from primad.reproducibility.registry import get_measure, measure, measures

FAMILIES = (order_measures, score_error, effects)

__all__ = ["FAMILIES", "get_measure", "measure", "measures"]
