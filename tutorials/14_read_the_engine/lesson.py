# %% [markdown]
# # 14. Read the engine
#
# A framework is a program. minitape is a framework that is short enough to read, and in this lesson you open it.
#
# The lesson has ten stops. Each stop has a question, a number to **predict**, and a file to **open**.
# The files are in the folder of minitape. The following command prints the path of this folder:
#
#     python -c "import minitape; print(minitape.__path__[0])"
#
# The cells print the same output on both engines. TensorFlow's own engine started in 2018 as one file with the
# same parts. After the ten stops, you write an engine, most of which you already wrote in lessons 2, 5, 8 and 11.

# %%
import minitape as tf


def value(x):
    return None if x is None else x.numpy().tolist()


# %% [markdown]
# ## Stop 1: one entrance
#
# How does a tape learn that something was computed? Every op in the catalog is an object of one class,
# and you can run the op only by calling this object. Therefore, only one place has to notify the tapes.
#
# **Predict** the two derivatives. A tape was open for one of the computations, but not for the other.

# %%
x = tf.Variable(3.0)
early = x * x
with tf.GradientTape(persistent=True) as tape:
    late = x * x
print(value(tape.gradient(early, x)), value(tape.gradient(late, x)))

# %% [markdown]
# **Open** `core/primitive.py`, and read `Primitive` and `_emit_tapes`. The kernel runs first, and
# then the tapes record. If no tape is open, the only cost is a look at a tuple.
#
# ## Stop 2: which tapes are recording
#
# Tapes can be nested. When a tape starts, it is added to the end of a tuple. When it stops, it is removed
# from the tuple, at any position. When an op runs, all tapes that watch one of its inputs record the op.
#
# **Predict** the first and second derivatives of x³ at 3.

# %%
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x * x * x
    slope = inner.gradient(y, x)
print(value(slope), value(outer.gradient(slope, x)))

# %% [markdown]
# **Open** `core/recorders.py`, and read `start`, `stop` and `Record`. A record holds only ids and
# the values that the rules will need. It does not contain a formula.
#
# ## Stop 3: the rule is looked up
#
# Each op is declared once, with one rule for each input. What happens if there is no rule? Some TensorFlow
# ops have a derivative, but TensorFlow has no rule for it. For these ops, the backward pass raises an error.
#
# **Predict** the result: an exception, None, or 0.

# %%
picture = tf.Variable(tf.ones([1, 2, 2, 1]))
with tf.GradientTape() as tape:
    y = tf.image.adjust_contrast(picture, 2.0)
try:
    tape.gradient(y, picture)
except LookupError:
    print("LookupError: no rule is registered")

# %% [markdown]
# **Open** `core/registry.py`, and read `PRIMITIVES`. Also open `core/declaration.py`, and read
# `Declaration`. Then run `minitape ops Mul` to see a rule as a formula.
#
# ## Stop 4: None on purpose
#
# Other ops are not differentiable. A step function is flat, except where it jumps. These ops are declared
# with the reason, and the path ends there. **Predict** the answers for floor(x) and for floor(x) + x.

# %%
x = tf.Variable(2.5)
for f in (tf.floor, lambda x: tf.floor(x) + x):
    with tf.GradientTape() as tape:
        y = f(x)
    print(value(tape.gradient(y, x)))

# %% [markdown]
# **Open** `ops/comparison.py`, and read `floor`. Then run `minitape ops floor` to see the reason.
#
# ## Stop 5: the backward pass
#
# The core of the engine is one loop, from the last record to the first. When the loop reaches a record, it has
# already visited all ops that use the output of this record. The cotangent of this output is therefore complete.
#
# **Predict** the gradient of s + p + s·p at (2, 3), with s = a + b and p = a·b, as in lesson 2.

# %%
a, b = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape() as tape:
    s, p = a + b, a * b
    y = s + p + s * p
print([value(each) for each in tape.gradient(y, [a, b])])

# %% [markdown]
# **Open** `autodiff/backward.py`, and read `run_backward`, `_apply_vjps` and `downstream`. Why
# does the engine first go forward? It does so to avoid contributions that are not needed.
#
# ## Stop 6: payments add up
#
# The cotangent of a value that was used several times is a sum. The first version of TensorFlow's engine kept lists
# and called `add_n` at the end. minitape keeps one total for each id. **Predict** the derivative of x + x + x.

