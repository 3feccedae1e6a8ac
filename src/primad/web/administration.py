"""How does Django find our administration?  By this alone: nothing is looked for in other applications.

Administration   the application; what is in it stands in primad.web.admin, which needs models and is loaded later
"""

from __future__ import annotations

from django.contrib.admin.apps import SimpleAdminConfig


class Administration(SimpleAdminConfig):
    """Django's administration with our rules."""

    default_site = "primad.web.admin.Office"
