"""The events of a trace: each kind once, with its fields, their types, and what they mean.

    about the file        Header Source End
    about the program     Site Frames Primitive
    values come and go    Constant Variable Read Op Assign Export Reentry Rebind
    tapes                 TapeEnter TapeExit Watch StopRecording Reset
    gradients             Gradient Seed Back Result
    remarks               Error Note

A class is a kind of event; its tag is what stands as `k` in the file. A field is called there what it is called here, or else
what `name=` says. From this page come the check when a file is read, `trace.schema.json`, the reference in
docs/trace-format.md (both by schema.py), and what readers write: `op.inputs[0].value`.

The order of the fields is the order in the file; `at`, `stack` and `outer` come last. A field with a default may be missing
there.
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, dataclass_transform

from msgspec import Meta, Struct, field

# --- what fields are made of ---

Count = Annotated[int, Meta(ge=0)]
Id = Annotated[int, Meta(ge=1)]  # small, in order of appearance; values, tapes, sites, ops, calls
Ids = list[Id]
Tape = Annotated[list[Id], Meta(min_length=1, max_length=1)]  # the number of one
Column = Annotated[int, Meta(ge=-1)]

if TYPE_CHECKING:
    Number = float  # what a reader gets
else:
    Number = float | Literal["NaN", "Infinity", "-Infinity"]  # what a file holds


class Place(NamedTuple):
    """A stretch of source text; lines from 1, columns from 0, and -1 after the line where no more is known."""

    file: str
    line: Column
    column: Column
    end_line: Column
    end_column: Column


class Loop(NamedTuple):
    """A loop by its first line."""

    line: Count
    text: str


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record(Struct, frozen=True, gc=False, omit_defaults=True):
    """Facts that stay as they are: an event, or something inside one."""


class Blocks(Record):
    """A large tensor as a small matrix: the means of blocks.

    All axes but the last are counted through as rows. Of an axis of n, block i of k goes from `i * n // k` to `(i + 1) * n // k`.
    """

    rows: Annotated[int, Meta(ge=1, le=16), "how many blocks there are down"]
    columns: Annotated[int, Meta(ge=1, le=16), "and across"]
    means: Annotated[
        str,
        "row by row, in base64: of each mean the upper two bytes of its float32, the lower one first. Of complex numbers the "
        "means of the absolute values",
    ]
    least: Annotated[Count | None, "where the smallest finite element is, counted through from 0"]
    most: Annotated[Count | None, "where the largest is"]


class Numbers(Record):
    """A tensor in numbers.

    `min`, `max`, `mean`, `std`, `l2` are over the finite elements: null if there is none, or for strings. Of complex numbers they
    tell the absolute values. NaN and infinities in `data` and `strip` are strings in the file and floats for who reads it.

    Of more than 64 elements `packed` or `blocks` tell more than `strip`. A run has room for 4,000,000 characters of both; when it
    is used up, `strip` is all that is told, and `end` says from which event on.
    """

    id: Annotated[Count, "of the value; 0 for one from before anyone listened"]
    name: Annotated[str | None, "what the program calls it"]
    shape: list[Count]
    dtype: str
    size: Annotated[Count, "how many elements"] = field(name="n")
    min: float | None
    max: float | None
    mean: float | None
    std: Annotated[float | None, "standard deviation"]
    l2: Annotated[float | None, "root of the sum of squares"]
    zeros: Annotated[Count, "how many elements are 0"]
    nan: Annotated[Count, "how many are NaN"]
    inf: Annotated[Count, "how many are infinite"]
    data: Annotated[
        Any,
        "all elements if there are at most 64, nested as the shape; complex numbers as text. "
        "Of strings the first 64, flat",
    ] = None
    strip: Annotated[
        Annotated[list[Number], Meta(max_length=16)] | None,
        "means of at most 16 equal stretches of the flattened tensor",
    ] = None
    packed: Annotated[
        str | None,
        "all elements of 65 to 4096, row by row, in base64: the bytes that they have in their dtype, the lowest first",
    ] = None
    blocks: Annotated[
        Blocks | None,
        "of more than 4096 elements in two axes or more: the means of at most 16 × 16 blocks",
    ] = None


class Event(Record, tag_field="k"):
    """Something that happened. Readers pass over kinds that they do not know (see `Other`)."""

    i: Annotated[Count, "its number: its line in the file, from 0"]

    @property
    def kind(self) -> str:
        """What the file calls it: the `k` of an event."""
        return str(self.__struct_config__.tag)


class Placed(Event, kw_only=True):
    """An event at some place in the user's program."""

    at: Annotated[Place | None, "the expression that was running; null where unknown"]
    stack: Annotated[
        Ids,
        "call sites in the user's own files, outermost first; the last one is the place in `at`; of a deep recursion the "
        "innermost ones",
    ]
    outer: Annotated[
        Id | None,
        "the `frames` with the call sites around those in `stack`; absent where there are no more",
    ] = None


