"""The drawing of graphs, from snapshots made by hand: nothing but the shape of the graph matters here."""

from __future__ import annotations

from typing import Any

import pytest

from autodiff_cli.engine.graph import Edge, Graph, GraphNode
from autodiff_cli.views.graph_tree import LIMIT, graph_tree
from autodiff_cli.views.outline import LEAVES, Gap, outline
from autodiff_cli.views.text import Look, cells, paint

Loops = tuple[tuple[int, int], ...]


class Maker:
    """Builds a snapshot node by node."""

    def __init__(self) -> None:
        self.nodes: list[GraphNode] = []
        self.edges: list[Edge] = []

    def add(
        self,
        text: str,
        *operands: int,
        name: str | None = None,
        value: Any = 1.0,
        grad: Any = 1.0,
        loops: Loops = (),
    ) -> int:
        i = len(self.nodes)
        leaf = not operands
        op, grad_fn = ("leaf", None) if leaf else ("mul", "MulBackward0")
        self.nodes.append(
            GraphNode(i, op, grad_fn, name, text, (), "float64", value, grad, True, leaf, None, None, loops)
        )
        self.edges += [Edge(source, i, k) for k, source in enumerate(operands)]
        return i

    def constant(self, value: float, name: str | None = None) -> int:
        i = len(self.nodes)
        self.nodes.append(
            GraphNode(i, "constant", None, name, name or "", (), "float64", value, None, False, True, None, None, ())
        )
        return i

    def graph(self, *roots: int) -> Graph:
        return Graph(tuple(self.nodes), tuple(self.edges), len(self.nodes), roots)


def drawn(graph: Graph, width: int = 100, boxes: bool = True, full: bool = False) -> list[str]:
    return paint(graph_tree(graph, Look(width, boxes), full=full), False).splitlines()


def seed() -> Graph:
    make = Maker()
    x, y = make.add("x", name="x", value=2.0, grad=42.0), make.add("y", name="y", value=3.0, grad=28.0)
    xy = make.add("x*y", x, y, value=6.0, grad=14.0)
    total = make.add("x*y+1", xy, make.constant(1), value=7.0, grad=14.0)
    return make.graph(make.add("(x*y+1)**2", total, make.constant(2), name="z", value=49.0))


def test_the_tree_has_text_value_and_gradient_of_every_node() -> None:
    assert drawn(seed()) == [
        "graph           operation     value  gradient",
        "z = (x*y+1)**2  MulBackward0     49         1",
        "└─ x*y+1        MulBackward0      7        14",
        "   └─ x*y       MulBackward0      6        14",
        "      ├─ ● x    leaf              2        42",
        "      └─ ● y    leaf              3        28",
    ]


def test_the_tree_in_ascii() -> None:
    lines = drawn(seed(), boxes=False)
    assert all(line.isascii() for line in lines)
    assert lines[-2].startswith("      |- * x")
    assert lines[-1].startswith("      `- * y")


def test_a_number_is_a_row_only_where_the_expression_does_not_show_it() -> None:
    make = Maker()
    x = make.add("x", name="x")
    shown = make.add("x*2.5", x, make.constant(2.5))
    hidden = make.add("x*i", shown, make.constant(3))
    named = make.add("x*c", hidden, make.constant(3, name="c"))
    text = drawn(make.graph(named))
    assert not any("2.5" in line and "○" in line for line in text)
    assert sum("○ 3" in line for line in text) == 1
    assert sum("○ c" in line and "constant" in line for line in text) == 1


def test_a_value_used_twice_is_drawn_once_and_then_referred_to() -> None:
    make = Maker()
    x = make.add("x", name="x")
    h = make.add("x*x", x, x, name="h")
    lines = drawn(make.graph(make.add("h*h", h, h)))
    assert [line.split("  ")[0] for line in lines[1:]] == [
        "h*h",
        "├─ [1] h = x*x",
        "│",
        "│",
        "└─ [1] above: h",
    ]
    assert "● x" in lines[3]
    assert "x (above)" in lines[4]


