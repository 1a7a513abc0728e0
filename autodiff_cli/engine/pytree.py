"""Nested arguments and results: tuples, lists and dicts of tensors as a flat list and a structure.

A structure is a tuple: `LEAF`, or (kind, type or keys, structures of the parts). Everything that is no tuple,
list or dict is a leaf, None too.

Invariant: `unflatten(flatten(tree)[1], flatten(tree)[0])` is the tree again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Structure = tuple[Any, ...]
LEAF: Structure = ("leaf",)


def flatten(tree: Any) -> tuple[list[Any], Structure]:
    """The leaves from left to right, and the structure."""
    leaves: list[Any] = []
    return leaves, _flatten(tree, leaves)


def _flatten(tree: Any, leaves: list[Any]) -> Structure:
    if isinstance(tree, (tuple, list)):
        return (type(tree), None, tuple(_flatten(part, leaves) for part in tree))
    if isinstance(tree, dict):
        return (dict, tuple(tree), tuple(_flatten(part, leaves) for part in tree.values()))
    leaves.append(tree)
    return LEAF


def unflatten(structure: Structure, leaves: Sequence[Any]) -> Any:
    """The tree of a structure with these leaves."""
    return _unflatten(structure, iter(leaves))


def _unflatten(structure: Structure, leaves: Iterator[Any]) -> Any:
    if structure is LEAF:
        return next(leaves)
    kind, keys, parts = structure
    built = [_unflatten(part, leaves) for part in parts]
    if kind is dict:
        return dict(zip(keys, built, strict=True))
    return built if kind is list else kind(built)


def spread(prefix: Any, structure: Structure) -> list[Any] | None:
    """One value for each leaf from a tree that may stop above the leaves (`0` for all, `(0, None)` for a pair).

    None where the prefix has another structure.
    """
    if structure is LEAF:
        return None if isinstance(prefix, (tuple, list, dict)) else [prefix]
    kind, keys, parts = structure
    if not isinstance(prefix, (tuple, list, dict)):
        return [prefix] * count(structure)
    if kind is dict:
        if not isinstance(prefix, dict) or set(prefix) != set(keys):
            return None
        below = [prefix[key] for key in keys]
    else:
        if isinstance(prefix, dict) or isinstance(prefix, list) != issubclass(kind, list) or len(prefix) != len(parts):
            return None
        below = list(prefix)
    found: list[Any] = []
    for part, substructure in zip(below, parts, strict=True):
        values = spread(part, substructure)
        if values is None:
            return None
        found += values
    return found


def count(structure: Structure) -> int:
    """The number of leaves."""
    return 1 if structure is LEAF else sum(count(part) for part in structure[2])
