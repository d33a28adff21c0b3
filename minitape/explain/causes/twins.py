"""Causes where the target was computed from an object other than the source: another variable, a copy, another model, or a name
that is looked up late. Their texts are in `texts/twins.py`.
"""

import ast
from dataclasses import dataclass

from minitape.explain.causes.cause import SAME_IN_ALL, Cause, Facts, FindingContext, OnCard
from minitape.explain.causes.rewriting import renamed, renamed_owner, with_source
from minitape.explain.causes.texts import DiagnosticText, code
from minitape.explain.causes.texts import twins as texts
from minitape.explain.flow.program.functions import Late
from minitape.explain.flow.program.sources import Assignment, value_of
from minitape.explain.flow.program.text import starts_as_none
from minitape.explain.report import Confidence, Evidence

# --- another variable ---


@dataclass(frozen=True, kw_only=True)
class Recreated(Facts):
    """A variable was created twice. Each subclass is a case in which the reason is known."""


@dataclass(frozen=True, kw_only=True)
class Copied(Recreated):
    """The program copied the object that holds the variable.

    Attributes:
        copied: The call that copies, such as `copy.deepcopy(model)`.
        original: What it copies.
    """

    copied: str
    original: str


@dataclass(frozen=True, kw_only=True)
class UsedClone(Recreated):
    """The program used a copy of a model on the line that made it.

    Attributes:
        copied: The call that copies, such as `clone_model(base)`.
        statement: The line with the model itself in place of the copy.
    """

    copied: str
    statement: str


@dataclass(frozen=True, kw_only=True)
class CopiedWeights(Recreated):
    """The sources are new variables with the values of a model's weights.

    Attributes:
        original: The model, which uses its own weights.
        better: The gradient call with the weights of the model.
    """

    original: str
    better: str


@dataclass(frozen=True, kw_only=True)
class OfProperty(Recreated):
    """A property creates a variable each time it is read.

    Attributes:
        name: The property.
    """

    name: str


@dataclass(frozen=True, kw_only=True)
class Replaced(Recreated):
    """A newer variable was created from the value of the source.

    Attributes:
        kept: The name that the gradient call passes as its sources, and the statement that assigned it; None if unknown.
    """

    kept: tuple[str, Assignment] | None


@dataclass(frozen=True, kw_only=True)
class TakenTooEarly(Recreated):
    """The list of sources was taken before a later line replaced the source.

    Attributes:
        kept: The name that the gradient call passes as its sources, and the statement that assigned it.
        later: The later line, in the same function.
        twin: The variable that replaced the source.
    """

    kept: tuple[str, Assignment]
    later: int
    twin: int


@dataclass(frozen=True, kw_only=True)
class CreatedLater(Recreated):
    """The source was created after the variable that was used.

    Attributes:
        used: The event that created the variable that was used.
        default: Whether a default argument keeps the variable that was used.
    """

    used: int
    default: bool


@dataclass(frozen=True, kw_only=True)
class EachIteration(Recreated):
    """A loop creates a variable in each iteration.

    Attributes:
        loop: The line of the loop.
    """

    loop: int


@dataclass(frozen=True, kw_only=True)
class EachCall(Recreated):
    """A function creates a variable in each call.

    Attributes:
        name: What the function calls it; None if it has no name.
    """

    name: str | None


