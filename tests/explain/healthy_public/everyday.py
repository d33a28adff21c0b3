# %% continuous_policy_gaussian_numpy
import numpy as np
import tensorflow as tf

np.random.seed(0)
net = tf.keras.Sequential([tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(1)])
log_std = tf.Variable(-0.5)
opt = tf.keras.optimizers.Adam(1e-2)
s = np.random.randn(1, 3).astype("f")
for t in range(4):
    with tf.GradientTape() as tape:
        mu = net(s)
        std = tf.exp(log_std)
        a = np.random.normal(mu.numpy()[0, 0], std.numpy())
        r = -((a - 1.0) ** 2)
        logp = -0.5 * ((a - mu[0, 0]) / std) ** 2 - log_std
        loss = -logp * r
    vs = net.trainable_variables + [log_std]
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
    s = np.random.randn(1, 3).astype("f")
    print(a, r)

# %% epsilon_greedy_inside_tape
import numpy as np
import tensorflow as tf

np.random.seed(1)
tf.random.set_seed(1)
q = tf.keras.Sequential([tf.keras.layers.Dense(10, "relu"), tf.keras.layers.Dense(3)])
opt = tf.keras.optimizers.Adam(5e-3)
state = np.random.randn(4)
for step in range(5):
    with tf.GradientTape() as tape:
        values = q(state[None].astype("f"))
        if np.random.rand() < 0.2:
            action = np.random.randint(3)
        else:
            action = np.argmax(values.numpy()[0])
        nxt = np.tanh(state + 0.1 * (action - 1))
        reward = float(nxt.sum())
        target = reward + 0.9 * np.max(q(nxt[None].astype("f")).numpy())
        loss = tf.square(values[0, action] - target)
    opt.apply_gradients(zip(tape.gradient(loss, q.trainable_variables), q.trainable_variables))
    state = nxt
    print(step, action, float(loss))

# %% gridworld_reinforce_class
import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(12, activation="relu"), tf.keras.layers.Dense(4, activation="softmax")])
        self.optimizer = tf.keras.optimizers.Adam(0.01)

    def act(self, state):
        prob = self.model(np.array([state]))
        return int(np.random.choice(4, p=prob.numpy()[0].astype("float64") / prob.numpy()[0].astype("float64").sum()))

    def train(self, states, rewards, actions):
        disc, total = [], 0
        for r in rewards[::-1]:
            total = r + 0.9 * total
            disc.insert(0, total)
        for state, reward, action in zip(states, disc, actions):
            with tf.GradientTape() as tape:
                p = self.model(np.array([state]), training=True)
                loss = -tf.math.log(p[0, action]) * reward
            grads = tape.gradient(loss, self.model.trainable_variables)
            self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))


np.random.seed(2)
tf.random.set_seed(2)
agent = Agent()
pos, S, R, A = np.array([0.0, 0.0], "f"), [], [], []
for t in range(5):
    a = agent.act(pos)
    S.append(pos.copy())
    A.append(a)
    pos = pos + np.array([[1, 0], [-1, 0], [0, 1], [0, -1]], "f")[a]
    R.append(1.0 - 0.1 * float(np.abs(pos - 2).sum()))
agent.train(S, R, A)
print(A)

# %% hinge_all_satisfied_at_the_end
import tensorflow as tf

x = tf.constant([[2.0, 1.0], [1.5, 2.0], [-1.0, -2.0], [-2.0, -1.5]])
y = tf.constant([1.0, 1.0, -1.0, -1.0])
w = tf.Variable([0.1, 0.0])
for i in range(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.relu(1.0 - y * tf.linalg.matvec(x, w)))
    w.assign_add(-0.3 * tape.gradient(loss, w))
    print(i, loss.numpy())

# %% perceptron_updates_on_mistakes
import tensorflow as tf

x = tf.constant([[1.0, 2.0], [2.0, 0.5], [-1.0, -1.0], [-2.0, 0.3]])
y = tf.constant([1.0, 1.0, -1.0, -1.0])
w, b = tf.Variable(tf.zeros(2)), tf.Variable(0.0)
for epoch in range(3):
    for xi, yi in zip(x, y):
        with tf.GradientTape() as tape:
            loss = tf.maximum(0.0, 0.1 - yi * (tf.tensordot(w, xi, 1) + b))
        gw, gb = tape.gradient(loss, [w, b])
        w.assign_sub(0.2 * gw)
        b.assign_sub(0.2 * gb)
