"""Finds the source text of each input of an op, if the input is written in the user's program."""

from collections.abc import Iterable, Sequence
from types import FrameType
from typing import Any

from minitape.tracer import source
from minitape.tracer.engine import Engine


class Wording:
    """Follows one call of the user at a time. Its arguments have source text; its intermediate values have none.

    Args:
        engine: The engine of the ops.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._entry: FrameType | None = None
        self._inside: dict[int | None, str | None] = {}
        self._is_later = False

    def forget(self) -> None:
        """Discard the state of the last call."""
        self._entry = None

    def made(self, engine_ids: Iterable[int], text: str | None = None) -> None:
        """Note values that were created in the call; `text` is the source text if the call only converts an argument."""
        self._inside.update(dict.fromkeys(engine_ids, text))

    def ran(self, engine_ids: Iterable[int]) -> None:
        """Note an op of the call and its outputs; from now on, the position of an input does not identify its text."""
        self._is_later = True
        self.made(engine_ids)

    def of_inputs(
        self,
        given: Sequence[Any],
        site: source.CallSite,
        call: tuple[FrameType, FrameType],
    ) -> list[str | None]:
        """Return the source text of each input of an op; None for intermediate values."""
        frame, entry = call
        if entry is not self._entry:
            self._entry, self._inside = entry, {}
            # The operands of a library's later ops are rarely at the positions of its arguments.
            self._is_later = not self._engine.is_own(entry.f_code.co_filename)
        held: list[Any] | None = None
        texts: list[str | None] = []
        for i, value in enumerate(given):
            is_value = self._engine.is_value(value)
            engine_id = self._engine.id_of(value) if is_value else None
            if engine_id in self._inside:
                texts.append(self._inside[engine_id])
                continue
            if held is None:  # by then, the intermediate values of a function are usually known
                held = [source.held(part, frame) for part in site.parts]
            index = _index_of(value, held, is_number=not is_value)
            if index is None and not self._is_later and i < len(held):
                index = i if self._may_be(held[i], value) else None
            texts.append(None if index is None else site.operands[index])
            if engine_id is not None:
                self._inside[engine_id] = texts[-1]
        return texts

    def _may_be(self, held: Any, value: Any) -> bool:
        """Whether the operand at this position may be this input, because it is a longer expression or a converted array."""
        if held is source.UNKNOWN:
            return True
        is_other = not isinstance(held, int | float) and not self._engine.is_value(held)
        return is_other and not self._engine.is_value(value)


def _index_of(value: Any, held: list[Any], *, is_number: bool) -> int | None:
    """Return the index of this input among the names and numbers in the source; None if it is not one of them."""
    for index, each in enumerate(held):
        if each is value:
            return index
        if is_number and type(each) in (int, float) and _is_equal(value, each):
            return index
    return None


def _is_equal(value: Any, number: float) -> bool:
    return getattr(value, "ndim", 0) == 0 and bool(value == number or number != number)
