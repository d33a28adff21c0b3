"""Short texts for numbers, tensors and reasons on the nodes of a picture. The texts of a cause are in the declaration
of that cause.
"""

import math
import re
from collections.abc import Sequence
from typing import Any

from minitape.draw.model import CardRow, LazyRow, Strip, TextTone
from minitape.printable import printable
from minitape.trace.events import Numbers

CELLS = 16
_ITSELF = re.compile(r"[\w.\[\]]+ (//|\*\*|<<|>>|[-+*/%@&|^])= ")
CODE_WIDTH = 46
ROW_WIDTH = 64
_DECADES = 12

WHY_NOT = {
    "no_watched_input": "no watched input",
    "recording_stopped": "recording was stopped",
    "not_floating": "not a floating-point number",
    "no_gradient": "this op has no gradient",
    "no_tape": "no tape was open",
    "another_tape": "recorded by another tape",
}


def written(target: str | None, text: str) -> str:
    """Return a statement from its target and expression, such as `h = tf.tanh(x)`; `total += x` is already a statement."""
    return text if not (target and text) or _ITSELF.match(text) else f"{target} = {text}"


def short(text: str, width: int) -> str:
    """Return the text on one line, with at most `width` printable characters."""
    # The text is cut before it is split, because a source line may be megabytes long.
    line = printable(" ".join(text[: 8 * width].split()))
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def short_name(name: str, width: int) -> str:
    """Return a name shortened in the middle, because the names of a model's weights differ at the end:
    `encoder/layer_…/output/kernel`.
    """
    line = short(name, len(name))
    kept = width - 1
    return (
        line
        if len(line) <= width
        else line[: kept // 3] + "…" + line[len(line) - kept + kept // 3 :]
    )


def short_names(names: Sequence[str], width: int) -> list[str]:
    """Return names shortened to a width, without the model's name if all begin with it: `dense/kernel` for
    `model/dense/kernel`.
    """
    heads = {name.partition("/")[0] for name in names}
    if len(names) > 1 and len(heads) == 1 and all("/" in name for name in names):
        names = [name.partition("/")[2] for name in names]
    return [short_name(name, width) for name in names]


def number(value: object) -> str:
    """Return a number with four digits; a float always has a decimal point."""
    if isinstance(value, int) and (isinstance(value, bool) or abs(value) < 10**9):
        return str(value)
    if isinstance(value, float | int):
        text = f"{float(value):.4g}"
        return text + ".0" if text.lstrip("-").isdigit() else text
    parts = _complex(value)
    if parts is None:
        return short(repr(value), 24)
    return f"{number(parts.real)} + {number(parts.imag)}i"


def _complex(value: object) -> complex | None:
    """Return the complex number in a text such as `(1+2j)`, the notation of Python and of traces; None for other values."""
    try:
        return complex(value) if isinstance(value, str) and "j" in value else None
    except ValueError:
        return None


def is_same_number(text: str, shown: str) -> bool:
    """Whether a source text such as `2` or `2.0` is the same as the value shown next to it."""
    try:
        return not text or float(text) == float(shown.partition(" ")[0])
    except ValueError:
        return False


def shape(sizes: list[int]) -> str:
    return str(tuple(sizes))


def count(n: int, noun: str) -> str:
    """Return a number with its noun, such as `1 op` or `4,312 ops`."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def one_of(names: Sequence[str]) -> str:
    """Return the advice to use one of several names: `use svg, png or pdf`; empty if there are none."""
    *others, last = names or ("",)
    listed = f"{', '.join(others)} or {last}" if others else last
    return f"use {listed}" if listed else ""


def elements(numbers: Numbers) -> list[Any]:
    """Return the elements of a small tensor, or the means of the segments of a large one, in order."""
    data = numbers.data
    if data is None:
        return list(numbers.strip or [])
    for _ in numbers.shape:
        if not isinstance(data, list):
            break
        data = [item for part in data for item in (part if isinstance(part, list) else [part])]
    return data if isinstance(data, list) else [data]


def trouble(numbers: Numbers | None) -> str:
    """Return `nan`, `inf` or `-inf` if the tensor contains one of them, else an empty string."""
    if numbers is None:
        return ""
    if numbers.nan:
        return "nan"
    if not numbers.inf:
        return ""
    infinities = {item for item in elements(numbers) if item in (math.inf, -math.inf)}
    return "-inf" if infinities == {-math.inf} else "inf"


def value_row(numbers: Numbers | None, *, with_dtype: bool = False) -> CardRow:
    """Return the `value` row: the number of a scalar, otherwise the shape and a strip of cells; `()` for a value that was not
    recorded.
    """
    if numbers is None:
        return CardRow("value", "()")
    tone = TextTone.PROBLEM if trouble(numbers) else TextTone.PLAIN
    text = value_text(numbers, with_dtype=with_dtype)
    return CardRow("value", text, tone, strip_of(numbers, is_gradient=False))


def value_text(numbers: Numbers, *, with_dtype: bool = False) -> str:
    """Return the text of a `value` row."""
    sizes, dtype, bad = numbers.shape, numbers.dtype, trouble(numbers)
    kind = f"  {dtype}" if dtype != "float32" else ""
    if numbers.size == 1 and numbers.data is not None:
        return number(elements(numbers)[0]) + (f"  {shape(sizes)}" if sizes else "") + kind
    if bad:
        return _how_many(bad, numbers)
    return shape(sizes) + (f"  {dtype}" if with_dtype else kind)


def gradient_row(numbers: Numbers, note: str = "") -> CardRow:
    """Return the `grad` row of a gradient: its number, or its norm."""
    tone = TextTone.PROBLEM if trouble(numbers) else TextTone.GRADIENT
    text = f"{gradient_text(numbers)}  {note}".rstrip()
    return CardRow("grad", text, tone, strip_of(numbers, is_gradient=True))


def gradient_text(numbers: Numbers) -> str:
    """Return the text of a `grad` row."""
    bad, size = trouble(numbers), numbers.size
    if size == 1 and numbers.data is not None:
        return number(elements(numbers)[0])
    if bad:
        return _how_many(bad, numbers)
    if size and numbers.zeros == size:
        return f"all {size:,} are 0.0"
    return f"|g| = {number(numbers.l2)}"


def with_text(row: CardRow) -> CardRow:
    """Return the row with its text filled in."""
    if not isinstance(row, LazyRow):
        return row
    is_value = row.kind == "value"
    return value_row(row.numbers) if is_value else gradient_row(row.numbers, row.note)


def _how_many(bad: str, numbers: Numbers) -> str:
    count = numbers.nan if bad == "nan" else numbers.inf
    return f"{bad} in {count:,} of {numbers.size:,}"


def strip_of(numbers: Numbers, *, is_gradient: bool) -> Strip | None:
    """Return the elements of a tensor as cells, or the means of its segments if there are many elements; None for a scalar."""
    if numbers.size < 2 or numbers.dtype == "string":
        return None
    items = elements(numbers)
    if len(items) > CELLS:
        items = list(numbers.strip or [])
    if not all(isinstance(item, int | float) for item in items):  # complex numbers
        return None
    return strip([float(item) for item in items], is_gradient=is_gradient)


def strip(
    numbers: Sequence[float | None], *, is_gradient: bool, is_log: bool = False
) -> Strip | None:
    """Return numbers as cells, scaled by the largest number. If there are too many, the cells show an even selection of them."""
    if len(numbers) > CELLS:
        numbers = [numbers[i * (len(numbers) - 1) // (CELLS - 1)] for i in range(CELLS)]
    known = [0.0 if item is None else item for item in numbers]
    if not known:
        return None
    if not is_log and math.isfinite(sum(known)):  # usual: thousands of times on a page
        largest = max(max(known), -min(known)) or 1.0
        parts = map(abs, known) if is_gradient else known
        return Strip(tuple([item / largest for item in parts]), is_gradient)
    scale = max((abs(item) for item in known if math.isfinite(item)), default=0.0) or 1.0
    levels = [item / scale if math.isfinite(item) else None for item in known]
    if is_gradient:
        levels = [None if level is None else abs(level) for level in levels]
    if is_log:
        levels = [None if level is None else _decades(level) for level in levels]
    return Strip(tuple(levels), is_gradient)


def _decades(level: float) -> float:
    """Return how full a cell of a logarithmic scale is; each of its twelve decades fills one twelfth."""
    return max(0.0, 1.0 + math.log10(level) / _DECADES) if level > 0 else 0.0


def log_range(numbers: Sequence[float]) -> str:
    """Return the values of an empty and a full cell of a logarithmic strip."""
    top = max((item for item in numbers if math.isfinite(item)), default=0.0) or 1.0
    return f"{number(top / 10**_DECADES)} … {number(top)}"
