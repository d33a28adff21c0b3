import tensorflow as tf

a = tf.Variable(3.0)
capacity = tf.Variable(7.8)
rows = []

with tf.GradientTape() as tape:
    for hour in range(2):
        rows.append((hour, int(capacity), float(a)))
    cost = a**2 + 1.0

for gradient in tape.gradient(cost, [a, capacity]):
    print(gradient)
print(rows)
