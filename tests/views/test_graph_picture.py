"""What pictures show: items and arrows, folding, depth, neighbourhoods, details."""

from __future__ import annotations

from views.pictures import EVERY_KIND, VALUES, every_kind, picture_of

from autodiff_cli.views.graph_picture import Picture


def titles(p: Picture) -> list[str]:
    return [item.title for item in p.items.values()]


def arrows(p: Picture) -> list[tuple[str, str, int]]:
    return [(p.items[a.source].title, p.items[a.target].title, a.operand) for a in p.arrows]


def test_a_value_used_twice_has_two_arrows() -> None:
    p = picture_of("b = a*a", {"a": 3.0})
    assert arrows(p) == [("a", "b = a*a", 0), ("a", "b = a*a", 1)]


def test_items_tell_name_operation_value_and_gradient() -> None:
    p = picture_of("z=(x*y+1)**2", {"x": 2.0, "y": 3.0})
    told = {item.title: [text for _, text in item.details] for item in p.items.values()}
    assert told == {
        "x": ["leaf", "2", "grad 42"],
        "y": ["leaf", "3", "grad 28"],
        "x*y": ["MulBackward0", "6", "grad 14"],
        "x*y+1": ["AddBackward0", "7", "grad 14"],
        "z = (x*y+1)**2": ["PowBackward0", "49", "grad 1"],
    }


def test_what_else_can_be_shown() -> None:
    p = picture_of("w = exp(v)\nw.sum()", {"v": [1.0, 2.0]}, show=("shape", "line", "saved"))
    exp = next(item for item in p.items.values() if item.first.op == "exp")
    assert [text for _, text in exp.details] == ["ExpBackward0", "2 float64", "line 1", "saves result: 16 bytes"]


def test_kinds() -> None:
    p = every_kind()
    kinds = {item.title: item.kind for item in p.items.values()}
    assert kinds["x"] == "leaf"
    assert kinds["k"] == "constant"
    assert kinds["b = x.detach()"] == "detached"
    assert kinds["f()"] == "call"
    assert set(kinds.values()) == {"leaf", "constant", "detached", "call", "operation"}


def test_a_value_that_backward_did_not_reach_has_no_gradient() -> None:
    p = picture_of("a = x*2\nb = a + y\n(x*3).backward()\nb", {"x": 1.0, "y": 1.0})
    missing = {item.title for item in p.items.values() if item.missing}
    assert missing == {"y", "a = x*2", "b = a + y"}


def test_loops_fold_by_themselves_past_sixty_nodes() -> None:
    short = picture_of("for i in range(5): x = sin(x)\nx", {"x": 1.0})
    long = picture_of("for i in range(100): x = sin(x)\nx", {"x": 1.0})
    assert (short.folded, len(short.items)) == (False, 6)
    assert (long.folded, len(long.items)) == (True, 2)
    details = [text for _, text in list(long.items.values())[1].details]
    assert details[1] == "× 100 turns" and details[2].startswith("0.841471 … 0.")
    assert [(a.source, a.target, a.carried) for a in long.arrows] == [(0, 1, False), (1, 1, True)]
    assert len(picture_of("for i in range(100): x = sin(x)\nx", {"x": 1.0}, fold=False).items) == 101


def test_depth_folds_calls_into_one_item_with_the_value_of_the_result() -> None:
    program = "def g(a): return a*a + 1\ndef f(a): return g(a)*2 + a\nf(x) + y"
    open_ = picture_of(program, {"x": 3.0, "y": 1.0})
    one = picture_of(program, {"x": 3.0, "y": 1.0}, depth=1)
    none = picture_of(program, {"x": 3.0, "y": 1.0}, depth=0)
    assert "g()" in titles(one) and "f()" not in titles(one) and len(one.items) == len(open_.items) - 1
    assert sorted(arrows(none)) == [("f()", "f(x) + y", 0), ("x", "f()", 0), ("y", "f(x) + y", 1)]
    f = next(item for item in none.items.values() if item.kind == "call")
    assert [text for _, text in f.details] == ["call, 4 nodes", "23", "grad 1"]


def test_a_constant_that_only_a_call_uses_is_a_part_of_it() -> None:
    p = picture_of("def f(a): return a*tensor(3.0) + k\nf(x) + k", {"x": 3.0, "k": 1.0}, depth=0)
    assert titles(p) == ["k", "x", "f()", "f(x) + k"]


def test_around_a_name() -> None:
    program = "a = x*x\nb = a*2\nc = b + y\nd = sin(c)\nd"
    p = picture_of(program, {"x": 3.0, "y": 1.0}, around="b", radius=1)
    assert titles(p) == ["a = x*x", "b = a*2", "c = b + y"]


def test_local_derivatives_on_arrows() -> None:
    p = picture_of("b = a*a*k", {"a": 3.0, "k": 2.0}, local=True)
    assert [a.label for a in p.arrows] == ["3", "3", "2", "9"]
    folded = picture_of("for i in range(3): x = x*x\nx", {"x": 2.0}, local=True, fold=True)
    assert [(a.carried, a.label) for a in folded.arrows] == [(False, "2"), (True, "16")] * 2


def test_a_value_of_the_turn_before_that_is_used_twice_has_two_arrows() -> None:
    for turns in (2, 3, 9):
        program = f"for i in range({turns}):\n    a = x\n    for j in range(3): a = a*a\n    x = a*0.5\nx"
        p = picture_of(program, {"x": 0.9}, fold=True)
        titles = {key: item.title for key, item in p.items.items()}
        carried = [(titles[a.source], titles[a.target]) for a in p.arrows if a.carried]
        assert carried.count(("x = a*0.5", "a = a*a")) == 2 and carried.count(("a = a*a", "a = a*a")) == 2


