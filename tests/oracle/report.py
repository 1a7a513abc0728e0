"""The engine's differences from the recorded answers, as text.

python tests/oracle/report.py [--most N] [family or group ...]
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from oracle.case import GROUPS
from oracle.judging import Failure, judge, judged
from oracle.record import FAMILIES, load


def report(family: str, chosen: set[str], most: int) -> Iterator[str]:
    """Lines: for each group its differences by kind, at most `most` shown of each."""
    answers = load(family)["groups"]
    for name, group in GROUPS.items():
        if group.family != family or (chosen and name not in chosen):
            continue
        kinds: dict[str, list[Failure]] = defaultdict(list)
        for failure in judged(group, judge(group, answers[name]["answers"])):
            kinds[failure.difference.kind].append(failure)
        missing = {f.difference.ours for f in kinds.get("missing", ())}
        if len(kinds) == 1 and missing:
            yield f"== {name}: missing {', '.join(sorted(missing)[:3])}"
            continue
        if kinds:
            yield f"== {name} ({len(group.cases)} cases): " + ", ".join(f"{len(v)} {k}" for k, v in kinds.items())
        for kind, failures in kinds.items():
            seen: set[str] = set()
            for failure in failures:
                text = f"    {failure}"
                key = f"{failure.case.text}{failure.form.split(' ')[0]}"
                if key not in seen and len(seen) < most:
                    seen.add(key)
                    yield text
            if len(failures) > len(seen):
                yield f"    ... {kind}: {len(failures)} in all"


if __name__ == "__main__":
    arguments = sys.argv[1:]
    most = 3
    if arguments[:1] == ["--most"]:
        most, arguments = int(arguments[1]), arguments[2:]
    families = [f for f in FAMILIES if f in arguments] or FAMILIES
    for family in families:
        for line in report(family, {a for a in arguments if a not in FAMILIES}, most):
            print(line)
