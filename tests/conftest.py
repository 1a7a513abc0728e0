"""Every family of operations is loaded: tests ask the registry for all there is. What is loaded late: engine/test_families.py."""

from __future__ import annotations

from autodiff_cli.engine import families, methods  # noqa: F401  (methods declares what there is)

families.load_all()
