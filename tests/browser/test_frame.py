"""The frame of the page: panes that keep their sizes, long lines and names, the header, text sizes and screen sizes."""

import json
from typing import Any

import pytest
from frames import LONG_NAME, LOST, MANY, NESTED, go, height, reopened, width

pytestmark = pytest.mark.one_in(14)

WIDE = """\
w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = tf.constant(0.5) * tf.constant(0.25) * tf.constant(0.125) * tf.constant(2.0) * tf.reduce_sum(w)  # \U0001f600
    näme = '日本 \U0001f600'; more = tf.constant(0.5) * tf.constant(0.25) * tf.constant(0.125) * tf.constant(2.0) * tf.square(w)
tape.gradient(loss, w)
"""

# --- panes ---


@pytest.mark.parametrize(
    ("split", "pane", "by"),
    [("#split-source", "#source", 120), ("#split-now", "#now", -120)],
)
def test_pane_resized_by_mouse_keeps_its_size(opened: Any, split: str, pane: str, by: int) -> None:
    view = opened(LOST)
    before = width(view, pane)
    box = view.frame.locator(split).bounding_box()
    view.page.mouse.move(box["x"], 400)
    view.page.mouse.down()
    view.page.mouse.move(box["x"] + by / 2, 410)
    view.page.mouse.move(box["x"] + by, 410)
    view.page.mouse.up()
    after = width(view, pane)
    assert after == pytest.approx(before + 120, abs=3)
    share = view.frame.get_attribute(split, "aria-valuenow")
    assert int(share) == pytest.approx(100 * after / 1360, abs=1)
    reopened(view)
    assert width(view, pane) == pytest.approx(after, abs=2)
    view.frame.dblclick(split, force=True)
    assert width(view, pane) == pytest.approx(before, abs=2)


def test_keys_on_a_separator_move_it_and_do_not_step(opened: Any) -> None:
    view = opened(LOST)
    at, before = view.step, width(view, "#source")
    view.frame.focus("#split-source")
    view.page.keyboard.press("ArrowRight")
    assert width(view, "#source") > before
    view.page.keyboard.press("Shift+ArrowLeft")
    assert width(view, "#source") < before
    view.page.keyboard.press("End")
    assert view.frame.get_attribute("#split-source", "aria-valuenow") == view.frame.get_attribute(
        "#split-source", "aria-valuemax"
    )
    view.page.keyboard.press("Home")
    assert width(view, "#source") < before
    assert view.step == at
    assert view.press("b") == view.data["moves"]["backward"][0]


def test_enter_collapses_a_pane_and_keeps_keys_working(opened: Any) -> None:
    view = opened(LOST)
    before = width(view, "#now")
    view.frame.focus("#split-now")
    view.page.keyboard.press("Enter")
    assert width(view, "#now") < 2
    assert view.frame.get_attribute("#split-now", "aria-valuetext") == "closed"
    view.page.keyboard.press("Tab")
    assert view.frame.evaluate("document.activeElement.closest('#now')") is None
    view.frame.focus("#split-now")
    view.page.keyboard.press("Enter")
    assert width(view, "#now") == pytest.approx(before, abs=2)


def test_each_separator_has_a_label(opened: Any) -> None:
    view = opened(LOST)
    for bar in view.frame.locator("[role=separator]").all():
        for name in ("aria-label", "aria-orientation", "aria-valuemin", "aria-valuemax"):
            assert bar.get_attribute(name)
        assert 0 <= int(bar.get_attribute("aria-valuenow")) <= 100
        assert bar.get_attribute("tabindex") == "0"
        for pane in bar.get_attribute("aria-controls").split():
            assert view.frame.locator(f"#{pane}").count() == 1


def test_invalid_stored_settings_are_ignored(opened: Any) -> None:
    view = opened(LOST)
    before = width(view, "#source")
    for kept in ("{", "null", "7", json.dumps({"shares": {"split-source": "url(x)"}, "type": "9"})):
        view.frame.evaluate("kept => localStorage.setItem('minitape.frame', kept)", kept)
        reopened(view)
        assert width(view, "#source") == pytest.approx(before, abs=1)
    view.frame.evaluate("localStorage.clear()")


def test_tab_order_covers_the_page_and_leaves_it(opened: Any) -> None:
    """The transport, the result and the step come before the source, which is one tab stop, and nothing traps the focus."""
    view = opened(LOST)
    view.frame.evaluate("document.activeElement.blur()")
    seen: list[str] = []
    for _ in range(80):
        view.page.keyboard.press("Tab")
        name = view.frame.evaluate(
            """() => { const { id, tagName } = document.activeElement; return tagName === 'BODY' ? '' : id || tagName; }"""
        )
        if seen and not name:
            break
        seen += [name] if name else []
    else:
        pytest.fail("the focus never left the page")
    order = [
        "query",
        "theme",
        "step",
        "slider",
        "split-answer",
        "fit",
        "split-now",
        "note",
        "steps",
        "split-source",
        "wrap",
    ]
    assert [each for each in seen if each in order] == order


