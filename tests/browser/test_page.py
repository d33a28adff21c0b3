"""The page in a browser: every key, every pane, and no unwanted request."""

import re
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from frames import NESTED

from minitape.notebook import markup

pytestmark = pytest.mark.one_in(14)

SQUARE = """\
w = tf.Variable([[1.0, -2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = w * w
    loss = tf.reduce_sum(y)
slope = tape.gradient(loss, w)
"""
LOST = """\
import numpy as np
w, v = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape() as tape:
    q = np.sin(w)
    loss = tf.square(q) + v
tape.gradient(loss, [w, v])
"""
TRAINING = """\
w = tf.Variable(1.0)
for step in range(5):
    with tf.GradientTape() as tape:
        y = w * 3.0
        loss = y * y
    w.assign_sub(0.01 * tape.gradient(loss, w))
"""


def step_of(view: Any, what: str, after: int = -1) -> int:
    """Return the first step whose text begins with this text."""
    return next(
        i for i in range(after + 1, len(view.data["what"])) if view.word("what", i).startswith(what)
    )


# --- keys ---

_KEYS = (
    "→",
    "←",
    "↓",
    "↑",
    "Shift",
    "Home",
    "End",
    "f",
    "b",
    "n",
    "N",
    "/",
    "r",
    "R",
    "c",
    "m",
    "g",
    "p",
    "Space",
    "w",
    "+",
    "-",
    "0",
    "t",
    "s",
    "1",
    "5",
    "?",
    "Esc",
)


def test_arrows_visit_all_steps_and_stop_at_the_ends(opened: Any) -> None:
    view = opened(SQUARE)
    last = len(view.data["what"]) - 1
    assert view.press("Home", "ArrowLeft") == 0
    seen = [view.press("ArrowRight") for _ in range(last + 1)]
    assert seen == [*range(1, last + 1), last]
    assert view.press("ArrowLeft") == last - 1


