import tensorflow as tf

staff = {"north": tf.Variable(3.0), "south": tf.Variable(5.0)}
tapes, costs = {}, {}

for place in staff:
    with tf.GradientTape(persistent=True) as tapes[place]:
        costs[place] = 100.0 / staff[place] + 4.0 * staff[place]

first = tapes["north"].gradient(costs["north"], staff["north"])
second = tapes["north"].gradient(costs["south"], staff["south"])
print("north:", first.numpy(), "south:", second)
