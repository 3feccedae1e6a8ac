"""How does a link reach somebody?

send_invitation   by mail, if a mail server is set and takes it
send_reset        the link for a new password, likewise
link_of           the whole address of an invitation, to be shown where no mail is sent
"""

from __future__ import annotations

import logging
from smtplib import SMTPException

from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.urls import reverse

from primad.accounts.models import Invitation
from primad.web import served

_LOG = logging.getLogger("django.primad.mail")
_KINDS = {
    "administrator": "an administrator",
    "user": "a user",
    "organiser": "an organiser",
    "team": "a member of a team",
    "analyst": "an analyst",
}


def link_of(request: HttpRequest, secret: str, name: str = "invited") -> str:
    """Return the whole address of the page NAME for the SECRET of a link, as browsers reach this site."""
    return str(request.build_absolute_uri(reverse(name, args=[secret])))


def send_invitation(request: HttpRequest, invitation: Invitation, secret: str) -> bool:
    """Send the link of INVITATION to its address, and tell whether a mail server took it; else it has to be shown."""
    where = (
        f"the replication track {invitation.track}" if invitation.track else "a site for runs and replication tracks"
    )
    text = (
        f"{invitation.by} invites you as {_KINDS[invitation.kind]} of {where}.\n\n"
        f"Follow this link, which works once, until {invitation.expires_at:%Y-%m-%d %H:%M} UTC:\n\n"
        f"{link_of(request, secret)}\n"
    )
    return _sent(invitation.email, f"You are invited to {where}", text)


def send_reset(email: str, link: str) -> bool:
    """Send LINK, by which a new password is set, to EMAIL, and tell whether a mail server took it."""
    text = (
        f"Somebody, we hope you, asked for a new password.  Set it here; the link works once, for a day:\n\n{link}\n\n"
        "If it was not you, do nothing: your password stays what it is.\n"
    )
    return _sent(email, "A new password", text)


def _sent(to: str, subject: str, text: str) -> bool:
    """Tell whether a mail server took a mail."""
    if not served.site().mail or not to:
        return False
    try:
        return bool(EmailMessage(subject, text, to=[to]).send())
    except (OSError, SMTPException, ValueError) as error:
        _LOG.error("a mail could not be sent (%s)", type(error).__name__)
        return False
