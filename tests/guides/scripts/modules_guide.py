"""Modules: state in attributes, variables found by walking them, layers built late."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(3)


class SimpleModule(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.a_variable = tf.Variable(5.0, name="train_me")
        self.non_trainable_variable = tf.Variable(5.0, trainable=False, name="do_not_train_me")

    def __call__(self, x):
        return self.a_variable * x + self.non_trainable_variable


simple_module = SimpleModule(name="simple")
print(simple_module(tf.constant(5.0)))
print("trainable variables:", simple_module.trainable_variables)
print("all variables:", simple_module.variables)


class Dense(tf.Module):
    def __init__(self, out_features, name=None):
        super().__init__(name=name)
        self.is_built = False
        self.out_features = out_features

    def __call__(self, x):
        if not self.is_built:
            start = random.normal(size=[x.shape[-1], self.out_features])
            self.w = tf.Variable(tf.cast(start, tf.float32), name="w")
            self.b = tf.Variable(tf.zeros([self.out_features]), name="b")
            self.is_built = True
        y = tf.matmul(x, self.w) + self.b
        return tf.nn.relu(y)


class SequentialModule(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.dense_1 = Dense(out_features=3)
        self.dense_2 = Dense(out_features=2)

    def __call__(self, x):
        x = self.dense_1(x)
        return self.dense_2(x)


my_model = SequentialModule(name="the_model")
print("Model results:", my_model(tf.constant([[2.0, 2.0, 2.0]])))
print("Submodules:", [module.name for module in my_model.submodules])
for var in my_model.variables:
    print(var, "\n")


class Listed(tf.Module):
    def __init__(self):
        super().__init__()
        self.rows = [tf.Variable(1.0, name="one"), {"two": tf.Variable(2.0, name="two")}]
        self.scoped = tf.Variable(3.0, name="three")

    @tf.Module.with_name_scope
    def __call__(self, x):
        return x + sum(v for v in [self.rows[0], self.rows[1]["two"], self.scoped])


listed = Listed()
with tf.GradientTape() as tape:
    y = listed(tf.constant(1.0)) ** 2
print(y, [v.name for v in listed.trainable_variables])
print(tape.gradient(y, listed.trainable_variables))
print(listed.name)


class FlexibleLayer(tf.keras.layers.Layer):
    def __init__(self, out_features, **kwargs):
        super().__init__(**kwargs)
        self.out_features = out_features

    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1], self.out_features), initializer="ones", name="w")
        self.b = self.add_weight(shape=(self.out_features,), initializer="zeros", name="b")

    def call(self, inputs):
        return tf.matmul(inputs, self.w) + self.b


flexible = FlexibleLayer(out_features=3)
print(flexible(tf.constant([[2.0, 2.0, 2.0], [3.0, 3.0, 3.0]])))
try:
    flexible(tf.constant([[2.0, 2.0, 2.0, 2.0]]))
except Exception as e:
    print("Failed:", isinstance(e, (tf.errors.InvalidArgumentError, ValueError)))
print([v.name for v in flexible.trainable_variables], flexible.built)
