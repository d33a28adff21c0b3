"""The card of an answer: what, why, path and fix, and the target of each of its links."""

import re
from typing import Any

import pytest
from frames import LONG_NAME, LOST, MANY, height, reopened
from traced import VANISHING

pytestmark = pytest.mark.one_in(14)

EVIL = "</script><img src=x onerror=alert(1)>\"'`line 3 MT201\u202e\U0001f600<!--"


def test_answer_card_shows_what_why_path_and_fix(opened: Any) -> None:
    view = opened(LOST)
    view.press("n")
    card = view.frame.locator("#answers article")
    assert card.count() == 1
    assert f"{LONG_NAME} = None" in (card.locator("h3").text_content() or "")
    assert card.locator("dt").all_text_contents() == ["why", "path", "try", "more"]
    assert "✂" in (card.locator(".path").text_content() or "")
    assert f"use tf.sin({LONG_NAME}) instead of np.sin({LONG_NAME})" in view.text("#answers")
    codes = card.locator("dd code").all_text_contents()
    assert {f"tf.sin({LONG_NAME})", f"np.sin({LONG_NAME})"} <= set(codes)
    assert "/∂v = 1.0" in view.text("#answers .came")  # which is not the value of v
    assert view.frame.locator("header #answers").count() == 0


def test_line_in_the_answer_links_to_the_source(opened: Any) -> None:
    view = opened(LOST)
    at = view.press("Home")
    view.frame.click("#answers h3 button:text-is('line 6')")
    assert view.frame.locator(".file li.pointed").get_attribute("data-line") == "6"
    assert view.step == at
    view.page.wait_for_url("**&line=6")
    view.press("ArrowRight")
    assert view.frame.locator(".file li.pointed").count() == 0
    view.page.wait_for_url("**#2")


def test_each_op_of_the_path_links_to_its_step(opened: Any) -> None:
    view = opened(LOST)
    words = view.frame.locator("#answers .path button")
    led = []
    for word in words.all():
        word.click()
        led.append((word.text_content(), view.step))
    assert led[0][0] == LONG_NAME
    assert view.word("what", led[0][1]) == "variable"
    for said, step in led[1:-1]:
        name, line = str(said).split(":")
        assert view.data["place"][step][1] == int(line)
        if name[0].isupper():
            assert view.word("what", step).endswith(name)
    assert led[-1][0] == "loss"
    assert view.step == view.data["calls"][0]["requested"]


def test_code_shows_a_short_explanation(opened: Any) -> None:
    view = opened(LOST)
    assert view.is_hidden("#answers .code-meaning")
    view.frame.click("#answers button:text-is('MT201')")
    said = view.text("#answers .code-meaning")
    assert said.startswith("MT201: `tape.gradient` returns None after NumPy")
    assert "A tape records ops on tensors" in said
    view.page.wait_for_url("**&code=MT201")
    reopened(view)
    assert not view.is_hidden("#answers .code-meaning")
    view.frame.click("#answers dd button:text-is('MT201')")
    assert view.is_hidden("#answers .code-meaning")


def test_each_of_many_answers_can_be_selected(opened: Any) -> None:
    view = opened(MANY)
    view.press("End")
    waiting = view.frame.locator("#answers .lead", has_text=re.compile(r"and \d+ more"))
    assert waiting.count() == 2
    while waiting.count():
        waiting.first.click()
    said = view.text("#answers")
    for k in range(60):
        assert re.search(rf"(weight_{k}|ws\[{k}\]|slopes\[{k}\])(?!\d)", said), k
    assert height(view, "#answers") < 0.45 * height(view, "#graph")
    assert height(view, "#drawing") > 0.5 * height(view, "#graph")


def test_no_card_is_shown_before_the_first_call(opened: Any) -> None:
    view = opened("w = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    y = w * w\n")
    assert view.is_hidden("#answers")
    assert view.is_hidden("#split-answer")
    assert view.press("End") > 0


def test_hostile_text_stays_text_in_the_card_and_in_print(opened: Any) -> None:
    view = opened(
        f"""
        import numpy as np
        v = tf.Variable(1.0, name={EVIL!r})
        with tf.GradientTape() as tape:
            y = v * np.square(v)  # {EVIL!r}
            z = np.sin(y)
        tape.gradient(tf.constant(z), v)
        """,
        name="<img src=x onerror=alert(3)> & of line 3.py",
    )
    view.frame.evaluate("dispatchEvent(new Event('beforeprint'))")
    view.press("n")
    for word in view.frame.locator("#answers button.lead:visible").all():
        word.click()
    assert view.frame.locator("img").count() == 0
    assert view.frame.locator("script").count() == 2
    assert view.text("h1").endswith(" of line 3.py")


def test_note_has_its_own_card_and_is_not_an_alert(opened: Any) -> None:
    view = opened(VANISHING)
    assert view.frame.locator("#answers article").count() == 0
    view.press("End")
    card = view.frame.locator("#answers article.note")
    assert card.count() == 1
    said = card.locator("h3").text_content() or ""
    assert said.startswith(
        "the gradient of `loss` vanishes on its way to the first layers · line 9: "
    )
    assert card.locator("dt").all_text_contents() == ["why", "try", "more"]
    assert "lost" not in (view.frame.get_attribute("#answers", "class") or "")
    card.locator("h3 button").click()
    assert view.frame.locator(".file li.pointed").get_attribute("data-line") == "9"
    view.frame.click("#answers button:text-is('MT405')")
    assert not view.is_hidden("#answers .code-meaning")
