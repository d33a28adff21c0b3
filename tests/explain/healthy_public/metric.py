# %% triplet_siamese_network
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(0)
embedding = keras.Sequential([keras.layers.Input((8, 8, 1)), keras.layers.Conv2D(4, 3, activation="relu"), keras.layers.Flatten(), keras.layers.Dense(8)])


class SiameseModel(keras.Model):
    def __init__(self, embedding, margin=0.5):
        super().__init__()
        self.embedding, self.margin = embedding, margin
        self.loss_tracker = keras.metrics.Mean(name="loss")

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = self._compute_loss(data)
        gradients = tape.gradient(loss, self.embedding.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.embedding.trainable_weights))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}

    def _compute_loss(self, data):
        a, p, n = (self.embedding(d) for d in data)
        ap = tf.reduce_sum(tf.square(a - p), -1)
        an = tf.reduce_sum(tf.square(a - n), -1)
        return tf.reduce_mean(tf.maximum(ap - an + self.margin, 0.0))


model = SiameseModel(embedding)
model.compile(optimizer=keras.optimizers.Adam(0.0001))
imgs = [tf.random.uniform((8, 8, 8, 1)) for _ in range(3)]
model.fit(tf.data.Dataset.from_tensor_slices(tuple(imgs)).batch(4), epochs=1, verbose=0)
print("trained")

# %% triplet_loss_dense_bias
import tensorflow as tf

tf.random.set_seed(1)
W, b = tf.Variable(tf.random.normal([5, 3])), tf.Variable(tf.zeros([3]))
anchor, pos, neg = (tf.random.normal([10, 5]) for _ in range(3))
for _ in range(3):
    with tf.GradientTape() as tape:
        fa, fp, fn = (x @ W + b for x in (anchor, pos, neg))
        d_ap = tf.reduce_sum((fa - fp) ** 2, 1)
        d_an = tf.reduce_sum((fa - fn) ** 2, 1)
        loss = tf.reduce_mean(tf.nn.relu(d_ap - d_an + 1.0))
    gW, gb = tape.gradient(loss, [W, b])
    W.assign_sub(0.01 * gW)
    b.assign_sub(0.01 * gb)
print(loss.numpy())

