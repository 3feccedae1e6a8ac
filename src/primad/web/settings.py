"""What is Django told?  Everything comes from the environment, and nothing secret has a default.

    Site        what can be set of a site
    site_here   as the environment says
    configure   tell Django
    is_here     whether a host is this machine
    Discreet    lines of a log without the secrets of links

The variables are listed in ENVIRONMENT, with what they are for.
"""

from __future__ import annotations

import base64
import binascii
import logging
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from primad.errors import UsageError
from primad.store import database

HERE = Path(__file__).resolve().parent
ENVIRONMENT = {
    "PRIMAD_ARCHIVE": "the data folder that the site serves",
    "PRIMAD_DATABASE": "the address of a PostgreSQL, with its password",
    "PRIMAD_SECRET_KEY": "32 random bytes in URL-safe base64; else a key in the configuration folder of the user",
    "PRIMAD_HOSTS": "the names of the site, with commas between, such as runs.example.org",
    "PRIMAD_HTTPS": "1 where browsers reach the site by https, as behind a proxy that speaks it",
    "PRIMAD_HSTS_PRELOAD": "1 where browsers may insist on https before their first visit, and for names below, too",
    "PRIMAD_PROXIES": "the addresses or networks of proxies, with commas between; else those on this machine",
    "PRIMAD_PRIVATE": "1 where only users see the archive",
    "PRIMAD_UPLOAD_LIMIT": "the largest upload in MB, 512 if not set",
    "PRIMAD_MAIL": "a mail server such as smtp://user:password@mail.example.org:587; else links are shown",
    "PRIMAD_MAIL_FROM": "the address that mails come from",
}
PROXIES = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_KEY_BYTES = 32
_APPS = (
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "primad.web.administration.Administration",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_tasks",
    "django_tasks_db",
    "ninja",
    "primad.web",
)
_MIDDLEWARE = (
    "primad.web.middleware.forwarded",
    "primad.web.middleware.policy",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "primad.web.middleware.acting_person",
    "primad.web.middleware.moderation",
    "primad.web.middleware.privacy",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "primad.web.middleware.explaining",
)
_VALIDATORS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("UserAttributeSimilarityValidator", {"user_attributes": ("email", "name")}),
    ("MinimumLengthValidator", {"min_length": 10}),
    ("CommonPasswordValidator", {}),
    ("NumericPasswordValidator", {}),
)


@dataclass(frozen=True)
class Site:
    """What can be set: the data FOLDER, the names of its HOSTS, whether it is reached by HTTPS, and limits.

    HSTS_PRELOAD lets browsers insist on https before their first visit, and for all names below those of the site.
    What PROXIES say about whose question they hand on is believed, and from nobody else.
    A PRIVATE site shows its archive to users only.  UPLOAD_LIMIT is in bytes.  MAIL is the address of a mail server.
    """

    folder: str = ""
    hosts: tuple[str, ...] = LOOPBACK
    https: bool = False
    hsts_preload: bool = False
    proxies: tuple[IPv4Network | IPv6Network, ...] = PROXIES
    private: bool = False
    upload_limit: int = 512_000_000
    mail: str = ""
    mail_from: str = ""


def site_here(environment: Mapping[str, str] = os.environ, **given: Any) -> Site:
    """Return the site as the ENVIRONMENT says, where nothing else is GIVEN."""
    hosts = tuple(one.strip() for one in environment.get("PRIMAD_HOSTS", "").split(",") if one.strip())
    if any("*" in host or "/" in host for host in hosts):
        raise UsageError("expected names in PRIMAD_HOSTS, such as runs.example.org, found something else")
    said: dict[str, Any] = {
        "folder": environment.get("PRIMAD_ARCHIVE", ""),
        "hosts": hosts or LOOPBACK,
        "https": _is_on(environment, "PRIMAD_HTTPS"),
        "hsts_preload": _is_on(environment, "PRIMAD_HSTS_PRELOAD"),
        "proxies": _networks(environment.get("PRIMAD_PROXIES", "")) or PROXIES,
        "private": _is_on(environment, "PRIMAD_PRIVATE"),
        "upload_limit": _megabytes(environment.get("PRIMAD_UPLOAD_LIMIT", "512")),
        "mail": environment.get("PRIMAD_MAIL", ""),
        "mail_from": environment.get("PRIMAD_MAIL_FROM", ""),
    }
    return Site(**(said | {name: value for name, value in given.items() if value is not None}))


