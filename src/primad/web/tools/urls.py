"""Which addresses do the pages of this room have?"""

from __future__ import annotations

from typing import Any

from django.urls import path

from primad.web.names import KEY
from primad.web.tools import annotate, jobs, qra, results, roles, schema

URLS: list[Any] = [
    path("precision/", qra.precision, name="qra"),
    path(f"results/{KEY}/", results.result, name="result"),
    path(f"results/{KEY}/report.zip", results.report, name="result-report"),
    path(f"results/{KEY}/files/<path:path>", results.file, name="result-file"),
    path(f"results/{KEY}/remove/", results.remove, name="result-remove"),
    path(f"results/{KEY}/bring-back/", results.bring_back, name="result-bring-back"),
    path("jobs/", jobs.mine, name="jobs"),
    path(f"jobs/{KEY}/", jobs.job, name="job"),
    path(f"jobs/{KEY}/cancel/", jobs.cancel, name="job-cancel"),
    path(f"jobs/{KEY}/again/", jobs.again, name="job-again"),
    path("schema/", schema.schema, name="schema"),
    path("schema/<str:version>/", schema.schema, name="schema-version"),
    path("schema/<str:version>/schema.json", schema.as_json, name="schema-json"),
    path("schema/<str:version>/skeleton.yaml", schema.skeleton, name="schema-skeleton"),
    path("annotate/", annotate.annotate, name="annotate"),
    path("roles/", roles.roles, name="roles"),
]
