# %% linear_regression_by_hand
import tensorflow as tf

TRUE_W, TRUE_B = 3.0, 2.0
x = tf.random.normal(shape=[201], seed=1)
y = x * TRUE_W + TRUE_B + tf.random.normal(shape=[201], seed=2)


class MyModel(tf.Module):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.w = tf.Variable(5.0)
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return self.w * x + self.b


def loss(target_y, predicted_y):
    return tf.reduce_mean(tf.square(target_y - predicted_y))


def train(model, x, y, learning_rate):
    with tf.GradientTape() as t:
        current_loss = loss(y, model(x))
    dw, db = t.gradient(current_loss, [model.w, model.b])
    model.w.assign_sub(learning_rate * dw)
    model.b.assign_sub(learning_rate * db)


model = MyModel()
for epoch in range(5):
    train(model, x, y, learning_rate=0.1)
    print(f"W = {model.w.numpy():1.2f}, b = {model.b.numpy():1.2f}")

# %% logistic_regression_manual
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
X = rng.normal(size=(80, 4)).astype("float32")
labels = (X @ np.array([1.0, -2.0, 0.5, 0.0], "float32") > 0).astype("float32")
w = tf.Variable(tf.zeros([4, 1]))
b = tf.Variable(tf.zeros([1]))
opt = tf.keras.optimizers.SGD(0.5)
for step in range(5):
    with tf.GradientTape() as tape:
        logits = tf.squeeze(X @ w + b, axis=1)
        ce = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        loss = tf.reduce_mean(ce)
    opt.apply_gradients(zip(tape.gradient(loss, [w, b]), [w, b]))
    acc = np.mean((logits.numpy() > 0) == (labels > 0.5))
    print(step, float(loss), acc)

# %% softmax_regression_zero_init
import numpy as np
import tensorflow as tf

np.random.seed(3)
images = np.random.rand(64, 16).astype(np.float32)
targets = np.random.randint(0, 3, 64)
W = tf.Variable(tf.zeros([16, 3]), name="weight")
b = tf.Variable(tf.zeros([3]), name="bias")


def logistic_regression(x):
    return tf.nn.softmax(tf.matmul(x, W) + b)


def cross_entropy(y_pred, y_true):
    y_true = tf.one_hot(y_true, depth=3)
    y_pred = tf.clip_by_value(y_pred, 1e-9, 1.0)
    return tf.reduce_mean(-tf.reduce_sum(y_true * tf.math.log(y_pred), 1))


optimizer = tf.optimizers.SGD(0.1)
for i in range(4):
    with tf.GradientTape() as g:
        pred = logistic_regression(images)
        loss = cross_entropy(pred, targets)
    gradients = g.gradient(loss, [W, b])
    optimizer.apply_gradients(zip(gradients, [W, b]))
print(loss.numpy())

# %% polynomial_fit_power_basis
import numpy as np
import tensorflow as tf

x = np.linspace(-1, 1, 30).astype("float32")
y = 2 * x**3 - x + 0.5
coef = tf.Variable(tf.zeros(4))
powers = tf.range(4, dtype=tf.float32)
for _ in range(10):
    with tf.GradientTape() as tape:
        design = tf.stack([x**k for k in range(4)], axis=1)
        fit = tf.linalg.matvec(design, coef)
        mse = tf.reduce_mean((fit - y) ** 2)
    coef.assign_sub(0.3 * tape.gradient(mse, coef))
print(coef.numpy(), powers.numpy())

# %% lasso_with_zero_start
import numpy as np
import tensorflow as tf

rs = np.random.RandomState(7)
A = tf.constant(rs.randn(40, 8), tf.float32)
truth = tf.constant([2.0, 0, 0, -1.0, 0, 0, 0, 3.0])
obs = tf.linalg.matvec(A, truth)
beta = tf.Variable(tf.zeros(8))
lam = 0.05
for it in range(6):
    with tf.GradientTape() as tape:
        resid = tf.linalg.matvec(A, beta) - obs
        objective = 0.5 * tf.reduce_mean(resid**2) + lam * tf.reduce_sum(tf.abs(beta))
    grad = tape.gradient(objective, beta)
    beta.assign(beta - 0.1 * grad)
    print(it, objective.numpy())

# %% ridge_with_huber
import tensorflow as tf

