import tensorflow as tf

tf.keras.utils.set_random_seed(1)
WARM_UP = 100


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.random.normal((3, 1)), name="w")
        self.temperature = tf.Variable(1.0, name="temperature")

    def loss(self, x, y, step):
        logits = x @ self.w
        if step > WARM_UP:
            logits = logits / self.temperature
        return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, logits))


model = Model()
x, y = tf.random.normal((6, 3)), tf.ones((6, 1))
for step in range(2):
    with tf.GradientTape() as tape:
        loss = model.loss(x, y, step)
    grads = tape.gradient(loss, [model.w, model.temperature])
    model.w.assign_sub(0.1 * grads[0])
print(grads)
