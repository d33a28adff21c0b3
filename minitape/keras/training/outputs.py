"""What a model answers, in one order: to each output its target, its loss, its metrics.

A model answers with a tensor, or with a list or dict of them. What belongs to the outputs may be given in the same form, or under
the names of the layers that they come from.
"""

from collections.abc import Mapping
from typing import Any

from minitape.core import nest
from minitape.errors import TapeKeyError, TapeValueError


class Outputs:
    """The outputs of a model: how many there are, and what they are called.

    Args:
        y_pred: An answer of the model.
        names: What the model calls its outputs; None for a model that does not say.

    Raises:
        ValueError: structures in structures.
    """

    def __init__(self, y_pred: Any, names: list[str] | None) -> None:
        self.is_single, self.has_keys = not nest.is_nested(y_pred), False
        if self.is_single:
            self.names: list[str | None] = [None if names is None else names[0]]
            return
        if any(nest.is_nested(each) for each in _parts(y_pred)):
            raise TapeValueError(
                "The model answers with structures inside a structure, and losses and metrics are for one list or dict.",
                fix="return {'a': a, 'b': b} from `call`; or a train_step of your own, with a GradientTape",
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
        """What was given for all outputs, one entry for each; None where nothing was.

        Raises:
            KeyError: a name that no output has.
            ValueError: more or fewer than there are outputs.
        """
        if isinstance(given, Mapping):
            return self._by_name(given, what)
        if isinstance(given, list | tuple):
            if len(given) != len(self):
                raise TapeValueError(
                    f"The model has {len(self)} outputs, and `{what}` has {len(given)} entries.",
                    fix=f"{what}=[...], with one for each output; None for an output without",
                )
            if self.has_keys:  # a dict's entries have the order of their sorted keys, as in tf.nest
                return self._by_name(
                    dict(zip(sorted(map(str, self.names)), given, strict=True)), what
                )
            return list(given)
        if not self.is_single and given is not None:
            raise TapeValueError(
                f"The model has {len(self)} outputs, and `{what}` is one value for all of them.",
                fix=f"{what}=[...], with one for each output",
            )
        return [given]

    def _by_name(self, given: Mapping[str, Any], what: str) -> list[Any]:
        if self.is_single and len(given) == 1 and self.names == [None]:
            return list(given.values())
        for name in given:
            if name not in self.names:
                raise TapeKeyError(
                    f"`{what}` has an entry {name!r}, and the outputs of the model are called {self.names}.",
                    fix=f"{what}={{{self.names[0]!r}: ...}}"
                    if self.names[0] is not None
                    else f"{what}=[...], in the order of the outputs",
                )
        return [given.get(name) for name in self.names if name is not None]


def _parts(structure: Any) -> Any:
    return structure.values() if isinstance(structure, Mapping) else structure