tf.random.set_seed(0)
features = tf.random.uniform((50, 3))
target = tf.reduce_sum(features, 1, keepdims=True) + 0.1
theta = tf.Variable(tf.random.normal((3, 1)))
huber = tf.keras.losses.Huber(delta=0.5)
adam = tf.keras.optimizers.Adam(0.05)
for _ in range(5):
    with tf.GradientTape() as tape:
        loss = huber(target, features @ theta) + 1e-3 * tf.nn.l2_loss(theta)
    grads = tape.gradient(loss, [theta])
    adam.apply_gradients(zip(grads, [theta]))
tf.print(loss)

# %% matrix_factorization_ratings
import numpy as np
import tensorflow as tf

np.random.seed(0)
n_users, n_items, k = 12, 9, 3
users = np.random.randint(0, n_users, 60)
items = np.random.randint(0, n_items, 60)
ratings = np.random.uniform(1, 5, 60).astype("float32")
P = tf.Variable(tf.random.normal([n_users, k], stddev=0.1))
Q = tf.Variable(tf.random.normal([n_items, k], stddev=0.1))
bu = tf.Variable(tf.zeros([n_users]))
bi = tf.Variable(tf.zeros([n_items]))
mu = ratings.mean()
opt = tf.keras.optimizers.Adam(0.05)
for epoch in range(4):
    with tf.GradientTape() as tape:
        dot = tf.reduce_sum(tf.gather(P, users) * tf.gather(Q, items), axis=1)
        pred = mu + tf.gather(bu, users) + tf.gather(bi, items) + dot
        loss = tf.reduce_mean(tf.square(pred - ratings))
        loss += 0.01 * (tf.nn.l2_loss(P) + tf.nn.l2_loss(Q))
    vs = [P, Q, bu, bi]
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
    print("epoch", epoch, "rmse", np.sqrt(loss.numpy()))

# %% soft_kmeans
import numpy as np
import tensorflow as tf

np.random.seed(1)
pts = tf.constant(np.concatenate([np.random.randn(20, 2) + c for c in ([0, 0], [5, 5], [0, 6])]), tf.float32)
centers = tf.Variable(tf.random.uniform([3, 2], 0, 5, seed=4))
for step in range(8):
    with tf.GradientTape() as tape:
        d2 = tf.reduce_sum((pts[:, None, :] - centers[None, :, :]) ** 2, -1)
        resp = tf.nn.softmax(-d2 / 2.0)
        loss = tf.reduce_mean(tf.reduce_sum(resp * d2, axis=1))
    centers.assign_sub(0.1 * tape.gradient(loss, centers))
assignment = np.argmin(d2.numpy(), axis=1)
print(np.bincount(assignment, minlength=3), loss.numpy())

# %% hard_kmeans_by_gradient
import numpy as np
import tensorflow as tf

np.random.seed(5)
data = np.random.randn(40, 2).astype("float32")
data[:20] += 4
mu = tf.Variable(data[[0, 25]])
for i in range(5):
    with tf.GradientTape() as tape:
        dist = tf.norm(data[:, None] - mu[None] + 1e-3, axis=-1)
        nearest = tf.argmin(dist, axis=1)
        chosen = tf.gather(mu, nearest)
        quantization = tf.reduce_mean(tf.reduce_sum(tf.square(data - chosen), 1))
    mu.assign_sub(0.5 * tf.convert_to_tensor(tape.gradient(quantization, mu)))
    print(i, quantization.numpy())

# %% svm_hinge
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
x = rng.normal(size=(60, 2)).astype("float32")
y = np.sign(x[:, 0] + x[:, 1] - 0.2).astype("float32")
w = tf.Variable(tf.random.normal([2], seed=1))
b = tf.Variable(0.0)
C = 1.0
for epoch in range(5):
    with tf.GradientTape() as tape:
        margin = y * (tf.tensordot(x, w, 1) - b)
        loss = tf.reduce_sum(w**2) / 2 + C * tf.reduce_mean(tf.maximum(0.0, 1 - margin))
    gw, gb = tape.gradient(loss, (w, b))
    w.assign_sub(0.1 * gw)
    b.assign_sub(0.1 * gb)
print(np.mean(np.sign(x @ w.numpy() - b.numpy()) == y))

# %% poisson_glm
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
X = np.c_[np.ones(70), rng.normal(size=70)].astype(np.float32)
counts = rng.poisson(np.exp(X @ [0.3, 0.7])).astype(np.float32)
beta = tf.Variable([0.0, 0.0])
for _ in range(10):
    with tf.GradientTape() as tape:
        eta = tf.linalg.matvec(X, beta)
        nll = tf.reduce_mean(tf.exp(eta) - counts * eta + tf.math.lgamma(counts + 1))
    beta.assign_sub(0.2 * tape.gradient(nll, beta))
