"""Eager execution: values at once, NumPy next door, Python control flow, training a small thing."""

import numpy as np
import tensorflow as tf

print(tf.executing_eagerly())
x = [[2.0]]
m = tf.matmul(x, x)
print("hello, {}".format(m))
a = tf.constant([[1, 2], [3, 4]])
print(a)
b = tf.add(a, 1)
print(b)
print(a * b)
c = np.multiply(a, b)
print(c)
print(a.numpy())


def fizzbuzz(max_num):
    counter = tf.constant(0)
    max_num = tf.convert_to_tensor(max_num)
    for num in range(1, max_num.numpy() + 1):
        num = tf.constant(num)
        if int(num % 3) == 0 and int(num % 5) == 0:
            print("FizzBuzz")
        elif int(num % 3) == 0:
            print("Fizz")
        elif int(num % 5) == 0:
            print("Buzz")
        else:
            print(num.numpy())
        counter += 1
    return counter


print(fizzbuzz(15))
w = tf.Variable([[1.0]])
with tf.GradientTape() as tape:
    loss = w * w
grad = tape.gradient(loss, w)
print(grad)


def line_search_step(fn, init_x, rate=1.0):
    with tf.GradientTape() as tape:
        tape.watch(init_x)
        value = fn(init_x)
    grad = tape.gradient(value, init_x)
    grad_norm = tf.reduce_sum(grad * grad)
    init_value = value
    while value > init_value - rate * grad_norm:
        x = init_x - rate * grad
        value = fn(x)
        rate /= 2.0
    return x, value


print(line_search_step(lambda v: tf.reduce_sum(v**4 + v), tf.constant([1.0, -2.0])))


@tf.custom_gradient
def clip_gradient_by_norm(x, norm):
    y = tf.identity(x)

    def grad_fn(dresult):
        return [tf.clip_by_norm(dresult, norm), None]

    return y, grad_fn


with tf.GradientTape() as tape:
    tape.watch(m)
    y = tf.reduce_sum(clip_gradient_by_norm(m * 10.0, 0.5))
print(tape.gradient(y, m))
print(tf.square(2) + tf.square(3), np.add(m, 1), np.ones([3, 3]) * tf.constant(42.0))
print("GPU" in m.device, isinstance(m.device, str), tf.constant([1]).device.endswith("CPU:0"))
n = tf.constant(np.eye(2))
print(n.dtype, np.sum(n), tf.reduce_sum(n).numpy(), len(n), [float(v) for v in n[0]], list(n.shape))