print(w.numpy(), b.numpy())

# %% safe_where_double
import tensorflow as tf

x = tf.Variable([-1.0, 0.0, 2.0, 4.0])
with tf.GradientTape() as tape:
    ok = x > 0
    safe = tf.where(ok, x, 1.0)
    y = tf.reduce_sum(tf.where(ok, tf.sqrt(safe), 0.0))
print(tape.gradient(y, x).numpy())

# %% embedding_rows_of_a_batch_only
import tensorflow as tf

tf.random.set_seed(3)
table = tf.Variable(tf.random.normal([50, 4]))
out = tf.Variable(tf.random.normal([4, 1]))
for ids in ([1, 2, 3], [3, 3, 9], [20, 21, 1]):
    with tf.GradientTape() as tape:
        e = tf.nn.embedding_lookup(table, ids)
        loss = tf.reduce_mean(tf.nn.sigmoid(e @ out))
    g_table, g_out = tape.gradient(loss, [table, out])
    table.scatter_sub(tf.IndexedSlices(0.1 * g_table.values, g_table.indices))
    out.assign_sub(0.1 * g_out)
print(loss.numpy())

# %% cubic_saddle_descends
import tensorflow as tf

p = tf.Variable([1.0, 0.0])
for _ in range(6):
    with tf.GradientTape() as tape:
        f = p[0] ** 2 - p[1] ** 2 + 0.1 * p[1]
    p.assign_sub(0.2 * tape.gradient(f, p))
print(p.numpy())

# %% table_of_derivatives_two_functions
import tensorflow as tf

for name, f in {"square": lambda t: t**2, "cube": lambda t: t**3, "abs": tf.abs, "cos": tf.cos}.items():
    ts = [tf.constant(v) for v in (-1.0, 0.0, 1.0)]
    with tf.GradientTape() as tape:
        tape.watch(ts)
        ys = [f(t) for t in ts]
    print(name, [float(g) for g in tape.gradient(ys, ts)])

# %% taylor_coefficients_at_zero
import tensorflow as tf

x = tf.Variable(0.0)
with tf.GradientTape() as t2:
    with tf.GradientTape() as t1:
        y = tf.exp(x)
    d1 = t1.gradient(y, x)
d2 = t2.gradient(d1, x)
print(y.numpy(), d1.numpy(), d2.numpy() / 2)

# %% warm_start_at_zero_residual_block
import tensorflow as tf

tf.random.set_seed(4)
w1, w2 = tf.Variable(tf.random.normal([4, 8], stddev=0.3)), tf.Variable(tf.random.normal([8, 4], stddev=0.01))
x, y = tf.random.normal([10, 4]), tf.random.normal([10, 4])
for _ in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x + tf.nn.relu(x @ w1) @ w2 - y) ** 2)
    for v, g in zip((w1, w2), tape.gradient(loss, (w1, w2))):
        v.assign_sub(0.1 * g)
print(loss.numpy())

# %% attention_key_bias
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
q, k, v, o = (tf.keras.layers.Dense(4) for _ in range(4))
x, y = tf.random.normal([3, 5, 6]), tf.random.normal([3, 5, 4])
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(3):
    with tf.GradientTape() as tape:
        a = tf.nn.softmax(tf.matmul(q(x), k(x), transpose_b=True) / 2.0)
        loss = tf.reduce_mean((o(a @ v(x)) - y) ** 2)
    vs = sum((l.trainable_variables for l in (q, k, v, o)), [])
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% softmax_logit_shift_bias
import tensorflow as tf

tf.random.set_seed(6)
W, b, c = tf.Variable(tf.random.normal([4, 3])), tf.Variable(tf.zeros(3)), tf.Variable(0.0)
x, y = tf.random.normal([12, 4]), tf.one_hot([0, 1, 2] * 4, 3)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x @ W + b + c))
    for v, g in zip((W, b, c), tape.gradient(loss, (W, b, c))):
        v.assign_sub(0.2 * g)
print(loss.numpy())

# %% silent_relu_unit_among_others
import tensorflow as tf

