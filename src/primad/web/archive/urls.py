"""Which addresses do the pages on the archive have?"""

from __future__ import annotations

from typing import Any

from django.urls import path

from primad.web.archive import assessing, collecting, comparing, searching, showing, uploading

URLS: list[Any] = [
    path("", searching.search, name="archive"),
    path("evaluate/", searching.evaluate, name="archive-evaluate"),
    path("runs/<str:address>/", showing.run, name="archive-run"),
    path("runs/<str:address>/baselines/", showing.baselines, name="archive-run-baselines"),
    path("runs/<str:address>/reproductions/", showing.reproductions, name="archive-run-reproductions"),
    path("runs/<str:address>/file/", showing.with_header, name="archive-run-file"),
    path("runs/<str:address>/ranking/", showing.bare, name="archive-run-ranking"),
    path("runs/<str:address>/record/", showing.record, name="archive-run-record"),
    path("runs/<str:address>/remove/", showing.remove, name="archive-run-remove"),
    path("runs/<str:address>/bring-back/", showing.bring_back, name="archive-run-bring-back"),
    path("compare/", comparing.compare, name="archive-compare"),
    path("assess/", assessing.assess, name="archive-assess"),
    path("upload/", uploading.upload, name="archive-upload"),
    path("collections/", collecting.collections, name="archive-collections"),
    path("collections/<path:name>/", collecting.collection, name="archive-collection"),
]