def test_an_operand_that_changes_its_place_is_one_arrow() -> None:
    program = "s = 0.0\nfor i in range(4): s = s + q\ns"
    p = picture_of(program, {"q": 2.0}, fold=True)
    assert [(a.source == a.target, a.carried) for a in p.arrows if p.items[a.source].first.requires_grad] == [
        (True, True),
        (False, False),
    ]


def test_every_arrow_goes_forward_or_is_carried() -> None:
    for depth in (None, 0):
        p = every_kind(depth=depth)
        order = {key: i for i, key in enumerate(p.items)}
        assert all(a.carried or order[a.source] < order[a.target] for a in p.arrows)
    assert EVERY_KIND and VALUES


def test_names_and_texts_of_nodes() -> None:
    program = """\
z = torch.zeros(3)
z[0] = x*2
z[1] += x
z *= x
v = z[1:]
v.mul_(3)
a, b = x*3, x*4
(c, d), e = (a*b, b + 1), x
lo, hi = torch.stack([x, 5*x]).unbind()
h = k = sin(x)
if (n := x*7) > 3: pass
def f(t):
    u, w = t*t, t + 1
    first, second = t*torch.ones(2)
    return u + w + first*second
z.sum() + a + c + d + lo + hi + h + n + f(x)"""
    p = picture_of(program, {"x": 2.0}, fold=False)
    told = [(item.title, item.first.grad_fn) for item in p.items.values()]
    for title in (
        *("a = x*3", "b = x*4", "c = a*b", "d = b + 1", "v = z[1:]", "h = sin(x)", "n = x*7", "u = t*t", "w = t + 1"),
        *("lo = torch.stack([x, 5*x]).unbind()", "hi = torch.stack([x, 5*x]).unbind()", "z *= x", "z after v.mul_(3)"),
    ):
        assert title in [title for title, _ in told], title
    assert ("z[0] = x*2", "torch::autograd::CopySlices") in told
    assert ("first of first, second = t*torch.ones(2)", "UnbindBackward0") in told
    assert ("z[1] += x", "torch::autograd::CopySlices") in told
    assert ("z[1]", "SelectBackward0") in told  # what `z[1] += x` reads
    assert not any("z = z *= x" in title for title, _ in told)


def test_a_value_that_was_written_into_later_says_so() -> None:
    def shown(program: str) -> list[str]:
        p = picture_of(program, {"x": 1.0}, fold=False)
        return [text for item in p.items.values() for role, text in item.details if role == "value"]

    assert "now [9, 1, 1]" in shown("z = x*torch.ones(3)\ny = z + 1\nz[0] = 9\ny.sum()")
    assert shown("z = x*torch.ones(3)\ny = z + 1\nz += 1\ny.sum()") == ["1", "[1, 1, 1]", "[2, 2, 2]", "6"]
    learnt = (
        "w = tensor([1., 2.], requires_grad=True)\nl = (w + x).sum()\nl.backward()\nwith torch.no_grad(): w -= w.grad\n"
    )
    assert "now [0, 1]" in shown(learnt + "l") and "[0, 1]" in shown(learnt + "(w*x).sum()")
    assert "[0, 0, 0]" in [
        item.title for item in picture_of("z = torch.zeros(3)\nz[0] = x*5\nz.sum()", {"x": 1.0}).items.values()
    ]
    parts = "z = torch.zeros(2)\nz[0] = x*5\nz[1] = x*7\nz.sum()"
    assert shown(parts).count("5") == 2 and shown(parts).count("7") == 2  # x*5 and what was written of it
    assert not any(text.startswith("now") for text in shown("a = x*2\na += 1\na*a"))


def test_a_plain_number_of_a_folded_loop_is_called_by_its_first_and_last_value() -> None:
    p = picture_of("for i in range(4): x = x*i + x\nx", {"x": 2.0}, fold=True)
    assert [item.title for item in p.items.values() if item.kind == "constant"] == ["0 … 3"]


def test_some_loops_open_and_others_folded() -> None:
    program = "for i in range(3):\n    y = x*2\n    for j in range(4): x = sin(x)*k + y\n    x = cos(x)\nx"
    values = {"x": 1.0, "k": 0.5}
    whole = picture_of(program, values, fold=False)
    for opened in ((), (1,), (3,), (1, 3)):
        p = picture_of(program, values, fold=True, open_loops=frozenset(opened))
        order = {key: i for i, key in enumerate(p.items)}
        assert all(a.carried or order[a.source] < order[a.target] for a in p.arrows)
        assert sum(item.times for item in p.items.values()) == len(whole.items)
        assert sum(item.title == "sin(x)" for item in p.items.values()) == {(): 1, (1,): 3, (3,): 4, (1, 3): 12}[opened]
        assert any(a.carried for a in p.arrows) == (opened != (1, 3))
    assert (len(p.items), len(p.arrows)) == (len(whole.items), len(whole.arrows))


def test_long_titles_are_broken_at_blanks_and_operators() -> None:
    p = picture_of(
        "first_long_name = x*x\nloss = -(first_long_name*torch.log(first_long_name)).sum() + 0.01*(x**2).sum()",
        {"x": 2.0},
    )
    heads = list(p.items.values())[-1].heads
    assert heads == ["loss = -(first_long_name*", "torch.log(", "first_long_name)).sum() +", "0.01*(x**2).sum()"]