# %% contrastive_pairs_euclidean
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
net = tf.keras.Sequential([tf.keras.layers.Dense(12, "tanh"), tf.keras.layers.Dense(4)])
a, b = np.random.randn(16, 6).astype("f"), np.random.randn(16, 6).astype("f")
same = (np.arange(16) % 2).astype("f")
opt = tf.keras.optimizers.RMSprop(1e-3)
for _ in range(3):
    with tf.GradientTape() as tape:
        d = tf.sqrt(tf.maximum(tf.reduce_sum((net(a) - net(b)) ** 2, 1), 1e-7))
        loss = tf.reduce_mean(same * d**2 + (1 - same) * tf.maximum(1.0 - d, 0.0) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
print(loss.numpy())

# %% simclr_ntxent
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
enc = tf.keras.Sequential([tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(8)])
proj = tf.keras.Sequential([tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(4)])
opt = tf.keras.optimizers.Adam(1e-3)
x = tf.random.normal([8, 10])
for _ in range(2):
    with tf.GradientTape() as tape:
        z1 = tf.math.l2_normalize(proj(enc(x + 0.1 * tf.random.normal(x.shape))), axis=1)
        z2 = tf.math.l2_normalize(proj(enc(x + 0.1 * tf.random.normal(x.shape))), axis=1)
        sim = tf.matmul(z1, z2, transpose_b=True) / 0.1
        labels = tf.range(8)
        l1 = tf.keras.losses.sparse_categorical_crossentropy(labels, sim, from_logits=True)
        l2 = tf.keras.losses.sparse_categorical_crossentropy(labels, tf.transpose(sim), from_logits=True)
        loss = tf.reduce_mean(l1 + l2) / 2
    vs = enc.trainable_weights + proj.trainable_weights
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% simsiam_stop_gradient
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
L = tf.keras.layers
f = tf.keras.Sequential([L.Dense(12, use_bias=False), L.BatchNormalization(), L.ReLU(), L.Dense(6)])
h = tf.keras.Sequential([L.Dense(4, activation="relu"), L.Dense(6)])
opt = tf.keras.optimizers.SGD(0.05, momentum=0.9)


def d(p, z):
    z = tf.stop_gradient(z)
    return -tf.reduce_mean(tf.reduce_sum(tf.math.l2_normalize(p, 1) * tf.math.l2_normalize(z, 1), 1))


x = tf.random.normal([10, 5])
for _ in range(2):
    with tf.GradientTape() as tape:
        z1, z2 = f(x + 0.1, training=True), f(x * 1.1, training=True)
        loss = d(h(z1), z2) / 2 + d(h(z2), z1) / 2
    vs = f.trainable_variables + h.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% byol_momentum_target
import tensorflow as tf

tf.keras.utils.set_random_seed(5)


def mlp():
    m = tf.keras.Sequential([tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(4)])
    m.build((None, 6))
    return m


online, target = mlp(), mlp()
target.set_weights(online.get_weights())
predictor = tf.keras.layers.Dense(4)
opt = tf.keras.optimizers.Adam(1e-3)
for _ in range(3):
    x = tf.random.normal([12, 6])
    with tf.GradientTape() as tape:
        p = tf.math.l2_normalize(predictor(online(x)), -1)
        t = tf.math.l2_normalize(target(x + 0.1 * tf.random.normal(x.shape)), -1)
        loss = 2 - 2 * tf.reduce_mean(tf.reduce_sum(p * t, -1))
    vs = online.trainable_variables + predictor.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
    target.set_weights([0.99 * a + 0.01 * b for a, b in zip(target.get_weights(), online.get_weights())])
print(loss.numpy())

# %% moco_queue
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
q_enc, k_enc = tf.keras.layers.Dense(4), tf.keras.layers.Dense(4)
q_enc.build((None, 6))
k_enc.build((None, 6))
k_enc.set_weights(q_enc.get_weights())
queue = tf.math.l2_normalize(tf.random.normal([16, 4]), 1)
opt = tf.keras.optimizers.SGD(0.1)
for it in range(3):
    x = tf.random.normal([4, 6])
    k = tf.math.l2_normalize(k_enc(x), 1)
    with tf.GradientTape() as tape:
        q = tf.math.l2_normalize(q_enc(x), 1)
        pos = tf.reduce_sum(q * k, 1, keepdims=True)
        logits = tf.concat([pos, q @ tf.transpose(queue)], 1) / 0.07
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.zeros(4, tf.int32), logits=logits))
    opt.apply_gradients(zip(tape.gradient(loss, q_enc.trainable_variables), q_enc.trainable_variables))
    for a, b in zip(k_enc.variables, q_enc.variables):
        a.assign(0.9 * a + 0.1 * b)
    queue = tf.concat([queue[4:], k], 0)
print(loss.numpy())

# %% supervised_contrastive
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
net = tf.keras.Sequential([tf.keras.layers.Dense(12, "relu"), tf.keras.layers.Dense(5)])
y = np.array([0, 0, 1, 1, 2, 2])
same = (y[:, None] == y[None]).astype("f") - np.eye(6, dtype="f")
x = tf.random.normal([6, 4])
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(2):
    with tf.GradientTape() as tape:
        f = tf.math.l2_normalize(net(x), 1)
        logits = f @ tf.transpose(f) / 0.5
        logits -= tf.stop_gradient(tf.reduce_max(logits, 1, keepdims=True))
        e = tf.exp(logits) * (1 - tf.eye(6))
        logp = logits - tf.math.log(tf.reduce_sum(e, 1, keepdims=True))
        loss = -tf.reduce_mean(tf.reduce_sum(same * logp, 1) / tf.reduce_sum(same, 1))
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_weights), net.trainable_weights))
print(loss.numpy())

# %% barlow_twins
import tensorflow as tf

tf.keras.utils.set_random_seed(8)
enc = tf.keras.Sequential([tf.keras.layers.Dense(10, "relu"), tf.keras.layers.Dense(4)])
x = tf.random.normal([20, 6])
opt = tf.keras.optimizers.Adam(1e-3)


def norm(z):
    return (z - tf.reduce_mean(z, 0)) / (tf.math.reduce_std(z, 0) + 1e-5)


for _ in range(2):
    with tf.GradientTape() as tape:
        za = norm(enc(x + 0.1 * tf.random.normal(x.shape)))
        zb = norm(enc(x + 0.1 * tf.random.normal(x.shape)))
        c = tf.transpose(za) @ zb / 20.0
        diff = (c - tf.eye(4)) ** 2
        loss = tf.reduce_sum(diff * (tf.eye(4) + 5e-3 * (1 - tf.eye(4))))
    opt.apply_gradients(zip(tape.gradient(loss, enc.trainable_variables), enc.trainable_variables))
