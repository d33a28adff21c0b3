"""Steps as rows of a table, independent of its width.

row     the cells of a forward or backward step
"""

from dataclasses import dataclass

from minitape.timeline import Severity, TimelineStep


@dataclass(frozen=True)
class TableRow:
    """One row: its cells, its importance, and how often it ran; rows with the same `key` can be collapsed."""

    key: tuple[object, ...]
    cells: tuple[str, ...]
    tone: Severity = Severity.OP
    times: int = 1


def row(step: TimelineStep) -> TableRow:
    """Return the row of a step.

    Cells of a backward step: step, op, line, gradient in, rule, sent to, contribution.
    Cells of other steps: number, line, source, op, inputs, value, note.
    """
    line = "" if step.location is None else str(step.location.line)
    if step.kind in ("seed", "back"):
        what = step.what.removesuffix(", backward")
        title = f"{step.number} {what}" if step.kind == "back" else what
        cells = (str(step.nth), title, line, step.given, step.rule, step.inputs, step.value)
        return TableRow(step.key, cells, Severity.EVENT if step.kind == "seed" else Severity.OP)
    number = step.number or ("!" if step.problem else "")
    cells = (number, line, step.code, step.what, step.inputs, step.value, step.note)
    return TableRow(step.key, cells, step.tone)
