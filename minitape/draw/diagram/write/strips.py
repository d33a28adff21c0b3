"""The states of a recurrent card over its steps, on one x axis: the norm of each state, and that of its gradient."""

from collections.abc import Iterator, Sequence

from minitape.draw.diagram import wording
from minitape.draw.diagram.model import Steps
from minitape.draw.diagram.write.brush import Brush, Scale, width_of

_NAMES, _NOTES = 150.0, 210.0  # left and right of the bars
_TITLE, _LABELS, _GAP = 22.0, 20.0, 18.0
_LEAST_LABEL = 44.0  # between two numbers on the axis


def strips(
    steps: Steps, left: float, right: float, top: float, height: float, brush: Brush, scale: Scale
) -> Iterator[str]:
    """Draw the strips of all states within these bounds."""
    rows = 2 * len(steps.states)
    bar = (height - _TITLE - _LABELS) / rows - _GAP
    x, end = left + _NAMES, right - _NOTES
    yield brush.text(left, top + 14, wording.OVER_STEPS.format(over=steps.over), 14, is_bold=True)
    base = top + _TITLE
    for state in steps.states:
        high = max((norm for norm in state.values if norm), default=0.0) or 1.0
        base += bar + _GAP
        fractions = [(norm or 0.0) / high for norm in state.values]
        yield from _row(brush, fractions, state.values, "value", (x, end, base, bar))
        yield brush.text(left, base - bar / 2 + 4, f"|{state.name}|", 16, is_bold=True)
        base += bar + _GAP
        fractions = [scale.fraction(norm) if norm else 0.0 for norm in state.gradients]
        yield from _row(brush, fractions, state.gradients, "gradient", (x, end, base, bar))
        name = wording.DERIVATIVE.format(name=state.name)
        yield brush.text(left, base - bar / 2 + 4, name, 16, is_bold=True)
        # Where the row is low, the words beside its name would touch those of the next row.
        beside = left + width_of(name, 16, is_bold=True) + 6
        yield brush.text(beside, base - bar / 2 + 4, wording.LOG_SCALE, tone="mute")
        note = _per_step(steps, state.gradients)
        if note:
            yield brush.text(end + 16, base - bar / 2 + 4, note, tone="gradient", is_bold=True)
    width = (end - x) / len(steps.shown)
    every = max(1, -(-int(_LEAST_LABEL) // max(1, int(width))))
    for i in range(0, len(steps.shown), every):
        at = x + (i + 0.5) * width
        yield brush.text(at, base + 18, f"{steps.shown[i]:,}", tone="mute", anchor="middle")


def _row(
    brush: Brush,
    fractions: Sequence[float],
    norms: Sequence[float | None],
    tone: str,
    place: tuple[float, float, float, float],
) -> Iterator[str]:
    """Draw one strip, with the numbers of its first and its last bar."""
    x, end, base, bar = place
    width = (end - x) / len(norms)
    for i, fraction in enumerate(fractions):
        if norms[i]:
            height = max(1.0, bar * fraction)
            gap = min(4.0, width / 5)
            yield brush.rectangle(x + i * width, base - height, width - gap, height, fill=tone)
    yield brush.stroke([(x, base), (end, base)], "line", 1)
    for i in (0, len(norms) - 1):
        norm = norms[i]
        text = wording.NONE if norm is None else wording.number(norm)
        above = base - bar * fractions[i] - 4
        at, anchor = (x, "") if i == 0 else (end, "end")
        yield brush.text(
            at, above, text, tone=tone if norm else "mute", is_bold=True, anchor=anchor
        )


def _per_step(steps: Steps, norms: Sequence[float | None]) -> str:
    """Return the factor of a backward step, on average."""
    count = steps.shown[-1] - steps.shown[0]
    first, last = norms[0], norms[-1]
    if not first or not last or not count:
        return ""
    return wording.PER_STEP.format(factor=wording.number((first / last) ** (1 / count)))
