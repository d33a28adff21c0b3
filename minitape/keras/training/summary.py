"""The table that `model.summary()` prints: layers, output shapes, numbers of parameters.

    rows_of    the layers of a model as rows of text
    drawn      rows of text as the lines of a table
    totals     the totals below the table

The table looks like Keras's table without colors.

Source: https://keras.io/api/models/model/
"""

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitape.core import nest
from minitape.errors import TapeValueError
from minitape.keras.layers import InputLayer

Row = list[str]


@dataclass(frozen=True)
class Column:
    """A column, with its title, its alignment, and its right end as a fraction of the table's width."""

    title: str
    align: str
    ends: float


_PLAIN = (
    Column("Layer (type)", "<", 0.45),
    Column("Output Shape", "<", 0.80),
    Column("Param #", ">", 1.0),
)
_CONNECTED = (
    Column("Layer (type)", "<", 0.3),
    Column("Output Shape", "<", 0.56),
    Column("Param #", ">", 0.74),
    Column("Connected to", "<", 1.0),
)


def summary_of(
    model: Any,
    line_length: int | None,
    positions: Any,
    expand_nested: bool,
    show_trainable: bool,
    layer_range: Any,
) -> str:
    """Return the summary of a model as text.

    Args:
        model: The model.
        line_length: Width of the table; by default the width of the terminal, but at most 88, or 108 with connections.
        positions: Ends of the columns as fractions of the width.
        expand_nested: Whether to show the layers of nested models.
        show_trainable: Whether to show which layers are trainable.
        layer_range: Names, or regular expressions, of the first and the last layer to show.

    Returns:
        The text.

    Raises:
        ValueError: `layer_range` matches no layers, or the width is too small.
    """
    connections = _connections(model)
    columns = list(_PLAIN if connections is None else _CONNECTED)
    longest = 88 if connections is None else 108
    if positions is not None:
        columns = [Column(c.title, c.align, end) for c, end in zip(columns, positions, strict=True)]
    if show_trainable:
        longest += 12
        columns = [Column(c.title, c.align, c.ends * 0.9) for c in columns]
        columns.append(Column("Trainable", "^", 1.0))
    length = line_length or min(longest, shutil.get_terminal_size().columns - 4)
    rows = [
        row
        for layer in _in_range(model.layers, layer_range)
        for row in rows_of(layer, connections, expand_nested, show_trainable)
    ]
    table = drawn(columns, rows, _widths(columns, length))
    return "\n".join([f'Model: "{model.name}"', *table, *totals(model)]) + "\n"


# --- rows ---


def rows_of(
    layer: Any,
    connections: dict[int, str] | None,
    expand_nested: bool,
    show_trainable: bool,
    depth: int = 0,
) -> Iterator[Row]:
    """Yield the row of a layer, followed by the rows of the layers inside it if it is a nested model that is expanded.

    Args:
        layer: The layer.
        connections: The inputs of each layer by its ID; None if the table has no column for connections.
        expand_nested: Whether to show the layers of nested models.
        show_trainable: Whether to show which layers are trainable.
        depth: Nesting depth of the layer.

    Returns:
        An iterator of rows.
    """
    mark = "   " * depth + "└ " if depth else ""
    is_ready = layer.built or isinstance(layer, InputLayer)
    count = f"{layer.count_params():,}" if is_ready else "0 (unbuilt)"
    row = [f"{mark}{layer.name} ({type(layer).__name__})", _shape_text(layer), count]
    if connections is not None:
        row.append(connections.get(id(layer), "-"))
    if show_trainable:
        row.append("-" if not layer.weights else "Y" if layer.trainable else "N")
    yield row
    if expand_nested:
        for inner in layer.layers if "layers" in dir(layer) else ():
            yield from rows_of(inner, connections, True, show_trainable, depth + 1)


def _shape_text(layer: Any) -> str:
    shapes = _shapes(layer)
    if shapes is None:
        return "?"
    texts = [f"({', '.join(map(str, shape))})" for shape in shapes]
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def _shapes(layer: Any) -> list[tuple[Any, ...]] | None:
    """Return the output shapes of a layer: in the functional model, otherwise in its first call; None before that call."""
    given = vars(layer)
    if given.get("_drawn"):
        _, answer = given["_drawn"][-1]
        return [symbol.shape for symbol in nest.flatten(answer)]
    shapes: list[tuple[Any, ...]] | None = given.get("_first_shapes")
    return shapes


