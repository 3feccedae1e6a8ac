"""What is wrong with the ranking of a run, also in the light of its metadata?

    check_ranking   every finding about the ranking lines
    check_digest    whether the ranking still is the one that was annotated
    facts_of        what the ranking is like

The lines themselves are looked at in trec/inspection.py.  Here they are held against the header (tag, digest, rule for
tied scores), the qrels (topics) and the profile (depth).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.metadata.checking.findings import Finding, RankingFacts
from primad.trec.ranking import ranking_digest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from primad.metadata.profile import Profile
    from primad.metadata.reading import Metadata
    from primad.trec.inspection import Inspection

_MOST_NAMED = 5
_FALLING = ("reverse", "descending", "falling", "decreasing")
_ALPHABETICAL = ("alphabet", "lexicograph", "docid", "docno", "document id", "identifier")


def check_ranking(
    name: str,
    inspection: Inspection,
    metadata: Metadata | None,
    profile: Profile,
    judged: Collection[str] | None = None,
) -> list[Finding]:
    """Return everything that is wrong with the ranking of the file NAME; JUDGED are the topics of the qrels."""
    findings = [
        Finding(name, found.line, "", found.severity, found.code, str(found), found.advice)
        for found in inspection.findings
    ]
    findings += _left_out(name, inspection)
    findings += _against_profile(name, inspection, profile)
    if metadata is not None:
        findings += _against_header(inspection, metadata)
    if judged is not None:
        findings += _against_qrels(name, inspection, judged)
    return findings


def check_digest(rest: bytes, metadata: Metadata) -> list[Finding]:
    """Return a finding if the ranking is not the one that was annotated."""
    noted = metadata.record.get("ranking.sha256")
    if not noted or noted == ranking_digest(rest):
        return []
    message = "the ranking was changed after it was annotated"
    advice = "fetch the run again, or see that the metadata still is right and annotate it with --accept-ranking"
    line = metadata.line_of(("ranking", "sha256"))
    return [Finding(metadata.name, line, "ranking.sha256", "error", "digest", message, advice)]


def facts_of(inspection: Inspection) -> RankingFacts:
    """Return what the ranking is like."""
    return RankingFacts(
        inspection.lines,
        len(inspection.topics),
        inspection.depth,
        inspection.shortest,
        inspection.tied_share,
        inspection.tie_order,
    )


def _left_out(name: str, inspection: Inspection) -> Iterator[Finding]:
    """Say how many findings of a kind are not listed."""
    for code, total in inspection.totals.items():
        listed = [found for found in inspection.findings if found.code == code]
        if total > len(listed) > 0:
            message = f"{total - len(listed):,} more of the same kind as above"
            yield Finding(name, listed[-1].line, "", listed[-1].severity, code, message)


def _against_profile(name: str, inspection: Inspection, profile: Profile) -> Iterator[Finding]:
    """Hold the depth of the ranking against what the task allows."""
    if profile.depth and inspection.depth > profile.depth:
        message = f"expected at most {profile.depth:,} documents for a topic, found {inspection.depth:,}"
        yield Finding(name, 0, "", "error", "depth", message, "cut the rankings off")


def _against_header(inspection: Inspection, metadata: Metadata) -> Iterator[Finding]:
    """Hold tags and ties against what the header says."""
    tag = metadata.record.tag
    if tag and inspection.tags and tag not in inspection.tags:
        message = f"expected the tag of the ranking, '{inspection.tags[0]}', found '{tag}'"
        yield Finding(metadata.name, metadata.line_of(("tag",)), "tag", "warning", "tag", message)
    rule = metadata.record.get("method.score ties")
    stated = _order_of(rule) if isinstance(rule, str) else None
    if stated and inspection.tie_order not in (stated, "no ties"):
        message = f"'{rule}' is stated, but equal scores stand in the order: {inspection.tie_order}"
        line = metadata.line_of(("method", "score ties"))
        yield Finding(metadata.name, line, "method.score ties", "warning", "ties", message)


def _order_of(rule: str) -> str | None:
    """Return the order of tied documents that RULE describes, None where it is something else.

    >>> _order_of("reverse alphabetical order"), _order_of("alphabetical order"), _order_of("external collection")
    ('falling document identifiers', 'rising document identifiers', None)
    """
    said = rule.lower()
    if not any(word in said for word in _ALPHABETICAL):
        return None
    falling = any(word in said for word in _FALLING)
    return "falling document identifiers" if falling else "rising document identifiers"


def _against_qrels(name: str, inspection: Inspection, judged: Collection[str]) -> Iterator[Finding]:
    """Hold the topics against those of the qrels."""
    unknown = [topic for topic in inspection.topics if topic not in judged]
    if unknown and len(unknown) == len(inspection.topics):
        message = f"expected topics of the qrels, found none of them ({_listed(unknown)})"
        yield Finding(name, 0, "", "error", "topics", message, "are these the qrels of the collection?")
    elif unknown:
        message = f"{len(unknown):,} of {len(inspection.topics):,} topics are unknown to the qrels: {_listed(unknown)}"
        yield Finding(name, 0, "", "warning", "topics", message)
    retrieved = set(inspection.topics)
    absent = sorted(set(judged) - retrieved, key=lambda topic: (len(topic), topic))  # numbers in their order
    if absent and len(unknown) < len(inspection.topics):
        message = f"nothing is retrieved for {len(absent):,} of {len(judged):,} judged topics: {_listed(absent)}"
        yield Finding(name, 0, "", "warning", "topics", message)


def _listed(topics: list[str]) -> str:
    """Return the first TOPICS."""
    more = ", ..." if len(topics) > _MOST_NAMED else ""
    return ", ".join(topics[:_MOST_NAMED]) + more