W = tf.Variable([[1.0, -1.0, 0.5], [0.5, -2.0, 1.0]])
b = tf.Variable([0.0, -3.0, 0.1])
out = tf.Variable([[1.0], [1.0], [-1.0]])
x = tf.constant([[1.0, 2.0], [0.5, 1.0], [2.0, 0.1]])
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.nn.relu(x @ W + b) @ out - 1.0) ** 2)
    for v, g in zip((W, b, out), tape.gradient(loss, (W, b, out))):
        v.assign_sub(0.05 * g)
print(loss.numpy())

# %% saturating_tanh_one_input
import tensorflow as tf

a, b, c, d = (tf.Variable(v) for v in (2.0, 1.5, 3.0, 1.0))
with tf.GradientTape() as tape:
    y = tf.tanh(a * b + c * d)
print([g.numpy() for g in tape.gradient(y, [a, b, c, d])])

# %% sigmoid_far_out_confident_classifier
import tensorflow as tf

w, b = tf.Variable([8.0, -6.0]), tf.Variable(1.0)
x, y = tf.constant([[2.0, -1.0], [-2.0, 1.0], [0.1, 0.2]]), tf.constant([1.0, 0.0, 1.0])
for _ in range(2):
    with tf.GradientTape() as tape:
        logits = tf.linalg.matvec(x, w) + b
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
    gw, gb = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * gw)
    b.assign_sub(0.1 * gb)
    print(loss.numpy(), gw.numpy())

# %% metrics_in_numpy_beside_the_loss
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
m = tf.keras.Sequential([tf.keras.layers.Dense(6, "relu"), tf.keras.layers.Dense(2)])
x, y = np.random.randn(20, 3).astype("f"), np.random.randint(0, 2, 20)
opt = tf.keras.optimizers.Adam(1e-2)
best = 0.0
for epoch in range(3):
    with tf.GradientTape() as tape:
        logits = m(x)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
        pred = np.argmax(logits, axis=1)
        acc = np.mean(pred == y)
        best = max(best, acc)
        confusion = np.zeros((2, 2), int)
        np.add.at(confusion, (y, pred), 1)
    opt.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
print(best, confusion)

# %% adaptive_loss_scale_from_statistics
import numpy as np
import tensorflow as tf

tf.random.set_seed(8)
w = tf.Variable(tf.random.normal([4]))
x, y = tf.random.normal([25, 4]), tf.random.normal([25])
for step in range(4):
    with tf.GradientTape() as tape:
        r = tf.linalg.matvec(x, w) - y
        scale = tf.stop_gradient(tf.reduce_mean(tf.abs(r)) + 1e-6)
        loss = tf.reduce_mean(tf.sqrt((r / scale) ** 2 + 1.0) - 1.0)
    w.assign_sub(0.2 * tape.gradient(loss, w))
print(loss.numpy())

# %% outlier_rejection_numpy_mask
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
x = rng.normal(size=40).astype("f")
y = 2 * x + 1
y[::8] += 10
a, b = tf.Variable(0.5), tf.Variable(0.0)
for _ in range(5):
    with tf.GradientTape() as tape:
        res = a * x + b - y
        inlier = np.abs(res.numpy()) < np.quantile(np.abs(res.numpy()), 0.8)
        loss = tf.reduce_mean(tf.boolean_mask(res, inlier) ** 2)
    for v, g in zip((a, b), tape.gradient(loss, (a, b))):
        v.assign_sub(0.1 * g)
print(a.numpy(), b.numpy())

