"""How to read a picture: the signs it uses, in words; signs it does not use are left out."""

from collections.abc import Iterator

from minitape.draw.model import Flow, Picture, Role, Strip

_ROLES = {
    Role.VARIABLE: "a variable",
    Role.WATCHED: "a tensor given to tape.watch",
    Role.SOURCE: "asked about, but not watched",
    Role.PATH: "recorded, on the way of the gradient",
    Role.OFF: "recorded, leads to no target asked for",
    Role.UNRECORDED: "ran, but was not recorded",
    Role.CONSTANT: "a constant: no gradient is kept for it",
    Role.REENTRY: "came back as a plain number: no history",
    Role.TARGET: "the target: the seed starts here",
    Role.BREAK: "the break: where the gradient is lost",
    Role.PROBLEM: "where the problem begins",
    Role.CARRIED: "handed from one run of the loop to the next",
    Role.HIDDEN: "left out of the picture",
    Role.CLOSED: "a function or a layer, closed: --open shows what is in it",
    Role.WALKED: "a step of the walk back",
}

# A line drawn in letters: fonts that come with a layout program have these.
LINES = {
    Flow.PATH: "──►",
    Flow.OFF: "──►",
    Flow.CONSTANT: "─ ─►",
    Flow.CUT: "─ ─■",
    Flow.GHOST: "· · ►",
    Flow.BAD: "─ ─►",
    Flow.CARRIED: "──►",
    Flow.GRADIENT: "◄──",
}

_FLOWS = {
    Flow.PATH: "on the way of the gradient",
    Flow.OFF: "recorded, off that way",
    Flow.CONSTANT: "goes in as a constant",
    Flow.CUT: "the gradient stops here",
    Flow.GHOST: "goes on without its history",
    Flow.BAD: "carries a nan or an inf",
    Flow.GRADIENT: "what is sent back; a + adds to what came before",
}

_VALUES = Strip((1.0, 0.5, 0.0, -0.5, -1.0))
_GRADIENTS = Strip((0.0, 0.25, 0.5, 0.75, 1.0), is_gradient=True)


def roles_in(picture: Picture) -> Iterator[tuple[Role, str]]:
    used = {node.role for node in picture.nodes}
    return ((role, text) for role, text in _ROLES.items() if role in used)


def flows_in(picture: Picture) -> Iterator[tuple[Flow, str]]:
    used = {edge.flow for edge in picture.edges}
    return ((flow, text) for flow, text in _FLOWS.items() if flow in used)


def strips_in(picture: Picture) -> Iterator[tuple[Strip, str]]:
    used = [row.strip for card in picture.cards for row in card.rows if row.strip is not None]
    if any(not strip.is_gradient for strip in used):
        yield _VALUES, "values: blue +, orange −, empty 0"
    if any(strip.is_gradient for strip in used):
        yield _GRADIENTS, "|gradient|: stronger is larger"
    if any(cell is None for strip in used for cell in strip.cells):
        yield Strip((None,)), "nan or inf"
