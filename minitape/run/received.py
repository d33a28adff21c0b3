"""Collects the messages of a script's process: the trace, and how the run ended."""

from collections.abc import Callable
from typing import Any

from minitape.run import messages
from minitape.run.ending import Ending
from minitape.run.outcome import Run
from minitape.trace.events import Event
from minitape.trace.reading import decode
from minitape.trace.trace import Trace


class RunReceiver:
    """Receives the messages, one at a time.

    Args:
        sink: Called with each event.
        learned: Called whenever more is known about the ending, with everything known so far.
    """

    def __init__(
        self,
        sink: Callable[[Event], None] | None = None,
        learned: Callable[[Ending], None] = lambda _: None,
    ) -> None:
        self.trace = Trace()
        self.ending: Ending | None = (
            None  # as the process reported it; the system may report another
        )
        self.so_far = Ending()  # what was known about the ending before the end
        self.has_begun = False  # whether everything is prepared for the script
        self.forgiven = 0.0  # the seconds that do not count toward the time limit
        self.is_ready = False  # whether the process waits for errands
        self.is_over = False  # whether an errand is done
        self.message: Any = None  # the message of a companion
        self._sink = sink
        self._learned = learned

    def take(self, message: bytes) -> None:
        if messages.is_event(message):
            event = decode(message)
            self.trace.events.append(event)
            if self._sink is not None:
                self._sink(event)
            return
        word = messages.word(message)
        self.message = word.get("companion", self.message)
        if "so_far" in word:
            self.so_far = self.so_far.replace(**word["so_far"])
            self._learned(self.so_far)
        self.has_begun = self.has_begun or "begun" in word
        self.forgiven += word.get("forgiven", 0.0)
        self.is_ready = self.is_ready or "ready" in word
        self.is_over = self.is_over or "over" in word
        if "ending" in word:
            self.ending = Ending.of_data(word["ending"])

    def run(self, ending: Ending) -> Run:
        """Return the run, once its ending is known."""
        return Run.of(self.trace, ending, self.message)
