"""What do tests do with pages on the archive?

shown        the text of a page
sent         files, as a form sends them
upload       send files to be looked at or added
address_of   the address of a run
Parsed       the elements of a page, as a browser sees them
"""

from html.parser import HTMLParser
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.web.small_site import SmallSite


def shown(answer: Any) -> str:
    """Return the text of the page in ANSWER, lines joined."""
    return " ".join(answer.content.decode().split())


def sent(**files: str | bytes) -> list[SimpleUploadedFile]:
    """Return FILES by name, as a form sends them; __ in a name stands for a dot."""
    contents = {name.replace("__", "."): data for name, data in files.items()}
    return [
        SimpleUploadedFile(name, data.encode() if isinstance(data, str) else data) for name, data in contents.items()
    ]


def upload(client: Client, do: str, files: list[SimpleUploadedFile], **fields: str) -> Any:
    """Return the answer to FILES that are to be looked at or added."""
    return client.post("/archive/upload/", {"files": files, "do": do, **fields})


def address_of(site: SmallSite, tag: str) -> str:
    """Return the address of the run with this TAG."""
    return str(site.archive().run(tag).address)


class Parsed(HTMLParser):
    """The elements of a page: their names, and their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of each element TAG."""
        return [attributes for name, attributes in self.elements if name == tag]

    def links(self) -> list[str]:
        """Return where links lead."""
        return [str(attributes["href"]) for attributes in self.all("a") if "href" in attributes]
