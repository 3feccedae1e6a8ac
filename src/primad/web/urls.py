"""Which addresses does the site have?  Every page and every endpoint is found from here."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from primad.web import home
from primad.web.api import api
from primad.web.archive.urls import URLS as ARCHIVE
from primad.web.people.urls import URLS as PEOPLE
from primad.web.tools.urls import URLS as TOOLS
from primad.web.track.urls import URLS as TRACK

urlpatterns = [
    path("", home.home, name="home"),
    path("", include(PEOPLE)),
    path("archive/", include(ARCHIVE)),
    path("tracks/", include(TRACK)),
    path("", include(TOOLS)),
    path("api/v1/", api.urls),
    path("admin/", admin.site.urls),
]
handler400 = "primad.web.home.unreadable"
handler404 = "primad.web.home.not_found"
handler500 = "primad.web.home.broken"
