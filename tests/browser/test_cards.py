"""The picture of a long program: every card and every arrow is visible, on the screen and in print."""

from typing import Any

import pytest

from minitape.draw.model import EdgeKind, Role

pytestmark = pytest.mark.one_in(14)

# This program has so many ops that the layers are collapsed, and most cards of the picture represent a whole call.
LAYERS = """\
import numpy as np
model = tf.keras.Sequential([tf.keras.layers.Dense(3, activation="tanh", name=f"layer_{k}") for k in range(30)])
x = tf.constant(np.ones((2, 3), "float32"))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.square(model(x)))
tape.gradient(loss, model.trainable_variables)
"""

# The ids of the visible groups: painted, with a size, and with their contents.
SEEN = """() => [...document.querySelectorAll('.picture:not([hidden]) .canvas g[id]')].filter((group) => {
    const box = group.getBoundingClientRect();
    const parts = [...group.querySelectorAll('text, path, polygon, polyline, rect')];
    const isPainted = (each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    return box.width + box.height > 0 && parts.length && parts.filter((each) => !each.matches('.head, .tail')).every(isPainted);
}).map((group) => group.id.replace(/^p[0-9]+-/, ''))"""


@pytest.mark.parametrize("media", ["screen", "print"])
@pytest.mark.parametrize("engine", ["built-in", None])
def test_all_cards_and_arrows_of_a_long_program_are_visible(
    opened: Any, media: str, engine: str | None
) -> None:
    view = opened(LAYERS, engine=engine)
    view.press("End")
    view.page.emulate_media(media=media)
    if media == "print":
        view.frame.evaluate("dispatchEvent(new Event('beforeprint'))")
    drawn = view.data["pictures"][0]
    closed = view.frame.locator(".picture:not([hidden]) .canvas g.closed").count()
    assert closed == 30
    seen = view.frame.evaluate(SEEN)
    arrows = {id_ for ids in drawn["edges"].values() for id_ in ids}
    assert set(drawn["cards"]) - set(seen) == set()
    assert arrows and arrows - set(seen) == set()


def test_no_style_rule_of_the_frame_matches_a_class_of_the_picture(opened: Any) -> None:
    """A rule for a card has a selector that begins at the canvas. All other rules are for the frame."""
    view = opened(LAYERS)
    met = view.frame.evaluate(
        """(classes) => {
            const canvas = document.querySelector('.picture:not([hidden]) .canvas');
            const probes = classes.map((name) => {
                const group = document.createElementNS('http://www.w3.org/2000/svg', 'g');
                group.setAttribute('class', name);
                return canvas.firstElementChild.appendChild(group);
            });
            const inAll = (list) => [...list].flatMap((rule) => rule.selectorText ? [rule] : inAll(rule.cssRules || []));
            const rules = [...document.styleSheets].flatMap((sheet) => inAll(sheet.cssRules));
            const selectors = rules.map((rule) => rule.selectorText);
            const frame = selectors.filter((each) => each !== '*' && !each.startsWith('.canvas'));
            return [frame.length, frame.filter((each) => probes.some((probe) => probe.matches(each)))];
        }""",
        sorted({*Role, *EdgeKind, "loop", "value", "grad", "note", "head", "tail", "stem"}),
    )
    assert met[0] > 100
    assert met[1] == []
