"""The usual code in place of a known mistake: one line of code with the names of the program.

Each function takes the context of a finding, and returns the sentence that follows its explanation; empty if the program does not
have the form of that mistake. The declaration of a cause names its function.
"""

import ast
import re
from typing import Any

from minitape.explain.causes.cause import FindingContext
from minitape.explain.causes.rewriting import is_place, operands, parsed
from minitape.explain.causes.texts import code
from minitape.explain.causes.texts import shared as texts
from minitape.explain.causes.wording import indices
from minitape.source_text import lines_of, walk

Context = FindingContext[Any]

# The maximum number of characters of an argument that is repeated in the line of code.
_LONGEST = 60
_ROUNDING = {
    "Ceil": "tf.math.ceil",
    "Floor": "tf.floor",
    "Rint": "tf.math.rint",
    "Round": "tf.round",
}
# The ops with which a density is computed from exponentials.
_OF_DENSITY = {"AddV2", "Mean", "Mul", "Prod", "RealDiv", "Reshape", "Squeeze", "Sum"}
_SEARCHED = 32  # the maximum number of values to search before a logarithm
_COMPARING = {"Greater", "GreaterEqual", "Less", "LessEqual"}
_Q = re.compile(r"(^|_)(q|q_?values?|td_error|dqn|bellman)(_|\d|$)", re.IGNORECASE)


# A call of NumPy or `random` that draws normal random numbers.
SAMPLES = re.compile(
    r"(?<!tf\.)\b(np\.random|rng|random|generator)\.(normal|gauss|normalvariate)\("
)


def _sentence(purpose: str, line: str) -> str:
    return texts.THE_USUAL_WAY(purpose=purpose, code=code(line))


def model_call(context: Context) -> str:
    """For `model.predict(x)` inside a tape: call the model itself."""
    match parsed(context.whole_expr):
        case ast.Call(func=ast.Attribute(value=model), args=[x, *others]):
            written, given = ast.unparse(model), ast.unparse(x)
        case _:
            return ""
    if len(written) + len(given) > _LONGEST:
        return ""
    if any(map(_Q.search, _names(context))) and is_place(written):
        return _q_values(f"{written}({given})")
    if not re.search(r"loss|cost|error|objective|value", context.target):
        return ""
    labels = ast.unparse(others[0]) if others else "y"
    line = f"{_target(context)} = loss_fn({labels}, {written}({given}, training=True))"
    return _sentence(texts.A_LOSS, line)


def kept_tensor(context: Context) -> str:
    """For `loss = float(...)`: keep the tensor, and convert it after the gradient call."""
    if SAMPLES.search(context.code_of(context.event)):
        return _sentence(texts.SAMPLE, "mean + scale * tf.random.normal(shape)")
    name, _, value = context.code_of(context.event).partition(" = ")
    written = context.whole_expr
    is_loss = value.strip() == written or written in (f"float({name})", f"{name}.numpy()")
    if name != context.target or not name.isidentifier() or not is_loss:
        return ""
    return _sentence(texts.A_NUMBER, f"print(float({name}))")


def error_in_tensorflow(context: Context) -> str:
    """For a mean error that NumPy computes: compute it with TensorFlow."""
    tree = parsed(context.code_of(context.event).partition(" = ")[2]) or parsed(context.whole_expr)
    text = context.code_of(context.event)
    if SAMPLES.search(text):
        return _sentence(texts.SAMPLE, "mean + scale * tf.random.normal(shape)")
    if tree is None or "mean" not in text:
        return ""
    for node in walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            difference = re.sub(r"\.numpy\(\)", "", ast.unparse(node))
            if len(difference) > _LONGEST:
                return ""
            if "square" in text or "** 2" in text or "**2" in text:
                return _sentence(texts.SQUARED_ERROR, f"tf.reduce_mean(tf.square({difference}))")
            if "abs(" in text:
                return _sentence(texts.ABSOLUTE_ERROR, f"tf.reduce_mean(tf.abs({difference}))")
    return ""


