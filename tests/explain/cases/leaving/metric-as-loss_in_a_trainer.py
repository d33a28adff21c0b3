import tensorflow as tf


class Trainer:
    def __init__(self, model, metric):
        self.model = model
        self.metric = metric
        self.optimizer = tf.keras.optimizers.SGD(0.1)

    def loss(self, x, y):
        self.metric.reset_state()
        self.metric.update_state(y, self.model(x))
        return self.metric.result()

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(x, y)
        grads = tape.gradient(loss, self.model.trainable_variables)
        print(loss.numpy(), [None if g is None else g.shape for g in grads])


tf.keras.utils.set_random_seed(1)
net = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1, activation="sigmoid")])
trainer = Trainer(net, tf.keras.metrics.BinaryCrossentropy())
trainer.step(tf.constant([[0.2], [0.9]]), tf.constant([[0.0], [1.0]]))