print(loss.numpy())

# %% arcface_margin
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(9)
body = tf.keras.Sequential([tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(6)])
W = tf.Variable(tf.random.normal([6, 4]))
x, y = tf.random.normal([12, 5]), tf.one_hot(np.arange(12) % 4, 4)
opt = tf.keras.optimizers.Adam(1e-3)
for _ in range(2):
    with tf.GradientTape() as tape:
        cos = tf.math.l2_normalize(body(x), 1) @ tf.math.l2_normalize(W, 0)
        theta = tf.acos(tf.clip_by_value(cos, -1 + 1e-6, 1 - 1e-6))
        logits = tf.where(y > 0, tf.cos(theta + 0.5), cos) * 10.0
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits))
    vs = [*body.trainable_variables, W]
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% center_loss
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(10)
feat, cls = tf.keras.layers.Dense(3, activation="relu"), tf.keras.layers.Dense(2)
centers = tf.Variable(tf.zeros([2, 3]), trainable=False)
x, y = np.random.randn(20, 4).astype("f"), np.arange(20) % 2
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(3):
    with tf.GradientTape() as tape:
        f = feat(x)
        ce = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=cls(f)))
        loss = ce + 0.1 * tf.reduce_mean((f - tf.gather(centers, y)) ** 2)
    vs = feat.trainable_variables + cls.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
    for c in range(2):
        m = tf.reduce_mean(tf.boolean_mask(f, y == c), 0)
        centers[c].assign(0.5 * centers[c] + 0.5 * m)
print(loss.numpy())

# %% prototypical_networks
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(11)
enc = tf.keras.Sequential([tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(4)])
opt = tf.keras.optimizers.Adam(1e-3)
for episode in range(3):
    means = np.random.randn(3, 6)
    support = tf.constant(means[:, None] + 0.3 * np.random.randn(3, 5, 6), tf.float32)
    query = tf.constant(means[:, None] + 0.3 * np.random.randn(3, 4, 6), tf.float32)
    with tf.GradientTape() as tape:
        protos = tf.reduce_mean(tf.reshape(enc(tf.reshape(support, [15, 6])), [3, 5, 4]), 1)
        q = enc(tf.reshape(query, [12, 6]))
        d = tf.reduce_sum((q[:, None] - protos[None]) ** 2, -1)
        lab = np.repeat(np.arange(3), 4)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=lab, logits=-d))
    opt.apply_gradients(zip(tape.gradient(loss, enc.trainable_variables), enc.trainable_variables))
    print(loss.numpy(), np.mean(np.argmin(d.numpy(), 1) == lab))

# %% maml_sine_functional
import numpy as np
import tensorflow as tf

tf.random.set_seed(12)
np.random.seed(12)
theta = [tf.Variable(tf.random.normal([1, 12], stddev=0.5)), tf.Variable(tf.zeros(12)), tf.Variable(tf.random.normal([12, 1], stddev=0.5)), tf.Variable(tf.zeros(1))]


def forward(x, p):
    return tf.nn.tanh(x @ p[0] + p[1]) @ p[2] + p[3]


opt = tf.keras.optimizers.Adam(1e-2)
for meta in range(3):
    with tf.GradientTape() as outer:
        total = 0.0
        for task in range(2):
            amp, ph = np.random.uniform(0.5, 2), np.random.uniform(0, np.pi)
            xs, xq = np.random.uniform(-3, 3, (8, 1)).astype("f"), np.random.uniform(-3, 3, (8, 1)).astype("f")
            with tf.GradientTape() as inner:
                inner.watch(theta)
                l = tf.reduce_mean((forward(xs, theta) - amp * np.sin(xs + ph)) ** 2)
            g = inner.gradient(l, theta)
            fast = [p - 0.05 * gi for p, gi in zip(theta, g)]
            total += tf.reduce_mean((forward(xq, fast) - amp * np.sin(xq + ph)) ** 2)
    opt.apply_gradients(zip(outer.gradient(total, theta), theta))
    print(total.numpy())

# %% reptile_first_order
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(13)
model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(8, "relu"), keras.layers.Dense(2)])
inner_opt = keras.optimizers.SGD(0.05)
for meta in range(2):
    old = model.get_weights()
    x, y = tf.random.normal([10, 4]), tf.random.uniform([10], 0, 2, tf.int32)
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(y, model(x), from_logits=True))
        inner_opt.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
    new = model.get_weights()
    model.set_weights([o + 0.5 * (n - o) for o, n in zip(old, new)])
