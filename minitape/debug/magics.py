"""Magics for notebooks, which `%load_ext minitape` loads. They show below a cell what its tapes recorded.

    %%tape              as the first line of a cell: its picture
    %%why w             an explanation of its gradient with respect to w
    %%step              a page to step through it
    %tape on, off       start, stop recording
    %tape, %why, %step  on a line: the same for everything recorded so far

A cell magic receives the text of its cell and would have to run this text as a cell inside the cell, so that line numbers would
be wrong and an exception would be printed twice. Therefore a cell with `%%tape` at the top runs unchanged, with that line as a
comment (`as_comment`), and IPython calls back at the start and the end of the cell.

Source: https://ipython.readthedocs.io/en/stable/config/custommagics.html
"""

import argparse
import difflib
import re
from collections.abc import Callable
from typing import Any, NoReturn

from IPython.core.error import UsageError
from IPython.display import display

from minitape.debug.queries import record, recordings
from minitape.debug.recording import Recording
from minitape.errors import Teaching
from minitape.explain.answer import Explanation
from minitape.notebook.shown import Bundle, placeholder

_NAMES = ("tape", "why", "step")
_TENSORFLOWS_TAPE = ("tensorflow.python.eager.backprop", "GradientTape")
_ON_TOP = re.compile(r"\s*%%(tape|why|step)(?=\s|$)(.*)")


def load_ipython_extension(shell: Any) -> None:
    """Register the magics; `%load_ext minitape` calls this function."""
    magics = Magics(shell)
    for name in _NAMES:
        shell.register_magic_function(getattr(magics, name), magic_kind="line_cell")
    shell.input_transformers_cleanup.append(as_comment)
    shell.events.register("pre_run_cell", magics.begin)
    shell.display_formatter.mimebundle_formatter.for_type_by_name(*_TENSORFLOWS_TAPE, _shown)


def unload_ipython_extension(shell: Any) -> None:
    """Remove the magics; `%unload_ext minitape` calls this function."""
    known = shell.magics_manager.magics
    shell.events.unregister("pre_run_cell", known["line"]["tape"].__self__.begin)
    shell.input_transformers_cleanup.remove(as_comment)
    for name in _NAMES:
        del known["line"][name], known["cell"][name]
    shell.display_formatter.mimebundle_formatter.pop(".".join(_TENSORFLOWS_TAPE))


def _shown(tape: Any, include: Any = None, exclude: Any = None) -> Bundle:
    """Return the representation of a TensorFlow tape, in the same form as that of minitape's tapes."""
    tracing = [each for each in recordings() if each.is_of(tape)]
    if not tracing:
        return placeholder("<GradientTape; to draw it, run %tape on in an earlier cell>")
    return tracing[-1].shown(tape)


# --- the words of a magic ---