print(beta.numpy())

# %% gaussian_mixture_nll
import numpy as np
import tensorflow as tf

np.random.seed(11)
samples = np.concatenate([np.random.normal(-2, 0.5, 50), np.random.normal(3, 1.0, 50)]).astype(np.float32)
logits = tf.Variable([0.0, 0.0])
means = tf.Variable([-1.0, 1.0])
log_std = tf.Variable([0.0, 0.0])
opt = tf.keras.optimizers.Adam(learning_rate=0.1)
for step in range(10):
    with tf.GradientTape() as tape:
        z = (samples[:, None] - means) / tf.exp(log_std)
        log_prob = -0.5 * z**2 - log_std - 0.5 * np.log(2 * np.pi)
        mix = tf.nn.log_softmax(logits)
        nll = -tf.reduce_mean(tf.reduce_logsumexp(mix + log_prob, axis=1))
    variables = [logits, means, log_std]
    opt.apply_gradients(zip(tape.gradient(nll, variables), variables))
print(means.numpy(), nll.numpy())

# %% newtons_method_scalar
import tensorflow as tf

x = tf.Variable(3.0)
for _ in range(6):
    with tf.GradientTape() as t2:
        with tf.GradientTape() as t1:
            f = x**4 - 3 * x**3 + 2
        df = t1.gradient(f, x)
    d2f = t2.gradient(df, x)
    x.assign_sub(df / d2f)
    print(x.numpy(), df.numpy())

# %% newtons_method_hessian_layer
import tensorflow as tf

tf.random.set_seed(1)
x = tf.random.normal([7, 5])
layer1 = tf.keras.layers.Dense(8, activation=tf.nn.relu)
layer2 = tf.keras.layers.Dense(6, activation=tf.nn.relu)
with tf.GradientTape() as t2:
    with tf.GradientTape() as t1:
        h = layer2(layer1(x))
        loss = tf.reduce_mean(h**2)
    g = t1.gradient(loss, layer1.kernel)
hess = t2.jacobian(g, layer1.kernel)
n_params = tf.reduce_prod(layer1.kernel.shape)
h_mat = tf.reshape(hess, [n_params, n_params])
eps = tf.eye(h_mat.shape[0]) * 1e-3
update = tf.linalg.solve(h_mat + eps, tf.reshape(g, [n_params, 1]))
layer1.kernel.assign_sub(tf.reshape(update, layer1.kernel.shape))
print(loss.numpy())

# %% gauss_newton_exponential_fit
import numpy as np
import tensorflow as tf

t = np.linspace(0, 2, 15)
data = 2.5 * np.exp(-1.3 * t)
p = tf.Variable([1.0, -0.5], dtype=tf.float64)
for k in range(6):
    with tf.GradientTape() as tape:
        r = p[0] * tf.exp(p[1] * t) - data
    J = tape.jacobian(r, p)
    step = tf.linalg.lstsq(J, r[:, None], fast=False)
    p.assign_sub(step[:, 0])
print(p.numpy())

# %% rosenbrock_momentum
import tensorflow as tf

p = tf.Variable([-1.2, 1.0])
v = tf.zeros(2)
for i in range(20):
    with tf.GradientTape() as tape:
        x, y = tf.unstack(p)
        f = (1 - x) ** 2 + 100 * (y - x**2) ** 2
    g = tape.gradient(f, p)
    v = 0.9 * v - 1e-4 * g
    p.assign_add(v)
print(f.numpy(), p.numpy())

# %% minimize_callable
import tensorflow as tf

var1 = tf.Variable(10.0)
var2 = tf.Variable(-4.0)
opt = tf.keras.optimizers.SGD(learning_rate=0.1)


def loss():
    return (var1**2) / 2.0 + tf.abs(var2)


for _ in range(3):
    with tf.GradientTape() as tape:
        value = loss()
    opt.apply(tape.gradient(value, [var1, var2]), [var1, var2])
print(var1.numpy(), var2.numpy())

# %% gaussian_process_marginal_likelihood
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
X = np.sort(rng.uniform(-3, 3, 20))[:, None]
Y = np.sin(X[:, 0]) + 0.1 * rng.normal(size=20)
log_ell = tf.Variable(0.0, dtype=tf.float64)
log_sf = tf.Variable(0.0, dtype=tf.float64)
log_sn = tf.Variable(-1.0, dtype=tf.float64)


