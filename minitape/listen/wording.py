"""What the user wrote for each input of an op, where they wrote it themselves."""

from collections.abc import Iterable, Sequence
from types import FrameType
from typing import Any

from minitape.listen import source
from minitape.listen.engine import Engine


class Wording:
    """Follows one call of the user's at a time: what it was given has the user's words, what it made on its own way has none.

    Args:
        engine: Whose ops they are.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._entry: FrameType | None = None
        self._inside: dict[int | None, str | None] = {}
        self._is_later = False

    def forget(self) -> None:
        """Let go of the call that was followed last."""
        self._entry = None

    def began(self) -> None:
        """An op runs in the call: from now on the place of an input says nothing."""
        self._is_later = True

    def made(self, engine_ids: Iterable[int], text: str | None = None) -> None:
        """These values came to be in the call, as `text` if it is only another form of what the user gave."""
        self._inside.update(dict.fromkeys(engine_ids, text))

    def of_inputs(
        self,
        given: Sequence[Any],
        site: source.Site,
        call: tuple[FrameType, FrameType],
    ) -> list[str | None]:
        """What the user wrote for each input of an op; nothing for what a function made on its own way."""
        frame, entry = call
        if entry is not self._entry:
            self._entry, self._inside, self._is_later = entry, {}, False
        held = [source.held(part, frame) for part in site.parts]
        texts: list[str | None] = []
        for i, value in enumerate(given):
            engine_id = self._engine.id_of(value) if self._engine.is_value(value) else None
            if engine_id in self._inside:
                texts.append(self._inside[engine_id])
                continue
            matching = [j for j, each in enumerate(held) if self._is_same(each, value)]
            if not matching and not self._is_later and i < len(held):
                matching = [i] if self._may_be(held[i], value) else []
            texts.append(site.operands[matching[0]] if matching else None)
            if engine_id is not None:
                self._inside[engine_id] = texts[-1]
        return texts

    def _is_same(self, held: Any, value: Any) -> bool:
        """Whether what a name or number in the source stands for is this input."""
        if held is value:
            return True
        if type(held) not in (int, float) or self._engine.is_value(value):
            return False
        return getattr(value, "ndim", 0) == 0 and bool(value == held or held != held)

    def _may_be(self, held: Any, value: Any) -> bool:
        """Whether an operand in the same place may be this input: a longer expression, or an array that was converted."""
        if held is source.UNKNOWN:
            return True
        is_other = not isinstance(held, int | float) and not self._engine.is_value(held)
        return is_other and not self._engine.is_value(value)
