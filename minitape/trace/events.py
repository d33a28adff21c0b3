"""The events of a trace: each kind with its fields, their types and their meanings.

    about the file        Header Source End
    about the program     Site Frames Scope Primitive
    values                Constant Variable Read Op Assign Export Reentry Rebind
    tapes                 TapeEnterEvent TapeExitEvent Watch StopRecordingEvent Reset
    gradients             Gradient Seed Back Result
    messages              Error Note

A class is a kind of event; its tag is the value of `k` in the file. A field has the same name in the file, or else the one in
`name=`. These declarations are used to check a file when it is read, and to generate `trace.schema.json` and the reference in
docs/trace-format.md (both by schema.py). Code reads fields as attributes: `op.inputs[0].value`.

The order of the fields is the order in the file; `at`, `stack`, `outer` and `scope` come last. A field with a default
may be missing in a file.
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, dataclass_transform

from msgspec import Meta, Struct, field

# --- types of fields ---

Count = Annotated[int, Meta(ge=0)]
Id = Annotated[int, Meta(ge=1)]  # a small integer: values, tapes, sites, ops and calls are numbered
Ids = list[Id]
Tape = Annotated[list[Id], Meta(min_length=1, max_length=1)]  # a list with the number of one tape
Column = Annotated[int, Meta(ge=-1)]

if TYPE_CHECKING:
    Number = float  # the type in Python
else:
    Number = float | Literal["NaN", "Infinity", "-Infinity"]  # the type in a file


class SourceRange(NamedTuple):
    """A range of source text; lines are counted from 1, columns from 0. The fields after the line are -1 if they are unknown."""

    file: str
    line: Column
    column: Column
    end_line: Column
    end_column: Column


class LoopHead(NamedTuple):
    """A loop, identified by its first line."""

    line: Count
    text: str


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class TraceStruct(Struct, frozen=True, gc=False, omit_defaults=True):
    """An immutable record: an event, or a part of one."""


class Blocks(TraceStruct):
    """A large tensor as a small matrix: the means of blocks.

    All axes but the last are flattened to rows. Block i of k along an axis of length n covers `i * n // k` to `(i + 1) * n // k`.
    """

    rows: Annotated[int, Meta(ge=1, le=16), "number of blocks along the rows"]
    columns: Annotated[int, Meta(ge=1, le=16), "number of blocks along the columns"]
    means: Annotated[
        str,
        "row by row, in base64: the upper two bytes of each mean as a float32, low byte first; for complex numbers, the "
        "means of the absolute values",
    ]
    least: Annotated[Count | None, "flat index of the smallest finite element"]
    most: Annotated[Count | None, "flat index of the largest finite element"]


class Maps(TraceStruct):
    """The first example of a large batch of images or feature maps: its first channels, reduced to at most 28 × 28 elements each.

    Of both spatial axes, every `stride`-th element is stored, starting with the first.
    """

    rows: Annotated[int, Meta(ge=1)]
    columns: Annotated[int, Meta(ge=1)]
    channels: Annotated[int, Meta(ge=1), "number of channels that are stored, at most 4"]
    stride: Annotated[int, Meta(ge=1)]
    values: Annotated[
        str,
        "base64 of the values, row by row, with all channels of a position next to each other; each value is the upper two "
        "bytes of its float32, low byte first",
    ]


class Numbers(TraceStruct):
    """The shape, dtype, statistics and elements of a tensor.

    `min`, `max`, `mean`, `std` and `l2` are computed from the finite elements. They are null if there are no finite elements,
    and for strings. For complex numbers, they are computed from the absolute values. NaN and infinities in `data` and `strip`
    are strings in the file and floats in Python.

    For tensors of more than 64 elements, `packed` or `blocks` contains more detail than `strip`. In the whole trace, `packed`
    and `blocks` together have at most 4,000,000 characters. After that, tensors have only `strip`, and `end` names the first
    such event. The `maps` of a trace have at most 1,000,000 characters.
    """

    id: Annotated[Count, "id of the value; 0 if it was created before tracing started"]
    name: Annotated[str | None, "its name in the program"]
    shape: list[Count]
    dtype: str
    size: Annotated[Count, "number of elements"] = field(name="n")
    min: float | None
    max: float | None
    mean: float | None
    std: Annotated[float | None, "standard deviation"]
    l2: Annotated[float | None, "Euclidean norm"]
    zeros: Annotated[Count, "number of elements that are 0"]
    nan: Annotated[Count, "number of NaN elements"]
    inf: Annotated[Count, "number of infinite elements"]
    data: Annotated[
        Any,
        "all elements if there are at most 64, nested like the shape; complex numbers as text. "
        "For strings, the first 64, flat",
    ] = None
    strip: Annotated[
        Annotated[list[Number], Meta(max_length=16)] | None,
        "means of at most 16 equal segments of the flattened tensor",
    ] = None
    packed: Annotated[
        str | None,
        "for 65 to 4096 elements, all of them, row by row, in base64: the bytes of their dtype, little-endian",
    ] = None
    blocks: Annotated[
        Blocks | None,
        "for more than 4096 elements in two or more axes: the means of at most 16 × 16 blocks",
    ] = None
    maps: Annotated[
        Maps | None,
        "for more than 4096 elements with four axes, as batches of images have: the first example",
    ] = None


class Event(TraceStruct, tag_field="k"):
    """An event of the run. Readers ignore kinds that they do not know (see `UnknownEvent`)."""

    i: Annotated[Count, "number of the event: its line in the file, from 0"]

    @property
    def kind(self) -> str:
        """The kind of the event: its `k` in the file."""
        return str(self.__struct_config__.tag)


class Placed(Event, kw_only=True):
    """An event at a location in the user's program."""

    at: Annotated[SourceRange | None, "the expression that was running; null if it is unknown"]
    stack: Annotated[
        Ids,
        "call sites in the user's own files, outermost first; the last one is the position in `at`; in a deep recursion, the "
        "list "
        "contains only the innermost ones",
    ]
    outer: Annotated[
        Id | None,
        "the `frames` with the outer call sites of `stack`; absent if `stack` is complete",
    ] = None


