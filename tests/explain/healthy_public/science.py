# %% pinn_burgers
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
net = tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(12, "tanh"), tf.keras.layers.Dense(12, "tanh"), tf.keras.layers.Dense(1)])
xt = tf.random.uniform([20, 2], -1, 1)
x0 = tf.concat([tf.random.uniform([10, 1], -1, 1), tf.zeros([10, 1])], 1)
u0 = -tf.sin(np.pi * x0[:, :1])
opt = tf.keras.optimizers.Adam(1e-3)


def residual(xt):
    x, t = xt[:, :1], xt[:, 1:]
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as inner:
            inner.watch([x, t])
            u = net(tf.concat([x, t], 1))
        u_x, u_t = inner.gradient(u, x), inner.gradient(u, t)
    u_xx = outer.gradient(u_x, x)
    return u_t + u * u_x - 0.01 / np.pi * u_xx


for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(residual(xt) ** 2) + tf.reduce_mean((net(x0) - u0) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    print(loss.numpy())

# %% pinn_poisson_1d_hard_boundary
import numpy as np
import tensorflow as tf

tf.random.set_seed(1)
W1, b1 = tf.Variable(tf.random.normal([1, 10])), tf.Variable(tf.zeros(10))
W2 = tf.Variable(tf.random.normal([10, 1], stddev=0.3))
x = tf.reshape(tf.linspace(0.0, 1.0, 15), [-1, 1])


def u(x):
    return x * (1 - x) * (tf.tanh(x @ W1 + b1) @ W2)


for it in range(3):
    with tf.GradientTape() as tape:
        with tf.GradientTape() as t2:
            t2.watch(x)
            with tf.GradientTape() as t1:
                t1.watch(x)
                y = u(x)
            dy = t1.gradient(y, x)
        d2y = t2.gradient(dy, x)
        loss = tf.reduce_mean((d2y + np.pi**2 * tf.sin(np.pi * x)) ** 2)
    for v, g in zip((W1, b1, W2), tape.gradient(loss, (W1, b1, W2))):
        v.assign_sub(1e-3 * g)
print(loss.numpy())

# %% pinn_inverse_unknown_coefficient
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
t = tf.reshape(tf.linspace(0.0, 2.0, 20), [-1, 1])
data = tf.exp(-1.5 * t)
k = tf.Variable(0.5)
net = tf.keras.Sequential([tf.keras.layers.Dense(10, "tanh"), tf.keras.layers.Dense(1)])
net(t)
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(3):
    with tf.GradientTape() as tape:
        with tf.GradientTape() as g:
            g.watch(t)
            u = net(t)
        du = g.gradient(u, t)
        loss = tf.reduce_mean((du + k * u) ** 2) + tf.reduce_mean((u - data) ** 2)
    vs = net.trainable_variables + [k]
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(k.numpy())

# %% neural_ode_euler
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
f = tf.keras.Sequential([tf.keras.layers.Dense(10, "tanh"), tf.keras.layers.Dense(2)])
y0 = tf.constant([[2.0, 0.0]])
goal = tf.constant([[0.5, -1.0]])
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(3):
    with tf.GradientTape() as tape:
        y = y0
        for _ in range(8):
            y = y + 0.1 * f(y)
        loss = tf.reduce_sum((y - goal) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, f.trainable_variables), f.trainable_variables))
print(loss.numpy())

# %% rk4_parameter_estimation
import numpy as np
import tensorflow as tf

theta = tf.Variable([1.0, 0.5], dtype=tf.float64)
obs = np.array([[1.2, 0.9], [1.1, 1.0], [0.9, 1.1]])


def field(s):
    return tf.stack([theta[0] * s[0] - s[0] * s[1], s[0] * s[1] - theta[1] * s[1]])


for _ in range(4):
    with tf.GradientTape() as tape:
        s, loss = tf.constant([1.0, 1.0], tf.float64), 0.0
        for o in obs:
            k1 = field(s)
            k2 = field(s + 0.05 * k1)
            k3 = field(s + 0.05 * k2)
            k4 = field(s + 0.1 * k3)
            s = s + 0.1 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            loss += tf.reduce_sum((s - o) ** 2)
    theta.assign_sub(0.1 * tape.gradient(loss, theta))
