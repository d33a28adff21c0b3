"""The page shows a tensor in the form for its kind, with each value in full, whatever the tensor contains."""

import json
from typing import Any

import pytest

pytestmark = pytest.mark.one_in(14)

MANY = """\
import numpy as np
rng = np.random.default_rng(0)
odd = tf.constant([[float("nan"), 0.0, -1.5], [float("inf"), float("-inf"), 2.5e-7]])
empty = tf.constant(np.zeros((0, 3), np.float32))
scalar = tf.constant(3.0)
one = tf.constant([[0.25]])
z = tf.constant([[1 + 2j, -3j]], tf.complex64)
flags = tf.constant([[True, False], [False, True]])
texts = tf.constant([["a", "<b>"], ["tensor", "flow"]])
five = tf.constant(np.arange(240.0, dtype=np.float32).reshape(2, 3, 2, 4, 5))
grid = tf.constant(np.arange(4096.0, dtype=np.float32).reshape(64, 64))
vector = tf.constant(np.sin(np.arange(100.0)).astype(np.float32))
pictures = tf.constant((np.arange(3 * 12 * 12 * 3) % 256).astype(np.uint8).reshape(3, 12, 12, 3))
large = tf.constant((np.arange(1e6) - 5e5).astype(np.float32).reshape(1000, 1000))
"""
PAIR = """\
w = tf.Variable([[1.0, -2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(w * w * w)
slope = tape.gradient(loss, w)
"""
TRAINING = """\
w = tf.Variable([[1.0, -2.0], [3.0, 4.0]])
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w)
    w.assign_sub(0.1 * tape.gradient(loss, w))
"""


def look(view: Any, name: str) -> None:
    """Go to the first step with a line about this name, and open its values."""
    step, nth = next(
        (step, sum(len(fact) > 3 for fact in facts[:at]))
        for step, facts in enumerate(view.data["facts"])
        for at, (label, *_) in enumerate(facts)
        if view.data["texts"][label] == name
    )
    view.go_to(step)
    view.frame.locator("#facts button").nth(nth).click()


def read(view: Any, *keys: str) -> str:
    """The description of the cell to which these keys lead."""
    view.frame.locator(".sheet").focus()
    for key in keys:
        view.page.keyboard.press(key)
    said = view.text("#detail .reading")
    assert said == view.text("#detail [aria-live]")
    return str(said)


def color(view: Any, row: int, column: int, rows: int, columns: int) -> list[int]:
    """The color near the corner of a cell, where there is no marker."""
    return list(
        view.frame.evaluate(
            """([i, j, rows, columns]) => {
                const canvas = document.querySelector(".sheet canvas"), space = document.querySelector(".sheet > div");
                const w = space.clientWidth / columns, h = space.clientHeight / rows, ratio = devicePixelRatio;
                const at = [Math.round((j * w + 2) * ratio), Math.round((i * h + 2) * ratio)];
                const copy = document.createElement("canvas"), paint = copy.getContext("2d", { willReadFrequently: true });
                paint.drawImage(canvas, -at[0], -at[1]);
                return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
            }""",
            [row, column, rows, columns],
        )
    )


def pressed(view: Any) -> list[str]:
    return list(view.frame.locator(".views [aria-pressed=true]").all_text_contents())


@pytest.fixture
def many(opened: Any) -> Any:
    return opened(MANY)


def test_arrow_keys_move_over_the_cells_and_show_full_values(many: Any) -> None:
    look(many, "grid")
    step = many.step
    assert read(many, "ArrowRight") == "[0, 0] = 0"
    assert read(many, "ArrowDown", "ArrowRight") == "[1, 1] = 65"
    assert read(many, "End") == "[1, 63] = 127"
    assert read(many, "ArrowUp", "Home", "ArrowLeft") == "[0, 0] = 0"
    assert many.step == step


