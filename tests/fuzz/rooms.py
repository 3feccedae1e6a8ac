"""Everything that reads what strangers give, a module for each room; importing this registers all targets."""

from tests.fuzz.targets import archive, evaluation, exchange, metadata, qra, replay, reproducibility, track, trec, web

ROOMS = (trec, metadata, evaluation, qra, reproducibility, replay, exchange, archive, track, web)
