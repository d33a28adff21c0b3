"""Keras: its models and metrics return plain values for display, which no tape records."""

from minitape.explain.causes.texts import Entry, Template

# --- keras-predict ---

PREDICT = Entry(
    label="`predict` returns NumPy arrays: the value leaves the tape here",
    why="{call} on line {line} runs the model without recording, and returns NumPy arrays. {result} is a constant that does "
    "not depend on {source}.{incomplete}",
    fix="{fix}",
)
ITS_RESULT = "Its result"
CALL_MODEL = Template("call the model itself, {call}{where}")
WRITE_IN_BLOCK = Template(
    "write {statement} once more, as the first line of the `with` block on line {line}"
)
WRITE_CALL = Template("write {statement} (line {line}){where}")
USE_CALL = Template("use {call} instead of {written}{where}")
IN_BLOCK = Template(", in the `with` block on line {line}")

# --- keras-evaluate ---

EVALUATE = Entry(
    label="{method} returns a Python number: the value leaves the tape here",
    why="{call} on line {line} computes the loss without recording, and returns it as a Python number. {result} is a "
    "constant that does not depend on {source}.{incomplete}",
    fix="{fix}",
)
TRAIN_ON_BATCH = Entry(
    label="{method} returns a Python number: the value leaves the tape here",
    why="{call} on line {line} computes the loss without recording, and returns it as a Python number. It also updates the "
    "weights. {result} is a constant that does not depend on {source}.{incomplete}",
    fix="{fix}",
)
LOSS_FROM_TENSORS = Template(
    "compute the loss from tensors inside the tape: {statement}, where `loss_fn` is the loss that you passed to `compile`"
)
EVALUATE_BY_HAND = (
    "not applied automatically: you have to write out the loss that the model was compiled with"
)

# --- metric-as-loss ---

METRIC = Entry(
    label="a metric stores only values; the tape does not record them",
    why="{metric} is a metric. {call} on line {line} adds values to its variables ({variable}) for reporting. The tape "
    "does not record what is stored in a variable, so the result does not depend on {source}.{incomplete}",
    fix="{fix}",
)
LOSS_INSTEAD = Template("write {statement} (line {line})")
VALUE_ITSELF = Template(
    "use {value} itself in {target}, or `tf.reduce_mean` of a list of such tensors; keep {metric} for reporting the mean"
)
LOSS_FROM_KERAS = Template(
    "compute {target} from the tensors, with a loss from `tf.keras.losses`; keep {metric} for reporting"
)
VALUE_INSTEAD = Template(
    "use {value} instead of {written} (line {line}), and keep {metric} for reporting the mean"
)
MEAN_OF_LIST = Template(
    "write `values = []` before the loop (line {loop}) and {append} after line {update}, and use "
    "`tf.reduce_mean(values)` instead of {written} (line {line}); keep {metric} for reporting"
)
LOSS_AND_METRIC = Template(
    "use {loss} instead of {written} (line {line}), and keep {metric} for reporting"
)
LOSS_FOR_ACCURACY = Template(
    "write {statement} (line {line}), and keep {metric} for reporting: {kind} is piecewise constant, so it has no useful gradient"
)

# --- losses-left-out ---

LOSSES_LEFT_OUT = Entry(
    label="{target} does not contain the losses of the layers",
    why="{added} on line {line} adds a loss, but {target} on line {place} is computed without it. The gradient of {source} is "
    "incomplete: the contribution of that loss is missing.",
    fix="{fix}",
)
WRITE_SUM = Template("write {statement} (line {line})")
ADD_LOSSES = Template("add {losses} to {target}")
WEIGHT_OF_LOSS = "the weight of the added loss cannot be inferred from the script"

# --- the cards of pictures ---

LEFT_CARD = "left the tape"
METRIC_CARD = "added to a metric"
