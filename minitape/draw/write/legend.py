"""The legend of a picture: the meaning of each symbol that it uses."""

from collections.abc import Iterator

from minitape.draw.model import EdgeKind, Picture, Role, Strip

_ROLES = {
    Role.VARIABLE: "a variable",
    Role.WATCHED: "a tensor given to tape.watch",
    Role.SOURCE: "a source that is not watched",
    Role.PATH: "recorded, on the path of the gradient",
    Role.OFF: "recorded, but does not lead to the target",
    Role.UNRECORDED: "ran, but was not recorded",
    Role.CONSTANT: "a constant: no gradient is computed for it",
    Role.REENTRY: "re-entered as a constant: no history",
    Role.TARGET: "the target: the seed starts here",
    Role.BREAK: "the break: the gradient is lost here",
    Role.PROBLEM: "the problem starts here",
    Role.CARRIED: "passed from one iteration of the loop to the next",
    Role.HIDDEN: "left out of the picture",
    Role.CLOSED: "a collapsed function or layer: --open shows what is in it",
    Role.BACKWARD_DONE: "a step of the backward pass",
}

# Lines made of characters that the fonts of layout programs contain.
LINES = {
    EdgeKind.PATH: "──►",
    EdgeKind.OFF: "──►",
    EdgeKind.CONSTANT: "─ ─►",
    EdgeKind.CUT: "─ ─■",
    EdgeKind.GHOST: "· · ►",
    EdgeKind.BAD: "─ ─►",
    EdgeKind.CARRIED: "──►",
    EdgeKind.GRADIENT: "◄──",
}

_FLOWS = {
    EdgeKind.PATH: "on the path of the gradient",
    EdgeKind.OFF: "recorded, off that path",
    EdgeKind.CONSTANT: "a constant input",
    EdgeKind.CUT: "the gradient stops here",
    EdgeKind.GHOST: "continues without its history",
    EdgeKind.BAD: "contains nan or inf",
    EdgeKind.GRADIENT: "a gradient that is sent back; + adds to earlier contributions",
}

_VALUES = Strip((1.0, 0.5, 0.0, -0.5, -1.0))
_GRADIENTS = Strip((0.0, 0.25, 0.5, 0.75, 1.0), is_gradient=True)


def roles_in(picture: Picture) -> Iterator[tuple[Role, str]]:
    used = {node.role for node in picture.nodes}
    return ((role, text) for role, text in _ROLES.items() if role in used)


def flows_in(picture: Picture) -> Iterator[tuple[EdgeKind, str]]:
    used = {edge.flow for edge in picture.edges}
    return ((flow, text) for flow, text in _FLOWS.items() if flow in used)


def strips_in(picture: Picture) -> Iterator[tuple[Strip, str]]:
    used = [row.strip for card in picture.cards for row in card.rows if row.strip is not None]
    if any(not strip.is_gradient for strip in used):
        yield _VALUES, "values: blue +, orange −, empty 0"
    if any(strip.is_gradient for strip in used):
        yield _GRADIENTS, "|gradient|: darker is larger"
    if any(cell is None for strip in used for cell in strip.cells):
        yield Strip((None,)), "nan or inf"
