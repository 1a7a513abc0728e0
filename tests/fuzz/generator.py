"""Random programs in plain PyTorch, grown one statement at a time beside a live PyTorch.

A `Grower` executes each statement as it is made, so it knows what the variables hold when it writes the next one. A
statement that raises is mostly thrown away, and otherwise kept, bare or within a `try`. Invariant: one seed, one program.
"""

from __future__ import annotations

import contextlib
import io
import random
import re
import warnings
from typing import Any

HEADER = "import math\nimport torch\nimport torch.nn.functional as F\ntorch.set_default_dtype(torch.float64)\n"

UNARY = """exp log sqrt sin cos tan tanh sigmoid abs neg square reciprocal rsqrt relu sign floor ceil round trunc frac log1p
expm1 sinh cosh asinh atan erf erfc logit softplus silu gelu elu selu celu mish softsign leaky_relu relu6 hardtanh logsigmoid
log2 log10 exp2 lgamma digamma sinc nan_to_num""".split()
METHODS = """exp log sqrt sin cos tanh sigmoid abs neg square reciprocal relu sign floor round log1p clone detach t contiguous
cumsum(0) cumprod(0) cumsum(-1) flip(0) tril triu diag unsqueeze(0) unsqueeze(-1) squeeze flatten reshape(-1) view(-1)
expand(2,3) expand(3,3) repeat(2) transpose(0,1) T mT softmax(-1) softmax(0) log_softmax(0) logsumexp(0) logsumexp(-1)
sum mean prod max min amax amin std var norm median argmax argmin numel dim sum(0) sum(-1) sum(0,keepdim=True) mean(0)
mean(-1,keepdim=True) prod(0) prod(-1) max(0)[0] min(-1)[0] max(0).values max(0).indices median(0).values amax(0) amin(-1)
var(0) std(-1) norm(dim=0) norm(1) norm(p=3) sort()[0] sort(descending=True)[1] topk(2)[0] argsort roll(1) clamp(-1,1)
clamp(min=0) clamp(max=0.5) clamp_min(0.1) chunk(2)[0] split(1)[0] unbind(0)[0] unbind()[-1] float double int long bool
to(torch.float32) to(torch.int64) item tolist any all count_nonzero cummax(0)[0] isnan isinf isfinite logical_not
select(0,0) narrow(0,0,1) movedim(0,-1) masked_fill(False,1.0) data grad is_leaf requires_grad shape ndim dtype size() size(0)
diagonal trace det inverse is_contiguous() stride() element_size() repeat_interleave(2) unfold(0,1,1) broadcast_to((2,3))
outer_self nansum nanmean aminmax()[0] mode(0)[0] hypot_self quantile(0.5) minimum_self ravel squeeze(0)
index_select(0,torch.tensor([0,0])) gather(0,torch.zeros(1,dtype=torch.int64)) take(torch.tensor([0,-1])) view_as_self
view(1,-1) reshape(-1,1) unsqueeze(1) unflatten(0,(-1,1)) swapaxes(0,-1) permute(1,0) permute(0) grad_fn""".split()
BINARY = """add sub mul div pow atan2 hypot maximum minimum fmax fmin fmod remainder logaddexp copysign xlogy floor_divide
heaviside logaddexp2 dist""".split()
OPERATORS = ["+", "-", "*", "/", "**", "//", "%", "@", "<", "<=", "==", "!=", ">", "&", "|", "+", "*", "-", "*", "+"]
FUNCTIONS = [
    "torch.where({a} > {b}, {a}, {b})", "torch.cat([{a}, {b}])", "torch.stack([{a}, {b}])", "torch.dot({a}, {b})",
    "torch.outer({a}, {b})", "torch.matmul({a}, {b})", "torch.einsum('i,j->ij', {a}, {b})", "torch.lerp({a}, {b}, 0.25)",
    "torch.einsum('ij,jk->ik', {a}, {b})", "F.mse_loss({a}, {b})", "F.l1_loss({a}, {b})", "F.smooth_l1_loss({a}, {b})",
    "F.huber_loss({a}, {b}, delta=0.5)", "torch.clamp({a}, {b}, {c})", "torch.addcmul({a}, {b}, {c}, value=2)", "F.pad({a}, (1, 1))",
    "torch.kron({a}, {b})", "torch.linalg.norm({a})", "torch.linalg.vector_norm({a}, ord=3)",
    "torch.linalg.det({a})", "torch.linalg.inv({a})", "torch.linalg.solve({a}, {b})", "torch.logaddexp({a}, {b})", "torch.cdist({a}, {b})",
    "F.cosine_similarity({a}, {b}, dim=0)", "F.softmax({a}, dim=0)", "F.layer_norm({a}, {a}.shape[-1:])", "F.normalize({a}, dim=0)",
    "F.binary_cross_entropy_with_logits({a}, {b})", "F.cross_entropy({a}.reshape(2, -1), torch.tensor([0, 1]))", "F.kl_div({a}, {b}, reduction='sum')",
    "F.linear({a}, {b})", "torch.broadcast_tensors({a}, {b})[0]", "torch.meshgrid({a}, {b}, indexing='ij')[1]", "torch.tensordot({a}, {b}, dims=1)",
    "{a}.masked_fill({b} > 0, 0.0)", "{a}[{b} > 0]", "{a}.gather(0, {a}.argsort(0))", "torch.diff({a})", "torch.trapezoid({a})",
    "{a}.index_add(0, torch.tensor([0, 0]), torch.stack([{b}, {b}]))", "{a}.scatter_add(0, torch.tensor([0, 0]), {b})", "torch.inner({a}, {b})",
    "F.one_hot({a}.long().clamp(0, 3), 4)", "torch.ones_like({a})", "torch.full_like({a}, 2)",
    "torch.zeros_like({a}, requires_grad=True)", "torch.nan_to_num({a} / {b})", "torch.where({b} != 0, {a} / {b}, 0.0)", "{a}.type_as({b})",
    "torch.sum(torch.stack([{a}, {b}]), dim=0)", "torch.hstack([{a}, {b}])", "torch.vstack([{a}, {b}])", "sum([{a}, {b}, {c}])",
    "max({a}, {b})", "min([{a}, {b}], key=lambda v: v.sum().item())", "torch.tensor([{a}.sum().item(), 2.0])", "abs({a})", "float({a}.sum())",
    "int({a}.sum())", "bool({a}.sum() > 0)", "round({a}.sum().item(), 3)", "len({a})", "[v.item() for v in {a}.flatten()]", "torch.allclose({a}, {b})",
    "torch.equal({a}, {b})", "{a}.shape == {b}.shape", "{a}.eq({b}).all()", "(-{a})", "(+{a})", "(not {a}.any())", "torch.is_tensor({a})",
    "math.sqrt({a}.square().sum())", "math.exp(-abs({a}.sum().item()))", "torch.linspace(0, 1, 3) * {a}", "torch.arange(3) * {a}", "torch.eye(3) @ {a}",
    "torch.logcumsumexp({a}, 0)", "torch.cumprod({a}, -1)", "torch.var({a}, unbiased=False)", "torch.amax({a}, dim=0, keepdim=True)", "torch.norm({a}, p=1)",
    "torch.combinations({a})", "torch.tril({a} * {b})", "torch.bmm({a}.reshape(1, 1, -1), {b}.reshape(1, -1, 1))", "torch.var_mean({a})[1]",
    "torch.clamp_max({a}, 0.3)", "torch.linalg.matrix_norm({a})", "torch.cholesky_inverse({a} @ {a}.T + torch.eye(3))", "torch.linalg.cholesky({a} @ {a}.T + torch.eye(3))",
    "torch.linalg.eigvalsh({a} + {a}.T)", "torch.linalg.svdvals({a})", "torch.linalg.qr({a})[1].abs()", "torch.trace({a} @ {b})", "torch.logdet({a} @ {a}.T + torch.eye(3))",
    "torch.special.expit({a})", "torch.special.xlog1py({a}, {b})", "torch.special.entr({a})", "torch.threshold({a}, 0.1, 0.0)", "F.glu({a})", "F.prelu({a}, {b})",
]  # fmt: skip
INDEX = ["[0]", "[-1]", "[1]", "[1:]", "[:1]", "[::2]", "[None]", "[..., 0]", "[:, 0]", "[0, 1]", "[:, None]", "[[0, 0, 1]]", "[torch.tensor([1, 0, 1])]",
         "[[True, False]]", "[...]", "[:, -1:]", "[1, :2]", "[-2]", "[5]", "[[0, 1], [1, 0]]", "[:, [0, 0]]", "[0:0]", "[0.5]", "[(0,)]"]  # fmt: skip
