# %% actor_critic_cartpole_style
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

gamma = 0.99
eps = np.finfo(np.float32).eps.item()
num_inputs, num_actions, num_hidden = 4, 2, 16
rng = np.random.default_rng(0)
np.random.seed(0)
inputs = layers.Input(shape=(num_inputs,))
common = layers.Dense(num_hidden, activation="relu")(inputs)
action = layers.Dense(num_actions, activation="softmax")(common)
critic = layers.Dense(1)(common)
model = keras.Model(inputs=inputs, outputs=[action, critic])
optimizer = keras.optimizers.Adam(learning_rate=0.01)
huber_loss = keras.losses.Huber()
running_reward = 0
for episode in range(2):
    action_probs_history, critic_value_history, rewards_history = [], [], []
    state = rng.normal(size=4)
    episode_reward = 0
    with tf.GradientTape() as tape:
        for timestep in range(1, 6):
            state = tf.convert_to_tensor(state, tf.float32)
            state = tf.expand_dims(state, 0)
            action_probs, critic_value = model(state)
            critic_value_history.append(critic_value[0, 0])
            action = np.random.choice(num_actions, p=np.squeeze(action_probs))
            action_probs_history.append(tf.math.log(action_probs[0, action]))
            state = rng.normal(size=4) + 0.1 * action
            reward = 1.0 if action == 0 else 0.5
            rewards_history.append(reward)
            episode_reward += reward
        running_reward = 0.05 * episode_reward + (1 - 0.05) * running_reward
        returns = []
        discounted_sum = 0
        for r in rewards_history[::-1]:
            discounted_sum = r + gamma * discounted_sum
            returns.insert(0, discounted_sum)
        returns = np.array(returns)
        returns = (returns - np.mean(returns)) / (np.std(returns) + eps)
        returns = returns.tolist()
        history = zip(action_probs_history, critic_value_history, returns)
        actor_losses, critic_losses = [], []
        for log_prob, value, ret in history:
            diff = ret - value
            actor_losses.append(-log_prob * diff)
            critic_losses.append(huber_loss(tf.expand_dims(value, 0), tf.expand_dims(ret, 0)))
        loss_value = sum(actor_losses) + sum(critic_losses)
    grads = tape.gradient(loss_value, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(f"running reward: {running_reward:.2f} at episode {episode}")

# %% reinforce_bandit_numpy_sampling
import numpy as np
import tensorflow as tf

np.random.seed(1)
prefs = tf.Variable(tf.zeros(3))
means = [0.1, 0.5, 0.9]
for t in range(6):
    with tf.GradientTape() as tape:
        probs = tf.nn.softmax(prefs)
        a = np.random.choice(3, p=probs.numpy() / probs.numpy().sum())
        r = np.random.randn() * 0.1 + means[a]
        loss = -tf.math.log(probs[a]) * (r - 0.3)
    prefs.assign_sub(0.5 * tape.gradient(loss, prefs))
    print(t, a, probs.numpy())

# %% reinforce_policy_network_subclass
import numpy as np
import tensorflow as tf


class Policy(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.d1 = tf.keras.layers.Dense(12, activation="tanh")
        self.logits = tf.keras.layers.Dense(3)

    def call(self, s):
        return self.logits(self.d1(s))


np.random.seed(0)
tf.random.set_seed(0)
policy = Policy()
opt = tf.keras.optimizers.Adam(1e-2)
for ep in range(3):
    states, actions, rewards = [], [], []
    s = np.random.randn(4).astype("float32")
    for _ in range(6):
        logits = policy(s[None])
        a = int(tf.random.categorical(logits, 1)[0, 0])
        states.append(s)
        actions.append(a)
        rewards.append(float(s[0] * (a - 1)))
        s = np.random.randn(4).astype("float32")
    G = np.cumsum(rewards[::-1])[::-1].astype("float32")
    G = (G - G.mean()) / (G.std() + 1e-6)
    with tf.GradientTape() as tape:
        ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=policy(np.stack(states)))
        loss = tf.reduce_mean(ce * G)
    grads = tape.gradient(loss, policy.trainable_variables)
    opt.apply_gradients(zip(grads, policy.trainable_variables))
    print(ep, loss.numpy())

# %% dqn_with_target_network
import random
from collections import deque

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models

random.seed(0)
np.random.seed(0)


def build():
    return models.Sequential([layers.Input((4,)), layers.Dense(16, activation="relu"), layers.Dense(2)])


q, target = build(), build()
target.set_weights(q.get_weights())
memory = deque(maxlen=100)
state = np.random.randn(4)
epsilon = 0.5
for _ in range(20):
    if random.random() < epsilon:
        a = random.randrange(2)
    else:
        a = int(np.argmax(q(state[None])[0]))
    nxt = np.random.randn(4)
    memory.append((state, a, float(nxt[0]), nxt, random.random() < 0.1))
    state = nxt
opt = tf.keras.optimizers.Adam(1e-2)
for it in range(3):
    batch = random.sample(list(memory), 8)
    s, a, r, s2, d = map(np.array, zip(*batch))
    future = np.max(target(s2).numpy(), axis=1)
    y = (r + 0.95 * future * (1 - d)).astype("float32")
    mask = tf.one_hot(a, 2)
    with tf.GradientTape() as tape:
        qv = tf.reduce_sum(q(s) * mask, axis=1)
        loss = tf.keras.losses.Huber()(y, qv)
    opt.apply_gradients(zip(tape.gradient(loss, q.trainable_variables), q.trainable_variables))
    if it % 2 == 0:
        target.set_weights(q.get_weights())
    print(it, loss.numpy())

# %% dqn_fit_style
import numpy as np
import tensorflow as tf

np.random.seed(2)
model = tf.keras.Sequential()
model.add(tf.keras.Input(shape=(3,)))
model.add(tf.keras.layers.Dense(8, activation="relu"))
model.add(tf.keras.layers.Dense(2, activation="linear"))
model.compile(loss="mse", optimizer=tf.keras.optimizers.Adam(learning_rate=0.001))
for step in range(3):
    s = np.random.randn(1, 3).astype("float32")
    a = np.argmax(model.predict(s, verbose=0)[0])
    s2 = np.random.randn(1, 3).astype("float32")
    goal = 1.0 + 0.95 * np.amax(model.predict(s2, verbose=0)[0])
    target_f = model.predict(s, verbose=0)
    target_f[0][a] = goal
    model.fit(s, target_f, epochs=1, verbose=0)
print("done")

# %% double_dueling_dqn
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(3)


class Dueling(keras.Model):
    def __init__(self, n):
        super().__init__()
        self.body = keras.layers.Dense(16, activation="relu")
        self.v = keras.layers.Dense(1)
        self.a = keras.layers.Dense(n)

    def call(self, x):
        h = self.body(x)
        adv = self.a(h)
        return self.v(h) + (adv - tf.reduce_mean(adv, axis=1, keepdims=True))

    def advantage(self, x):
        return self.a(self.body(x))


online, target = Dueling(3), Dueling(3)
online(tf.zeros((1, 4)))
target(tf.zeros((1, 4)))
target.set_weights(online.get_weights())
opt = keras.optimizers.RMSprop(1e-3)
for _ in range(3):
    s, s2 = tf.random.normal((10, 4)), tf.random.normal((10, 4))
    act = np.random.randint(0, 3, 10)
    best = tf.argmax(online.advantage(s2), axis=1)
    q_next = tf.gather(target(s2), best, batch_dims=1)
    y = s[:, 0] + 0.9 * q_next
    with tf.GradientTape() as tape:
        chosen = tf.gather(online(s), act, batch_dims=1)
        loss = tf.reduce_mean(keras.losses.mse(y[:, None], chosen[:, None]))
    opt.apply_gradients(zip(tape.gradient(loss, online.trainable_variables), online.trainable_variables))
print(loss.numpy())

# %% ddpg_actor_and_critic
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.random.set_seed(0)


def get_actor():
    inputs = layers.Input(shape=(3,))
    out = layers.Dense(16, activation="relu")(inputs)
    outputs = layers.Dense(1, activation="tanh")(out) * 2.0
    return tf.keras.Model(inputs, outputs)


def get_critic():
    s = layers.Input(shape=(3,))
    a = layers.Input(shape=(1,))
    h = layers.Dense(16, activation="relu")(layers.Concatenate()([s, a]))
    return tf.keras.Model([s, a], layers.Dense(1)(h))


actor, critic = get_actor(), get_critic()
t_actor, t_critic = get_actor(), get_critic()
t_actor.set_weights(actor.get_weights())
t_critic.set_weights(critic.get_weights())
a_opt, c_opt = tf.keras.optimizers.Adam(0.001), tf.keras.optimizers.Adam(0.002)
for _ in range(2):
    s, s2 = tf.random.normal((16, 3)), tf.random.normal((16, 3))
    a, r = tf.random.uniform((16, 1), -2, 2), tf.random.normal((16, 1))
    with tf.GradientTape() as tape:
        y = r + 0.99 * t_critic([s2, t_actor(s2, training=True)], training=True)
        critic_loss = tf.math.reduce_mean(tf.math.square(y - critic([s, a], training=True)))
    grad = tape.gradient(critic_loss, critic.trainable_variables)
    c_opt.apply_gradients(zip(grad, critic.trainable_variables))
    with tf.GradientTape() as tape:
        actor_loss = -tf.math.reduce_mean(critic([s, actor(s, training=True)], training=True))
    grad = tape.gradient(actor_loss, actor.trainable_variables)
    a_opt.apply_gradients(zip(grad, actor.trainable_variables))
    for tw, w in zip(t_actor.variables, actor.variables):
        tw.assign(w * 0.005 + tw * 0.995)
print(critic_loss.numpy(), actor_loss.numpy())

# %% ppo_clipped_objective
import numpy as np
import tensorflow as tf

np.random.seed(0)
tf.keras.utils.set_random_seed(0)
actor = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(16, "tanh"), tf.keras.layers.Dense(2)])
critic = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(16, "tanh"), tf.keras.layers.Dense(1)])
obs = np.random.randn(32, 4).astype("float32")


