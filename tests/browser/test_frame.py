"""The frame of the page: panes that keep their sizes, long lines and names, the answer's card, addresses, the handout."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

LONG_NAME = "encoder_of_the_first_stage_layer_00_attention_output_kernel"
LOST = f"""\
import numpy as np
{LONG_NAME} = tf.Variable(2.0)
v = tf.Variable(3.0)
with tf.GradientTape() as tape:
    q = np.sin({LONG_NAME})
    loss = tf.square(q) + v
tape.gradient(loss, [{LONG_NAME}, v])
"""
WIDE = """\
w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = tf.constant(0.5) * tf.constant(0.25) * tf.constant(0.125) * tf.constant(2.0) * tf.reduce_sum(w)  # \U0001f600
    näme = '日本 \U0001f600'; more = tf.constant(0.5) * tf.constant(0.25) * tf.constant(0.125) * tf.constant(2.0) * tf.square(w)
tape.gradient(loss, w)
"""
MANY = """\
import numpy as np
ws = [tf.Variable(float(k), name=f"weight_{k}") for k in range(60)]
with tf.GradientTape() as tape:
    loss = sum(tf.square(w) for w in ws[:30]) + sum(tf.constant(np.square(w)) for w in ws[30:])
slopes = tape.gradient(loss, ws)
"""
NESTED = """\
w = tf.Variable(2.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = w * w * w
    slope = inner.gradient(y, w)
bend = outer.gradient(slope, w)
"""
EVIL = "</script><img src=x onerror=alert(1)>\"'`line 3 MT201\u202e\U0001f600<!--"


def width(view: Any, selector: str) -> float:
    box = view.frame.locator(selector).bounding_box()
    assert box is not None
    return float(box["width"])


def height(view: Any, selector: str) -> float:
    box = view.frame.locator(selector).bounding_box()
    assert box is not None
    return float(box["height"])


def reopened(view: Any) -> None:
    view.page.reload()
    view.frame.wait_for_selector("#position:not(:empty)")


def go(view: Any, step: int) -> None:
    """To a step, by its address."""
    view.frame.evaluate(f"location.hash = '#{step + 1}'")
    view.frame.wait_for_function(
        "at => document.getElementById('position').textContent.startsWith(at)", arg=f"{step + 1} "
    )


# --- panes ---


@pytest.mark.parametrize(
    ("split", "pane", "by"),
    [("#split-source", "#source", 120), ("#split-now", "#now", -120)],
)
def test_a_pane_is_resized_by_the_mouse_and_stays_so(
    opened: Any, split: str, pane: str, by: int
) -> None:
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


def test_keys_on_a_separator_move_it_and_are_no_steps(opened: Any) -> None:
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


def test_enter_closes_a_pane_so_that_keys_do_not_get_lost_in_it(opened: Any) -> None:
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


def test_each_separator_says_what_it_moves(opened: Any) -> None:
    view = opened(LOST)
    for bar in view.frame.locator("[role=separator]").all():
        for name in ("aria-label", "aria-orientation", "aria-valuemin", "aria-valuemax"):
            assert bar.get_attribute(name)
        assert 0 <= int(bar.get_attribute("aria-valuenow")) <= 100
        assert bar.get_attribute("tabindex") == "0"
        for pane in bar.get_attribute("aria-controls").split():
            assert view.frame.locator(f"#{pane}").count() == 1


def test_what_was_remembered_by_anything_else_does_no_harm(opened: Any) -> None:
    view = opened(LOST)
    before = width(view, "#source")
    for kept in ("{", "null", "7", json.dumps({"shares": {"split-source": "url(x)"}, "type": "9"})):
        view.frame.evaluate("kept => localStorage.setItem('minitape.frame', kept)", kept)
        reopened(view)
        assert width(view, "#source") == pytest.approx(before, abs=1)
    view.frame.evaluate("localStorage.clear()")


def test_tab_goes_through_the_page_and_out_of_it(opened: Any) -> None:
    """From left to right as one reads, and nothing holds the focus."""
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
    order = ["query", "theme", "wrap", "split-source", "split-answer", "fit", "split-now", "note"]
    assert [each for each in seen if each in order] == order


# --- the source ---


def expression(view: Any) -> dict[str, float]:
    """How far the boxes around the expression reach, and the pane behind its line numbers."""
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


def test_the_source_follows_the_expression_that_runs(opened: Any) -> None:
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
    assert view.frame.evaluate("document.getElementById('files').scrollLeft") == 0


def test_the_box_is_around_the_expression_whatever_letters_stand_before_it(opened: Any) -> None:
    """A column counts letters; of some a browser counts two halves, and some are wider than others."""
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
    wide = "document.getElementById('files').scrollWidth > document.getElementById('files').clientWidth"
    assert view.frame.evaluate(wide)
    view.press("w")
    assert not view.frame.evaluate(wide)
    assert view.frame.get_attribute("#wrap", "aria-pressed") == "true"
    at = next(i for i, p in enumerate(view.data["place"]) if p and p[1] == 4 and len(p) == 4)
    go(view, at)
    assert expression(view)["rows"] >= 1
    reopened(view)
    assert not view.frame.evaluate(wide)
    view.frame.click("#wrap")
    assert view.frame.evaluate(wide)


# --- the header, and long names ---


@pytest.mark.parametrize("across", [1400, 900, 400])
@pytest.mark.parametrize("text", [MANY, NESTED])
def test_the_header_is_one_line_whatever_there_is_to_say(
    opened: Any, text: str, across: int
) -> None:
    view = opened(text, name=f"{LONG_NAME}.py")
    view.page.set_viewport_size({"width": across, "height": 800})
    view.press("End")
    tops = view.frame.evaluate(
        """() => [...document.querySelectorAll('header > *')].filter((each) => each.offsetWidth)
            .map((each) => { const box = each.getBoundingClientRect(); return [(box.top + box.bottom) / 2, box.right]; })"""
    )
    assert len({round(middle) for middle, _ in tops}) <= 2  # halves of pixels
    assert max(middle for middle, _ in tops) - min(middle for middle, _ in tops) < 3
    assert max(right for _, right in tops) <= across
    assert height(view, "header") < 60


def test_a_long_name_keeps_its_end_and_is_whole_on_pointing(opened: Any) -> None:
    view = opened(LOST, name=f"{LONG_NAME}.py")
    view.page.set_viewport_size({"width": 500, "height": 800})
    name = view.frame.locator("h1")
    assert name.get_attribute("title") == name.text_content() == f"{LONG_NAME}.py"
    head, tail = (view.frame.locator(f"h1 .{part}") for part in ("head", "tail"))
    assert head.evaluate("each => each.scrollWidth > each.clientWidth")
    assert tail.evaluate("each => each.scrollWidth <= each.clientWidth + 1")
    assert (tail.text_content() or "").endswith("kernel.py")


def test_in_the_list_of_steps_a_long_name_leaves_room_for_its_value(opened: Any) -> None:
    view = opened(LOST)
    view.press("Home")
    row = view.frame.locator("#steps [data-step='0']")
    assert (row.text_content() or "").split() == ["variable", LONG_NAME, "·", "2.0"]
    assert row.get_attribute("title") == row.text_content()
    assert row.evaluate("each => each.scrollWidth <= each.clientWidth")
    tail = row.locator(".tail")
    assert LONG_NAME.endswith(tail.text_content() or "?")
    assert tail.evaluate("each => each.scrollWidth <= each.clientWidth + 1")


# --- the answer ---


def test_the_answer_is_a_card_with_what_why_path_and_try(opened: Any) -> None:
    view = opened(LOST)
    view.press("n")
    card = view.frame.locator("#answers article")
    assert card.count() == 1
    assert f"{LONG_NAME} = None" in (card.locator("h3").text_content() or "")
    assert card.locator("dt").all_text_contents() == ["why", "path", "try", "more"]
    assert "✂" in (card.locator(".path").text_content() or "")
    assert f"tf.sin({LONG_NAME}) instead of np.sin({LONG_NAME})" in view.text("#answers")
    assert "v = 1.0" in view.text("#answers .came")
    assert view.frame.locator("header #answers").count() == 0


def test_a_line_in_the_answer_leads_to_the_source(opened: Any) -> None:
    view = opened(LOST)
    at = view.press("Home")
    view.frame.click("#answers h3 button:text-is('line 6')")
    assert view.frame.locator(".file li.pointed").get_attribute("data-line") == "6"
    assert view.step == at
    view.page.wait_for_url("**&line=6")
    view.press("ArrowRight")
    assert view.frame.locator(".file li.pointed").count() == 0
    view.page.wait_for_url("**#2")


def test_each_word_of_the_path_leads_to_its_step(opened: Any) -> None:
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
    assert view.step == view.data["calls"][0]["asked"]


def test_a_code_tells_shortly_what_it_means(opened: Any) -> None:
    view = opened(LOST)
    assert view.is_hidden("#answers .code-told")
    view.frame.click("#answers button:text-is('MT201')")
    said = view.text("#answers .code-told")
    assert said.startswith("MT201: the value left the engine")
    assert "A tape follows tensors" in said
    view.page.wait_for_url("**&code=MT201")
    reopened(view)
    assert not view.is_hidden("#answers .code-told")
    view.frame.click("#answers dd button:text-is('MT201')")
    assert view.is_hidden("#answers .code-told")


def test_of_many_answers_each_can_be_seen(opened: Any) -> None:
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


def test_before_any_call_there_is_no_card(opened: Any) -> None:
    view = opened("w = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    y = w * w\n")
    assert view.is_hidden("#answers")
    assert view.is_hidden("#split-answer")
    assert view.press("End") > 0


def test_a_run_without_a_step_has_a_frame_too(opened: Any) -> None:
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


def test_hostile_words_stay_words_in_the_card_and_on_paper(opened: Any) -> None:
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


# --- addresses ---


def test_an_address_opens_the_pane_the_tape_the_line_and_the_code(opened: Any) -> None:
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
def test_an_address_that_chooses_what_there_is_not_chooses_nothing(opened: Any, at: str) -> None:
    view = opened(LOST, at=at)
    assert view.step == 2
    assert view.frame.locator(".file li.pointed").count() == 0
    assert view.is_hidden("#answers .code-told")
    assert view.frame.get_attribute("#main", "data-pane") == "graph"
    view.press("ArrowRight")
    view.page.wait_for_url("**#4")


MATRIX = """\
w = tf.Variable([[1.0, -2.0, 0.5], [3.0, 4.0, 0.25]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(w * w)
slope = tape.gradient(loss, w)
"""


def test_the_numbers_that_are_looked_at_are_in_the_address(opened: Any) -> None:
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


def test_the_terms_that_are_told_are_in_the_address(opened: Any) -> None:
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
def test_numbers_and_terms_that_there_are_not_do_no_harm(opened: Any, chosen: str) -> None:
    view = opened(MATRIX, at=f"#1&{chosen}")
    assert view.step == 0
    assert view.frame.locator("img").count() == 0
    assert view.press("ArrowRight") == 1


# --- sizes ---


def test_plus_minus_and_0_change_the_letters_of_every_pane(opened: Any) -> None:
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


def test_the_theme_that_was_chosen_stays_but_not_against_the_page_s_own(opened: Any) -> None:
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


def test_on_a_small_screen_one_pane_is_seen_and_a_word_leads_to_another(opened: Any) -> None:
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
def test_nothing_sticks_out_at_any_width(opened: Any, across: int) -> None:
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


# --- paper ---


@pytest.mark.parametrize("dark", [False, True])
def test_on_paper_are_the_answer_the_source_the_picture_and_the_steps(
    opened: Any, dark: bool
) -> None:
    view = opened(LOST, dark=dark)
    view.press("Home")
    view.frame.fill("#note", "look here")
    view.press("Tab", "Escape")
    view.page.emulate_media(media="print")
    view.frame.evaluate("dispatchEvent(new Event('beforeprint'))")
    shown = ("#answers", "#files", "#pictures", "#handout", "h1")
    hidden = ("#now", "footer", "#tools", "#query", "#split-source", "#theme")
    assert [view.is_hidden(each) for each in shown] == [False] * len(shown)
    assert [view.is_hidden(each) for each in hidden] == [True] * len(hidden)
    tops = [view.frame.locator(each).bounding_box()["y"] for each in ("h1", *shown[:4])]
    assert tops == sorted(tops)
    rows = view.frame.locator("#handout tbody tr")
    assert rows.count() == len(view.data["what"])
    assert "look here" in (rows.first.text_content() or "")
    for i in range(rows.count()):
        assert view.word("what", i) in (rows.nth(i).text_content() or "")
    assert "not yet" not in view.text(".picture:not([hidden])")
    assert view.frame.evaluate("getComputedStyle(document.body).color") == "rgb(27, 31, 36)"
    assert view.frame.evaluate("getComputedStyle(document.body).backgroundColor") == (
        "rgb(255, 255, 255)"
    )
    view.frame.evaluate("dispatchEvent(new Event('afterprint'))")
    assert rows.count() == 0
    assert view.step == 0


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_printed_file_holds_all_of_it_within_its_pages(
    opened: Any, tmp_path: Path, paper: str
) -> None:
    """Chromium prints by itself what a reader would: it tells the page before."""
    view = opened(LOST)
    view.frame.evaluate(
        """() => {
            const rows = () => document.querySelectorAll('#handout tr').length;
            addEventListener('beforeprint', () => { document.title = 'rows ' + rows(); });
            addEventListener('afterprint', () => { document.title += ' ' + rows(); });
        }"""
    )
    printed = view.page.pdf(format=paper)
    assert printed.startswith(b"%PDF")
    steps = len(view.data["what"])
    view.frame.wait_for_function(f"document.title === 'rows {steps + 1} 0'")
    across, high = (595.3, 841.9) if paper == "A4" else (612, 792)
    for box in _boxes(printed):
        assert list(map(float, box.split())) == pytest.approx([0, 0, across, high], abs=1)
    assert 1 <= len(_boxes(printed)) <= 4


def _boxes(printed: bytes) -> list[str]:
    return [each.decode() for each in re.findall(rb"/MediaBox\s*\[([^\]]*)\]", printed)]


def test_of_a_long_run_paper_has_the_beginning_the_end_and_what_is_wrong(opened: Any) -> None:
    view = opened(
        "w = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    h = w\n    for t in range(300):\n        h = h * 0.99\n"
        "tape.gradient(h, w)\n" + "# a line\n" * 200
    )
    view.press("End")
    view.page.emulate_media(media="print")
    view.frame.evaluate("dispatchEvent(new Event('beforeprint'))")
    rows = view.frame.locator("#handout tbody tr").all_text_contents()
    assert 30 < len(rows) <= 45
    assert any(row.startswith("… ") for row in rows)
    assert rows[-1].startswith(str(len(view.data["what"])))
    seen = view.frame.locator(".file li:not(.far)").count()
    assert 6 <= seen <= 12
