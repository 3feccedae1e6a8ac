"""Everything that reads what strangers give, a module for each room; importing this registers all targets."""

import tests.fuzz.sites  # noqa: F401 - which sets Django up, before any model is imported
from tests.fuzz.targets import archive, evaluation, exchange, metadata, qra, replay, reproducibility, track, trec, web

ROOMS = (trec, metadata, evaluation, qra, reproducibility, replay, exchange, archive, track, web)
