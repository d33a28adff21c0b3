import tensorflow as tf


class Averager(tf.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.shadow = [tf.Variable(v, trainable=False) for v in model]

    def update(self, decay=0.9):
        for slow, fast in zip(self.shadow, self.model):
            slow.assign(decay * slow + (1.0 - decay) * fast)


model = [tf.Variable(1.0), tf.Variable(-1.0)]
average = Averager(model)
for t in (0.5, 1.0, 2.0):
    with tf.GradientTape() as tape:
        loss = (model[0] * t + model[1] - 2.0) ** 2
    for v, g in zip(model, tape.gradient(loss, model)):
        v.assign_sub(0.1 * g)
    average.update()
print([v.numpy() for v in average.shadow])
