"""How long has somebody to wait who asks for too much, or too often?

TooMuch   the error that says so; every page and the API tell it with the status 429, and when to come again
"""

from __future__ import annotations

from primad.errors import NotAllowed


class TooMuch(NotAllowed):
    """Something that is too much now; in SECONDS it may be asked again."""

    def __init__(self, problem: str, seconds: int) -> None:
        """Say what the PROBLEM is, and how long to wait."""
        self.seconds = seconds
        super().__init__(problem)
