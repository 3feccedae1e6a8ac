"""Which addresses do the pages on people have?"""

from __future__ import annotations

from typing import Any

from django.urls import path

from primad.web.people import account, managing, passwords, signing

URLS: list[Any] = [
    path("sign-in/", signing.sign_in, name="sign-in"),
    path("sign-out/", signing.sign_out, name="sign-out"),
    path("invitations/<str:secret>/", signing.invited, name="invited"),
    path("enter/<str:secret>/", signing.entered, name="enter"),
    path("forgotten/", passwords.forgotten, name="forgotten"),
    path("new-password/<str:secret>/", passwords.new_password, name="new-password"),
    path("account/", account.account, name="account"),
    path("account/name/", account.rename, name="account-name"),
    path("account/password/", passwords.change, name="account-password"),
    path("account/tokens/", account.make_token, name="account-tokens"),
    path("account/tokens/<int:key>/revoke/", account.revoke_token, name="account-token-revoke"),
    path("people/", managing.everybody, name="people"),
    path("people/invite/", managing.invite, name="people-invite"),
    path("people/invitations/<int:key>/revoke/", managing.revoke, name="people-invitation-revoke"),
    path("people/<int:key>/password/", managing.password, name="people-password"),
    path("people/<int:key>/keep-out/", managing.keep_out, name="people-keep-out"),
    path("people/<int:key>/let-in/", managing.let_in, name="people-let-in"),
]
