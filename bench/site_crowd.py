"""What do fifty people do at the deadline, and is what was accepted there afterwards?

    Crowd       people who all work at a site at once, each in a thread, until a clock says that it is enough
    Person      one of them: a browser with a session, who remembers everything that was accepted
    Asked       a question: what was asked, the status of the answer, the seconds it took
    missing     what was accepted, and is not in the data folder

An answer on a sheet counts as accepted when the site says so; one that was sent when the site died may be there or not.
Whoever INSISTS asks again when nobody answers, uploads with the same Idempotency-Key.
"""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from bench.site_making import HANDING_IN, PASSWORD, QUESTIONS, READING, Someone, bundle, output

if TYPE_CHECKING:
    from primad.store.folder import DataFolder
    from primad.track.models import Files

PAUSE = (0.2, 1.0)  # seconds between two questions of a person
EVERY = 20.0  # seconds from one upload of a team to the next
QUERIES = ("", "bm25", "team:alpha", "year:2015..2019", "map>=0.3", "neural OR feedback")
_PATIENCE = 60.0  # seconds for an answer
_INSISTING = 90.0  # and for a site that has died to be back
_AGAIN = 0.3


@dataclass(frozen=True)
class Asked:
    """WHAT was asked ("page", "save", "upload"), the STATUS of the answer, and the SECONDS until it was there."""

    what: str
    status: int
    seconds: float
    path: str


@dataclass(frozen=True)
class Reply:
    """What was answered."""

    status: int
    headers: http.client.HTTPMessage
    content: bytes


class NobodyThere(Exception):
    """The site did not answer."""