def logprobabilities(logits, a):
    return tf.reduce_sum(tf.one_hot(a, 2) * tf.nn.log_softmax(logits), axis=1)


logits = actor(obs)
acts = tf.squeeze(tf.random.categorical(logits, 1), axis=1)
old = logprobabilities(logits, acts)
rets = np.random.randn(32).astype("float32")
adv = rets - critic(obs).numpy()[:, 0]
adv = (adv - adv.mean()) / adv.std()
popt, vopt = tf.keras.optimizers.Adam(3e-4), tf.keras.optimizers.Adam(1e-3)
for k in range(3):
    with tf.GradientTape() as tape:
        ratio = tf.exp(logprobabilities(actor(obs), acts) - old)
        min_adv = tf.where(adv > 0, 1.2 * adv, 0.8 * adv)
        policy_loss = -tf.reduce_mean(tf.minimum(ratio * adv, min_adv))
    g = tape.gradient(policy_loss, actor.trainable_variables)
    popt.apply_gradients(zip(g, actor.trainable_variables))
    kl = tf.reduce_mean(old - logprobabilities(actor(obs), acts))
    with tf.GradientTape() as tape:
        value_loss = tf.reduce_mean((rets - tf.squeeze(critic(obs))) ** 2)
    g = tape.gradient(value_loss, critic.trainable_variables)
    vopt.apply_gradients(zip(g, critic.trainable_variables))
    print(k, policy_loss.numpy(), value_loss.numpy(), float(kl))