# %%
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x + x + x
print(value(tape.gradient(y, x)))

# %% [markdown]
# **Open** `autodiff/accumulate.py`, and read `Accumulator` and `added`. From the second contribution
# on, the accumulator adds arrays in place. Why does it not do this from the first contribution on?
#
# ## Stop 7: a few rows of a large table
#
# An embedding has a million rows, and a sentence reads five of them. A gradient with a million
# rows, of which only five are not zero, would waste memory. For this reason, the rule of
# `tf.gather` returns only the row numbers and the values of these rows.
# **Predict** which rows the gradient lists. Does it list a row twice if the row was read twice?

# %%
table = tf.Variable([[1.0], [2.0], [3.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.gather(table, [2, 0, 2]))
gradient = tape.gradient(y, table)
print(type(gradient).__name__, "of rows", value(gradient.indices))
print("as a full matrix:", value(tf.convert_to_tensor(gradient)))

# %% [markdown]
# **Open** `core/indexed_slices.py`, and read `IndexedSlices`. Then read `added` from stop 6 again: it
# concatenates slices, and it converts them to a full matrix as soon as one contribution is a full matrix.
#
# ## Stop 8: zeros for unused outputs
#
# An op has three outputs, but the program uses only one of them. The rule of the op needs three cotangents.
# Where do the other two come from? **Predict** the gradient of the first output with respect to `x`.

# %%
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    first, second, third = tf.unstack(x)
print(value(tape.gradient(first, x)))

# %% [markdown]
# **Open** `autodiff/backward.py`, and read `_cotangents`. Also open `ops/joining.py`, and read
# `_or_zeros`. The first version of TensorFlow's engine kept a cache with zeros for each shape. minitape
# creates zeros only where a rule needs them. If a rule does not need zeros, minitape does not create any.
#
# ## Stop 9: functions of functions
#
# A tape is an object, but mathematics speaks of functions: a function f and its gradient. A few lines
# of code lead from a tape to a gradient function. **Predict** x³y - xy² and its gradients at (2, 3).

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
# **Open** `autodiff/functional.py`, and read `make_vjp`, `val_and_grad_function`,
# `gradients_function` and `implicit_grad`. `implicit_grad` needs no list of arguments, because it
# differentiates with respect to every variable that was read. How does it know these variables?
#
# ## Stop 10: one object, two arguments
#
# At (v, v), with v = 3, what are the derivatives of a·a·b with respect to a and b? On paper, they
# are 18 and 9. **Predict** what the function above returns.

# %%
v = tf.constant(3.0)
_, twice = val_and_grad_function(lambda a, b: a * a * b)(v, v)
print("one object: ", [value(each) for each in twice])

_, apart = val_and_grad_function(lambda a, b: a * a * b)(tf.identity(v), tf.identity(v))
print("two objects:", [value(each) for each in apart])

# %% [markdown]
# A tape knows objects, not names. Both answers are correct, but they answer different questions.
# 27 is the rate at which the result increases if v increases in both arguments.
#
# **Open** `autodiff/functional.py`, and read `_as_separate_tensors`. This short loop separates such arguments.
#
# ## Where to find the other parts of the course
#
# | what you learned | lesson | where to find it |
# | --- | --- | --- |
# | `watch`, variables, `watched_variables` | 1, 3 | `autodiff/tape.py`: `Tape` |
# | targets, sources, structures, `output_gradients` | 4 | `autodiff/gradient_request.py`: `first_cotangent` |
# | one answer, `persistent`, `del` | 5 | `autodiff/gradient_tape.py`: `GradientTape` |
# | `stop_recording`, `reset` | 7 | `autodiff/gradient_tape.py`: `GradientTape` |
# | why a gradient is None | 6 | `explain/breaks.py`: `shortest` |
# | `jacobian`, all rows in one backward pass | 9 | `autodiff/jacobians.py`: `by_stack` |
# | `batch_jacobian` | 9 | `autodiff/jacobians.py`: `of_batch` |
# | forward mode | 10 | `autodiff/forward.py`: `ForwardAccumulator` |
# | an op with your own rule | 11 | `autodiff/custom.py`: `custom_gradient` |
# | layers, optimizers | 12 | `keras/layers/core.py`: `Dense` |
#
# Run `minitape trace lesson.py --call 8`. It shows the records and the backward pass of stop 5.
# Draw the records that your own engine should hold for this program. Then begin with exercise 1.
