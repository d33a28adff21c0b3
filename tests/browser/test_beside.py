"""Two runs beside each other in a browser: what differs is marked, the keys lead there, and a long run opens at once."""

import textwrap
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from traced import run

from minitape.explain.explain import explain
from minitape.html import page_of_two

pytestmark = pytest.mark.one_in(14)

BROKEN = """\
    import minitape as tf
    import numpy as np
    w = tf.Variable([0.5, 2.0], name="w")
    b = tf.Variable(1.0)
    for step in range(ROUNDS):
        with tf.GradientTape() as tape:
            y = w * 3.0 + b
            loss = tf.reduce_sum(np.square(y))
        grads = tape.gradient(loss, [w, b])
"""
MENDED = BROKEN.replace("np.square", "tf.square")
HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture
def two(tmp_path: Path, show: Any) -> Callable[..., Any]:
    """Opens the page of two scripts."""

    def two(
        first: str,
        second: str,
        at: str = "",
        iterations: int = 3,
        dark: bool = False,
        **run_options: Any,
    ) -> Any:
        traces = []
        for name, text in (("a.py", first), ("b.py", second)):
            (tmp_path / name).write_text(
                textwrap.dedent(text).replace("ROUNDS", str(iterations)), encoding="utf-8"
            )
            traces.append(run(tmp_path / name, timeout=60, max_ops=30_000).trace)
        reports = tuple(map(explain, traces))
        names = run_options.pop("names", ("a.py", "b.py"))
        return show(page_of_two((traces[0], traces[1]), reports, names, **run_options), at, dark)

    return two


def selected(view: Any) -> list[str]:
    return [
        cell.text_content()
        for cell in view.page.locator("#rows li[aria-selected=true] > span").all()
    ]


def test_it_opens_at_the_first_difference_with_both_sources(two: Any) -> None:
    view = two(BROKEN, MENDED)
    left, sign, right = selected(view)
    assert (left, sign) == (
        "left the engine loss = tf.reduce_sum(np.square(y))".replace("engine ", "engine"),
        "≠",
    )
    assert right.endswith("loss = tf.reduce_sum(tf.square(y))")
    for side in ("#first", "#second"):
        assert "tf.reduce_sum(" in view.text(f"{side} li.now")
    assert (
        view.page.locator("#count").text_content()
        == f"{parts(view)} of {len(view.data['rows'])} steps differ"
    )


def parts(view: Any) -> int:
    return sum(len(row) > 2 for row in view.data["rows"])


def test_gradients_that_differ_lead_to_their_call_and_a_loop_tells_them_once(two: Any) -> None:
    view = two(BROKEN, MENDED)
    lines = [each.inner_text().split("\t") for each in view.page.locator("#gradients tr").all()]
    assert [line[0] for line in lines] == [
        "w, and in 2 more iterations",
        "b, and in 2 more iterations",
    ]
    assert lines[0][1].startswith("None ✗ MT201")
    assert lines[1][2] == "19.0"
    view.page.locator("#gradients tr").first.click()
    assert "gradient requested" in selected(view)[0]


def test_the_keys_go_from_difference_to_difference_and_from_step_to_step(two: Any) -> None:
    view = two(BROKEN, MENDED)
    rows = view.data["rows"]
    expected = [i for i, row in enumerate(rows) if len(row) > 2]
    seen = [now(view)]
    for _ in expected[1:]:
        view.page.keyboard.press("n")
        seen.append(now(view))
    assert seen == expected
    view.page.keyboard.press("n")
    assert now(view) == expected[-1]
    assert view.page.locator("#later").is_disabled()
    view.page.keyboard.press("N")
    assert now(view) == expected[-2]
    view.page.keyboard.press("a")
    for key in ("Home", "ArrowDown", "ArrowDown", "ArrowUp"):
        view.page.keyboard.press(key)
    assert now(view) == 1
    assert ": alike" in view.text("#said")


def now(view: Any) -> int:
    return int(view.page.locator("#rows li[aria-selected=true]").get_attribute("data-row"))


def test_alike_steps_are_left_out_until_they_are_asked_for(two: Any) -> None:
    view = two(MENDED, MENDED.replace("3.0", "3.5") + "    tf.square(1.0)\n", iterations=2)
    assert view.page.locator("#only").is_checked()
    same = two(MENDED, MENDED)
    assert not same.page.locator("#only").is_checked()
    assert same.text("#count") == "no step differs"
    assert same.page.locator("#gradients").is_hidden()
    assert same.page.locator("#later").is_disabled()


def test_plus_minus_and_0_change_its_letters(two: Any) -> None:
    view = two(BROKEN, MENDED)
    size = """() => ['.file code', '#rows li', '#both dd', '#gradients td']
        .map((each) => parseFloat(getComputedStyle(document.querySelector(each)).fontSize))"""
    high = "document.querySelector('#rows li').offsetHeight"
    usual, row = view.frame.evaluate(size), view.frame.evaluate(high)
    for _ in range(5):
        view.page.keyboard.press("+")
    assert view.frame.evaluate(size) == pytest.approx([2 * each for each in usual])
    assert view.frame.evaluate(high) == 2 * row
    places = [each.bounding_box()["y"] for each in view.page.locator("#rows li").all()]
    assert {b - a for a, b in pairwise(places)} == {2 * row}
    view.page.keyboard.press("0")
    assert view.frame.evaluate(size) == usual


def test_an_address_leads_to_its_step(two: Any) -> None:
    view = two(BROKEN, MENDED, at="#2")
    assert now(view) == 1
    assert not view.page.locator("#only").is_checked()


def test_facts_that_differ_are_marked_and_alike_ones_are_not(two: Any) -> None:
    view = two(MENDED, MENDED.replace("3.0", "4.0"))
    marked = view.page.locator("#right .differs").all_inner_texts()
    assert marked, "the factor"
    assert "w" not in marked
    assert view.page.locator("#left dd").count() > len(marked)


def test_steps_that_were_not_compared_are_counted(two: Any) -> None:
    assert (
        two(BROKEN, MENDED, unseen=1234)
        .text("#count")
        .endswith("; 1,234 later steps were not compared")
    )


def test_hostile_names_and_a_run_without_steps_do_no_harm(two: Any) -> None:
    view = two(
        f'import minitape as tf\nw = tf.Variable(1.0, name="w")\n# {HOSTILE}\nprint("{HOSTILE}")\n',
        "x = 1\n",
        names=(HOSTILE, HOSTILE),
    )
    assert HOSTILE in view.text("h1")
    assert view.page.locator("#rows li").count() == 1
    empty = two("x = 1\n", "x = 2\n")
    assert empty.page.locator("#rows li").count() == 0
    empty.page.keyboard.press("n")


@pytest.mark.parametrize("dark", [False, True])
def test_twenty_thousand_steps_open_at_once_and_scroll(two: Any, dark: bool) -> None:
    view = two(MENDED, MENDED.replace("3.0", "3.5"), iterations=2500, dark=dark)
    assert len(view.data["rows"]) > 10_000
    assert view.opening < 3
    view.page.keyboard.press("a")
    view.page.keyboard.press("End")
    assert now(view) == len(view.data["rows"]) - 1
    assert view.page.locator("#rows li").count() < 120
