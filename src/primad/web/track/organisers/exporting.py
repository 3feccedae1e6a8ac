"""How does a whole track leave the site?

export   a zip of YAML and files, without what is hidden
"""

from __future__ import annotations

import tempfile
import weakref
import zipfile
from pathlib import Path

from django.http import FileResponse, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from primad.web.track.organisers.office import organised


@require_GET
def export(request: HttpRequest, track: str) -> HttpResponse:
    """Hand over a track as a zip; gold standards that are hidden, secrets and sheets that are not locked stay here."""
    del request
    opened = organised(track)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / track
        opened.export(folder)  # which may be refused
        # Not in the memory: a track may hold many bundles.  The file has no name, so nobody has to remove it.
        packed = tempfile.TemporaryFile()  # noqa: SIM115 - the answer closes it when it was sent
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(folder.rglob("*")):
                archive.write(path, path.relative_to(place))
    packed.seek(0)
    answer = FileResponse(packed, as_attachment=True, filename=f"{track}.zip", content_type="application/zip")
    weakref.finalize(answer, packed.close)  # also where nobody waits for the answer
    return answer