def _is_on(environment: Mapping[str, str], name: str) -> bool:
    """Tell whether the variable NAME says yes."""
    value = environment.get(name, "").strip().lower()
    if value not in ("", "0", "no", "false", "1", "yes", "true"):
        raise UsageError(f"expected {name}=1 or 0, found '{value:.40}'")
    return value in ("1", "yes", "true")


def _networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Return the networks in TEXT, which has commas between them; an address is a network of one."""
    try:
        return tuple(ip_network(one.strip()) for one in text.split(",") if one.strip())
    except ValueError:
        raise UsageError(
            f"expected PRIMAD_PROXIES with addresses or networks, such as 10.88.0.0/16, found '{text:.80}'"
        ) from None


_MOST_MEGABYTES = 1_000_000


def _megabytes(text: str) -> int:
    """Return the number of bytes that TEXT says in MB."""
    if not text.isdecimal() or not 1 <= int(text) <= _MOST_MEGABYTES:
        raise UsageError(f"expected PRIMAD_UPLOAD_LIMIT in MB, such as 512, found '{text:.40}'")
    return int(text) * 1_000_000


def configure(site: Site) -> None:
    """Tell Django of SITE, if nobody has told it anything yet."""
    from primad.track.secrets import derived

    _refuse_weak_key(os.environ.get("PRIMAD_SECRET_KEY", ""))
    database.configure(
        _APPS,
        PRIMAD=site,
        SECRET_KEY=derived("primad.web"),
        DEBUG=False,
        ALLOWED_HOSTS=list(site.hosts),
        ROOT_URLCONF="primad.web.urls",
        MIDDLEWARE=list(_MIDDLEWARE),
        TEMPLATES=_templates(),
        MESSAGE_STORAGE="django.contrib.messages.storage.session.SessionStorage",
        AUTH_PASSWORD_VALIDATORS=[
            {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
            for name, options in _VALIDATORS
        ],
        LOGIN_URL="sign-in",
        TASKS={"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": []}},
        TIME_ZONE="UTC",
        FORMAT_MODULE_PATH="primad.web.formats",  # in the administration, too, a time has its zone
        USE_I18N=False,
        DATA_UPLOAD_MAX_MEMORY_SIZE=min(site.upload_limit, 32 << 20),  # of what is no file
        DATA_UPLOAD_MAX_NUMBER_FILES=200,
        FILE_UPLOAD_PERMISSIONS=0o600,
        LOGGING=_logging(),
        **_static(),
        **_cookies(site),
        **_mail(site),
    )


def _refuse_weak_key(key: str) -> None:
    """Refuse a KEY that somebody could guess; an empty one is none, and the one in its file is used."""
    try:
        length = len(base64.b64decode(key.encode(), altchars=b"-_", validate=True))
    except (binascii.Error, ValueError):
        length = 0
    if key and length != _KEY_BYTES:
        raise UsageError(
            "expected PRIMAD_SECRET_KEY with 32 random bytes in URL-safe base64, found something else; make one with: "
            "python -c 'import base64, os; print(base64.urlsafe_b64encode(os.urandom(32)).decode())'"
        )


def _templates() -> list[dict[str, Any]]:
    """Return where templates are: ours in Jinja2, those of the administration in Django's own language."""
    processors = ("request", "csrf")
    return [
        {
            "BACKEND": "django.template.backends.jinja2.Jinja2",
            "DIRS": [HERE / "templates"],
            "OPTIONS": {"environment": "primad.web.templating.environment"},
        },
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "DIRS": [HERE / "templates"],
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    *(f"django.template.context_processors.{one}" for one in processors),
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        },
    ]


