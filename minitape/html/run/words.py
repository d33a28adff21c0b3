"""Sentences about the iterations of a loop: growth, updates that overshoot, and the first finding of each kind."""

import math
from collections.abc import Iterator, Sequence

from minitape.draw.words import number
from minitape.explain.report import listed
from minitape.timeline import CallResult, TimelineCall

_GREW = 1e3  # a gradient that grows by more and does not shrink again explodes over the iterations
_MOST = 3  # the maximum number of findings

_GROWS = (
    "The gradient with respect to `{name}` grows from {low} in iteration {first} to {high} in "
    "iteration {last}."
)
_OVERSHOOTS = (
    "In iteration {iteration}, the update of `{name}` is {ratio} times as large as `{name}` itself, so the steps "
    "overshoot. Each step makes the next gradient larger. Use a smaller learning rate, or clip the gradients with "
    "`tf.clip_by_global_norm`."
)
_FOUND = "From iteration {iteration} on, {names}: line {line}, {label} ({code})."
_FOUND_ONCE = "In iteration {iteration}, {names}: line {line}, {label} ({code})."
_ARE = {
    "none": "the gradient of {names} is None",
    "zero": "the gradient of {names} is zero",
    "nan": "the gradient of {names} is NaN",
    "partial": "the gradient of {names} is incomplete",
}


def growth(
    names: Sequence[str],
    norms: Sequence[Sequence[float | None]],
    moves: Sequence[Sequence[float | None]],
) -> Iterator[str]:
    """Yield the reason why a gradient explodes over the iterations; nothing if no gradient does.

    Args:
        names: The sources.
        norms: For each source, the norm of its gradient in each iteration.
        moves: For each source, the norm of each update, relative to the source.
    """
    grown = [
        (high / low, row, first, last)
        for row, each in enumerate(norms)
        for low, first, high, last in _rise(each)
        if low and high / low > _GREW
    ]
    if not grown:
        return
    _, row, first, last = max(grown)
    low, high = norms[row][first], norms[row][last]
    yield _GROWS.format(
        name=names[row], low=number(low), first=first + 1, high=number(high), last=last + 1
    )
    for iteration in range(first, last + 1):
        large = [
            (ratio, k)
            for k, each in enumerate(moves)
            if (ratio := each[iteration]) is not None and ratio > 1
        ]
        if large:
            ratio, k = max(large)
            yield _OVERSHOOTS.format(iteration=iteration + 1, name=names[k], ratio=f"{ratio:.2g}")
            return


def _rise(norms: Sequence[float | None]) -> Iterator[tuple[float, int, float, int]]:
    """Yield the largest norm and the smallest norm before it, each with its iteration, if the gradient does not shrink again."""
    known = [(each, i) for i, each in enumerate(norms) if each is not None and math.isfinite(each)]
    if not known:
        return
    high, last = max(known)
    before = [each for each in known if each[1] <= last and each[0]]
    if before and known[-1][0] > high / _GREW:
        low, first = min(before)
        yield low, first, high, last


def findings(calls: Sequence[TimelineCall]) -> Iterator[str]:
    """Yield the first iteration of each cause of a lost gradient, with its line and label."""
    found: dict[tuple[str, int | None], tuple[int, CallResult, list[str]]] = {}
    last: dict[tuple[str, int | None], int] = {}
    for iteration, call in enumerate(calls):
        for answer in call.answers:
            if not answer.code:
                continue
            key = answer.code, answer.line
            first, _, names = found.setdefault(key, (iteration, answer, []))
            last[key] = iteration
            if first == iteration:
                names.append(answer.name)
    for key, (iteration, answer, names) in [*found.items()][:_MOST]:
        text = _FOUND_ONCE if last[key] == iteration else _FOUND
        which = listed([f"`{name}`" for name in names], most=3)
        yield text.format(
            iteration=iteration + 1,
            names=_ARE.get(answer.outcome, "the gradient of {names} is lost").format(names=which),
            line=answer.line,
            label=answer.label,
            code=answer.code,
        )
