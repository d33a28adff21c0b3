"""What all commands on a script share: the common options, running the script, and writing the answer.

takes_script    turns a function of a `ScriptCommand` into a command, and adds the common options to its own
ScriptCommand   the script and the options that the user gave; `recording` runs or reads it, `show` and `write` output the answer
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import typer

from minitape_cli import messages, options
from minitape_cli.console import Terminal, check_writable, write
from minitape_cli.exits import ExitCode
from minitape_cli.help_sections import MORE, RUNNING, in_section

if TYPE_CHECKING:
    from minitape.run.ending import Ending
    from minitape.run.jobs import Companion
    from minitape.run.options import RunOptions
    from minitape.run.program import Program
    from minitape.trace.events import Event
    from minitape_cli.recording import RecordedRun


@dataclass(frozen=True)
class ScriptCommand:
    """One request of the user: the program, how to run it, and where the answer is written.

    Attributes:
        name: The first argument, as the user typed it.
        args: The arguments for the script.
        run_options: How to run it: engine, limits, seed.
        terminal: Where the answer and the notes are printed.
        is_code: `name` is Python code.
        is_module: `name` is the name of a module.
        is_quiet: Print no notes and no progress.
        is_swapped: `import minitape` in the program means TensorFlow.
        command: The command to suggest for running the script on TensorFlow; it must accept `--on`.
    """

    name: str | None
    args: tuple[str, ...]
    run_options: "RunOptions"
    terminal: Terminal
    is_code: bool = False
    is_module: bool = False
    is_quiet: bool = False
    is_swapped: bool = False
    command: str = "explain"

    @functools.cached_property
    def what(self) -> "Path | Program":
        """The program to run, or the path of the trace to read.

        Raises:
            typer.BadParameter: no name was given, or it cannot be found.
        """
        if self.name is None:
            raise typer.BadParameter(messages.NO_SCRIPT, param_hint="SCRIPT")
        named = options.program(self.name, is_code=self.is_code, is_module=self.is_module)
        if not self.is_swapped:
            return named
        from minitape.run.program import of_file, with_tensorflow

        return with_tensorflow(of_file(named) if isinstance(named, Path) else named)

    @property
    def inputs(self) -> tuple[Path, ...]:
        """The files that an answer must not overwrite."""
        return options.files(self.what)

    def about(self, name: str) -> "ScriptCommand":
        """Return the same request for another script."""
        return replace(self, name=name)

    def on_tensorflow(self) -> "ScriptCommand":
        """Return the same program on TensorFlow; its `import minitape` means TensorFlow too."""
        return replace(
            self, run_options=replace(self.run_options, on="tensorflow"), is_swapped=True
        )

    def refuse_trace(self, why: str) -> None:
        """Refuse a trace, for a command that has to run the script.

        Args:
            why: The message of the error.

        Raises:
            typer.BadParameter: a trace was named.
        """
        from minitape_cli.running import is_trace

        if is_trace(self.what):
            raise typer.BadParameter(why, param_hint="SCRIPT")

    def check_writable(self, to: Path | None) -> None:
        """Check the output file before the script runs.

        Raises:
            typer.BadParameter: the file cannot be written, or the script does not exist.
        """
        check_writable(to, inputs=self.inputs)

    def recording(
        self,
        *,
        call: int | None = None,
        sink: "Callable[[Event], None] | None" = None,
        companion: "Companion | None" = None,
        quiet_stdout: bool = True,
        into: TextIO | None = None,
        emits: bool = True,
        loads: tuple[str, ...] = (),
        unwanted: Callable[[], bool] = lambda: False,
    ) -> "RecordedRun":
        """Run the script or read the trace, and print the notes about the run.

        Args:
            call: The number of a gradient call that the run must have.
            sink: Called with each event as it arrives.
            companion: Computes something in the script's process as well.
            quiet_stdout: Send the script's own output to stderr, so that stdout holds only the answer.
            into: A stream for the script's output, in place of stdout and stderr.
            emits: Print the notes about the run, such as limits that were reached and exceptions.
            loads: Modules to import while the script runs, because the command needs them afterwards.
            unwanted: Checked while the script runs; once it returns True, the run is ended.

        Raises:
            typer.BadParameter: the run has fewer gradient calls than `call`.
        """
        from minitape_cli.running import record

        early: list[str] = []

        def learned(ending: "Ending") -> None:
            if ending.missing and not early:
                early.append(self._missing_note(ending))
                if emits:
                    self.terminal.note(early[0])

        recording = record(
            self.what,
            self.args,
            self.run_options,
            sink=sink,
            learned=learned,
            companion=companion,
            quiet_stdout=quiet_stdout,
            into=into,
            shows_progress=not self.is_quiet,
            loads=loads,
            unwanted=unwanted,
        )
        recording = replace(recording, early=tuple(early))
        if emits:
            recording.emit(self.terminal)
        recording.check_call(call)
        return recording

    def program_of(self, recording: "RecordedRun", *, option: str) -> "Program":
        """Return the program of a recording, to run it again for an option.

        Raises:
            typer.BadParameter: a trace was named.
        """
        from minitape.run.program import Program, of_file

        if recording.run is None:
            raise typer.BadParameter(messages.TRACE_CANNOT_RUN_AGAIN, param_hint=option)
        return self.what if isinstance(self.what, Program) else of_file(self.what)

    def _missing_note(self, ending: "Ending") -> str:
        from minitape_cli.recording import missing_note

        named = f"-m {self.name}" if self.is_module else self.name
        script = "SCRIPT" if self.is_code or self.name == "-" else named
        return missing_note(
            ending.missing, self.what, f"minitape {self.command} --on tensorflow {script}"
        )

    def show(self, renderable: Any, to: Path | None = None) -> None:
        """Print an answer laid out for reading, or write it to a file."""
        if to is None:
            self.terminal.show(renderable)
        else:
            self.write(self.terminal.as_text(renderable), to)

    def write(self, data: bytes | str, to: Path | None = None) -> None:
        """Write an answer without any layout."""
        write(data, to, terminal=self.terminal, inputs=self.inputs)


def _common(
    script: str | None,
    args: options.Arguments = None,
    is_code: options.IsCode = False,
    is_module: options.IsModule = False,
    on: options.On = None,
    as_tensorflow: options.AsTensorFlow = False,
    python: options.Python = None,
    timeout: options.Timeout = 30,
    max_ops: options.MaxOps = 20_000,
    trace_calls: options.TraceCalls = None,
    max_memory: options.MaxMemory = None,
    seed: options.Seed = None,
    quiet: options.Quiet = False,
    color: options.Colored = options.Color.AUTO,
) -> ScriptCommand:
    """Return the common options of all commands on a script; their declarations are read from this signature.

    Raises:
        typer.BadParameter: `--as-tensorflow` was combined with another engine.
    """
    from minitape.run.options import RunOptions

    if as_tensorflow and on is options.RunsOn.TENSORFLOW:
        raise typer.BadParameter(messages.ONE_ENGINE, param_hint="--on")
    engine = options.RunsOn.MINITAPE if as_tensorflow else on
    return ScriptCommand(
        script,
        tuple(args or ()),
        RunOptions(
            on=None if engine is None else engine.value,
            timeout=timeout,
            max_ops=max_ops,
            trace_calls=trace_calls,
            max_memory=max_memory,
            seed=seed,
            python=python,
        ),
        Terminal(color, quiet=quiet),
        is_code,
        is_module,
        quiet,
    )


_FIRST = ("script", "args")  # before the command's own options; all other common ones come after


def takes_script(
    *groups: Callable[..., Any],
    script: Any = options.Script,
    first: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    **defaults: Any,
) -> Callable[[Callable[..., ExitCode]], Callable[..., None]]:
    """Turn a function of a `ScriptCommand`, of the results of option groups, and of options of its own into a command.

    Args:
        groups: Functions whose parameters are options that belong together. Each is called with the values of its own options.
        script: The declaration of the first argument.
        first: The options that matter most: the help lists them first and the command's other options under "More options".
            Empty if all of the command's own options are listed together.
        without: The common options that this command does not have.
        defaults: Defaults of common options, where this command has a different one.
    """
    common = dict(inspect.signature(_common).parameters)
    common["script"] = common["script"].replace(annotation=script)
    if script is options.ScriptOrCode:
        common["script"] = common["script"].replace(default=None)
    for name, default in defaults.items():
        common[name] = common[name].replace(default=default)
    for name in without:
        del common[name]

    def declared(command: Callable[..., ExitCode]) -> Callable[..., None]:
        own = list(inspect.signature(command).parameters.values())[1 + len(groups) :]
        grouped = [dict(inspect.signature(group).parameters) for group in groups]
        named = [each for name, each in common.items() if name in _FIRST]
        rest = [each for name, each in common.items() if name not in _FIRST]
        own += [each for group in grouped for each in group.values()]
        listed = _with_first(own, first) if first else own
        running = [in_section(each, RUNNING) for each in rest]
        every = [*named, *listed, *running]
        signature = inspect.Signature(
            [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in every]
        )

        def run(**given: Any) -> None:
            bound = signature.bind(**given)
            bound.apply_defaults()
            left = bound.arguments
            made = [
                make(**{name: left.pop(name) for name in names})
                for make, names in zip((_common, *groups), (common, *grouped), strict=True)
            ]
            if "on" not in without:
                made[0] = replace(made[0], command=command.__name__)
            raise typer.Exit(command(*made, **left))

        run.__name__, run.__doc__ = command.__name__, command.__doc__
        run.__signature__ = signature  # type: ignore[attr-defined]
        run.__annotations__ = {name: each.annotation for name, each in signature.parameters.items()}
        return run

    return declared


def _with_first(
    own: Sequence[inspect.Parameter], first: tuple[str, ...]
) -> list[inspect.Parameter]:
    """Return the options of a command: those that matter most first, the others in a section of their own."""
    named = {each.name: each for each in own}
    return [
        *(named[name] for name in first),
        *(in_section(each, MORE) for each in own if each.name not in first),
    ]
