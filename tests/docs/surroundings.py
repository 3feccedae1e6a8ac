"""In which surroundings are commands of pages carried out?"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def surroundings(home: Path) -> dict[str, str]:
    """Return an environment with `primad`, in which HOME is nobody's, and nothing of primad is set."""
    home.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PRIMAD_", "XDG_", "GIT_"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return kept | {"PATH": path, "HOME": str(home), "XDG_CACHE_HOME": str(Path.home() / ".cache")}
