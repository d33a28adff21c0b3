import tensorflow as tf

members = {name: tf.Variable([0.1 * k, 0.5]) for k, name in enumerate(("a", "b", "c"), start=1)}
x = tf.constant([[1.0, 0.0], [0.5, 2.0]])
with tf.GradientTape() as tape:
    votes = {name: tf.linalg.matvec(x, w) for name, w in members.items()}
    best = max(votes, key=lambda name: float(tf.reduce_mean(votes[name])))
    mean = tf.add_n(list(votes.values())) / len(votes)
    loss = tf.reduce_mean((mean - 1.0) ** 2)
    spread = {name: float(tf.reduce_max(tf.abs(vote - mean))) for name, vote in votes.items()}
grads = tape.gradient(loss, members)
print(best, spread, {name: grad.numpy().tolist() for name, grad in grads.items()})