class Scoped(Placed, kw_only=True):
    """An event that may be inside a call of a Keras layer, model, loss, metric or optimizer."""

    scope: Annotated[
        Id | None,
        "the innermost Keras call (`scope`) that contains the event; absent if there is none",
    ] = None


class UnknownEvent(Event, tag=False):
    """An event of an unknown kind, which a later version wrote."""

    of_kind: str
    fields: dict[str, Any]  # the fields in the file, without `i` and `k`

    @property
    def kind(self) -> str:
        return self.of_kind


# --- about the file ---


class HeaderEvent(Event, tag="header"):
    """The first line: the program, and the versions that ran it."""

    format: Literal["minitape-trace"]
    version: Annotated[Literal[1], "version of the format"] = field(name="v")
    minitape: Annotated[str, "version of minitape"]
    python: Annotated[str, "version of Python"]
    numpy: Annotated[str, "version of NumPy"]
    script: Annotated[str, "file name of the script"]
    argv: Annotated[list[str], "the command-line arguments of the script"]
    seed: Annotated[int | None, "the random seed of the run"]
    engine: Annotated[str | None, "the engine, such as `tensorflow`; absent for minitape"] = None
    engine_version: Annotated[str | None, "version of the engine"] = None


class SourceEvent(Event, tag="source"):
    """The text of a user's file. It comes before the first event that refers to it."""

    file: Annotated[
        str,
        "file name; `<code>` or `<stdin>` if the text is not in a file, `<cell 3>` in a notebook, "
        "`In[3]` in a running notebook",
    ]
    sha256: str
    text: str


class EndEvent(Event, tag="end"):
    """The last line. A file without it is incomplete."""

    events: Annotated[Id, "number of events in the file"]
    dropped: Annotated[
        Count,
        "number of events at the end of the run that were not recorded because of a limit",
    ]
    packed_until: Annotated[
        Count | None,
        "the first event without `packed` and `blocks`, because their limit was reached; absent if it was not reached",
    ] = None


# --- about the program ---


class SiteEvent(Event, tag="site"):
    """A call site in the user's code. It comes before the first event that refers to it."""

    number: Annotated[Id, "for `stack`"] = field(name="site")
    at: SourceRange
    function: Annotated[str, "the function that contains the call site, or `<module>`"] = field(
        name="func"
    )
    loop: Annotated[LoopHead | None, "`[line, text]` of the innermost loop around the call site"]
    code: Annotated[str, "the whole statement; only its first line if the statement is long"]
    expression: Annotated[str, "the exact expression"] = field(name="expr")
    target: Annotated[str | None, "the name to which the statement assigns this expression"]