@pytest.mark.parametrize(
    ("keys", "kind", "way"),
    [
        ("Shift+ArrowRight", "again", 1),
        ("Shift+ArrowLeft", "again", 0),
        ("ArrowDown", "op", 1),
        ("ArrowUp", "op", 0),
    ],
)
def test_shift_arrows_move_to_the_next_iteration_or_the_matching_step(
    opened: Any, keys: str, kind: str, way: int
) -> None:
    view = opened(TRAINING)
    table = view.data["moves"][kind][way]
    (start, *_) = [i for i in range(len(table) // 2, len(table)) if table[i] != i]
    view.go_to(start)
    assert view.press(keys) == table[start] != start


def test_home_end_and_f_move_to_the_ends(opened: Any) -> None:
    view = opened(SQUARE)
    assert view.press("End") == len(view.data["what"]) - 1
    assert view.press("f") == 0
    view.press("End")
    assert view.press("Home") == 0


def test_b_cycles_through_the_backward_passes(opened: Any) -> None:
    view = opened(NESTED)
    first, second = view.data["moves"]["backward"]
    assert [view.press("b") for _ in range(3)] == [first, second, first]
    assert "backward" in view.text("#phase")


def test_n_and_capital_n_move_between_problems(opened: Any) -> None:
    view = opened(LOST)
    problems = view.data["moves"]["problems"]
    assert len(problems) > 1
    assert [view.press("n") for _ in problems] == problems
    assert view.press("Shift+N") == problems[-2]
    assert view.text("#trouble").endswith(view.data["texts"][view.data["problem"][str(view.step)]])


def test_t_switches_between_light_and_dark(opened: Any) -> None:
    view = opened(SQUARE)
    paper = "getComputedStyle(document.body).backgroundColor"
    light = view.frame.evaluate(paper)
    view.press("t")
    dark = view.frame.evaluate(paper)
    assert dark != light
    view.press("t")
    assert view.frame.evaluate(paper) == light


def test_question_mark_shows_the_keys_and_escape_hides_them(opened: Any) -> None:
    view = opened(SQUARE)
    at = view.press("?")
    assert view.frame.locator("#keys").get_attribute("open") is not None
    assert view.press("ArrowRight") == at  # the dialog receives the keys now
    view.press("Escape")
    assert view.frame.locator("#keys").get_attribute("open") is None
    assert view.press("ArrowRight") == at + 1


def test_key_dialog_lists_each_key_that_is_tested_here(opened: Any) -> None:
    view = opened(SQUARE)
    reported = set(view.frame.locator("#keys kbd").all_text_contents())
    assert reported == set(_KEYS)


def test_space_fits_the_picture(opened: Any) -> None:
    view = opened(SQUARE)
    size = "document.querySelector('.picture:not([hidden]) .canvas').getBoundingClientRect().height"
    room = view.frame.evaluate("document.getElementById('pictures').clientHeight")
    for _ in range(6):
        view.frame.click("#larger")
    assert view.frame.evaluate(size) > room
    view.frame.evaluate("document.activeElement.blur()")
    view.press(" ")
    assert view.frame.evaluate(size) <= room


def test_g_shows_the_terms_of_a_gradient(opened: Any) -> None:
    view = opened(SQUARE)
    at = step_of(view, "#1 Mul, backward")
    view.go_to(at)
    view.press("ArrowRight", "ArrowLeft", "g")
    assert not view.is_hidden("#detail")
    assert view.text("#detail").strip()
    view.press("Escape")
    assert view.is_hidden("#detail")


def test_keys_are_ignored_while_typing(opened: Any) -> None:
    view = opened(SQUARE)
    at = view.press("Home")
    view.frame.click("#note")
    view.page.keyboard.type("bnf t?")
    assert view.step == at
    assert view.frame.input_value("#note") == "bnf t?"


# --- panes ---


@pytest.mark.parametrize("text", [SQUARE, LOST, TRAINING, NESTED])
def test_every_pane_shows_the_step(opened: Any, text: str) -> None:
    view = opened(text)
    data = view.data
    view.press("Home")
    for i in range(len(data["what"])):
        assert view.step == i
        assert view.text("#what") == view.word("what", i)
        assert view.text("#code") == view.word("code", i)
        assert view.text("#phase").startswith("backward" if data["phase"][i] == "b" else "forward")
        place = data["place"][i]
        lines = view.frame.locator(".file:not([hidden]) li.now")
        assert lines.count() == (place is not None)
        if place is not None:
            assert lines.get_attribute("data-line") == str(place[1])
        said = view.text("#facts")
        for _, fact, *_ in data["facts"][i]:
            assert data["texts"][fact] in said
        current = view.frame.locator("#steps [aria-current]")
        assert current.get_attribute("data-step") == str(i)
        assert current.get_attribute("aria-setsize") == str(len(data["what"]))
        assert current.get_attribute("aria-posinset") == str(i + 1)
        assert view.frame.input_value("#slider") == str(i)
        assert view.word("what", i) in (view.frame.get_attribute("#slider", "aria-valuetext") or "")
        view.press("ArrowRight")


SIXTY_ROUNDS = TRAINING.replace("range(5)", "range(60)")


def listed(view: Any) -> list[int]:
    """The steps in the list, in order."""
    return [
        int(row.get_attribute("data-step"))
        for row in view.frame.locator("#steps [data-step]").all()
    ]


@pytest.mark.parametrize("key", ["ArrowRight", "ArrowLeft"])
def test_list_of_a_long_run_scrolls_with_the_steps(opened: Any, key: str) -> None:
    view = opened(SIXTY_ROUNDS, "#200")
    for _ in range(150):
        view.press(key)
    steps = listed(view)
    assert steps == list(range(steps[0], steps[-1] + 1))
    assert len(steps) <= 121
    at = view.step
    assert at == (349 if key == "ArrowRight" else 49)
    assert steps[0] <= max(0, at - 5)
    assert steps[-1] >= at + 5
    assert view.frame.locator("#steps [aria-current]").get_attribute("data-step") == str(at)
    more = [row.text_content() for row in view.frame.locator("#steps .more:not([hidden])").all()]
    total = len(view.data["what"])
    reported = [(steps[0], "before"), (total - 1 - steps[-1], "after")]
    assert more == [f"… {count:,} {where}" for count, where in reported if count]


def test_list_of_a_long_run_is_rebuilt_after_a_jump(opened: Any) -> None:
    view = opened(SIXTY_ROUNDS, "#200")
    for key, ends in (("End", -1), ("Home", 0)):
        view.press(key)
        steps = listed(view)
        assert steps[ends] == view.step
        assert len(steps) == 61
        assert view.frame.locator("#steps [aria-current]").get_attribute("data-step") == str(
            view.step
        )


@pytest.mark.parametrize("text", [SQUARE, LOST, TRAINING])
def test_cards_show_the_values_known_at_the_step(opened: Any, text: str) -> None:
    view = opened(text)
    read = """() => Object.fromEntries(
        [...document.querySelectorAll('.picture:not([hidden]) [data-card]')].map((card) =>
            [card.dataset.card, [...card.querySelectorAll('text.value, text.grad')].map((t) => t.textContent)]))"""
    view.press("Home")
    checked = 0
    for i in range(len(view.data["what"])):
        call = next((c for c in view.data["calls"] if c["call"] == view.data["call"][i]), None)
        cards = view.data["pictures"][call["picture"]]["cards"] if call else {}
        shown = view.frame.evaluate(read) if call else {}
        for name, card in cards.items():
            known = [at for step, at, *_ in card["rows"].get("value", ()) if step <= i]
            if known and shown.get(name):
                assert shown[name][0].startswith(view.data["texts"][known[-1]]), (i, name)
                checked += 1
        view.press("ArrowRight")
    assert checked > 5


def test_gradient_is_hidden_before_it_is_computed(opened: Any) -> None:
    view = opened(SQUARE)
    card = "[data-card=var-1] text.grad"
    view.press("Home")
    assert view.text(card) == "not yet"
    view.press("End")
    assert "not yet" not in view.text(card)


def test_live_region_announces_the_step(opened: Any) -> None:
    view = opened(SQUARE)
    view.press("Home")
    for _ in range(4):
        at = view.press("ArrowRight")
        live = " ".join(view.frame.locator("[aria-live]").all_text_contents())
        assert view.word("what", at).lstrip("#0123456789 ") in live


def test_picture_has_a_text_alternative(opened: Any) -> None:
    view = opened(LOST)
    twin = view.text(".picture figcaption")
    assert "Square" in twin
    assert "leads to" in twin
    assert view.frame.locator(".canvas").first.get_attribute("aria-hidden") == "true"


def test_every_control_has_an_accessible_name(opened: Any) -> None:
    view = opened(NESTED)
    nameless = view.frame.evaluate(
        """() => [...document.querySelectorAll('button, input, select')]
            .filter((e) => !(e.textContent.trim() || e.ariaLabel || e.labels && e.labels.length))
            .map((e) => e.id)"""
    )
    assert not nameless


# --- pointing ---


def test_click_on_a_line_cycles_through_its_steps(opened: Any) -> None:
    view = opened(TRAINING)
    visits = [i for i, place in enumerate(view.data["place"]) if place and place[1] == 5]
    view.press("Home")
    button = view.frame.locator(".file li[data-line='5'] button")
    seen = []
    for _ in range(3):
        button.click()
        seen.append(view.step)
    assert seen == visits[:3]


def test_click_on_a_card_opens_its_step_and_on_its_gradient_the_terms(opened: Any) -> None:
    view = opened(SQUARE)
    view.frame.locator("[data-card=op-1] text.title").click()
    assert view.step == step_of(view, "#1 Mul")
    view.press("End")
    view.frame.locator("[data-card=var-1] text.grad").click()
    rows = view.text("#detail")
    terms = view.data["terms"]["0 var-1"]
    for _, _, amount, total in terms:
        assert view.data["texts"][amount] in rows
        assert view.data["texts"][total] in rows
    view.frame.locator("#detail a").first.click()
    assert view.step == terms[0][0]


def test_tensor_values_are_shown(opened: Any) -> None:
    view = opened(SQUARE)
    view.press("Home")
    view.frame.locator("#facts button").first.click()
    assert "float32" in view.text("#detail")
    assert "min -2 at [0,1] · max 4 at [1,1]" in view.text("#detail")


def test_clicks_on_list_buttons_and_slider_move_to_steps(opened: Any) -> None:
    view = opened(LOST)
    view.press("Home")
    view.frame.locator("#steps [data-step='3']").click()
    assert view.step == 3
    view.frame.click("#step")
    assert view.step == 4
    view.frame.click("#back")
    assert view.step == 3
    view.frame.click("#to-backward")
    assert view.step == view.data["moves"]["backward"][0]
    view.frame.click("#to-problem")
    assert view.step in view.data["moves"]["problems"]
    view.frame.fill("#slider", "2")
    assert view.step == 2


def test_answer_shows_the_mistake_and_the_fix(opened: Any) -> None:
    view = opened(LOST)
    said = view.text("#answers")
    assert "w = None" in said
    assert "use tf.sin(w) instead of np.sin(w)" in said


# --- pickers, search, address ---


def test_picker_moves_to_each_call(opened: Any) -> None:
    view = opened(TRAINING)
    for call in view.data["calls"]:
        view.frame.select_option("#calls", str(call["call"]))
        assert view.step == call["requested"]


def test_tape_picker_keeps_a_picture(opened: Any) -> None:
    view = opened(NESTED)
    options = view.frame.locator("#tapes option").all_text_contents()
    assert {"inner", "outer"} <= {name for option in options for name in option.split()}
    shown = "document.querySelector('.picture:not([hidden])').dataset.picture"
    pictures = set()
    for call in view.data["calls"]:
        view.frame.select_option("#tapes", str(call["call"]))
        pictures.add(view.frame.evaluate(shown))
    assert len(pictures) == 2


def test_one_call_needs_no_pickers(opened: Any) -> None:
    view = opened(SQUARE)
    assert view.is_hidden("#calls-label")
    assert view.is_hidden("#tapes-label")


def test_search_finds_ops_names_and_lines_and_continues(opened: Any) -> None:
    view = opened(TRAINING)
    view.press("Home", "/")
    view.page.keyboard.type("mul")
    first = view.step
    assert "Mul" in view.word("what", first)
    assert view.press("Enter") > first
    view.frame.fill("#query", "line 7")
    assert view.data["place"][view.step][1] == 7
    at = view.step
    view.frame.fill("#query", "no such thing")
    assert view.step == at
    assert "none" in (view.frame.get_attribute("#query", "class") or "")
    view.press("Escape")
    assert view.press("Home") == 0


def test_step_has_an_address(opened: Any) -> None:
    view = opened(SQUARE, at="#4")
    assert view.text("#position") == f"4 / {len(view.data['what'])}"
    view.press("ArrowRight")
    view.page.wait_for_url("**#5")


@pytest.mark.parametrize("at", ["#99999", "#-1", "#x", "#3&notes=%7Bbroken", "#3&notes=null"])
def test_invalid_address_is_ignored(opened: Any, at: str) -> None:
    view = opened(SQUARE, at=at)
    assert 0 <= view.step < len(view.data["what"])
    assert view.press("Home") == 0


def test_users_note_is_in_the_address(opened: Any, show: Any, tmp_path: Path) -> None:
    view = opened(SQUARE)
    view.press("Home", "ArrowRight")
    view.frame.fill("#note", "<b>see & think</b> ü")
    view.press("Tab", "Escape", "ArrowRight")
    assert view.frame.input_value("#note") == ""
    view.press("ArrowLeft")
    assert view.frame.input_value("#note") == "<b>see & think</b> ü"
    view.page.wait_for_url("**#2&notes=*")
    address = view.page.url
    assert "see" in unquote(address)
    other = show(
        (tmp_path / "page.html").read_text(encoding="utf-8"), at="#" + address.split("#")[1]
    )
    assert other.step == 1
    assert other.frame.input_value("#note") == "<b>see & think</b> ü"


def test_back_button_undoes_a_jump(opened: Any) -> None:
    view = opened(SQUARE)
    start = view.press("Home", "ArrowRight")
    view.press("End")
    view.page.go_back()
    assert view.step == start


# --- targets of links and edges ---

OFTEN = """\
w = tf.Variable(1.5, name="w")
with tf.GradientTape() as tape:
    inner = w * 2.0
    loss = tf.sin(inner) * w + w * w
dw = tape.gradient(loss, w)
"""


def test_gradient_flow_is_drawn_on_the_edges_of_stubs(opened: Any) -> None:
    view = opened(OFTEN)
    view.press("End")
    paths = view.frame.locator(".picture:not([hidden]) g.path:not(.node):has(polygon.head)")
    flowed = [each.evaluate("group => group.classList.contains('flowed')") for each in paths.all()]
    assert len(flowed) > 4
    assert all(flowed)


def test_answer_name_links_to_the_step_that_returned_its_gradient(opened: Any) -> None:
    view = opened(OFTEN)
    view.press("Home")
    view.frame.locator("#answers .came .lead").first.click()
    assert view.word("what", view.step) == "∂loss/∂w"


def test_step_in_a_loop_names_its_iteration(opened: Any) -> None:
    view = opened(
        "w = tf.Variable(0.5)\nh = 1.0\nwith tf.GradientTape() as tape:\n"
        "    for t in range(4):\n        h = tf.tanh(h * w)\ntape.gradient(h, w)\n"
    )
    view.press("b", "ArrowRight")
    assert "· t=3 · time 1 of 4" in view.text("#phase")
    assert view.frame.locator("#facts dt", has_text="rule").get_attribute("title")


# --- appearance ---


def test_system_theme_is_used(opened: Any) -> None:
    lightness = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0]"
    assert opened(SQUARE).frame.evaluate(lightness) > 200
    assert opened(SQUARE, dark=True).frame.evaluate(lightness) < 60
    assert opened(SQUARE, dark=True, theme="light").frame.evaluate(lightness) > 200


@pytest.mark.parametrize("width", [700, 1000, 1920])
def test_nothing_overflows_the_window(opened: Any, width: int) -> None:
    view = opened(LOST)
    view.page.set_viewport_size({"width": width, "height": 800})
    assert view.frame.evaluate("document.documentElement.scrollWidth") <= width
    for pane in ("#source", "#graph", "#now", "footer"):
        box = view.frame.locator(pane).bounding_box()
        assert box is not None
        assert box["width"] > 100
        assert box["x"] + box["width"] <= width + 1


# --- hostile text ---


def test_hostile_program_runs_no_code(opened: Any) -> None:
    evil = '</script><img src=x onerror=alert(1)>"><script>alert(2)</script><!--'
    view = opened(
        f"""
        v = tf.Variable(1.0, name={evil!r})
        with tf.GradientTape() as tape:
            y = v * v  # {evil}
        tf.debug.note({evil!r})
        tape.gradient(y, v)
        """,
        name="<img src=x onerror=alert(3)>.py",
    )
    for _ in range(len(view.data["what"])):
        view.press("ArrowRight")
    assert view.frame.locator("img").count() == 0
    assert view.frame.locator("script").count() == 2
    assert "onerror" in view.text("#files")


def test_network_connections_are_blocked(opened: Any) -> None:
    """The page's content security policy blocks them, so even an injected script could not connect."""
    view = opened(SQUARE)
    refused = view.frame.evaluate(
        """() => new Promise((done) => {
            addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective));
            fetch('https://example.org/').catch(() => undefined);
        })"""
    )
    assert refused == "connect-src"
    assert view.faults
    assert all(
        "Content Security Policy" in fault or "example.org" in fault for fault in view.faults
    )
    view.faults.clear()


def test_page_works_in_the_frame_of_a_notebook(show: Any, paged: Callable[[str], str]) -> None:
    frame = markup.frame(paged(LOST))
    assert re.search(r"sandbox=\"?allow-scripts", frame)
    view = show(f"<!doctype html><title>cell</title>{frame}", framed=True)
    assert not view.is_hidden("#story")
    view.frame.click("#to-steps")
    view.frame.click("#step")
    at = view.step
    assert view.press("ArrowRight") == at + 1
    assert view.press("n") in view.data["moves"]["problems"]


# --- iterations ---

ROLLED = """\
weights = [tf.Variable(0.9 + 0.01 * k, name=f"w{k}") for k in range(12)]
for step in range(3):
    with tf.GradientTape() as tape:
        h = tf.constant(1.0)
        for w in weights:
            h = tf.tanh(h * w)
        loss = h * h
    for w, slope in zip(weights, tape.gradient(loss, weights)):
        w.assign_sub(0.1 * slope)
"""


def find(view: Any, words: str, nth: int) -> int:
    """Return the nth step with this text, once the page shows it."""
    steps = [i for i in range(len(view.data["what"])) if view.word("what", i) == words]
    return int(view.go_to(steps[nth]))


def test_collapsed_card_shows_the_terms_of_the_steps_gradient(opened: Any) -> None:
    view = opened(ROLLED)
    card = view.frame.locator("[data-card]", has=view.frame.locator("text.grad")).first
    for name in ("w3", "w9"):
        at = find(view, f"∂loss/∂{name}", 1)
        card.locator("text.grad").first.dispatch_event("click")
        assert view.text("#detail h3") == f"terms of ∂loss/∂{name}"
        (row,) = view.frame.locator("#detail tr").all_inner_texts()[1:]
        assert "Mul, backward" in row
        answer = view.word("label", at).split(" · ")[-1]
        assert row.split()[-1] == answer


def test_click_on_a_card_stays_in_the_shown_iteration(opened: Any) -> None:
    view = opened(TRAINING)
    at = find(view, "gradient requested", 3)
    cards = view.data["pictures"][0]["cards"]
    op = next(id_ for id_, card in cards.items() if card["op"])
    view.frame.locator(f"[data-card='{op}'] text").first.dispatch_event("click")
    assert view.step != at
    assert view.data["call"][view.step] == view.data["call"][at] == 4


def test_update_is_next_to_the_gradients_that_it_uses(opened: Any) -> None:
    view = opened(TRAINING)
    for nth in range(5):
        at = find(view, "∂loss/∂w", nth)
        answer = view.text("#answers .came")
        find(view, "assign_sub", nth)
        assert view.step > at
        assert view.text("#answers .came") == answer


# --- size ---

LONG = """\
w = tf.Variable([[0.1, 0.2], [0.3, 0.4]])
with tf.GradientTape() as tape:
    h = w
    for t in range(10_000):
        h = h * 0.999
        h = h + 0.001
    loss = tf.reduce_sum(h)
tape.gradient(loss, w)
"""
STEP = """() => {
    const times = [];
    for (let k = 0; k < 200; k++) {
        const begun = performance.now();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: k % 20 ? 'ArrowRight' : 'b', bubbles: true }));
        document.body.offsetHeight;
        times.push(performance.now() - begun);
    }
    return times;
}"""


@pytest.mark.whole
def test_twenty_thousand_ops_open_and_step_quickly(opened: Any) -> None:
    """Measured: 0.8 s, and 2 ms per step; the limits allow for slow and busy machines."""
    view = opened(LONG)
    assert len(view.data["what"]) > 40_000
    assert view.opening < 10
    times = view.frame.evaluate(STEP)
    assert statistics.median(times) < 50
    assert view.press("End") == len(view.data["what"]) - 1


MADE = """() => {
    const made = { elements: 0, ranges: 0 }, createElement = document.createElement, createRange = document.createRange;
    document.createElement = (...all) => { made.elements++; return createElement.apply(document, all); };
    document.createRange = () => { made.ranges++; return createRange.call(document); };
    for (let k = 0; k < 300; k++) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    return made;
}"""


def test_steps_leave_no_ranges_that_slow_later_steps(opened: Any) -> None:
    """Whenever a text changes, a browser visits each range that is not yet garbage-collected."""
    view = opened(LONG.replace("10_000", "300"))
    view.press("ArrowRight", "ArrowRight")
    made = view.frame.evaluate(MADE)
    assert made["ranges"] == 0
    assert made["elements"] < 4 * 300  # the marker of the expression, and a row of the list


def test_run_without_steps_accepts_every_key(opened: Any) -> None:
    view = opened("print('nothing')\n")
    for key in (
        "ArrowRight",
        "ArrowLeft",
        "ArrowDown",
        "b",
        "n",
        "N",
        "g",
        "End",
        "Home",
        " ",
        "t",
    ):
        view.page.keyboard.press(key)
    assert view.text("#what") == "the run has no steps"