# --- the source ---


def expression(view: Any) -> dict[str, float]:
    """The extent of the boxes around the expression, and of the pane to the right of its line numbers."""
    found: dict[str, float] = view.frame.evaluate(
        """() => {
            const boxes = [...document.querySelectorAll('#span > span')].map((each) => each.getBoundingClientRect());
            const pane = document.getElementById('files').getBoundingClientRect();
            const gutter = document.querySelector('.file li.now button').getBoundingClientRect();
            return { left: Math.min(...boxes.map((b) => b.left)), right: Math.max(...boxes.map((b) => b.right)),
                     rows: boxes.length, from: gutter.right, to: pane.right };
        }"""
    )
    return found


def test_source_scrolls_to_the_running_expression(opened: Any) -> None:
    view = opened(WIDE)
    for i, place in enumerate(view.data["place"]):
        if place is None or len(place) < 4:
            continue
        go(view, i)
        at = expression(view)
        assert at["left"] >= at["from"] - 1, i
        if at["right"] - at["left"] < at["to"] - at["from"] - 60:
            assert at["right"] <= at["to"] + 1, i
    view.press("Home")
    lines = "[document.getElementById('files'), ...document.querySelectorAll('.file code')]"
    assert view.frame.evaluate(f"{lines}.every((each) => each.scrollLeft === 0)")


def test_box_surrounds_the_expression_after_wide_characters(opened: Any) -> None:
    """A column counts characters; a browser counts some as two code units, and some are wider than others."""
    view = opened(WIDE)
    marked = """() => {
        const line = document.querySelector('.file li.now code');
        const box = document.querySelector('#span > span').getBoundingClientRect();
        const range = document.createRange(), texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        let said = '';
        while (texts.nextNode()) for (let k = 0; k < texts.currentNode.data.length; k++) {
            range.setStart(texts.currentNode, k); range.setEnd(texts.currentNode, k + 1);
            const letter = range.getBoundingClientRect(), middle = (letter.left + letter.right) / 2;
            if (letter.width && middle > box.left && middle < box.right) said += texts.currentNode.data[k];
        }
        return said;
    }"""
    tried = 0
    for i, place in enumerate(view.data["place"]):
        if place and place[1] == 5 and view.word("what", i).endswith("Square"):
            go(view, i)
            assert view.frame.evaluate(marked) == "tf.square(w)"
            tried += 1
    assert tried == 1


def test_w_wraps_long_lines_and_is_remembered(opened: Any) -> None:
    view = opened(WIDE)
    wide = "[...document.querySelectorAll('.file code')].some((code) => code.scrollWidth > code.clientWidth)"
    assert view.frame.evaluate(wide)
    view.press("w")
    assert not view.frame.evaluate(wide)
    assert view.frame.get_attribute("#wrap", "aria-pressed") == "true"
    at = next(i for i, p in enumerate(view.data["place"]) if p and p[1] == 4 and len(p) == 4)
    go(view, at)
    assert expression(view)["rows"] >= 1
    reopened(view)
    view.frame.wait_for_function(f"!({wide})")  # the marker moves after its pane has been resized
    view.frame.click("#wrap")
    assert view.frame.evaluate(wide)


# --- the header, and long names ---


@pytest.mark.parametrize("across", [1400, 900, 400])
@pytest.mark.parametrize("text", [MANY, NESTED])
def test_header_stays_on_one_line(opened: Any, text: str, across: int) -> None:
    view = opened(text, name=f"{LONG_NAME}.py")
    view.page.set_viewport_size({"width": across, "height": 800})
    view.press("End")
    tops = view.frame.evaluate(
        """() => [...document.querySelectorAll('header > *')].filter((each) => each.offsetWidth)
            .map((each) => { const box = each.getBoundingClientRect(); return [(box.top + box.bottom) / 2, box.right]; })"""
    )
    assert len({round(middle) for middle, _ in tops}) <= 2  # fractions of pixels
    assert max(middle for middle, _ in tops) - min(middle for middle, _ in tops) < 3
    assert max(right for _, right in tops) <= across
    assert height(view, "header") < 60


def test_long_name_keeps_its_end_and_is_complete_in_its_tooltip(opened: Any) -> None:
    view = opened(LOST, name=f"{LONG_NAME}.py")
    view.page.set_viewport_size({"width": 500, "height": 800})
    name = view.frame.locator("h1")
    assert name.get_attribute("title") == name.text_content() == f"{LONG_NAME}.py"
    head, tail = (view.frame.locator(f"h1 .{part}") for part in ("head", "tail"))
    assert head.evaluate("each => each.scrollWidth > each.clientWidth")
    assert tail.evaluate("each => each.scrollWidth <= each.clientWidth + 1")
    assert (tail.text_content() or "").endswith("kernel.py")


