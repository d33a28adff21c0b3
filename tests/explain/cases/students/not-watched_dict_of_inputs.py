import tensorflow as tf

recipe = {
    "flour": tf.Variable(300.0),
    "sugar": tf.constant(120.0),
    "water": tf.Variable(180.0),
}

with tf.GradientTape() as tape:
    dough = recipe["flour"] + recipe["water"]
    sweetness = recipe["sugar"] / dough
    score = -((sweetness - 0.2) ** 2)

slopes = tape.gradient(score, recipe)
for name in sorted(slopes):
    print(name, slopes[name])