def neg_log_marginal():
    d2 = tf.square(X - X.T)
    K = tf.exp(2 * log_sf) * tf.exp(-0.5 * d2 / tf.exp(2 * log_ell))
    K = K + tf.exp(2 * log_sn) * tf.eye(20, dtype=tf.float64)
    L = tf.linalg.cholesky(K)
    alpha = tf.linalg.cholesky_solve(L, Y[:, None])
    fit = 0.5 * tf.reduce_sum(Y[:, None] * alpha)
    return fit + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(L))) + 10 * np.log(2 * np.pi)


opt = tf.keras.optimizers.Adam(0.1)
params = [log_ell, log_sf, log_sn]
for _ in range(5):
    with tf.GradientTape() as tape:
        nlml = neg_log_marginal()
    opt.apply_gradients(zip(tape.gradient(nlml, params), params))
print(nlml.numpy(), [p.numpy() for p in params])

# %% gp_matern_pairwise_distance
import numpy as np
import tensorflow as tf

np.random.seed(2)
x = tf.constant(np.random.rand(12, 2))
y = tf.reduce_sum(tf.sin(3 * x), axis=1, keepdims=True)
raw_len = tf.Variable(0.5, dtype=tf.float64)
noise = 1e-2
for _ in range(3):
    with tf.GradientTape() as tape:
        length = tf.nn.softplus(raw_len)
        diff = x[:, None, :] - x[None, :, :]
        r = tf.sqrt(tf.reduce_sum(diff**2, -1) + 1e-12) / length
        k = (1 + np.sqrt(3) * r) * tf.exp(-np.sqrt(3) * r)
        chol = tf.linalg.cholesky(k + noise * tf.eye(12, dtype=tf.float64))
        z = tf.linalg.triangular_solve(chol, y)
        nll = 0.5 * tf.reduce_sum(z**2) + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(chol)))
    raw_len.assign_sub(0.01 * tape.gradient(nll, raw_len))
print(nll.numpy())

# %% hmc_leapfrog
import numpy as np
import tensorflow as tf

np.random.seed(0)


def neg_log_p(q):
    return 0.5 * tf.reduce_sum(q**2 / tf.constant([1.0, 4.0]))


def grad_u(q):
    with tf.GradientTape() as tape:
        tape.watch(q)
        u = neg_log_p(q)
    return tape.gradient(u, q)


q = tf.constant([1.0, -1.0])
samples = []
for it in range(4):
    p = tf.constant(np.random.randn(2), tf.float32)
    q0, h0 = q, neg_log_p(q) + 0.5 * tf.reduce_sum(p**2)
    p -= 0.05 * grad_u(q)
    for _ in range(5):
        q = q + 0.1 * p
        p = p - 0.1 * grad_u(q)
    p += 0.05 * grad_u(q)
    h1 = neg_log_p(q) + 0.5 * tf.reduce_sum(p**2)
    if np.random.rand() > np.exp(min(0.0, float(h0 - h1))):
        q = q0
    samples.append(q.numpy())
print(np.mean(samples, axis=0))

# %% langevin_dynamics
import tensorflow as tf

tf.random.set_seed(4)
theta = tf.Variable(tf.random.normal([20, 2]))


def energy(x):
    return tf.reduce_sum((x[:, 0] ** 2 - 2) ** 2 + x[:, 1] ** 2)


eta = 0.01
for step in range(10):
    with tf.GradientTape() as tape:
        e = energy(theta)
    g = tape.gradient(e, theta)
    noise = tf.random.normal(theta.shape)
    theta.assign_add(-eta * g + tf.sqrt(2 * eta) * noise)
print(theta.numpy().std(0))

# %% stein_variational
import numpy as np
import tensorflow as tf

tf.random.set_seed(9)
particles = tf.Variable(tf.random.normal([10, 1]))
for _ in range(5):
    with tf.GradientTape() as tape:
        logp = tf.reduce_sum(-0.5 * (particles - 2.0) ** 2)
    score = tape.gradient(logp, particles)
    with tf.GradientTape() as tape:
        diff = particles - tf.stop_gradient(tf.transpose(particles))
        kernel = tf.exp(-0.5 * diff**2)
        total = tf.reduce_sum(kernel)
    repulse = -tape.gradient(total, particles)
    phi = (tf.stop_gradient(kernel) @ score + repulse) / 10
    particles.assign_add(0.3 * phi)
