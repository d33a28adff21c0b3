import tensorflow as tf

jobs = {"north": tf.Variable(3.0), "south": tf.Variable(5.0)}
tapes, costs = {}, {}

for place, staff in jobs.items():
    with tf.GradientTape() as tapes[place]:
        costs[place] = 100.0 / staff + 4.0 * staff

north = tapes["north"].gradient(costs["north"], jobs["north"])
south = tapes["north"].gradient(costs["south"], jobs["south"]) if north is None else None
print("north:", north.numpy())
tape = tapes["south"]
with tf.GradientTape() as check:
    doubled = 2.0 * costs["south"]
print("south:", check.gradient(doubled, jobs["south"]))
