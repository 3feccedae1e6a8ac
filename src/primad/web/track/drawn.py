"""Which report has been drawn already?  Figures take long, and a report changes seldom.

    fragment_of   a report as a part of a page
    zip_of        a report as a folder in all formats, packed

A report is known again by all that it says, so that nothing that is shown is ever old.  What was drawn is kept in this
process, the last few of them.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from markupsafe import Markup

from primad.reports.files import report_files, zipped
from primad.reports.track.facts import TrackReport
from primad.reports.track.page import track_fragment
from primad.reports.track.pictures import drawings
from primad.reports.track.values import track_json
from primad.web import drawing

_MOST = 8
_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)
_kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()


def fragment_of(report: TrackReport) -> Markup:
    """Return REPORT as a part of a page; everything in it was escaped when it was made."""
    text = _made("page", report, lambda: track_fragment(report, list(drawings(report))).encode())
    return Markup(text.decode())  # noqa: S704 - we rendered and escaped it ourselves


def zip_of(report: TrackReport) -> bytes:
    """Return REPORT as a folder in all formats, packed."""
    return _made("zip", report, lambda: _packed(report))


def _packed(report: TrackReport) -> bytes:
    """Return the files of REPORT, packed."""
    return zipped(report_files(report, pictures=("svg", "pdf", "png")), f"{report.slug}-report")


def _made(form: str, report: TrackReport, make: Callable[[], bytes]) -> bytes:
    """Return REPORT in a FORM, made unless it was made before."""
    said = track_json(replace(report, made_at=_NO_TIME))  # when it was made changes nothing that it says
    key = (form, hashlib.sha256(said.encode()).hexdigest())
    with drawing.alone():
        if key not in _kept:
            _kept[key] = make()
        _kept.move_to_end(key)
        while len(_kept) > _MOST:
            _kept.popitem(last=False)
        return _kept[key]