class Other(Event, tag=False):
    """An event of a kind that is not on this page: a later version wrote it."""

    of_kind: str
    fields: dict[str, Any]  # as they are in the file, without `i` and `k`

    @property
    def kind(self) -> str:
        return self.of_kind


# --- about the file ---


class Header(Event, tag="header"):
    """The first line: what was run, and by what."""

    format: Literal["minitape-trace"]
    version: Annotated[Literal[1], "of the format"] = field(name="v")
    minitape: Annotated[str, "version of minitape"]
    python: Annotated[str, "version of Python"]
    numpy: Annotated[str, "version of NumPy"]
    script: Annotated[str, "file name of the program"]
    argv: Annotated[list[str], "its arguments"]
    seed: Annotated[int | None, "the random seed that it was given"]
    engine: Annotated[str | None, "what computed, such as `tensorflow`; else minitape"] = None
    engine_version: Annotated[str | None, "version of that engine"] = None


class Source(Event, tag="source"):
    """A file of the user's, before its first use."""

    file: Annotated[
        str,
        "its name; `<code>` or `<stdin>` if the text is in no file, `<cell 3>` in a notebook, "
        "`In[3]` in one that is running",
    ]
    sha256: str
    text: str


class End(Event, tag="end"):
    """The last line. A file without it was cut short."""

    events: Annotated[Id, "how many lines there are"]
    dropped: Annotated[
        Count,
        "how many were left out because of a limit: the last ones, for the later events of a run "
        "refer to the earlier",
    ]
    packed_until: Annotated[
        Count | None,
        "the event from which on there was no room for elements: `packed` and `blocks` are before it only; absent where all "
        "that may have them do",
    ] = None


# --- about the program ---


class Site(Event, tag="site"):
    """A place in the user's code, before its first use."""

    number: Annotated[Id, "for `stack`"] = field(name="site")
    at: Place
    function: Annotated[str, "the function it is in, or `<module>`"] = field(name="func")
    loop: Annotated[Loop | None, "`[line, text]` of the innermost loop around it"]
    code: Annotated[str, "the whole statement, first line only if long"]
    expression: Annotated[str, "the exact expression"] = field(name="expr")
    target: Annotated[str | None, "the name that the statement gives to exactly this expression"]


class Frames(Event, tag="frames", kw_only=True):
    """Call sites that many events of a deep recursion have in common, before their first use."""

    number: Annotated[Id, "for `outer`"] = field(name="frames")
    outer: Annotated[Id | None, "those around these; absent where there are no more"] = None
    stack: Annotated[Ids, "call sites, outermost first"]


class Primitive(Event, tag="primitive"):
    """An op of the engine, before its first use; it holds until another is introduced under the name."""

    name: str
    rule: Annotated[str, "its calculus in a sentence"]
    gradient: Annotated[
        Literal["rule", "zero", "none", "missing"],
        "`rule`: has one; `zero`: a rule that gives zeros; `none`: no gradient by nature; "
        "`missing`: nothing registered, differentiating raises LookupError",
    ]
    reason: Annotated[str | None, "why it has none"]


# --- values come and go ---


class Constant(Placed, tag="constant"):
    """A value that came from Python or NumPy."""

    numbers: Numbers = field(name="T")
    how: Annotated[
        str,
        "the function, such as `tf.constant` or `tf.zeros`; `convert`; `operand` beside a tensor; "
        "`earlier`: it was there before anyone listened",
    ]
    text: Annotated[str | None, "the source text that it came from"]
    origin: Annotated[Id | None, "the variable whose numbers were copied"] = field(name="from")


class Variable(Placed, tag="variable"):
    """A variable was created."""

    variable: Annotated[Id, "its id among the values"] = field(name="var")
    name: Annotated[str, "as TensorFlow shows it: `w:0`"]
    numbers: Numbers = field(name="T")
    trainable: Annotated[bool, "whether a tape watches it by itself"]
    origin: Annotated[Id | None, "the tensor that it was made from"] = field(name="from")