@dataclass
class Person:
    """SOMEONE at the site at ADDRESS who INSISTS on answers or does not; SEED decides what they do."""

    someone: Someone
    address: str
    seed: int
    insists: bool = False
    every: float = EVERY
    asked: list[Asked] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    answers: dict[tuple[str, str], str] = field(default_factory=dict)  # that were accepted, by sheet and question
    unsure: dict[tuple[str, str], str] = field(default_factory=dict)  # that were sent later, and never accepted
    outputs: dict[str, bytes] = field(default_factory=dict)  # by the names of submissions
    bundles: dict[str, bytes] = field(default_factory=dict)
    jobs: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with nothing asked."""
        self.chance = random.Random(self.seed)
        self._cookies: dict[str, str] = {}
        self._connection: http.client.HTTPConnection | None = None
        self._next_upload = 0.0

    # Asking ----------------------------------------------------------------------------------------------------

    def ask(self, what: str, path: str, body: bytes = b"", **headers: str) -> Reply:
        """Return the answer to a question of the kind WHAT, and note how long it took."""
        begin = time.perf_counter()
        reply = self._answered(path, body, headers)
        self.asked.append(Asked(what, reply.status, time.perf_counter() - begin, path))
        if reply.status >= HTTPStatus.BAD_REQUEST:
            self.wrong.append(f"{what} {path}: {reply.status} {reply.content[:300]!r}")
        return reply

    def _answered(self, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Return the answer of the site; who insists asks until there is one."""
        until = time.monotonic() + _INSISTING
        while True:
            try:
                reply = self._once(path, body, headers)
            except (OSError, http.client.HTTPException) as error:
                self.hang_up()
                if not self.insists or time.monotonic() > until:
                    raise NobodyThere(f"{path}: {error!r}") from None
            else:
                # Whoever answered the same question before may have died with it.
                is_busy = reply.status in (HTTPStatus.CONFLICT, HTTPStatus.SERVICE_UNAVAILABLE)
                if not (self.insists and is_busy and time.monotonic() < until):
                    return reply
            time.sleep(_AGAIN)

    def _once(self, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Ask once, by the connection that is there, or by another where the site has closed it since."""
        is_fresh = self._connection is None
        try:
            return self._sent(path, body, headers)
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            self.hang_up()
            if is_fresh or (body and "Idempotency-Key" not in headers and "X-Again" not in headers):
                raise
            return self._sent(path, body, headers)

    def hang_up(self) -> None:
        """Close the connection; the next question makes another."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _sent(self, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Send a question, and return the answer."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=_PATIENCE)
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        is_api = path.startswith("/api/")
        known = {"Authorization": f"Bearer {self.someone.token}"} if is_api else {"Cookie": cookies}
        if body and not is_api:
            known |= {"X-CSRFToken": self._cookies.get("csrftoken", "")}
        self._connection.request("POST" if body else "GET", path, body or None, {**known, **headers})
        answer = self._connection.getresponse()
        reply = Reply(answer.status, answer.headers, answer.read())
        for one in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = one.partition(";")[0].partition("=")
            self._cookies[name.strip()] = value.strip()
        return reply

    def come_in(self) -> None:
        """Open the site in a browser that was signed in before."""
        self._cookies["sessionid"] = self.someone.session
        assert self.ask("page", "/").status == HTTPStatus.OK

    def sign_in(self) -> None:
        """Come in by the form, as everybody does."""
        self.ask("sign-in", "/sign-in/")
        form = {"email": self.someone.email, "password": PASSWORD}
        kind = "application/x-www-form-urlencoded"
        reply = self.ask("sign-in", "/sign-in/", urlencode(form).encode(), **{"Content-Type": kind})
        assert reply.status == HTTPStatus.SEE_OTHER, (reply.status, reply.content[:300])

    # Working ---------------------------------------------------------------------------------------------------

    def work(self, seconds: float) -> None:
        """Do one thing after the other for so many SECONDS, with pauses; what goes wrong is written down."""
        time.sleep(self.chance.uniform(0, PAUSE[1]))  # nobody waits for the others to begin
        begin = time.monotonic()
        self._next_upload = begin + self.chance.uniform(0, min(self.every, seconds / 2))
        while time.monotonic() < begin + seconds:
            try:
                if self.someone.sheets:
                    self._read_or_save()
                else:
                    self._read_or_upload()
            except (NobodyThere, ValueError, KeyError) as error:
                self.wrong.append(f"{type(error).__name__} {error}")
            time.sleep(self.chance.uniform(*PAUSE))
        self.hang_up()

    def _read_or_save(self) -> None:
        """Look at a page, or save an answer, one as often as the other."""
        mine = f"/tracks/{READING}/analysts/{self.someone.slug}/"
        sheet = f"{mine}sheets/{self.chance.choice(self.someone.sheets)}/"
        if self.chance.random() < 0.5:
            self._save(sheet)
        else:
            self.ask("page", self.chance.choice(("/", f"/tracks/{READING}/", mine, sheet, self._search())))

    def _search(self) -> str:
        """Return the address of a search."""
        return f"/archive/?{urlencode({'q': self.chance.choice(QUERIES)})}"

    def _save(self, path: str) -> None:
        """Type something into a sheet."""
        sheet, key = path.partition("/sheets/")[2].rstrip("/"), self.chance.choice(QUESTIONS)
        text = f"{self.someone.slug} writes {uuid.UUID(int=self.chance.getrandbits(128))}"
        self.unsure[(sheet, key)] = text
        kind = "application/x-www-form-urlencoded"
        form = urlencode({f"comment-{key}": text}).encode()
        reply = self.ask("save", path, form, **{"Accept": "application/json", "Content-Type": kind, "X-Again": "1"})
        if reply.status == HTTPStatus.OK and json.loads(reply.content)["answers"][key]["comment"] == text:
            self.answers[(sheet, key)] = self.unsure.pop((sheet, key))

    def _read_or_upload(self) -> None:
        """Look at a page, or hand something in when it is time for that."""
        track, mine = f"/tracks/{HANDING_IN}/", f"/tracks/{HANDING_IN}/teams/{self.someone.slug}/"
        if time.monotonic() >= self._next_upload:
            self._next_upload = time.monotonic() + self.every
            self._upload()
        else:
            self.ask("page", self.chance.choice(("/", track, mine, f"{mine}submit/coding/", self._search())))

    def _upload(self) -> None:
        """Hand in an output, or the system of one that has none."""
        waiting = sorted(set(self.outputs) - set(self.bundles))
        seed = self.chance.randrange(10**6)
        if waiting:
            self._upload_bundle(waiting[0], bundle(seed))
        else:
            self._upload_output(f"run{len(self.outputs) + 1}", output(seed))

    def _upload_output(self, name: str, data: bytes) -> None:
        """Hand in DATA as the submission NAME: by the form, or as a program does."""
        by_program = self.insists or self.chance.random() < 0.5
        team = self.someone.slug
        path = f"/tracks/{HANDING_IN}/teams/{team}/submit/coding/"
        fields, file = {"name": name, "configuration-0": "default"}, "files-0"
        if by_program:
            path, fields, file = f"/api/v1/tracks/{HANDING_IN}/submissions", {"team": team, "name": name}, "files"
        reply = self._send(path, fields, {file: ("output.tsv", data)})
        if reply.status in (HTTPStatus.CREATED, HTTPStatus.SEE_OTHER):
            self.outputs[name] = data

    def _upload_bundle(self, name: str, data: bytes) -> None:
        """Hand in DATA as the system of the submission NAME."""
        team, by_program = self.someone.slug, self.insists or self.chance.random() < 0.5
        path = f"/tracks/{HANDING_IN}/submissions/{team}/{name}/system/"
        if by_program:
            path = f"/api/v1/tracks/{HANDING_IN}/submissions/{team}/{name}/bundle"
        reply = self._send(path, {"wish": "bundle"}, {"bundle": ("system.tar.gz", data)})
        if reply.status in (HTTPStatus.CREATED, HTTPStatus.SEE_OTHER):
            self.bundles[name] = data

    def _send(self, path: str, fields: Mapping[str, str], files: Mapping[str, tuple[str, bytes]]) -> Reply:
        """Send a form with FIELDS and FILES; to the API with a key of its own."""
        border = uuid.UUID(int=self.chance.getrandbits(128)).hex
        parts = [
            f'--{border}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
            for name, value in fields.items()
        ]
        for name, (called, data) in files.items():
            head = f'--{border}\r\nContent-Disposition: form-data; name="{name}"; filename="{called}"\r\n'
            parts.append(f"{head}Content-Type: application/octet-stream\r\n\r\n".encode() + data + b"\r\n")
        headers = {"Content-Type": f"multipart/form-data; boundary={border}"}
        if path.startswith("/api/"):
            headers["Idempotency-Key"] = border
        return self.ask("upload", path, b"".join([*parts, f"--{border}--\r\n".encode()]), **headers)

    def ask_for_job(self, query: str, measure: str) -> None:
        """Ask that runs be scored by MEASURE, as a job, and remember its key."""
        body = json.dumps({"query": query, "measures": [measure]}).encode()
        key = uuid.UUID(int=self.chance.getrandbits(128)).hex
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        reply = self.ask("job", "/api/v1/archive/evaluations", body, **headers)
        if reply.status == HTTPStatus.ACCEPTED:
            self.jobs.append(json.loads(reply.content)["key"])

    def state_of(self, job: str) -> str:
        """Return the state of a JOB."""
        return str(json.loads(self.ask("page", f"/api/v1/jobs/{job}").content)["state"])


