"""Scripts and helpers for browser tests of the parts of the page around the picture."""

from typing import Any

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


def width(view: Any, selector: str) -> float:
    box = view.frame.locator(selector).bounding_box()
    assert box is not None
    return float(box["width"])


def height(view: Any, selector: str) -> float:
    box = view.frame.locator(selector).bounding_box()
    assert box is not None
    return float(box["height"])


def reopened(view: Any) -> None:
    view.page.wait_for_timeout(
        300
    )  # another process writes the page's stored state, which can take a while on a busy machine
    view.page.reload()
    view.frame.wait_for_selector("#position:not(:empty)")


def go(view: Any, step: int) -> None:
    """Go to a step by its address."""
    view.frame.evaluate(f"location.hash = '#{step + 1}'")
    view.frame.wait_for_function(
        "at => document.getElementById('position').textContent.startsWith(at)", arg=f"{step + 1} "
    )