def test_long_name_in_the_step_list_leaves_space_for_its_value(opened: Any) -> None:
    view = opened(LOST)
    view.press("Home")
    row = view.frame.locator("#steps [data-step='0']")
    assert (row.text_content() or "").split() == ["variable", LONG_NAME, "·", "2.0"]
    assert row.get_attribute("title") == row.text_content()
    assert row.evaluate("each => each.scrollWidth <= each.clientWidth")
    tail = row.locator(".tail")
    assert LONG_NAME.endswith(tail.text_content() or "?")
    assert tail.evaluate("each => each.scrollWidth <= each.clientWidth + 1")


def test_run_without_steps_has_a_frame(opened: Any) -> None:
    view = opened("print('nothing')\n")
    before = width(view, "#now")
    for key in ("w", "+", "-", "0", "="):
        view.page.keyboard.press(key)
    view.frame.focus("#split-now")
    view.page.keyboard.press("ArrowLeft")
    assert width(view, "#now") > before
    assert view.is_hidden("#answers")
    view.frame.evaluate("dispatchEvent(new Event('beforeprint'))")
    view.frame.evaluate("dispatchEvent(new Event('afterprint'))")


# --- sizes ---


def test_plus_minus_and_0_change_the_text_size_of_every_pane(opened: Any) -> None:
    view = opened(LOST)
    view.press("n")
    sizes = """() => ['h1', '.file code', '#answers h3', '.path', '#what', '#facts', '#steps', '#position', '#query', '#wrap']
        .map((each) => parseFloat(getComputedStyle(document.querySelector(each)).fontSize))"""
    drawn = "document.querySelector('.picture:not([hidden]) text').getBoundingClientRect().height"
    usual, card = view.frame.evaluate(sizes), view.frame.evaluate(drawn)
    for _ in range(5):
        view.press("+")
    large = view.frame.evaluate(sizes)
    assert all(b == pytest.approx(2 * a, rel=0.02) for a, b in zip(usual, large, strict=True))
    assert view.frame.evaluate(drawn) > 1.15 * card
    assert view.frame.evaluate("document.documentElement.scrollWidth") <= 1360
    reopened(view)
    assert view.frame.evaluate(sizes) == large
    view.press("0")
    assert view.frame.evaluate(sizes) == usual
    view.press("-")
    assert view.frame.evaluate(sizes)[0] < usual[0]
    view.frame.click("#letters-larger")
    assert view.frame.evaluate(sizes) == usual


def test_chosen_theme_persists_but_does_not_override_the_pages_own(opened: Any) -> None:
    theme = "document.documentElement.dataset.theme"
    view = opened(LOST)
    view.press("t")
    assert view.frame.evaluate(theme) == "dark"
    reopened(view)
    assert view.frame.evaluate(theme) == "dark"
    view.frame.evaluate("document.documentElement.dataset.theme = 'light'")
    view.press("t", "t")
    reopened(view)
    assert view.frame.evaluate(theme) == "light"
    own = opened(LOST, theme="dark")
    assert own.frame.evaluate(theme) == "dark"


def test_small_screen_shows_one_pane_and_switches_by_button(opened: Any) -> None:
    view = opened(LOST)
    view.page.set_viewport_size({"width": 400, "height": 800})
    view.press("n")
    panes = ("#source", "#graph", "#now")
    assert [view.is_hidden(pane) for pane in panes] == [True, False, True]
    for name, seen in (("source", 0), ("this step", 2), ("picture", 1)):
        view.frame.click(f"#panes button:text-is('{name}')")
        assert [view.is_hidden(pane) for pane in panes] == [k != seen for k in range(3)]
        assert width(view, panes[seen]) == pytest.approx(400, abs=1)
        assert view.frame.evaluate("document.documentElement.scrollWidth") <= 400
    view.frame.click("#answers h3 button:text-is('line 6')")
    assert not view.is_hidden("#source")
    assert view.frame.locator(".file li.pointed").is_visible()


@pytest.mark.parametrize("across", [400, 900, 1400])
def test_nothing_overflows_at_any_width(opened: Any, across: int) -> None:
    view = opened(LOST, name=f"{LONG_NAME}.py")
    view.page.set_viewport_size({"width": across, "height": 800})
    view.press("n")
    assert view.frame.evaluate("document.documentElement.scrollWidth") <= across
    out = view.frame.evaluate(
        """() => [...document.querySelectorAll('header *, footer *, #answers *')]
            .filter((each) => each.getClientRects().length && !each.closest('.sr-only, .head'))
            .filter((each) => each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.outerHTML.slice(0, 80))"""
    )
    assert not out
