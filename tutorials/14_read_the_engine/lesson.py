# %% [markdown]
# # 14. Read the engine
#
# A framework is a program. This one is short enough to read, and today you open it.
#
# Ten stops. Each has a question, a number to **predict**, and a file to **open**. The files are
# in the folder of minitape; this command prints its path:
#
#     python -c "import minitape; print(minitape.__path__[0])"
#
# The cells run on both engines, and print the same output. TensorFlow's own engine started in 2018 as
# one file with the same parts. Then you write an engine, most of which you wrote in lessons 2, 5, 8 and 11.

# %%
import minitape as tf


def value(x):
    return None if x is None else x.numpy().tolist()


# %% [markdown]
# ## Stop 1: one door
#
# Where does a tape learn that something was computed? Every op of the catalog is an object of
# one class, and calling it is the only way to run it. So there is one place that notifies the tapes.
#
# **Predict** the two slopes: one tape was open, the other was not.

# %%
x = tf.Variable(3.0)
early = x * x
with tf.GradientTape(persistent=True) as tape:
    late = x * x
print(value(tape.gradient(early, x)), value(tape.gradient(late, x)))

# %% [markdown]
# **Open** `core/primitive.py`: `Primitive`, `_emit_tapes`. Kernel first, tapes afterwards. With no
# tape open, the only cost is one look at a tuple.
#
# ## Stop 2: who records now
#
# Tapes can be nested. When a tape starts, it is added to the end of a tuple; when it stops, it is
# removed, wherever it is. Each op goes to all tapes that watch one of its inputs.
#
# **Predict** the first and second derivatives of x³ at 3.

# %%
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x * x * x
    slope = inner.gradient(y, x)
print(value(slope), value(outer.gradient(slope, x)))

# %% [markdown]
# **Open** `core/recorders.py`: `start`, `stop`, `Record`. A record holds ids and the values that
# the rules will read, nothing else. Where is the formula? There is none.
#
# ## Stop 3: the rule is looked up
#
# An op is declared once, with one rule for each input. What if there is none? Some ops of
# TensorFlow have a derivative, but nobody wrote its rule. Then the backward pass raises an error.
#
# **Predict**: an exception, None, or 0?

# %%
picture = tf.Variable(tf.ones([1, 2, 2, 1]))
with tf.GradientTape() as tape:
    y = tf.image.adjust_contrast(picture, 2.0)
try:
    tape.gradient(y, picture)
except LookupError:
    print("LookupError: no rule is registered")

# %% [markdown]
# **Open** `core/registry.py`: `PRIMITIVES`, and `core/declaration.py`: `Declaration`. Then see a
# rule as mathematics: `minitape ops Mul`.
#
# ## Stop 4: None, on purpose
#
# Other ops are not differentiable: a staircase is flat, and jumps. They are declared with
# the reason, and the path ends there. **Predict** the answer for floor, and for floor(x) + x.

# %%
x = tf.Variable(2.5)
for f in (tf.floor, lambda x: tf.floor(x) + x):
    with tf.GradientTape() as tape:
        y = f(x)
    print(value(tape.gradient(y, x)))

# %% [markdown]
# **Open** `ops/comparison.py`: `floor`, and ask `minitape ops floor` why.
#
# ## Stop 5: the backward pass
#
# The heart of it: one loop, from the last record to the first. When it reaches a record, it
# has visited all users of its output, so what the record is owed is complete.
#
# **Predict** again, as in lesson 2: s + p + s·p at (2, 3), with s = a + b, p = a·b.

# %%
a, b = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape() as tape:
    s, p = a + b, a * b
    y = s + p + s * p
print([value(each) for each in tape.gradient(y, [a, b])])

# %% [markdown]
# **Open** `autodiff/backward.py`: `run_backward`, `_apply_vjps`, `downstream`. Why does it go forward first?
# Because it need not compute contributions that nobody asked for.
#
# ## Stop 6: payments add up
#
# A value that was used several times is owed the sum. TensorFlow's engine kept lists and called
# `add_n` at the end; here a total is kept for each id. **Predict** the slope of x + x + x.

# %%
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x + x + x
print(value(tape.gradient(y, x)))

