import tensorflow as tf

tf.keras.utils.set_random_seed(6)
model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2)])
log_alpha = tf.Variable(0.1)
x = tf.random.normal((6, 3))
moved = x + 0.1 * tf.random.normal((6, 3))
returns = tf.random.normal((6,))
with tf.GradientTape(persistent=True) as tape:
    logits = model(x)
    logs = tf.nn.log_softmax(logits)
    values = tf.reduce_sum(logits, axis=1)
    # The score of the actions, weighted by an advantage that is data for the actor.
    actor = -tf.reduce_mean(logs[:, 0] * tf.stop_gradient(returns - values))
    critic = tf.reduce_mean(tf.square(returns - values))
    # Consistency: the divergence from the fixed prediction, whose own entropy is a term without a gradient.
    fixed = tf.stop_gradient(tf.nn.softmax(logits))
    entropy = tf.reduce_mean(tf.reduce_sum(fixed * tf.math.log(fixed), axis=1))
    cross = tf.reduce_mean(tf.reduce_sum(fixed * tf.nn.log_softmax(model(moved)), axis=1))
    # The temperature has a gradient call of its own.
    temperature = -tf.reduce_mean(log_alpha * tf.stop_gradient(tf.reduce_sum(logs, axis=1) + 1.0))
    shown = tf.stop_gradient(tf.reduce_mean(tf.square(logits)))
    loss = actor + critic + (entropy - cross) + temperature + 0.1 * shown
print(tape.gradient(loss, model.trainable_variables))
print(tape.gradient(temperature, log_alpha))