class Read(Placed, tag="read"):
    """A variable was read."""

    variable: Id = field(name="var")
    value: Annotated[Id, "what it gave"] = field(name="out")
    watched: Annotated[Ids, "tapes that watch the variable then"]


class Input(Record):
    """A value that an op took."""

    value: Id = field(name="t")
    text: Annotated[str | None, "how it was written"]
    watched: Annotated[Ids, "tapes that watch it"]


WhyNot = Literal["no_watched_input", "recording_stopped", "not_floating", "no_gradient", "no_tape"]


class Op(Placed, tag="op"):
    """An op ran, recorded or not."""

    number: Annotated[Id, "among the ops"] = field(name="op")
    name: Annotated[str, "of its primitive"]
    inputs: Annotated[list[Input], "the values that it took"]
    attrs: Annotated[dict[str, Any], "its settings"]
    outputs: Annotated[list[Numbers], "what it returned"]
    tapes: Annotated[Ids, "tapes open on this thread"] = field(name="tape")
    recorded: Annotated[Ids, "those that recorded it"]
    why_not: Annotated[
        dict[Count, WhyNot],
        "a reason for each open tape that did not record it; for tape 0 if none was open",
    ]
    saved: Annotated[Ids, "values that it keeps for its rules"]
    target_name: Annotated[str | None, "the name that its statement gives to what it returned"]


class Assign(Placed, tag="assign"):
    """A variable's state changed."""

    variable: Id = field(name="var")
    how: Annotated[str, "`assign`, `assign_add`, `assign_sub`, `scatter_update` …"]
    origin: Annotated[Id | None, "the tensor that it took"] = field(name="from")
    numbers: Annotated[Numbers, "after the change"] = field(name="T")
    is_part: Annotated[
        bool, "a slice was assigned, and the rest stays as it was; absent where it was not"
    ] = field(name="part", default=False)


class Export(Placed, tag="export"):
    """A value left the engine."""

    number: Annotated[Id, "among the exits"] = field(name="export")
    values: Annotated[Ids, "those that left"] = field(name="t")
    via: Annotated[
        str,
        "`numpy`, `__array__`, `float`, `int`, `bool`, `index`, `item`, `tolist`, `format`, "
        "or the function that gave the numbers, such as `np.mean` or Keras's `Model.predict`",
    ]


class Reentry(Placed, tag="reentry"):
    """A value that had left came back as a constant."""

    value: Annotated[Id, "the constant"] = field(name="t")
    value_of: Annotated[Ids, "the values that had left"]
    exports: Annotated[Ids, "the exits that they took"]
    sure: Annotated[bool, "identity proves it; else it is a guess"]
    flat: Annotated[
        bool, "it went through whole numbers or a rounding on the way, so that no slope is lost"
    ]


class Rebind(Placed, tag="rebind"):
    """A name that held a variable or a watched value now holds another."""

    name: str
    was: Annotated[Id, "the value before"]
    now: Annotated[Id, "the value from now on"]


# --- tapes ---


class TapeEnter(Placed, tag="tape_enter"):
    """A tape was opened."""

    tapes: Tape = field(name="tape")
    persistent: Annotated[bool, "whether it answers more than once"]
    watch_accessed_variables: Annotated[bool, "also unasked"] = field(name="watch_vars")
    depth: Annotated[Id, "how many tapes are open now"]
    name: Annotated[str | None, "what the program calls it"]


class TapeExit(Placed, tag="tape_exit"):
    """A tape was closed."""

    tapes: Tape = field(name="tape")
    ops: Annotated[Count, "how many it has recorded"] = field(name="n_ops")


class Watch(Placed, tag="watch"):
    """A tape began to watch a value."""

    tapes: Tape = field(name="tape")
    value: Annotated[Id | None, "null if an empty list was given"] = field(name="t")
    how: Annotated[Literal["explicit", "read"], "by `tape.watch`, or as a variable that was read"]


class StopRecording(Placed, tag="stop_recording"):
    """A pause of a tape, its beginning or its end."""

    tapes: Tape = field(name="tape")
    on: Annotated[bool, "true when the pause begins"]


class Reset(Placed, tag="reset"):
    """A tape forgot what it had recorded."""

    tapes: Tape = field(name="tape")
    dropped: Annotated[Count, "how many ops"]


# --- gradients ---


