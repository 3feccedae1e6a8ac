"""Does the API keep to its own description, whatever it is asked?  A smoke test over all operations.

Every answer has a status, a type of content and a form that the description has, and none says that the site failed.
"""

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from primad.store import database
from tests.web.live import LiveSite, serving
from tests.web.people import Everybody

pytestmark = pytest.mark.slow

EXAMPLES = 4  # of what fits the description, and of what does not, for each operation
TOO_LONG = 414  # an address that the server itself takes for an attack
CHECKS = [
    schemathesis.checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def live(site_template: tuple[Path, Everybody], tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """Return a site that answers."""
    folder, people = site_template
    place = tmp_path_factory.mktemp("asked")
    shutil.copytree(folder, place / "data")
    with serving(place / "data", people, place / "home") as site:
        yield site
    database.close()


def operations(live: LiveSite) -> list[Any]:
    """Return all operations; the one by which the token that is used here can be revoked comes last."""
    schema = schemathesis.openapi.from_url(f"{live.address}/api/v1/openapi.json")
    found: list[Any] = [one.ok() for one in schema.get_all_operations() if isinstance(one, Ok)]
    return sorted(found, key=lambda one: (one.method, one.path.rpartition("/v1")[2]) == ("delete", "/tokens/{key}"))


def test_every_operation_answers_as_the_description_says(live: LiveSite) -> None:
    headers = {"Authorization": f"Bearer {live.token('organiser')}"}
    *asked, last = operations(live)
    statuses: Counter[int] = Counter()

    for operation in (*asked, last):
        for mode in GenerationMode:

            @given(case=operation.as_strategy(generation_mode=mode))
            @settings(
                max_examples=EXAMPLES,
                database=None,
                deadline=None,
                derandomize=True,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            def answers(case: Any) -> None:
                answer = case.call(headers=headers, timeout=60)
                if answer.status_code == TOO_LONG:
                    return
                case.validate_response(answer, checks=CHECKS)
                statuses[0 if case.operation is last else answer.status_code] += 1

            with suppress(Unsatisfiable):  # what cannot be asked wrongly
                answers()

    assert last.path.endswith("/tokens/{key}")
    assert statuses[401] == 0, "the token was lost on the way"
    assert statuses[200] > len(asked) / 3
    assert statuses[422] > len(asked) / 3
    assert statuses.total() > 4 * len(asked)