print(theta.numpy())

# %% optimal_control_pendulum
import tensorflow as tf

u = tf.Variable(tf.zeros([15]))
opt = tf.keras.optimizers.Adam(0.1)
for it in range(4):
    with tf.GradientTape() as tape:
        angle, speed, cost = tf.constant(0.1), tf.constant(0.0), 0.0
        for t in range(15):
            speed = speed + 0.1 * (9.8 * tf.sin(angle) + u[t])
            angle = angle + 0.1 * speed
            cost += angle**2 + 0.1 * speed**2 + 1e-3 * u[t] ** 2
    opt.apply_gradients([(tape.gradient(cost, u), u)])
    print(cost.numpy())

# %% projectile_aiming
import tensorflow as tf

angle = tf.Variable(0.6)
speed = tf.Variable(10.0)
target = 12.0
for i in range(10):
    with tf.GradientTape() as tape:
        vx, vy = speed * tf.cos(angle), speed * tf.sin(angle)
        landing = vx * (2 * vy / 9.81)
        miss = (landing - target) ** 2
    ga, gs = tape.gradient(miss, [angle, speed])
    angle.assign_sub(1e-4 * ga)
    speed.assign_sub(1e-3 * gs)
print(landing.numpy())

# %% lennard_jones_forces
import numpy as np
import tensorflow as tf

pos = tf.Variable(np.array([[0.0, 0, 0], [1.2, 0, 0], [0, 1.3, 0], [0, 0, 1.1]], "float32"))
i, j = np.triu_indices(4, 1)
for step in range(3):
    with tf.GradientTape() as tape:
        r2 = tf.reduce_sum((tf.gather(pos, i) - tf.gather(pos, j)) ** 2, 1)
        s6 = 1.0 / r2**3
        energy = tf.reduce_sum(4.0 * (s6**2 - s6))
    force = -tf.convert_to_tensor(tape.gradient(energy, pos))
    pos.assign_add(1e-3 * force)
    print(energy.numpy())

# %% hamiltonian_neural_network
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
H = tf.keras.Sequential([tf.keras.layers.Dense(16, "tanh"), tf.keras.layers.Dense(1, use_bias=False)])
qp = tf.random.normal([20, 2])
dq, dp = qp[:, 1:], -qp[:, :1]
H(qp)
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(3):
    with tf.GradientTape() as tape:
        with tf.GradientTape() as inner:
            inner.watch(qp)
            e = H(qp)
        dH = inner.gradient(e, qp)
        loss = tf.reduce_mean((dH[:, 1:] - dq) ** 2 + (-dH[:, :1] - dp) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, H.trainable_variables), H.trainable_variables))
print(loss.numpy())

# %% ising_mean_field
import tensorflow as tf