def _connections(model: Any) -> dict[int, str] | None:
    """Return the names of the layers that feed each layer of a functional model, or None for a plain sequence of layers."""
    steps = vars(model).get("_steps")
    if steps is None:
        return None
    given = {}
    for symbol in steps:
        sources = [each for each in nest.flatten(symbol.given) if hasattr(each, "given")]
        given[id(symbol.layer)] = ", ".join(
            f"{source.layer.name}[0][{source.part or 0}]" for source in sources
        )
    used = [name for names in given.values() for name in names.split(", ")]
    is_line = len(used) == len(set(used)) == len(steps) and len(nest.flatten(model.outputs)) == 1
    return None if is_line else given


def _in_range(layers: list[Any], names: Any) -> list[Any]:
    if names is None:
        return layers
    if len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise TapeValueError(
            f"`layer_range` must contain two layer names. Received: {names!r}",
            fix=f"pass `layer_range=({layers[0].name!r}, {layers[-1].name!r})`",
        )
    first, last = (
        [i for i, layer in enumerate(layers) if re.match(name, layer.name)] for name in names
    )
    if not first or not last:
        raise TapeValueError(
            f"Passed layer_names do not match the layer names in the model. Received: {names!r}",
            fix=f"pass `layer_range=({layers[0].name!r}, {layers[-1].name!r})`",
        )
    if min(first) > max(last):
        return layers[min(last) : max(first) + 1]
    return layers[min(first) : max(last) + 1]


# --- lines ---


def _widths(columns: list[Column], length: int) -> list[int]:
    """Return the width of each column including its margins, initially in proportion, then reduced until all columns fit."""
    ends = [int(column.ends * length) for column in columns]
    widths = [end - start for start, end in zip([0, *ends], ends, strict=False)]
    if min(widths) < 4:
        raise TapeValueError(
            f"The table does not fit into {length} characters per line.",
            fix="pass `line_length=80`",
        )
    widths = [width + 2 for width in widths]
    excess = sum(widths) - (length - len(widths) - 1)
    for i in range(len(widths)):
        less = round(excess / (len(widths) - i))
        widths[i] -= less
        excess -= less
    return widths


def drawn(columns: list[Column], rows: list[Row], widths: list[int]) -> list[str]:
    """Return the lines of the table.

    Args:
        columns: The columns.
        rows: The rows.
        widths: Width of each column.

    Returns:
        A list of lines.
    """

    def rule(left: str, line: str, between: str, right: str) -> str:
        return left + between.join(line * width for width in widths) + right

    def lines(row: Row, bar: str) -> Iterator[str]:
        cells = [_wrapped(text, width - 2) for text, width in zip(row, widths, strict=True)]
        for i in range(max(map(len, cells))):
            parts = [
                f" {cell[i] if i < len(cell) else '':{column.align}{width - 2}} "
                for cell, column, width in zip(cells, columns, widths, strict=True)
            ]
            yield bar + bar.join(parts) + bar

    table = [rule("┏", "━", "┳", "┓"), *lines([c.title for c in columns], "┃")]
    table.append(rule("┡", "━", "╇", "┩"))
    for i, row in enumerate(rows):
        table += [rule("├", "─", "┼", "┤")] if i else []
        table += lines(row, "│")
    return [*table, rule("└", "─", "┴", "┘")]


def _wrapped(text: str, width: int) -> list[str]:
    """Split the text into lines of whole words; words longer than a line are truncated."""
    lines: list[str] = []
    for word in re.findall(r"\s*\S+", text):
        if lines and len(lines[-1] + word) <= width:
            lines[-1] += word
        else:
            lines.append(word.lstrip() if lines else word)
    return [line if len(line) <= width else f"{line[: width - 1]}…" for line in lines]


# --- totals ---


def totals(model: Any) -> Iterator[str]:
    """Yield the numbers of parameters and the memory that they need.

    Args:
        model: The model.

    Returns:
        An iterator of lines.
    """
    trained, others = model.trainable_weights, model.non_trainable_weights
    remembered = list(model.optimizer.variables) if _has_state(model.optimizer) else []
    yield _total("Total", [*trained, *others, *remembered])
    yield _total("Trainable", trained)
    yield _total("Non-trainable", others)
    if remembered:
        yield _total("Optimizer", remembered)


def _has_state(optimizer: Any) -> bool:
    return optimizer is not None and bool(optimizer.built)


def _total(kind: str, variables: list[Any]) -> str:
    count = sum(int(variable._array.size) for variable in variables)
    size: float = sum(int(variable._array.nbytes) for variable in variables)
    units = ["B", "KB", "MB", "GB"]
    power = min(int(np.log(size) / np.log(1024)) if size else 0, len(units) - 1)
    return f" {kind} params: {count:,} ({size / 1024**power:.2f} {units[power]})"
