"""`autodiff ops [NAME]`: the library, read off the registry."""

from __future__ import annotations

from autodiff_cli.cli.arguments import Request
from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.session import show
from autodiff_cli.errors import Status, UsageFault
from autodiff_cli.nearest import nearest


def run(env: Environment, request: Request) -> Status:
    """Run the command; see the table in `commands/__init__.py`."""
    from autodiff_cli.views import operations
    from autodiff_cli.views.catalogue import catalogue, find, known_names

    if len(request.words) > 1:
        raise UsageFault("ops takes one name at most", hint=f"write autodiff ops {request.words[0]}")
    name = request.words[0] if request.words else None
    entries = catalogue() if name is None else find(name)
    if not entries:
        close = nearest(str(name), known_names())
        hint = f"did you mean autodiff ops {close}?" if close else "autodiff ops lists all"
        raise UsageFault(f"the library has no {name}", hint=hint)
    if request["json"]:
        from autodiff_cli.views.json_text import dumps

        env.write(dumps(operations.library_document(entries)) + "\n")
    elif name is None:
        env.write_rich(operations.library_tables(entries, env.boxes(env.stdout)))
    else:
        for i, entry in enumerate(entries):
            show(env, [[]] * bool(i) + operations.entry_lines(entry, env.width(env.stdout)))
    return Status.DONE