class FramesEvent(Event, tag="frames", kw_only=True):
    """Call sites that many events of a deep recursion share. They come before the first event that refers to them."""

    number: Annotated[Id, "for `outer`"] = field(name="frames")
    outer: Annotated[
        Id | None, "the `frames` with the outer call sites; absent if these are the outermost"
    ] = None
    stack: Annotated[Ids, "call sites, outermost first"]


class ScopeEvent(Event, tag="scope"):
    """A call of a Keras layer, model, loss, metric or optimizer. It comes before the first event that refers to it.

    If a layer is called twice, it has two scopes. The total loss of `fit` is a scope with the name `compute_loss` and without a
    type. This scope contains the scopes of the losses that it adds up.
    """

    number: Annotated[Id, "number of the call, for `scope` of an event"] = field(name="scope")
    outer: Annotated[Id | None, "the call that contains this one"]
    depth: Annotated[
        Count,
        "number of call sites outside this call; they are the outermost call sites of each event in the call, including "
        "those in its `frames`",
    ]
    role: Annotated[
        Literal["layer", "model", "loss", "metric", "optimizer", "name_scope"],
        "what was called; `name_scope` is reserved for `tf.name_scope` blocks, and no version writes it yet",
    ]
    name: Annotated[str, "its name in Keras, such as `dense_1`"]
    type: Annotated[
        str, "its class, such as `Dense`; empty for a function, `compute_loss` and `name_scope`"
    ]
    settings: Annotated[
        dict[str, Any],
        "the settings that describe it, such as `units`, `kernel_size` or `activation`, without common defaults",
    ]


class PrimitiveEvent(Event, tag="primitive"):
    """An op of the engine. It comes before the first event that refers to it. A later event with the same name replaces it."""

    name: str
    rule: Annotated[str, "its gradient rule as a formula"]
    gradient: Annotated[
        Literal["rule", "zero", "none", "missing"],
        "`rule`: the op has a gradient rule; `zero`: the rule returns zeros; `none`: not differentiable; `missing`: no "
        "rule is registered, so differentiating raises LookupError",
    ]
    reason: Annotated[str | None, "why the op has no gradient"]


# --- values ---


class ConstantEvent(Scoped, tag="constant"):
    """A value that came from Python or NumPy."""

    numbers: Numbers = field(name="T")
    how: Annotated[
        str,
        "the function, such as `tf.constant` or `tf.zeros`; `convert`; `operand` beside a tensor; "
        "`earlier`: it was created before tracing started",
    ]
    text: Annotated[str | None, "its source text"]
    origin: Annotated[Id | None, "the variable whose value was copied"] = field(name="from")


class VariableEvent(Scoped, tag="variable"):
    """A variable was created."""

    variable: Annotated[Id, "its id, in the numbering of values"] = field(name="var")
    name: Annotated[str, "its name in TensorFlow, such as `w:0`"]
    numbers: Numbers = field(name="T")
    trainable: Annotated[bool, "whether a tape watches it automatically"]
    origin: Annotated[Id | None, "the tensor that it was initialized with"] = field(name="from")


class ReadEvent(Scoped, tag="read"):
    """A variable was read."""

    variable: Id = field(name="var")
    value: Annotated[Id, "the value that was read"] = field(name="out")
    watched: Annotated[Ids, "the tapes that watch the variable at that time"]


class Input(TraceStruct):
    """An input of an op."""

    value: Id = field(name="t")
    text: Annotated[str | None, "its source text"]
    watched: Annotated[Ids, "the tapes that watch it"]


WhyNot = Literal["no_watched_input", "recording_stopped", "not_floating", "no_gradient", "no_tape"]


class OpEvent(Scoped, tag="op"):
    """An op ran, whether or not a tape recorded it."""

    number: Annotated[Id, "number of the op"] = field(name="op")
    name: Annotated[str, "name of its primitive"]
    inputs: Annotated[list[Input], "its inputs"]
    attrs: Annotated[dict[str, Any], "its attributes"]
    outputs: Annotated[list[Numbers], "its outputs"]
    tapes: Annotated[Ids, "the tapes that are open on this thread"] = field(name="tape")
    recorded: Annotated[Ids, "the tapes that recorded it"]
    why_not: Annotated[
        dict[Count, WhyNot],
        "the reason, for each open tape that did not record the op; if no tape was open, the key is 0",
    ]
    saved: Annotated[Ids, "the values that are saved for its gradient rule"]
    target_name: Annotated[str | None, "the name to which the statement assigns the result"]