def test_nan_infinities_and_zero_have_distinct_cells(many: Any) -> None:
    look(many, "odd")
    said = [read(many, "ArrowRight") for _ in range(6)]
    assert [each.split(" = ")[1] for each in said] == ["nan", "0", "-1.5", "inf", "-inf", "2.5e-7"]
    nan, zero, minus, inf = (color(many, k // 3, k % 3, 2, 3) for k in (0, 1, 2, 3))
    assert nan == inf
    assert len({tuple(nan), tuple(zero), tuple(minus)}) == 3
    assert "nan 1" in many.text("#detail")


def test_sign_is_visible_without_color(opened: Any) -> None:
    """In small cells, the sign is a dash, which is dark on a light cell in both themes."""
    view = opened(
        "x = tf.constant([[-1.0, 1.0] * 10] * 2)\n"
        "with tf.GradientTape() as tape:\n    tape.watch(x)\n    y = x * x\n"
    )
    look(view, "x")
    darkest = """([i, columns]) => {
        const canvas = document.querySelector(".sheet canvas"), space = document.querySelector(".sheet > div");
        const w = space.clientWidth / columns * devicePixelRatio, h = space.clientHeight / 2 * devicePixelRatio;
        const copy = document.createElement("canvas"), paint = copy.getContext("2d", { willReadFrequently: true });
        paint.drawImage(canvas, -Math.round(i * w), 0);
        const all = paint.getImageData(0, 0, Math.floor(w - 2), Math.floor(h - 2)).data;
        const lights = []; for (let k = 0; k < all.length; k += 4) lights.push(all[k] + all[k + 1] + all[k + 2]);
        return new Set(lights).size;
    }"""
    minus, plus = (view.frame.evaluate(darkest, [i, 20]) for i in (0, 1))
    assert plus == 1 < minus


def test_empty_tensor_is_described_and_a_scalar_has_no_panel(many: Any) -> None:
    look(many, "empty")
    assert "shape (0, 3)  float32: no elements" in many.text("#detail")
    assert many.is_hidden(".sheet")
    many.press("Escape")
    view = many
    names = [view.data["texts"][label] for facts in view.data["facts"] for label, *_ in facts]
    at = names.index("scalar")
    (fact,) = [each for facts in view.data["facts"] for each in facts][at : at + 1]
    assert len(fact) == 3


def test_one_element_complex_boolean_and_string_tensors_are_described(many: Any) -> None:
    look(many, "one")
    assert read(many, "ArrowRight", "ArrowRight", "ArrowDown") == "[0, 0] = 0.25"
    look(many, "z")
    assert read(many, "ArrowRight", "ArrowRight") == "[0, 1] = (-0-3j)"
    look(many, "flags")
    assert read(many, "ArrowRight") == "[0, 0] = True"
    look(many, "texts")
    assert read(many, "ArrowRight", "ArrowRight") == "[0, 1] = <b>"


def test_sliders_select_indices_of_the_leading_axes(many: Any) -> None:
    look(many, "five")
    assert many.frame.locator(".axis-slider").count() == 3
    assert read(many, "ArrowRight") == "[0, 0, 0, 0, 0] = 0"
    for nth, value in enumerate(("1", "2", "1")):
        many.frame.locator(".axis-slider input").nth(nth).fill(value)
    assert many.text("#detail .reading") == "[1, 2, 1, 0, 0] = 220"


def test_vector_is_drawn_as_bars_or_a_histogram(many: Any) -> None:
    look(many, "vector")
    assert pressed(many) == ["bars"]
    assert read(many, "ArrowRight") == "[0] = 0"
    many.frame.locator("[data-name=histogram]").click()
    assert pressed(many) == ["histogram"]
    assert read(many, "ArrowRight").endswith(" elements")


def test_images_are_shown_on_request_one_after_the_other(many: Any) -> None:
    look(many, "pictures")
    assert pressed(many) == ["cells"]
    many.frame.locator("[data-name=image]").click()
    assert read(many, "ArrowRight") == "[0, 0, 0] = 0, 1, 2"
    assert many.frame.locator(".axis-slider").count() == 1
    many.frame.locator(".axis-slider input").fill("1")
    assert many.text("#detail .reading") == "[1, 0, 0] = 176, 177, 178"
    many.frame.evaluate("document.activeElement.blur()")
    assert color(many, 0, 1, 12, 12) == [179, 180, 181]


def test_large_matrix_is_shown_as_block_means_with_extremes(many: Any) -> None:
    look(many, "large")
    first = read(many, "ArrowRight")
    assert first.startswith("rows 0–61, columns 0–61: mean -4")
    assert first.endswith("; the smallest: [0, 0] = -500000")
    last = read(many, *["ArrowDown"] * 15, "End")
    assert last.endswith("; the largest: [999, 999] = 499999")


def test_pointer_reads_a_cell_and_a_click_announces_it(opened: Any) -> None:
    view = opened(PAIR)
    look(view, "w")
    view.frame.evaluate(
        "addEventListener('element', (event) => { document.title = JSON.stringify(event.detail); })"
    )
    box = view.frame.locator(".sheet").bounding_box()
    size = view.frame.locator(".sheet > div").bounding_box()
    x, y = box["x"] + size["width"] * 0.75, box["y"] + size["height"] * 0.75
    view.page.mouse.move(x, y)
    assert view.text("#detail .reading") == "[1, 1] = 4"
    view.page.mouse.click(x, y)
    reported = json.loads(view.page.title())
    assert (reported["index"], reported["label"], reported["step"]) == ([1, 1], "w", view.step)
    assert view.data["tensors"][reported["tensor"]]["data"] == [[1.0, -2.0], [3.0, 4.0]]
    view.press("ArrowLeft", "Enter")
    assert json.loads(view.page.title())["index"] == [1, 0]


def test_value_and_gradient_can_share_one_scale(opened: Any) -> None:
    """The largest value of w is 4, and that of its gradient is 48, so w is pale on that scale."""
    view = opened(PAIR)
    look(view, "w")
    alone = color(view, 1, 1, 2, 2)
    view.frame.locator("[data-name^='same scale as ∂loss/∂w']").click()
    assert "+48" in view.text("#detail .scale")
    assert sum(color(view, 1, 1, 2, 2)) > sum(alone)
    view.frame.locator("[data-name^='show ∂loss/∂w']").click()
    assert read(view, "ArrowRight") == "[0, 0] = 3"
    assert "same scale as w" in pressed(view)


def test_panel_follows_the_steps_until_it_is_closed(opened: Any) -> None:
    view = opened(TRAINING)
    look(view, "w is")
    assert read(view, "ArrowRight") == "[0, 0] = 0.8"
    view.frame.locator("#what").click()
    view.frame.evaluate("document.activeElement.blur()")
    view.press("Shift+ArrowRight")
    assert view.text("#detail .reading") == "[0, 0] = 0.64"
    view.press("Escape", "Shift+ArrowRight")
    assert view.is_hidden("#detail")


def test_zoomed_cells_contain_their_values_and_the_sheet_scrolls(many: Any) -> None:
    look(many, "grid")
    width = "document.querySelector('.sheet > div').clientWidth"
    before = many.frame.evaluate(width)
    for _ in range(8):
        many.frame.locator("[data-name='+']").click()
    assert many.frame.evaluate(width) == 64 * 64 > before
    assert read(many, "End", "End") == "[0, 63] = 63"
    assert many.frame.evaluate("document.querySelector('.sheet').scrollLeft") > 3000


def test_thumbnail_shows_the_whole_tensor_and_offers_to_open_it(opened: Any) -> None:
    view = opened(
        "import numpy as np\n"
        "image = tf.constant(np.arange(-256.0, 256.0).reshape(2, 16, 16, 1))\n"
        "kernel = tf.constant(np.arange(36.0).reshape(3, 3, 1, 4))\n"
    )
    size = """() => { const { width, height } = document.querySelector("#facts .thumb"); return [width, height]; }"""
    colors = """() => {
        const { width, height } = document.querySelector("#facts .thumb");
        const all = document.querySelector("#facts .thumb").getContext("2d").getImageData(0, 0, width, height).data;
        return new Set(Array.from({ length: width * height }, (_, k) => String(all.slice(4 * k, 4 * k + 3)))).size;
    }"""
    look(view, "image")
    assert (view.frame.evaluate(size), view.frame.evaluate(colors) > 8) == ([16, 8], True)
    look(view, "kernel")
    assert (view.frame.evaluate(size), view.frame.evaluate(colors) > 8) == ([4, 8], True)
    assert view.frame.locator("#facts button").inner_text() == "numbers"


def test_minimum_and_maximum_link_to_their_cells(many: Any) -> None:
    look(many, "five")
    smallest, largest = many.frame.locator(".statistics button").all()
    assert [each.inner_text() for each in (smallest, largest)] == [
        "min 0 at [0,0,0,0,0]",
        "max 239 at [1,2,1,3,4]",
    ]
    many.frame.locator("[data-name=histogram]").click()
    largest.click()
    assert many.text("#detail .reading") == "[1, 2, 1, 3, 4] = 239"
    assert [each.input_value() for each in many.frame.locator(".axis-slider input").all()] == list(
        "121"
    )
    many.press("ArrowLeft")
    assert many.text("#detail .reading") == "[1, 2, 1, 3, 3] = 238"
    look(many, "odd")
    assert many.frame.locator(".statistics button").first.inner_text() == "min -1.5 at [0,2]"


def test_maximum_of_a_large_matrix_scrolls_into_view(many: Any) -> None:
    look(many, "large")
    many.frame.locator(".statistics button", has_text="max 500000 at [999,999]").click()
    assert many.text("#detail .reading").endswith("[999, 999] = 499999")


def test_dark_theme_has_other_colors(opened: Any) -> None:
    view = opened(PAIR)
    look(view, "w")
    light = color(view, 1, 1, 2, 2)
    view.press("t")
    assert color(view, 1, 1, 2, 2) != light
