"""The words that minitape does not use, each with the words to use instead.

Readers of messages, help, docs and code know TensorFlow, JAX, PyTorch or a textbook; docs/glossary.md lists the terms. Each
pattern here is a word of a private dialect, or a word that is less precise than the standard term.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Banned:
    """A pattern that may not occur, and its replacement.

    Args:
        pattern: A regular expression; letters match in any case.
        instead: What to write.
        excepted: Parts of paths in which it may occur; a comment next to each gives the reason.
    """

    pattern: re.Pattern[str]
    instead: str
    excepted: tuple[str, ...] = ()


def _banned(pattern: str, instead: str, *excepted: str) -> Banned:
    return Banned(re.compile(pattern, re.IGNORECASE), instead, excepted)


BANNED = (
    _banned(r"\bin lines? (\d|\{|`)", "on line 13, on lines 13 and 14"),
    _banned(r"\b(mistakes?|bug), in line", "on line"),
    _banned(r"\banew\b", "again; re-created; reloaded"),
    _banned(r"\bby (itself|themselves)\b", "automatically; alone"),
    _banned(r"\bleav(e|es|ing) (?!on\b)[^.;:!?]{1,60}? away\b", "remove"),
    _banned(r"\bwho(m|so)?ever\b", "name the actor: the user, the tracer, the renderer"),
    _banned(
        r"(?<!there )\bis no (?!longer\b|more than\b|greater\b|better\b|larger\b|less\b)",
        "is not a",
    ),
    _banned(r"\bthe ears?\b", "the tracer"),
    _banned(r"\bwhole numbers?\b", "integer"),
    _banned(
        r"\b(walks?|walked|walking|ways?|steps?) back\b",
        "the backward pass; a backward step",
        "tutorials/lessons/02",
    ),
    _banned(r"\bon the way back\b", "in the backward pass"),
    _banned(r"\bon other ways\b", "along other paths"),
    _banned(r"\basked for here\b", "gradient requested here"),
    _banned(r"\bgiv(e|es|en|ing) back\b|\bgave back\b", "returns"),
    _banned(r"\bstands\b|\bstood\b", "is; appears"),
    _banned(r"\btold\b|\btells\b", "reports, shows, prints; emits (an event)"),
    _banned(r"\bmend(s|ed|ing|ings)?\b", "fix, fixed; the suggested fix"),
    _banned(r"\bby nature\b", "not differentiable"),
    _banned(r"\bno slopes?\b", "not differentiable; derivative 0"),
    _banned(r"\btruth values?\b", "boolean"),
    _banned(r"\bstraight through\b", "straight-through estimator"),
    _banned(r"\bfad(e|es|ed|ing)\b", "vanishes; vanishing gradient"),
    _banned(r"\b(takes?|took|taking) the numbers? out\b", "converts to a NumPy array"),
    _banned(r"\b(jumps or stays|stays or jumps)\b", "is piecewise constant"),
    _banned(r"\bmoved a little\b", "perturbed"),
    _banned(r"\blost or suspicious\b", "None, zero, NaN or incomplete"),
    _banned(r"\bused up\b|\bgiven its one gradient\b", "already used"),
    _banned(r"\blet(s|ting)? go of\b", "release; its resources were released"),
    _banned(r"\bnot here( yet)?[.,;:]", "not supported; not yet supported"),
    _banned(r"\bdrawn with letters\b", "as plain text"),
    _banned(r"\b(larger|smaller) letters\b", "text size"),
    _banned(r"\broll(s|ed|ing)? up\b|\brolled (loop|card|layer|row)", "collapse, collapsed"),
    _banned(r"\bremarks?\b", "note"),
    _banned(r"\bfar out\b", "saturated: the input is far from 0"),
    _banned(r"\barcus\b", "inverse trigonometric function"),
    _banned(r"\bNumPy's: |\bis NumPy's\b", "is a NumPy function"),
    _banned(r"\b(hears?|heard|overhear\w*)\b", "traced, recorded"),
    _banned(r"\bshop windows?\b", "public API"),
    _banned(r"\bwhat answers `?import tensorflow", "which engine `import tensorflow` uses"),
    _banned(r"\bthe (house|rooms?)\b|\ba room\b", "codebase; package"),
    _banned(r"\bgists?\b", "summary"),
    _banned(
        r"\b\w*(colour|behaviour|neighbour|favour|honour|flavour|catalogue|centre[ds]?\b|grey\b|artefact"
        r"|(normal|optim|initial|recogn|real|general|special|summar|minim|maxim|organ|visual|vector|serial|regular|token|quant|factor|random|parametr)"
        r"is(e|ed|es|ing|er|ers|ation|ations)\b)\w*",
        "American spelling",
    ),
)