class AssignEvent(Scoped, tag="assign"):
    """The value of a variable changed."""

    variable: Id = field(name="var")
    how: Annotated[str, "`assign`, `assign_add`, `assign_sub`, `scatter_update` …"]
    origin: Annotated[Id | None, "the tensor that was assigned"] = field(name="from")
    numbers: Annotated[Numbers, "the value after the change"] = field(name="T")
    is_part: Annotated[bool, "true if only a slice was assigned; otherwise absent"] = field(
        name="part", default=False
    )


class ExportEvent(Placed, tag="export"):
    """A value left the engine, for NumPy or Python."""

    number: Annotated[Id, "number of this `exit` event"] = field(name="export")
    values: Annotated[Ids, "the values that left"] = field(name="t")
    via: Annotated[
        str,
        "`numpy`, `__array__`, `float`, `int`, `bool`, `index`, `item`, `tolist`, `format`, "
        "or the function that returned the numbers, such as `np.mean` or Keras's `Model.predict`",
    ]


class ReentryEvent(Placed, tag="reentry"):
    """A value that had left the engine re-entered as a constant."""

    value: Annotated[Id, "the new constant"] = field(name="t")
    value_of: Annotated[Ids, "the values that had left before"]
    exports: Annotated[Ids, "numbers of the `exit` events through which they left"]
    sure: Annotated[
        bool, "true if the same array object left and came back; otherwise the match is a heuristic"
    ]
    flat: Annotated[
        bool,
        "true if the values were rounded or converted to integers in between, so that no derivative is lost",
    ]


class RebindEvent(Placed, tag="rebind"):
    """A name that referred to a variable or a watched value now refers to another value."""

    name: str
    was: Annotated[Id, "the previous value of the name"]
    now: Annotated[Id, "the new value of the name"]


# --- tapes ---


class TapeEnterEvent(Placed, tag="tape_enter"):
    """A tape was opened."""

    tapes: Tape = field(name="tape")
    persistent: Annotated[bool, "whether it can compute more than one gradient"]
    watch_accessed_variables: Annotated[
        bool, "whether the tape watches variables automatically"
    ] = field(name="watch_vars")
    depth: Annotated[Id, "number of open tapes, including this one"]
    name: Annotated[str | None, "its name in the program"]


class TapeExitEvent(Placed, tag="tape_exit"):
    """A tape was closed."""

    tapes: Tape = field(name="tape")
    ops: Annotated[Count, "number of ops that it has recorded"] = field(name="n_ops")


class WatchEvent(Placed, tag="watch"):
    """A tape started to watch a value."""

    tapes: Tape = field(name="tape")
    value: Annotated[Id | None, "the value; null if an empty list was given"] = field(name="t")
    how: Annotated[Literal["explicit", "read"], "`tape.watch`, or a variable that was read"]


class StopRecordingEvent(Placed, tag="stop_recording"):
    """The start or the end of a pause in a tape's recording."""

    tapes: Tape = field(name="tape")
    on: Annotated[bool, "true at the start of the pause, false at its end"]


class ResetEvent(Placed, tag="reset"):
    """A tape discarded what it had recorded."""

    tapes: Tape = field(name="tape")
    dropped: Annotated[Count, "number of ops that were discarded"]


# --- gradients ---


class GradientSource(TraceStruct):
    """One of the sources of a gradient call."""

    value: Annotated[Id | None, "id of the value; null if it is not a tensor"] = field(name="t")
    name: Annotated[str, "its name in the program"]


