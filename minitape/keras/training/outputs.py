"""Match targets, losses and metrics to the outputs of a model.

A model returns a tensor, or a list or dict of tensors. Targets, losses and metrics may have the same structure, or be
given by the names of the layers that produce the outputs.
"""

from collections.abc import Mapping
from typing import Any

from minitape.core import nest
from minitape.errors import TapeKeyError, TapeValueError


class Outputs:
    """The outputs of a model: their number and names.

    Args:
        y_pred: Outputs of the model.
        names: Names of the model's outputs; None for a model without names.

    Raises:
        ValueError: the outputs are nested structures.
    """

    def __init__(self, y_pred: Any, names: list[str] | None) -> None:
        self.is_single, self.has_keys = not nest.is_nested(y_pred), False
        if self.is_single:
            self.names: list[str | None] = [None if names is None else names[0]]
            return
        if any(nest.is_nested(each) for each in _parts(y_pred)):
            raise TapeValueError(
                "The model returns nested structures, but losses and metrics support only a single list or dict.",
                fix="write `return {'a': a, 'b': b}` in `call`, or define `train_step` with a `GradientTape`",
            )
        self.has_keys = isinstance(y_pred, Mapping)
        if self.has_keys:
            self.names = list(y_pred)
        else:
            fits = names is not None and len(names) == len(y_pred)
            self.names = list(names or ()) if fits else [None] * len(y_pred)

    def __len__(self) -> int:
        return len(self.names)

    def each(self, given: Any, what: str) -> list[Any]:
        """Return a list with one entry for each output, which is None if no entry was given for it.

        Args:
            given: A value for a single output, or a list or dict with an entry for each output.
            what: Name of the argument in messages.

        Returns:
            The list.

        Raises:
            KeyError: a name is not the name of an output.
            ValueError: the number of entries differs from the number of outputs.
        """
        if isinstance(given, Mapping):
            return self._by_name(given, what)
        if isinstance(given, list | tuple):
            if len(given) != len(self):
                raise TapeValueError(
                    f"The model has {len(self)} outputs, but `{what}` has {len(given)} entries.",
                    fix=f"pass `{what}=[...]` with one entry for each output, and `None` for an output without one",
                )
            if self.has_keys:  # as in tf.nest, the entries of a dict are sorted by key
                return self._by_name(
                    dict(zip(sorted(map(str, self.names)), given, strict=True)), what
                )
            return list(given)
        if not self.is_single and given is not None:
            raise TapeValueError(
                f"The model has {len(self)} outputs, but `{what}` is a single value.",
                fix=f"pass `{what}=[...]` with one entry for each output",
            )
        return [given]

    def _by_name(self, given: Mapping[str, Any], what: str) -> list[Any]:
        if self.is_single and len(given) == 1 and self.names == [None]:
            return list(given.values())
        for name in given:
            if name not in self.names:
                raise TapeKeyError(
                    f"`{what}` has an entry {name!r}, but the names of the model's outputs are {self.names}.",
                    fix=f"pass `{what}={{{self.names[0]!r}: ...}}`"
                    if self.names[0] is not None
                    else f"pass `{what}=[...]` in the order of the outputs",
                )
        return [given.get(name) for name in self.names if name is not None]


def _parts(structure: Any) -> Any:
    return structure.values() if isinstance(structure, Mapping) else structure