class _MagicParser(argparse.ArgumentParser):
    """A parser that reports wrong options like IPython: on one line, without a traceback."""

    def read(self, line: str) -> argparse.Namespace:
        known, unknown = self.parse_known_args(line.split())
        if unknown:
            near = difflib.get_close_matches(unknown[0], self._option_string_actions, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            self.error(f"unknown option {unknown[0]}{hint}")
        return known

    def error(self, message: str) -> NoReturn:
        usage = " ".join(self.format_usage().removeprefix("usage:").split())
        raise UsageError(f"{message}\n  try : {usage}")


def _read(name: str, line: str, *, is_cell: bool) -> argparse.Namespace:
    """Return the options of a magic. All magics share the options for what to draw and what to explain."""
    magic = f"%%{name}" if is_cell else f"%{name}"
    words = _MagicParser(magic, add_help=False, allow_abbrev=False)
    words.set_defaults(view=None, file=None, explains=False, name=None, switch=None)
    words.add_argument("--on", choices=("tensorflow", "minitape"), dest="engine")
    if name == "step":
        words.set_defaults(view="step")
    elif name == "why":
        words.set_defaults(explains=True)
        words.add_argument("name", nargs="?", metavar="NAME")
    else:
        if not is_cell:
            words.add_argument("switch", nargs="?", choices=("on", "off"))
        view = words.add_mutually_exclusive_group()
        view.add_argument("--graph", action="store_const", const="graph", dest="view")
        view.add_argument("--step", action="store_const", const="step", dest="view")
        view.add_argument("--html", metavar="FILE", dest="file")
        words.add_argument("--why", metavar="NAME", dest="name")
        words.add_argument("--theme", choices=("light", "dark"), default="light")
        words.add_argument("--cards", type=int, metavar="N")
        words.set_defaults(view="graph")
    return words.read(line)


def _requested_on_top(cell: str) -> argparse.Namespace | None:
    """Return the options in the first line of a cell; None if the line is not one of our magics, or has a mistake."""
    found = _ON_TOP.match(cell)
    try:
        return _read(found[1], found[2], is_cell=True) if found else None
    except UsageError:
        return None  # IPython then calls the magic, which reports the mistake


def as_comment(lines: list[str]) -> list[str]:
    """Return the lines of a cell, with one of our magics at the top as a comment."""
    is_ours = bool(lines) and _requested_on_top(lines[0]) is not None
    return [f"# {lines[0]}", *lines[1:]] if is_ours else lines


# --- the magics ---


class Magics:
    """The magics of one shell; they remember the last recording."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._last: Recording | None = None

    def tape(self, line: str, cell: str | None = None) -> None:
        """Draw what this cell does on its tapes.

        %%tape                  draw the picture below the cell
        %%tape --why w          also explain the gradient with respect to w
        %%tape --step           show a page to step through instead of the picture
        %%tape --html run.html  write the same page to a file
        %tape on                record from this point on, until %tape off
        %tape                   draw the picture of everything recorded so far

        --theme dark and --cards N change the picture; --on tensorflow or --on minitape
        chooses what to record if the program uses both.
        """
        self._do("tape", line, cell)

    def why(self, line: str, cell: str | None = None) -> None:
        """Explain the gradients of this cell.

        %%why      explain which gradients were lost in this cell, and why
        %%why w    explain the gradient with respect to w
        %why       explain everything recorded so far; also %why w
        """
        self._do("why", line, cell)

    def step(self, line: str, cell: str | None = None) -> None:
        """Step through this cell, forward and backward, on a page below it.

        %%step     show the page of this cell
        %step      show the page of everything recorded so far
        """
        self._do("step", line, cell)

    def _do(self, name: str, line: str, cell: str | None) -> None:
        requested = _read(name, line, is_cell=cell is not None)
        # from a program; a line that a user typed is already a comment here
        if cell is not None:
            self._shell.run_cell(f"%%{name} {line}\n{cell}")
        elif requested.switch == "on":
            self._last = _reported(record, requested.engine)
        elif requested.switch == "off":
            _stop_all()
        elif recording := _tracing(requested.engine) or self._last:
            self._show(requested, recording, 0)
        else:
            raise UsageError(
                f"nothing is recorded yet\n  try : %tape on in an earlier cell, or %%{name} as the first line of one"
            )

    # --- cells ---

    def begin(self, info: Any) -> None:
        """Handle the start of a cell: record it if its first line requests that, and show the result at its end."""
        requested = _requested_on_top(info.raw_cell)
        if requested is None:
            return
        running = _tracing(requested.engine)
        try:
            recording = self._last = running or _reported(Recording, on=requested.engine)
        except UsageError as error:
            self._shell.show_usage_error(error)
            return
        since = recording.written if running else 0
        if not running:
            recording.start()

        def over(result: Any) -> None:
            self._shell.events.unregister("post_run_cell", over)
            newest = _tracing(requested.engine)
            if not running:
                recording.stop()
            if result.error_before_exec is not None:
                return
            if newest is None or newest is recording:
                self._show_or_complain(requested, recording, since)
            else:  # the cell itself called tf.debug.record(), which has ended our recording
                self._show_or_complain(requested, newest, 0)

        self._shell.events.register("post_run_cell", over)

    def _show_or_complain(
        self, requested: argparse.Namespace, recording: Recording, since: int
    ) -> None:
        try:
            self._show(requested, recording, since)
        except UsageError as error:
            self._shell.show_usage_error(error)

    # --- what is shown ---

    def _show(self, requested: argparse.Namespace, recording: Recording, since: int) -> None:
        try:
            if requested.file:
                recording.debugger().save(requested.file)
                print(f"wrote {requested.file}")
            elif requested.view == "step":
                _display(recording.debugger())
            elif requested.view == "graph":
                _display(recording.graph(since=since, theme=requested.theme, cards=requested.cards))
            if requested.explains or requested.name:
                _display(self._explanation(recording, since, requested.name))
        except Teaching as error:
            raise UsageError(str(error)) from None

    def _explanation(self, recording: Recording, since: int, name: str | None) -> Explanation:
        whole = recording.why().only(lambda call, _: call.event >= since)
        names = {source.name for call in whole.report.calls for source in call.sources}
        if name is None:
            return whole
        if name in names:
            return whole.only(lambda _, source: source.name == name)
        if name in self._shell.user_ns:
            return recording.why(self._shell.user_ns[name])
        known = ", ".join(sorted(names)) or "none"
        raise UsageError(
            f"the program requested no gradient with respect to `{name}`; the sources are {known}"
        )


def _reported(begin: Callable[..., Recording], *given: Any, **named: Any) -> Recording:
    """Return a new recording; if recording is not possible, print a line with the reason."""
    try:
        return begin(*given, **named)
    except Teaching as error:
        raise UsageError(str(error)) from None


def _tracing(engine: str | None = None) -> Recording | None:
    """Return the latest active recording, of this engine if one is named."""
    found = [each for each in recordings() if engine in (None, each.on)]
    return found[-1] if found else None


def _stop_all() -> None:
    while recording := _tracing():
        recording.stop()


def _display(what: object) -> None:
    display(what)  # type: ignore[no-untyped-call]  # IPython gives it no type
