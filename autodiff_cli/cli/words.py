"""The words that may stand at the end of a text: names, attributes behind a dot. For completion at a prompt."""

from __future__ import annotations

import re
from typing import Any

_DOTTED = re.compile(r"([A-Za-z_][\w.]*|[\])])\.\w*$")


def attribute_words(before: str, names: dict[str, Any]) -> list[str]:
    """What may stand behind the dot that a text ends with: of a namespace its names, of anything else the attributes
    of a tensor; nothing where there is no dot. `names`: what each name at hand means."""
    found = _DOTTED.search(before)
    if found is None:
        return []
    from autodiff_cli.engine.tensor import Tensor
    from autodiff_cli.runtime.attributes import attributes_of
    from autodiff_cli.runtime.objects import Namespace

    first, *rest = found[1].split(".")
    value = names.get(first)
    for name in rest:
        value = value.table.get(name) if isinstance(value, Namespace) else None
    listed = list(value.table) if isinstance(value, Namespace) else attributes_of(Tensor)
    return sorted(word for word in listed if not word.startswith("_"))
