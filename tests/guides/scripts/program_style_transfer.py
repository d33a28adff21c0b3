"""Neural style transfer on made pictures: the pixels are the variables, a small fixed network looks at them."""

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
rows, columns = np.mgrid[0:24, 0:24] / 24.0
circle = ((rows - 0.5) ** 2 + (columns - 0.5) ** 2 < 0.1).astype("float32")
content_image = np.stack([circle, 0.5 * circle, 1 - circle], axis=-1)[np.newaxis].astype("float32")
stripes = (np.sin(20 * (rows + columns)) > 0).astype("float32")
style_image = np.stack([stripes, 1 - stripes, 0.2 + 0 * stripes], axis=-1)[np.newaxis].astype("float32")

content_layers = ["conv3"]
style_layers = ["conv1", "conv2"]


def make_network():
    inputs = tf.keras.Input(shape=(None, None, 3))
    x, outputs = inputs, {}
    for i, filters in enumerate((8, 12, 16), start=1):
        x = tf.keras.layers.Conv2D(filters, 3, padding="same", activation="relu", name=f"conv{i}")(x)
        outputs[f"conv{i}"] = x
        x = tf.keras.layers.AveragePooling2D(2)(x)
    model = tf.keras.Model(inputs, [outputs[name] for name in style_layers + content_layers])
    for variable in model.trainable_variables:
        if len(variable.shape) > 1:
            variable.assign(rng.normal(size=variable.shape) * np.sqrt(2 / np.prod(variable.shape[:-1])))
    model.trainable = False
    return model


def gram_matrix(input_tensor):
    result = tf.linalg.einsum("bijc,bijd->bcd", input_tensor, input_tensor)
    input_shape = tf.shape(input_tensor)
    num_locations = tf.cast(input_shape[1] * input_shape[2], tf.float32)
    return result / num_locations


class StyleContentModel(tf.keras.models.Model):
    def __init__(self):
        super().__init__()
        self.network = make_network()
        self.num_style_layers = len(style_layers)

    def call(self, inputs):
        outputs = self.network(inputs * 2.0 - 1.0)
        styles, contents = outputs[:self.num_style_layers], outputs[self.num_style_layers:]
        styles = [gram_matrix(style) for style in styles]
        return {
            "content": dict(zip(content_layers, contents)),
            "style": dict(zip(style_layers, styles)),
        }


extractor = StyleContentModel()
results = extractor(tf.constant(content_image))
for kind in sorted(results):
    for name, output in sorted(results[kind].items()):
        print(kind, name, output.shape, "mean %.4f" % tf.reduce_mean(output))

style_targets = extractor(style_image)["style"]
content_targets = extractor(content_image)["content"]

image = tf.Variable(content_image)
optimizer = tf.keras.optimizers.Adam(learning_rate=0.02, beta_1=0.99, epsilon=1e-1)
style_weight, content_weight, total_variation_weight = 1e-1, 1e1, 1e-2


def clip_0_1(picture):
    return tf.clip_by_value(picture, clip_value_min=0.0, clip_value_max=1.0)


def style_content_loss(outputs):
    style_loss = tf.add_n([
        tf.reduce_mean((outputs["style"][name] - style_targets[name]) ** 2) for name in style_layers
    ])
    content_loss = tf.add_n([
        tf.reduce_mean((outputs["content"][name] - content_targets[name]) ** 2)
        for name in content_layers
    ])
    return style_weight * style_loss / len(style_layers) + content_weight * content_loss


def total_variation(picture):
    x_var = picture[:, :, 1:, :] - picture[:, :, :-1, :]
    y_var = picture[:, 1:, :, :] - picture[:, :-1, :, :]
    return tf.reduce_sum(tf.abs(x_var)) + tf.reduce_sum(tf.abs(y_var))


@tf.function()
def train_step(picture):
    with tf.GradientTape() as tape:
        outputs = extractor(picture)
        loss = style_content_loss(outputs)
        loss += total_variation_weight * total_variation(picture)
    grad = tape.gradient(loss, picture)
    optimizer.apply_gradients([(grad, picture)])
    picture.assign(clip_0_1(picture))
    return loss, grad


for epoch in range(3):
    for _ in range(10):
        loss, grad = train_step(image)
    print("round %d: loss %.3f" % (epoch, loss))
print(image.shape, grad.shape, bool(tf.reduce_all((image >= 0) & (image <= 1))))

# The network is fixed: the optimizer has nothing to change in it, and the tape sees through it all the same.
print(len(extractor.trainable_variables), "trainable of", len(extractor.variables))
kernel = extractor.network.get_layer("conv1").kernel
with tf.GradientTape() as tape:
    loss = style_content_loss(extractor(image))
print([gradient.shape for gradient in tape.gradient(loss, [image, kernel])])
