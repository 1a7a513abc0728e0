"""argv -> calls of the runtime -> text on streams. One thin file a command, in `commands/`.

`main.py` has the whole of error handling, `environment.py` all that is known of the outside world,
`options.py` and `commands/__init__.py` the tables from which argv is read and help, completion, man pages and
the README's tables are made.
"""
