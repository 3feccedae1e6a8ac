"""Who is in the stories, and how far is the one that all tell together?

Story       a site that somebody began on a laptop, and the people who come to it one after the other
Chapter     what one of them does there
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import Browser

from tests.web.browser import Laptop, Person

PASSWORD = "seventeen green bicycles"  # noqa: S105 - of people who exist in stories only


@dataclass
class Story:
    """What has happened at the site of LAPTOP: the PEOPLE who came, and LINKS that were handed to others."""

    browser: Browser
    laptop: Laptop
    people: dict[str, Person] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    told: list["Chapter"] = field(default_factory=list)

    def person(self, name: str) -> Person:
        """Return NAME, who keeps one browser through the whole story."""
        if name not in self.people:
            self.people[name] = Person.at(self.browser, self.laptop.address)
        return self.people[name]

    def visitor(self) -> Person:
        """Return somebody who has never been here."""
        return Person.at(self.browser, self.laptop.address)

    def joins(self, name: str, welcome: str = "") -> Person:
        """Let NAME follow the link that they were handed, and make an account; return them."""
        person = self.person(name)
        person.visit(self.links[name])
        person.reads("You are invited")
        person.sees(welcome)
        person.types("Address of your mail", f"{name}@example.org")
        person.types("Your name", name.title())
        person.types("A password", PASSWORD)
        person.presses("Make my account")
        person.sees(f"Welcome, {name.title()}.")
        return person

    def tell(self, *chapters: "Chapter") -> None:
        """Tell those of CHAPTERS that were not told yet."""
        for one in chapters:
            if one not in self.told:
                one(self)
                self.told.append(one)

    def complaints(self) -> list[str]:
        """Return what the browsers of all have complained about."""
        return [said for one in self.people.values() for said in one.complaints]


Chapter = Callable[[Story], None]