print(np.mean(particles.numpy()))

# %% variational_gaussian_reparam
import numpy as np
import tensorflow as tf

tf.random.set_seed(0)
obs = np.random.RandomState(0).normal(1.5, 1.0, 30).astype("float32")
q_mu = tf.Variable(0.0)
q_rho = tf.Variable(-1.0)
opt = tf.keras.optimizers.Adam(0.1)
for i in range(6):
    with tf.GradientTape() as tape:
        sigma = tf.math.softplus(q_rho)
        theta = q_mu + sigma * tf.random.normal([16])
        log_lik = -0.5 * tf.reduce_sum((obs[None] - theta[:, None]) ** 2, axis=1)
        kl = 0.5 * (sigma**2 + q_mu**2 - 1) - tf.math.log(sigma)
        elbo = tf.reduce_mean(log_lik) - kl
        loss = -elbo
    opt.apply_gradients(zip(tape.gradient(loss, [q_mu, q_rho]), [q_mu, q_rho]))
    print(i, loss.numpy(), q_mu.numpy())

# %% score_function_estimator
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
logit = tf.Variable(0.2)
for i in range(5):
    p = tf.sigmoid(logit).numpy()
    draws = (rng.random(50) < p).astype("float32")
    reward = (draws - 0.45) ** 2
    with tf.GradientTape() as tape:
        log_prob = -tf.nn.sigmoid_cross_entropy_with_logits(labels=draws, logits=tf.fill([50], logit))
        surrogate = -tf.reduce_mean(log_prob * (reward - reward.mean()))
    logit.assign_sub(tape.gradient(surrogate, logit))
print(logit.numpy())

# %% pca_by_gradient
import numpy as np
import tensorflow as tf

rs = np.random.RandomState(0)
X = rs.randn(50, 5).astype("float32") @ np.diag([3, 1, 0.5, 0.2, 0.1]).astype("float32")
X -= X.mean(0)
u = tf.Variable(tf.random.normal([5, 2], seed=1))
for i in range(6):
    with tf.GradientTape() as tape:
        q, _ = tf.linalg.qr(u)
        recon = tf.matmul(tf.matmul(X, q), q, transpose_b=True)
        err = tf.reduce_mean((X - recon) ** 2)
    u.assign_sub(tape.gradient(err, u))
print(err.numpy())

# %% eigenvalue_of_symmetric
import tensorflow as tf

a = tf.Variable([[2.0, 0.5, 0.1], [0.5, 3.0, 0.2], [0.1, 0.2, 5.0]])
with tf.GradientTape(persistent=True) as tape:
    sym = (a + tf.transpose(a)) / 2
    w, v = tf.linalg.eigh(sym)
    top = w[-1]
    logdet = tf.linalg.logdet(sym)
print(tape.gradient(top, a).numpy())
print(tape.gradient(logdet, a).numpy())
del tape

# %% tsne_like_embedding
import numpy as np
import tensorflow as tf

np.random.seed(0)
X = np.random.randn(15, 4)
D = ((X[:, None] - X[None]) ** 2).sum(-1)
P = np.exp(-D)
np.fill_diagonal(P, 0)
P = (P / P.sum()).astype(np.float32)
Y = tf.Variable(tf.random.normal([15, 2], stddev=0.1))
mask = 1.0 - tf.eye(15)
for step in range(5):
    with tf.GradientTape() as tape:
        d2 = tf.reduce_sum((Y[:, None] - Y[None]) ** 2, -1)
        num = mask / (1.0 + d2)
        Q = num / tf.reduce_sum(num)
        kl = tf.reduce_sum(P * tf.math.log((P + 1e-9) / (Q + 1e-9)))
    Y.assign_sub(5.0 * tape.gradient(kl, Y))
print(kl.numpy())

# %% gradient_plot_of_parabola
import numpy as np
import tensorflow as tf

xs = tf.linspace(-2.0, 2.0, 9)
with tf.GradientTape() as tape:
    tape.watch(xs)
    ys = xs**2
slopes = tape.gradient(ys, xs)
for x, s in zip(xs.numpy(), slopes.numpy()):
    print(f"{x:5.2f} {s:5.2f}")

# %% gradient_at_each_point_of_a_list
import tensorflow as tf

table = []
for t in [-1.0, 0.0, 1.0, 2.0]:
    t = tf.constant(t)
    with tf.GradientTape() as tape:
        tape.watch(t)
        s = t**2
    table.append((t.numpy(), tape.gradient(s, t).numpy()))
