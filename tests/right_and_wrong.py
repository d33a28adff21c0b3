"""Alternative right answers, and wrong answers, for the exercises of the course.

Each is a change to the solution: pairs of a text and its replacement. `mechanical` adds changes that must not affect the
result.
"""

import ast
import re

Change = tuple[tuple[str, str], ...]


def c(*texts: str) -> Change:
    """Return a change from alternating texts: old, new, old, new ..."""
    return tuple(zip(texts[::2], texts[1::2], strict=True))


RIGHT: dict[str, list[Change]] = {
    "01/ex1": [
        c("6.0\n", "6\n", "-8.0", "-8"),
        c("= 6.0", ": float = 6.0"),
        c("= 5.0", "= 5.0000001"),
        c("6.0\n", "+6.0\n"),
        c("= -8.0", "= (-8.0)"),
    ],
    "01/ex2": [
        c("x**3", "4.5 * x * x"),
        c("x**3", "x * x * x"),
        c("x**3", "13.5 * (x - 2.0) ** 2"),
        c("x**3", "tf.pow(x, 3.0)"),
        c("x**3", "27.0 * tf.exp(x - 3.0)"),
        c("x**3", "-81.0 * tf.math.log(1.0 / x)"),
        c("x**3", "tf.reduce_sum(tf.stack([x, x]) * tf.stack([x, 3.5 * x]))"),
    ],
    "01/ex3": [
        c("y - slope * at", "float(y) - float(slope) * at"),
        c(
            "tf.Variable(at)",
            "tf.constant(at)",
            "        y = f(x)",
            "        tape.watch(x)\n        y = f(x)",
        ),
        c("return slope, intercept", "return [slope.numpy(), intercept.numpy()]"),
        c("y - slope * at", "f(tf.constant(at)) - at * slope"),
        c("tf.Variable(at)", "tf.Variable(float(at), dtype=tf.float64)"),
    ],
    "02/ex1": [
        c('["y", "w", "v", "u"]', '("y", "w", "v", "u")'),
        c('"w"', "'w'"),
    ],
    "02/ex2": [
        c("[6.0, 1.0, 4.0]", "(6, 1, 4)"),
        c("48.0", "48"),
        c("4.0]", "4.0004]"),
        c("[6.0, 1.0, 4.0]", "[\n 6.0,\n 1.0,\n 4.0,\n]"),
    ],
    "02/ex3": [
        c(
            '"a + b": "nothing",\n    "a * b": "inputs",',
            '"a * b": "inputs",\n    "a + b": "nothing",',
        )
    ],
    "02/ex4": [
        c("= 3\n", "= 3.0\n"),
        c("gradient.get(name, 0.0) * slope", "slope * gradient.get(name, 0)"),
        c("reversed(tape)", "tape[::-1]"),
        c(
            "    for name, inputs in reversed(tape):",
            "    from collections import defaultdict\n    gradient = defaultdict(float, gradient)\n    for name, inputs in list(tape)[::-1]:",
        ),
        c(
            "    for name, inputs in reversed(tape):",
            "    for i in range(len(tape) - 1, -1, -1):\n        name, inputs = tape[i]",
        ),
    ],
    "03/ex1": [c("by_x0 = 6.0", "by_x0 = 6"), c("how_many_watched = 1", "how_many_watched = 1.0")],
    "03/ex2": [
        c("tape.watch([scale, shift, data])", "tape.watch((data, shift, scale))"),
        c(
            "tape.watch([scale, shift, data])",
            "tape.watch(scale)\n    tape.watch(shift)\n    tape.watch(data)",
        ),
        c("weight**2 + scale**2", "scale**2 + weight * weight"),
        c(
            "loss = weight**2 + scale**2 + shift**2 + data**2",
            "loss = sum(each**2 for each in (weight, scale, shift, data))",
        ),
        c(
            "loss = weight**2 + scale**2 + shift**2 + data**2",
            "loss = tf.add_n([tf.square(each) for each in (weight, scale, shift, data)])",
        ),
    ],
    "03/ex3": [
        c(
            "tf.reduce_sum(tf.math.sin(x0) + tf.nn.softplus(x1))",
            "tf.sin(x0) + tf.math.softplus(x1)",
        ),
        c("tf.nn.softplus(x1)", "tf.math.log(1.0 + tf.exp(x1))"),
        c("tape.watch(x1)", "tape.watch([x1])"),
        c("tf.nn.softplus(x1)", "tf.math.log1p(tf.exp(x1))"),
        c(
            'return tape.gradient(y, {"x0": x0, "x1": x1})',
            'by_x0, by_x1 = tape.gradient(y, [x0, x1])\n    return {"x0": by_x0, "x1": by_x1}',
        ),
    ],
    "03/ex4": [c('["a", "d", "e"]', '("a", "d", "e")')],
    "04/ex1": [c("(4, 3)", "[4, 3]"), c("(2,)", "[2]"), c("= ()", "= []")],
    "04/ex2": [
        c("z = y * y", "z = y**2"),
        c("y = x * x", "y = tf.square(x)"),
        c(
            'return tape.gradient(z, {"dz_dx": x, "dz_dy": y})',
            'dx, dy = tape.gradient(z, (x, y))\n    return {"dz_dy": dy, "dz_dx": dx}',
        ),
        c(
            "GradientTape()",
            "GradientTape(persistent=True)",
            'return tape.gradient(z, {"dz_dx": x, "dz_dy": y})',
            'return {"dz_dx": tape.gradient(z, x), "dz_dy": tape.gradient(z, y)}',
        ),
        c("tape.watch(x)", "x = tf.identity(x)\n        tape.watch(x)"),
    ],
    "04/ex3": [
        c(
            "    only_k = tf.one_hot(k, y.shape[0])\n",
            "",
            "        y = f(x)",
            "        y = f(x)[k]",
            ", output_gradients=only_k",
            "",
        ),
        c(
            "tf.one_hot(k, y.shape[0])",
            "tf.constant([1.0 if i == k else 0.0 for i in range(len(y))])",
        ),
        c("return tape.gradient(y, x, output_gradients=only_k)", "return tape.jacobian(y, x)[k]"),
        c(
            "        y = f(x)",
            "        y = f(x)\n        y = tf.reduce_sum(y * tf.one_hot(k, len(y)))",
            "    only_k = tf.one_hot(k, y.shape[0])\n",
            "",
            ", output_gradients=only_k",
            "",
        ),
        c(
            "        y = f(x)",
            "        y = tf.gather(f(x), k)",
            "    only_k = tf.one_hot(k, y.shape[0])\n",
            "",
            ", output_gradients=only_k",
            "",
        ),
    ],
    "04/ex4": [
        c("return tf.stack(found)", "return found"),
        c("x.shape[0]", "len(x)"),
        c("return tf.stack(found)", "return tf.convert_to_tensor(found)"),
        c(
            "    found = []\n",
            "    with tf.GradientTape() as tape:\n        tape.watch(x)\n        y = f(x)\n    return tf.linalg.diag_part(tape.jacobian(y, x))\n    found = []\n",
        ),
        c(
            "    found = []\n",
            "    with tf.GradientTape(persistent=True) as tape:\n        tape.watch(x)\n        y = f(x)\n    rows = [tape.gradient(y, x, output_gradients=tf.one_hot(i, len(x))) for i in range(len(x))]\n    return tf.stack([rows[i][i] for i in range(len(x))])\n    found = []\n",
        ),
    ],
    "05/ex1": [
        c("z = y * y", "z = x**4"),
        c("z = y * y", "z = tf.square(y)"),
        c("y = x * x", "y = tf.pow(x, 2.0)"),
        c(
            'return {"dy_dx": tape.gradient(y, x), "dz_dx": tape.gradient(z, x)}',
            "dz_dx = tape.gradient(z, x)\n    dy_dx = tape.gradient(y, x)\n    del tape\n    return dict(dy_dx=dy_dx, dz_dx=dz_dx)",
        ),
        c(
            "    with tf.GradientTape(persistent=True) as tape:\n        tape.watch(x)\n        y = x * x\n        z = y * y\n",
            "    with tf.GradientTape() as a, tf.GradientTape() as b:\n        a.watch(x)\n        b.watch(x)\n        y = x * x\n        z = y * y\n",
            "tape.gradient(y, x)",
            "a.gradient(y, x)",
            "tape.gradient(z, x)",
            "b.gradient(z, x)",
        ),
    ],
    "05/ex2": [
        c(
            "return [tape.gradient(error, w), tape.gradient(penalty, w)]",
            "first = tape.gradient(error, w)\n    second = tape.gradient(penalty, w)\n    del tape\n    return [first, second]",
        ),
        c(
            "return [first.gradient(error, w), second.gradient(penalty, w)]",
            "by_penalty = second.gradient(penalty, w)\n    return [first.gradient(error, w), by_penalty]",
        ),
        c(
            "return [first.gradient(error, w), second.gradient(penalty, w)]",
            "return (first.gradient(error, w), second.gradient(penalty, w))",
        ),
        c(
            "error = error_of(w)\n        penalty = penalty_of(w)",
            "penalty = penalty_of(w)\n        error = error_of(w)",
        ),
        c(
            "    with tf.GradientTape() as first:\n        error = error_of(w)\n    with tf.GradientTape() as second:\n        penalty = penalty_of(w)\n    return [first.gradient(error, w), second.gradient(penalty, w)]",
            "    found = []\n    for each in (error_of, penalty_of):\n        with tf.GradientTape() as tape:\n            y = each(w)\n        found.append(tape.gradient(y, w))\n    return found",
        ),
    ],
    "05/ex3": [
        c("loss = loss_of(w, ready)", "loss = tf.reduce_sum((w * ready) ** 2)"),
        c(
            "        total += tape.gradient(loss, w)",
            "        total = total + tape.gradient(loss, w)",
        ),
        c("total = 0.0\n", "total = tf.zeros_like(w)\n"),
        c(
            "    total = 0.0\n    for batch in batches:\n        ready = polished(batch)\n",
            "    total = 0.0\n    for ready in [polished(each) for each in batches]:\n",
        ),
        c(
            "        ready = polished(batch)\n        with tf.GradientTape() as tape:\n            loss = loss_of(w, ready)\n",
            "        with tf.GradientTape() as tape:\n            with tape.stop_recording():\n                ready = polished(batch)\n            loss = loss_of(w, ready)\n",
        ),
    ],
    "05/ex4": [
        c("[(a.id, b.number), (b.id, a.number)]", "[(b.id, a.number), (a.id, b.number)]"),
        c("(a.id, 1.0), (b.id, 1.0)", "(a.id, 1), (b.id, 1)"),
        c(
            "    for tape in active:\n        tape.records.append((y.id, [(a.id, 1.0), (b.id, 1.0)]))",
            "    for i in range(len(active)):\n        active[i].records += [[y.id, ((a.id, 1.0), (b.id, 1.0))]]",
        ),
        c(
            "    if not tape.persistent:\n        tape.records = None\n",
            "    tape.records = tape.records if tape.persistent else None\n",
        ),
        c(
            '    if tape.records is None:\n        raise RuntimeError("this tape has released its records")\n    gradient = walk(tape.records, target.id)\n    if not tape.persistent:\n        tape.records = None\n',
            "    records = tape.records\n    if records is None:\n        raise RuntimeError\n    if not tape.persistent:\n        tape.records = None\n    gradient = walk(records, target.id)\n",
        ),
        c(
            '    if tape.records is None:\n        raise RuntimeError("this tape has released its records")\n',
            '    if hasattr(tape, "answered"):\n        raise RuntimeError("a plain tape answers once")\n',
            "        tape.records = None\n",
            "        tape.answered = True\n        tape.records = []\n",
        ),
        c(
            "def add(a, b):\n",
            "def write(y, *inputs):\n    for tape in active:\n        tape.records.append((y.id, list(inputs)))\n    return y\n\n\ndef add(a, b):\n",
            "    for tape in active:\n        tape.records.append((y.id, [(a.id, 1.0), (b.id, 1.0)]))\n    return y",
            "    return write(y, (a.id, 1.0), (b.id, 1.0))",
            "    for tape in active:\n        tape.records.append((y.id, [(a.id, b.number), (b.id, a.number)]))\n    return y",
            "    return write(y, (a.id, b.number), (b.id, a.number))",
        ),
    ],
    "06/ex1": [
        c(
            "score = tf.reduce_sum(weights * picture**2)",
            "score = tf.tensordot(weights, picture * picture, 1)",
        ),
        c(
            "        tape.watch(picture)\n",
            "",
            "    with tf.GradientTape() as tape:\n",
            "    picture = tf.Variable(picture)\n    with tf.GradientTape() as tape:\n",
        ),
        c("picture**2", "tf.square(picture)"),
        c("tape.watch(picture)", "tape.watch([picture, weights])"),
        c(
            "score = tf.reduce_sum(weights * picture**2)",
            "score = tf.reduce_sum(picture * weights * picture)",
        ),
    ],
    "06/ex2": [
        c("        square = x * x\n        y = square + 3.0 * x", "        y = x * (x + 3.0)"),
        c("square + 3.0 * x", "x + square + 2.0 * x"),
        c("square = x * x", "square = tf.square(x)"),
        c(
            "    with tf.GradientTape() as tape:\n        tape.watch(x)\n",
            "    x = tf.Variable(x)\n    with tf.GradientTape() as tape:\n",
        ),
        c("square + 3.0 * x", "tf.add_n([square, x, x, x])"),
    ],
    "06/ex3": [
        c("100.0 / speed", "100.0 * speed**-1.0"),
        c("price = 0.25 * energy + 5.0 * hours", "price = 5.0 * hours + energy / 4.0"),
        c(
            "        energy = 0.5 * speed**2\n        hours = 100.0 / speed\n        price = 0.25 * energy + 5.0 * hours",
            "        price = 0.125 * speed**2 + 500.0 / speed",
        ),
        c("speed**2", "speed * speed"),
        c(
            "    with tf.GradientTape() as tape:\n",
            "    with tf.GradientTape() as tape:\n        tape.watch(speed)\n",
        ),
    ],
    "06/ex4": [
        c("        loss = fit + penalty", "        loss = tf.add(fit, penalty)"),
        c("0.5 * w**2", "w * w / 2.0"),
        c(
            "        loss = fit + penalty\n    return tape.gradient(loss, w)",
            "    return tape.gradient([fit, penalty], w)",
        ),
        c("tf.reduce_mean((w * x - y) ** 2)", "tf.reduce_sum(tf.square(y - x * w)) / 2.0"),
        c("fit + penalty", "penalty + fit"),
    ],
    "06/ex5": [
        c(
            "        scatter = tf.math.reduce_variance(weekly)\n        risk = tf.sqrt(scatter)",
            "        risk = tf.math.reduce_std(weekly)",
        ),
        c(
            "tf.math.reduce_variance(weekly)",
            "tf.reduce_mean((weekly - tf.reduce_mean(weekly)) ** 2)",
        ),
        c(
            "tf.math.reduce_variance(weekly)",
            "tf.reduce_mean(weekly**2) - tf.reduce_mean(weekly) ** 2",
        ),
        c("tf.reduce_sum(returns * weights, axis=1)", "tf.linalg.matvec(returns, weights)"),
        c("tf.sqrt(scatter)", "scatter**0.5"),
    ],
    "06/ex6": [
        c("tf.reduce_sum(w * w)", "tf.reduce_sum(w**2)"),
        c("fit + 0.1 * size", "tf.add(fit, size * 0.1)"),
        c("tf.reduce_sum(w * w)", "2.0 * tf.nn.l2_loss(w)"),
        c(
            "        size = tf.reduce_sum(w * w)\n        loss = fit + 0.1 * size\n    return tape.gradient(loss, w)",
            "        size = 0.1 * tf.reduce_sum(w * w)\n    return tape.gradient([fit, size], w)",
        ),
        c("tf.reduce_sum(w * w)", "tf.tensordot(w, w, 1)"),
    ],
    "06/ex7": [
        c("float(side)", "side, dtype=tf.float32"),
        c("float(side)", "1.0 * side"),
        c("length**2", "length * length"),
        c(
            "tf.Variable(float(side))",
            "tf.constant(float(side))",
            "    with tf.GradientTape() as tape:\n",
            "    with tf.GradientTape() as tape:\n        tape.watch(length)\n",
        ),
        c("tf.Variable(float(side))", "tf.Variable(tf.cast(side, tf.float32))"),
    ],
    "06/ex8": [
        c("tf.sigmoid(score)", "tf.math.sigmoid(score)"),
        c("tf.sigmoid(score)", "1.0 / (1.0 + tf.exp(-score))"),
        c("tf.sigmoid(score)", "0.5 * (1.0 + tf.tanh(score / 2.0))"),
        c("tf.sigmoid(score)", "tf.exp(score) / (1.0 + tf.exp(score))"),
        c("(answer - truth) ** 2", "tf.square(truth - answer)"),
    ],
    "06/ex9": [
        c("x.assign_add(1.0)", "x.assign(x + 1.0)"),
        c("x.assign_add(1.0)", "x = tf.Variable(x + 1.0)"),
        c(
            "            y = x**3\n",
            "            tape.watch(x)\n            y = x**3\n",
            "x.assign_add(1.0)",
            "x = x + 1.0",
        ),
        c("x**3", "x * x * x"),
        c("x.assign_add(1.0)", "x = tf.Variable(float(x) + 1.0)"),
    ],
    "06/ex10": [
        c("tape.gradient(energy, position)[1]", "tf.gather(tape.gradient(energy, position), 1)"),
        c(
            "    with tf.GradientTape() as tape:\n        stretch = position[1:] - position[:-1]\n        energy = tf.reduce_sum(stretch**2)\n    return tape.gradient(energy, position)[1]",
            "    with tf.GradientTape() as tape:\n        left, middle, right = tf.unstack(position)\n        energy = (middle - left) ** 2 + (right - middle) ** 2\n    return tape.gradient(energy, middle)",
        ),
        c(
            "        stretch =",
            "        middle = position[1]\n        stretch =",
            "position[1:] - position[:-1]",
            "tf.stack([middle - position[0], position[2] - middle])",
            "tape.gradient(energy, position)[1]",
            "tape.gradient(energy, middle)",
        ),
        c("stretch**2", "stretch * stretch"),
        c("position[1:] - position[:-1]", "position[:-1] - position[1:]"),
    ],
    "06/ex11": [
        c("tf.constant(0.0)", "0.0"),
        c("0.5 * level + gain * reading", "gain * reading + level / 2.0"),
        c("(level - 3.0) ** 2", "tf.square(3.0 - level)"),
        c(
            "    level = tf.constant(0.0)\n    with tf.GradientTape() as tape:\n",
            "    with tf.GradientTape() as tape:\n        level = tf.zeros([])\n",
        ),
        c("(level - 3.0) ** 2", "(level - 3.0) * (level - 3.0)"),
    ],
    "06/ex12": [
        c(
            "        h = tf.tanh(first * x)\n        h = tf.tanh(second * h)",
            "        hidden = tf.tanh(first * x)\n        h = tf.tanh(second * hidden)",
        ),
        c(
            "        h = tf.tanh(first * x)\n        h = tf.tanh(second * h)",
            "        h = tf.tanh(second * tf.tanh(first * x))",
        ),
        c("(h - y) ** 2", "tf.square(y - h)"),
        c("[first, second])", "(first, second))"),
        c("first * x", "x * first"),
    ],
    "07/ex1": [
        c("error**2", "error * error"),
        c(
            "            worst = tf.reduce_max(tf.abs(error))\n",
            "            worst = tf.reduce_max(tf.maximum(error, -error))\n",
        ),
        c("error = w * x - y", "error = x * w - y"),
        c("error**2", "tf.square(error)"),
    ],
    "08/ex1": [
        c("f(x)", "f(tf.identity(x))"),
        c(
            "    return slope, outer.gradient(slope, x)",
            "    return [slope, outer.gradient(slope, x)]",
        ),
        c(
            "            inner.watch(x)\n            y",
            "            inner.watch([x])\n            y",
        ),
        c(
            "        outer.watch(x)\n",
            "",
            "    with tf.GradientTape() as outer:\n",
            "    x = tf.Variable(x)\n    with tf.GradientTape() as outer:\n",
            "            inner.watch(x)\n",
            "",
        ),
        c("        slope = inner", "        inner_slope = slope = inner"),
    ],
    "08/ex2": [
        c("tf.reduce_sum(inner.gradient(y, x) * v)", "tf.tensordot(inner.gradient(y, x), v, 1)"),
        c(
            "        gradient_along_v = tf.reduce_sum(inner.gradient(y, x) * v)\n    return outer.gradient(gradient_along_v, x)",
            "        g = inner.gradient(y, x)\n    return outer.gradient(g, x, output_gradients=v)",
        ),
        c(
            "tf.reduce_sum(inner.gradient(y, x) * v)",
            "tf.linalg.matvec(v[None, :], inner.gradient(y, x))[0]",
        ),
        c("inner.gradient(y, x) * v", "v * inner.gradient(y, x)"),
        c(
            "tf.reduce_sum(inner.gradient(y, x) * v)",
            "tf.add_n(tf.unstack(inner.gradient(y, x) * v))",
        ),
    ],
    "08/ex5": [
        c("[(a, b), (b, a)]", "[(b, a), (a, b)]"),
        c("[(a, b), (b, a)]", "((a, b), (b, a))"),
        c(
            "    return record(Value(a.number * b.number), [(a, b), (b, a)])",
            "    y = Value(a.number * b.number)\n    for tape in active:\n        tape.records.append((y, [(a, b), (b, a)]))\n    return y",
        ),
        c(
            "    y = Value(math.exp(a.number))\n    return record(y, [(a, y)])",
            "    y = Value(math.e ** a.number)\n    record(y, [(a, y)])\n    return y",
        ),
        c(
            "    with Tape() as outer:\n        with Tape() as inner:\n            y = f(x)\n",
            "    inner = Tape()\n    with Tape() as outer:\n        with inner:\n            y = f(x)\n",
        ),
        c(
            "    with Tape() as outer:\n        with Tape() as inner:\n            y = f(x)\n        slope = inner.gradient(y, x)\n    return outer.gradient(slope, x)",
            "    def derivative(f):\n        def df(x):\n            with Tape() as tape:\n                y = f(x)\n            return tape.gradient(y, x)\n\n        return df\n\n    return derivative(derivative(f))(x)",
        ),
    ],
    "09/ex2": [
        c("tf.transpose(table)", "tf.transpose(table, [1, 0])"),
        c(
            "tf.reduce_max(tf.abs(table - tf.transpose(table)))",
            "tf.reduce_max(tf.transpose(table) - table)",
        ),
        c(
            "            y = f(x)\n        slope = inner.gradient(y, x)\n    return outer.jacobian(slope, x)",
            "            y = f(x)\n        slope = inner.jacobian(y, x)\n    return outer.jacobian(slope, x)",
        ),
        c("outer.jacobian(slope, x)", "outer.jacobian(slope, [x])[0]"),
    ],
    "11/ex1": [
        c("return -ybar * tf.sigmoid(-z)", "return -ybar / (1.0 + tf.exp(z))"),
        c("return -ybar * tf.sigmoid(-z)", "return ybar * (tf.sigmoid(z) - 1.0)"),
        c(
            "tf.maximum(-z, 0.0) + tf.math.log1p(tf.exp(-tf.abs(z)))",
            "tf.nn.relu(-z) + tf.math.log1p(tf.exp(-tf.nn.relu(z) - tf.nn.relu(-z)))",
        ),
        c("tf.maximum(-z, 0.0)", "tf.nn.relu(-z)"),
        c(
            "tf.maximum(-z, 0.0) + tf.math.log1p(tf.exp(-tf.abs(z)))",
            "tf.where(z > 0.0, 0.0, -z) + tf.math.log1p(tf.exp(-tf.abs(z)))",
        ),
    ],
    "11/ex4": [
        c("inside = tf.where(p > 0.0, p, 1.0)", "inside = tf.where(p == 0.0, tf.ones_like(p), p)"),
        c("-p * tf.math.log(inside)", "-(p * tf.math.log(inside))"),
        c("    return tf.reduce_sum(terms)", "    return tf.reduce_sum(terms, axis=0)"),
        c(
            "tf.where(p > 0.0, -p * tf.math.log(inside), 0.0)",
            "tf.where(p > 0.0, p * -tf.math.log(inside), tf.zeros_like(p))",
        ),
    ],
    "11/ex6": [
        c('[-1.0 * ybar * run("sin", a)]', '[run("mul", ybar * run("sin", a), -1.0)]'),
        c("[ybar * y]", '[run("exp", a) * ybar]'),
        c("[ybar * y]", "(y * ybar,)"),
        c(
            "                known = totals.get(x.id)\n                totals[x.id] = contribution if known is None else known + contribution",
            "                if x.id in totals:\n                    contribution = totals[x.id] + contribution\n                totals[x.id] = contribution",
        ),
        c(
            "            rule = OPS[op][1]\n            for x, contribution in zip(inputs, rule(totals[y.id], y, *inputs)):",
            "            _, rule = OPS[op]\n            contributions = rule(totals[y.id], y, *inputs)\n            for i, contribution in enumerate(contributions):\n                x = inputs[i]",
        ),
        c(
            "                known = totals.get(x.id)\n                totals[x.id] = contribution if known is None else known + contribution",
            "                totals[x.id] = totals.get(x.id, 0.0) + contribution",
        ),
        c(
            "    for op, y, inputs in reversed(records):\n        if y.id in totals:\n",
            "    for op, y, inputs in records[::-1]:\n        if totals.get(y.id) is not None:\n",
        ),
    ],
    "12/ex1": [
        c("rate * gradient", "gradient * rate"),
        c("variable.assign_sub(rate * gradient)", "variable.assign(variable - rate * gradient)"),
        c("variable.assign_sub(rate * gradient)", "variable.assign_add(-rate * gradient)"),
        c("zip(parameters, gradients)", "zip(list(parameters), gradients)"),
        c(
            "    for variable, gradient in zip(parameters, gradients):\n        variable",
            "    for i in range(len(parameters)):\n        variable, gradient = parameters[i], gradients[i]\n        variable",
        ),
    ],
    "12/ex2": [
        c("friction * velocity + gradient", "gradient + velocity * friction"),
        c("variable.assign_sub(rate * velocity)", "variable.assign(variable - rate * velocity)"),
        c(
            "        velocity.assign(friction * velocity + gradient)",
            "        velocity.assign(friction * velocity)\n        velocity.assign_add(gradient)",
        ),
        c("variable.assign_sub(rate * velocity)", "variable.assign_add(-(rate * velocity))"),
    ],
}
"""Alternative right answers, by the short name of the exercise."""

