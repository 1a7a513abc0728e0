"""`torch.device`: tensors of this engine are on the processor, and programs that say so run as they are."""

from __future__ import annotations

from autodiff_cli.errors import RuntimeFault


class Device:
    """`torch.device("cpu")`: the only device there is."""

    __slots__ = ("index", "type")

    def __init__(self, kind: str = "cpu", index: int | None = None) -> None:
        if not isinstance(kind, str) or kind.split(":")[0] != "cpu":
            raise RuntimeFault(f"there is no device {kind!r} here", hint='the only device is "cpu"')
        self.type = "cpu"
        self.index = index

    def __repr__(self) -> str:
        return "device(type='cpu')"

    def __str__(self) -> str:
        return "cpu"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device)

    def __hash__(self) -> int:
        return 0


CPU = Device()