# All of them -----------------------------------------------------------------------------------------------------


@dataclass
class Crowd:
    """PEOPLE who work at a site at once."""

    people: list[Person]

    @classmethod
    def at(cls, address: str, everybody: Sequence[Someone], *, by_form: bool = False) -> Crowd:
        """Return EVERYBODY at the site at ADDRESS, signed in: since yesterday, or BY_FORM, which takes its time."""
        people = [Person(one, address, seed) for seed, one in enumerate(everybody)]
        for one in people:
            if by_form:
                one.sign_in()
            else:
                one.come_in()
            one.asked.clear()
            one.hang_up()
        return cls(people)

    def work(self, seconds: float) -> float:
        """Let all work for so many SECONDS, and return how long it lasted until the last had an answer."""
        begin = time.monotonic()
        for thread in list(self.started(seconds)):
            thread.join()
        return time.monotonic() - begin

    def started(self, seconds: float) -> Iterator[threading.Thread]:
        """Yield a thread for each person, in which they work for so many SECONDS."""
        for one in self.people:
            thread = threading.Thread(target=one.work, args=(seconds,), daemon=True)
            thread.start()
            yield thread

    @property
    def wrong(self) -> list[str]:
        """Return what went wrong."""
        return [one for person in self.people for one in person.wrong]

    def seconds(self, what: str) -> list[float]:
        """Return how long questions of the kind WHAT took, in order."""
        return sorted(one.seconds for person in self.people for one in person.asked if one.what == what)


