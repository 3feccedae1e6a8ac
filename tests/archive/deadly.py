"""Work that ends the process it is done in; other processes import it, and no database with it."""

import os
import signal

from primad.archive.batch import Batch, Scored, score_batch

DEADLY = "PRIMAD_TEST_DEADLY"


def deadly(batch: Batch) -> Scored:
    """Score BATCH, unless the content is in it that ends the process."""
    if any(content.digest == os.environ[DEADLY] for _, content in batch.rankings):
        os.kill(os.getpid(), signal.SIGKILL)
    return score_batch(batch)