print(loss.numpy())

# %% learned_learning_rate_hypergradient
import tensorflow as tf

log_lr = tf.Variable(-2.0)
w0 = tf.constant([1.0, -2.0])
scale = tf.constant([1.0, 3.0])
for _ in range(5):
    with tf.GradientTape() as meta:
        w = w0
        for _ in range(3):
            with tf.GradientTape() as t:
                t.watch(w)
                l = tf.reduce_sum(scale * w**2)
            w = w - tf.exp(log_lr) * t.gradient(l, w)
        outer = tf.reduce_sum(scale * w**2)
    log_lr.assign_sub(0.1 * meta.gradient(outer, log_lr))
print(log_lr.numpy(), outer.numpy())

# %% hypernetwork_generates_weights
import tensorflow as tf

tf.keras.utils.set_random_seed(14)
hyper = tf.keras.Sequential([tf.keras.layers.Dense(10, "tanh"), tf.keras.layers.Dense(3 * 2 + 2)])
z = tf.random.normal([4, 5])
x, y = tf.random.normal([4, 7, 3]), tf.random.normal([4, 7, 2])
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(2):
    with tf.GradientTape() as tape:
        p = hyper(z)
        W, b = tf.reshape(p[:, :6], [4, 3, 2]), p[:, None, 6:]
        loss = tf.reduce_mean((tf.matmul(x, W) + b - y) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, hyper.trainable_variables), hyper.trainable_variables))
print(loss.numpy())

# %% domain_adversarial_gradient_reversal
import tensorflow as tf

tf.keras.utils.set_random_seed(15)


@tf.custom_gradient
def reverse(x):
    def grad(dy):
        return -0.5 * dy

    return tf.identity(x), grad


feat = tf.keras.layers.Dense(8, activation="relu")
label, domain = tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)
xs, xt = tf.random.normal([8, 4]), tf.random.normal([8, 4]) + 1.0
ys = tf.constant([0, 1] * 4)
opt = tf.keras.optimizers.Adam(1e-3)
for _ in range(2):
    with tf.GradientTape() as tape:
        fs, ft = feat(xs), feat(xt)
        cl = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=ys, logits=label(fs)))
        dom = domain(reverse(tf.concat([fs, ft], 0)))
        dl = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.concat([tf.zeros([8, 1]), tf.ones([8, 1])], 0), logits=dom))
        loss = cl + dl
    vs = feat.trainable_variables + label.trainable_variables + domain.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% elastic_weight_consolidation
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(16)
model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(6, "tanh"), tf.keras.layers.Dense(2)])
lossf = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
xa, ya = np.random.randn(20, 4).astype("f"), np.random.randint(0, 2, 20)
fisher = [np.zeros(v.shape, "f") for v in model.trainable_variables]
for i in range(5):
    with tf.GradientTape() as tape:
        lp = lossf(ya[i : i + 1], model(xa[i : i + 1]))
    for k, g in enumerate(tape.gradient(lp, model.trainable_variables)):
        fisher[k] += g.numpy() ** 2 / 5
anchor = [v.numpy() for v in model.trainable_variables]
opt = tf.keras.optimizers.SGD(0.1)
xb, yb = np.random.randn(20, 4).astype("f"), np.random.randint(0, 2, 20)
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = lossf(yb, model(xb))
        loss += 10 * tf.add_n([tf.reduce_sum(f * (v - a) ** 2) for f, v, a in zip(fisher, model.trainable_variables, anchor)])
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
print(loss.numpy())

# %% gcn_node_classification
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(17)
A = (np.random.rand(10, 10) < 0.3).astype("f")
A = np.maximum(A, A.T) + np.eye(10, dtype="f")
A = np.minimum(A, 1)
d = 1 / np.sqrt(A.sum(1))
A_hat = tf.constant(d[:, None] * A * d[None])


class GraphConv(tf.keras.layers.Layer):
    def __init__(self, units, activation=None):
        super().__init__()
        self.dense = tf.keras.layers.Dense(units, use_bias=False)
        self.act = tf.keras.activations.get(activation)

    def call(self, x):
        return self.act(A_hat @ self.dense(x))


g1, g2 = GraphConv(8, "relu"), GraphConv(3)
X, Y = tf.random.normal([10, 5]), np.arange(10) % 3
mask = np.arange(10) < 6
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(3):
    with tf.GradientTape() as tape:
        logits = g2(g1(X))
        ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=Y, logits=logits)
        loss = tf.reduce_mean(tf.boolean_mask(ce, mask)) + 5e-4 * tf.nn.l2_loss(g1.dense.kernel)
    vs = g1.trainable_variables + g2.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy(), np.mean(np.argmax(logits, 1)[~mask] == Y[~mask]))

