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

    def cells(self) -> list[list[str]]:
        return [row.locator("th, td").all_inner_texts() for row in self.page.locator("#rows tr").all()]

    def parts(self) -> list[str]:
        return list(self.page.locator("#parts button").all_inner_texts())

    def shown(self) -> int:
        return int(self.page.locator("#graph svg .node").count())

    def lit(self) -> tuple[str, int]:
        """The source text that is lit up, and how many nodes are."""
        source = "".join(self.page.locator("#source .lit").all_inner_texts())
        return source, self.page.locator("#graph svg .node.lit").count()

    def node(self, title: str) -> Any:
        pattern = re.compile(f"^{re.escape(title)}$")
        return self.page.locator("#graph svg .node").filter(has=self.page.locator("text.title", has_text=pattern))


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
    assert page.page.locator("#graph .node.later").count() == 3
    assert page.node("x").locator("text.grad").text_content() == ""
    page.press("b")
    assert page.page.locator("#graph .node.later").count() == 0
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
    assert (page.shown(), page.parts()) == (14, ["\u25be line 2: 6 turns"])
    page.press("f")
    assert (page.shown(), page.parts()) == (4, ["\u25b8 line 2: 6 turns"])
    assert "× 6 turns" in page.node("w*y").text_content()
    page.page.locator("#source .live", has_text="w*").hover()
    assert page.lit() == ("w*y", 1)
    page.page.locator("#parts button").click()
    page.page.locator("#source .live", has_text="w*").hover()
    assert page.lit() == ("w*y", 6)
    page.press("f", "b", "ArrowRight")
    assert "turn 6 of the loop in line 2" in page.text("#where")
    assert page.page.locator("#graph .edge.here").count() == 1


NESTED = """\
def act(a): return sin(a)*k
for i in range(3):
    y = x*2
    for j in range(4):
        x = act(x) + y
for i in range(5): x = cos(x)
x"""
NESTED_INPUTS = ("--x", "1", "--k", "0.5", "--no-grad", "k", "--fold-loops")


def test_each_loop_opens_by_itself_inner_ones_inside_of_outer_ones(opened: Any) -> None:
    page = opened(NESTED, *NESTED_INPUTS)
    assert page.parts() == ["\u25b8 line 2: 3 turns", "\u25b8 line 4: 4 turns", "\u25b8 line 6: 5 turns"]
    sizes = {}
    for keys in ("", "1", "2", "3", "12", "13", "23", "123"):
        page.press(*keys)
        sizes[keys] = page.shown()
        assert page.page.locator("#graph").get_attribute("data-open") == " ".join(str(int(key) - 1) for key in keys)
        page.press(*keys)
    # x and k; a turn of line 2 is y and the inner loop (3 nodes a turn); line 6 is one node a turn
    assert sizes == {
        **{"": 2 + 4 + 1, "1": 2 + 12 + 1, "2": 2 + 1 + 12 + 1, "3": 2 + 4 + 5},
        **{"12": 2 + 3 + 36 + 1, "13": 2 + 12 + 5, "23": 2 + 13 + 5, "123": 2 + 39 + 5},
    }


def test_a_loop_opens_where_it_is_clicked_and_from_the_keyboard(opened: Any) -> None:
    page = opened(NESTED, *NESTED_INPUTS)
    page.node("sin(a)").locator("text.times").click()
    assert page.page.locator("#graph").get_attribute("data-open") == "0"
    page.node("sin(a)").first.focus()
    page.press("o")
    assert page.page.locator("#graph").get_attribute("data-open") == "0 1"
    assert page.page.locator("#graph .node:focus text.title").text_content() == "sin(a)"
    page.press("c")
    assert page.page.locator("#graph").get_attribute("data-open") == "0"
    page.page.wait_for_timeout(600)  # a double click right after a change is one half for what was there before
    page.node("x = cos(x)").locator("text.title").dblclick()
    assert page.page.locator("#graph").get_attribute("data-open") == "0 2"
    page.page.wait_for_timeout(600)
    page.node("sin(a)").first.locator("text.times").dblclick()
    assert page.page.locator("#graph").get_attribute("data-open") == "0 1 2"


def test_steps_stay_right_whatever_is_open(opened: Any) -> None:
    page = opened(NESTED, *NESTED_INPUTS)
    page.press("End")
    told = page.rows()
    for key in ("1", "2", "3", "1"):
        page.press(key)
        assert page.rows() == told
        assert page.page.locator("#graph .node.here text.title").text_content() == "x"
        assert page.page.locator("#graph .edge.here").count() == 1
    count = page.text("#count").split()[-1]
    page.press("Home", "f")
    for _ in range(7):
        page.press("ArrowRight")
    where = page.text("#where"), page.text("#what")
    faded = page.page.locator("#graph .node.later").count()
    page.press("f")
    assert (page.text("#where"), page.text("#what")) == where
    assert page.text("#count") == f"7 of {count}"
    assert page.page.locator("#graph .node.later").count() > faded or faded


