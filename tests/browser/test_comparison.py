"""The page of two runs in a browser: differences are marked, keys go to them, and a long run opens quickly."""

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
FIXED = BROKEN.replace("np.square", "tf.square")
HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture
def open_two_runs(tmp_path: Path, show: Any) -> Callable[..., Any]:
    """Return a function that opens the page of two scripts."""

    def open_two_runs(
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

    return open_two_runs


def selected(view: Any) -> list[str]:
    return [
        cell.text_content()
        for cell in view.page.locator("#rows li[aria-selected=true] > span").all()
    ]


def test_page_opens_at_the_first_difference_with_both_sources(open_two_runs: Any) -> None:
    view = open_two_runs(BROKEN, FIXED)
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


def test_differing_gradients_link_to_their_call_and_a_loop_lists_them_once(
    open_two_runs: Any,
) -> None:
    view = open_two_runs(BROKEN, FIXED)
    lines = [each.inner_text().split("\t") for each in view.page.locator("#gradients tr").all()]
    assert [line[0] for line in lines] == [
        "w, and in 2 more iterations",
        "b, and in 2 more iterations",
    ]
    assert lines[0][1].startswith("None ✗ MT201")
    assert lines[1][2] == "19.0"
    view.page.locator("#gradients tr").first.click()
    assert "gradient requested" in selected(view)[0]


def test_keys_move_between_differences_and_between_steps(open_two_runs: Any) -> None:
    view = open_two_runs(BROKEN, FIXED)
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
    assert ": alike" in view.text("#announcement")


def now(view: Any) -> int:
    return int(view.page.locator("#rows li[aria-selected=true]").get_attribute("data-row"))


def test_equal_steps_are_hidden_until_requested(open_two_runs: Any) -> None:
    view = open_two_runs(FIXED, FIXED.replace("3.0", "3.5") + "    tf.square(1.0)\n", iterations=2)
    assert view.page.locator("#only").is_checked()
    same = open_two_runs(FIXED, FIXED)
    assert not same.page.locator("#only").is_checked()
    assert same.text("#count") == "no step differs"
    assert same.page.locator("#gradients").is_hidden()
    assert same.page.locator("#later").is_disabled()


def test_plus_minus_and_0_change_the_text_size(open_two_runs: Any) -> None:
    view = open_two_runs(BROKEN, FIXED)
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


def test_address_opens_its_step(open_two_runs: Any) -> None:
    view = open_two_runs(BROKEN, FIXED, at="#2")
    assert now(view) == 1
    assert not view.page.locator("#only").is_checked()


def test_only_differing_details_are_marked(open_two_runs: Any) -> None:
    view = open_two_runs(FIXED, FIXED.replace("3.0", "4.0"))
    marked = view.page.locator("#right .differs").all_inner_texts()
    assert marked, "the factor"
    assert "w" not in marked
    assert view.page.locator("#left dd").count() > len(marked)


def test_steps_that_were_not_compared_are_counted(open_two_runs: Any) -> None:
    assert (
        open_two_runs(BROKEN, FIXED, unseen=1234)
        .text("#count")
        .endswith("; 1,234 later steps were not compared")
    )


def test_hostile_names_and_a_run_without_steps_cause_no_error(open_two_runs: Any) -> None:
    view = open_two_runs(
        f'import minitape as tf\nw = tf.Variable(1.0, name="w")\n# {HOSTILE}\nprint("{HOSTILE}")\n',
        "x = 1\n",
        names=(HOSTILE, HOSTILE),
    )
    assert HOSTILE in view.text("h1")
    assert view.page.locator("#rows li").count() == 1
    empty = open_two_runs("x = 1\n", "x = 2\n")
    assert empty.page.locator("#rows li").count() == 0
    empty.page.keyboard.press("n")


@pytest.mark.parametrize("dark", [False, True])
def test_twenty_thousand_steps_open_quickly_and_scroll(open_two_runs: Any, dark: bool) -> None:
    view = open_two_runs(FIXED, FIXED.replace("3.0", "3.5"), iterations=2500, dark=dark)
    assert len(view.data["rows"]) > 10_000
    assert view.opening < 3
    view.page.keyboard.press("a")
    view.page.keyboard.press("End")
    assert now(view) == len(view.data["rows"]) - 1
    assert view.page.locator("#rows li").count() < 120


TRAINING = """\
    import minitape as tf
    w = tf.Variable([[3.0, 4.0]])
    b = tf.Variable(1.0)
    for step in range(ROUNDS):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w) * 0.5 + b
        dw, db = tape.gradient(loss, [w, b])
        w.assign_sub(0.5 * dw)
"""
STEEPER = TRAINING.replace("* 0.5 + b", "* 50.0 + b").replace("0.5 * dw", "0.001 * dw")
ONE_LINE = TRAINING.replace("0.5 + b", "0.75 + b")


def test_two_loops_share_one_scale_and_one_slider(open_two_runs: Any) -> None:
    """dw equals w. In A, |dw| = 5, and is halved in each iteration; in B, it is 7.5, and shrinks to a quarter each time."""
    view = open_two_runs(TRAINING, ONE_LINE, iterations=12)
    assert view.text("#headline").startswith("Line 6 differs: 0.5 in A, 0.75 in B.")
    assert view.text("#ends").startswith(
        "loss ends at 1.0 in A and at 1.0 in B, after 12 iterations"
    )
    assert view.text("#iteration-number") == "iteration 1 of 12"
    numbers = view.page.locator("#moving .number")
    assert numbers.all_text_contents() == ["5", "1", "7.5", "1"]
    view.page.keyboard.press("]")
    assert numbers.all_text_contents() == ["2.5", "1", "1.875", "1"]
    view.page.locator("#iteration").fill("11")
    assert view.text("#iteration-number") == "iteration 12 of 12"
    assert numbers.all_text_contents()[0] == "0.002441"
    dotted = view.frame.evaluate(
        "getComputedStyle(document.querySelector('.loss.a')).strokeDasharray"
    )
    solid = view.frame.evaluate(
        "getComputedStyle(document.querySelector('.loss.b')).strokeDasharray"
    )
    assert (dotted != "none", solid) == (True, "none")


def test_both_maps_use_the_same_shade_for_the_same_norm(open_two_runs: Any) -> None:
    view = open_two_runs(TRAINING, TRAINING + "    print(1)\n", iterations=12)
    cells = view.page.locator("#still .cell")
    shades = [cell.get_attribute("fill-opacity") for cell in cells.all()]
    assert shades[: len(shades) // 2] == shades[len(shades) // 2 :]
    assert max(map(float, filter(None, shades))) == 1.0


def test_changed_lines_are_marked_and_scrolled_into_view_in_both_sources(
    open_two_runs: Any,
) -> None:
    view = open_two_runs(TRAINING, ONE_LINE, iterations=8)
    for side, number in (("#first", "0.5"), ("#second", "0.75")):
        (line,) = view.page.locator(f"{side} li.changed").all()
        assert f"* {number} + b" in line.inner_text()
        assert line.is_visible()


def test_backward_steps_are_compared(open_two_runs: Any) -> None:
    view = open_two_runs(TRAINING, ONE_LINE, iterations=8)
    sides = view.data["sides"]
    backward = [row for row in view.data["rows"] if "backward" in sides[0]["what"][row[0]]]
    assert len(backward) >= 8 * 4
    assert any("gradient" in row for row in backward)
    assert any(len(row) == 2 for row in backward), "that of b"


def test_differences_are_grouped_by_line_and_link_to_their_first_step(open_two_runs: Any) -> None:
    view = open_two_runs(TRAINING, ONE_LINE, iterations=8)
    groups = [each.inner_text().split("\t") for each in view.page.locator("#groups tr").all()]
    assert any(each[:2] == ["line 6", "different gradients"] for each in groups)
    assert sum(group["count"] for group in view.data["groups"]) == parts(view)
    view.page.locator("#groups tr").last.click()
    assert now(view) == view.data["groups"][-1]["row"]


def test_short_loops_have_no_maps(open_two_runs: Any) -> None:
    view = open_two_runs(TRAINING, ONE_LINE, iterations=7)
    assert view.is_hidden("#runs")
    assert "Line 6 differs" in view.text("#headline")


@pytest.mark.parametrize("width", [360, 900, 1400])
def test_map_labels_stay_inside_the_picture(open_two_runs: Any, width: int) -> None:
    view = open_two_runs(TRAINING, STEEPER, iterations=40)
    view.page.set_viewport_size({"width": width, "height": 900})
    outside = view.frame.evaluate(
        """() => {
            const box = document.getElementById('picture-two').getBoundingClientRect();
            return [...document.querySelectorAll('#picture-two text')].filter((text) => {
                const { left, right } = text.getBoundingClientRect();
                return left < box.left - 1 || right > box.right + 1;
            }).map((text) => text.textContent);
        }"""
    )
    assert outside == []