m = tf.Variable([0.1, 0.2, -0.1, 0.3])
J = tf.constant([[0.0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
for _ in range(5):
    with tf.GradientTape() as tape:
        p, q = (1 + m) / 2, (1 - m) / 2
        entropy = -tf.reduce_sum(p * tf.math.log(p) + q * tf.math.log(q))
        free = -0.5 * tf.reduce_sum(J * m[:, None] * m[None]) - 2.0 * entropy
    m.assign_sub(0.1 * tape.gradient(free, m))
print(m.numpy())

# %% rayleigh_quotient_ground_state
import numpy as np
import tensorflow as tf

n = 20
Hm = tf.constant(2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1))
psi = tf.Variable(np.random.RandomState(0).rand(n))
for _ in range(10):
    with tf.GradientTape() as tape:
        e = tf.tensordot(psi, tf.linalg.matvec(Hm, psi), 1) / tf.reduce_sum(psi**2)
    psi.assign_sub(2.0 * tape.gradient(e, psi))
print(e.numpy())

# %% heat_equation_source_recovery
import tensorflow as tf

src = tf.Variable(tf.zeros([16]))
goal = tf.exp(-((tf.range(16.0) - 5.0) ** 2) / 6)
for _ in range(5):
    with tf.GradientTape() as tape:
        u = tf.zeros([16])
        for t in range(6):
            left, right = tf.roll(u, 1, 0), tf.roll(u, -1, 0)
            u = u + 0.2 * (left - 2 * u + right) + 0.1 * src
        loss = tf.reduce_sum((u - goal) ** 2)
    src.assign_sub(0.5 * tape.gradient(loss, src))
print(loss.numpy())

# %% deconvolution_total_variation
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
truth = (np.arange(40) // 10 % 2).astype("f")
kernel = tf.constant(np.ones((5, 1, 1), "f") / 5)
blur = tf.nn.conv1d(truth[None, :, None], kernel, 1, "SAME")[0, :, 0] + 0.02 * rng.normal(size=40).astype("f")
x = tf.Variable(blur)
opt = tf.keras.optimizers.Adam(0.05)
for _ in range(4):
    with tf.GradientTape() as tape:
        fit = tf.reduce_sum((tf.nn.conv1d(x[None, :, None], kernel, 1, "SAME")[0, :, 0] - blur) ** 2)
        tv = tf.reduce_sum(tf.sqrt((x[1:] - x[:-1]) ** 2 + 1e-6))
        loss = fit + 0.05 * tv
    opt.apply_gradients([(tape.gradient(loss, x), x)])
print(loss.numpy())

# %% phase_retrieval_fft
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
mag = np.abs(np.fft.fft(rng.random(16))).astype("f")
x = tf.Variable(rng.random(16).astype("f"))
for _ in range(4):
    with tf.GradientTape() as tape:
        m = tf.abs(tf.signal.fft(tf.cast(x, tf.complex64)))
        loss = tf.reduce_mean((m - mag) ** 2)
    x.assign_sub(0.01 * tape.gradient(loss, x))
print(loss.numpy())

# %% kalman_filter_likelihood
import numpy as np
import tensorflow as tf

obs = np.cumsum(np.random.RandomState(0).randn(12)).astype("f")
lq, lr = tf.Variable(0.0), tf.Variable(0.0)
for _ in range(4):
    with tf.GradientTape() as tape:
        m, P, ll = tf.constant(0.0), tf.constant(1.0), 0.0
        for y in obs:
            P = P + tf.exp(lq)
            S = P + tf.exp(lr)
            ll += -0.5 * (tf.math.log(S) + (y - m) ** 2 / S)
            K = P / S
            m, P = m + K * (y - m), (1 - K) * P
        loss = -ll
    for v, g in zip((lq, lr), tape.gradient(loss, (lq, lr))):
        v.assign_sub(0.05 * g)
print(loss.numpy())

# %% portfolio_sharpe
import numpy as np
import tensorflow as tf

r = np.random.RandomState(2).normal(0.001, 0.02, (60, 5)).astype("f")
z = tf.Variable(tf.zeros(5))
for _ in range(5):
    with tf.GradientTape() as tape:
        w = tf.nn.softmax(z)
        p = tf.linalg.matvec(r, w)
        sharpe = tf.reduce_mean(p) / tf.math.reduce_std(p)
        loss = -sharpe
    z.assign_sub(tape.gradient(loss, z))
print(w.numpy())

# %% black_scholes_greeks
import tensorflow as tf

S, K, sigma, T, r = (tf.Variable(v, dtype=tf.float64) for v in (100.0, 105.0, 0.2, 0.5, 0.01))


def cdf(x):
    return 0.5 * (1 + tf.math.erf(x / tf.sqrt(tf.constant(2.0, tf.float64))))


with tf.GradientTape() as t2:
    with tf.GradientTape(persistent=True) as t1:
        d1 = (tf.math.log(S / K) + (r + sigma**2 / 2) * T) / (sigma * tf.sqrt(T))
        d2 = d1 - sigma * tf.sqrt(T)
        price = S * cdf(d1) - K * tf.exp(-r * T) * cdf(d2)
    delta = t1.gradient(price, S)
gamma = t2.gradient(delta, S)
vega, theta, rho = t1.gradient(price, [sigma, T, r])
print(price.numpy(), delta.numpy(), gamma.numpy(), vega.numpy(), theta.numpy(), rho.numpy())

# %% monte_carlo_option_pathwise
import tensorflow as tf

tf.random.set_seed(5)
spot, vol = tf.Variable(100.0), tf.Variable(0.2)
z = tf.random.normal([500])
with tf.GradientTape() as tape:
    final = spot * tf.exp(-0.5 * vol**2 + vol * z)
    payoff = tf.reduce_mean(tf.nn.relu(final - 100.0))
print([g.numpy() for g in tape.gradient(payoff, [spot, vol])])

# %% camera_pose_bundle
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
pts = tf.Variable(rng.normal(size=(8, 3)).astype("f") + [0, 0, 5], dtype=tf.float32)
rot, trans = tf.Variable(tf.zeros(3)), tf.Variable(tf.constant([0.1, 0.0, 0.0]))
uv = rng.normal(size=(8, 2)).astype("f") * 0.2


def rodrigues(w):
    a, b, c = tf.unstack(w)
    zero = tf.zeros([])
    k = tf.reshape(tf.stack([zero, -c, b, c, zero, -a, -b, a, zero]), [3, 3])
    return tf.linalg.expm(k)


for _ in range(3):
    with tf.GradientTape() as tape:
        cam = tf.matmul(pts, rodrigues(rot), transpose_b=True) + trans
        proj = cam[:, :2] / cam[:, 2:]
        loss = tf.reduce_mean(tf.reduce_sum((proj - uv) ** 2, 1))
    vs = [pts, rot, trans]
    for v, g in zip(vs, tape.gradient(loss, vs)):
        v.assign_sub(0.05 * g)
print(loss.numpy())

# %% nerf_volume_rendering
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
mlp = tf.keras.Sequential([tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(4)])
origins, dirs = tf.random.normal([6, 3]), tf.math.l2_normalize(tf.random.normal([6, 3]), 1)
rgb_true = tf.random.uniform([6, 3])
t_vals = tf.linspace(0.5, 2.0, 8)
opt = tf.keras.optimizers.Adam(1e-2)


def encode(x):
    return tf.concat([x] + [fn(2.0**i * x) for i in range(2) for fn in (tf.sin, tf.cos)], -1)


for _ in range(2):
    with tf.GradientTape() as tape:
        p = origins[:, None] + dirs[:, None] * t_vals[None, :, None]
        raw = tf.reshape(mlp(encode(tf.reshape(p, [-1, 3]))), [6, 8, 4])
        sigma, rgb = tf.nn.softplus(raw[..., 3]), tf.sigmoid(raw[..., :3])
        delta = tf.concat([t_vals[1:] - t_vals[:-1], [1e10]], 0)
        alpha = 1 - tf.exp(-sigma * delta)
        T = tf.math.cumprod(1 - alpha + 1e-10, axis=-1, exclusive=True)
        out = tf.reduce_sum((alpha * T)[..., None] * rgb, 1)
        loss = tf.reduce_mean((out - rgb_true) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, mlp.trainable_variables), mlp.trainable_variables))
print(loss.numpy())

# %% siren_image_fit
import numpy as np
import tensorflow as tf

tf.random.set_seed(7)
xy = np.stack(np.meshgrid(np.linspace(-1, 1, 6), np.linspace(-1, 1, 6)), -1).reshape(-1, 2).astype("f")
img = np.cos(3 * xy[:, :1])
W = [tf.Variable(tf.random.uniform(s, -c, c)) for s, c in (([2, 16], 0.5), ([16, 16], 0.02), ([16, 1], 0.02))]
b = [tf.Variable(tf.zeros(n)) for n in (16, 16, 1)]
opt = tf.keras.optimizers.Adam(1e-3)
for _ in range(3):
    with tf.GradientTape() as tape:
        h = tf.sin(30.0 * (xy @ W[0] + b[0]))
        h = tf.sin(30.0 * (h @ W[1] + b[1]))
        loss = tf.reduce_mean((h @ W[2] + b[2] - img) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, W + b), W + b))
