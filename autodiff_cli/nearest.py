"""Did you mean: the nearest of some names. A guess is shown, never run.

`difflib` is imported when something is misspelt, not before.
"""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like `word` in spelling, if one is like it; of equals the first in the alphabet.

    A name that begins with a candidate (`gradient`, for `grad`) is taken for it before anything that merely looks alike.
    """
    from difflib import SequenceMatcher

    lowered = word.lower()
    scored = []
    for candidate in sorted(set(candidates)):
        other = candidate.lower()
        ratio = SequenceMatcher(None, lowered, other).ratio()
        if len(other) >= 4 and lowered.startswith(other):
            ratio += 0.5
        if ratio >= (0.6 if len(word) > 1 else 0.8):
            scored.append((-ratio, candidate))
    return min(scored)[1] if scored else None