# %% importance_sampling_numpy_indices
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(10)
x, y = rng.normal(size=(30, 3)).astype("f"), rng.normal(size=30).astype("f")
w = tf.Variable(tf.zeros(3))
prio = np.ones(30)
for _ in range(4):
    idx = rng.choice(30, 8, p=prio / prio.sum())
    with tf.GradientTape() as tape:
        td = tf.linalg.matvec(x[idx], w) - y[idx]
        weights = (1 / (30 * prio[idx] / prio.sum())).astype("f")
        loss = tf.reduce_mean(weights / weights.max() * td**2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    prio[idx] = np.abs(td.numpy()) + 1e-3
print(w.numpy())

# %% beam_of_tokens_scheduled_sampling
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(11)
emb, cell, out = tf.keras.layers.Embedding(8, 5), tf.keras.layers.GRUCell(6), tf.keras.layers.Dense(8)
target = np.random.randint(0, 8, (3, 5))
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(2):
    with tf.GradientTape() as tape:
        h, tok, loss = tf.random.normal([3, 6]), target[:, 0], 0.0
        for t in range(1, 5):
            y, (h,) = cell(emb(tok), [h])
            logits = out(y)
            loss += tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target[:, t], logits=logits))
            tok = target[:, t] if np.random.rand() < 0.5 else np.argmax(logits.numpy(), axis=1)
    vs = emb.trainable_variables + cell.trainable_variables + out.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% tree_search_value_network
import numpy as np
import tensorflow as tf

np.random.seed(12)
tf.random.set_seed(12)
value = tf.keras.Sequential([tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(1, "tanh")])
board = np.zeros(9, "f")
opt = tf.keras.optimizers.SGD(0.05)
for move in range(4):
    free = np.flatnonzero(board == 0)
    player = 1.0 if move % 2 == 0 else -1.0
    with tf.GradientTape() as tape:
        after = np.repeat(board[None], len(free), 0)
        after[np.arange(len(free)), free] = player
        v = value(after)
        scores = player * v.numpy()[:, 0]
        best = int(scores.argmax())
        loss = tf.square(v[best, 0] - 0.5 * player)
    opt.apply_gradients(zip(tape.gradient(loss, value.trainable_variables), value.trainable_variables))
    board = after[best]
print(board)

# %% simple_loss_of_two_branches_max
import tensorflow as tf

a, b = tf.Variable([1.0, 2.0]), tf.Variable([1.5, 0.5])
for _ in range(4):
    with tf.GradientTape() as tape:
        worst = tf.reduce_max(tf.stack([tf.reduce_sum(a**2), tf.reduce_sum((b - 2.0) ** 2)]))
        loss = worst + 0.01 * tf.reduce_sum(a * b)
    for v, g in zip((a, b), tape.gradient(loss, (a, b))):
        v.assign_sub(0.05 * g)
print(loss.numpy())

# %% conditional_computation_skip_layer
import tensorflow as tf

tf.random.set_seed(13)
layers = [tf.Variable(tf.random.normal([4, 4], stddev=0.5)) for _ in range(3)]
x = tf.random.normal([2, 4])
for active in ([0, 1, 2], [0, 2], [1, 2]):
    with tf.GradientTape() as tape:
        h = x
        for i in active:
            h = h + tf.nn.relu(h @ layers[i])
        loss = tf.reduce_mean(h**2)
    used = [layers[i] for i in active]
    for w, g in zip(used, tape.gradient(loss, used)):
        w.assign_sub(0.05 * g)
print(loss.numpy())

# %% stochastic_depth_random_skip
import random

import tensorflow as tf

random.seed(14)
tf.random.set_seed(14)
blocks = [tf.keras.layers.Dense(4, "tanh") for _ in range(4)]
x, y = tf.random.normal([8, 4]), tf.random.normal([8, 4])
for b in blocks:
    b.build((None, 4))
opt = tf.keras.optimizers.SGD(0.05)
opt.build([v for b in blocks for v in b.trainable_variables])
for _ in range(4):
    alive = [b for b in blocks if random.random() < 0.8]
    with tf.GradientTape() as tape:
        h = x
        for b in alive:
            h = h + b(h)
        loss = tf.reduce_mean((h - y) ** 2)
    vs = [v for b in alive for v in b.trainable_variables]
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% running_mean_baseline
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(15)
theta = tf.Variable(tf.zeros(4))
baseline = 0.0
for ep in range(6):
    with tf.GradientTape() as tape:
        logp = tf.nn.log_softmax(theta)
        a = rng.choice(4, p=np.exp(logp.numpy()) / np.exp(logp.numpy()).sum())
        reward = [0.1, 0.9, 0.3, 0.2][a] + 0.05 * rng.normal()
        loss = -(reward - baseline) * logp[a]
    theta.assign_sub(0.3 * tape.gradient(loss, theta))
    baseline = 0.9 * baseline + 0.1 * reward
print(baseline, theta.numpy())
