"""Why do measured values vary?  What recorded conditions can tell, and what they cannot.

    causes_of    the causes of variation of a group, in five steps
    Causes       what they found, as data and in words

With few measurements the best of several conditions goes with most of pure noise, so the steps stand in this order:
    recorded      drop constant conditions, merge those that cannot be told apart
    floor         how much varies with identical recorded conditions: a floor under everything else;
                  influence: whether nearly all variation is one value, or where a condition is not known
    contrasts     pairs of measurements that differ in one condition alone
    explained     how much goes with a condition, beside what chance would give
    separation    which conditions were never varied apart; settling: the one measurement that would separate them
What they allow to say is in judging (as a verdict) and concluding (in words).
"""

from __future__ import annotations

from primad.qra.causes.assessing import Causes, causes_of

__all__ = ["Causes", "causes_of"]