IN_PLACE = ["add_({a})", "mul_({a})", "sub_({a})", "div_({a})", "pow_(2)", "exp_()", "zero_()", "fill_(1.5)", "clamp_(-1, 1)", "relu_()", "neg_()", "abs_()", "sin_()",
            "copy_({a})", "sqrt_()", "tanh_()", "sigmoid_()", "t_()", "unsqueeze_(0)", "squeeze_()", "masked_fill_({a} > 0, 0.5)", "index_fill_(0, torch.tensor([0]), 2.0)",
            "add_({a}, alpha=2)", "addcmul_({a}, {b})", "detach_()", "requires_grad_()", "requires_grad_(False)", "retain_grad()", "scatter_(0, torch.tensor([0]), 3.0)",
            "index_add_(0, torch.tensor([0, 0]), {a})", "cumsum_(0)", "lerp_({a}, 0.5)", "transpose_(0, 1)", "round_()", "fill_diagonal_(0)"]  # fmt: skip
ERRORS = [
    "RuntimeError",
    "ValueError",
    "TypeError",
    "IndexError",
    "ZeroDivisionError",
    "AttributeError",
    "OverflowError",
    "KeyError",
    "Exception",
]


class Grower:
    """Writes one program; `chunks` are its top-level statements."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.space: dict[str, Any] = {}
        exec(HEADER, self.space)
        self.builtin = set(self.space)
        self.torch = self.space["torch"]
        self.chunks: list[str] = []
        self.serial = 0

    # --- choices

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def pick(self, options: Any) -> Any:
        return self.random.choice(list(options))

    def names(self, wanted: Any) -> list[str]:
        return [n for n, v in self.space.items() if n not in self.builtin and isinstance(v, wanted)]

    def tensor(self) -> str:
        """The name of a tensor, one made lately more often than an old one."""
        names = self.names(self.torch.Tensor)
        return names[-1] if self.chance(0.3) else self.pick(names)

    def fresh(self, letter: str = "v") -> str:
        self.serial += 1
        return f"{letter}{self.serial}"

    # --- values

    def number(self) -> str:
        return self.pick(
            [
                "0.5",
                "2",
                "-1",
                "3",
                "0.0",
                "1.5",
                "-0.25",
                "10",
                "1e-3",
                "0",
                "1",
                "True",
                "2.0",
                "-3.5",
                "100.0",
                "1e10",
            ]
        )

    def literal(self, shape: tuple[int, ...]) -> str:
        if not shape:
            return self.pick(["0.5", "1.0", "-2.0", "0.0", "3.0", "0.1", "-0.7", "1.25", "2.0", "7.5"])
        return "[" + ", ".join(self.literal(shape[1:]) for _ in range(shape[0])) + "]"

    def new_tensor(self) -> str:
        shape = self.pick(
            [(), (), (), (2,), (3,), (3,), (1,), (2, 3), (3, 3), (3, 1), (2, 2), (1, 3), (2, 2, 2), (0,), (4,)]
        )
        extra = (
            ", requires_grad=True"
            if self.chance(0.7)
            else self.pick(["", "", ", dtype=torch.float32", ", dtype=torch.int64", ", dtype=torch.bool"])
        )
        if self.chance(0.1):
            size = ", ".join(map(str, shape)) or "()"
            return self.pick(
                [
                    f"torch.ones({size}{extra})",
                    f"torch.zeros({size}{extra})",
                    f"torch.full(({size},) if {len(shape)} else (), 0.7{extra})",
                ]
            )
        return f"torch.tensor({self.literal(shape)}{extra})"

    def expression(self, depth: int = 2) -> str:
        if depth == 0 or self.chance(0.1):
            return self.tensor() if self.chance(0.85) else self.number()
        inner = lambda: self.expression(depth - 1)
        way = self.random.random()
        if way < 0.4:
            text = f"{inner()} {self.pick(OPERATORS)} {inner()}"
            return text if self.chance(0.2) else f"({text})"
        if way < 0.5:
            name = self.pick(UNARY)
            return f"{'torch' if hasattr(self.torch, name) else 'F'}.{name}({inner()})"
        if way < 0.75:
            return f"{self.simple(inner())}{self.method()}"
        if way < 0.82:
            return f"{self.simple(inner())}{self.pick(INDEX)}"
        if way < 0.87:
            return f"torch.{self.pick(BINARY)}({inner()}, {inner()})"
        return self.pick(FUNCTIONS).format(a=self.tensor(), b=self.tensor(), c=self.tensor())

    @staticmethod
    def simple(text: str) -> str:
        return text if text.replace(".", "").isidentifier() or text.endswith((")", "]")) else f"({text})"

    def method(self) -> str:
        name = self.pick(METHODS)
        if name.endswith("_self"):
            return f".{name[:-5]}({self.tensor()})"
        bare = ("T", "mT", "data", "grad", "is_leaf", "requires_grad", "shape", "ndim", "dtype", "grad_fn")
        return f".{name}" if name in bare or "(" in name else f".{name}()"

    # --- statements

    def statement(self, depth: int = 0) -> str:
        """One statement's text, of several lines if it is compound."""
        makers = [
            (30, self.assign), (4, lambda: f"{self.fresh()} = {self.new_tensor()}"), (12, self.change), (8, self.printing), (9, self.backward),
            (4, self.autograd), (3, self.hook), (3, self.attribute), (2, self.view_change), (3, self.functional),
        ]  # fmt: skip
        if depth < 2:
            makers += [(3, lambda: self.loop(depth)), (3, lambda: self.branch(depth)), (2, lambda: self.mode(depth)), (3, self.function), (2, self.collection),
                       (2, lambda: self.attempt(depth)), (1, self.closure)]  # fmt: skip
        weights, functions = zip(*makers, strict=True)
        return self.random.choices(functions, weights)[0]()

    def assign(self) -> str:
        name = self.fresh() if self.chance(0.8) else self.tensor()
        return f"{name} = {self.expression(self.pick([1, 1, 2, 2, 3]))}"

    def change(self) -> str:
        way = self.random.random()
        if way < 0.35:
            return f"{self.tensor()} {self.pick(['+=', '-=', '*=', '/=', '**=', '*='])} {self.expression(1)}"
        if way < 0.6:
            return f"{self.tensor()}{self.pick(INDEX)} {self.pick(['=', '=', '+=', '*='])} {self.expression(1)}"
        return f"{self.tensor()}.{self.pick(IN_PLACE).format(a=self.tensor(), b=self.tensor())}"

    def view_change(self) -> str:
        name = self.fresh("w")
        view = self.pick(
            [
                "[0]",
                ".view(-1)",
                ".t()",
                "[1:]",
                ".diagonal()",
                ".detach()",
                ".data",
                ".unsqueeze(0)",
                ".select(0, 0)",
                ".reshape(-1)",
                ".T",
                ".expand(3, 3)",
                ".unbind()[0]",
                ".split(1)[0]",
            ]
        )
        return f"{name} = {self.tensor()}{view}\n{name}.{self.pick(IN_PLACE).format(a=self.tensor(), b=self.tensor())}"

    def printing(self) -> str:
        t = self.tensor()
        return "print(" + self.pick([
            t, f"{t}.grad", f"{t}.shape, {t}.dtype", f"{t}.requires_grad, {t}.is_leaf", f"{t}.grad_fn", f"f'{{{t}.sum().item():.6g}}'", f"{t}.tolist()",
            f"[{t}, {self.tensor()}]", f"{{'a': {t}}}", f"({t},)", f"{self.expression(2)}", f"f'{{{t}}}'", f"{t}.detach()", f"str({t}) + '!'",
            f"{t}.grad_fn.name() if {t}.grad_fn is not None else None", f"'%s' % {t}.ndim", f"{t}.size(), {t}.numel()", f"repr({t})",
            f"isinstance({t}, torch.Tensor)", f"'{{}}'.format({t})", f"{t}.T if {t}.ndim == 2 else {t}", f"{self.number()} + {t}",
            f"f'{{{t}.sum():.3f}}'", f"f'{{{t}.mean().item():>10.2e}}|'", f"{t}.max(), {t}.min()", f"*[v for v in {t}]", f"{t}.grad is None", "torch.is_grad_enabled()",
        ]) + ")"  # fmt: skip

    def backward(self) -> str:
        target = self.pick(
            [
                self.tensor(),
                f"{self.simple(self.expression(2))}.sum()",
                f"({self.tensor()} * {self.tensor()}).sum()",
                f"{self.tensor()}.mean()",
            ]
        )
        options = self.pick(
            [
                "",
                "",
                "retain_graph=True",
                "retain_graph=True",
                "create_graph=True",
                f"gradient=torch.ones_like({self.tensor()})",
                f"inputs=[{self.tensor()}]",
                f"{self.tensor()}",
            ]
        )
        return f"{target}.backward({options})\nprint({self.tensor()}.grad)"

    def autograd(self) -> str:
        name, x = self.fresh("g"), self.tensor()
        y = f"{self.simple(self.expression(2))}.sum()"
        options = self.pick(
            [
                "",
                ", create_graph=True",
                ", create_graph=True",
                ", retain_graph=True",
                ", allow_unused=True",
                ", allow_unused=True, materialize_grads=True",
                f", grad_outputs=torch.tensor({self.number()})",
            ]
        )
        text = f"{name}, = torch.autograd.grad({y}, {x}{options})\nprint({name})"
        if "create" in options and self.chance(0.6):
            text += f"\n{name}.pow(2).sum().backward()\nprint({x}.grad)"
        return text

    def functional(self) -> str:
        body, x = (
            self.pick(
                [
                    "(v ** 3).sum()",
                    "v.sin().prod()",
                    "(v * v.roll(1)).sum()",
                    "v.exp()",
                    "v * v.sum()",
                    f"(v * {self.tensor()}).sum()",
                    "v.norm()",
                    "v.max()",
                    "torch.outer(v, v)",
                ]
            ),
            self.tensor(),
        )
        call = self.pick(["torch.autograd.functional.jacobian(f, X)", "torch.autograd.functional.hessian(f, X)", "torch.func.grad(f)(X)", "torch.func.jacrev(f)(X)", "torch.func.hessian(f)(X)",
                          "torch.func.jvp(f, (X,), (torch.ones_like(X),))", "torch.autograd.functional.vjp(f, X)", "torch.func.grad_and_value(f)(X)", "torch.vmap(f)(X)", "torch.func.vjp(f, X)[0]",
                          "torch.autograd.functional.hvp(f, X, torch.ones_like(X))", "torch.func.vmap(torch.func.grad(f))(X)", "torch.func.jacfwd(f)(X)", "torch.autograd.functional.jvp(f, X, torch.ones_like(X))"])  # fmt: skip
        return (
            "print("
            + call.replace("f,", f"lambda v: {body},").replace("(f)", f"(lambda v: {body})").replace("X", x)
            + ")"
        )

    def hook(self) -> str:
        t = self.tensor()
        body = self.pick(
            [
                "lambda g: g * 2",
                "lambda g: print('hook', g)",
                "lambda g: g.clamp(-1, 1)",
                "lambda g: None",
                "lambda g: -g",
                "lambda g: seen.append(g)",
            ]
        )
        text = f"h = {t}.register_hook({body})"
        if "seen" in body:
            text = f"seen = []\n{text}"
        return text + (
            f"\n({t} * 3).sum().backward()\nh.remove()\nprint({t}.grad{', seen' if 'seen' in body else ''})"
            if self.chance(0.6)
            else ""
        )

    def attribute(self) -> str:
        t = self.tensor()
        return self.pick([f"{t}.grad = None", f"{t}.requires_grad = True", f"{t}.requires_grad = False", f"{t}.grad.zero_()", f"{t}.data.mul_(0.5)",
                          f"{t}.grad = torch.ones_like({t})", f"{t}.data[0] = 9.0", f"del {t}", f"{t}.grad *= 2", f"{t}.grad = {self.tensor()}"])  # fmt: skip

    def block(self, depth: int, count: int = 2) -> str:
        lines = "\n".join(self.statement(depth + 1) for _ in range(self.random.randint(1, count)))
        return "\n".join("    " + line for line in lines.split("\n"))

    def loop(self, depth: int) -> str:
        head = self.pick(
            [
                f"for i in range({self.pick([0, 1, 2, 3])})",
                f"for i, e in enumerate({self.tensor()})",
                f"for e in {self.tensor()}",
                f"for a, b in zip({self.tensor()}, {self.tensor()})",
            ]
        )
        x = self.tensor()
        if self.chance(0.3):
            n = self.fresh("n")
            return f"{n} = 0\nwhile {n} < 3 and {x}.sum() < {self.number()}:\n    {n} += 1\n    {x} = {x} + {self.expression(1)}\nelse:\n    print('end', {n})"
        tail = (
            f"\n    if i == 1:\n        {self.pick(['break', 'continue'])}\n    print(i)"
            if "i" in head[:6] and self.chance(0.3)
            else ""
        )
        return f"{head}:\n{self.block(depth)}{tail}"

    def branch(self, depth: int) -> str:
        test = self.pick(
            [
                f"{self.tensor()}.sum() > {self.number()}",
                f"{self.tensor()}",
                f"{self.tensor()}.requires_grad",
                f"{self.tensor()} is {self.tensor()}",
                f"{self.expression(1)} > 0",
                f"not {self.tensor()}.any()",
            ]
        )
        return f"if {test}:\n{self.block(depth, 1)}\nelse:\n{self.block(depth, 1)}"

    def mode(self, depth: int) -> str:
        mode = self.pick(["no_grad()", "no_grad()", "enable_grad()", "set_grad_enabled(False)"])
        return f"with torch.{mode}:\n{self.block(depth)}"

    def attempt(self, depth: int) -> str:
        return f"try:\n{self.block(depth)}\nexcept ({self.pick(ERRORS)}, {self.pick(ERRORS)}) as e:\n    print('caught')\nfinally:\n    print('finally')"

    def function(self) -> str:
        name = self.fresh("f")
        a, b = self.tensor(), self.tensor()
        body = re.sub(rf"\b{a}\b", "p", self.expression(2))
        head = self.pick(["p", "p, q=2.0", "p, *rest", "p, **options"])
        decorator = "@torch.no_grad()\n" if self.chance(0.15) else ""
        lines = f"{decorator}def {name}({head}):\n    p = {self.pick(['p * 2', 'p.clone()', 'p.detach()', 'p + 1', 'p'])}\n    return {body}"
        return f"{lines}\n{self.fresh()} = {name}({a})\nprint({name}({b}))"

    def closure(self) -> str:
        name = self.fresh("f")
        return f"def {name}():\n    total = {self.tensor()}\n    def step(k):\n        nonlocal total\n        total = total * k\n        return total\n    return step\nstep = {name}()\nstep({self.number()})\n{self.fresh()} = step({self.tensor()})"

    def collection(self) -> str:
        t = self.tensor()
        name = self.fresh()
        return self.pick([f"{name} = torch.stack([e * {self.number()} for e in {t}])", f"l = [{t}, {self.tensor()}]\nl[0] += 1\n{name} = l[0]", f"d = {{'a': {t}}}\nd['a'] *= 2\n{name} = d['a'] + {t}",
                          f"{name} = sum(e for e in {t} if e > 0)", f"{name} = [float(e) for e in {t}]\nprint({name})", f"{name}, *others = {t}\nprint(others)", f"{name} = sorted({t})[0]",
                          f"{name} = list(map(lambda e: e * 2, {t}))[-1]", f"{name} = max({t}, key=lambda e: e.sum())", f"print({{k: v for k, v in enumerate({t})}})", f"{name} = sum({t})", f"print(list(zip({t}, {t})))",
                          f"{name} = (lambda *a: a[0] + a[1])(*{t})", f"{name} = any(e > 1 for e in {t})\nprint({name})", f"{name} = [{t}, {t}].index({t})\nprint({name})", f"print({t} in [{t}])", f"print(0.5 in {t})"])  # fmt: skip

    # --- growth

    def grow(self, length: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.keep(f"{self.fresh()} = {self.new_tensor()}")
        for _ in range(length):
            if not self.names(self.torch.Tensor):
                self.keep(f"{self.fresh()} = {self.new_tensor()}")
            text = self.statement()
            error = self.execute(text)
            if error is None:
                self.chunks.append(text)
            elif isinstance(error, SyntaxError) or not self.chance(0.25):
                continue
            elif self.chance(0.8):
                body = "\n".join("    " + line for line in text.split("\n"))
                kind = next((k for k in ERRORS if k in type(error).__name__), "Exception")
                others = [k for k in ERRORS if k != kind and k != "Exception"]
                handlers = "".join(
                    f"except {k}:\n    print('caught {k}')\n" for k in [kind, *others] if k != "Exception" or kind == k
                )
                self.chunks.append(f"try:\n{body}\n{handlers}".rstrip())
            else:
                self.chunks.append(text)
                return

    def keep(self, text: str) -> None:
        if self.execute(text) is None:
            self.chunks.append(text)

    def execute(self, text: str) -> BaseException | None:
        try:
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(text, "<growing>", "exec"), self.space)
        except Exception as error:
            return error
        return None

    def finale(self) -> list[str]:
        """What shows the state at the end, of every tensor that is left."""
        names = self.names(self.torch.Tensor)
        leaves = [n for n in names if self.execute(f"assert {n}.is_leaf") is None]
        return [
            f"print({n!r}, {n}.tolist(), {n}.dtype, {n}.requires_grad, {n}.is_leaf, {n}.grad_fn)" for n in names
        ] + [f"print('gradient', {n!r}, {n}.grad)" for n in leaves]


def program(seed: int, length: int = 10) -> list[str]:
    grower = Grower(seed)
    grower.grow(length)
    return [*grower.chunks, *grower.finale()]
