"""How shall a result be printed for whoever asks from a terminal?

Printing   a form, and how wide a line may be
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Field

from primad.web.api.fields import Asking


class Printing(Asking):
    """The FORM of a text, how many characters fit a line (any number if null), and whether it has all topics."""

    form: Literal["table", "csv", "json", "latex"] = "table"
    width: Annotated[int, Field(ge=20, le=1_000)] | None = None
    per_topic: bool = False

    def options(self) -> dict[str, Any]:
        """Return the same as a job takes it."""
        return self.model_dump()
