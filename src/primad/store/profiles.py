"""By which profile are runs checked?  One that is built in goes by its name, another by the digest of its file.

kept_profile      a profile as a column holds it
profile_in_force  the same as ``primad.metadata`` takes it
"""

from __future__ import annotations

from primad.metadata.profile import BUILT_IN, load_profile
from primad.store.folder import DataFolder
from primad.trec.files import read_bytes


def kept_profile(folder: DataFolder, profile: str) -> str:
    """Return the name of PROFILE if it is built in, else the digest of its file, whose content is stored in FOLDER."""
    load_profile(profile)  # refuses what is none
    return profile if profile in BUILT_IN else folder.blobs.put(read_bytes(profile))


def profile_in_force(folder: DataFolder, kept: str) -> str:
    """Return the profile that was KEPT: its name, the path of its file, or nothing where there is none."""
    return kept if not kept or kept in BUILT_IN else str(folder.blobs.path_of(kept))
