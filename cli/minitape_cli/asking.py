"""What all commands on a script have in common: its options, declared once, and the way from its name to what is written.

takes_script    makes a command of a function on an `Asked`: the common options are added to its own
Asked           what the user named and wished; `recording` runs or reads it, `show` and `write` tell the answer
"""

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import typer

from minitape_cli import options
from minitape_cli.console import Terminal, check_writable, write
from minitape_cli.exits import Exit

if TYPE_CHECKING:
    from minitape.run.ending import Ending
    from minitape.run.jobs import Companion
    from minitape.run.program import Program
    from minitape.run.wishes import Wishes
    from minitape.trace.events import Event
    from minitape_cli.recording import Recording


@dataclass(frozen=True)
class Asked:
    """One question of the user's: about which program, on what conditions, and where the answer goes."""

    name: str | None
    args: tuple[str, ...]
    wishes: "Wishes"
    terminal: Terminal
    is_code: bool = False
    is_module: bool = False
    is_quiet: bool = False
    is_swapped: bool = False
    command: str = "explain"  # one that takes --on

    @functools.cached_property
    def what(self) -> "Path | Program":
        """What is run, or read.

        Raises:
            typer.BadParameter: there is no such thing.
        """
        if self.name is None:
            raise typer.BadParameter("name a script or a trace.", param_hint="SCRIPT")
        named = options.program(self.name, is_code=self.is_code, is_module=self.is_module)
        if not self.is_swapped:
            return named
        from minitape.run.program import of_file, with_tensorflow

        return with_tensorflow(of_file(named) if isinstance(named, Path) else named)

    @property
    def inputs(self) -> tuple[Path, ...]:
        """The files that must not be written over."""
        return options.files(self.what)

    def about(self, name: str) -> "Asked":
        """The same of another script."""
        return replace(self, name=name)

    def on_tensorflow(self) -> "Asked":
        """The same program on TensorFlow, which it asks for even where it asks for minitape."""
        return replace(self, wishes=replace(self.wishes, on="tensorflow"), is_swapped=True)

    def refuse_trace(self, why: str) -> None:
        """For a command that has to run the script itself.

        Raises:
            typer.BadParameter: a trace was named.
        """
        from minitape_cli.running import is_trace

        if is_trace(self.what):
            raise typer.BadParameter(why, param_hint="SCRIPT")

    def check_writable(self, to: Path | None) -> None:
        """Refuse a place for the answer before the script runs, not after.

        Raises:
            typer.BadParameter: nothing can be written there, or there is no such script.
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
        tells: bool = True,
        loads: tuple[str, ...] = (),
        unwanted: Callable[[], bool] = lambda: False,
    ) -> "Recording":
        """Run what was named, or read it, and say what is to be said about that.

        Args:
            call: The gradient call that is asked about: refused, if the run has no such call.
            sink: Given each event as it comes.
            companion: Listens in the script's process too.
            quiet_stdout: The script's own output goes to stderr, so that stdout holds the answer and nothing else.
            into: Where it goes instead of either.
            tells: Whether it is said how the run ended, where that is not as it should be.
            loads: Modules that the command goes on to need, beside those that explain: loaded while the script runs.
            unwanted: Once it says so, the run is ended: a newer one is to come.

        Raises:
            typer.BadParameter: see `call`.
        """
        from minitape_cli.running import record

        early: list[str] = []

        def learned(ending: "Ending") -> None:
            if ending.missing and not early:
                early.append(self._missing_note(ending))
                if tells:
                    self.terminal.remark(early[0])

        recording = record(
            self.what,
            self.args,
            self.wishes,
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
        if tells:
            recording.tell(self.terminal)
        recording.check_call(call)
        return recording

    def _missing_note(self, ending: "Ending") -> str:
        from minitape_cli.recording import missing_note

        named = f"-m {self.name}" if self.is_module else self.name
        script = "SCRIPT" if self.is_code or self.name == "-" else named
        return missing_note(
            ending.missing, self.what, f"minitape {self.command} --on tensorflow {script}"
        )

    def show(self, renderable: Any, to: Path | None = None) -> None:
        """An answer for people."""
        if to is None:
            self.terminal.show(renderable)
        else:
            self.write(self.terminal.as_text(renderable), to)

    def write(self, data: bytes | str, to: Path | None = None) -> None:
        """An answer as it is."""
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
    listen: options.Listen = None,
    max_memory: options.MaxMemory = None,
    seed: options.Seed = None,
    quiet: options.Quiet = False,
    color: options.Colored = options.Color.AUTO,
) -> Asked:
    """What every command on a script takes.

    Raises:
        typer.BadParameter: --as-tensorflow and another engine.
    """
    from minitape.run.wishes import Wishes

    if as_tensorflow and on is options.RunsOn.TENSORFLOW:
        raise typer.BadParameter(
            "--as-tensorflow is another name for --on minitape: one of the two.", param_hint="--on"
        )
    engine = options.RunsOn.MINITAPE if as_tensorflow else on
    return Asked(
        script,
        tuple(args or ()),
        Wishes(
            on=None if engine is None else engine.value,
            timeout=timeout,
            max_ops=max_ops,
            listen=listen,
            max_memory=max_memory,
            seed=seed,
            python=python,
        ),
        Terminal(color, quiet=quiet),
        is_code,
        is_module,
        quiet,
    )


_FIRST = (
    "script",
    "args",
    "is_code",
    "is_module",
)  # in the help: what is run, the command's own, how it is run


def takes_script(
    *groups: Callable[..., Any],
    script: Any = options.Script,
    without: tuple[str, ...] = (),
    **defaults: Any,
) -> Callable[[Callable[..., Exit]], Callable[..., None]]:
    """Make a command of a function that takes an `Asked`, what each group makes of its options, and options of its own.

    Args:
        groups: Functions of options that belong together.
        script: Another declaration of what is named first.
        without: Common options that this command has not.
        defaults: Other defaults for common options.
    """
    common = dict(inspect.signature(_common).parameters)
    common["script"] = common["script"].replace(annotation=script)
    if script is options.ScriptOrCode:
        common["script"] = common["script"].replace(default=None)
    for name, default in defaults.items():
        common[name] = common[name].replace(default=default)
    for name in without:
        del common[name]

    def declared(command: Callable[..., Exit]) -> Callable[..., None]:
        own = list(inspect.signature(command).parameters.values())[1 + len(groups) :]
        grouped = [dict(inspect.signature(group).parameters) for group in groups]
        first = [each for name, each in common.items() if name in _FIRST]
        rest = [each for name, each in common.items() if name not in _FIRST]
        every = [*first, *own, *(each for group in grouped for each in group.values()), *rest]
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