class GradientSource(Record):
    """One of the values that a gradient call asks about."""

    value: Annotated[Id | None, "null for what is no tensor"] = field(name="t")
    name: Annotated[str, "how the program calls it"]


class Gradient(Placed, tag="gradient"):
    """`gradient`, `jacobian` or `batch_jacobian` was called."""

    call: Annotated[Id, "its number among the gradient calls"]
    inside: Annotated[Id | None, "the call whose walk asked for this one"]
    api: Literal["gradient", "jacobian", "batch_jacobian"]
    tapes: Tape = field(name="tape")
    targets: Annotated[Ids, "what is differentiated"] = field(name="target")
    target_name: Annotated[str | None, "how the target was written"]
    sources: Annotated[list[GradientSource], "what the target is differentiated by"]
    left: Annotated[Ids, "exits of targets and sources that are no tensors any more"]
    output_gradients: Annotated[list[Id | None] | None, "the first cotangents, if given"]
    unconnected: Annotated[Literal["none", "zero"], "what it wants where there is no path"]
    visit: Annotated[Id, "which execution of this line, from 1"]
    text: Annotated[str, "the source text of the call"]


class Seed(Event, tag="seed"):
    """The walk back starts at a target."""

    call: Annotated[Id, "of which gradient call"]
    value: Annotated[Id, "the target"] = field(name="t")
    numbers: Annotated[Numbers, "its first cotangent"] = field(name="T")


class Share(Record):
    """What one step of the walk sends to one input of its op."""

    value: Annotated[Count, "the input"] = field(name="t")
    numbers: Annotated[Numbers, "what the op sends to it"] = field(name="T")
    total: Annotated[Numbers, "the running sum of what was sent to it"] = field(name="sum")
    use: Annotated[Id, "which of the uses of the input, from 1"]
    uses: Annotated[Count, "how many there are"]
    reads: Annotated[list[Count], "values that the rule read"]


class Skipped(Record):
    """An input to which nothing is sent."""

    value: Count = field(name="t")
    why: Literal["constant", "not_floating", "no_gradient", "not_needed"]


class Back(Event, tag="back"):
    """One step of the walk.

    The id of a cotangent is the id of the value that it belongs to; values of an op that ran before anyone listened have the
    id 0. In a jacobian each cotangent carries all rows, as leading axis; where it is computed row by row, each row is a walk of
    its own, with its own seed, and its steps are counted anew.

    Of IndexedSlices the numbers are those of the rows. In a `sum` they are put end to end as long as all that was sent are such
    rows; as soon as an array is among it, the sum is the whole table.
    """

    call: Annotated[Id, "of which gradient call"]
    op: Annotated[Id | None, "the op's number; null if it ran before anyone listened"]
    step: Annotated[Id, "from 1"]
    steps: Annotated[Id, "how many the walk has"] = field(name="of")
    arrived: Annotated[
        Numbers, "the cotangent of its output, of several the first that was sent something"
    ] = field(name="grad_in")
    sent: Annotated[list[Share], "what goes to which input"] = field(name="out")
    skipped: Annotated[list[Skipped], "the inputs to which nothing goes"]
    rows: Annotated[Count | None, "of a jacobian; else absent"] = None


class Result(Event, tag="result"):
    """What came back for one source."""

    call: Annotated[Id, "of which gradient call"]
    source: Annotated[Count, "its index"]
    value: Annotated[Id, "its id"] = field(name="t")
    numbers: Annotated[Numbers | None, "the gradient; null for None"] = field(name="T")
    recorded: Annotated[Ids, "tapes on which the walk itself was recorded"]


# --- remarks ---


Refusal = Literal["used_up", "no_gradient", "target", "source"]


class Error(Placed, tag="error"):
    """The script or a gradient call raised."""

    call: Annotated[Id | None, "the gradient call that raised; null for the script"]
    type: str
    message: str
    refused: Annotated[
        Refusal | None,
        "why the call was refused: the tape has given its answer (`used_up`), an op on the way has no gradient registered "
        "(`no_gradient`), a target or a source is no tensor; absent where that is not known",
    ] = None


class Note(Placed, tag="note"):
    """A remark of the user's program, made with `tf.debug.note("…")`."""

    text: str


# All kinds, by the name that they have in a file.
KINDS: dict[str, type[Event]] = {
    str(each.__struct_config__.tag): each
    for each in list(vars().values())
    if isinstance(each, type) and issubclass(each, Event) and each not in (Event, Placed, Other)
}
