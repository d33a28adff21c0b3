"""`minitape lesson watch`: what a key or a saved file leads to. The terminal it is told to is not its affair.

Watch      the exercise that is worked on, its last attempt, and what each key does
KEYS       the keys, as the last line shows them
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from minitape.storage import read_file
from minitape_cli.coaching import show_hint, show_picture, tell, tried
from minitape_cli.console import Terminal
from minitape_cli.glimpse import Glimpse

if TYPE_CHECKING:
    from minitape.course.course import Exercise
    from minitape.course.place import Place
    from minitape.course.trying import Attempt

KEYS = (
    ("n", "next"),
    ("r", "run"),
    ("h", "hint"),
    ("s", "see"),
    ("e", "explain"),
    ("o", "open"),
    ("l", "list"),
    ("x", "reset"),
    ("q", "quit"),
)


class Watch:
    """Goes through the exercises with a student.

    Args:
        place: The course folder.
        exercise: Where to begin.
        terminal: What is told to.
        lent: Makes a block in which another program has the terminal.
    """

    def __init__(
        self,
        place: "Place",
        exercise: "Exercise",
        terminal: Terminal,
        lent: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self.is_over = False
        self._place, self._terminal, self._lent = place, terminal, lent
        self._asked_reset = False
        self._take(exercise)

    def _take(self, exercise: "Exercise") -> None:
        self.exercise = exercise
        self._came: Attempt | None = None
        self._glimpse = Glimpse(self._file)

    @property
    def _file(self) -> Path:
        return self._place.file(self.exercise)

    # --- what happens ---

    def begin(self) -> None:
        """What the exercise asks, and how the file stands."""
        from minitape_cli.views import lesson as views

        self._terminal.rule(f"{self.exercise.short}  {self.exercise.title}")
        for line in views.opening(self._place, self.exercise):
            self._terminal.show(line)
        if self._fault() is None:
            self._terminal.show_page(views.statement(self._file))
            self._terminal.say("")
        self.run()

    def look(self) -> bool:
        """Run the file if it was saved with another text; returns whether it was."""
        if not self._glimpse.is_new():
            return False
        self._terminal.rule(f"{self.exercise.short} was saved")
        self.run()
        return True

    def press(self, key: str) -> None:
        """Do what a key says; one without a meaning does nothing."""
        asked_reset, self._asked_reset = self._asked_reset, False
        if key in ("ctrl-c", "ctrl-d", "q"):
            self.is_over = True
        elif key == "x":
            self._reset(is_sure=asked_reset)
        elif key in _DOES:
            _DOES[key](self)

    def run(self) -> None:
        """Try the file, and tell how it came out."""
        self._glimpse = Glimpse(self._file)
        fault = self._fault()
        if fault is not None:
            is_gone = isinstance(fault, FileNotFoundError)
            what = " is not there" if is_gone else f": {fault.strerror}"
            self._terminal.complain(f"{self._file}{what}.", "x puts it back")
            return
        came = self._came = tried(self._place, self.exercise, self._terminal)
        tell(self._place, self.exercise, came, self._terminal)
        self._stand()

    def _fault(self) -> OSError | None:
        """Why the file cannot be read; None if it can."""
        try:
            read_file(self._file)
        except OSError as error:
            return error
        return None

    # --- the keys ---

    def next(self) -> None:
        """Go on, whether this one passed or not."""
        from minitape.course.progress import State
        from minitape_cli.views import lesson as views

        before = self.exercise
        if self._place.state(before) is not State.PASSED:
            self._place.progress.skipped(before)
        following = self._place.pending(before)
        if following is not None and following is not before:
            self._take(following)
            self.begin()
        elif following is None:
            for line in views.farewell(self._place.course):
                self._terminal.show(line)
            self.is_over = True
        else:
            self._terminal.say("this is the last one that is open")

    def hint(self) -> None:
        show_hint(self._place, self.exercise, self._terminal)
        self._stand()

    def see(self) -> None:
        if self._came is not None:
            show_picture(self._place, self.exercise, self._came, self._terminal)

    def explain(self) -> None:
        from minitape_cli.views import lesson as views

        if self._came is not None:
            self._terminal.show(views.explained(self._came, self._terminal))

    def list(self) -> None:
        from minitape_cli.views import lesson as views

        self._terminal.show(views.listing(self._place, None, self._terminal.symbols))

    def open(self) -> None:
        """Open the file in the student's editor."""
        from minitape_cli.views.lesson import todo

        command = editor(self._file, todo(self._file) or 1)
        if command is None:
            self._terminal.complain("no editor is known here.", "EDITOR=nano minitape lesson")
            return
        with self._lent():
            subprocess.run(command, check=False)

    def _reset(self, *, is_sure: bool) -> None:
        from minitape_cli.views.lesson import shortened

        if not is_sure and self._file.exists():
            self._asked_reset = True
            self._terminal.say("x again puts the file back as it was given out; your text is kept.")
            return
        kept = self._place.reset(self.exercise)
        if kept is not None:
            self._terminal.say(f"your text is kept as {shortened(kept)}")
        self._glimpse = Glimpse(self._file)
        self.begin()

    def _stand(self) -> None:
        """The last lines: how far one is, the file, the keys."""
        from minitape_cli.views import lesson as views

        self._terminal.say("")
        self._terminal.show(views.standing(self._place, self.exercise, self._terminal.symbols))
        self._terminal.say("   ".join(f"{key} {word}" for key, word in KEYS))


_DOES: dict[str, Callable[[Watch], None]] = {
    "n": Watch.next,
    "r": Watch.run,
    "enter": Watch.run,
    "h": Watch.hint,
    "s": Watch.see,
    "e": Watch.explain,
    "l": Watch.list,
    "o": Watch.open,
}

_AT_LINE = ("code", "codium", "cursor")


def editor(file: Path, line: int) -> list[str] | None:
    """The command that opens a file: the user's editor, else one that is known to be here, else the system's choice."""
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if named:
        return [*shlex.split(named), str(file)]
    for name in _AT_LINE:
        if shutil.which(name):
            return [name, "--goto", f"{file}:{line}"]
    if sys.platform == "win32":
        return ["notepad", str(file)]
    for name in ("open",) if sys.platform == "darwin" else ("xdg-open", "nano", "vi"):
        if shutil.which(name):
            return [name, str(file)]
    return None
