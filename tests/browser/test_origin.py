"""The terms of an element on the page, and how to follow them."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from minitape.terms import described

pytestmark = pytest.mark.one_in(14)

LAYER = """\
x = tf.constant([[0.0, 0.0, 0.5], [0.0, 0.0, 2.0]])
w = tf.Variable(tf.ones([3, 2]))
with tf.GradientTape() as tape:
    y = x @ w
    loss = tf.reduce_sum(y * y)
slope = tape.gradient(loss, w)
"""


@pytest.fixture
def open_at(opened: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that opens the page at the first step whose text begins with a given text."""

    def open_at(what: str, text: str = LAYER, **run_options: Any) -> Any:
        view = opened(text, expansions=described, **run_options)
        data = view.data
        step = next(
            i for i, each in enumerate(data["what"]) if data["texts"][each].startswith(what)
        )
        view.page.evaluate(f"location.hash = '{step + 1}'")
        view.frame.locator("#what", has_text=what).wait_for()
        return view

    return open_at


def ask(view: Any, label: str, *keys: str) -> None:
    """Open the values of a fact, move to an element with keys, and request its terms."""
    row = view.frame.locator("#facts dt", has_text=label).first
    row.locator("xpath=following-sibling::dd[1]").locator("button").first.click()
    view.frame.locator("#detail .sheet").focus()
    for key in (*keys, "Enter"):
        view.page.keyboard.press(key)


def lines(view: Any) -> list[str]:
    rows = view.frame.locator("#detail .terms tr").all_inner_texts()
    return [" ".join(each.split()) for each in rows]