def _recreated_variable(context: FindingContext[Recreated]) -> DiagnosticText:
    at = {"source": context.the_source, "target": context.the_target, "line": context.place_line}
    requested = context.outer_line(context.flow.placed(context.found.also[0]))
    match context.facts:
        case Copied(copied=copied, original=original):
            better = renamed(context.call_text, original, context.result)
            return texts.COPIED(
                copied=code(copied),
                original=code(original),
                requested=requested,
                call=better,
                **at,
            )
        case UsedClone(copied=copied, statement=statement):
            return texts.OTHER_CLONE(
                copied=code(copied), statement=code(statement), requested=requested, **at
            )
        case CopiedWeights(original=original, better=better):
            return texts.COPIED_WEIGHTS(original=code(original), call=code(better), **at)
        case OfProperty(name=name):
            return texts.PROPERTY(name=code(name), statement=_made_in_init(context, name), **at)
        case Replaced(kept=kept):
            return _replaced(context, kept, requested)
        case TakenTooEarly(kept=(name, taken), later=later, twin=twin):
            statement = f"{name} = {ast.unparse(taken.value)}"
            return texts.TAKEN_TOO_EARLY(
                name=code(name),
                later=later,
                new=context.called(twin),
                statement=code(statement),
                **at,
            )
        case CreatedLater(used=used, default=is_default):
            return _created_later(
                context, context.outer_line(context.flow.placed(used)), is_default
            )
        case EachIteration(loop=loop):
            return texts.EACH_ITERATION(loop=loop, **at)
        case EachCall(name=name):
            return texts.EACH_CALL(
                name=texts.A_VARIABLE if name is None else code(name),
                requested=requested,
                advice=_created_once(context, name or ""),
                **at,
            )
    if requested == context.place_line:
        return texts.BOTH_ON_ONE_LINE(**at)
    return texts.ANOTHER_VARIABLE(requested=requested, **at)


def _made_in_init(context: FindingContext[Recreated], name: str) -> str:
    """Return the result of the property, as a statement in `__init__`."""
    site = context.place_site
    if site is not None and site.code == f"return {site.expression}":
        return texts.SAME_IN_INIT(name=name, value=" ".join(site.expression.split()))
    return texts.IN_INIT(name=name)


def _replaced(
    context: FindingContext[Recreated], kept: tuple[str, Assignment] | None, requested: int
) -> DiagnosticText:
    line = context.place_line
    since, advice = "", texts.SOURCES_AGAIN(line=line)
    if kept is not None:
        name, taken = kept
        since = texts.OLD_LIST(line=taken.line)
        statement = f"{name} = {ast.unparse(taken.value)}"
        advice = texts.LIST_AGAIN(statement=statement, line=line)
    return texts.REPLACED(
        source=context.the_source,
        target=context.the_target,
        line=line,
        requested=requested,
        since=since,
        advice=advice,
    )


def _created_later(
    context: FindingContext[Recreated], used: int, is_default: bool
) -> DiagnosticText:
    at = {"source": context.the_source, "target": context.the_target, "line": context.place_line}
    if is_default:
        return texts.DEFAULT_ARGUMENT(used=used, requested=context.outer_line(context.event), **at)
    return texts.CREATED_LATER(used=used, **at)


def _created_once(context: FindingContext[Recreated], name: str) -> str:
    """Return the code to write in a function so that only its first call creates a variable."""
    site = context.place_site
    statement = "" if site is None else site.code
    if name.startswith("self."):
        attribute = repr(name.removeprefix("self."))
        program = "" if site is None else context.flow.texts.get(site.at.file, "")
        if starts_as_none(program, name):
            return texts.CREATE_IF_NONE(name=name, statement=statement)
        return texts.CREATE_ONLY_ONCE(attribute=attribute, statement=statement)
    return texts.MOVE_BEFORE_FUNCTION(statement=statement)


recreated_variable = Cause(
    "recreated-variable",
    "MT307",
    says=_recreated_variable,
    evidence=Evidence.NAME,
    confidence=Confidence.LIKELY,
    card=OnCard(texts.CREATED_AGAIN_CARD, texts.CREATED_AGAIN_LEAVING),
    by_hand=texts.UNKNOWN_VARIABLE,
    clues=(SAME_IN_ALL,),
)


# --- another model ---


@dataclass(frozen=True, kw_only=True)
class OtherModel(Facts):
    """The program called a model other than the one whose weights are requested.

    Attributes:
        called: The model that was called.
        meant: The model whose weights are requested, as the line of the call would write it.
        called_made: The line that created the model that was called.
        meant_made: The line that created the model that was meant; None for the line that created the source.
        better: The statement that requests the weights of the model that was called, if these were meant; else None.
    """

    called: str
    meant: str
    called_made: int
    meant_made: int | None
    better: str | None = None