class GradientEvent(Placed, tag="gradient"):
    """`gradient`, `jacobian` or `batch_jacobian` was called."""

    call: Annotated[Id, "number of the gradient call"]
    inside: Annotated[Id | None, "the call whose backward pass made this call"]
    api: Literal["gradient", "jacobian", "batch_jacobian"]
    tapes: Tape = field(name="tape")
    targets: Annotated[Ids, "the targets: the values that are differentiated"] = field(
        name="target"
    )
    target_name: Annotated[str | None, "source text of the target"]
    sources: Annotated[
        list[GradientSource], "the sources: the values to differentiate with respect to"
    ]
    left: Annotated[
        Ids, "numbers of the `exit` events of targets and sources that are no longer tensors"
    ]
    output_gradients: Annotated[list[Id | None] | None, "the seeds, if given"]
    unconnected: Annotated[
        Literal["none", "zero"],
        "the `unconnected_gradients` argument: the result for a source without a path",
    ]
    visit: Annotated[Id, "number of this execution of the line, from 1"]
    text: Annotated[str, "source text of the call"]


class SeedEvent(Event, tag="seed"):
    """The backward pass starts at a target."""

    call: Annotated[Id, "number of the gradient call"]
    value: Annotated[Id, "the target"] = field(name="t")
    numbers: Annotated[Numbers, "the seed: the cotangent of the target"] = field(name="T")


class Contribution(TraceStruct):
    """The contribution that a step of the backward pass sends to one input of its op."""

    value: Annotated[Count, "id of the input"] = field(name="t")
    numbers: Annotated[Numbers, "the contribution that the op sends to it"] = field(name="T")
    total: Annotated[Numbers, "the sum of its contributions so far"] = field(name="sum")
    use: Annotated[Id, "number of this contribution, from 1"]
    uses: Annotated[Count, "number of contributions to the input in total"]
    reads: Annotated[list[Count], "the values that the gradient rule read"]


class Skipped(TraceStruct):
    """An input to which nothing is sent."""

    value: Count = field(name="t")
    why: Literal["constant", "not_floating", "no_gradient", "not_needed"]


class BackEvent(Event, tag="back"):
    """One step of the backward pass, which applies the gradient rule of one op.

    The id of a cotangent is the id of its value. Values of an op that ran before tracing started have the id 0. In a Jacobian,
    each cotangent contains all rows along its first axis. If a Jacobian is computed row by row, each row is a backward pass with
    its own seed, and its steps are numbered from 1 again.

    For `IndexedSlices`, the numbers are those of the rows. In a `sum`, rows are concatenated as long as all contributions are
    `IndexedSlices`. As soon as a dense array contributes, the sum is dense.
    """

    call: Annotated[Id, "number of the gradient call"]
    op: Annotated[Id | None, "number of the op; null if it ran before tracing started"]
    step: Annotated[Id, "from 1"]
    steps: Annotated[Id, "number of steps of the backward pass"] = field(name="of")
    arrived: Annotated[
        Numbers,
        "the cotangent of the op's output; if there are several outputs, the cotangent of the first output that has one",
    ] = field(name="grad_in")
    sent: Annotated[list[Contribution], "the contributions to its inputs"] = field(name="out")
    skipped: Annotated[list[Skipped], "the inputs to which nothing is sent"]
    rows: Annotated[Count | None, "number of rows of a Jacobian; absent for other calls"] = None


class ResultEvent(Event, tag="result"):
    """The gradient for one source."""

    call: Annotated[Id, "number of the gradient call"]
    source: Annotated[Count, "index of the source"]
    value: Annotated[Id, "id of the source"] = field(name="t")
    numbers: Annotated[Numbers | None, "the gradient; null for None"] = field(name="T")
    recorded: Annotated[Ids, "the tapes that recorded the backward pass"]


# --- messages ---


Refusal = Literal["used_up", "no_gradient", "target", "source"]


class ErrorEvent(Placed, tag="error"):
    """The script or a gradient call raised an exception."""

    call: Annotated[Id | None, "the gradient call that raised; null if the script raised"]
    type: str
    message: str
    refused: Annotated[
        Refusal | None,
        "why the call was refused: the tape was already used (`used_up`), an op on the path has no registered gradient "
        "(`no_gradient`), a target or a source is not a tensor; absent if that is not known",
    ] = None


class NoteEvent(Placed, tag="note"):
    """A note of the user's program, made with `tf.debug.note("…")`."""

    text: str


# All kinds, by their names in a file.
KINDS: dict[str, type[Event]] = {
    str(each.__struct_config__.tag): each
    for each in list(vars().values())
    if isinstance(each, type)
    and issubclass(each, Event)
    and each not in (Event, Placed, Scoped, UnknownEvent)
}
