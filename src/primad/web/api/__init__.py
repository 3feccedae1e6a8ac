"""The site for programs: everything that a page does, under /api/v1, with a description (OpenAPI).

    api            the API; its parts are the modules beside this one
    describing     the description: every answer, every error
    problems       errors, as problem details (RFC 9457)
    fields         what is asked, with bounds
    paging         long lists in parts
    idempotency    the same question asked twice

Programs sign in by a token: Authorization: Bearer primad_...
"""

from __future__ import annotations

from primad.web.api import archive, archiving, jobs, people, problems, qra, results, tracks
from primad.web.api.describing import Api

PARTS = (archive, archiving, jobs, people, qra, results)  # a module adds its questions when it is imported

api = Api(
    title="primad",
    version="1",
    description="How well was an experiment reproduced, and why?  Runs, assessments, measurements and tracks.",
    urls_namespace="api",
    docs_url="/docs",
)
problems.register(api)
api.add_router("", people.router, tags=["people"])
api.add_router("/archive", archive.router, tags=["archive"])
api.add_router("/qra", qra.router, tags=["precision"])
api.add_router("/jobs", jobs.router, tags=["jobs"])
api.add_router("/results", results.router, tags=["results"])
api.add_router("/tracks", tracks.router, tags=["tracks"])