# %% a2c_entropy_bonus
import numpy as np
import tensorflow as tf

np.random.seed(4)
tf.random.set_seed(4)


class ActorCritic(tf.keras.Model):
    def __init__(self, n_actions, hidden):
        super().__init__()
        self.common = tf.keras.layers.Dense(hidden, activation="relu")
        self.actor = tf.keras.layers.Dense(n_actions)
        self.critic = tf.keras.layers.Dense(1)

    def call(self, inputs):
        x = self.common(inputs)
        return self.actor(x), self.critic(x)


model = ActorCritic(3, 16)
optimizer = tf.keras.optimizers.Adam(0.01)
for update in range(3):
    state = tf.constant(np.random.randn(4), tf.float32)
    probs_ta, values_ta, rew_ta = [], [], []
    with tf.GradientTape() as tape:
        entropy = 0.0
        for t in range(5):
            logits, value = model(state[None])
            action = tf.random.categorical(logits, 1)[0, 0]
            p = tf.nn.softmax(logits)
            entropy += -tf.reduce_sum(p * tf.math.log(p + 1e-8))
            probs_ta.append(p[0, action])
            values_ta.append(tf.squeeze(value))
            nxt = np.random.randn(4) + 0.1 * action.numpy()
            rew_ta.append(float(nxt.sum()))
            state = tf.constant(nxt, tf.float32)
        rets = np.cumsum(np.array(rew_ta)[::-1])[::-1].astype("float32").copy()
        probs, values = tf.stack(probs_ta), tf.stack(values_ta)
        advantage = tf.stop_gradient(rets - values)
        actor_loss = -tf.reduce_sum(tf.math.log(probs) * advantage)
        loss = actor_loss + 0.5 * tf.reduce_sum((rets - values) ** 2) - 0.01 * entropy
    grads = tape.gradient(loss, model.trainable_variables)
    grads, norm = tf.clip_by_global_norm(grads, 1.0)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(update, norm.numpy())

