"""A number on the page is asked where it is from, and followed."""

from collections.abc import Callable
from typing import Any

import pytest

from minitape.origin import described

LAYER = """\
x = tf.constant([[0.0, 0.0, 0.5], [0.0, 0.0, 2.0]])
w = tf.Variable(tf.ones([3, 2]))
with tf.GradientTape() as tape:
    y = x @ w
    loss = tf.reduce_sum(y * y)
slope = tape.gradient(loss, w)
"""


@pytest.fixture
def at(opened: Callable[..., Any]) -> Callable[..., Any]:
    """The page at the first step whose words begin so."""

    def at(what: str, text: str = LAYER, **wishes: Any) -> Any:
        view = opened(text, origins=described, **wishes)
        data = view.data
        step = next(
            i for i, each in enumerate(data["what"]) if data["texts"][each].startswith(what)
        )
        view.page.evaluate(f"location.hash = '{step + 1}'")
        view.frame.locator("#what", has_text=what).wait_for()
        return view

    return at


def ask(view: Any, label: str, *keys: str) -> None:
    """Open the numbers of a fact, go to an element with keys, and ask."""
    row = view.frame.locator("#facts dt", has_text=label).first
    row.locator("xpath=following-sibling::dd[1]").locator("button").first.click()
    view.frame.locator("#detail .sheet").focus()
    for key in (*keys, "Enter"):
        view.page.keyboard.press(key)


def lines(view: Any) -> list[str]:
    rows = view.frame.locator("#detail .terms tr").all_inner_texts()
    return [" ".join(each.split()) for each in rows]


def test_an_element_of_a_gradient_is_told_as_on_the_board(at: Callable[..., Any]) -> None:
    view = at("#1 MatMul, backward")
    ask(view, "∂loss/∂w", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown")
    assert view.text("#detail h3") == "∂loss/∂w[2,1] = 8.5"
    assert lines(view) == [
        "= x[0,2]·∂loss/∂y[0,1] 0.5·1 = 0.5",
        "+ x[1,2]·∂loss/∂y[1,1] 2·4 = 8",
    ]


def test_a_term_leads_back_to_the_seed_and_its_factor_to_the_inputs(at: Callable[..., Any]) -> None:
    view = at("#1 MatMul, backward")
    ask(view, "∂loss/∂w", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown")
    follow = view.frame.locator("#detail .main")
    follow.last.click()
    assert view.text("#detail h3") == "∂loss/∂y[1,1] = 4"
    assert lines(view) == ["= what #2 Mul sends = 2", "+ what #2 Mul sends = 2"]
    follow.last.click()
    assert lines(view) == ["= y[1,1]·∂loss/∂#2[1,1] 2·1 = 2"]
    follow.click()
    assert lines(view) == ["= ∂loss/∂loss = 1"]
    follow.click()
    assert "The walk back begins here" in view.text("#detail")
    for _ in range(4):
        view.frame.locator("#detail button", has_text="← back").click()
    assert view.text("#detail h3") == "∂loss/∂w[2,1] = 8.5"
    view.frame.locator("#detail .on", has_text="x[1,2]").click()
    assert "here its history begins" in view.text("#detail")


def test_the_way_to_a_number_is_in_the_address_and_leads_back_to_its_tensor(
    at: Callable[..., Any],
) -> None:
    view = at("#1 MatMul, backward")
    ask(view, "∂loss/∂w", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown")
    view.frame.locator("#detail .terms .main").first.click()
    said = view.text("#detail")
    view.page.wait_for_url("**&from=*")
    view.page.reload()
    view.frame.wait_for_selector("#detail .terms, #detail .muted")
    assert view.text("#detail") == said
    view = at("#1 MatMul, backward")
    ask(view, "∂loss/∂w", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown")
    shown = view.text("#detail h3")
    view.frame.locator("#detail .terms .main").first.click()
    view.frame.get_by_text("← back").click()
    assert view.text("#detail h3") == shown
    view.frame.get_by_text("← back").click()
    assert view.text("#detail .reading").startswith("[2, 1]") or view.text(
        "#detail .reading"
    ).startswith("[2,1]")


@pytest.mark.parametrize("named", ["999.0", "0.99", "0.-1", "0.x", "<img>", "1.0.0,", "0.5e-1"])
def test_a_number_that_there_is_not_does_no_harm(at: Callable[..., Any], named: str) -> None:
    view = at("#1 MatMul, backward")
    view.page.evaluate("named => { location.hash = '3&from=' + encodeURIComponent(named); }", named)
    view.frame.wait_for_function("document.getElementById('position').textContent.startsWith('3 ')")
    assert view.press("ArrowRight") == 3


def test_a_single_number_is_asked_by_its_question_mark(at: Callable[..., Any]) -> None:
    view = at("#3 Sum")
    view.frame.locator("#facts .from").last.click()
    assert view.text("#detail h3") == "loss = 8.5"
    assert len(lines(view)) == 4


def test_of_many_terms_the_largest_are_shown_and_the_others_on_request(
    at: Callable[..., Any],
) -> None:
    many = """\
x = tf.Variable(tf.range(32.0))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(x * x)
tape.gradient(loss, x)
"""
    view = at("#2 Sum", many)
    view.frame.locator("#facts .from").last.click()
    assert len(lines(view)) == 11
    assert lines(view)[-1] == "and 22 more = 3311"
    view.frame.locator("#detail button", has_text="and 22 more").click()
    assert len(lines(view)) == 32


def test_names_that_are_markup_stay_text(at: Callable[..., Any]) -> None:
    odd = LAYER.replace("tf.ones([3, 2])", "tf.ones([3, 2]), name='<img src=x onerror=alert(1)>'")
    view = at("#1 MatMul", odd)
    ask(view, "y", "ArrowRight")
    assert view.frame.locator("#detail img").count() == 0
    assert len(lines(view)) == 3


def test_a_page_without_origins_asks_nothing(opened: Callable[..., Any]) -> None:
    view = opened(LAYER)
    assert view.frame.locator("#facts .from").count() == 0
