"""What survives kills, full disks and strangers, and which limits hold?"""

from __future__ import annotations

from evidence.claim import Claim, Goal, Quote, shown_by
from evidence.reading import matched

_SERVER = "docs/guides/server.md"
_SANDBOX = "docs/guides/sandbox.md"
_LIMITS = "tests/replay/test_limits.py tests/replay/test_escapes.py tests/replay/test_steps.py"
_LOST = r"^(?P<rounds>\d+) rounds, nothing lost"

CLAIMS = (
    Claim(
        "archive-killed",
        "An archive whose processes are killed while they add, evaluate and back up loses nothing and has nothing half "
        "there.",
        ".venv/bin/python -m tests.archive.faults --rounds 50",
        ("tests/archive/faults.py", "src/primad/archive", "src/primad/store", "src/primad/trec/files.py"),
        (Quote("docs/guides/archive.md", "Whatever is killed in between leaves nothing half there."),),
        matched(r"^round (?P<rounds>\d+):"),
        "{rounds:.0f} rounds, nothing lost",
        is_long=True,
    ),
    Claim(
        "replay-killed",
        "A replay that is killed loses nothing, and goes on with `--resume`.",
        ".venv/bin/python -m tests.track.faults --rounds 20",
        ("tests/track/faults.py", "src/primad/track", "src/primad/replay", "src/primad/store"),
        (
            Quote("docs/guides/track.md", "One that was killed goes on with `--resume N` on the same machine"),
            Quote(
                _SANDBOX, "If the process is killed, its commands die with it, and `read_replayed` says how far it got."
            ),
        ),
        matched(_LOST),
        "{rounds:.0f} rounds, nothing lost",
        is_long=True,
    ),
    Claim(
        "site-killed",
        "A site whose processes are killed in the middle of a deadline loses nothing that it accepted.",
        ".venv/bin/python -m tests.web.faults --rounds 10",
        ("tests/web/faults.py", "src/primad/web", "src/primad/store", "src/primad/track", "src/primad/archive"),
        (Quote(_SERVER, "`make faults` plays ten rounds."),),
        matched(_LOST),
        "{rounds:.0f} rounds, nothing lost",
        is_long=True,
    ),
    shown_by(
        "archive-faults-by-tests",
        "An archive outlives kills, a full disk, and a server that goes away in the middle.",
        "tests/archive/test_faults.py",
        "src/primad/archive src/primad/store",
        is_long=True,
    ),
    shown_by(
        "run-files-killed",
        "A process that is killed while it annotates leaves the old run or the new one, and so does a full disk.",
        "tests/metadata/test_faults.py",
        "src/primad/metadata src/primad/trec/files.py",
    ),
    shown_by(
        "jobs-killed",
        "The job of a worker that was killed is begun again and done once; one that kills three workers "
        "fails and says so.",
        "tests/store/test_jobs_processes.py tests/store/test_jobs_lease.py",
        "src/primad/store",
        Quote(
            "docs/guides/jobs.md",
            "One that was killed is missed by other workers of its machine at once, by those of other machines, "
            "and where a "
            "worker cannot tell which machine it is on (without `/proc/sys`), after two minutes.",
        ),
        Quote(
            "docs/guides/jobs.md",
            "A job that kills its worker three times is not begun a fourth time: it fails, and says so.",
        ),
    ),
    shown_by(
        "runs-fuzzed",
        "Runs and qrels that were mutated or made up at random are read right or refused.",
        "tests/trec/test_fuzz.py",
        "src/primad/trec",
        Quote("README.md", "what it refuses it names by file and line"),
    ),
    Claim(
        "strangers-input",
        "Whatever a stranger gives, an answer or an error of ours comes out.",
        ".venv/bin/python -m tests.fuzz --inputs 1000000",
        ("tests/fuzz", "src/primad"),
        read=matched(r"^all +(?P<inputs>[\d,]+) +[\d,]+ +[\d,]+ +(?P<faults>[\d,]+)"),
        figure="{inputs:,.0f} inputs, {faults:.0f} faults",
        goal=Goal("faults", " faults", most=0),
        is_long=True,
    ),
    shown_by(
        "runs-as-they-are",
        "Runs and qrels with tabs, blanks, CRLF, comments, packed, with tags of several words are read.",
        "tests/trec/test_run.py tests/trec/test_qrels.py tests/trec/test_lines.py tests/trec/test_files.py "
        "tests/trec/test_ids.py",
        "src/primad/trec",
        Quote(
            "README.md", "tabs, blanks, CRLF, comments, packed files, tags with blanks, identifiers that are no text"
        ),
    ),
    shown_by(
        "headers-that-mean-harm",
        "A run whose header means harm stops nobody and is kept as it is, or is refused.",
        "tests/archive/test_hostile.py",
        "src/primad/archive src/primad/metadata src/primad/trec",
    ),
    shown_by(
        "bundles-refused",
        "A bundle that is too large, leads out of its folder, or states two sizes is refused as a whole.",
        "tests/replay/test_unpacking.py",
        "src/primad/replay",
        Quote(
            "docs/guides/bundles.md",
            "more than 20,000 files and folders, 4 GB, 32 levels, names of 255 bytes, or paths of 1,000 "
            "characters; - more "
            "than 200 times the bytes it is packed in, counted from 16 MB on, and while it is read;",
        ),
    ),
    Claim(
        "sandbox-limits",
        "A step has these limits unless others are stated, and is stopped at each of them.",
        f".venv/bin/pytest -q {_LIMITS} && .venv/bin/python -m evidence.figures limits",
        (*_LIMITS.split(), "src/primad/replay", "evidence/figures.py"),
        (
            Quote(_SANDBOX, "| `seconds` | {hours:g} hours |"),
            Quote(_SANDBOX, "| `log` | {log:g} MB |"),
            Quote(_SANDBOX, "| `memory` | {memory:g} GB |"),
            Quote(
                _SANDBOX,
                "| `disk` | {disk:g} GB | what is in the folders it can write, files without a name too; an empty "
                "file counts as 1 kB |",
            ),
            Quote(_SANDBOX, "| `output`, `files` | {output:g} GB, {files:,.0f} |"),
        ),
        matched(
            r"^(?P<hours>\S+) hours, (?P<log>\S+) MB of log, (?P<memory>\S+) GB of memory, (?P<disk>\S+) GB of disk, "
            r"(?P<output>\S+) GB and (?P<files>\S+) files of output"
        ),
        "{hours:g} hours, {log:g} MB of log, {memory:g} GB of memory, {disk:g} GB of disk",
        is_long=True,
    ),
    shown_by(
        "repositories-refused",
        "A repository that stands for very many or very large files is refused, and nothing that it asks for is run.",
        "tests/rerun/test_hostile.py tests/rerun/test_fetching.py",
        "src/primad/rerun src/primad/replay",
        Quote(
            "docs/guides/rerun.md",
            "refused if there are more than 100,000 files and folders, more than 4 GB (or more than the sandbox "
            "may use), or "
            "more than 200 times what git keeps of them. A repository in the network is fetched up to 4 GB.",
        ),
    ),
    shown_by(
        "guessed-passwords",
        "Tries to sign in wait, longer each time.",
        "tests/web/test_people.py",
        "src/primad/accounts src/primad/web",
        Quote(
            _SERVER,
            "after five tries with an address from one machine the next waits 10 s, then twice as long each "
            "time, up to 15 "
            "minutes;",
        ),
    ),
    shown_by(
        "limits-of-a-site",
        "Whoever asks too often, sends too much or keeps the processor busy is refused, and told when to come again.",
        "tests/web/test_limits.py tests/web/test_safety.py tests/web/test_track_scoring.py",
        "src/primad/web src/primad/store",
        Quote(
            _SERVER,
            "five, two and a half, two and less than two times as many from one machine whose visitors have not "
            "signed in. More "
            "is answered with 429 and the seconds to wait. What keeps the processor busy, measurements to assess "
            "and runs to "
            "annotate, is for users 60 times a minute and for visitors from one machine ten times;",
        ),
        Quote(_SERVER, "A scorer that is a command has 120 seconds"),
        Quote("docs/guides/scorers.md", "On a [site](server.md) it has at most 120 seconds"),
        Quote(
            _SERVER, "A run has at most 128 MB, unpacked: larger ones are added on the server by `primad archive add`."
        ),
        Quote(
            _SERVER,
            "413 before any of it is read: beyond `PRIMAD_UPLOAD_LIMIT`, and from visitors beyond 2 MB (a run to "
            "annotate: 8 MB; "
            "measurements: 200 kB, not packed). A packed file may unpack to 50 times its size, or to 4 MB",
        ),
        Quote(
            _SERVER,
            "2 GB sent and 200 results kept within a day from one user, where each question that sends anything "
            "counts as 1 kB "
            "at least;",
        ),
        is_long=True,
    ),
    shown_by(
        "slow-senders",
        "Somebody who sends or reads too slowly is waited for no longer.",
        "tests/web/limits/test_patience.py",
        "src/primad/web",
        Quote(
            _SERVER,
            "a connection ends after 30 s of silence, and when it takes longer than 30 s and has moved less than "
            "10 kB for each "
            "second beyond;",
        ),
        Quote(_SERVER, "Whoever moves just more than 10 kB a second is never too slow"),
    ),
)