def differentiable_choice(context: Context) -> str:
    """For an op that is not differentiable: use the loss that is usually trained instead."""
    op = context.op or ""
    if not context.flow.op(context.event.i).inputs:
        return ""
    scores = context.given(0)
    if len(scores) > _LONGEST:
        return ""
    if op in ("Multinomial", "StatelessMultinomial"):
        chosen = f"tf.gather(tf.nn.log_softmax({scores}), actions, batch_dims=1)"
        return _sentence(texts.SAMPLED_ACTIONS, f"loss = -tf.reduce_mean(rewards * {chosen})")
    if op in ("ArgMax", "TopKV2") and any(map(_Q.search, _names(context))):
        return _q_values(scores)
    if op in ("ArgMax", "ArgMin"):
        if _compares_labels(context):
            loss = "tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)"
            return _sentence(texts.CLASSES, f"{loss}({_labels(context)}, {scores})")
        sign = "" if op == "ArgMax" else "-"
        return _sentence(
            texts.SOFT_CHOICE, f"tf.nn.softmax({sign}{_grouped(scores)} / temperature)"
        )
    if op in _ROUNDING:
        x = scores if is_place(scores) else "x"
        return _sentence(texts.ROUNDING, f"{x} + tf.stop_gradient({_ROUNDING[op]}({x}) - {x})")
    if op in _COMPARING and indices.of_maximum(context) is None:
        given = "" if _is_probability(context) else "from_logits=True"
        loss = f"tf.keras.losses.BinaryCrossentropy({given})"
        return _sentence(texts.DECISIONS, f"{loss}(labels, {scores})")
    return ""


def updated_variable(context: Context) -> str:
    """For `w = w - rate * gradient`: assign to the variable."""
    statement = " ".join(context.code_of(context.event).split())
    if not is_place(context.source) or not re.search(r" - |assign_sub", statement):
        return ""
    return _sentence(texts.UPDATE, f"{context.source}.assign_sub(learning_rate * gradient)")


def soft_update(context: Context) -> str:
    """For a copy of other weights inside the tape: update the weights after the gradient call."""
    match parsed(context.whole_expr):
        case ast.Call(func=ast.Attribute(value=owner, attr="assign"), args=[given]):
            slow = ast.unparse(owner)
        case _:
            return ""
    others = [
        ast.unparse(each)
        for each in walk(given)
        if isinstance(each, ast.Name) and each.id not in ("tf", slow, "tau", "decay", "rate")
    ]
    if not others or not re.search(r"target|teacher|slow|ema|momentum|mean", slow):
        return ""
    fast = others[0]
    return _sentence(texts.SOFT_UPDATE, f"{slow}.assign(tau * {fast} + (1.0 - tau) * {slow})")


def loss_and_metric(context: Context) -> str:
    """For a metric that is used as a loss: use the loss, and update the metric separately."""
    match parsed(context.whole_expr):
        case ast.Call(func=ast.Attribute(value=metric), args=[truth, guess]):
            given = f"{ast.unparse(truth)}, {ast.unparse(guess)}"
            line = f"{_target(context)} = loss_fn({given}); {ast.unparse(metric)}.update_state({given})"
            return "" if len(given) > _LONGEST else _sentence(texts.METRICS, line)
    return ""


def one_call(context: Context) -> str:
    """For a second gradient call on a tape that is not persistent: make one call with all sources."""
    calls = [each for each in context.flow.calls.values() if each.tape == context.call.tape]
    targets = {each.event.target_name for each in calls}
    sources = dict.fromkeys(source.name for each in calls for source in each.event.sources)
    if len(targets) != 1 or len(sources) < 2 or not all(map(is_place, sources)):
        return ""
    listed = ", ".join(sources)
    call = f"{context.tape_name}.gradient({context.target}, [{listed}])"
    return _sentence(texts.SEVERAL_GRADIENTS, f"gradients = {call}")