# %% [markdown]
# **Open** `autodiff/accumulate.py`: `Accumulator`, `added`. From the second contribution on, it sums arrays
# in place. Why not from the first?
#
# ## Stop 7: a few rows of a large table
#
# An embedding has a million rows, and a sentence reads five. A gradient with a million rows, all
# zero but five, would be a waste. So the rule of gather returns the row numbers and their values.
#
# **Predict** which rows are listed here, and whether a row that was read twice is listed twice.

# %%
table = tf.Variable([[1.0], [2.0], [3.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.gather(table, [2, 0, 2]))
gradient = tape.gradient(y, table)
print(type(gradient).__name__, "of rows", value(gradient.indices))
print("as a whole table:", value(tf.convert_to_tensor(gradient)))

# %% [markdown]
# **Open** `core/indexed_slices.py`: `IndexedSlices`. Then look at `added` of stop 6 again: it
# concatenates slices, and converts them to a table as soon as one contribution is a table.
#
# ## Stop 8: zeros for unused outputs
#
# An op with three outputs, and the program uses one. Its rule needs three cotangents. Who
# creates the other two? **Predict** the gradient of the first output with respect to x.

# %%
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    first, second, third = tf.unstack(x)
print(value(tape.gradient(first, x)))

# %% [markdown]
# **Open** `autodiff/backward.py`: `_cotangents`, and `ops/joining.py`: `_or_zeros`. TensorFlow's engine
# kept a cache of zeros, one for each shape. Here zeros are created where a rule needs them, and a
# rule that can do without never sees any.
#
# ## Stop 9: functions of functions
#
# A tape is an object. Mathematics speaks of functions: f, and its gradient. A few lines
# lead from one to the other. **Predict** x³y - xy² and its gradients at (2, 3).

# %%
def val_and_grad_function(f):
    def both(*args):
        with tf.GradientTape() as tape:
            for each in args:
                tape.watch(each)
            y = f(*args)
        return y, tape.gradient(y, args)

    return both


def f(x, y):
    return x**3 * y - x * y**2


z, gradients = val_and_grad_function(f)(tf.constant(2.0), tf.constant(3.0))
print(value(z), [value(each) for each in gradients])

# %% [markdown]
# **Open** `autodiff/functional.py`: `make_vjp`, `val_and_grad_function`, `gradients_function`,
# `implicit_grad`. The last one needs no arguments at all: it differentiates with respect to every
# variable that was read. How does it know them?
#
# ## Stop 10: one object, two arguments
#
# At (v, v), with v = 3: what are the slopes of a·a·b with respect to a and b? On paper, 18 and 9.
# **Predict** what the function above returns.

# %%
v = tf.constant(3.0)
_, twice = val_and_grad_function(lambda a, b: a * a * b)(v, v)
print("one object: ", [value(each) for each in twice])

_, apart = val_and_grad_function(lambda a, b: a * a * b)(tf.identity(v), tf.identity(v))
print("two objects:", [value(each) for each in apart])

# %% [markdown]
# A tape knows objects, not names. Both answers are right, to different questions: 27 is how fast
# the result grows if v grows in both places.
#
# **Open** `autodiff/functional.py`: `_as_separate_tensors`. A short loop keeps such arguments apart.
#
# ## Where the rest of the course lives
#
# | what you saw | lesson | open |
# | --- | --- | --- |
# | `watch`, variables, `watched_variables` | 1, 3 | `autodiff/tape.py`: `Tape` |
# | targets, sources, structures, `output_gradients` | 4 | `autodiff/gradient_request.py`: `first_cotangent` |
# | one answer, `persistent`, `del` | 5 | `autodiff/gradient_tape.py`: `GradientTape` |
# | `stop_recording`, `reset` | 7 | `autodiff/gradient_tape.py`: `GradientTape` |
# | why a gradient is None | 6 | `explain/breaks.py`: `shortest` |
# | `jacobian`, all rows in one backward pass | 9 | `autodiff/jacobians.py`: `by_stack` |
# | `batch_jacobian` | 9 | `autodiff/jacobians.py`: `of_batch` |
# | forward mode | 10 | `autodiff/forward.py`: `ForwardAccumulator` |
# | a rule of your own | 11 | `autodiff/custom.py`: `custom_gradient` |
# | layers, optimizers | 12 | `keras/layers/core.py`: `Dense` |
#
# Look: `minitape trace lesson.py --call 8` shows the records and the backward pass of stop 5.
# Draw what your own engine should hold for it. Then begin with exercise 1.
