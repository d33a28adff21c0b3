"""Steps as rows: what a table of the run shows, before anyone decides how wide.

row     a step of the way forward or of the walk back, as the cells of its table
"""

from dataclasses import dataclass

from minitape.story import Step, Tone


@dataclass(frozen=True)
class Row:
    """One line: cells from left to right, how it is meant, and how often it ran; rows of the same `key` can be rolled up."""

    key: tuple[object, ...]
    cells: tuple[str, ...]
    tone: Tone = Tone.OP
    times: int = 1


def row(step: Step) -> Row:
    """Of a walk back step, op, line, gradient in, rule, sent to, amount; else number, line, source, op, inputs, value, remark."""
    line = "" if step.place is None else str(step.place.line)
    if step.kind in ("seed", "back"):
        what = step.what.removesuffix(", backward")
        title = f"{step.number} {what}" if step.kind == "back" else what
        cells = (str(step.nth), title, line, step.given, step.rule, step.inputs, step.value)
        return Row(step.key, cells, Tone.EVENT if step.kind == "seed" else Tone.OP)
    number = step.number or ("!" if step.problem else "")
    cells = (number, line, step.code, step.what, step.inputs, step.value, step.remark)
    return Row(step.key, cells, step.tone)
