"""What does a datasheet ask?  The 57 questions of Gebru et al., in our own words, under their own headings.

    SECTIONS    the headings in their order, each with its questions
    Question    a question, and the number it has: that of its section and its place in it

Source: Gebru et al., Datasheets for Datasets, Communications of the ACM 64(12), 2021, doi:10.1145/3458723.  The order
is that of the paper, so that a number here is the place of a question there.
"""

from __future__ import annotations

from typing import NamedTuple

DOI = "10.1145/3458723"

_OTHER = "What else should be known here?"


class Question(NamedTuple):
    """A question, and its number as in 2.5."""

    number: str
    text: str


_ASKED = {
    "Motivation": (
        "Why was it made: which task or which gap was it meant for?",
        "Who made it, and on whose behalf?",
        "Who paid for it?",
        _OTHER,
    ),
    "Composition": (
        "What does an instance stand for, and are there several kinds?",
        "How many instances are there, of each kind?",
        "Is it everything there is, or a part of something larger, and how was the part chosen?",
        "What does an instance consist of?",
        "Does each instance have a label or a target?",
        "Is anything missing from single instances?",
        "Which relations between instances are stated?",
        "Are there splits, as for training and testing, that users should keep to?",
        "Are there errors, noise or doubles?",
        "Does it stand alone, or does it need something from elsewhere, and will that last?",
        "Is anything in it confidential?",
        "Could anything in it hurt, insult or frighten those who see it?",
        "Does it tell groups of people apart, as by age or gender?",
        "Can single persons be recognised from it, alone or together with other data?",
        "Does it say of people what is sensitive, as of health, belief or origin?",
        _OTHER,
    ),
    "Collection process": (
        "How was what is known of each instance obtained: observed, reported or inferred, and was it verified?",
        "By which instruments, programs or manual procedures, and how were these checked?",
        "If it is a part of something larger, by which rule was the part drawn?",
        "Who took part in collecting, and what were they paid?",
        "In which span of time was it collected, and is that when the data themselves came about?",
        "Was there an ethical review?",
        "Did data about people come from themselves, or from others?",
        "Were these people told that data were collected?",
        "Did they agree to it, and to the use?",
        "If they agreed, can they take that back?",
        "Has anybody analysed what the data and their use may do to these people?",
        _OTHER,
    ),
    "Preprocessing, cleaning and labelling": (
        "What was done to the data before they were as they are now?",
        "Were the raw data kept as well, and where?",
        "Is the software that did it available?",
        _OTHER,
    ),
    "Uses": (
        "For what has it been used already?",
        "Is there a list of the papers or systems that use it?",
        "For what else could it be used?",
        "Does anything in how it was made limit what it can be used for, or harm somebody?",
        "For what should it not be used?",
        _OTHER,
    ),
    "Distribution": (
        "Will anybody outside the place where it was made get it?",
        "How is it distributed, and does it have a DOI?",
        "When is it distributed?",
        "Under which licence or terms of use?",
        "Do others hold rights in the data of its instances?",
        "Do rules on export or other regulations apply to it?",
        _OTHER,
    ),
    "Maintenance": (
        "Who hosts and maintains it?",
        "How can whoever is responsible be reached?",
        "Is there a list of known errors?",
        "Will it be updated: by whom, how often, and how do users learn of it?",
        "If it is about people, for how long may it be kept?",
        "Will older versions stay available?",
        "How can others extend it or contribute?",
        _OTHER,
    ),
}

SECTIONS: dict[str, tuple[Question, ...]] = {
    f"{section} {title}": tuple(Question(f"{section}.{place}", text) for place, text in enumerate(texts, 1))
    for section, (title, texts) in enumerate(_ASKED.items(), 1)
}
NUMBER_OF_QUESTIONS = sum(map(len, SECTIONS.values()))
