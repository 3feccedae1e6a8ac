"""How precise are the values that somebody sent, or that the archive has?

    Asked        what somebody asks: measurements, or runs of the archive, and how to look at them
    EXAMPLES     measurements to try it with, by the name of their study
    example      one of them
    material_of  the measurements that are asked about
    refuse_much  of a visitor, what is long or packed
    assessed     what is found
    fragment_of  the same as a part of a page
    kept         the same kept for good, with its report
    as_job       the same as long work

What is larger than MOST_AT_ONCE measurements is no matter for a page: it is a job.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from primad.archive.jobs import qra_page
from primad.errors import DataError, PairingError, UsageError
from primad.qra.assess import assess
from primad.qra.precision import VARIANTS
from primad.qra.reading.foreign import read_text
from primad.qra.reading.read import MAX_BYTES, read_measurements
from primad.store import jobs, results
from primad.store.actors import current
from primad.store.folder import DataFolder
from primad.store.jobs import JobFacts
from primad.trec.files import is_packed
from primad.web import drawing, served
from primad.web.tools.uploads import Upload

if TYPE_CHECKING:
    from primad.qra.material import Material
    from primad.qra.result import QuantifiedAssessment
    from primad.store.models import Result

MOST_AT_ONCE = 500  # which is drawn in a second or two
LARGEST = 8_000_000
MOST_OF_VISITORS = 200_000
EXAMPLES = ("nts", "pass", "essay")

_PASTED = "pasted text"
_MEASURES = ("map", "P_10")


@dataclass(frozen=True)
class Asked:
    """What somebody asks: a TEXT or an UPLOAD of measurements, or a QUERY for runs and MEASURES; and how.

    IN_ARCHIVE says that runs are meant.  BY are conditions that part groups, with commas between, as MEASURES have.
    """

    text: str = ""
    upload: Upload | None = None
    in_archive: bool = False
    query: str = ""
    measures: str = ", ".join(_MEASURES)
    by: str = ""
    variant: str = "acl2022"
    causes: bool = False
    title: str = ""

    @property
    def conditions(self) -> list[str]:
        """Return the conditions that part groups."""
        return _named(self.by)

    @property
    def wanted_measures(self) -> list[str]:
        """Return the measures by their names."""
        return _named(self.measures) or list(_MEASURES)


def _named(text: str) -> list[str]:
    """Return the names in TEXT, which has commas between them."""
    return [name for part in text.split(",") if (name := part.strip())]


def example(study: str) -> str:
    """Return the measurements of STUDY, one of EXAMPLES, as their file has them."""
    if study not in EXAMPLES:
        raise PairingError(f"there is no such example; there are {', '.join(EXAMPLES)}")
    folder = resources.files("primad.qra").joinpath("examples", "belz2022")
    return folder.joinpath(f"{study}.qra.yaml").read_text(encoding="utf-8")


def material_of(asked: Asked) -> Material:
    """Return the measurements that are ASKED about."""
    if asked.in_archive:
        found = served.archive().measurements(asked.query, asked.wanted_measures)
    else:
        given = _given(asked)
        refuse_much(given.data)
        found = read_measurements(given.data, name=given.name)
    if not found.measurements and not found.labels:
        why = " ".join(f"{one.rstrip('.')}." for one in found.remarks)
        raise DataError(f"there is nothing to assess, neither measurements nor labels. {why}".rstrip())
    return found


def refuse_much(data: bytes) -> None:
    """Refuse DATA that a visitor sent if it is long or packed: to read it takes long, and anybody can be a visitor."""
    if current().is_known:
        return
    if len(data) > MOST_OF_VISITORS or is_packed(data):
        most = f"{MOST_OF_VISITORS // 1000} kB"
        found = "a packed file" if is_packed(data) else f"{len(data) / 1e3:,.0f} kB"
        raise UsageError(f"expected at most {most} of plain text from a visitor, found {found}; sign in first")


def _given(asked: Asked) -> Upload:
    """Return what was pasted or uploaded, if it is one of the two."""
    if asked.upload and asked.text.strip():
        raise UsageError("expected measurements either pasted or as a file, found both; empty one of the two")
    if asked.upload:
        return asked.upload
    if not asked.text.strip():
        raise UsageError("expected measurements, found none; paste some, choose a file, or load the example")
    return Upload(_PASTED, asked.text.encode("utf-8", "replace"))


def assessed(material: Material, asked: Asked) -> QuantifiedAssessment:
    """Return how precise the values of MATERIAL are, looked at as is ASKED."""
    variant = next((one for one in VARIANTS if one == asked.variant), None)
    if variant is None:
        raise UsageError(f"expected one of {', '.join(VARIANTS)} as variant of CV*, found '{asked.variant:.40}'")
    return assess(material, variant=variant, by=asked.conditions, causes=asked.causes)


def fragment_of(found: QuantifiedAssessment) -> str:
    """Return what was FOUND as a part of a page."""
    with drawing.alone():
        return qra_page(found)


def kept(folder: DataFolder, found: QuantifiedAssessment, title: str) -> Result:
    """Return what was FOUND, kept in FOLDER under TITLE with its report."""
    from primad.reports.files import report_files

    with drawing.alone():
        files, fragment = report_files(found), qra_page(found)
    return results.keep(folder, "qra", title, files, fragment, says=found.says_something)


def as_job(asked: Asked, title: str) -> JobFacts:
    """Let a worker assess what is ASKED, to be kept under TITLE."""
    options = {"by": asked.conditions, "variant": asked.variant, "causes": asked.causes}
    if asked.in_archive:
        return jobs.ask("qra", title, query=asked.query, measures=asked.wanted_measures, **options)
    given = _given(asked)
    text = read_text(given.data, given.name, limit=MAX_BYTES)
    return jobs.ask("qra", title, text=text, name=given.name, **options)
