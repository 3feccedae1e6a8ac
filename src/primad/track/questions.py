"""What are analysts asked about a system?  The questions that a track starts with, as a plain tree.

    SCALES     the answers of each scale, best last, in words
    DEFAULT    ten questions in five parts

The questions are those of Névéol et al., LOUHI 2016, table 1, in other words; what authors can do where a score is low
is ours.  primad.track.sheet reads the tree; a track can change it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SCALES: Mapping[str, Mapping[Any, str]] = {
    "yes-no": {"no": "no", "yes": "yes"},
    "five": {
        1: "could not be done",
        2: "very hard, close to impossible",
        3: "rather hard",
        4: "rather easy, with obstacles",
        5: "took no effort, or hardly any",
    },
    "four": {
        1: "the scorer failed",
        2: "different by .01 or more",
        3: "different by less than .01",
        4: "the same results",
    },
    "text": {},
}
SCALE_WORDS: Mapping[str, str] = {
    "yes-no": "yes or no",
    "five": "5-point scale",
    "four": "4-point scale",
    "text": "free text",
}

DEFAULT: Mapping[str, Any] = {
    "title": "Score sheet of an analyst",
    "questions": [
        {
            "key": "Q1",
            "part": "Configuration",
            "text": "Could you easily see what the system needs beforehand, and find out what of it you already have?",
            "short": "Needs easy to see?",
            "scale": "yes-no",
            "better": "yes",
            "advice": "List everything that the system needs with its version, and for each a command that shows "
            "whether it is there.",
        },
        {
            "key": "Q2",
            "part": "Configuration",
            "text": "How easily could what was missing be installed by the instructions?",
            "short": "Missing parts easy to add?",
            "scale": "five",
            "better": "high",
            "advice": "Say for each prerequisite where it comes from and which command installs it, without changing "
            "what is already on the machine.",
        },
        {
            "key": "Q3",
            "part": "Installation",
            "text": "How easily could the system itself be installed by the instructions?",
            "short": "System easy to install?",
            "scale": "five",
            "better": "high",
            "advice": "Give the commands that install the system, in order, as they were last run on a fresh machine.",
        },
        {
            "key": "Q4",
            "part": "Installation",
            "text": "Did you have to ask the authors before everything was installed?",
            "short": "Authors asked?",
            "scale": "yes-no",
            "better": "no",
            "proposed_from": "questions",
            "advice": "Add the answers that analysts were given to the instructions.",
        },
        {
            "key": "Q5",
            "part": "Running",
            "text": "How easily could the data sets of the task be processed by what the manual says?",
            "short": "Simple to run?",
            "scale": "five",
            "better": "high",
            "advice": "Give one command that goes from the data set of the task to the output, and a small example "
            "with its output.",
        },
        {
            "key": "Q6",
            "part": "Running",
            "text": "Did the system tell enough for you to know that it ran as it should: its progress, the time it "
            "takes, messages?",
            "short": "Progress told?",
            "scale": "yes-no",
            "better": "yes",
            "advice": "State the expected run time and memory, and let the system print how far it is.",
        },
        {
            "key": "Q7",
            "part": "Results",
            "text": "Did the output come in the format that the task asks for, with nothing left to convert?",
            "short": "Output in the format?",
            "scale": "yes-no",
            "better": "yes",
            "counted": "results",
            "proposed_from": "format",
            "advice": "Let the system itself write the format of the task, and check it with the task's scorer.",
        },
        {
            "key": "Q8",
            "part": "Results",
            "text": "Does the scorer of the task give the output the scores that the submitted one has?",
            "short": "Same scores?",
            "scale": "four",
            "better": "high",
            "counted": "results",
            "proposed_from": "verdict",
            "advice": "Fix seeds and versions, name the configuration of each submitted output, and state how far "
            "results vary between runs.",
        },
        {
            "key": "Q9",
            "part": "Overall",
            "text": "What could the authors do so that others use the system more easily (where to get prerequisites, "
            "commands to copy, pictures or a tutorial)?",
            "short": "Suggestions",
            "scale": "text",
        },
        {
            "key": "Q10",
            "part": "Overall",
            "text": "Would you be at ease with using the system for something else than this task?",
            "short": "Use it elsewhere?",
            "scale": "yes-no",
            "better": "yes",
            "purpose": "reuse",
            "advice": "Say which input the system expects, how it is used on other data, and under which licence.",
        },
    ],
}