def is_of_density(context: Context) -> bool:
    """Whether the input of the op at the break is a density: a sum or product of exponentials, some of which are 0 in floating
    point.
    """
    waiting = [each.value for each in context.flow.op(context.event.i).inputs]
    for value in waiting:
        op = context.flow.op_behind(value)
        if op is None or len(waiting) > _SEARCHED:
            continue
        if op.name == "Exp" and op.outputs[0].zeros:
            return True
        if op.name in _OF_DENSITY:
            waiting.extend(each.value for each in op.inputs)
    return False


def from_logits(context: Context) -> str:
    """For the logarithm of a softmax or a sigmoid: compute the loss from the logits."""
    op = context.flow.op(context.event.i)
    behind = context.flow.op_behind(op.inputs[0].value) if op.inputs else None
    while behind is not None and behind.name in ("Sub", "Neg", "GatherV2", "Mul", "Sum"):
        behind = context.flow.op_behind(behind.inputs[-1 if behind.name == "Sub" else 0].value)
    if behind is None or behind.name not in ("Softmax", "Sigmoid") or is_of_density(context):
        return ""
    logits = operands(context.whole_expr_of(behind))[:1] or ["logits"]
    kind = "BinaryCrossentropy" if behind.name == "Sigmoid" else "CategoricalCrossentropy"
    line = f"tf.keras.losses.{kind}(from_logits=True)(y, {logits[0]})"
    return _sentence(texts.LOG_PROBABILITIES, line)


def nested_tapes(context: Context) -> str:
    """For a second derivative: make the inner gradient call inside the outer block."""
    inner = operands(context.whole_expr)[:2]
    if len(inner) != 2:
        return ""
    line = f"with tf.GradientTape() as outer: first = {context.whole_expr}"
    return "" if len(line) > 2 * _LONGEST else _sentence(texts.NESTED_TAPES, line)


def he_initializer(context: Context) -> str:
    """For a dead relu in a Keras layer: use the initializer that suits relu."""
    place = context.place
    program = "" if place is None else context.flow.texts.get(place.file, "")
    written = "".join(lines_of(program)[context.place_line - 1 : context.place_line])
    layer = re.search(r"[\w.]*Dense\(\s*[\w.]+", written)
    if layer is None:
        return ""
    line = f'{layer[0]}, activation="relu", kernel_initializer="he_normal")'
    return _sentence(texts.DEAD_UNITS, line)


def two_outputs(context: Context) -> str:
    """For a second pass through a model: use one model with two outputs. For another output of a recurrent layer: use all
    outputs.
    """
    made = getattr(context.facts, "made", None)
    if made is None:
        return all_states(context)
    part = context.expr_of(context.flow.placed(made)).partition("(")[0]
    match parsed(context.whole_expr):
        case ast.Call(func=ast.Name(id=model)) if model not in ("tf", part):
            line = (
                f"tf.keras.Model({model}.inputs, [{model}.get_layer(name).output, {model}.output])"
            )
            return _sentence(texts.TWO_OUTPUTS, line)
    return ""


def watched_vectors(context: Context) -> str:
    """For an integer source: differentiate with respect to the vectors that it looks up."""
    if not getattr(context.facts, "holds_indices", False) or not is_place(context.source):
        return ""
    line = f"vectors = embedding({context.source}); {context.tape_name}.watch(vectors)"
    return _sentence(texts.INDICES, line)


def all_states(context: Context) -> str:
    """For an unused output of a recurrent layer: compute the loss from the output, not from the state."""
    end = getattr(context.facts, "end", None)
    events = [context.event] if end is None else [context.event, context.flow.placed(end)]
    for event in events:
        statement = " ".join(context.code_of(event).split())
        match _assignment(statement):
            case [[output, _, *_], ast.Call(func=called)] if output == context.source:
                if re.search(r"lstm|gru|rnn|encoder|recurrent", ast.unparse(called), re.I):
                    line = f"{_target(context)} = loss_fn(y, {output})"
                    return _sentence(texts.ALL_STATES, line)
    return ""


