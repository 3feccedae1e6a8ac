"""What does whoever began the site do, from the one-time link to the published report?

begins         becomes administrator by the link that ``primad serve`` printed
makes_a_track  with a task, data with gold, teams, analysts, and links for them
opens_results  and lets teams hand in
assigns        systems to analysts, by hand and by itself
adjudicates    with both sheets side by side
publishes      the track
"""

from tests.track import small
from tests.web.browser import Person, file
from tests.web.small_site import QRELS
from tests.web.stories.cast import Story

ABOUT = "Codes for causes of death, found again by somebody else."


def begins(story: Story) -> None:
    """Become administrator by the link that was printed, which then works no more."""
    olga = story.person("olga")
    olga.visit("/")
    olga.sees("This site is new", "the link that primad serve printed")

    story.links["olga"] = story.laptop.link
    story.joins("olga", "the administrator of this site")
    olga.sees("Administration", where="header")
    olga.follows("make a track")
    olga.reads("A new track")

    late = story.visitor()
    late.visit(story.laptop.link)
    late.sees("This did not work")
    late.sees_no("A password")
    late.leaves()


def makes_a_track(story: Story) -> None:
    """Make a track, a task with data, teams and analysts, and links for all of them."""
    olga = story.person("olga")
    olga.follows("Tracks", "header")
    olga.follows("Make the first track")
    olga.types("Name in addresses", "demo")
    olga.types("Title", "A track on paper")
    olga.types("What it is about", ABOUT)
    olga.presses("Make the track")
    olga.reads("A track on paper: progress")

    _sets_rules(olga)
    _makes_a_task(olga)
    _names_people(olga)
    for who, role in (("tina", "member of team alpha"), ("ann", "analyst ann"), ("dan", "analyst dan")):
        story.links[who] = _invites(olga, role)
    _describes_a_collection(olga)
    story.links["uma"] = _invites_a_user(olga)


def _sets_rules(olga: Person) -> None:
    """Say when results are due, and that analysts judge without knowing of each other."""
    olga.follows("Dates and rules")
    olga.part("#rules-blind").check()
    olga.types("Closes", "soon", "fieldset:has(> legend:text-is('results'))")
    olga.presses("Keep rules and dates")
    olga.sees("This did not work:", "soon")
    olga.types("Closes", "2199-05-01", "fieldset:has(> legend:text-is('results'))")
    olga.presses("Keep rules and dates")
    olga.sees_no("This did not work:")
    olga.sees("Undo this")


def _makes_a_task(olga: Person) -> None:
    """Make the task, and give it data with gold."""
    olga.follows("Tasks and data")
    olga.sees("The track has no task yet.")
    olga.types("Name", "coding")
    olga.types("Title", "Coding")
    olga.chooses("Scorer", "coding")
    olga.types("Settings of the scorer", "primary: f1")
    olga.presses("Make the task")
    olga.reads("Task Coding")

    olga.types("Name", "test")
    olga.attaches("Inputs, which systems see", file("texts.tsv", small.TEXTS))
    olga.attaches("Gold standard, which only the scorer and organisers see", file("gold.tsv", small.GOLD))
    olga.presses("Keep the data set")
    olga.sees("1 file", "hidden", where="table")


def _names_people(olga: Person) -> None:
    """Register two teams, and enlist two analysts."""
    olga.follows("People", where="nav[aria-label='Pages for organisers']")
    for slug, title in (("alpha", "Team Alpha"), ("beta", "Team Beta")):
        _opened(olga, "#team")
        olga.types("Name", slug, "#team")
        olga.types("Title", title, "#team")
        olga.presses("Keep the team")
        olga.sees(f"The team {slug} is registered")
    for slug, role in (("ann", "user"), ("dan", "developer")):
        _opened(olga, "#analyst")
        olga.types("Name", slug, "#analyst")
        olga.types("Title", slug.title(), "#analyst")
        olga.chooses("Role", role, "#analyst")
        olga.presses("Keep the analyst")
        olga.sees(f"The analyst {slug} is enlisted")


def _opened(olga: Person, details: str) -> None:
    """Open what is folded in DETAILS, if it is not open."""
    if olga.part(details).get_attribute("open") is None:
        olga.part(f"{details} > summary").click()


def _invites(olga: Person, role: str) -> str:
    """Return the link by which somebody gets ROLE in the track."""
    where = "form:has(input[name=do][value=invite])"
    olga.chooses("As", role, where)
    olga.presses("Invite", where)
    olga.sees("No mail was sent: copy this link now and send it.")
    return str(olga.part("#link-once").input_value())


def _describes_a_collection(olga: Person) -> None:
    """Give the archive the judgments of a collection."""
    olga.follows("Archive", "header")
    olga.follows("Collections")
    olga.types("Name", "small")
    olga.attaches("Judgments (qrels)", file("small.qrels", QRELS))
    olga.presses("Describe it")
    olga.reads("small")
    olga.sees("in use", where="table")


def _invites_a_user(olga: Person) -> str:
    """Return the link by which somebody becomes a user."""
    olga.follows("People", "header")
    olga.presses("Make a link", "form[action$='/invite/']")
    olga.sees("Here is the link for")
    return olga.part(".notice code").inner_text()


def opens_results(story: Story) -> None:
    """Let teams hand in."""
    _moves(story.person("olga"), "results")


def _moves(olga: Person, phase: str) -> None:
    """Move the track on to PHASE."""
    olga.visit("/tracks/demo/organise/")
    olga.presses(f"Move on to {phase}")
    olga.sees(phase, where=".steps [aria-current]")


def assigns(story: Story) -> None:
    """Assign the system to one analyst by hand, and to the other by itself; then let them run it."""
    olga = story.person("olga")
    _moves(olga, "systems")
    olga.follows("Eligibility")
    olga.types("Why", "it has a system that can be run")
    olga.presses("Eligible")
    olga.sees("Decided: eligible, because it has a system that can be run")
    _moves(olga, "assignment")

    olga.follows("Assignment")
    olga.part("table").get_by_role("checkbox").first.check()
    olga.presses("Keep these assignments")
    olga.sees("assigned by hand", where="table")
    olga.types("Analysts for each submission", "2")
    olga.presses("Assign all")
    olga.sees_no("not assigned", where="table")
    _moves(olga, "replication")


def adjudicates(story: Story) -> None:
    """See both sheets side by side, and decide the level of each attempt."""
    olga = story.person("olga")
    olga.visit("/tracks/demo/organise/")
    olga.sees("succeeded", where="[aria-label='Attempts']")
    _moves(olga, "adjudication")
    olga.follows("Adjudication")
    olga.sees("2 of 2", where="table")
    olga.follows("alpha/run1")
    olga.reads("Adjudication of alpha/run1")
    olga.sees("differently", "In the middle of a wo", "Attempt 1")
    for number in (1, 2):
        olga.presses("Decide", f"section.card:has(input[name=number][value='{number}'])")
        olga.sees_no("not yet", where=f"section.card:has(input[name=number][value='{number}'])")


def publishes(story: Story) -> None:
    """Publish the track: from then on everybody sees what came of it."""
    before = story.visitor()
    before.visit("/tracks/demo/report/")
    before.reads("Sign in")
    before.leaves()

    olga = story.person("olga")
    olga.visit("/tracks/demo/organise/")
    olga.sees("Everybody will then see the report")
    olga.presses("Publish the track")
    olga.sees("published", where=".steps [aria-current]")
