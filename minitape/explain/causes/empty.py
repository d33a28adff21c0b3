"""Causes where there was nothing to go through: a loop ran zero times, a list was empty."""

import re
from typing import Any

from minitape.explain.causes.cause import Cause, OnCard, Scene
from minitape.explain.causes.rewriting import rounded_up, watching_by_itself
from minitape.explain.causes.texts import Words
from minitape.explain.flow.program.loops import Loop
from minitape.explain.report import Confidence, Evidence
from minitape.source_text import lines_of

_WHAT_IT_GOES_THROUGH = "what the loop was to go through cannot be read from the script"


def _watched_before_build(scene: Scene[Any]) -> Words:
    made = scene.flow.placed(scene.found.also[0])
    loop: Loop | None = scene.facts.get("loop")
    later = (
        f"{scene.source} was made only afterwards, in line {scene.line_of(made)}. This tape does not watch variables by "
        "itself."
    )
    fix = _watched_by_itself(scene)
    if loop is not None:
        return Words(
            f"this loop ran zero times: {loop.iterated} was still empty",
            f"the loop in line {scene.place_line} ({loop.head}) found nothing to watch and ran zero times: {later}",
            fix,
        )
    return Words(
        "nothing was watched here: the list was still empty",
        f"{scene.tape_name}.watch in line {scene.line} was given an empty list: {later}",
        fix,
    )


def _watched_by_itself(scene: Scene[Any]) -> str:
    """The line that opens the tape, without the setting that turns its own watching off."""
    opened = scene.tape_event
    code = "tf.GradientTape()" if opened is None else watching_by_itself(scene.code_of(opened))
    return (
        f"line {scene.line_of(opened)}: `{code}`, so that the tape watches by itself what is used"
    )


watched_before_build = Cause(
    "watched-before-build",
    "MT102",
    says=_watched_before_build,
    card=OnCard("watched too early", "did not exist at the watch"),
)


def _loop_never_ran(scene: Scene[Any]) -> Words:
    loop: Loop = scene.facts["loop"]
    label = "this loop ran zero times"
    ran = f"the loop in line {scene.place_line} ({loop.head}) ran zero times while the tape recorded: {_why(scene, loop)}."
    if ".watch(" in loop.body:
        return Words(
            label,
            f"{ran} So {scene.source} was never watched, and this tape does not watch variables by itself.",
            _watched_by_itself(scene),
        )
    return Words(
        label,
        f"{ran} So {scene.target} was computed without {scene.source}.",
        _something_to_go_through(scene, loop),
    )


def _why(scene: Scene[Any], loop: Loop) -> str:
    once = scene.facts.get("once")
    if loop.iterated is None:
        return f"{loop.head.removeprefix('while ')} was false from the start"
    if once is not None:
        return f"{loop.iterated} (line {once[0]}) gives its values once, and an earlier loop has taken them"
    return f"{loop.iterated} was empty"


def _something_to_go_through(scene: Scene[Any], loop: Loop) -> str:
    once = scene.facts.get("once")
    if once is not None:
        return f"{once[1]} in line {once[0]}: a list can be gone through again"
    if loop.iterated is None:
        condition = loop.head.removeprefix("while ")
        return f"print({condition}) in front of line {scene.place_line} shows that it is False: let it start true"
    counted = rounded_up(loop.iterated)
    if counted is not None:
        better = loop.head.replace(loop.iterated, counted)
        return f"{better}: rounded up, so that the last turn takes what is left"
    short = _without_dropping(scene, loop.iterated)
    return (
        short
        or f"print(len(list({loop.iterated}))) in front of line {scene.place_line} shows 0: look at where it is made"
    )


def _without_dropping(scene: Scene[Any], name: str) -> str | None:
    """The statement that made a dataset, where it leaves out a batch that is not full, without that."""
    text = scene.flow.texts.get("" if scene.place is None else scene.place.file, "")
    for number, line in enumerate(lines_of(text), start=1):
        better = re.sub(r",? *drop_remainder=True", "", line).strip()
        if line.startswith(f"{name} = ") and better != line.strip():
            return f"{better} in line {number}: there are fewer rows than one batch has"
    return None


loop_never_ran = Cause(
    "loop-never-ran",
    "MT306",
    says=_loop_never_ran,
    evidence=Evidence.NAME,
    confidence=Confidence.LIKELY,
    card=OnCard("ran zero times", ""),
    by_hand=_WHAT_IT_GOES_THROUGH,
)


def _no_sources(scene: Scene[Any]) -> Words:
    given, taken = scene.facts["given"], scene.facts["taken"]
    in_list = given if given == taken else f"{given} = {taken}"
    late, frozen = scene.facts.get("late"), scene.facts.get("frozen")
    condition = scene.facts.get("condition")
    if condition is not None:
        whole = scene.facts["filtered"]
        return Words(
            "this list is empty: nothing fits its condition",
            f"{given} is an empty list: nothing in {whole} fits {condition}. So no gradient was asked for.",
            f"print([v.name for v in {whole}]) shows the names to compare with",
        )
    asked = scene.call_text.replace(given, taken)
    if late is not None:
        made = scene.flow.placed(late)
        name = scene.name_of(getattr(made, "variable", 0))
        return Words(
            "this list was taken too early: it was still empty",
            f"line {scene.place_line} ({in_list}) ran before there were any weights: {name} was made only in line "
            f"{scene.line_of(made)}. A list that was taken does not grow, so no gradient was asked for.",
            f"{_fresh(scene, asked)}: the list as it is then",
        )
    if frozen is not None:
        return Words(
            "this takes all weights off the list of trainable ones",
            f"line {scene.place_line} freezes what is asked for, so {given} in line {frozen} is an empty list, and no gradient "
            "was asked for. The tape follows frozen weights all the same.",
            re.sub(r"\btrainable_(variables|weights)", r"\1", scene.call_text),
        )
    return Words(
        "this list is empty: nothing is asked for",
        f"{given} was an empty list when {scene.call_text} was called. So no gradient was asked for.",
        f"print({given}) in front of the call, and look at where it is filled",
    )


def _fresh(scene: Scene[Any], asked: str) -> str:
    """The call with the list taken anew; an object's own list (`policy.learned`) is said as its `trainable_variables`."""
    owner = scene.facts["given"].rpartition(".")[0]
    if owner and "self." in asked:
        return scene.call_text.replace(scene.facts["given"], f"{owner}.trainable_variables")
    return asked


no_sources = Cause(
    "no-sources",
    "MT306",
    says=_no_sources,
    card=OnCard("nothing asked", ""),
    by_hand="which weights are meant cannot be read from an empty list",
)