print(loss.numpy())

# %% custom_gradient_log1pexp
import tensorflow as tf


@tf.custom_gradient
def log1pexp(x):
    e = tf.exp(x)

    def grad(upstream):
        return upstream * (1 - 1 / (1 + e))

    return tf.math.log(1 + e), grad


x = tf.constant([0.0, 1.0, 20.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = log1pexp(x)
print(tape.gradient(y, x).numpy())

# %% custom_gradient_clip_layer
import tensorflow as tf


@tf.custom_gradient
def clip_gradients(y):
    def backward(dy):
        return tf.clip_by_norm(dy, 0.5)

    return y, backward


v = tf.Variable(2.0)
with tf.GradientTape() as t:
    output = clip_gradients(v * v)
print(t.gradient(output, v))

# %% straight_through_binarization
import tensorflow as tf

tf.random.set_seed(8)
W = tf.Variable(tf.random.normal([4, 6], stddev=0.5))
out = tf.Variable(tf.random.normal([6, 1], stddev=0.5))


@tf.custom_gradient
def sign_ste(x):
    def grad(dy):
        return dy * tf.cast(tf.abs(x) <= 1.0, tf.float32)

    return tf.sign(x), grad


x, y = tf.random.normal([16, 4]), tf.random.normal([16, 1])
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.nn.relu(x @ sign_ste(W)) @ out - y) ** 2)
    for v, g in zip((W, out), tape.gradient(loss, (W, out))):
        v.assign_sub(0.05 * g)
