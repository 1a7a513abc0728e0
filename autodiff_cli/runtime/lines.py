"""Which statements a line number stands for: where a breakpoint stops, and after what a probe looks.

Statements of one block that stand on one line are taken together: a breakpoint stops before the first of them, a probe
looks after the last. A line that opens a block (`for`, `while`, `if`, `with`, `def`) is for a probe the moment at
which its block is entered: at every turn, at every call.
"""

from __future__ import annotations

from typing import NamedTuple

from autodiff_cli.language import nodes
from autodiff_cli.language.depth import children
from autodiff_cli.source import Source


class Place(NamedTuple):
    """Where a statement stands.

    Attributes:
        line: from 1.
        first: nothing before it in its block is on the same line.
        last: it is no compound statement, and nothing like it follows in its block on the same line.
        header: the line of the statement whose block it begins, if that is another line; else 0.
        function: the function that it begins, or "".
    """

    line: int
    first: bool
    last: bool
    header: int
    function: str


class Lines:
    """The places of all statements of a program."""

    def __init__(self, source: Source, module: nodes.Module) -> None:
        self.places: dict[nodes.Stmt, Place] = {}
        self.functions: dict[str, int] = {}  # name -> line of its first statement
        self._source = source
        stack: list[nodes.Node] = [module]
        while stack:
            tree = stack.pop()
            for field in tree._fields:
                block = getattr(tree, field)
                if type(block) is tuple and block and isinstance(block[0], nodes.Stmt):
                    self._block(tree, block, opens=field == "body")
            stack.extend(children(tree))

    def line(self, tree: nodes.Node) -> int:
        """The line on which a node of the tree begins."""
        return self._source.position(tree.span.start).line

    def _block(self, owner: nodes.Node, block: tuple[nodes.Stmt, ...], opens: bool) -> None:
        lines = [self.line(s) for s in block]
        above = 0 if type(owner) is nodes.Module or not opens else self.line(owner)
        for i, s in enumerate(block):
            follows = i + 1 < len(block) and lines[i + 1] == lines[i] and not compound(block[i + 1])
            begins = i == 0 and opens
            function = owner.name if begins and type(owner) is nodes.FunctionDef else ""
            if function:
                self.functions[function] = lines[0]
            self.places[s] = Place(
                lines[i],
                i == 0 or lines[i - 1] != lines[i],
                not compound(s) and not follows,
                above if begins and above != lines[0] else 0,
                function,
            )

    def next_line(self, line: int) -> int:
        """The first line from `line` on where a statement begins; 0: there is none."""
        return min((place.line for place in self.places.values() if place.line >= line), default=0)


def compound(s: nodes.Stmt) -> bool:
    """Whether a statement has blocks of its own."""
    return hasattr(s, "body")