# %% sac_squashed_gaussian
import numpy as np
import tensorflow as tf

tf.random.set_seed(5)
net = tf.keras.Sequential([tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(4)])
q = tf.keras.Sequential([tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(1)])
log_alpha = tf.Variable(0.0)
opt = tf.keras.optimizers.Adam(1e-3)
alpha_opt = tf.keras.optimizers.Adam(1e-3)
s = tf.random.normal([20, 3])
for _ in range(3):
    with tf.GradientTape() as tape:
        mu, log_std = tf.split(net(s), 2, axis=-1)
        log_std = tf.clip_by_value(log_std, -20, 2)
        noise = tf.random.normal(mu.shape)
        pre = mu + tf.exp(log_std) * noise
        a = tf.tanh(pre)
        logp = tf.reduce_sum(-0.5 * noise**2 - log_std - 0.5 * np.log(2 * np.pi), -1)
        logp -= tf.reduce_sum(2 * (np.log(2.0) - pre - tf.nn.softplus(-2 * pre)), -1)
        qv = q(tf.concat([s, a], -1))[:, 0]
        loss = tf.reduce_mean(tf.exp(log_alpha).numpy() * logp - qv)
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    with tf.GradientTape() as tape:
        alpha_loss = -tf.reduce_mean(tf.exp(log_alpha) * tf.stop_gradient(logp - 2.0))
    alpha_opt.apply_gradients([(tape.gradient(alpha_loss, log_alpha), log_alpha)])
print(loss.numpy(), log_alpha.numpy())

# %% q_learning_epsilon_greedy_table
import numpy as np
import tensorflow as tf

np.random.seed(0)
n_s, n_a = 5, 2
Q = tf.Variable(tf.random.uniform([n_s, n_a], 0, 0.01))
s = 0
for i in range(12):
    with tf.GradientTape() as tape:
        row = tf.matmul(tf.one_hot([s], n_s), Q)
        a = np.argmax(row.numpy()) if np.random.rand() > 0.3 else np.random.randint(n_a)
        s1 = min(s + 1, n_s - 1) if a == 1 else max(s - 1, 0)
        r = float(s1 == n_s - 1)
        nxt = tf.stop_gradient(tf.reduce_max(Q[s1]))
        loss = tf.square(r + 0.9 * nxt - row[0, a])
    Q.assign_sub(0.5 * tape.gradient(loss, Q))
    s = s1
print(Q.numpy())

# %% policy_gradient_apply_each_step
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(11)
model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(5, activation="elu"), keras.layers.Dense(1, activation="sigmoid")])


def play_one_step(obs, loss_fn):
    with tf.GradientTape() as tape:
        left_proba = model(obs[np.newaxis])
        action = tf.random.uniform([1, 1]) > left_proba
        y_target = tf.constant([[1.0]]) - tf.cast(action, tf.float32)
        loss = tf.reduce_mean(loss_fn(y_target, left_proba))
    grads = tape.gradient(loss, model.trainable_variables)
    new_obs = np.random.randn(4).astype("float32") + int(action[0, 0])
    return new_obs, float(new_obs[0]), grads


all_rewards, all_grads = [], []
obs = np.random.randn(4).astype("float32")
for step in range(5):
    obs, reward, grads = play_one_step(obs, keras.losses.BinaryCrossentropy())
    all_rewards.append(reward)
    all_grads.append(grads)
