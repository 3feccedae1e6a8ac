"""Is nothing lost when a site is killed at the deadline?  Rounds of SIGKILL, at moments that a seed decides.

    Rounds   a site at which people work while its processes are killed, and started again

``python -m tests.web.faults --rounds 5 --seed 1`` does as many rounds as one likes, in SQLite, or in the empty
PostgreSQL at the address ``--database``.  In each, people save answers, hand in results and systems, and ask for jobs;
meanwhile one who answers, the worker for jobs, the master or all of them are killed several times.  Whoever got no
answer asks again, uploads with the same Idempotency-Key.  Afterwards every answer that was accepted must be in its
sheet, every upload must be there once with its bytes, every job must be done, and ``verify`` must find no damage and
nothing half written.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from bench.site_crowd import Crowd, Person, missing
from bench.site_making import Numbers, made
from bench.site_server import KEY, Server
from primad.archive.archive import Archive
from primad.store import database
from primad.store.actors import acting, keeper

KILLED = ("an answerer", "the job worker", "the master", "everything")
PEOPLE = Numbers(teams=6, analysts=6, runs=40)
MEASURES = ("ndcg", "bpref", "recip_rank", "Rprec", "P_10", "P_20", "recall_100", "set_F", "success_5", "gm_map")
EVERY = 1.0  # seconds from one upload of a team to the next
PATIENCE = 120.0  # seconds for jobs to be done, after which a round fails rather than waits


class Rounds:
    """A site in FOLDER whose processes are killed; SEED decides when and which."""

    def __init__(self, folder: Path, seed: int, database_url: str = "") -> None:
        """Make the site."""
        self.chance = random.Random(seed)
        self.folder, self.seed = folder, seed
        self.everybody = made(folder, PEOPLE, database_url)
        self.crowd: Crowd | None = None
        # Asks for jobs while the others work; a person does one thing at a time.
        self.program = Person(self.everybody[0], "", seed, insists=True)
        self.played = 0

    def play(self, server: Server, seconds: float, kills: tuple[str, ...]) -> str:
        """Let people work for so many SECONDS while KILLS happen, look at what is left, and return what happened."""
        crowd = self._crowd(server)
        threads = list(crowd.started(seconds))
        told = []
        measure = MEASURES[self.played % len(MEASURES)]
        for what in kills:
            self.program.ask_for_job("", measure)
            time.sleep(self.chance.uniform(0.2, seconds / len(kills)))
            told.append(f"{what} ({server.kill(what)})")
            if what in ("the master", "everything"):
                server.start()
        for one in threads:
            one.join()
        self.played += 1
        self._look(crowd)
        asked = sum(len(one.asked) for one in crowd.people)
        return f"{asked} questions so far; killed: {', '.join(told)}"

    def _crowd(self, server: Server) -> Crowd:
        """Return those who work at the site, and do not give up."""
        if self.crowd is None:
            self.program.address = server.address
            self.crowd = Crowd.at(server.address, self.everybody)
            for one in self.crowd.people:
                one.insists, one.every = True, EVERY
        return self.crowd

    def _look(self, crowd: Crowd) -> None:
        """See that nothing is lost, nothing is there twice, nothing is half written, and all jobs are done."""
        data = self.folder / "data"
        wrong = [*crowd.wrong, *self.program.wrong]
        assert wrong == [], wrong[:3]
        lost = missing(data, crowd)
        assert lost == [], lost[:3]
        self._wait_for_jobs()
        with acting(keeper()):
            assert Archive(data).verify().damage == ()
        database.close()
        half = [str(path) for path in data.rglob(".primad-*")]
        assert half == [], half[:3]

    def _wait_for_jobs(self) -> None:
        """See that each job that was accepted gets done."""
        until = time.monotonic() + PATIENCE
        for key in self.program.jobs:
            while (state := self.program.state_of(key)) != "done":
                assert state in ("waiting", "running"), f"job {key}: {state}"
                assert time.monotonic() < until, f"job {key} is {state} after {PATIENCE:.0f} s"
                time.sleep(0.2)
        self.program.hang_up()


def kills_of(chance: random.Random) -> tuple[str, ...]:
    """Return what is killed in a round, one after the other; everything at least once."""
    return (*chance.sample(KILLED[:-1], 2), "everything")


def main() -> None:
    """Play rounds, as many as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=12.0, help="for how long people work in each round")
    parser.add_argument("--database", default="", help="the address of an empty PostgreSQL; SQLite if there is none")
    asked = parser.parse_args()
    os.environ["PRIMAD_SECRET_KEY"] = KEY  # whoever makes the site and whoever serves it have the same
    with tempfile.TemporaryDirectory(prefix="primad-faults-") as place:
        rounds = Rounds(Path(place), asked.seed, asked.database)
        with Server(Path(place) / "data") as server:
            for number in range(1, asked.rounds + 1):
                told = rounds.play(server, asked.seconds, kills_of(rounds.chance))
                sys.stderr.write(f"{number:3}: {told}\n")
        database.close()
    sys.stderr.write(f"{asked.rounds} rounds, nothing lost\n")


if __name__ == "__main__":
    main()