def test_gradients_stay_within_their_items(opened: Any) -> None:
    page = opened("a = x/3\nb = a*a/7\nb/1.1", "--x", "0.7")
    page.press("b")
    within = """all => all.every(g => {
        const [t, r] = [g.querySelector("text.grad").getBBox(), g.querySelector(".item").getBBox()];
        return !t.width || (t.x > r.x && t.x + t.width < r.x + r.width);
    })"""
    for _ in range(5):
        page.press("ArrowRight")
        assert page.page.locator("#graph .node").evaluate_all(within)


def test_calls_that_are_folded_open_by_themselves(opened: Any) -> None:
    page = opened(NESTED, *NESTED_INPUTS, "--depth", "0")
    assert page.parts()[-1] == "\u25b8 act()"
    assert page.shown() == 5
    page.node("act()").locator("text.times").click()  # the outermost thing that is folded there is a loop
    assert page.page.locator("#graph").get_attribute("data-open") == "0"
    page.press("1", "4")
    assert page.page.locator("#graph").get_attribute("data-open") == "3"
    assert page.node("sin(a)").count() == 1


def test_too_many_choices_for_a_page_are_told(opened: Any) -> None:
    program = "\n".join(f"for i in range(2): x = sin(x)*{n}" for n in range(1, 9)) + "\nx"
    page = opened(program, "--x", "1", "--fold-loops")
    assert "Not every choice of open loops fits on this page" in page.text("#note")
    for part in range(8):
        page.press(str(part + 1))
        assert str(part) in page.page.locator("#graph").get_attribute("data-open").split()
    page.press("f", "f")
    assert page.page.locator("#graph").get_attribute("data-open") == "0 1 2 3 4 5 6 7"


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
    width = page.page.locator("#graph svg").evaluate("e => e.getBoundingClientRect().width")
    page.press("+")
    assert page.page.locator("#graph svg").evaluate("e => e.getBoundingClientRect().width") > 1.1 * width


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


def test_a_large_graph_is_stepped_through_with_its_turns_folded(opened: Any) -> None:
    page = opened("for i in range(4000): x = x*y\nx", "--x", "2", "--y", "0.999")
    assert page.shown() == 3
    assert "4,002 nodes" in page.text("#note") and "first turn and of its last" in page.text("#note")
    page.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert (page.text("#title"), page.text("#what")) == ("MulBackward0 is recorded, 4,000 times", "x*y")
    rows = page.cells()
    assert rows[0] == ["", "first turn", "last turn"]
    assert rows[1] == ["operand 1: x", "2", ""]
    assert rows[2][0] == "operand 1: x*y of the turn before"
    assert float(rows[2][2]) == pytest.approx(2 * 0.999**3999)
    assert rows[3] == ["operand 2: y", "0.999", "0.999"]
    assert [float(rows[4][1]), float(rows[4][2])] == pytest.approx([1.998, 2 * 0.999**4000])
    page.press("End")
    rows = page.cells()
    assert page.text("#what") == "y"
    assert [float(text) for text in rows[1][1:]] == pytest.approx([0.999**3999, 1])  # the gradient that comes in
    assert [float(text) for text in rows[2][1:]] == pytest.approx([2, 2 * 0.999**3999])
    assert [float(text) for text in rows[3][1:]] == pytest.approx([2 * 0.999**3999, 2 * 0.999**3999])
    assert rows[4][0] == "gradient of y in the end" and float(rows[4][1]) == pytest.approx(8000 * 0.999**3999)
    page.node("x = x*y").hover()
    assert page.lit() == ("x*y", 1)


def test_loops_of_a_large_graph_open_as_far_as_they_fit(opened: Any) -> None:
    page = opened("for i in range(3):\n    x = cos(x)\n    for j in range(2000): x = sin(x)\nx", "--x", "1")
    assert page.parts() == ["\u25b8 line 1: 3 turns", "\u25b8 line 3: 2,000 turns"]
    page.press("1")
    assert page.shown() == 7
    page.press("2")
    assert page.page.locator("#graph").get_attribute("data-open") == "1"
    assert page.shown() == 2002


def test_a_derivative_that_is_no_array_of_factors_is_told_as_a_formula(opened: Any) -> None:
    page = opened("y = (A @ v).sum()", "--A", "[[1,2],[3,4]]", "--v", "[1,2]")
    told = []
    page.press("Home")
    for _ in range(12):
        page.press("ArrowRight")
        told.append(page.text("body"))
    assert any("of the gradient g it makes A.mT @ g" in " ".join(text.split()) for text in told)
    assert page.said == []


def test_operands_have_the_names_that_the_program_uses(opened: Any) -> None:
    page = opened("a = x*x\nb = sin(a)\nb", "--x", "2")
    page.press("Home", "ArrowRight", "ArrowRight", "ArrowRight")
    assert "operand 1: a" in page.text("body")
