"""Look up vectors in a table, such as one for each word, user or item."""

from typing import Any

from minitape.core.convert import as_operand
from minitape.core.values import Value
from minitape.errors import TapeValueError
from minitape.ops.clipping import clip_by_norm
from minitape.ops.indexing import gather
from minitape.ops.joining import concat


def embedding_lookup(
    params: Any, ids: Value, max_norm: Any = None, name: str | None = None
) -> Value:
    """Return rows of a table by index.

    Args:
        params: The table, or a list of tables, which are concatenated.
        ids: Integers, any shape.
        max_norm: The maximum norm, to which longer rows are scaled down.
        name: Ignored.

    Returns:
        A tensor of shape ids.shape + params.shape[1:].

    Raises:
        ValueError: the list of tables is empty.
        InvalidArgumentError: an index is out of range.

    Gradient: Derivatives of any order are supported, including batched ones. For a single table the gradient is an
    `IndexedSlices` object with only the rows that were read.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/embedding_lookup
    """
    if params is None or (isinstance(params, list | tuple) and not params):
        raise TapeValueError(
            "`embedding_lookup` got an empty list of tables.",
            fix="use `tf.nn.embedding_lookup(table, ids)`",
        )
    positions = as_operand(ids)
    tables = list(params) if isinstance(params, list | tuple) else [params]
    rows = gather(tables[0] if len(tables) == 1 else concat(tables, 0), positions)
    if max_norm is None:
        return rows
    return clip_by_norm(rows, max_norm, list(range(len(positions.shape), len(rows.shape))))