def _other_model(context: FindingContext[OtherModel]) -> DiagnosticText:
    facts, site = context.facts, context.place_site
    if facts.better is not None:
        return texts.WEIGHTS_OF_COPY(
            called=code(facts.called),
            meant=code(facts.meant),
            line=context.line,
            target=context.the_target,
            statement=code(facts.better),
        )
    assert site is not None
    made = facts.meant_made or context.outer_line(context.flow.placed(context.found.also[0]))
    better = site.expression.replace(facts.called, facts.meant, 1)
    return texts.OTHER_MODEL(
        line=context.place_line,
        called=code(facts.called),
        called_made=facts.called_made,
        meant=code(facts.meant),
        meant_made=made,
        target=context.the_target,
        statement=" ".join(site.code.replace(site.expression, better, 1).split()),
        or_request=_or_request(context),
    )


def _or_request(context: FindingContext[OtherModel]) -> str:
    """Return the advice for a program that means the model that it called; empty if the gradient call does not name a model."""
    facts, call = context.facts, context.call.event.text
    requested = _weights_of_loaded(context) or renamed_owner(call, facts.meant, facts.called)
    if requested is None:
        return ""
    return texts.OR_WEIGHTS_OF_CALLED(called=code(facts.called), call=code(requested))


def _weights_of_loaded(context: FindingContext[OtherModel]) -> str | None:
    """Return the gradient call with the weights of a model that was loaded from a file, which have the names of the original's.

    A loaded `tf.Module` has its variables as attributes, and no list of them.
    """
    site = context.place_site
    program = "" if site is None else context.flow.texts.get(site.at.file, "")
    loaded = value_of(program, context.facts.called, site.at.line if site is not None else 0)
    sources = [each.name for each in context.call.event.sources]
    names = [each.removeprefix("self.") for each in sources if each.startswith("self.")]
    if loaded is None or "saved_model.load(" not in ast.unparse(loaded.value):
        return None
    if len(names) < len(sources) or not all(each.isidentifier() for each in names):
        return None
    listed = ", ".join(f"{context.facts.called}.{each}" for each in names)
    return with_source(context.call.event.text, f"[{listed}]")


other_model = Cause(
    "other-model",
    "MT308",
    says=_other_model,
    evidence=Evidence.NAME,
    confidence=Confidence.LIKELY,
    card=OnCard(texts.OTHER_MODEL_CARD, texts.OTHER_MODEL_LEAVING),
    is_other_target=True,
    clues=(SAME_IN_ALL,),
)


# --- a name that is looked up late ---


@dataclass(frozen=True, kw_only=True)
class LateBinding(Facts):
    """A function that was created in a loop looks up the loop variable when it is called.

    Attributes:
        late: The function.
        twin: The variable that the function used instead.
    """

    late: Late
    twin: int


def _late_binding(context: FindingContext[LateBinding]) -> DiagnosticText:
    late, twin = context.facts.late, context.facts.twin
    requested = {each.value: each.name for each in context.call.event.sources}
    is_lambda = late.function is None
    return texts.LATE_BINDING(
        name=code(late.name),
        function=texts.THE_LAMBDA if is_lambda else texts.THE_FUNCTION(name=late.function),
        line=late.line,
        used=code(requested[twin]) if requested.get(twin) else context.called(twin),
        source=context.the_source,
        better=late.better,
    )


late_binding = Cause(
    "late-binding",
    "MT309",
    says=_late_binding,
    evidence=Evidence.NAME,
    confidence=Confidence.LIKELY,
    card=OnCard(texts.LATE_BINDING_CARD, texts.LATE_BINDING_LEAVING),
    is_other_target=True,
    clues=(SAME_IN_ALL,),
)
