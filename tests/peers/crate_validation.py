"""What does the validator of RO-Crates say?  A program for the environment of rocrate_validator (see Makefile).

crate_validation.py CONTEXT CACHE CRATE...    print what it finds in each CRATE, as JSON

CRATE is a folder or a zip.  There is no network: the file CONTEXT is put into the CACHE of the validator, under the
address at which RO-Crate 1.1 keeps its terms, and the validator may ask nothing but this cache.
"""

from __future__ import annotations

import io
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

ADDRESS = "https://w3id.org/ro/crate/1.1/context"
PROFILE = "process-run-crate-0.5"


def fill(cache: str, context: Path) -> None:
    """Put the file CONTEXT into the CACHE as what is at ADDRESS."""
    adapters, urllib3 = import_module("requests.adapters"), import_module("urllib3")

    class Answering(adapters.HTTPAdapter):  # type: ignore[misc, name-defined]
        def send(self, request: Any, **_: Any) -> Any:
            body = io.BytesIO(context.read_bytes())
            headers = {"Content-Type": "application/ld+json"}
            answer = urllib3.HTTPResponse(body, headers, status=200, preload_content=False, request_url=ADDRESS)
            return self.build_response(request, answer)

    with import_module("requests_cache").CachedSession(cache, backend="sqlite", expire_after=-1) as session:
        session.mount(ADDRESS, Answering())
        session.get(ADDRESS)


def found(cache: str, crate: str) -> dict[str, Any]:
    """Return what the validator says of CRATE: which checks were done, which were not, and what does not hold."""
    result = import_module("rocrate_validator.services").validate(
        {
            "rocrate_uri": crate,
            "profile_identifier": PROFILE,
            "requirement_severity": "RECOMMENDED",
            "cache_path": cache,
            "offline": True,
        }
    )
    return {
        "checks": sorted({check.name for check in result.executed_checks}),
        "skipped": {detail.check.name: detail.message for detail in result.skipped_check_details},
        "issues": sorted(
            {
                (issue.severity.name, issue.check.name, issue.message or "", str(issue.violatingEntity or ""))
                for issue in result.get_issues()
            }
        ),
    }


def main(context: str, cache: str, *crates: str) -> None:
    """Print what is found in CRATES."""
    fill(cache, Path(context))
    print(json.dumps({crate: found(cache, crate) for crate in crates}))  # noqa: T201 - this is what it is for


if __name__ == "__main__":
    main(*sys.argv[1:])
