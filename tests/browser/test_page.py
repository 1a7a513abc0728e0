"""The HTML page in a real Chromium: it loads without a word on the console, steps show the right numbers, keys work.

Needs Playwright's Python package and a Chromium of the system (Debian: `apt-get install chromium`).
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli.harness import autodiff
from playwright import sync_api

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this system")

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]
SEED = ("z=(x*y+1)**2", "--x", "2", "--y", "3")
LOOP = ("w = x\nfor i in range(6):\n    w = w*y + x  # x again\nw", "--x", "1.5", "--y", "0.5")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


class Opened:
    """A page made by the command line, and everything that it said or asked for."""

    def __init__(self, browser: Any, path: Path, argv: tuple[str, ...], scheme: str) -> None:
        assert autodiff("graph", *argv, "-o", str(path)).status == 0
        self.context = browser.new_context(color_scheme=scheme, offline=True, viewport={"width": 1280, "height": 800})
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", self._asked)
        self.page.goto(path.as_uri())

    def _asked(self, request: Any) -> None:
        if not request.url.startswith(("file:", "data:")):
            self.said.append(request.url)

    def text(self, selector: str) -> str:
        return str(self.page.locator(selector).inner_text())

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def rows(self) -> dict[str, str]:
        return {
            row.locator("th").inner_text(): row.locator("td").inner_text()
            for row in self.page.locator("#rows tr").all()
        }

    def shown(self) -> int:
        return int(self.page.locator("#graph svg:not([hidden]) .node").count())

    def lit(self) -> tuple[str, int]:
        """The source text that is lit up, and how many nodes are."""
        source = "".join(self.page.locator("#source .lit").all_inner_texts())
        return source, self.page.locator("#graph svg:not([hidden]) .node.lit").count()

    def node(self, title: str) -> Any:
        pattern = re.compile(f"^{re.escape(title)}$")
        return self.page.locator("#graph svg:not([hidden]) .node").filter(
            has=self.page.locator("text.title", has_text=pattern)
        )


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Any]:
    made: list[Opened] = []

    def make(*argv: str, scheme: str = "light") -> Opened:
        made.append(Opened(browser, tmp_path / f"{len(made)}.html", argv, scheme))
        return made[-1]

    yield make
    for each in made:
        each.context.close()
        assert each.said == []


def test_the_steps_build_the_graph_and_then_tell_the_chain_rule(opened: Any) -> None:
    page = opened(*SEED)
    told = []
    for _ in range(10):
        page.press("ArrowRight")
        told.append((page.text("#what"), list(page.rows().values())))
    assert told == [
        ("x", ["2"]),
        ("y", ["3"]),
        ("x*y", ["2", "3", "6"]),
        ("x*y+1", ["6", "1", "7"]),
        ("(x*y+1)**2", ["7", "2", "49"]),
        ("(x*y+1)**2", ["1"]),
        ("x*y+1", ["1", "14", "14", "14"]),
        ("x*y", ["14", "1", "14", "14"]),
        ("x", ["14", "3", "42", "42"]),
        ("y", ["14", "2", "28", "28"]),
    ]
    assert page.text("#count") == "10 of 10"
    assert list(page.rows()) == ["gradient of x*y", "local derivative", "product", "gradient of y"]


def test_contributions_add_up_step_by_step(opened: Any) -> None:
    page = opened("x*x*x", "--x", "3")
    page.press("End")
    assert page.rows()["gradient of x, sum so far"] == "27"
    page.press("ArrowLeft")
    assert page.rows()["gradient of x, sum so far"] == "18"
    assert page.node("x").locator("text.grad").text_content() == "grad 18"
    page.press("ArrowLeft")
    assert page.rows()["gradient of x"] == "9"


def test_gradients_appear_as_they_are_computed_and_nodes_as_they_are_made(opened: Any) -> None:
    page = opened(*SEED)
    page.press("ArrowRight", "ArrowRight")
    assert page.page.locator("#open .node.later").count() == 3
    assert page.node("x").locator("text.grad").text_content() == ""
    page.press("b")
    assert page.page.locator("#open .node.later").count() == 0
    assert page.text("#title") == "backward starts here"
    page.press("Home")
    assert page.node("x").locator("text.grad").text_content() == "grad 42"


def test_pointing_at_a_node_lights_its_source_and_the_reverse(opened: Any) -> None:
    page = opened(*SEED)
    page.node("x*y+1").hover()
    assert page.lit() == ("x*y+1", 1)
    page.node("x").hover()
    assert page.lit() == ("x", 1)
    page.page.locator("#source .live", has_text="+1").hover()
    assert page.lit() == ("x*y+1", 1)
    page.page.locator("#source .live", has_text="**2").hover()
    assert page.lit() == ("(x*y+1)**2", 1)


def test_an_input_lights_everywhere_it_is_read_and_not_in_comments(opened: Any) -> None:
    page = opened(*LOOP)
    page.node("x").hover()
    assert page.page.locator("#source .lit").all_inner_texts() == ["x", "x"]


def test_loops_fold_and_open(opened: Any) -> None:
    page = opened(*LOOP)
    assert (page.shown(), page.text("#fold")) == (14, "fold loops")
    page.press("f")
    assert (page.shown(), page.text("#fold")) == (4, "open loops")
    assert "× 6 turns" in page.node("w*y").text_content()
    page.page.locator("#source .live", has_text="w*").hover()
    assert page.lit() == ("w*y", 1)
    page.page.locator("#fold").click()
    page.page.locator("#source .live", has_text="w*").hover()
    assert page.lit() == ("w*y", 6)
    page.press("f", "b", "ArrowRight")
    assert "turn 6 of the loop in line 2" in page.text("#where")
    assert page.page.locator("#folded .edge.here").count() == 1


def test_keyboard_and_slider(opened: Any) -> None:
    page = opened(*SEED)
    page.press("End")
    assert page.text("#count") == "10 of 10" and page.page.locator("#next").is_disabled()
    page.page.locator("#slider").fill("7")
    assert (page.text("#count"), page.text("#what")) == ("7 of 10", "x*y+1")
    page.press("ArrowRight")
    assert page.text("#count") == "8 of 10"
    page.press("Escape")
    page.node("x*y").focus()
    assert page.lit()[1] == 1
    page.press("Enter")
    assert (page.text("#count"), page.text("#what")) == ("3 of 10", "x*y")
    width = page.page.locator("#open").evaluate("e => e.getBoundingClientRect().width")
    page.press("+")
    assert page.page.locator("#open").evaluate("e => e.getBoundingClientRect().width") > 1.1 * width


def test_light_and_dark(opened: Any) -> None:
    def colours(page: Opened) -> tuple[str, str]:
        body = page.page.locator("body").evaluate("e => getComputedStyle(e).backgroundColor")
        leaf = page.page.locator(".item.leaf").first.evaluate("e => getComputedStyle(e).fill")
        return body, leaf

    light, dark = opened(*SEED), opened(*SEED, scheme="dark")
    assert colours(light) == ("rgb(255, 255, 255)", "rgb(219, 233, 255)")
    assert colours(dark) == ("rgb(20, 23, 28)", "rgb(21, 50, 92)")
    assert colours(opened(*SEED, "--theme", "dark")) == colours(dark)
    assert colours(opened(*SEED, "--theme", "light", scheme="dark")) == colours(light)


def test_a_programs_text_is_never_run(opened: Any) -> None:
    page = opened("y = x*len('</script><img src=x onerror=alert(1)><b>{{DATA}}')\ny", "--x", "1")
    assert page.page.locator("#graph img, #source img, #source b").count() == 0
    assert "</script><img" in page.text("#source")


def test_a_large_graph_is_shown_folded_without_steps(opened: Any) -> None:
    page = opened("for i in range(4000): x = sin(x)\nx", "--x", "1")
    assert page.shown() == 2
    assert "4,001 nodes" in page.text("#note")
    assert not page.page.locator("#stepper").is_visible()
    page.node("x = sin(x)").hover()
    assert page.lit() == ("sin(x)", 1)
