"""Which licence does a publisher mean?

    Licence       an identifier of SPDX, an address, or words
    licence_of    what a text says
    KNOWN         identifiers of the licences that data and programs mostly have, with their names

The list is short, for names only: which identifiers SPDX has is told by the package packaging.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from primad.exchange.plain_text import one_line
from primad.exchange.told import address_in

SPDX = "https://spdx.org/licenses/"

KNOWN = {
    "0BSD": "BSD Zero Clause License",
    "AGPL-3.0-only": "GNU Affero General Public License v3.0 only",
    "AGPL-3.0-or-later": "GNU Affero General Public License v3.0 or later",
    "Apache-2.0": "Apache License 2.0",
    "Artistic-2.0": "Artistic License 2.0",
    "BSD-2-Clause": 'BSD 2-Clause "Simplified" License',
    "BSD-3-Clause": 'BSD 3-Clause "New" or "Revised" License',
    "BSL-1.0": "Boost Software License 1.0",
    "CC-BY-3.0": "Creative Commons Attribution 3.0 Unported",
    "CC-BY-4.0": "Creative Commons Attribution 4.0 International",
    "CC-BY-NC-4.0": "Creative Commons Attribution Non Commercial 4.0 International",
    "CC-BY-NC-ND-4.0": "Creative Commons Attribution Non Commercial No Derivatives 4.0 International",
    "CC-BY-NC-SA-4.0": "Creative Commons Attribution Non Commercial Share Alike 4.0 International",
    "CC-BY-ND-4.0": "Creative Commons Attribution No Derivatives 4.0 International",
    "CC-BY-SA-3.0": "Creative Commons Attribution Share Alike 3.0 Unported",
    "CC-BY-SA-4.0": "Creative Commons Attribution Share Alike 4.0 International",
    "CC0-1.0": "Creative Commons Zero v1.0 Universal",
    "CDLA-Permissive-1.0": "Community Data License Agreement Permissive 1.0",
    "CDLA-Sharing-1.0": "Community Data License Agreement Sharing 1.0",
    "ECL-2.0": "Educational Community License v2.0",
    "EPL-2.0": "Eclipse Public License 2.0",
    "EUPL-1.2": "European Union Public License 1.2",
    "GPL-2.0-only": "GNU General Public License v2.0 only",
    "GPL-2.0-or-later": "GNU General Public License v2.0 or later",
    "GPL-3.0-only": "GNU General Public License v3.0 only",
    "GPL-3.0-or-later": "GNU General Public License v3.0 or later",
    "ISC": "ISC License",
    "LGPL-2.1-only": "GNU Lesser General Public License v2.1 only",
    "LGPL-2.1-or-later": "GNU Lesser General Public License v2.1 or later",
    "LGPL-3.0-only": "GNU Lesser General Public License v3.0 only",
    "LGPL-3.0-or-later": "GNU Lesser General Public License v3.0 or later",
    "MIT": "MIT License",
    "MIT-0": "MIT No Attribution",
    "MPL-2.0": "Mozilla Public License 2.0",
    "MS-PL": "Microsoft Public License",
    "NCSA": "University of Illinois/NCSA Open Source License",
    "ODbL-1.0": "Open Data Commons Open Database License v1.0",
    "ODC-By-1.0": "Open Data Commons Attribution License v1.0",
    "OGL-UK-3.0": "Open Government Licence v3.0",
    "PDDL-1.0": "Open Data Commons Public Domain Dedication & License 1.0",
    "PSF-2.0": "Python Software Foundation License 2.0",
    "Unlicense": "The Unlicense",
    "WTFPL": "Do What The F*ck You Want To Public License",
    "Zlib": "zlib License",
}
_BY_LOWER = {identifier.lower(): identifier for identifier in KNOWN}
_LIKE_SPDX = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]*")
OWN = re.compile(r"LicenseRef-", re.IGNORECASE)  # how SPDX has licences called that it does not list
_OF_SPDX = re.compile(r"https?://spdx\.org/licenses/([A-Za-z0-9.+-]+?)(?:\.html|\.json)?/?")


@dataclass(frozen=True)
class Licence:
    """What may be done with a thing: TEXT as it was stated, the IDENTIFIER of SPDX and the ADDRESS, where there are."""

    text: str
    identifier: str = ""
    address: str = ""

    @property
    def name(self) -> str:
        """Return what a person calls it."""
        return KNOWN.get(self.identifier, self.text)

    @property
    def is_known(self) -> bool:
        """Tell whether its identifier is certainly one of SPDX."""
        return self.identifier in KNOWN


def licence_of(text: str) -> Licence | None:
    """Return the licence that TEXT states, None if it states none.

    >>> licence_of("cc-by-4.0").identifier, licence_of("https://spdx.org/licenses/MIT.html").identifier
    ('CC-BY-4.0', 'MIT')
    """
    said = one_line(text)
    if not said:
        return None
    of_spdx = _OF_SPDX.fullmatch(said)
    word = of_spdx[1] if of_spdx else said
    if identifier := _BY_LOWER.get(word.lower()) or _of_spdx(word):
        return Licence(said, identifier, f"{SPDX}{identifier}.html")
    return Licence(said, "", address_in(said))


def _of_spdx(word: str) -> str:
    """Return WORD as SPDX writes it, empty if it is no identifier of SPDX."""
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    if not _LIKE_SPDX.fullmatch(word) or OWN.match(word):
        return ""
    try:
        return str(canonicalize_license_expression(word))
    except InvalidLicenseExpression:
        return ""
