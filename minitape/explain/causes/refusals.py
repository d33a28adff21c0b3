"""Causes of gradient calls that raise."""

import ast
from dataclasses import dataclass

from minitape.explain.causes.cause import Cause, Facts, FindingContext
from minitape.explain.causes.keras import from_tensors
from minitape.explain.causes.rewriting import is_place, persistent, with_source
from minitape.explain.causes.texts import DiagnosticText, code, joined
from minitape.explain.causes.texts import refusals as texts
from minitape.explain.causes.wording import usual
from minitape.explain.flow.leaving import is_of_keras
from minitape.explain.flow.program.trees import tree_or_empty
from minitape.source_text import walk
from minitape.trace import events


def _tape_consumed(context: FindingContext[Facts]) -> DiagnosticText:
    earlier = [
        call
        for call in context.flow.calls.values()
        if call.tape == context.call.tape and call.event.i < context.call.event.i
    ]
    # All earlier calls with a result were only inspected (`tape.explain`), which does not consume a tape.
    spender = [*earlier[:1], *(call for call in earlier if call.results)][-1:]
    opening = persistent(context.code_of(context.event))
    fix = texts.USE_TAPE(expression=code(opening))
    if opening.startswith("with "):
        fix = texts.WRITE_ON_LINE(statement=code(opening), line=context.line)
    if not spender:
        return texts.CONSUMED_BEFORE(tape=context.tape, fix=fix)
    earlier_line = context.line_of(spender[0].event)
    return texts.CONSUMED(earlier=earlier_line, tape=context.tape, fix=fix)


tape_consumed = Cause("tape-consumed", "MT501", says=_tape_consumed, usual=usual.one_call)


@dataclass(frozen=True, kw_only=True)
class Refused(Facts):
    """A gradient call that raised.

    Attributes:
        message: The message of the error.
    """

    message: str


@dataclass(frozen=True, kw_only=True)
class WrongCount(Refused):
    """A user's gradient function whose number of gradients differs from the number of inputs of its function.

    Attributes:
        function: The function.
        inputs: Its parameters.
        expected: How many gradients it should return.
        returned: How many it returns.
    """

    function: str
    inputs: tuple[str, ...]
    expected: int
    returned: int


def _refused_call(context: FindingContext[Refused]) -> DiagnosticText:
    facts = context.facts
    if not isinstance(facts, WrongCount):
        return _bad_type(context)
    return texts.WRONG_COUNT(
        function=code(facts.function),
        expected=facts.expected,
        returned=facts.returned,
        line=context.place_line,
        inputs=joined([code(each) for each in facts.inputs]),
    )


def _bad_type(context: FindingContext[Refused]) -> DiagnosticText:
    message = context.facts.message.splitlines() or [texts.NO_MESSAGE]
    if "' object has no attribute" in message[0]:
        message = _of_other_type(context)
    entry = texts.NOT_A_TENSOR if context.found.at else texts.CALL_RAISES
    if isinstance(context.event, events.ExportEvent):
        entry = texts.LEAVES_HERE
    return entry(message=message[0], line=context.place_line, fix=_valid(context, message))


def _of_other_type(context: FindingContext[Refused]) -> list[str]:
    """Return the message and the advice for a target or source that is not a tensor, which TensorFlow detects only
    internally.
    """
    if context.found.cause is bad_source_type:
        return [texts.NOT_A_SOURCE(source=context.the_source)]
    return [texts.NOT_A_TARGET(target=context.the_target), f"  try : {texts.KEEP_TENSORS}"]


def _valid(context: FindingContext[Refused], message: list[str]) -> str:
    """Return what to pass instead, or the advice of the error message if nothing better is known."""
    if isinstance(context.event, events.ExportEvent) and is_of_keras(context.event):
        return from_tensors(context)
    if "is a str (" in message[0]:
        return texts.PASS_VARIABLES
    if message[0].startswith("A source") and is_place(context.source):
        x = context.source
        if "(<" in message[0]:  # an object, not a number: a layer, a model
            call = with_source(context.call_text, f"{x}.trainable_variables")
            return texts.PASS_WEIGHTS(call=code(call))
        return _make_variable(context, x)
    advised = (line.partition(":")[2].strip() for line in message if line.startswith("  try"))
    return next(advised, "") or texts.PASS_TENSORS


def _make_variable(context: FindingContext[Refused], x: str) -> str:
    """Return the advice to create a variable from a number: where its statement gives it a value, or before the tape."""
    place = context.place
    program = "" if place is None else context.flow.texts.get(place.file, "")
    for node in walk(tree_or_empty(program)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == x:
                if node.lineno == context.place_line:
                    made = code(f"{x} = tf.Variable({ast.unparse(value)})")
                    return texts.MAKE_VARIABLE_ON_LINE(statement=made, line=node.lineno)
    statement = code(f"{x} = tf.Variable({x})")
    return texts.MAKE_VARIABLE(statement=statement, target=context.the_target)


refused_call = Cause("refused-call", "MT503", says=_refused_call, by_hand=texts.CALL_BY_HAND)
bad_source_type = Cause(
    "bad-source-type",
    "MT503",
    says=_bad_type,
    by_hand=texts.SOURCE_BY_HAND,
)
bad_target_type = Cause(
    "bad-target-type",
    "MT503",
    says=_bad_type,
    by_hand=texts.TARGET_BY_HAND,
)