print(loss.numpy())

# %% quantization_aware_round
import tensorflow as tf

tf.keras.utils.set_random_seed(9)


def fake_quant(w, bits=4):
    scale = tf.stop_gradient(tf.reduce_max(tf.abs(w))) / (2 ** (bits - 1) - 1)
    q = tf.round(w / scale) * scale
    return w + tf.stop_gradient(q - w)


w1, w2 = tf.Variable(tf.random.normal([3, 8])), tf.Variable(tf.random.normal([8, 1]))
x = tf.random.normal([20, 3])
y = tf.reduce_sum(x, 1, keepdims=True)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.nn.relu(x @ fake_quant(w1)) @ fake_quant(w2) - y) ** 2)
    g1, g2 = tape.gradient(loss, [w1, w2])
    w1.assign_sub(0.01 * g1)
    w2.assign_sub(0.01 * g2)
print(loss.numpy())

# %% implicit_differentiation_fixed_point
import tensorflow as tf

a = tf.Variable(0.7)


@tf.custom_gradient
def solve(a):
    z = tf.constant(0.5)
    for _ in range(30):
        z = tf.cos(a * z)

    def grad(dz):
        df_dz = -a * tf.sin(a * z)
        df_da = -z * tf.sin(a * z)
        return dz * df_da / (1 - df_dz)

    return z, grad


with tf.GradientTape() as tape:
    loss = (solve(a) - 0.6) ** 2
print(tape.gradient(loss, a).numpy())

# %% differentiable_sort_soft
import tensorflow as tf

s = tf.Variable([3.0, 1.0, 2.0])
with tf.GradientTape() as tape:
    pair = tf.abs(s[:, None] - s[None])
    B = tf.reduce_sum(pair, 1)
    scaling = tf.constant([2.0, 0.0, -2.0])
    P = tf.nn.softmax((scaling[:, None] * s[None] - B[None]) / 1.0, axis=-1)
    ranked = tf.linalg.matvec(P, s)
    loss = tf.reduce_sum((ranked - [4.0, 2.0, 0.0]) ** 2)
print(tape.gradient(loss, s).numpy())

# %% soft_decision_tree
import tensorflow as tf

tf.random.set_seed(10)
w, b = tf.Variable(tf.random.normal([4, 3])), tf.Variable(tf.zeros(3))
leaf = tf.Variable(tf.random.normal([4]))
x, y = tf.random.normal([30, 4]), tf.random.normal([30])
for _ in range(3):
    with tf.GradientTape() as tape:
        p = tf.sigmoid(x @ w + b)
        reach = tf.stack([p[:, 0] * p[:, 1], p[:, 0] * (1 - p[:, 1]), (1 - p[:, 0]) * p[:, 2], (1 - p[:, 0]) * (1 - p[:, 2])], 1)
        loss = tf.reduce_mean((tf.linalg.matvec(reach, leaf) - y) ** 2)
    for v, g in zip((w, b, leaf), tape.gradient(loss, (w, b, leaf))):
        v.assign_sub(0.3 * g)
