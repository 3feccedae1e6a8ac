"""A site whose archive is open in this process."""

import pytest

from tests.web.small_site import SmallSite


@pytest.fixture
def shelf(site: SmallSite) -> SmallSite:
    """Return a small site; whoever signs in does so at its own database."""
    site.archive()
    return site
