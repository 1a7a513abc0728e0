"""A picture as PNG, made of its SVG by resvg.

resvg_py is one wheel of 1.4 MB for every platform, with the renderer inside. CairoSVG needs the system's libcairo
(absent on Windows and on bare containers); Pillow draws no SVG; a browser is none of these. Fonts are the system's:
where there are none, a PNG would have boxes without words, so that is refused.
"""

from __future__ import annotations

from autodiff_cli.errors import UsageFault

SCALE = 2  # pixels of the picture for one of the SVG, so that text is sharp on today's screens
MOST = 16_000  # pixels of a side; past that the scale goes down

_PROBE = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text y="15" font-family="{}">M</text></svg>'
# what the monospaced text is drawn in: the first of these that is there (the later ones are narrower and still fit)
_FAMILIES = (
    *("DejaVu Sans Mono", "Menlo", "Consolas", "Liberation Mono", "Noto Sans Mono", "Ubuntu Mono", "Courier New"),
    *("monospace", "DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica", "Times New Roman"),
)
_BLANK = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"></svg>'


def png_bytes(svg: str) -> bytes:
    """The PNG of an SVG document with a fixed theme, at twice its size.

    Raises:
        UsageFault: the system has no fonts, or the picture is too large to be one.
    """
    import re

    from resvg_py import svg_to_bytes

    blank = bytes(svg_to_bytes(svg_string=_BLANK))
    family = next((f for f in _FAMILIES if bytes(svg_to_bytes(svg_string=_PROBE.format(f))) != blank), None)
    if family is None:
        raise UsageFault("this system has no fonts to draw a PNG with", hint="--to svg needs none here")
    size = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
    assert size is not None
    longest = max(float(size[1]), float(size[2]))
    scale = min(SCALE, MOST / longest)
    if scale < 0.25:
        raise UsageFault(
            "the picture is too large for a PNG",
            hint="fold it (--fold-loops, --depth 0), show a part (--around NAME), or write SVG or HTML",
        )
    width = max(1, round(float(size[1]) * scale))
    return bytes(svg_to_bytes(svg_string=svg, width=width, monospace_family=family))