mean_grads = []
for i in range(len(model.trainable_variables)):
    mean_grads.append(tf.reduce_mean([r * g[i] for r, g in zip(all_rewards, all_grads)], axis=0))
keras.optimizers.Nadam(0.01).apply_gradients(zip(mean_grads, model.trainable_variables))
print(np.sum(all_rewards))

# %% actor_critic_one_step_td
import numpy as np
import tensorflow as tf

np.random.seed(8)
tf.random.set_seed(8)
actor = tf.keras.Sequential([tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(3, "softmax")])
critic = tf.keras.Sequential([tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(1)])
oa, oc = tf.keras.optimizers.Adam(1e-3), tf.keras.optimizers.Adam(1e-3)
state = np.random.randn(1, 4).astype(np.float32)
for step in range(4):
    with tf.GradientTape() as tape1, tf.GradientTape() as tape2:
        p = actor(state, training=True)
        v = critic(state, training=True)
        prob = p.numpy()[0]
        action = np.random.choice(np.arange(3), p=prob / np.sum(prob))
        next_state = np.random.randn(1, 4).astype(np.float32)
        vn = critic(next_state, training=True)
        reward = float(action == 1)
        td = reward + 0.99 * tf.stop_gradient(vn) - v
        a_loss = -tf.math.log(p[0, action] + 1e-10) * tf.stop_gradient(td[0, 0])
        c_loss = tf.reduce_mean(td**2)
    oa.apply_gradients(zip(tape1.gradient(a_loss, actor.trainable_variables), actor.trainable_variables))
    oc.apply_gradients(zip(tape2.gradient(c_loss, critic.trainable_variables), critic.trainable_variables))
    state = next_state
    print(action, reward)

# %% evolution_then_gradient_world_model
import numpy as np
import tensorflow as tf

np.random.seed(0)
dyn = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(12, "tanh"), tf.keras.layers.Dense(2)])
S = np.random.randn(40, 2).astype("float32")
A = np.random.randn(40, 1).astype("float32")
S2 = S + 0.1 * np.concatenate([S[:, 1:], A], 1)
dyn.compile("adam", "mse")
dyn.fit(np.concatenate([S, A], 1), S2 - S, epochs=2, verbose=0)
plan = tf.Variable(tf.zeros([5, 1]))
for _ in range(3):
    with tf.GradientTape() as tape:
        s = tf.constant([[1.0, 0.0]])
        cost = 0.0
        for t in range(5):
            s = s + dyn(tf.concat([s, plan[t : t + 1]], axis=1))
            cost += tf.reduce_sum(s**2) + 0.1 * tf.reduce_sum(plan[t] ** 2)
    plan.assign_sub(0.1 * tape.gradient(cost, plan))
print(cost.numpy())

# %% curiosity_forward_inverse
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
enc = tf.keras.layers.Dense(6, activation="relu")
fwd = tf.keras.layers.Dense(6)
inv = tf.keras.layers.Dense(3)
opt = tf.keras.optimizers.Adam(1e-3)
for i in range(3):
    s, s2 = np.random.randn(12, 4).astype("f"), np.random.randn(12, 4).astype("f")
    a = np.random.randint(0, 3, 12)
    with tf.GradientTape() as tape:
        f1, f2 = enc(s), enc(s2)
        pred = fwd(tf.concat([f1, tf.one_hot(a, 3)], -1))
        fl = 0.5 * tf.reduce_mean(tf.reduce_sum((pred - f2) ** 2, -1))
        il = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(a, inv(tf.concat([f1, f2], -1)), from_logits=True))
        loss = 0.2 * fl + 0.8 * il
    vs = enc.trainable_variables + fwd.trainable_variables + inv.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
    print("intrinsic reward", fl.numpy())

# %% categorical_dqn_projection
import numpy as np
import tensorflow as tf

