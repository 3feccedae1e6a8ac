"""Which versions of the schema are there?

    VERSIONS   all versions, the oldest first; each is a file in schemas/
    NEWEST     the one that is written

They stand apart from the schema itself, so that recording a command need not load it.
"""

VERSIONS = ("0.1", "0.2")
NEWEST = VERSIONS[-1]
