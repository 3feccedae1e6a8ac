"""How does as much as possible flow through a network at the least cost?

    Network   nodes joined by arcs, each of which takes one unit at a cost

Costs are whole numbers of any size, so that several aims can be put into one number, the first ones with a larger
weight, without rounding.  The method is that of successive shortest paths, each found as Bellman and Ford do; arcs are
looked at in the order in which they were added, so the same network gives the same flow.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass


@dataclass
class _Arc:
    """An arc to a node, and whether a unit is LEFT that can take it; BACK is the place of its counterpart there."""

    to: Hashable
    left: int
    cost: int
    back: int


class Network:
    """A network that can be added to until it is asked to flow."""

    def __init__(self) -> None:
        """Begin with no node."""
        self._arcs: dict[Hashable, list[_Arc]] = {}

    def join(self, start: Hashable, end: Hashable, *, cost: int) -> None:
        """Add an arc from START to END, through which one unit can flow."""
        out, back = self._arcs.setdefault(start, []), self._arcs.setdefault(end, [])
        out.append(_Arc(end, 1, cost, len(back)))
        back.append(_Arc(start, 0, -cost, len(out) - 1))

    def flow(self, source: Hashable, sink: Hashable) -> None:
        """Send as much as possible from SOURCE to SINK, one unit after the other, each as cheaply as can be."""
        while path := self._cheapest(source, sink):
            for node, place in path:
                arc = self._arcs[node][place]
                arc.left -= 1
                self._arcs[arc.to][arc.back].left += 1

    def used(self, start: Hashable, end: Hashable) -> bool:
        """Tell whether anything flows from START to END."""
        return any(arc.to == end and self._arcs[end][arc.back].left > 0 for arc in self._arcs.get(start, []))

    def _cheapest(self, source: Hashable, sink: Hashable) -> list[tuple[Hashable, int]]:
        """Return the cheapest path with room, as nodes with the place of the arc; empty if there is none."""
        cost: dict[Hashable, int] = {source: 0}
        came: dict[Hashable, tuple[Hashable, int]] = {}
        waiting = deque([source])
        while waiting:
            node = waiting.popleft()
            for place, arc in enumerate(self._arcs.get(node, [])):
                reached = cost[node] + arc.cost
                if arc.left and (arc.to not in cost or reached < cost[arc.to]):
                    cost[arc.to], came[arc.to] = reached, (node, place)
                    if arc.to not in waiting:
                        waiting.append(arc.to)
        return self._way(came, source, sink)

    @staticmethod
    def _way(
        came: dict[Hashable, tuple[Hashable, int]], source: Hashable, sink: Hashable
    ) -> list[tuple[Hashable, int]]:
        """Return the path to SINK along which one CAME."""
        if sink not in came:
            return []
        path, node = [], sink
        while node != source:
            path.append(came[node])
            node = came[node][0]
        return path
