"""The site for a server that speaks WSGI: gunicorn primad.web.wsgi:application, settings by the environment."""

from __future__ import annotations

from primad.web.settings import configure, site_here

configure(site_here())

from django.core.wsgi import get_wsgi_application  # noqa: E402 - Django must be told before it is asked

from primad.store.actors import VISITOR, expect  # noqa: E402

expect(VISITOR)
application = get_wsgi_application()