np.random.seed(3)
tf.random.set_seed(3)
atoms = np.linspace(-2, 2, 11).astype("float32")
net = tf.keras.Sequential([tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(2 * 11), tf.keras.layers.Reshape((2, 11))])
s, s2 = np.random.randn(8, 4).astype("f"), np.random.randn(8, 4).astype("f")
a, r = np.random.randint(0, 2, 8), np.random.randn(8).astype("f")
opt = tf.keras.optimizers.Adam(1e-3)
for _ in range(2):
    nxt = tf.nn.softmax(net(s2)).numpy()
    best = np.argmax((nxt * atoms).sum(-1), axis=1)
    p = nxt[np.arange(8), best]
    tz = np.clip(r[:, None] + 0.9 * atoms, -2, 2)
    b = (tz + 2) / 0.4
    lo, up = np.floor(b).astype(int), np.ceil(b).astype(int)
    m = np.zeros((8, 11), "float32")
    for i in range(8):
        for j in range(11):
            m[i, lo[i, j]] += p[i, j] * (up[i, j] - b[i, j] + (lo[i, j] == up[i, j]))
            m[i, up[i, j]] += p[i, j] * (b[i, j] - lo[i, j])
    with tf.GradientTape() as tape:
        logits = tf.gather(net(s), a, axis=1, batch_dims=1)
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=m, logits=logits))
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
print(loss.numpy())

# %% print_and_log_inside_the_tape
import numpy as np
import tensorflow as tf

tf.random.set_seed(1)
W = tf.Variable(tf.random.normal([3, 2]))
x = tf.random.normal([8, 3])
y = tf.random.normal([8, 2])
log = []
for epoch in range(3):
    with tf.GradientTape() as tape:
        out = tf.tanh(x @ W)
        print("mean activation", np.mean(out), "max", np.abs(out.numpy()).max())
        loss = tf.reduce_mean((out - y) ** 2)
        log.append(loss.numpy())
        if np.isnan(loss.numpy()):
            break
    W.assign_sub(0.1 * tape.gradient(loss, W))
print(np.round(log, 3))

# %% hard_negative_mining_in_numpy
import numpy as np
import tensorflow as tf

np.random.seed(5)
tf.random.set_seed(5)
emb = tf.keras.Sequential([tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(4)])
opt = tf.keras.optimizers.Adam(1e-2)
X = np.random.randn(20, 6).astype("f")
lab = np.repeat(np.arange(5), 4)
for it in range(3):
    with tf.GradientTape() as tape:
        e = tf.math.l2_normalize(emb(X), axis=1)
        d = np.linalg.norm(e.numpy()[:, None] - e.numpy()[None], axis=-1)
        pos_d = np.where(lab[:, None] == lab[None], d, -1)
        neg_d = np.where(lab[:, None] != lab[None], d, 9)
        p, n = pos_d.argmax(1), neg_d.argmin(1)
        ap = tf.reduce_sum((e - tf.gather(e, p)) ** 2, 1)
        an = tf.reduce_sum((e - tf.gather(e, n)) ** 2, 1)
        loss = tf.reduce_mean(tf.nn.relu(ap - an + 0.3))
    opt.apply_gradients(zip(tape.gradient(loss, emb.trainable_variables), emb.trainable_variables))
    print(loss.numpy())

# %% online_top_k_selection_numpy
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
w = tf.Variable(rng.normal(size=(5, 1)).astype("f"))
x = rng.normal(size=(32, 5)).astype("f")
y = rng.integers(0, 2, (32, 1)).astype("f")
for _ in range(3):
    with tf.GradientTape() as tape:
        per_example = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x @ w)
        hard = np.argsort(-np.ravel(per_example))[:10]
        loss = tf.reduce_mean(tf.gather(per_example, hard))
    w.assign_sub(0.5 * tape.gradient(loss, w))
print(loss.numpy())

# %% self_play_softmax_temperature
import numpy as np
import tensorflow as tf

np.random.seed(9)
policy = tf.Variable(tf.zeros([3, 3]))
payoff = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], "float32")
state, total = 0, 0.0
for game in range(5):
    with tf.GradientTape() as tape:
        pi = tf.nn.softmax(policy[state] / 0.7)
        probs = np.array(pi, dtype="float64")
        mine = np.random.choice([0, 1, 2], p=probs / probs.sum())
        theirs = np.random.randint(3)
        reward = payoff[mine, theirs]
        loss = -reward * tf.math.log(pi[mine]) - 0.01 * tf.reduce_sum(-pi * tf.math.log(pi))
    policy.assign_sub(0.3 * tape.gradient(loss, policy))
    state, total = theirs, total + reward
print(total)