def test_element_of_a_gradient_shows_its_terms(open_at: Callable[..., Any]) -> None:
    view = open_at("#1 MatMul, backward")
    ask(view, "∂loss/∂w", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown")
    assert view.text("#detail h3") == "∂loss/∂w[2,1] = 8.5"
    assert lines(view) == [
        "x[0,2]·∂loss/∂y[0,1] 0.5·1 0.5",
        "+ x[1,2]·∂loss/∂y[1,1] 2·4 8",
        "= 8.5",
    ]
    assert view.frame.locator("#detail .terms strong").all_inner_texts() == ["8"]


def test_term_leads_back_to_the_seed_and_its_factor_to_the_inputs(
    open_at: Callable[..., Any],
) -> None:
    view = open_at("#1 MatMul, backward")
    ask(view, "∂loss/∂w", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown")
    follow = view.frame.locator("#detail .main")
    follow.last.click()
    assert view.text("#detail h3") == "∂loss/∂y[1,1] = 4"
    assert lines(view) == [
        "contribution of #2 Mul y * y, line 6 2",
        "+ contribution of #2 Mul y * y, line 6 2",
        "= 4",
    ]
    follow.last.click()
    assert lines(view) == ["= y[1,1]·∂loss/∂#2[1,1] 2·1 2"]
    follow.click()
    assert lines(view) == ["= ∂loss/∂loss 1"]
    follow.click()
    assert "The backward pass starts here" in view.text("#detail")
    for _ in range(4):
        view.frame.locator("#detail button", has_text="← back").click()
    assert view.text("#detail h3") == "∂loss/∂w[2,1] = 8.5"
    view.frame.locator("#detail .on", has_text="x[1,2]").click()
    assert "its history begins here" in view.text("#detail")


def test_address_contains_the_path_to_an_element(
    open_at: Callable[..., Any],
) -> None:
    view = open_at("#1 MatMul, backward")
    ask(view, "∂loss/∂w", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown")
    view.frame.locator("#detail .terms .main").first.click()
    said = view.text("#detail")
    view.page.wait_for_url(re.compile(r"&from=[\d.]+(,|%2C)"))  # both values, not only the first
    view.page.reload()
    view.frame.wait_for_selector("#detail .terms, #detail .muted")
    assert view.text("#detail") == said
    view = open_at("#1 MatMul, backward")
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
def test_unknown_element_is_ignored(open_at: Callable[..., Any], named: str) -> None:
    view = open_at("#1 MatMul, backward")
    view.page.evaluate("named => { location.hash = '3&from=' + encodeURIComponent(named); }", named)
    view.frame.wait_for_function("document.getElementById('position').textContent.startsWith('3 ')")
    assert view.press("ArrowRight") == 3


@pytest.mark.parametrize("run_options", ["", ", keepdims=True"])
def test_single_value_shows_its_terms_by_a_button(
    open_at: Callable[..., Any], run_options: str
) -> None:
    """A single value is a scalar, or the only element of a tensor."""
    view = open_at("#3 Sum", LAYER.replace("y * y)", f"y * y{run_options})"))
    button = view.frame.get_by_role("button", name="show how this number was computed").last
    assert button.inner_text() == "from?"
    button.click()
    assert view.text("#detail h3") in ("loss = 8.5", "loss[0,0] = 8.5")
    assert lines(view)[-1] == "= 8.5"
    assert len(lines(view)) == 5
    assert view.text("#detail .terms + .below") == "#2 is y * y, line 6"


TWICE = """\
w = tf.Variable(1.5)
for t in range(2):
    with tf.GradientTape() as tape:
        loss = w * w * w
    slope = tape.gradient(loss, w)
"""


def test_answer_that_is_a_sum_shows_its_terms_immediately(open_at: Callable[..., Any]) -> None:
    view = open_at("∂loss/∂w", TWICE)
    rows = view.frame.locator("#facts .expansion .terms tr").all_inner_texts()
    assert [" ".join(each.split()) for each in rows] == [
        "contribution of #2 Mul w * w * w, line 5, time 1 of 2 forward 2.25",
        "+ contribution of #1 Mul w * w, line 5, time 1 of 2 forward 2.25",
        "+ contribution of #1 Mul w * w, line 5, time 1 of 2 forward 2.25",
        "= 6.75",
    ]
    assert view.frame.locator("#facts .from").count() == 0
    assert view.is_hidden("#detail")
    assert view.frame.evaluate("document.activeElement === document.body")
    view.frame.locator("#facts .expansion .main").first.click()
    assert "contribution of #2 Mul (w * w * w, line 5" in view.text("#detail")
    view.frame.get_by_text("← back").click()
    assert view.text("#detail h3") == "slope = 6.75"


def test_answer_with_one_contribution_keeps_its_button(open_at: Callable[..., Any]) -> None:
    view = open_at("∂loss/∂w", TWICE.replace("w * w * w", "w * 3.0"))
    assert view.frame.locator("#facts .expansion").count() == 0
    assert view.frame.locator("#facts .from").count() == 1


def test_contributions_are_visible_in_a_narrow_pane(open_at: Callable[..., Any]) -> None:
    name = "the_weights_of_the_first_hidden_layer_of_all"
    long = (
        LAYER.replace("w = ", f"{name} = ")
        .replace("@ w", f"@ {name}")
        .replace(", w)", f", {name})")
    )
    view = open_at("#1 MatMul", long)
    view.page.set_viewport_size({"width": 1300, "height": 820})  # 26% of the width is 338
    ask(view, "y =", "ArrowRight")
    assert name in lines(view)[0]
    hidden = """() => [...document.querySelectorAll("#detail, #now")].some((each) => each.scrollWidth > each.clientWidth)"""
    assert not view.frame.evaluate(hidden)
    rights = view.frame.evaluate(
        """() => [...document.querySelectorAll(".terms td:last-child")].map((each) => each.getBoundingClientRect().right)"""
    )
    edge = view.frame.locator("#detail").bounding_box()
    assert len(set(rights)) == 1
    assert rights[0] <= edge["x"] + edge["width"]


def test_largest_of_many_terms_are_shown_and_the_others_on_request(
    open_at: Callable[..., Any],
) -> None:
    many = """\
x = tf.Variable(tf.range(32.0))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(x * x)
tape.gradient(loss, x)
"""
    view = open_at("#2 Sum", many)
    view.frame.locator("#facts .from").last.click()
    assert view.text("#detail caption") == "the sum of 32 terms, the 10 largest:"
    assert len(lines(view)) == 12
    assert [each.split()[-1] for each in lines(view)[:2]] == ["961", "900"]
    assert lines(view)[-2:] == ["+ and 22 more 3311", "= 10420"]
    view.frame.locator("#detail button", has_text="and 22 more").click()
    assert view.frame.locator("#detail caption").count() == 0
    assert [each.split()[-1] for each in lines(view)[:3]] == ["0", "1", "4"]
    assert len(lines(view)) == 33


COMPLEX = """\
x = tf.Variable([1.0, 2.0, 0.5])
c = tf.constant([1.0 + 2.0j, 0.5 - 1.0j, 2.0j], tf.complex64)
with tf.GradientTape() as tape:
    z = tf.cast(x, tf.complex64) * c
    loss = tf.reduce_sum(tf.abs(tf.signal.fft(z)) ** 2)
slope = tape.gradient(loss, x)
"""


def test_complex_numbers_have_terms_to_follow(open_at: Callable[..., Any]) -> None:
    view = open_at("#3 FFT, backward", COMPLEX)
    ask(view, "∂loss/∂z", "ArrowRight")
    assert view.text("#detail h3") == "∂loss/∂z[0] = (6-12j)"
    assert lines(view) == [
        "∂loss/∂#3[0] (4-2j)",
        "+ ∂loss/∂#3[1] (-4.196-3.268j)",
        "+ ∂loss/∂#3[2] (6.196-6.732j)",
        "= (6-12j)",
    ]
    view.frame.locator("#detail .main").last.click()
    assert view.text("#detail h3") == "∂loss/∂#3[2] = (6.196-6.732j)"
    assert "contribution of #" in view.text("#detail")
    assert "ComplexAbs" in view.text("#detail")


def test_markup_in_names_stays_text(open_at: Callable[..., Any]) -> None:
    odd = LAYER.replace("tf.ones([3, 2])", "tf.ones([3, 2]), name='<img src=x onerror=alert(1)>'")
    view = open_at("#1 MatMul", odd)
    ask(view, "y", "ArrowRight")
    assert view.frame.locator("#detail img").count() == 0
    assert len(lines(view)) == 4


def test_page_without_term_data_offers_no_terms(opened: Callable[..., Any]) -> None:
    view = opened(LAYER)
    assert view.frame.locator("#facts .from").count() == 0


def test_terms_shown_immediately_leave_the_current_step_in_view(
    open_at: Callable[..., Any],
) -> None:
    """The terms reduce the space for the list of steps."""
    uses = " + ".join("w * w" for _ in range(6))
    view = open_at(
        "∂y/∂w",
        f"w = tf.Variable(1.5)\nwith tf.GradientTape() as tape:\n    y = {uses}\ntape.gradient(y, w)\n",
    )
    assert view.frame.locator(".terms tr").count() > 8
    view.frame.evaluate("() => new Promise(requestAnimationFrame)")  # the list is scrolled then
    listed = view.frame.locator("#steps").bounding_box()
    current = view.frame.locator("#steps [aria-current]").bounding_box()
    assert listed and current
    assert listed["y"] <= current["y"]
    assert current["y"] + current["height"] <= listed["y"] + listed["height"] + 1