print(table)

# %% sigmoid_slopes_wide
import tensorflow as tf

x = tf.linspace(-10.0, 10.0, 201)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.nn.sigmoid(x)
dy_dx = tape.gradient(y, x)
print(float(tf.reduce_max(dy_dx)), float(tf.reduce_min(dy_dx)))

# %% relu_curve
import tensorflow as tf

x = tf.Variable(tf.linspace(-3.0, 3.0, 13))
with tf.GradientTape(persistent=True) as tape:
    relu = tf.nn.relu(x)
    elu = tf.nn.elu(x)
    leaky = tf.nn.leaky_relu(x, alpha=0.1)
    gelu = tf.nn.gelu(x)
for name, y in dict(relu=relu, elu=elu, leaky=leaky, gelu=gelu).items():
    print(name, tape.gradient(y, x).numpy())

# %% jacobian_of_dense
import tensorflow as tf

x = tf.random.normal([7, 5])
layer = tf.keras.layers.Dense(10, activation=tf.nn.relu)
with tf.GradientTape(persistent=True) as tape:
    y = layer(x)
j = tape.jacobian(y, layer.kernel)
g = tape.gradient(y, layer.kernel)
print(g.shape, j.shape, tf.reduce_max(abs(g - tf.reduce_sum(j, axis=[0, 1]))).numpy())

# %% batch_jacobian_two_layers
import tensorflow as tf

tf.random.set_seed(2)
x = tf.random.normal([7, 5])
layer1 = tf.keras.layers.Dense(8, activation=tf.nn.elu)
layer2 = tf.keras.layers.Dense(6, activation=tf.nn.elu)
with tf.GradientTape(persistent=True, watch_accessed_variables=False) as tape:
    tape.watch(x)
    y = layer2(layer1(x))
jb = tape.batch_jacobian(y, x)
print(jb.shape, tf.linalg.norm(jb).numpy())

# %% hessian_vector_product
import tensorflow as tf

w = tf.Variable([1.0, 2.0, 3.0])
v = tf.constant([1.0, 0.0, -1.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        f = tf.reduce_sum(tf.sin(w) * w**2)
    g = inner.gradient(f, w)
    gv = tf.reduce_sum(g * v)
print(outer.gradient(gv, w).numpy())

# %% conjugate_gradient_quadratic
import numpy as np
import tensorflow as tf

M = np.array([[4.0, 1.0], [1.0, 3.0]], "float32")
b = tf.constant([1.0, 2.0])
x = tf.Variable([2.0, 1.0])


def grad():
    with tf.GradientTape() as tape:
        q = 0.5 * tf.tensordot(x, tf.linalg.matvec(M, x), 1) - tf.tensordot(b, x, 1)
    return tape.gradient(q, x)


r = -grad()
d = r
for _ in range(2):
    alpha = tf.tensordot(r, r, 1) / tf.tensordot(d, tf.linalg.matvec(M, d), 1)
    x.assign_add(alpha * d)
    r_new = -grad()
    d = r_new + tf.tensordot(r_new, r_new, 1) / tf.tensordot(r, r, 1) * d
    r = r_new
print(x.numpy())

# %% quantile_regression
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
x = rng.uniform(0, 1, (100, 1)).astype("float32")
y = 2 * x + rng.normal(0, 0.3, (100, 1)).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Input((1,)), tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(3)])
taus = tf.constant([0.1, 0.5, 0.9])


def pinball(y_true, y_pred):
    e = y_true - y_pred
    return tf.reduce_mean(tf.maximum(taus * e, (taus - 1) * e))


model.compile("adam", loss=pinball)
hist = model.fit(x, y, epochs=2, batch_size=50, verbose=0)
print(hist.history["loss"])

# %% cox_partial_likelihood
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)
covs = rng.normal(size=(30, 3)).astype("float32")
time = rng.exponential(size=30)
event = rng.integers(0, 2, 30).astype("float32")
order = np.argsort(-time)
covs, event = covs[order], event[order]
beta = tf.Variable(tf.zeros([3, 1]))
for _ in range(4):
    with tf.GradientTape() as tape:
        risk = tf.squeeze(covs @ beta)
        log_cum = tf.math.log(tf.cumsum(tf.exp(risk)))
        ll = tf.reduce_sum((risk - log_cum) * event) / tf.reduce_sum(event)
        loss = -ll
    beta.assign_sub(0.2 * tape.gradient(loss, beta))
print(loss.numpy())