print(loss.numpy())

# %% forward_over_reverse_jvp
import tensorflow as tf

tf.keras.utils.set_random_seed(11)
x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
dense = tf.keras.layers.Dense(1)
dense.build([None, 2])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.tanh(dense(x)) ** 2)
g = tape.gradient(loss, dense.trainable_variables)
print([t.numpy() for t in g])

# %% third_derivative_nested
import tensorflow as tf

x = tf.Variable(0.8)
with tf.GradientTape() as t3:
    with tf.GradientTape() as t2:
        with tf.GradientTape() as t1:
            y = tf.sin(x) * tf.exp(-x)
        d1 = t1.gradient(y, x)
    d2 = t2.gradient(d1, x)
d3 = t3.gradient(d2, x)
print(d1.numpy(), d2.numpy(), d3.numpy())

# %% stop_recording_for_logging
import tensorflow as tf

x, y = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape() as t:
    x_sq = x * x
    with t.stop_recording():
        norm = tf.sqrt(x_sq)
    z = x_sq + y * y
grad = t.gradient(z, {"x": x, "y": y})
print(grad["x"].numpy(), grad["y"].numpy(), norm.numpy())

# %% input_gradient_penalty_smoothness
import tensorflow as tf

tf.keras.utils.set_random_seed(12)
layer = tf.keras.layers.Dense(10, activation="tanh", kernel_initializer=tf.keras.initializers.RandomNormal(seed=1))
x = tf.random.normal([7, 5])
with tf.GradientTape() as t2:
    with tf.GradientTape(watch_accessed_variables=False) as t1:
        t1.watch(x)
        y = layer(x)
        out = tf.reduce_sum(y**2)
    g1 = t1.gradient(out, x)
    mag = tf.norm(g1)
dg1 = t2.gradient(mag, layer.trainable_variables)
print([v.shape for v in dg1])

# %% proximal_policy_kl_categorical_natural_gradient
import numpy as np
import tensorflow as tf

theta = tf.Variable([0.1, -0.2, 0.3])
reward = tf.constant([1.0, 0.0, 2.0])
for _ in range(3):
    with tf.GradientTape() as tape:
        p = tf.nn.softmax(theta)
        J = tf.reduce_sum(p * reward)
    g = tape.gradient(J, theta)
    pn = p.numpy()
    F = np.diag(pn) - np.outer(pn, pn) + 1e-3 * np.eye(3)
    theta.assign_add(0.1 * np.linalg.solve(F, g.numpy()).astype("f"))
print(p.numpy())

# %% admm_consensus_lasso
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
A, b = rng.normal(size=(20, 6)).astype("f"), rng.normal(size=20).astype("f")
x, z, u = tf.Variable(tf.zeros(6)), np.zeros(6, "f"), np.zeros(6, "f")
for it in range(3):
    for _ in range(5):
        with tf.GradientTape() as tape:
            f = 0.5 * tf.reduce_sum((tf.linalg.matvec(A, x) - b) ** 2) + 0.5 * tf.reduce_sum((x - z + u) ** 2)
        x.assign_sub(0.02 * tape.gradient(f, x))
    z = np.sign(x.numpy() + u) * np.maximum(np.abs(x.numpy() + u) - 0.1, 0)
    u = u + x.numpy() - z
print(z)

# %% simulated_annealing_temperature_softmax
import tensorflow as tf

logits = tf.Variable(tf.random.normal([5], seed=3))
cost = tf.constant([3.0, 1.0, 4.0, 1.5, 5.0])
temperature = 5.0
for step in range(6):
    with tf.GradientTape() as tape:
        p = tf.nn.softmax(logits)
        entropy = -tf.reduce_sum(p * tf.math.log(p))
        free = tf.reduce_sum(p * cost) - temperature * entropy
    logits.assign_sub(0.5 * tape.gradient(free, logits))
    temperature *= 0.7
print(p.numpy())
