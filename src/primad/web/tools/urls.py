"""Which addresses do the pages of this room have?"""

from __future__ import annotations

from typing import Any

from django.urls import path

from primad.web.tools import annotate, jobs, qra, results, roles, schema

URLS: list[Any] = [
    path("precision/", qra.precision, name="qra"),
    path("results/<str:key>/", results.result, name="result"),
    path("results/<str:key>/report.zip", results.report, name="result-report"),
    path("results/<str:key>/files/<path:path>", results.file, name="result-file"),
    path("results/<str:key>/remove/", results.remove, name="result-remove"),
    path("results/<str:key>/bring-back/", results.bring_back, name="result-bring-back"),
    path("jobs/", jobs.mine, name="jobs"),
    path("jobs/<str:key>/", jobs.job, name="job"),
    path("jobs/<str:key>/cancel/", jobs.cancel, name="job-cancel"),
    path("jobs/<str:key>/again/", jobs.again, name="job-again"),
    path("schema/", schema.schema, name="schema"),
    path("schema/<str:version>/", schema.schema, name="schema-version"),
    path("schema/<str:version>/schema.json", schema.as_json, name="schema-json"),
    path("schema/<str:version>/skeleton.yaml", schema.skeleton, name="schema-skeleton"),
    path("annotate/", annotate.annotate, name="annotate"),
    path("roles/", roles.roles, name="roles"),
]