def added_losses(context: Context) -> str:
    """For a loss that each iteration overwrites: add up the losses of all iterations."""
    name = getattr(context.facts, "name", "")
    if not re.search(r"loss|cost|error|total", name) or not name.isidentifier():
        return ""
    return _sentence(texts.SUM_OF_LOSSES, f"losses.append({name})` and `{name} = tf.add_n(losses)")


def watched_in_call(context: Context) -> str:
    """For a tape inside `call`: watch the input of the layer."""
    site = None if context.tape_event is None else context.flow.innermost(context.tape_event)
    if site is None or not site.function.endswith(".call") or not is_place(context.source):
        return ""
    line = f"with tf.GradientTape() as {context.tape_name}: {context.tape_name}.watch({context.source})"
    return _sentence(texts.INSIDE_CALL, line)


def safe_division(context: Context) -> str:
    """For a division in a branch of `tf.where`: use a division whose result is 0 where the divisor is 0."""
    op = context.flow.op(getattr(context.facts, "op", context.event.i))
    if op.name not in ("RealDiv", "Div"):
        return ""
    given = operands(context.whole_expr_of(op))
    if len(given) != 2 or sum(map(len, given)) > _LONGEST:
        return ""
    return _sentence(texts.SAFE_DIVISION, f"tf.math.divide_no_nan({given[0]}, {given[1]})")


# --- names of the program ---


def _q_values(values: str) -> str:
    taken = f"tf.reduce_sum({values} * tf.one_hot(actions, num_actions), axis=1)"
    return _sentence(texts.Q_VALUES, f"q = {taken}")


def _target(context: Context) -> str:
    return context.target if context.target.isidentifier() else "loss"


def _names(context: Context) -> set[str]:
    """Return all names in the statement of the finding, and the name of the target."""
    tree = parsed(context.code_of(context.event).partition(" = ")[2])
    found = {each.id for each in walk(tree) if isinstance(each, ast.Name)} if tree else set()
    return {*found, context.target, context.code_of(context.event).partition(" = ")[0]}


def _labels(context: Context) -> str:
    found = re.search(r"\b(labels?|y_true|truth|targets?|y)\b", _later_code(context))
    return found[1] if found else "labels"


def _is_probability(context: Context) -> bool:
    """Whether the value that the finding's op compares first is the result of a sigmoid or a softmax."""
    compared = context.flow.op(context.event.i).inputs[0].value
    before = context.flow.op_behind(compared)
    return before is not None and before.name in ("Sigmoid", "Softmax")


def _compares_labels(context: Context) -> bool:
    return (
        re.search(r"equal\(|==|!=|accuracy|accurate|correct|hits|right", _later_code(context))
        is not None
    )


def _later_code(context: Context) -> str:
    """Return the next statements that use the result of the finding's op."""
    op = context.flow.op(context.event.i)
    statements = [context.code_of(op)]
    values = [op.outputs[0].id]
    for _ in range(2):
        edges = [edge for value in values for edge in context.flow.out_of.get(value, ())]
        users = [context.flow.op_behind(edge.end) for edge in edges]
        statements += [context.code_of(each) for each in users if each is not None]
        values = [each.outputs[0].id for each in users if each is not None]
    return " ".join(statements)


def _grouped(text: str) -> str:
    return f"({text})" if isinstance(parsed(text), ast.BinOp | ast.UnaryOp) else text


def _assignment(statement: str) -> list[Any]:
    try:
        (node,) = ast.parse(statement).body
    except (SyntaxError, ValueError):
        return []
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=value):
            return [list(map(ast.unparse, names)), value]
    return []