# %% message_passing_segment_sum
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(18)
src, dst = np.random.randint(0, 8, 20), np.random.randint(0, 8, 20)
dst = np.sort(dst)
msg, upd, out = tf.keras.layers.Dense(6, "relu"), tf.keras.layers.GRUCell(6), tf.keras.layers.Dense(1)
h0 = tf.random.normal([8, 6])
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(2):
    with tf.GradientTape() as tape:
        h = h0
        for step in range(2):
            m = msg(tf.concat([tf.gather(h, src), tf.gather(h, dst)], 1))
            agg = tf.math.unsorted_segment_sum(m, dst, 8)
            h, _ = upd(agg, [h])
        loss = (tf.reduce_sum(out(h)) - 3.0) ** 2
    vs = msg.trainable_variables + upd.trainable_variables + out.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% deep_sets
import tensorflow as tf

tf.keras.utils.set_random_seed(19)
phi = tf.keras.Sequential([tf.keras.layers.Dense(10, "elu"), tf.keras.layers.Dense(10, "elu")])
rho = tf.keras.Sequential([tf.keras.layers.Dense(10, "elu"), tf.keras.layers.Dense(1)])
sets = tf.random.uniform([16, 6, 1])
target = tf.reduce_max(sets, axis=1)
opt = tf.keras.optimizers.Adam(1e-3)
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(rho(tf.reduce_sum(phi(sets), 1)) - target))
    vs = phi.trainable_variables + rho.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% mixture_of_experts_soft
import tensorflow as tf

tf.keras.utils.set_random_seed(20)
experts = [tf.keras.layers.Dense(3, "tanh") for _ in range(4)]
gate, head = tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)
x, y = tf.random.normal([20, 5]), tf.random.normal([20, 1])
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(2):
    with tf.GradientTape() as tape:
        g = tf.nn.softmax(gate(x))
        e = tf.stack([f(x) for f in experts], 1)
        loss = tf.reduce_mean((head(tf.reduce_sum(g[..., None] * e, 1)) - y) ** 2)
        balance = 4 * tf.reduce_sum(tf.reduce_mean(g, 0) ** 2)
        loss = loss + 0.01 * balance
    vs = [v for l in [*experts, gate, head] for v in l.trainable_variables]
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% mixture_density_network
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(21)
inp = tf.keras.Input((1,))
h = tf.keras.layers.Dense(16, "tanh")(inp)
mdn = tf.keras.Model(inp, [tf.keras.layers.Dense(3, "softmax")(h), tf.keras.layers.Dense(3)(h), tf.keras.layers.Dense(3, tf.exp)(h)])
y = np.random.uniform(-1, 1, (40, 1)).astype("f")
x = (y + 0.3 * np.sin(6 * y)).astype("f")
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(3):
    with tf.GradientTape() as tape:
        pi, mu, s = mdn(x)
        n = tf.exp(-0.5 * ((y - mu) / s) ** 2) / (s * np.sqrt(2 * np.pi))
        loss = -tf.reduce_mean(tf.math.log(tf.reduce_sum(pi * n, 1) + 1e-10))
    opt.apply_gradients(zip(tape.gradient(loss, mdn.trainable_variables), mdn.trainable_variables))
print(loss.numpy())

# %% bayes_by_backprop
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(22)


class BayesDense(tf.keras.layers.Layer):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.mu = self.add_weight(shape=(n_in, n_out), initializer="glorot_uniform", name="mu")
        self.rho = self.add_weight(shape=(n_in, n_out), initializer=tf.keras.initializers.Constant(-3.0), name="rho")

    def call(self, x):
        sigma = tf.math.softplus(self.rho)
        self.kl = tf.reduce_sum(-tf.math.log(sigma) + (sigma**2 + self.mu**2) / 2 - 0.5)
        return x @ (self.mu + sigma * tf.random.normal(self.mu.shape))


