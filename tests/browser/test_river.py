"""The pictures of the story: their rows, animation and other iterations; and how the story is presented, shared and
printed.
"""

import time
from pathlib import Path
from typing import Any

import pytest

from minitape.terms import described

pytestmark = pytest.mark.one_in(4)

LOST = """\
import numpy as np
w, b = tf.Variable(2.0, name="w"), tf.Variable(1.0, name="b")
with tf.GradientTape() as tape:
    q = np.square(w * 3.0 + b)
    loss = tf.multiply(q, 2.0)
dw, db = tape.gradient(loss, [w, b])
"""
SQUARED = """\
w, b = tf.Variable(2.0, name="w"), tf.Variable(2.0, name="b")
with tf.GradientTape() as tape:
    loss = w * w + 3.0 * b
dw, db = tape.gradient(loss, [w, b])
"""
TRAINING = """\
w = tf.Variable(1.0)
for step in range(12):
    with tf.GradientTape() as tape:
        y = w * 2.0
        loss = y * y
    w.assign_sub(0.1 * tape.gradient(loss, w))
"""
DEEP = """\
x = tf.constant([[1.0, 2.0, 3.0]])
ws = [tf.Variable(tf.eye(3) * 0.5, name=f"w{i}") for i in range(7)]
with tf.GradientTape() as tape:
    a = tf.tanh(x @ ws[0])
    b = tf.sigmoid(a @ ws[1])
    c = tf.tanh(b @ ws[2])
    d = tf.sigmoid(c @ ws[3])
    e = tf.tanh(d @ ws[4])
    f = tf.sigmoid(e @ ws[5])
    loss = tf.reduce_sum(tf.square(f @ ws[6]))
grads = tape.gradient(loss, ws)
"""
_LONGER_THAN_A_PASS = 6_000  # milliseconds of the page's clock
_ROWS = """() => [...document.querySelectorAll('#river-run svg.row')].map((row) => ({
    width: row.getBoundingClientRect().width, cards: row.querySelectorAll('.node').length,
    signs: [...row.querySelectorAll('.sign text')].map((text) => text.textContent),
    smallest: Math.min(...[...row.querySelectorAll('text')].map(
        (text) => parseFloat(text.getAttribute('font-size')) * text.getScreenCTM().a)),
}))"""


@pytest.mark.parametrize(("width", "height"), [(1400, 900), (1920, 1080), (900, 900), (360, 740)])
def test_a_picture_is_broken_into_rows_that_fit(opened: Any, width: int, height: int) -> None:
    view = opened(DEEP, story=True)
    cards = view.frame.locator("#river-run .node").count()
    view.page.set_viewport_size({"width": width, "height": height})
    view.page.wait_for_timeout(300)
    rows = view.frame.evaluate(_ROWS)
    room = view.frame.evaluate("document.querySelector('.stream').clientWidth")
    assert sum(row["cards"] for row in rows) == cards
    assert all(row["width"] <= room + 1 and row["smallest"] >= 11.9 for row in rows)
    letters = "abcdefghijkl"[: len(rows) - 1]
    assert [row["signs"] for row in rows] == [
        [*letters[max(0, k - 1) : k], *letters[k : k + 1]] for k in range(len(rows))
    ]
    if width >= 1400:
        pane, last = (
            view.frame.locator(each).bounding_box() for each in ("#story", "#river-run .stream")
        )
        assert last["y"] + last["height"] <= pane["y"] + pane["height"] + 1


def test_the_passes_uncover_values_and_then_gradients_up_to_the_break(opened: Any) -> None:
    view = opened(DEEP, story=True)
    view.page.clock.install()
    view.page.clock.pause_at(time.time() + 60)
    view.page.keyboard.press("2")
    assert view.frame.locator("#river-run .in-pass").count() == 1
    assert view.frame.locator("#river-run .node.no-value").count() > 0
    view.page.clock.run_for(_LONGER_THAN_A_PASS)
    assert view.frame.locator("#river-run .in-pass").count() == 0
    view.page.keyboard.press("3")
    assert view.frame.locator("#river-run .node.no-value").count() == 0
    assert view.frame.locator("#river-run .node.no-gradient").count() > 0
    view.page.keyboard.press("Escape")
    assert view.frame.locator("#river-run :is(.no-value, .no-gradient)").count() == 0


def test_a_slider_shows_other_iterations(opened: Any) -> None:
    view = opened(TRAINING, story=True)
    moments = view.data["story"]["iterations"]["moments"]
    assert [each[0] for each in moments] == [*range(1, 13)]
    read = """() => [document.querySelector('#river-run path.gradient').getAttribute('stroke-width'),
        document.querySelector('#river-run text[data-number]').textContent]"""
    seen = []
    for k in (0, 11):
        view.frame.evaluate(
            f"(() => {{ const it = document.getElementById('iteration'); it.value = {k};"
            " it.dispatchEvent(new Event('input')); })()"
        )
        seen.append(view.frame.evaluate(read))
        assert view.text("#iteration-number").startswith(f"iteration {k + 1} of 12")
        assert seen[-1][0] in {str(link[0]).removesuffix(".0") for link in moments[k][1]}
    assert float(seen[0][0]) > float(seen[1][0])
    assert seen[0][1] != seen[1][1]
    view.page.wait_for_url("**#story")


