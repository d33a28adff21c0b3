import tensorflow as tf


class Parameters:
    def __init__(self):
        self.store = {}

    def get(self, name, start):
        if name not in self.store:
            self.store[name] = tf.Variable(start, name=name)
        return self.store[name]

    def all(self):
        return list(self.store.values())


params = Parameters()
with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(params.all())
    curve = params.get("a", 2.0) * tf.sin(params.get("phase", 0.3))
    loss = (curve - 1.0) ** 2

for name, grad in zip(params.store, tape.gradient(loss, params.all())):
    print(name, grad)
