"""What a script's process has told, put together: the trace, and what was said about the run."""

from collections.abc import Callable
from typing import Any

from minitape.run import messages
from minitape.run.ending import Ending
from minitape.run.outcome import Run
from minitape.trace.events import Event
from minitape.trace.reading import decode
from minitape.trace.trace import Trace


class Heard:
    """Takes one message after the other.

    Args:
        sink: Called with each event.
        learned: Called with what is known of the ending, each time that more is known.
    """

    def __init__(
        self,
        sink: Callable[[Event], None] | None = None,
        learned: Callable[[Ending], None] = lambda _: None,
    ) -> None:
        self.trace = Trace()
        self.ending: Ending | None = None  # as the process knew it; the system may know better
        self.so_far = Ending()  # what was known of that before the end
        self.has_begun = False  # all is ready for the script
        self.forgiven = 0.0  # seconds that do not count
        self.is_ready = False  # a process that waits for errands
        self.is_over = False  # one run among many
        self.message: Any = None  # a companion's
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
        """All of it, now that it is known how it ended."""
        return Run.of(self.trace, ending, self.message)
