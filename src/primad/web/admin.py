"""What do administrators see and change in Django's administration?

    Office      the administration: it uses our page to sign in, and only administrators are in it
    Looked      something to look at; nobody adds, changes or removes it here
    People      users: their names, whether they are let in, whether they administer
    Roles       what users are in tracks, which can be taken back
    Links       invitations, which can be revoked
    Keys        tokens, which can be revoked

Whatever is changed here goes the way that pages and commands go, so that it is in the log.  The log itself, runs,
tracks, jobs and results are there to look at.  Digests of secrets and of passwords are not shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import urlencode

from primad.accounts import inviting, people, tokens
from primad.accounts.administering import promote
from primad.accounts.models import Invitation, Membership, Token, User
from primad.archive.models import Collection, Run
from primad.errors import NotAllowed
from primad.store.models import Event, Job, Result
from primad.track.models import Track
from primad.web.people.signing import sign_out

View = Callable[..., HttpResponse]
_METHODS = ("GET", "HEAD", "POST")


class Office(admin.AdminSite):
    """The administration of the site."""

    site_header = site_title = "primad: administration"
    index_title = "What there is"
    enable_nav_sidebar = False
    final_catch_all_view = False

    def __init__(self, name: str = "admin") -> None:
        """List what is in it."""
        super().__init__(name)
        for model, shown in _SHOWN.items():
            self.register(model, shown)

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # noqa: FBT001, FBT002 - as Django calls it
        """Return VIEW for administrators only, and for the methods that forms have."""
        inner: View = super().admin_view(view, cacheable)

        @wraps(inner)
        def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method not in _METHODS:
                return HttpResponseNotAllowed(_METHODS)
            if not self.has_permission(request):
                raise NotAllowed("only administrators of this site look at this")
            return inner(request, *args, **kwargs)

        return answered

    def get_urls(self) -> list[Any]:
        """Return the addresses that are used: no hidden ones for what nobody does here."""
        unused = ("autocomplete", "view_on_site", "password_change_done")
        return [one for one in super().get_urls() if getattr(one, "name", "") not in unused]

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Go to the page of the site where everybody signs in."""
        del extra_context
        if request.method not in _METHODS:
            return HttpResponseNotAllowed(_METHODS)
        after = request.GET.get("next") or reverse("admin:index")
        return HttpResponseRedirect(f"{reverse('sign-in')}?{urlencode({'next': after})}")

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Go to the page where everybody changes their password."""
        del request, extra_context
        return HttpResponseRedirect(reverse("account"))

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Let somebody go as every other page does."""
        del extra_context
        return sign_out(request)


class Looked(admin.ModelAdmin):
    """Something to look at."""

    actions: ClassVar[Any] = None
    list_per_page = 50
    show_full_result_count = False

    def get_urls(self) -> list[Any]:
        """Return the addresses to look at all and at one; there are none to add or to remove."""
        return [one for one in super().get_urls() if str(one.name).endswith(("_changelist", "_change", "_history"))]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let nobody add one."""
        del request, obj
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let nobody change one."""
        del request, obj
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let nobody remove one."""
        del request, obj
        return False


class Events(Looked):
    """What was changed, when and by whom."""

    list_display = ("at", "whom", "verb", "subject")
    list_filter = ("verb",)
    search_fields = ("whom", "subject")
    ordering = ("-pk",)


class Runs(Looked):
    """Runs of the archive, by their tags."""

    list_display = ("__str__", "collection", "team", "year", "added_at", "removed_at")
    search_fields = ("tag",)
    ordering = ("-pk",)


class Tracks(Looked):
    """Tracks."""

    list_display = ("slug", "title", "phase", "created_at")


class Jobs(Looked):
    """Long work."""

    list_display = ("title", "kind", "owner", "state", "why", "created_at")
    exclude = ("result", "arguments")  # which have the keys of results, and what somebody sent
    list_filter = ("state", "kind")
    ordering = ("-pk",)


class Results(Looked):
    """Results that are kept; whoever knows the key of one sees it, so keys are not listed."""

    list_display = ("title", "kind", "owner", "made_at", "removed_at")
    exclude = ("key",)
    ordering = ("-pk",)


class People(Looked):
    """Users."""

    list_display = ("email", "name", "is_active", "is_administrator", "created_at", "last_login")
    list_filter = ("is_active", "is_administrator")
    search_fields = ("email", "name")
    fields = ("email", "name", "is_active", "is_administrator", "created_at", "last_login")
    readonly_fields = ("email", "created_at", "last_login")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let administrators change users."""
        del obj
        return bool(request.user.is_administrator)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: Any) -> None:
        """Change what FORM says is changed, each by the service that writes it down."""
        del request, change
        if "name" in form.changed_data:
            people.change(obj, name=obj.name)
        if "is_active" in form.changed_data:
            people.activate(obj, active=obj.is_active)
        if "is_administrator" in form.changed_data:
            promote(obj, administrator=obj.is_administrator)


class Revocable(Looked):
    """Something that can be made useless, by a function of its key."""

    actions: ClassVar[Any] = ["revoke_them"]

    @staticmethod
    def revoke(key: int) -> None:
        """Make the one with this KEY useless."""
        raise NotImplementedError

    @admin.action(description="Revoke what is chosen", permissions=["view"])
    def revoke_them(self, request: HttpRequest, chosen: Iterable[Any]) -> None:
        """Revoke what is CHOSEN."""
        keys = [one.pk for one in chosen]
        for key in keys:
            self.revoke(key)
        messages.success(request, f"{len(keys)} revoked.")


class Roles(Revocable):
    """What users are in tracks."""

    list_display = ("user", "track", "kind", "slug", "since")
    list_filter = ("track", "kind")

    @staticmethod
    def revoke(key: int) -> None:
        """Take the role with this KEY back."""
        role = Membership.objects.select_related("user").get(pk=key)
        people.withdraw(role.user, role.track, role.kind, role.slug)


class Links(Revocable):
    """Invitations."""

    revoke = staticmethod(inviting.revoke)
    list_display = ("email", "kind", "track", "slug", "by", "expires_at", "used_at", "revoked_at")
    exclude = ("digest",)
    ordering = ("-pk",)


class Keys(Revocable):
    """Tokens."""

    revoke = staticmethod(tokens.revoke)
    list_display = ("name", "user", "scopes", "created_at", "expires_at", "used_at", "revoked_at")
    exclude = ("digest",)
    ordering = ("-pk",)


class Collections(Looked):
    """Test collections of the archive."""


_SHOWN: dict[Any, type[admin.ModelAdmin]] = {
    User: People,
    Membership: Roles,
    Invitation: Links,
    Token: Keys,
    Event: Events,
    Run: Runs,
    Collection: Collections,
    Track: Tracks,
    Job: Jobs,
    Result: Results,
}
