"""The texts of a target that was computed from an object other than the source (MT307, MT308, MT309)."""

from minitape.explain.causes.texts import Entry, Template

# --- recreated-variable ---

ANOTHER_VARIABLE = Entry(
    label="this line creates another variable, not the {source} of the gradient call",
    why="{target} was computed from a variable created on line {line}. The {source} of the gradient call is another variable, "
    "created on line {requested}, and was not used.",
    fix="create the variable once, on line {requested}, and use it where line {line} creates a new one",
)

OTHER_CLONE = Entry(
    label="this copy has its own variables, not the {source} of the gradient call",
    why="{target} was computed from a copy: {copied} (line {line}) creates new variables. The {source} of the gradient call is "
    "another variable, created on line {requested}, and was not used.",
    fix="write {statement} (line {line})",
)

BOTH_ON_ONE_LINE = Entry(
    label="this line creates both variables, and the {source} of the gradient call was not used",
    why="Line {line} creates both the variable from which {target} was computed and the {source} of the gradient call, which "
    "was not used.",
    fix="request the gradient with respect to the variable that was used, or compute {target} from {source}",
)

EACH_ITERATION = Entry(
    label="each iteration creates a new variable, not the {source} of the gradient call",
    why="Line {line} creates a new variable in each iteration. {target} was computed from the last one. The {source} of the "
    "gradient call was created in an earlier iteration, and was not used.",
    fix="move line {line} before the loop (line {loop}), or read the list of sources in each iteration",
)

EACH_CALL = Entry(
    label="each call creates a new variable, not the {source} of the gradient call",
    why="Line {line} creates a new {name} in each call. {target} was computed from the last one. The {source} of the "
    "gradient call was created earlier, when line {requested} ran, and was not used.",
    fix="{advice}",
)
CREATE_ONLY_ONCE = Template("write `if not hasattr(self, {attribute}): {statement}`")
CREATE_IF_NONE = Template("write `if {name} is None: {statement}`")
MOVE_BEFORE_FUNCTION = Template("move `{statement}` before the function, so that it runs once")
A_VARIABLE = "variable"

COPIED = Entry(
    label="this copy has its own variables, and {source} is not one of them",
    why="{copied} on line {line} creates its own variables with the same values. {target} was computed from the copies. The "
    "{source} of the gradient call (line {requested}) belongs to the original, and was not used.",
    fix="use `{call}` to request the gradients of the copy; or compute {target} from {original}",
)

COPIED_WEIGHTS = Entry(
    label="these are copies of the weights of {original}, which does not use the copies",
    why="Line {line} creates new variables with the values of the weights of {original}. {target} was computed from the weights "
    "of {original} itself, and not from {source}.",
    fix="request the gradients of the weights that were used: {call}",
)

PROPERTY = Entry(
    label="{name} is a property: each read creates a new variable",
    why="Line {line} runs each time {name} is read, and creates a new variable. {target} was computed from one of them. The "
    "{source} of the gradient call is a different variable, and was not used.",
    fix="create the variable once, when the object is created, and remove `@property`: {statement}",
)
IN_INIT = Template("`self.{name} = ...` in `__init__`")
SAME_IN_INIT = Template("`self.{name} = {value}`")

REPLACED = Entry(
    label="a new variable replaces {source} here",
    why="Line {line} creates a new variable from the value of {source}, and {target} was computed from the new one. The {source} "
    "of the gradient call was created on line {requested}, and was not used while the tape was recording.{since}",
    fix="{advice}",
)
OLD_LIST = Template(" The list of sources (line {line}) still contains the old variable.")
LIST_AGAIN = Template("run `{statement}` again after line {line}")
SOURCES_AGAIN = Template("read the list of sources again after line {line}")

TAKEN_TOO_EARLY = Entry(
    label="this list contains {source}, which line {later} replaces",
    why="Line {line} takes the list {name}, and line {later} creates new variables afterwards. {target} was computed from {new}, "
    "and not from {source}, which is in the list.",
    fix="run {statement} again after line {later}",
)

CREATED_LATER = Entry(
    label="this line creates the {source} of the gradient call, but {target} was computed from another variable",
    why="The {source} of the gradient call was created on line {line}, and was not used. {target} was computed from another "
    "variable of the same kind, created on line {used}.",
    fix="create the variable only once: on line {line}, use the variable that line {used} created, or change its value with "
    "`assign`",
)

DEFAULT_ARGUMENT = Entry(
    label="this default argument keeps the {source} from line {used}",
    why="Python evaluates a default argument once, when `def` runs. Line {line} therefore keeps the {source} from line "
    "{used}, and {target} was computed from it. The {source} of the gradient call was created later, on line "
    "{requested}, and was not used.",
    fix="remove the default argument, and pass {source} in each call",
)

# --- other-model ---

OTHER_MODEL = Entry(
    label="this line calls {called}, not {meant}",
    why="Line {line} calls {called} (created on line {called_made}), and {target} was computed from its weights. The gradient "
    "call requests the weights of {meant} (created on line {meant_made}), which was not called while the tape was recording.",
    fix="write `{statement}`{or_request}",
)
OR_WEIGHTS_OF_CALLED = Template("; or, if the weights of {called} are meant, request them: {call}")

# The tape recorded a call of the model, but the gradient call requests the weights of its copy.
WEIGHTS_OF_COPY = Entry(
    label="these are the weights of {meant}, but {target} was computed with {called}",
    why="{meant} is a copy of {called}, with its own weights. Line {line} calls {called} while the tape records. The output of "
    "{meant} was computed before the tape opened, as is usual for a target network, so {target} does not depend on the "
    "weights of {meant}.",
    fix="request the gradients of {called}: {statement}",
)

# --- late-binding ---

LATE_BINDING = Entry(
    label="{name} is looked up when the function is called; by then it has its last value",
    why="{function} on line {line} does not keep the {name} of its iteration. It looks up {name} when it is called, after the "
    "loop has ended. So it used {used}, and {source} was not used.",
    fix="write `{better}`",
)
THE_LAMBDA = "The lambda"
THE_FUNCTION = Template("The function `{name}`")

# --- why no fix is applied automatically ---

UNKNOWN_VARIABLE = "which of the two variables is meant cannot be inferred from the script"

# --- on the cards of a picture ---

CREATED_AGAIN_CARD = "created again"
CREATED_AGAIN_LEAVING = "another variable, same name"
OTHER_MODEL_CARD = "another model"
OTHER_MODEL_LEAVING = "not the requested one"
LATE_BINDING_CARD = "bound late"
LATE_BINDING_LEAVING = "looked up when called"