def test_a_deep_chain_stays_on_the_page() -> None:
    make = Maker()
    node = make.add("x", name="x")
    for i in range(50):
        node = make.add(f"f{i}(z)", node)
    for width in (60, 80, 200):
        lines = drawn(make.graph(node), width=width)
        assert all(cells(line) <= width for line in lines)
        words = " ".join(lines).split()
        assert all(f"f{i}(z)" in words for i in range(50)), width
        assert "below:" in words
        assert any("●" in line for line in lines[-2:])


def test_an_empty_gradient_is_none_and_a_gap_is_no_gradient() -> None:
    make = Maker()
    lines = drawn(make.graph(make.add("x*2", make.add("x", name="x", grad=None), grad=None)))
    assert [line.split()[-1] for line in lines[1:]] == ["none", "none"]


def loop(turns: int) -> Graph:
    make = Maker()
    x = make.add("x", name="x")
    z = x
    for turn in range(1, turns + 1):
        product = make.add("z*x", z, x, loops=((2, turn),))
        z = make.add("z*x + 1", product, make.constant(1), name="z", loops=((2, turn),))
    return make.graph(z)


def test_the_middle_turns_of_a_loop_are_one_gap() -> None:
    lines = drawn(loop(1000))
    text = "\n".join(lines)
    assert "1,996 more nodes: line 2, turns 2 to 999" in text
    assert [line.split()[-4] for line in lines if "MulBackward0" in line] == ["1,000", "1,000", "1", "1"]
    assert len(lines) < 12
    assert lines[-1].startswith("1,996 of 3,001 nodes are left out")


def test_all_is_drawn_on_request() -> None:
    lines = drawn(loop(100), full=True)
    assert sum("MulBackward0" in line for line in lines) == 200
    assert not any("left out" in line for line in lines)


def test_a_graph_that_was_not_copied_is_counted() -> None:
    assert drawn(Graph(None, None, 2_000_000, ())) == [
        "the graph has 2,000,000 nodes, too many to draw (--graph full draws them)"
    ]


def test_several_outputs_are_several_trees() -> None:
    make = Maker()
    x = make.add("x", name="x")
    a, b = make.add("x*2", x, name="a"), make.add("x*3", x, name="b")
    lines = drawn(make.graph(a, b))
    assert [line.split("  ")[0] for line in lines[1:]] == ["a = x*2", "└─ ● x", "b = x*3", "└─ x (above)"]


def wide(leaves: int) -> Graph:
    make = Maker()
    node = make.add("x0", name="x0")
    for i in range(1, leaves):
        node = make.add(f"s{i}", node, make.add(f"x{i}", name=f"x{i}"))
    return make.graph(node)


def nested(turns: int) -> Graph:
    make = Maker()
    z = make.add("x", name="x")
    for outer in range(1, turns + 1):
        for inner in range(1, turns + 1):
            z = make.add("z*z", z, z, loops=((1, outer), (2, inner)))
    return make.graph(z)


@pytest.mark.parametrize("graph", [seed(), loop(500), wide(400), nested(20)])
@pytest.mark.parametrize("limit", [5, LIMIT, None])
def test_an_outline_loses_no_node(graph: Graph, limit: int | None) -> None:
    assert graph.nodes is not None
    found = outline(graph.nodes, graph.edges or (), graph.roots, limit)
    gaps = [item for item in found.items.values() if isinstance(item, Gap)]
    assert len(found.items) - len(gaps) + sum(gap.count for gap in gaps) == len(graph.nodes)
    assert limit is None or len(found.items) - len(gaps) <= max(limit, 1)
    assert all(root in found.items for root in found.roots)
    # all items hang together: nothing is drawn twice and nothing is lost on the way from the roots
    seen: set[int] = set()
    stack = list(found.roots)
    while stack:
        key = stack.pop()
        if key not in seen:
            seen.add(key)
            stack += found.operands[key]
    assert seen == set(found.items)


def test_leaves_of_a_large_graph_are_kept_however_far_from_the_output() -> None:
    text = "\n".join(drawn(wide(400)))
    assert all(f"● x{i} " in text for i in range(LEAVES))
    assert "s399" in text


@pytest.mark.parametrize("graph", [loop(500), wide(400), nested(20)])
@pytest.mark.parametrize("width", [60, 80, 200])
def test_large_graphs_fit_the_page(graph: Graph, width: int) -> None:
    lines = drawn(graph, width=width)
    assert len(lines) <= 3 * LIMIT
    assert all(cells(line) <= width for line in lines)
