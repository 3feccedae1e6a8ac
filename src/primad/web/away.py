"""What is said while the database of the site cannot be used?

is_away   whether an error comes from it
away      what everybody is told of such an error

Where the database is, and who uses it, is no business of whoever asks: they are told when to come again, and the log
says what the database said.
"""

from __future__ import annotations

import logging

from django.db import Error, InterfaceError, OperationalError

from primad.errors import PrimadError, TooBusy
from primad.metadata.secrets import redact

CUT_OFF = (InterfaceError, OperationalError)  # what a database that is not there says, whatever it was asked
_SECONDS = 5  # in which a database that is started anew may be back
_SAID = "the database of this site cannot be used now; nothing that was accepted is lost; ask again in a while"

_LOG = logging.getLogger("django.primad.database")


def is_away(error: object) -> bool:
    """Tell whether ERROR comes from a database that cannot be used, and not from what was asked."""
    return isinstance(error.__cause__, Error) if isinstance(error, PrimadError) else isinstance(error, CUT_OFF)


def away(error: BaseException) -> TooBusy:
    """Return what everybody is told of ERROR, which comes from the database; the log gets what the database said."""
    said = error.__cause__ or error
    _LOG.error("%s", redact(" ".join(str(said).split())) or type(said).__name__)
    return TooBusy(_SAID, _SECONDS)