def percentile(ordered: Sequence[float], percent: float) -> float:
    """Return the value that so many PERCENT of ORDERED values are not above.

    >>> percentile([1.0, 2.0, 3.0, 4.0], 50)
    2.0
    """
    return ordered[max(-(-len(ordered) * int(percent * 10) // 1000), 1) - 1]


# Afterwards ------------------------------------------------------------------------------------------------------


def missing(data: Path, crowd: Crowd) -> list[str]:
    """Return what was accepted from CROWD and is not in the folder DATA, and what is there twice."""
    from primad.store import database
    from primad.store.actors import acting, keeper

    try:
        with acting(keeper()):
            return [*_missing_answers(data, crowd), *_missing_uploads(data, crowd)]
    finally:
        database.close()


def _missing_answers(data: Path, crowd: Crowd) -> Iterator[str]:
    """Yield each accepted answer that is not in its sheet."""
    from primad.track.track import Track

    track = Track(data, READING)
    for person in crowd.people:
        for address in person.someone.sheets:
            found = {one.key: one.comment for one in track.sheet_facts(person.someone.slug, address).questions}
            for (sheet, key), text in person.answers.items():
                allowed = (text, person.unsure.get((sheet, key)))
                if sheet == address and found[key] not in allowed:
                    yield f"{person.someone.slug} {sheet} {key}: accepted {text!r}, found {found[key]!r}"


def _missing_uploads(data: Path, crowd: Crowd) -> Iterator[str]:
    """Yield each accepted upload that is not in the track with its bytes, and those that are there twice."""
    from primad.track.models import Output, System
    from primad.track.track import Track

    track = Track(data, HANDING_IN)
    with track.speaking() as row:
        kept = Output.objects.filter(submission__team__track=row).select_related("submission__team", "files")
        outputs = [(str(one.submission), one.files) for one in kept]
        had = System.objects.filter(submission__team__track=row).select_related("submission__team", "bundle")
        systems = [(str(one.submission), one.bundle) for one in had]
        for what, accepted, found in (
            ("output", [one.outputs for one in crowd.people], outputs),
            ("system", [one.bundles for one in crowd.people], systems),
        ):
            slugs = [one.someone.slug for one in crowd.people]
            sent = {
                f"{slug}/{name}": one for slug, mine in zip(slugs, accepted, strict=True) for name, one in mine.items()
            }
            yield from _differing(what, sent, [(address, _one_of(track.folder, files)) for address, files in found])


def _one_of(folder: DataFolder, files: Files) -> bytes:
    """Return the content of FILES, of which there is one."""
    from primad.track.filing import contents

    (content,) = contents(folder, files).values()
    return content


def _differing(what: str, sent: Mapping[str, bytes], found: Sequence[tuple[str, bytes]]) -> Iterator[str]:
    """Yield each of those SENT that was not FOUND once, with its bytes, and those found that nobody has sent."""
    addresses = [address for address, _ in found]
    for address, data in sent.items():
        if addresses.count(address) != 1:
            yield f"{what} {address}: accepted once, found {addresses.count(address)} times"
        elif (address, data) not in found:
            yield f"{what} {address}: found with other bytes"
    yield from (f"{what} {address}: found, and never accepted" for address in addresses if address not in sent)
