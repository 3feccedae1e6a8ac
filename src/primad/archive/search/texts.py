"""Where are the words of free text kept?

    keep_texts     say which texts runs have from now on
    forget_texts   take the texts from runs, whose new records say something else

The runs of one publication mostly have the same abstract, so a text is kept once, whoever has it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from primad.archive.models import RunText, Text

_AT_ONCE = 500
_ROWS_AT_ONCE = 2000


def keep_texts(texts: Mapping[int, Sequence[str]]) -> None:
    """Keep TEXTS, which are the words of what each run, by its number, says in sentences."""
    numbers = _numbers({text for some in texts.values() for text in some})
    RunText.objects.bulk_create(
        [RunText(run_id=run, text_id=numbers[text]) for run, some in texts.items() for text in some],
        batch_size=_ROWS_AT_ONCE,
    )


def forget_texts(runs: Iterable[int]) -> None:
    """Forget which texts RUNS have; the texts themselves stay."""
    RunText.objects.filter(run__in=list(runs)).delete()


def _numbers(texts: set[str]) -> dict[str, int]:
    """Return the number of each of TEXTS, the new ones stored."""
    digests = {hashlib.sha256(text.encode()).hexdigest(): text for text in texts}
    wanted = sorted(digests)
    known: dict[str, int] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        some = Text.objects.filter(digest__in=wanted[start : start + _AT_ONCE])
        known |= {digests[digest]: number for digest, number in some.values_list("digest", "id")}
    new = [Text(digest=digest, words=digests[digest]) for digest in wanted if digests[digest] not in known]
    return known | {row.words: row.pk for row in Text.objects.bulk_create(new, batch_size=_AT_ONCE)}
