"""What can be imported: the built-in namespaces, and nothing else."""

from __future__ import annotations

from autodiff_cli.language.misfit import refuse
from autodiff_cli.source import Span

MODULES = frozenset((
    "torch", "torch.nn", "torch.nn.functional", "torch.autograd", "torch.autograd.functional", "torch.func",
    "torch.linalg", "torch.special", "math", "__future__",
))  # fmt: skip

# Modules that bring too much for `import *` to say what.
NO_STAR = frozenset(("torch.nn", "torch.autograd", "__future__"))

INSTEAD = {
    "numpy": "write PyTorch's names: `torch.sin(x)`, `torch.tensor([1., 2.])`",
    "scipy": "write PyTorch's names: `torch.special.expit(x)`, `torch.linalg.det(x)`",
    "jax": "write PyTorch's names: `torch.func.grad(f)`",
    "tensorflow": "write PyTorch's names",
    "autograd": "write PyTorch's names: `torch.func.grad(f)`, `torch.sin(x)`",
    "matplotlib": "leave the import out: a program computes, and draws nothing",
    "typing": "leave the import out: annotations are ignored, and need no names",
    "collections": "leave the import out: lists, tuples, dicts and sets are there",
    "random": "write `torch.rand(())`, `torch.randn(n)`, `torch.manual_seed(0)`",
    "os": "leave the import out: a program can reach no file and no process",
    "sys": "leave the import out: a program can reach no file and no process",
    "torchvision": "leave the import out: it is not a part of this library",
}
OTHERWISE = "only `torch`, `math` and parts of `torch` are here, and need no import"


def check_import(module: str, span: Span) -> None:
    """Accept a module that a program may import. Raises Misfit."""
    if module not in MODULES or module == "__future__":
        top = module.split(".", 1)[0]
        refuse("import", span, module=module, instead=INSTEAD.get(top, OTHERWISE))


def check_import_from(module: str, names: tuple[tuple[str, str | None], ...], span: Span) -> None:
    """Accept `from module import names`, as far as the names can be judged without the library.

    Raises Misfit.
    """
    if module not in MODULES:
        check_import(module, span)
    if names == (("*", None),) and module in NO_STAR:
        refuse("import-star", span, module=module)
