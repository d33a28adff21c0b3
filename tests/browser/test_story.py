"""The page opens on its timeline of scenes. The user can select, play and leave scenes, and return to them by their address."""

from typing import Any

import pytest

pytestmark = pytest.mark.one_in(4)

LOST = """\
import numpy as np
w, b = tf.Variable(2.0, name="w"), tf.Variable(1.0, name="b")
with tf.GradientTape() as tape:
    q = np.square(w * 3.0 + b)
    loss = tf.multiply(q, 2.0)
dw, db = tape.gradient(loss, [w, b])
"""
TRAINING = """\
w = tf.Variable(1.0)
for step in range(12):
    with tf.GradientTape() as tape:
        loss = w * w
    w.assign_sub(0.1 * tape.gradient(loss, w))
"""
LONG = """\
w = tf.Variable(1.0)
with tf.GradientTape() as tape:
    a_long_name_of_a_value_that_is_used_once = tf.square(w) + tf.square(w * 2.0) + tf.square(w * 3.0) + tf.sin(w * 4.0)
d = tape.gradient(a_long_name_of_a_value_that_is_used_once, w)
"""
AFTER = """\
w, v = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = tf.reduce_sum(w * v)
g, h = tape.gradient(y, [w, v])
print(float(y), float(v), float(h))
"""


def is_at_story(view: Any) -> bool:
    return bool(view.frame.locator("#story").is_visible())


def scene(view: Any) -> str | None:
    lit = view.frame.locator("#scenes [aria-pressed=true]")
    return lit.get_attribute("data-scene") if lit.count() else None


def test_page_opens_on_the_finished_run(opened: Any) -> None:
    view = opened(LOST, story=True)
    assert is_at_story(view)
    assert (
        view.text("#story h2") == "No gradient reached w or b: the value left the tape on line 5."
    )
    assert view.frame.locator("#scenes button").count() == 5
    assert view.frame.locator(".river g.node").first.is_visible()
    assert view.is_hidden("#back")
    assert scene(view) is None


def test_keys_and_clicks_select_a_scene(opened: Any) -> None:
    view = opened(LOST, story=True)
    view.page.keyboard.press("4")
    assert scene(view) == "4"
    assert view.frame.locator(".file .scene-line").get_attribute("data-line") == "5"
    assert view.frame.locator(".river .node.lit").count() == 1
    view.page.wait_for_url("**#scene=4")
    view.page.keyboard.press("ArrowRight")
    assert scene(view) == "5"
    view.page.keyboard.press("ArrowLeft")
    view.page.keyboard.press("Escape")
    assert scene(view) is None
    view.frame.click("#scenes [data-scene='2']")
    assert scene(view) == "2"
    view.frame.click("#scenes [data-scene='2']")
    assert scene(view) is None
    view.page.wait_for_url("**#story")
    assert is_at_story(view)


def test_values_of_the_scenes_are_in_the_source_and_on_the_picture(opened: Any) -> None:
    view = opened(LOST, story=True)
    marks = view.frame.locator(".file .scene-mark").all_text_contents()
    assert sorted(marks) == ["1", "2", "3", "4", "5"]
    assert set(view.frame.locator(".river .badge text").all_text_contents()) >= {"1", "2", "3", "4"}


def test_play_visits_the_scenes(opened: Any) -> None:
    view = opened(LOST, story=True)
    view.frame.click("#play")
    assert scene(view) == "1"
    assert "Pause" in view.text("#play")
    view.frame.locator("#scenes [data-scene='2'][aria-pressed=true]").wait_for()
    view.frame.click("#play")
    assert "Play" in view.text("#play")
    assert scene(view) == "2"


def test_scene_links_to_its_step(opened: Any) -> None:
    view = opened(LOST, story=True)
    view.page.keyboard.press("4")
    view.frame.click("#step-through")
    assert not is_at_story(view)
    assert view.step == view.data["story"]["scenes"][3]["step"]
    assert view.data["place"][view.step][1] == 5
    view.page.keyboard.press("s")
    assert is_at_story(view)


@pytest.mark.parametrize("key", ["n", "b", "End", "ArrowDown"])
def test_stepping_key_leaves_the_scenes(opened: Any, key: str) -> None:
    view = opened(LOST, story=True)
    view.page.keyboard.press(key)
    assert not is_at_story(view)


def test_address_opens_the_scenes_one_scene_or_a_step(paged: Any, show: Any) -> None:
    text = paged(LOST)
    assert scene(show(text, "#scene=3")) == "3"
    assert is_at_story(show(text, "#story"))
    step = show(text, "#4")
    assert not is_at_story(step)
    assert step.step == 3


