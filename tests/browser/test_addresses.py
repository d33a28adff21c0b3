"""The state that an address stores: the step, and the selections at that step."""

import re
from typing import Any

import pytest
from frames import LOST, NESTED, reopened

pytestmark = pytest.mark.one_in(14)


def test_address_restores_pane_tape_line_and_code(opened: Any) -> None:
    call = 1
    view = opened(NESTED, at=f"#3&pane=source&tape={call}&line=4")
    assert view.step == 2
    assert view.frame.input_value("#tapes") == str(call)
    assert view.frame.locator(".file li.pointed").get_attribute("data-line") == "4"
    view.page.set_viewport_size({"width": 400, "height": 800})
    assert not view.is_hidden("#source")
    assert view.is_hidden("#graph")
    view.press("ArrowRight")
    view.page.wait_for_url(f"**#4&pane=source&tape={call}")


@pytest.mark.parametrize(
    "at",
    [
        "#3&pane=%3Cimg%3E&tape=x&line=9999:9999&code=constructor",
        "#3&line=-1&code=__proto__&tape=99",
        "#3&pane=toString&line=1:",
        "#3&code=%E0%A4%A",
    ],
)
def test_unknown_selections_in_an_address_are_ignored(opened: Any, at: str) -> None:
    view = opened(LOST, at=at)
    assert view.step == 2
    assert view.frame.locator(".file li.pointed").count() == 0
    assert view.is_hidden("#answers .code-meaning")
    assert view.frame.get_attribute("#main", "data-pane") == "graph"
    view.press("ArrowRight")
    view.page.wait_for_url("**#4")


MATRIX = """\
w = tf.Variable([[1.0, -2.0, 0.5], [3.0, 4.0, 0.25]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(w * w)
slope = tape.gradient(loss, w)
"""


def test_address_contains_the_shown_tensor_values(opened: Any) -> None:
    view = opened(MATRIX)
    view.press("Home")
    view.frame.locator("#facts button").first.click()
    view.frame.focus("#detail .sheet")
    for _ in range(3):
        view.page.keyboard.press("ArrowRight")
    said = view.text("#detail .reading")
    assert said
    view.page.wait_for_url(re.compile(r"#1&numbers=0%3A\w+%3A2"))
    reopened(view)
    assert view.text("#detail .reading") == said
    view.press("Escape", "ArrowRight", "ArrowLeft")
    view.page.wait_for_url(re.compile(r"#1$"))


def test_address_contains_the_shown_terms(opened: Any) -> None:
    view = opened(MATRIX)
    view.press("End", "ArrowLeft")
    view.frame.locator("[data-card=var-1] text.grad").click()
    said = view.text("#detail")
    assert "2" in said
    view.page.wait_for_url("**&terms=var-1")
    reopened(view)
    assert view.text("#detail") == said


@pytest.mark.parametrize(
    "chosen",
    ["numbers=99", "numbers=0:nothing:1e9:-5,x", "numbers=length", "terms=%3Cimg%3E", "terms="],
)
def test_unknown_values_and_terms_in_an_address_are_ignored(opened: Any, chosen: str) -> None:
    view = opened(MATRIX, at=f"#1&{chosen}")
    assert view.step == 0
    assert view.frame.locator("img").count() == 0
    assert view.press("ArrowRight") == 1
