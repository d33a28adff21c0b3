"""A block diagram as plain data, before its layout.

    Diagram
      Station     a card: a layer, a function, an input, the target
        Parameter   a variable that the station reads, with its gradient
        Pixels      a value as an image or as bars
        Series      numbers over the iterations of a loop, or over equal stations drawn as one
      Frame       a tape around the stations that it records, if tapes are nested
      Steps       the states of a recurrent station over its steps
      Link        a value that passes from one station to another, and the gradient that comes back

Stations are in the order of the run, so every link leads from an earlier station to a later one, or from a recurrent station to
itself.
"""

from enum import StrEnum

from minitape.trace.events import TraceStruct


class StationKind(StrEnum):
    """The kind of a card; its value is the class in the SVG.

    Attributes:
        INPUT: A constant, or a source that is not a variable.
        PART: A layer, a function, a loop, a statement or an op.
        JOIN: A sum of two values.
        BREAK: The op at which a gradient is lost or goes wrong, or the point at which a value leaves the tape.
        TARGET: The target of the gradient call.
    """

    INPUT = "input"
    PART = "part"
    JOIN = "join"
    BREAK = "break"
    TARGET = "target"


class Flow(StrEnum):
    """The gradient that came back along a link; its value is the class in the SVG.

    Attributes:
        GRADIENT: A gradient that is not zero.
        ZERO: A gradient of zeros.
        BAD: A gradient with NaN or infinity.
        NOT_NEEDED: Nothing, because no source is on that side.
        NEVER: Nothing, although a source is on that side.
        CUT: Nothing, because the value left the tape here, or the op here has no gradient.
        STOPPED: Nothing, because of `stop_gradient`.
    """

    GRADIENT = "gradient"
    ZERO = "zero"
    BAD = "bad"
    NOT_NEEDED = "not-needed"
    NEVER = "never"
    CUT = "cut"
    STOPPED = "stopped"


class Parameter(TraceStruct):
    """A variable in the drawer of the first station that reads it.

    `norm` is the 2-norm of its gradient; `text` is its text, such as `0.274` or `None`. `sources` are the trace ids of the
    variables or the value, if they are sources of the call.
    """

    name: str
    shape: str
    text: str
    flow: Flow
    norm: float | None = None
    sources: tuple[int, ...] = ()


class Pixels(TraceStruct):
    """A value as rows of cells from 0 to 1 (None for NaN or infinity), or, with `is_bars`, as bars from -1 to 1.

    With `is_map`, it is a feature map. All feature maps of a slide have the same scale, which shows how they shrink.
    """

    cells: tuple[tuple[float | None, ...], ...]
    caption: str = ""
    is_bars: bool = False
    is_map: bool = False


class Branch(TraceStruct):
    """One of several equal parts of a station that do not depend on each other, and the norm of the gradient at its end."""

    title: str
    pixels: Pixels | None = None
    text: str = ""


class Series(TraceStruct):
    """A gradient's norm over iterations or equal parts, the texts of the first and the last norm, and the name of the x axis."""

    norms: tuple[float | None, ...]
    first: str
    last: str
    over: str


class Station(TraceStruct):
    """A card. `ops` is the number of ops inside, `times` the number of equal parts that it represents.

    `text` is the gradient that came back at its output, and `norm` its norm; `mark` is what went wrong here, with the line. If
    there are many `branches`, the first and the last are shown; a branch without image and text represents the branches in
    between. With `is_mirror`, it is the backward pass of an inner tape.
    """

    id: str
    kind: StationKind
    title: str
    shape: str = ""
    notes: tuple[str, ...] = ()
    code: str = ""
    number: str = ""
    ops: int = 0
    times: int = 1
    parameters: tuple[Parameter, ...] = ()
    pixels: Pixels | None = None
    series: Series | None = None
    branches: tuple[Branch, ...] = ()
    is_mirror: bool = False
    flow: Flow = Flow.GRADIENT
    text: str = ""
    norm: float | None = None
    mark: str = ""


class Link(TraceStruct):
    """A value from station `tail` to station `head`, and the gradient that came back: its norm, and the text of that norm.

    `values` are the ids of its values, and `users` are the numbers of the ops of `head` that use them.
    """

    tail: str
    head: str
    flow: Flow
    norm: float | None = None
    text: str = ""
    values: tuple[int, ...] = ()
    users: tuple[int, ...] = ()


class State(TraceStruct):
    """A value that passes from one step to the next: the norms of the value and of its gradient at the end of each step."""

    name: str
    values: tuple[float | None, ...]
    gradients: tuple[float | None, ...]


class Steps(TraceStruct):
    """The states of a recurrent station over its steps; `shown` are the numbers of the steps, from 0."""

    station: str
    over: str
    shown: tuple[int, ...]
    states: tuple[State, ...]


class Frame(TraceStruct):
    """A tape around the stations that it records; `depth` is 0 for the innermost tape."""

    title: str
    stations: tuple[str, ...]
    depth: int = 0


class Diagram(TraceStruct):
    """Everything that is drawn. `headline` is the result; its last part, `culprit`, has the color of breaks.

    `arrived` are the names and norms of the gradients of all sources that are not zero. `steps` belong to the station with the
    most steps; a link from that station to itself is the path of its states. `batch` is the size of the batch, if there is one;
    an axis of this size is not drawn.
    """

    headline: str
    culprit: str
    about: str
    stations: tuple[Station, ...]
    links: tuple[Link, ...]
    arrived: tuple[tuple[str, float], ...] = ()
    steps: Steps | None = None
    frames: tuple[Frame, ...] = ()
    batch: int | None = None

    @property
    def norms(self) -> list[float]:
        """The norms of all gradients on its links and cards that are not zero, which determine the scale of the bands."""
        found = [link.norm for link in self.links]
        found += [each.norm for station in self.stations for each in station.parameters]
        if self.steps is not None:
            found += [norm for state in self.steps.states for norm in state.gradients]
        return [norm for norm in found if norm]