def test_a_dragged_number_changes_values_gradients_and_slope(opened: Any) -> None:
    """The target is w² + 3b, so its gradient with respect to w is 2w."""
    view = opened(SQUARED, story=True, expansions=described)
    read = """() => ['trial-number', 'trial-target', 'trial-gradient', 'trial-slope'].map(
        (id) => document.getElementById(id).textContent)"""
    target = "#river-run text[data-number]"
    assert view.frame.evaluate(read) == [
        *("2.00", "loss = 10.0", "gradient 4.00", "derivative by finite differences 4.00")
    ]
    assert view.frame.locator("#trial-input option").all_text_contents() == ["w", "b"]
    width = "document.querySelector('#river-run path.gradient').getAttribute('stroke-width')"
    before = float(view.frame.evaluate(width))
    view.frame.evaluate(
        "(() => { const it = document.getElementById('trial-value'); it.value = 5;"
        " it.dispatchEvent(new Event('input')); })()"
    )
    assert view.frame.evaluate(read) == [
        *("5.00", "loss = 31.0", "gradient 10.0", "derivative by finite differences 10.0")
    ]
    assert view.text(target) == "31.0"
    norms = view.frame.locator("#river-run text[data-parameter]")
    assert norms.all_text_contents() == ["10.0", "3.00"]
    assert float(view.frame.evaluate(width)) >= before
    view.frame.click("#trial-reset")
    assert view.text(target) == "10.0"
    assert view.frame.locator("#trial-reset").is_disabled()


def test_arrow_keys_move_the_slider_that_has_the_focus(opened: Any) -> None:
    view = opened(SQUARED, story=True, expansions=described)
    view.frame.focus("#trial-value")
    view.page.keyboard.press("ArrowRight")
    assert view.text("#trial-number") == "2.02"
    assert view.frame.locator("#scenes [aria-pressed=true]").count() == 0


def test_pages_of_other_tapes_have_no_number_to_drag(opened: Any) -> None:
    assert opened(LOST, story=True, expansions=described).is_hidden("#trial")


def test_an_address_leads_to_an_iteration(paged: Any, show: Any) -> None:
    view = show(paged(TRAINING), "#story&iteration=3")
    assert view.text("#iteration-number").startswith("iteration 3 of 12")


def test_a_presentation_asks_before_it_answers(opened: Any) -> None:
    view = opened(LOST, story=True)
    view.page.keyboard.press("p")
    assert view.frame.locator("#presenter").is_visible()
    assert view.text("#slide-answer") == ""
    view.page.keyboard.press("ArrowRight")
    assert "tape.gradient(loss, [w, b])" in view.text("#slide-answer")
    for _ in range(5):
        view.page.keyboard.press("ArrowRight")
    assert view.text("#slide-question") == "Which line causes the problem?"
    assert view.text("#slide-answer") == ""
    view.page.keyboard.press("ArrowRight")
    assert "line 5" in view.text("#slide-answer")
    view.page.keyboard.press("End")
    assert view.text("#slide-question") == view.text("#story-head h2")
    view.page.wait_for_url("**#present=*")
    view.page.keyboard.press("Escape")
    assert view.is_hidden("#presenter")
    assert view.frame.locator("#story #rivers").is_visible()


def test_an_address_leads_to_a_slide(paged: Any, show: Any) -> None:
    view = show(paged(LOST), "#present=7")
    assert view.text("#slide-question") == "Which line causes the problem?"


def test_the_picture_is_saved_as_svg_and_png(opened: Any, tmp_path: Path) -> None:
    view = opened(DEEP, story=True)
    view.frame.click("#share summary")
    for suffix, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
        with view.page.expect_download() as download:
            view.frame.click(f"#save-{suffix}")
        saved = tmp_path / f"picture.{suffix}"
        download.value.save_as(saved)
        assert saved.read_bytes().startswith(start)
    text = (tmp_path / "picture.svg").read_text(encoding="utf-8")
    assert "var(" not in text
    assert text.count("<text") == view.frame.locator("#river-run .stream text").count()


def test_the_story_prints_as_a_slide_for_each_scene(opened: Any) -> None:
    view = opened(LOST, story=True)
    view.page.emulate_media(media="print")
    view.frame.evaluate("dispatchEvent(new Event('beforeprint'))")
    slides = view.frame.locator("#slides .slide:visible")
    assert slides.count() == 1 + len(view.data["story"]["scenes"])
    assert view.is_hidden("#source")
    view.frame.evaluate("dispatchEvent(new Event('afterprint'))")
    assert view.frame.locator("#slides .slide").count() == 0
    pages = view.page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n")
    assert pages == 1 + len(view.data["story"]["scenes"])
    assert view.frame.locator("#slides .slide").count() == 0