WRONG: list[tuple[str, Change, str]] = [
    # a formula without a tape
    (
        "01/ex3",
        c(
            "    with tf.GradientTape() as tape:\n        y = f(x)\n    slope = tape.gradient(y, x)\n",
            "    y = f(x)\n    slope = (f(tf.constant(at + 1e-2)) - f(tf.constant(at - 1e-2))) / 2e-2\n",
        ),
        "did not ask a tape",
    ),
    (
        "04/ex2",
        c(
            'return tape.gradient(z, {"dz_dx": x, "dz_dy": y})',
            'return {"dz_dx": 4.0 * x**3, "dz_dy": 2.0 * y}',
        ),
        "did not request a gradient",
    ),
    (
        "04/ex2",
        c(
            'return tape.gradient(z, {"dz_dx": x, "dz_dy": y})',
            'return {"dz_dx": tape.gradient(z, x), "dz_dy": 2.0 * y}',
        ),
        "requested only 1 gradient",
    ),
    (
        "05/ex1",
        c(
            '"dy_dx": tape.gradient(y, x), "dz_dx": tape.gradient(z, x)',
            '"dy_dx": 2.0 * x, "dz_dx": 4.0 * x**3',
        ),
        "did not request a gradient",
    ),
    (
        "06/ex3",
        c("return tape.gradient(price, speed)", "return 0.25 * speed - 500.0 / speed**2"),
        "did not request a gradient",
    ),
    # a pasted number
    ("01/ex3", c("slope = tape.gradient(y, x)", "slope = 6.0"), "rise over run"),
    (
        "06/ex10",
        c("tape.gradient(energy, position)[1]", "tf.constant(-4.0)"),
        "by finite differences",
    ),
    ("06/ex4", c("tape.gradient(loss, w)", "tf.constant(-6.0)"), "the gradient of"),
    ("01/ex2", c("x**3", "27.0 * x"), "straight line"),
    ("01/ex2", c("return x**3", "return 27.0"), "a tape follows only tensors"),
    # the tapes of the lessons up to 14: a formula, a number or a constant in place of a record or a rule
    (
        "05/ex4",
        c("[(a.id, b.number), (b.id, a.number)]", "[(a.id, 1.0), (b.id, 1.0)]"),
        "for 1 that y gets",
    ),
    (
        "05/ex4",
        c("[(a.id, b.number), (b.id, a.number)]", "[(a.id, 2.0 * a.number)]"),
        "should list the inputs",
    ),
    ("05/ex4", c("return gradient.get(source.id)", "return 48.0"), "the gradient is"),
    (
        "05/ex4",
        c(
            "    for tape in active:\n        tape.records.append((y.id, [(a.id, 1.0), (b.id, 1.0)]))",
            "    if active:\n        active[-1].records.append((y.id, [(a.id, 1.0), (b.id, 1.0)]))",
        ),
        "ops ran. Its list has",
    ),
    ("05/ex4", c("(y.id, [(a.id, 1.0)", "(y, [(a.id, 1.0)"), "should begin with the id"),
    ("05/ex4", c("if not tape.persistent", "if True"), "has the records None"),
    (
        "05/ex4",
        c("        tape.records = None\n", "        pass\n"),
        "the plain tape has the records",
    ),
    (
        "05/ex4",
        c("        tape.records = None\n", "        tape.records = []\n"),
        "a plain tape returned None",
    ),
    ("08/ex5", c("[(a, b), (b, a)]", "[(a, b.number), (b, a.number)]"), "second derivative of x"),
    ("08/ex5", c("[(a, y)]", "[(a, y.number)]"), "second derivative of exp"),
    ("08/ex5", c("[(a, y)]", "[(a, Value(math.exp(a.number)))]"), "second derivative of exp"),
    (
        "08/ex5",
        c("    return record(y, [(a, y)])", "    return y"),
        "no path leads back through `exp`",
    ),
    ("08/ex5", c("        slope = inner", "    slope = inner"), "it is None"),
    ("08/ex5", c("return outer.gradient(slope, x)", "return slope"), "`second` for"),
    (
        "08/ex5",
        c(
            "    return outer.gradient(slope, x)",
            "    h = 1e-4\n    right, left = f(Value(x.number + h)), f(Value(x.number - h))\n    return Value((right.number - 2.0 * y.number + left.number) / h**2)",
        ),
        "ask tapes",
    ),
    ("08/ex5", c("return outer.gradient(slope, x)", "return Value(8.718)"), "`second` for"),
    (
        "08/ex5",
        c("return outer.gradient(slope, x)", "return outer.gradient(slope, x) or Value(0.0)"),
        "does not depend on `x`",
    ),
    (
        "11/ex6",
        c('[ybar * run("cos", a)]', "[ybar * math.cos(a.number)]"),
        "The second derivative of sin",
    ),
    ("11/ex6", c("[ybar * y]", "[y]"), "what the rule must do with `ybar`"),
    ("11/ex6", c("[ybar * y]", "[]"), "a list with one contribution"),
    ("11/ex6", c("[-1.0 * ybar *", "[ybar *"), "the contribution of cos"),
    (
        "11/ex6",
        c("contribution if known is None else known + contribution", "contribution"),
        "The derivative of x · x",
    ),
    (
        "11/ex6",
        c(
            "            rule = OPS[op][1]\n",
            '            if op not in ("add", "mul", "sin", "cos", "exp"):\n                continue\n            rule = OPS[op][1]\n',
        ),
        "With the new op seven_times",
    ),
    # the full table where two backward passes are enough
    (
        "08/ex2",
        c(
            "        gradient_along_v = tf.reduce_sum(inner.gradient(y, x) * v)\n    return outer.gradient(gradient_along_v, x)",
            "        g = inner.gradient(y, x)\n    return tf.linalg.matvec(outer.jacobian(g, x), v)",
        ),
        "7 × 7 numbers",
    ),
    (
        "08/ex2",
        c(
            "tf.GradientTape() as outer",
            "tf.GradientTape(persistent=True) as outer",
            "        gradient_along_v = tf.reduce_sum(inner.gradient(y, x) * v)\n    return outer.gradient(gradient_along_v, x)",
            "        g = tf.unstack(inner.gradient(y, x))\n    return tf.linalg.matvec(tf.stack([outer.gradient(each, x) for each in g]), v)",
        ),
        "twice is enough",
    ),
    # names that the file itself assigns, overwritten outside the block
    (
        "01/ex1",
        c(
            "square_at_3 = 6.0",
            "square_at_3 = 27.0",
            "    return x * x\n",
            "    return x * x * x\n",
        ),
        "is not what the program computes",
    ),
    (
        "01/ex1",
        c(
            "square_at_3 = 6.0",
            "square_at_3 = 1.0",
            "slope_1 = slope(square, 3.0)",
            "slope_1 = tf.constant(1.0)",
        ),
        "is not what the program computes",
    ),
    (
        "02/ex1",
        c(
            '["y", "w", "v", "u"]',
            '["u", "v", "w", "y"]',
            "            visited.append(name)",
            "            visited.insert(0, name)",
        ),
        "is not in the order",
    ),
    (
        "02/ex1",
        c(
            '["y", "w", "v", "u"]',
            '["u", "v", "w", "y"]',
            "tape.gradient(y, a)\n",
            "tape.gradient(y, a)\nvisited = order\n",
        ),
        "is not in the order",
    ),
    (
        "09/ex1",
        c(
            "by_bias = (4, 2, 2)",
            "by_bias = (1,)",
            "# %%\nimport minitape as tf",
            "# %%\nimport minitape as tf\n\n",
        ),
        "is not what the program computes",
    ),
    (
        "11/ex5",
        c("best_in_float32 = 1.0", "best_in_float32 = 7.0"),
        "is not what the program computes",
    ),
    (
        "01/ex1",
        c(
            "# TODO\n",
            "",
            "square_at_3 = 6.0",
            "square_at_3 = 27.0",
            "    return x * x\n",
            "    return x * x * x\n",
        ),
        "is not what the program computes",
    ),
    # predictions in a different form
    ("02/ex1", c('["y", "w", "v", "u"]', '"ywvu"'), "not a list"),
    ("04/ex1", c("by_w = (3, 2)", 'by_w = "(2, 3)"'), "in quotes it is a string"),
    ("04/ex1", c("by_w = (3, 2)", "by_w = (3,)"), "the right number of elements"),
    ("01/ex1", c("square_at_3 = 6.0", "square_at_3 = 2 * 3.0"), "is computed"),
]
"""Wrong answers: the exercise, the change, and a part of the message of the failed check."""

GIVEN_AWAY = {"01/ex1": ["6"], "02/ex1": ['"y", "w"'], "04/ex1": ["(3, 2)"], "09/ex1": ["4, 2, 2"]}
"""Texts that the message must not contain."""


def changed(text: str, change: Change) -> str:
    """Apply a change to a solution; each text must occur in it."""
    for old, new in change:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def mechanical(text: str) -> dict[str, str]:
    """Return changes that keep an answer right: a different format, more output, a different name for the tape."""
    marked = [line for line in text.splitlines() if line.strip() not in ("# TODO", "# END")]
    with_more = text.replace("import minitape as tf\n", "import math\nimport minitape as tf\n", 1)
    return {
        "without marks": "\n".join(marked) + "\n",
        "formatted": ast.unparse(ast.parse(text)) + "\n",
        "with output": with_more + '\nprint("done", math.pi)\n',
        "another name": _renamed(text),
    }


def _renamed(text: str) -> str:
    """Rename the tape, if all its uses are in the block."""
    before, todo, rest = text.partition("# TODO")
    block, end, after = rest.partition("# END")
    if not re.search(r"as tape\b", block) or "tape.gradient" not in block:
        return text
    return before + todo + re.sub(r"\btape\b", "recorder", block) + end + after
