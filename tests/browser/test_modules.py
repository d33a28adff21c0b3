"""The modules of the page's script: each module imports the names that it uses, and works unbundled in a browser."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytestmark = pytest.mark.one_in(14)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

SCRIPT = Path(__file__).parents[2] / "minitape/html/assets/script"
HOME = "http://minitape.test/"
TRAINING = """\
w = tf.Variable(1.0)
for step in range(3):
    with tf.GradientTape() as tape:
        y = w * 3.0
        loss = y * y
    w.assign_sub(0.01 * tape.gradient(loss, w))
"""


def test_page_runs_from_its_unbundled_modules(browser: "Browser", paged: Any) -> None:
    """In the bundled script, a module could use a name that it does not import; in this test, it cannot."""
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", paged(TRAINING))
    text = re.sub(
        r"<script>.*?</script>", '<script type="module" src="main.js"></script>', text, flags=re.S
    )

    def serve(route: "Route") -> None:
        name = route.request.url.removeprefix(HOME)
        if name:
            route.fulfill(body=(SCRIPT / name).read_text("utf-8"), content_type="text/javascript")
        else:
            route.fulfill(body=text, content_type="text/html; charset=utf-8")

    context = browser.new_context()
    tab = context.new_page()
    faults: list[str] = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.route(f"{HOME}**", serve)
    tab.goto(HOME)
    last = len(json.loads(tab.text_content("#data") or "")["what"])
    keys = (
        *("End", "Home", "b", "g", "n", "N", "f", "t", "t", " ", "ArrowRight", "ArrowLeft"),
        *("Shift+ArrowRight", "Shift+ArrowLeft", "ArrowDown", "ArrowUp", "Escape"),
    )
    for key in keys:
        tab.keyboard.press(key)
    tab.fill("#query", "mul")
    tab.keyboard.press("Enter")
    tab.keyboard.press("Escape")
    tab.click(".picture:not([hidden]) [data-card]")
    tab.click("#larger")
    tab.click("#steps li:nth-child(5)")
    tab.click("#facts button >> nth=0") if tab.query_selector("#facts button") else None
    tab.select_option("#calls", index=2)
    tab.fill("#note", "here")
    tab.keyboard.press("Tab")
    tab.click(".file:not([hidden]) li.ran >> nth=0")
    tab.set_viewport_size({"width": 900, "height": 700})
    tab.keyboard.press("End")
    assert tab.text_content("#position") == f"{last} / {last}"
    assert not faults
    context.close()
