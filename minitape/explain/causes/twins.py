"""Causes where another object than the one asked for was used: a twin, a copy, another model, a name that is looked up late."""

import ast
from typing import Any

from minitape.explain.causes.cause import Cause, OnCard, Scene
from minitape.explain.causes.rewriting import renamed
from minitape.explain.causes.texts import Words
from minitape.explain.report import Confidence, Evidence


def _recreated_variable(scene: Scene[Any]) -> Words:
    made = scene.flow.placed(scene.found.also[0])
    x, y, line = scene.source, scene.target, scene.place_line
    asked = scene.outer_line(made)
    copied = scene.facts.get("copied")
    if copied is not None:
        copy = scene.result
        better = renamed(scene.call_text, scene.facts["original"], copy)
        return Words(
            f"this copy has variables of its own: {x} is not among them",
            f"{copied} in line {line} makes variables of its own, with the same numbers. {y} was computed from those. "
            f"The {x} you ask about (line {asked}) is the original, and was not used.",
            f"{better}: ask for those of the copy; or compute {y} from {scene.facts['original']}",
        )
    read = scene.facts.get("property")
    if read is not None:
        return Words(
            f"{read} is a property: each time it is read, a new one is made",
            f"line {line} runs each time {read} is read, and makes a new variable. {y} was computed from one of them; the {x} "
            "you ask about is another, and was not used.",
            f"make it once, where the object is made, and leave @property away: {_made_in_init(scene, read)}",
        )
    if "kept" in scene.facts:
        return _made_anew(scene, asked)
    used = scene.facts.get("used")
    if used is not None:
        return _made_later(scene, scene.outer_line(scene.flow.placed(used)))
    turn = scene.facts.get("each_turn")
    if turn is not None:
        return Words(
            f"each turn makes a new one: not the {x} you ask about",
            f"line {line} makes a new one in each turn. {y} was computed from the last; the {x} you ask about is of an "
            "earlier turn, and was not used.",
            f"move line {line} in front of the loop (line {turn.line}), or take the list of sources in each turn",
        )
    name = scene.facts.get("each_call")
    if name is not None:
        return Words(
            f"each call makes a new variable: not the {x} you ask about",
            f"line {line} makes a new {name} in each call. {y} was computed from the last one; the {x} you ask about is an "
            f"earlier one, made when line {asked} ran, and was not used.",
            _made_once(scene, name),
        )
    if asked == line:
        return Words(
            f"two of a kind are made here, and the {x} you ask about is the other one",
            f"line {line} makes both: the variable that {y} was computed from, and the {x} you ask about, which was not used.",
            f"ask for the one that was used, or compute {y} from {x}",
        )
    return Words(
        f"a new variable is made here: not the {x} you ask about",
        f"{y} was computed from a variable made in line {line}. The {x} you ask about is "
        f"another one of the same kind, made in line {asked}, and was never used.",
        f"make it once, in line {asked}, and use it where line {line} makes a new one",
    )


def _made_in_init(scene: Scene[Any], name: str) -> str:
    """What the property gives, as a statement in `__init__`."""
    site = scene.place_site
    if site is not None and site.code == f"return {site.expression}":
        return f"self.{name} = {' '.join(site.expression.split())}"
    return f"self.{name} = ... in __init__"


def _made_anew(scene: Scene[Any], asked: int | str) -> Words:
    """A newer variable got the numbers of the one that is asked for, and its place."""
    x, y, line = scene.source, scene.target, scene.place_line
    since, again = "", "take the list of sources anew"
    if scene.facts["kept"] is not None:
        name, taken = scene.facts["kept"]
        since = f" The list of sources (line {taken.line}) still has the old one."
        again = f"{name} = {ast.unparse(taken.value)}"
    return Words(
        f"a new variable takes the place of {x} here",
        f"line {line} makes a new variable, which was given the numbers of {x}; {y} was computed from the new one. The {x} "
        f"you ask about was made in line {asked}, and was not used while the tape recorded.{since}",
        f"{again}, once more after line {line}",
    )


def _made_later(scene: Scene[Any], used: int) -> Words:
    """The variable that is asked for came after the one that was used."""
    x, y, line = scene.source, scene.target, scene.place_line
    if scene.facts["default"]:
        asked = scene.outer_line(scene.event)
        return Words(
            f"this default is the {x} of line {used}: it was kept when def ran",
            f"a default is worked out once, when def runs: line {line} keeps the {x} of line {used}, and {y} was computed "
            f"from that one. The {x} you ask about was made later, in line {asked}, and was not used.",
            f"leave the default away and hand {x} over in each call",
        )
    return Words(
        f"the {x} you ask about is made here: {y} was computed from another one",
        f"the {x} you ask about was made in line {line}. {y} was computed from another one of the same kind, made in line "
        f"{used}; this one was not used.",
        f"make it once: use in line {line} what line {used} made, or give it a new value with assign",
    )


def _made_once(scene: Scene[Any], name: str) -> str:
    """What a line in a function is to be, so that only the first call makes a variable."""
    site = scene.place_site
    code = "" if site is None else site.code
    if name.startswith("self."):
        return f"if not hasattr(self, {name.removeprefix('self.')!r}): {code}"
    return f"move `{code}` in front of the function, so that it runs once"


recreated_variable = Cause(
    "recreated-variable",
    "MT307",
    says=_recreated_variable,
    evidence=Evidence.NAME,
    confidence=Confidence.LIKELY,
    card=OnCard("made again", "another variable, same name"),
    by_hand="which of the two variables is meant cannot be read from the script",
)


def _other_model(scene: Scene[Any]) -> Words:
    called, meant = scene.facts["called"], scene.facts["meant"]
    site = scene.place_site
    assert site is not None
    made = scene.facts["meant_made"] or scene.outer_line(scene.flow.placed(scene.found.also[0]))
    called_made, y = scene.facts["called_made"], scene.target
    better = site.expression.replace(called, meant, 1)
    return Words(
        f"this calls {called}, not {meant}",
        f"line {scene.place_line} calls {called} (made in line {called_made}), and {y} was computed from its weights. "
        f"{meant} (made in line {made}), whose weights you ask about, was not called while the tape recorded.",
        " ".join(site.code.replace(site.expression, better, 1).split()),
    )


other_model = Cause(
    "other-model",
    "MT308",
    says=_other_model,
    evidence=Evidence.NAME,
    confidence=Confidence.LIKELY,
    card=OnCard("another model", "not the one asked for"),
    is_other_target=True,
)


def _late_binding(scene: Scene[Any]) -> Words:
    name, function = scene.facts["name"], scene.facts["function"]
    asked = {each.value: each.name for each in scene.call.event.sources}
    twin = asked.get(scene.facts["twin"]) or scene.name_of(scene.facts["twin"])
    return Words(
        f"{name} is looked up when this is called: by then it is the last one",
        f"{function} in line {scene.facts['line']} does not keep the {name} of its turn: it looks {name} up when it is called, "
        f"and by then the loop has ended. So it used {twin}, and {scene.source} was never used.",
        scene.facts["better"],
    )


late_binding = Cause(
    "late-binding",
    "MT309",
    says=_late_binding,
    evidence=Evidence.NAME,
    confidence=Confidence.LIKELY,
    card=OnCard("the last one", "looked up when called"),
    is_other_target=True,
)