def test_back_button_returns_to_the_scenes(opened: Any) -> None:
    view = opened(LOST, story=True)
    view.page.keyboard.press("n")
    assert not is_at_story(view)
    view.page.go_back()
    view.frame.locator("#story").wait_for(state="visible")


def test_run_with_many_iterations_has_its_map_below_the_scenes(opened: Any) -> None:
    view = opened(TRAINING, story=True)
    assert view.text("#story-head h2") == "All gradients of 12 iterations arrive."
    assert view.frame.locator("#map").is_visible()
    head = view.frame.locator("#story-head").bounding_box()
    assert head["y"] + head["height"] <= view.frame.locator("#map").bounding_box()["y"]
    view.page.keyboard.press("s")
    assert view.is_hidden("#run")
    assert view.frame.locator("#graph").is_visible()


# --- step by step ---


def test_only_the_running_line_scrolls_sideways(opened: Any) -> None:
    view = opened(LONG)
    scrolled = """() => [...document.querySelectorAll('.file code')].filter((code) => code.scrollLeft > 0)
        .map((code) => Number(code.parentNode.dataset.line))"""
    seen = set()
    for step in range(len(view.data["what"])):
        view.go_to(step)
        seen |= {*view.frame.evaluate(scrolled)}
        assert view.frame.evaluate("document.getElementById('files').scrollLeft") == 0
    assert seen == {4}


def test_cards_have_the_color_of_the_pass_and_the_result_collapses(opened: Any) -> None:
    view = opened(AFTER)
    view.press("ArrowRight")
    assert view.frame.locator(".canvas .arrived").count() == 0
    view.press("b", "ArrowRight", "ArrowRight")
    assert view.frame.locator(".canvas .arrived").count() > 0
    assert "folded" in view.frame.get_attribute("#answers", "class")
    assert view.frame.locator("#answers").bounding_box()["height"] < 50


def test_values_that_leave_after_the_last_gradient_are_one_row(opened: Any) -> None:
    view = opened(AFTER)
    folded = view.data["moves"]["after"]
    assert len(folded) == 3
    row = view.frame.locator("#steps .noise.first .all")
    assert row.text_content() == "… 3 values leave after the last gradient"
    assert view.frame.locator("#steps .noise:visible").count() == 1
    row.click()
    assert view.frame.locator("#steps .noise:visible").count() == 3
    view.go_to(folded[1])
    assert view.frame.locator("#steps [aria-current]").is_visible()


def test_search_counts_its_matches_and_marks_their_cards(opened: Any) -> None:
    view = opened(LONG)
    view.frame.fill("#query", "square")
    count = len(
        [
            i
            for i in range(len(view.data["what"]))
            if any("square" in view.word(column, i).lower() for column in ("what", "code", "label"))
        ]
    )
    assert view.text("#hits").endswith(f" of {count}")
    assert view.frame.locator(".canvas .hit").count() >= 3
    view.frame.fill("#query", "")
    assert view.frame.locator(".canvas .hit").count() == 0
    assert view.text("#hits") == ""


def test_picture_larger_than_its_pane_has_a_minimap(opened: Any) -> None:
    view = opened(LONG)
    view.frame.locator("#minimap").wait_for(state="visible")
    pictures, small = (
        view.frame.locator(each).bounding_box() for each in ("#pictures", "#minimap")
    )
    beside = pictures["x"] + pictures["width"] <= small["x"] + 1
    assert beside or pictures["y"] + pictures["height"] <= small["y"] + 1
    before = view.frame.evaluate("document.querySelector('.canvas').style.transform")
    view.frame.click("#minimap", position={"x": 30, "y": small["height"] / 3})
    assert view.frame.evaluate("document.querySelector('.canvas').style.transform") != before


def test_nothing_covers_the_picture(opened: Any) -> None:
    view = opened(LOST)
    tools, pictures = (view.frame.locator(each).bounding_box() for each in ("#tools", "#pictures"))
    assert tools["y"] + tools["height"] <= pictures["y"] + 1


def test_source_lines_are_one_tab_stop_with_arrow_keys_inside(opened: Any) -> None:
    view = opened(LOST)
    assert view.frame.locator(".file button[tabindex='0']").count() == 1
    at = view.step
    view.frame.focus(".file button[tabindex='0']")
    line = view.frame.evaluate("document.activeElement.textContent")
    view.page.keyboard.press("ArrowDown")
    assert view.frame.evaluate("document.activeElement.textContent") != line
    assert view.step == at