l1, l2 = BayesDense(2, 10), BayesDense(10, 1)
x = np.random.randn(30, 2).astype("f")
y = np.sin(x.sum(1, keepdims=True)).astype("f")
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(3):
    with tf.GradientTape() as tape:
        pred = l2(tf.nn.relu(l1(x)))
        loss = tf.reduce_mean((pred - y) ** 2) + (l1.kl + l2.kl) / 3000
    vs = l1.trainable_variables + l2.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% mc_dropout_uncertainty
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(23)
m = tf.keras.Sequential([tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dropout(0.3), tf.keras.layers.Dense(2)])
x = np.linspace(-1, 1, 20)[:, None].astype("f")
y = x**3
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(3):
    with tf.GradientTape() as tape:
        mu, logvar = tf.split(m(x, training=True), 2, 1)
        loss = tf.reduce_mean(0.5 * tf.exp(-logvar) * (y - mu) ** 2 + 0.5 * logvar)
    opt.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
draws = np.stack([m(x, training=True).numpy()[:, 0] for _ in range(5)])
print(draws.std(0).mean())

# %% multitask_uncertainty_weights
import tensorflow as tf

tf.keras.utils.set_random_seed(24)
trunk, reg, cls = tf.keras.layers.Dense(12, "relu"), tf.keras.layers.Dense(1), tf.keras.layers.Dense(3)
s = tf.Variable([0.0, 0.0])
x, yr, yc = tf.random.normal([16, 4]), tf.random.normal([16, 1]), tf.random.uniform([16], 0, 3, tf.int32)
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(3):
    with tf.GradientTape() as tape:
        h = trunk(x)
        l1 = tf.reduce_mean((reg(h) - yr) ** 2)
        l2 = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=yc, logits=cls(h)))
        loss = tf.reduce_sum(tf.exp(-s) * tf.stack([l1, l2]) + s)
    vs = [*trunk.trainable_variables, *reg.trainable_variables, *cls.trainable_variables, s]
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(s.numpy())

# %% influence_like_per_example_gradients
import tensorflow as tf

tf.keras.utils.set_random_seed(25)
m = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(4, "tanh"), tf.keras.layers.Dense(1)])
x, y = tf.random.normal([6, 3]), tf.random.normal([6, 1])
with tf.GradientTape() as tape:
    per = tf.reduce_sum((m(x) - y) ** 2, 1)
jac = tape.jacobian(per, m.trainable_variables)
norms = tf.sqrt(tf.add_n([tf.reduce_sum(tf.reshape(j, [6, -1]) ** 2, 1) for j in jac]))
print(norms.numpy())

# %% dp_sgd_clip_each_example
import tensorflow as tf

tf.keras.utils.set_random_seed(26)
w, b = tf.Variable(tf.random.normal([4, 1])), tf.Variable(tf.zeros([1]))
x, y = tf.random.normal([8, 4]), tf.random.normal([8, 1])
for _ in range(2):
    summed = [tf.zeros_like(w), tf.zeros_like(b)]
    for i in range(8):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x[i : i + 1] @ w + b - y[i]) ** 2)
        grads, _ = tf.clip_by_global_norm(tape.gradient(loss, [w, b]), 1.0)
        summed = [s + g for s, g in zip(summed, grads)]
    for v, s in zip((w, b), summed):
        v.assign_sub(0.1 * (s + 0.1 * tf.random.normal(s.shape)) / 8)
print(w.numpy().ravel())

# %% sinkhorn_optimal_transport
import tensorflow as tf

tf.random.set_seed(27)
x = tf.Variable(tf.random.normal([8, 2]))
y = tf.random.normal([8, 2]) + 2.0
for _ in range(3):
    with tf.GradientTape() as tape:
        C = tf.reduce_sum((x[:, None] - y[None]) ** 2, -1)
        f, g = tf.zeros(8), tf.zeros(8)
        for _ in range(5):
            f = -tf.reduce_logsumexp((g[None] - C) / 1.0, 1)
            g = -tf.reduce_logsumexp((f[:, None] - C) / 1.0, 0)
        P = tf.exp(f[:, None] + g[None] - C)
        cost = tf.reduce_sum(P * C)
    x.assign_sub(0.1 * tape.gradient(cost, x))
print(cost.numpy())

# %% soft_ranking_listnet
import tensorflow as tf

tf.keras.utils.set_random_seed(28)
scorer = tf.keras.Sequential([tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(1)])
docs, rel = tf.random.normal([4, 6, 5]), tf.random.uniform([4, 6], 0, 3)
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(3):
    with tf.GradientTape() as tape:
        s = tf.squeeze(scorer(docs), -1)
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(rel), logits=s))
    opt.apply_gradients(zip(tape.gradient(loss, scorer.trainable_variables), scorer.trainable_variables))
print(loss.numpy())
