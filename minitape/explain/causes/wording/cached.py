"""The texts for a value that is kept from before the tape opened: by a cache, or by an attribute or dictionary of the user."""

from dataclasses import dataclass

from minitape.explain.causes.cause import Facts, FindingContext
from minitape.explain.causes.texts import DiagnosticText, code
from minitape.explain.causes.texts import tapes as texts


@dataclass(frozen=True)
class Stored:
    """An attribute or an entry of a dictionary that keeps a value between calls.

    Attributes:
        place: The place where the value is stored, such as `self.z` or `known[key]`.
        condition: The head of the statement that stores the value only if it is missing, such as `if self.z is None`.
        line: The line of that head.
    """

    place: str
    condition: str
    line: int


@dataclass(frozen=True)
class CachedValue:
    """What keeps a value between calls of a function.

    Attributes:
        function: The name of the function.
        ran: The line of the call that computed the value.
        by: The name of the decorator that caches the result, or the attribute or dictionary entry that keeps it.
    """

    function: str
    ran: int
    by: str | Stored


def reported(context: FindingContext[Facts], kept: CachedValue) -> DiagnosticText:
    """Return the texts for a value that was computed before the tape opened and has been kept since."""
    function, source, tape, incomplete = (
        code(kept.function),
        context.the_source,
        context.tape,
        context.incomplete,
    )
    if isinstance(kept.by, Stored):
        return texts.KEPT_BY_STORE(
            line=context.place_line,
            stored=code(kept.by.place),
            function=function,
            ran=kept.ran,
            tape=tape,
            incomplete=incomplete,
            condition=code(f"{kept.by.condition}:"),
            condition_line=kept.by.line,
        )
    decorator = code(f"@{kept.by}")
    advice = texts.PROPERTY_INSTEAD if kept.by.endswith("property") else texts.REMOVE_DECORATOR
    return texts.KEPT_BY_DECORATOR(
        decorator=decorator,
        function=function,
        ran=kept.ran,
        source=source,
        tape=tape,
        incomplete=incomplete,
        fix=advice(decorator=decorator),
    )