def _static() -> dict[str, Any]:
    """Return where style sheets and scripts are; they come with the package, so nothing has to be collected."""
    styles = HERE.parent / "reports" / "templates" / "styles"
    return {
        "STATIC_URL": "/static/",
        "STATICFILES_DIRS": [("reports", styles)] if styles.is_dir() else [],
        "WHITENOISE_USE_FINDERS": True,
        "WHITENOISE_AUTOREFRESH": False,
        "WHITENOISE_MAX_AGE": 86400,
    }


def _cookies(site: Site) -> dict[str, Any]:
    """Return how SITE is protected in browsers."""
    secure = {
        "SECURE_SSL_REDIRECT": True,
        "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https"),
        "SECURE_HSTS_SECONDS": 31_536_000,
        # What is below the name of the site, and lists in browsers, are not ours to decide on.
        "SECURE_HSTS_INCLUDE_SUBDOMAINS": site.hsts_preload,
        "SECURE_HSTS_PRELOAD": site.hsts_preload,
        "SILENCED_SYSTEM_CHECKS": [] if site.hsts_preload else ["security.W005", "security.W021"],
        # Browsers take a cookie of such a name from this very host only, by https.
        "SESSION_COOKIE_NAME": "__Host-sessionid",
        "CSRF_COOKIE_NAME": "__Host-csrftoken",
        "CSRF_TRUSTED_ORIGINS": [f"https://{host}" for host in site.hosts if host not in LOOPBACK],
    }
    return {
        "SESSION_COOKIE_SECURE": site.https,
        "CSRF_COOKIE_SECURE": site.https,
        "CSRF_COOKIE_HTTPONLY": True,  # pages carry the token
        "CSRF_FAILURE_VIEW": "primad.web.pages.stale_form",
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_COOKIE_AGE": 14 * 24 * 3600,
        "SECURE_REFERRER_POLICY": "same-origin",
        "X_FRAME_OPTIONS": "DENY",
        **(secure if site.https else {}),
    }


def _mail(site: Site) -> dict[str, Any]:
    """Return how SITE sends mail, if it can."""
    if not site.mail:
        return {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
    parts = urlsplit(site.mail)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise UsageError("expected PRIMAD_MAIL such as smtp://user:password@mail.example.org:587, found something else")
    return {
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or (465 if parts.scheme == "smtps" else 587),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_USE_TLS": parts.scheme == "smtp" and (bool(parts.username) or not is_here(parts.hostname)),
        "EMAIL_TIMEOUT": 20,
        "DEFAULT_FROM_EMAIL": site.mail_from or unquote(parts.username or "") or "primad@localhost",
    }


def is_here(host: str) -> bool:
    """Tell whether HOST is this machine, so that what is sent there passes no network, and nobody else reaches it.

    >>> is_here("127.0.0.1"), is_here("localhost"), is_here("[::1]"), is_here("0.0.0.0"), is_here("127.example.org")
    (True, True, True, False, False)
    """
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _logging() -> dict[str, Any]:
    """Return what is written to the log of the process: what goes wrong, not who asks for what."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"()": "primad.web.settings.Discreet", "format": "%(asctime)s %(levelname)s %(name)s %(message)s"}
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "loggers": {
            "django": {"handlers": ["stderr"], "level": "ERROR", "propagate": False},
            # Whoever tries names of hosts could fill the log.
            "django.security.DisallowedHost": {"level": "CRITICAL"},
        },
    }


class Discreet(logging.Formatter):
    """Lines without the secrets of links and tokens: a link is an address, and addresses that fail are logged."""

    def format(self, record: logging.LogRecord) -> str:
        """Return RECORD as a line, and what follows it."""
        return re.sub(r"primad_[A-Za-z0-9_-]{8,}", "primad_...", super().format(record))
