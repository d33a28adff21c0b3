# %% mnist_quickstart_sequential
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
x_train, y_train = np.random.rand(32, 6, 6), np.random.randint(0, 10, 32)
model = tf.keras.models.Sequential(
    [
        tf.keras.layers.Flatten(input_shape=(6, 6)),
        tf.keras.layers.Dense(16, activation="relu"),
        tf.keras.layers.Dropout(0.2),
        tf.keras.layers.Dense(10),
    ]
)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(optimizer="adam", loss=loss_fn, metrics=["accuracy"])
model.fit(x_train, y_train, epochs=2, verbose=0)
print(model.evaluate(x_train, y_train, verbose=0))

# %% mnist_advanced_subclass
import numpy as np
import tensorflow as tf
from tensorflow.keras import Model
from tensorflow.keras.layers import Conv2D, Dense, Flatten

tf.keras.utils.set_random_seed(1)
x = np.random.rand(16, 8, 8, 1).astype("float32")
y = np.random.randint(0, 4, 16)
train_ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(16).batch(8)


class MyModel(Model):
    def __init__(self):
        super().__init__()
        self.conv1 = Conv2D(4, 3, activation="relu")
        self.flatten = Flatten()
        self.d1 = Dense(8, activation="relu")
        self.d2 = Dense(4)

    def call(self, x):
        return self.d2(self.d1(self.flatten(self.conv1(x))))


model = MyModel()
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()
train_loss = tf.keras.metrics.Mean(name="train_loss")


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = loss_object(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    train_loss(loss)


for epoch in range(2):
    for images, labels in train_ds:
        train_step(images, labels)
    print(f"Epoch {epoch + 1}, Loss: {train_loss.result():0.2f}")

# %% cifar_conv_pool
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models

tf.keras.utils.set_random_seed(2)
model = models.Sequential()
model.add(layers.Conv2D(4, (3, 3), activation="relu", input_shape=(12, 12, 3)))
model.add(layers.MaxPooling2D((2, 2)))
model.add(layers.Conv2D(8, (3, 3), activation="relu"))
model.add(layers.Flatten())
model.add(layers.Dense(8, activation="relu"))
model.add(layers.Dense(10))
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
history = model.fit(np.random.rand(8, 12, 12, 3), np.random.randint(0, 10, 8), epochs=1, verbose=0)
print(history.history["loss"])

# %% resnet_identity_blocks_bn
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(3)


def residual_block(x, filters, stride=1):
    shortcut = x
    y = layers.Conv2D(filters, 3, strides=stride, padding="same")(x)
    y = layers.BatchNormalization()(y)
    y = layers.ReLU()(y)
    y = layers.Conv2D(filters, 3, padding="same")(y)
    y = layers.BatchNormalization()(y)
    if stride != 1 or x.shape[-1] != filters:
        shortcut = layers.Conv2D(filters, 1, strides=stride)(x)
        shortcut = layers.BatchNormalization()(shortcut)
    return layers.ReLU()(layers.Add()([shortcut, y]))


inputs = layers.Input((8, 8, 3))
x = layers.Conv2D(4, 3, padding="same")(inputs)
x = layers.ReLU()(layers.BatchNormalization()(x))
for f, s in [(4, 1), (4, 1), (8, 2), (8, 1), (8, 2)]:
    x = residual_block(x, f, s)
x = layers.GlobalAveragePooling2D()(x)
model = tf.keras.Model(inputs, layers.Dense(3, activation="softmax")(x))
opt = tf.keras.optimizers.SGD(0.1, momentum=0.9)
imgs, labels = tf.random.normal((8, 8, 8, 3)), tf.constant([0, 1, 2, 0, 1, 2, 0, 1])
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(labels, model(imgs, training=True)))
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    print(loss.numpy())

# %% resnet_block_subclass_fit
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)


class ResnetIdentityBlock(tf.keras.Model):
    def __init__(self, kernel_size, filters):
        super().__init__(name="")
        f1, f2, f3 = filters
        self.conv2a = tf.keras.layers.Conv2D(f1, (1, 1))
        self.bn2a = tf.keras.layers.BatchNormalization()
        self.conv2b = tf.keras.layers.Conv2D(f2, kernel_size, padding="same")
        self.bn2b = tf.keras.layers.BatchNormalization()
        self.conv2c = tf.keras.layers.Conv2D(f3, (1, 1))
        self.bn2c = tf.keras.layers.BatchNormalization()

    def call(self, input_tensor, training=False):
        x = tf.nn.relu(self.bn2a(self.conv2a(input_tensor), training=training))
        x = tf.nn.relu(self.bn2b(self.conv2b(x), training=training))
        x = self.bn2c(self.conv2c(x), training=training)
        return tf.nn.relu(x + input_tensor)


model = tf.keras.Sequential([ResnetIdentityBlock(3, [2, 3, 3]), tf.keras.layers.GlobalMaxPooling2D(), tf.keras.layers.Dense(2)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.random.rand(8, 5, 5, 3).astype("f"), np.arange(8) % 2, batch_size=4, verbose=0)
print(len(model.trainable_variables))

# %% preactivation_resnet_v2
import tensorflow as tf
from tensorflow.keras.layers import Activation, Add, BatchNormalization, Conv2D, Dense, GlobalAveragePooling2D, Input

tf.keras.utils.set_random_seed(5)


def unit(x, f):
    h = Activation("relu")(BatchNormalization()(x))
    h = Conv2D(f, 3, padding="same", kernel_initializer="he_normal")(h)
    h = Activation("relu")(BatchNormalization()(h))
    h = Conv2D(f, 3, padding="same", kernel_initializer="he_normal")(h)
    return Add()([x, h])


i = Input((6, 6, 3))
x = Conv2D(4, 3, padding="same")(i)
for _ in range(3):
    x = unit(x, 4)
x = GlobalAveragePooling2D()(Activation("relu")(BatchNormalization()(x)))
net = tf.keras.Model(i, Dense(2)(x))
X, Y = tf.random.normal((6, 6, 6, 3)), tf.one_hot([0, 1, 0, 1, 1, 0], 2)
with tf.GradientTape() as tape:
    loss = tf.keras.losses.CategoricalCrossentropy(from_logits=True)(Y, net(X, training=True))
grads = tape.gradient(loss, net.trainable_variables)
print(loss.numpy(), [float(tf.norm(g)) for g in grads][:2])

# %% mlp_dense_bias_before_batchnorm
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
model = tf.keras.Sequential(
    [
        tf.keras.layers.Input((5,)),
        tf.keras.layers.Dense(12),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Activation("relu"),
        tf.keras.layers.Dense(12),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Activation("relu"),
        tf.keras.layers.Dense(1),
    ]
)
model.compile("adam", "mse")
h = model.fit(np.random.randn(32, 5), np.random.randn(32), batch_size=16, epochs=2, verbose=0)
print(h.history["loss"])

# %% batchnorm_written_by_hand
import tensorflow as tf

tf.random.set_seed(7)
W1, b1 = tf.Variable(tf.random.normal([4, 8])), tf.Variable(tf.zeros([8]))
gamma, beta = tf.Variable(tf.ones([8])), tf.Variable(tf.zeros([8]))
W2 = tf.Variable(tf.random.normal([8, 1]))
x, y = tf.random.normal([20, 4]), tf.random.normal([20, 1])
params = [W1, b1, gamma, beta, W2]
for _ in range(3):
    with tf.GradientTape() as tape:
        z = x @ W1 + b1
        mean, variance = tf.nn.moments(z, axes=[0])
        zn = tf.nn.batch_normalization(z, mean, variance, beta, gamma, 1e-3)
        loss = tf.reduce_mean((tf.nn.relu(zn) @ W2 - y) ** 2)
    for p, g in zip(params, tape.gradient(loss, params)):
        p.assign_sub(0.05 * g)
print(loss.numpy())

# %% unet_segmentation
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(8)


def get_model(img_size, num_classes):
    inputs = keras.Input(shape=img_size + (3,))
    x = layers.Conv2D(4, 3, strides=2, padding="same")(inputs)
    x = layers.BatchNormalization()(x)
    x = layers.Activation("relu")(x)
    previous = x
    for filters in [6, 8]:
        x = layers.Activation("relu")(x)
        x = layers.SeparableConv2D(filters, 3, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
        residual = layers.Conv2D(filters, 1, strides=2, padding="same")(previous)
        x = layers.add([x, residual])
        previous = x
    for filters in [8, 6, 4]:
        x = layers.Activation("relu")(x)
        x = layers.Conv2DTranspose(filters, 3, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.UpSampling2D(2)(x)
        residual = layers.Conv2D(filters, 1, padding="same")(layers.UpSampling2D(2)(previous))
        x = layers.add([x, residual])
        previous = x
    outputs = layers.Conv2D(num_classes, 3, activation="softmax", padding="same")(x)
    return keras.Model(inputs, outputs)


model = get_model((16, 16), 3)
model.compile(optimizer="rmsprop", loss="sparse_categorical_crossentropy")
model.fit(np.random.rand(4, 16, 16, 3), np.random.randint(0, 3, (4, 16, 16, 1)), batch_size=2, verbose=0)
print(model.count_params())

# %% dice_loss_small_unet
import tensorflow as tf

tf.keras.utils.set_random_seed(9)
L = tf.keras.layers
inp = L.Input((8, 8, 1))
c1 = L.Conv2D(4, 3, padding="same", activation="relu")(inp)
c2 = L.Conv2D(8, 3, padding="same", activation="relu")(L.MaxPool2D()(c1))
u1 = L.concatenate([L.UpSampling2D()(c2), c1])
out = L.Conv2D(1, 1, activation="sigmoid")(L.Conv2D(4, 3, padding="same", activation="relu")(u1))
net = tf.keras.Model(inp, out)


def dice(y, p, smooth=1.0):
    inter = tf.reduce_sum(y * p)
    return 1 - (2 * inter + smooth) / (tf.reduce_sum(y) + tf.reduce_sum(p) + smooth)


img = tf.random.uniform((3, 8, 8, 1))
seg = tf.cast(img > 0.6, tf.float32)
opt = tf.keras.optimizers.Adam(1e-3)
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = dice(seg, net(img))
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
print(loss.numpy())

# %% neural_style_transfer_gram
import tensorflow as tf

tf.keras.utils.set_random_seed(10)
L = tf.keras.layers
base_in = L.Input((12, 12, 3))
s1 = L.Conv2D(4, 3, padding="same", activation="relu", name="block1")(base_in)
s2 = L.Conv2D(6, 3, padding="same", activation="relu", name="block2")(L.AveragePooling2D(2)(s1))
extractor = tf.keras.Model(base_in, [s1, s2])
extractor.trainable = False


def gram_matrix(input_tensor):
    result = tf.linalg.einsum("bijc,bijd->bcd", input_tensor, input_tensor)
    num = tf.cast(input_tensor.shape[1] * input_tensor.shape[2], tf.float32)
    return result / num


content, style = tf.random.uniform((1, 12, 12, 3)), tf.random.uniform((1, 12, 12, 3))
style_targets = [gram_matrix(f) for f in extractor(style)]
content_target = extractor(content)[-1]
image = tf.Variable(content)
opt = tf.keras.optimizers.Adam(learning_rate=0.02, beta_1=0.99, epsilon=1e-1)
for n in range(3):
    with tf.GradientTape() as tape:
        feats = extractor(image)
        style_loss = tf.add_n([tf.reduce_mean((gram_matrix(f) - t) ** 2) for f, t in zip(feats, style_targets)])
        content_loss = tf.reduce_mean((feats[-1] - content_target) ** 2)
        loss = 10.0 * style_loss + 1e-1 * content_loss + 1e-3 * tf.reduce_sum(tf.image.total_variation(image))
    grad = tape.gradient(loss, image)
    opt.apply_gradients([(grad, image)])
    image.assign(tf.clip_by_value(image, clip_value_min=0.0, clip_value_max=1.0))
    print(loss.numpy())

# %% deepdream_octaves
import tensorflow as tf

tf.keras.utils.set_random_seed(11)
net = tf.keras.Sequential([tf.keras.layers.Input((None, None, 3)), tf.keras.layers.Conv2D(5, 3, activation="relu"), tf.keras.layers.Conv2D(5, 3, activation="relu")])


def calc_loss(img):
    layer_activations = net(tf.expand_dims(img, axis=0))
    return tf.reduce_sum([tf.math.reduce_mean(act) for act in layer_activations])


img = tf.random.uniform((14, 14, 3), -1, 1)
for octave in range(2):
    size = tf.cast(tf.cast(tf.shape(img)[:2], tf.float32) * 1.3**octave, tf.int32)
    img = tf.image.resize(img, size)
    for step in range(2):
        with tf.GradientTape() as tape:
            tape.watch(img)
            loss = calc_loss(img)
        gradients = tape.gradient(loss, img)
        gradients /= tf.math.reduce_std(gradients) + 1e-8
        img = tf.clip_by_value(img + gradients * 0.01, -1, 1)
print(loss.numpy(), img.shape)

# %% grad_cam_two_outputs
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(12)
inputs = keras.Input((10, 10, 3))
x = keras.layers.Conv2D(6, 3, activation="relu")(inputs)
x = keras.layers.Conv2D(6, 3, activation="relu", name="last_conv")(x)
x = keras.layers.GlobalAveragePooling2D()(x)
model = keras.Model(inputs, keras.layers.Dense(4)(x))
grad_model = keras.models.Model(model.inputs, [model.get_layer("last_conv").output, model.output])
img_array = np.random.rand(1, 10, 10, 3).astype("float32")
with tf.GradientTape() as tape:
    last_conv_layer_output, preds = grad_model(img_array)
    pred_index = tf.argmax(preds[0])
    class_channel = preds[:, pred_index]
grads = tape.gradient(class_channel, last_conv_layer_output)
pooled_grads = tf.reduce_mean(grads, axis=(0, 1, 2))
heatmap = last_conv_layer_output[0] @ pooled_grads[..., tf.newaxis]
heatmap = tf.squeeze(heatmap)
heatmap = tf.maximum(heatmap, 0) / (tf.math.reduce_max(heatmap) + 1e-8)
print(heatmap.numpy().shape)

# %% saliency_map
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(13)
clf = tf.keras.Sequential([tf.keras.layers.Conv2D(4, 3, activation="relu"), tf.keras.layers.Flatten(), tf.keras.layers.Dense(5, activation="softmax")])
image = tf.Variable(np.random.rand(1, 8, 8, 1).astype("f"))
with tf.GradientTape() as tape:
    pred = clf(image, training=False)
    top = np.argsort(pred.numpy().squeeze())[::-1]
    score = pred[0][top[0]]
sal = tf.reduce_max(tf.abs(tape.gradient(score, image)), axis=-1)[0]
print((sal.numpy() - sal.numpy().min()).max())

# %% integrated_gradients
import tensorflow as tf

tf.keras.utils.set_random_seed(14)
model = tf.keras.Sequential([tf.keras.layers.Input((6, 6, 1)), tf.keras.layers.Conv2D(3, 3, activation="relu"), tf.keras.layers.Flatten(), tf.keras.layers.Dense(3)])
image, baseline = tf.random.uniform((6, 6, 1)), tf.zeros((6, 6, 1))
alphas = tf.linspace(0.0, 1.0, 11)
a = alphas[:, tf.newaxis, tf.newaxis, tf.newaxis]
interpolated = baseline[None] + a * (image - baseline)[None]
with tf.GradientTape() as tape:
    tape.watch(interpolated)
    probs = tf.nn.softmax(model(interpolated), axis=-1)[:, 1]
path = tape.gradient(probs, interpolated)
avg = tf.reduce_mean((path[:-1] + path[1:]) / 2.0, axis=0)
attributions = (image - baseline) * avg
print(tf.reduce_sum(attributions).numpy())

# %% smoothgrad
import tensorflow as tf

tf.keras.utils.set_random_seed(15)
m = tf.keras.Sequential([tf.keras.layers.Dense(12, "relu"), tf.keras.layers.Dense(3)])
x = tf.random.normal([1, 7])
total = tf.zeros_like(x)
for k in range(5):
    noisy = x + 0.1 * tf.random.normal(x.shape)
    with tf.GradientTape() as tape:
        tape.watch(noisy)
        logit = m(noisy)[0, 2]
    total += tape.gradient(logit, noisy) ** 2
print((total / 5).numpy())

# %% fgsm_adversarial_example
import tensorflow as tf

tf.keras.utils.set_random_seed(16)
pretrained = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10, "relu"), tf.keras.layers.Dense(4, activation="softmax")])
pretrained.trainable = False
loss_object = tf.keras.losses.CategoricalCrossentropy()
image = tf.random.uniform((1, 6, 6, 3))
label = tf.reshape(tf.one_hot(2, 4), (1, 4))
with tf.GradientTape() as tape:
    tape.watch(image)
    prediction = pretrained(image)
    loss = loss_object(label, prediction)
signed_grad = tf.sign(tape.gradient(loss, image))
for eps in [0, 0.01, 0.1]:
    adv = tf.clip_by_value(image + eps * signed_grad, 0, 1)
    print(eps, pretrained(adv).numpy().argmax())

# %% pgd_attack_projected
import tensorflow as tf

tf.keras.utils.set_random_seed(17)
f = tf.keras.Sequential([tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(3)])
x, y = tf.random.uniform([4, 8]), tf.constant([0, 1, 2, 0])
adv = x + tf.random.uniform(x.shape, -0.03, 0.03)
for i in range(4):
    with tf.GradientTape() as g:
        g.watch(adv)
        ce = tf.reduce_sum(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=f(adv)))
    adv = adv + 0.01 * tf.sign(g.gradient(ce, adv))
    adv = tf.clip_by_value(adv, x - 0.03, x + 0.03)
print(float(tf.reduce_max(tf.abs(adv - x))))

# %% adversarial_training_loop
import tensorflow as tf

tf.keras.utils.set_random_seed(18)
clf = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(2)])
lossf = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
opt = tf.keras.optimizers.Adam(1e-2)
x, y = tf.random.normal([20, 3]), tf.random.uniform([20], 0, 2, tf.int32)
for _ in range(2):
    with tf.GradientTape() as t:
        t.watch(x)
        l = lossf(y, clf(x))
    delta = 0.1 * tf.sign(t.gradient(l, x))
    with tf.GradientTape() as tape:
        loss = 0.5 * lossf(y, clf(x)) + 0.5 * lossf(y, clf(x + delta))
    opt.apply_gradients(zip(tape.gradient(loss, clf.trainable_variables), clf.trainable_variables))
print(loss.numpy())

# %% deepfool_linearized
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(19)
net = tf.keras.Sequential([tf.keras.layers.Dense(10, "tanh"), tf.keras.layers.Dense(3)])
x = tf.Variable(np.random.randn(1, 5).astype("f"))
start = int(np.argmax(net(x)))
for _ in range(3):
    with tf.GradientTape() as tape:
        z = net(x)
    J = tape.jacobian(z, x)[0, :, 0, :].numpy()
    z = z.numpy()[0]
    others = [k for k in range(3) if k != start]
    dist = [abs(z[k] - z[start]) / np.linalg.norm(J[k] - J[start]) for k in others]
    k = others[int(np.argmin(dist))]
    w = J[k] - J[start]
    x.assign_add(((abs(z[k] - z[start]) + 1e-4) / np.linalg.norm(w) ** 2 * w)[None])
print(start, int(np.argmax(net(x))))

# %% transfer_learning_frozen_base
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(20)
base = tf.keras.Sequential([tf.keras.layers.Input((8, 8, 3)), tf.keras.layers.Conv2D(4, 3, activation="relu"), tf.keras.layers.BatchNormalization()])
base.trainable = False
inputs = tf.keras.Input((8, 8, 3))
x = base(inputs, training=False)
x = tf.keras.layers.Dropout(0.2)(tf.keras.layers.GlobalAveragePooling2D()(x))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(x))
model.compile(tf.keras.optimizers.Adam(1e-3), tf.keras.losses.BinaryCrossentropy(from_logits=True))
X, Y = np.random.rand(8, 8, 8, 3), np.random.randint(0, 2, 8)
model.fit(X, Y, epochs=1, verbose=0)
base.trainable = True
model.compile(tf.keras.optimizers.Adam(1e-5), tf.keras.losses.BinaryCrossentropy(from_logits=True))
print(model.fit(X, Y, epochs=1, verbose=0).history["loss"])

# %% knowledge_distillation
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(21)


class Distiller(keras.Model):
    def __init__(self, student, teacher):
        super().__init__()
        self.teacher, self.student = teacher, student

    def call(self, x):
        return self.student(x)

    def train_step(self, data):
        x, y = data
        teacher_predictions = self.teacher(x, training=False)
        with tf.GradientTape() as tape:
            student_predictions = self.student(x, training=True)
            student_loss = tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(y, student_predictions, from_logits=True))
            T = 3.0
            distillation = keras.losses.KLDivergence()(tf.nn.softmax(teacher_predictions / T, axis=1), tf.nn.softmax(student_predictions / T, axis=1))
            loss = 0.1 * student_loss + 0.9 * distillation * T**2
        grads = tape.gradient(loss, self.student.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.student.trainable_variables))
        return {"loss": loss}


teacher = keras.Sequential([keras.layers.Input((6,)), keras.layers.Dense(16, "relu"), keras.layers.Dense(3)])
student = keras.Sequential([keras.layers.Input((6,)), keras.layers.Dense(4, "relu"), keras.layers.Dense(3)])
d = Distiller(student, teacher)
d.compile(optimizer="adam")
d.fit(tf.random.normal([16, 6]), tf.random.uniform([16], 0, 3, tf.int32), batch_size=8, verbose=0)
print(len(student.trainable_variables))

# %% vgg_like_functional
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(22)
inputs = tf.keras.Input((16, 16, 3))
x = inputs
for filters, reps in [(4, 2), (6, 2), (8, 2)]:
    for _ in range(reps):
        x = tf.keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    x = tf.keras.layers.MaxPooling2D()(x)
x = tf.keras.layers.Dense(16, activation="relu")(tf.keras.layers.Flatten()(x))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(3, activation="softmax")(x))
model.compile("sgd", "categorical_crossentropy")
print(model.train_on_batch(np.random.rand(4, 16, 16, 3), np.eye(3)[[0, 1, 2, 0]]))

# %% inception_block
import tensorflow as tf
from tensorflow.keras import layers as L

tf.keras.utils.set_random_seed(23)
inp = L.Input((8, 8, 3))
b1 = L.Conv2D(2, 1, activation="relu", padding="same")(inp)
b2 = L.Conv2D(2, 3, activation="relu", padding="same")(L.Conv2D(2, 1, activation="relu")(inp))
b3 = L.Conv2D(2, 5, activation="relu", padding="same")(L.Conv2D(2, 1, activation="relu")(inp))
b4 = L.Conv2D(2, 1, activation="relu")(L.MaxPooling2D(3, strides=1, padding="same")(inp))
model = tf.keras.Model(inp, L.Dense(2)(L.GlobalAveragePooling2D()(L.Concatenate()([b1, b2, b3, b4]))))
x, y = tf.random.normal([4, 8, 8, 3]), tf.random.normal([4, 2])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.abs(model(x) - y))
grads = tape.gradient(loss, model.trainable_weights)
print(len(grads), loss.numpy())

# %% densenet_concat
import tensorflow as tf
from tensorflow.keras import layers as L

tf.keras.utils.set_random_seed(24)
x = inp = L.Input((8, 8, 2))
for _ in range(3):
    h = L.Conv2D(3, 3, padding="same", use_bias=False)(L.ReLU()(L.BatchNormalization()(x)))
    x = L.Concatenate()([x, h])
out = L.Dense(3)(L.GlobalAveragePooling2D()(x))
model = tf.keras.Model(inp, out)
model.compile(optimizer=tf.keras.optimizers.SGD(0.05), loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(tf.random.normal([6, 8, 8, 2]), tf.constant([0, 1, 2, 2, 1, 0]), epochs=2, batch_size=3, verbose=0)
print("ok")

# %% squeeze_excite_mobilenet
import tensorflow as tf
from tensorflow.keras import layers as L

tf.keras.utils.set_random_seed(25)


def se(x, ratio=2):
    c = x.shape[-1]
    w = L.Dense(c, activation="sigmoid")(L.Dense(c // ratio, activation="relu")(L.GlobalAveragePooling2D()(x)))
    return L.Multiply()([x, L.Reshape((1, 1, c))(w)])


def inverted(x, expand, out):
    h = L.Activation("swish")(L.BatchNormalization()(L.Conv2D(expand, 1, use_bias=False)(x)))
    h = L.Activation("swish")(L.BatchNormalization()(L.DepthwiseConv2D(3, padding="same", use_bias=False)(h)))
    h = L.BatchNormalization()(L.Conv2D(out, 1, use_bias=False)(se(h)))
    return L.Add()([x, h]) if x.shape[-1] == out else h


i = L.Input((8, 8, 4))
h = inverted(inverted(i, 8, 4), 8, 6)
net = tf.keras.Model(i, L.Dense(2)(L.GlobalAveragePooling2D()(h)))
opt = tf.keras.optimizers.Adam(1e-3)
for _ in range(2):
    with tf.GradientTape() as tape:
        out = net(tf.random.normal([4, 8, 8, 4]), training=True)
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=tf.one_hot([0, 1, 1, 0], 2), logits=out))
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
print(loss.numpy())

# %% vision_transformer
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(26)


class PatchEncoder(layers.Layer):
    def __init__(self, num_patches, dim):
        super().__init__()
        self.num_patches = num_patches
        self.projection = layers.Dense(dim)
        self.position_embedding = layers.Embedding(num_patches, dim)

    def call(self, patch):
        positions = tf.range(start=0, limit=self.num_patches, delta=1)
        return self.projection(patch) + self.position_embedding(positions)


inputs = keras.Input((8, 8, 3))
patches = layers.Reshape((16, 12))(inputs)
x = PatchEncoder(16, 8)(patches)
for _ in range(2):
    x1 = layers.LayerNormalization(epsilon=1e-6)(x)
    x2 = layers.Add()([layers.MultiHeadAttention(num_heads=2, key_dim=4)(x1, x1), x])
    x3 = layers.LayerNormalization(epsilon=1e-6)(x2)
    x3 = layers.Dense(8)(layers.Dense(16, activation=keras.activations.gelu)(x3))
    x = layers.Add()([x3, x2])
rep = layers.Flatten()(layers.LayerNormalization(epsilon=1e-6)(x))
model = keras.Model(inputs, layers.Dense(3)(rep))
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(tf.random.normal([8, 8, 8, 3]), tf.constant([0, 1, 2, 0, 1, 2, 0, 1]), batch_size=4, verbose=0)
print(model.count_params())

# %% mlp_mixer
import tensorflow as tf
from tensorflow.keras import layers as L

tf.keras.utils.set_random_seed(27)


class MixerBlock(L.Layer):
    def __init__(self, patches, dim):
        super().__init__()
        self.n1, self.n2 = L.LayerNormalization(), L.LayerNormalization()
        self.tok = tf.keras.Sequential([L.Dense(8, activation="gelu"), L.Dense(patches)])
        self.ch = tf.keras.Sequential([L.Dense(8, activation="gelu"), L.Dense(dim)])

    def call(self, x):
        y = tf.transpose(self.tok(tf.transpose(self.n1(x), [0, 2, 1])), [0, 2, 1])
        x = x + y
        return x + self.ch(self.n2(x))


net = tf.keras.Sequential([L.Dense(6), MixerBlock(4, 6), MixerBlock(4, 6), L.GlobalAveragePooling1D(), L.Dense(2)])
x, y = tf.random.normal([5, 4, 9]), tf.constant([0, 1, 0, 1, 1])
opt = tf.keras.optimizers.AdamW(1e-3)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=net(x)))
grads = tape.gradient(loss, net.trainable_variables)
opt.apply_gradients(zip(grads, net.trainable_variables))
print(loss.numpy())

# %% capsule_routing
import tensorflow as tf

tf.random.set_seed(28)


def squash(s, axis=-1, eps=1e-7):
    sq = tf.reduce_sum(tf.square(s), axis=axis, keepdims=True)
    return sq / (1 + sq) * s / tf.sqrt(sq + eps)


W = tf.Variable(tf.random.normal([1, 6, 3, 4, 5], stddev=0.1))
u = tf.random.normal([2, 6, 5])
y = tf.one_hot([0, 2], 3)
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(2):
    with tf.GradientTape() as tape:
        u_hat = tf.squeeze(tf.matmul(W, tf.tile(u[:, :, None, :, None], [1, 1, 3, 1, 1])), -1)
        b = tf.zeros([2, 6, 3, 1])
        for r in range(3):
            c = tf.nn.softmax(b, axis=2)
            v = squash(tf.reduce_sum(c * u_hat, axis=1, keepdims=True))
            if r < 2:
                b += tf.reduce_sum(u_hat * v, -1, keepdims=True)
        length = tf.sqrt(tf.reduce_sum(tf.square(v[:, 0]), -1) + 1e-9)
        loss = tf.reduce_mean(tf.reduce_sum(y * tf.maximum(0.0, 0.9 - length) ** 2 + 0.5 * (1 - y) * tf.maximum(0.0, length - 0.1) ** 2, 1))
    opt.apply_gradients([(tape.gradient(loss, W), W)])
print(loss.numpy())

# %% spatial_transformer_bilinear
import tensorflow as tf

tf.random.set_seed(29)
img = tf.random.uniform([1, 9, 9])
theta = tf.Variable([[1.0, 0.05, 0.1], [-0.05, 1.0, -0.1]])
gx, gy = tf.meshgrid(tf.linspace(-0.8, 0.8, 6), tf.linspace(-0.8, 0.8, 6))
grid = tf.stack([tf.reshape(gx, [-1]), tf.reshape(gy, [-1]), tf.ones(36)])
goal = tf.random.uniform([36])
for _ in range(3):
    with tf.GradientTape() as tape:
        x, y = tf.unstack((theta @ grid + 1) * 4.0)
        x, y = tf.clip_by_value(x, 0.0, 7.99), tf.clip_by_value(y, 0.0, 7.99)
        x0, y0 = tf.floor(x), tf.floor(y)
        ix, iy = tf.cast(x0, tf.int32), tf.cast(y0, tf.int32)
        fx, fy = x - x0, y - y0
        at = lambda dy, dx: tf.gather_nd(img[0], tf.stack([iy + dy, ix + dx], 1))
        out = (1 - fy) * ((1 - fx) * at(0, 0) + fx * at(0, 1)) + fy * ((1 - fx) * at(1, 0) + fx * at(1, 1))
        loss = tf.reduce_mean((out - goal) ** 2)
    theta.assign_sub(0.01 * tape.gradient(loss, theta))
print(loss.numpy())

# %% super_resolution_depth_to_space
import tensorflow as tf

tf.keras.utils.set_random_seed(30)
inp = tf.keras.Input((6, 6, 1))
x = tf.keras.layers.Conv2D(8, 5, padding="same", activation="relu")(inp)
x = tf.keras.layers.Conv2D(4, 3, padding="same", activation="relu")(x)
out = tf.keras.layers.Lambda(lambda t: tf.nn.depth_to_space(t, 2))(x)
m = tf.keras.Model(inp, out)
hi = tf.random.uniform([4, 12, 12, 1])
lo = tf.image.resize(hi, [6, 6])
opt = tf.keras.optimizers.Adam(1e-3)
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((hi - m(lo)) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, m.trainable_weights), m.trainable_weights))
print(tf.image.psnr(hi, m(lo), 1.0).numpy().mean())

# %% object_detection_box_loss
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(31)
backbone = tf.keras.Sequential([tf.keras.layers.Conv2D(4, 3, strides=2, activation="relu"), tf.keras.layers.Flatten(), tf.keras.layers.Dense(16, "relu")])
cls_head, box_head = tf.keras.layers.Dense(3), tf.keras.layers.Dense(4, activation="sigmoid")
imgs = np.random.rand(6, 8, 8, 3).astype("f")
boxes = np.sort(np.random.rand(6, 2, 2), axis=1).reshape(6, 4).astype("f")
labels = np.random.randint(0, 3, 6)
opt = tf.keras.optimizers.Adam(1e-3)


def giou_like(b, p):
    x1, y1 = tf.maximum(b[:, 0], p[:, 0]), tf.maximum(b[:, 1], p[:, 1])
    x2, y2 = tf.minimum(b[:, 2], p[:, 2]), tf.minimum(b[:, 3], p[:, 3])
    inter = tf.maximum(x2 - x1, 0) * tf.maximum(y2 - y1, 0)
    union = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1]) + tf.abs((p[:, 2] - p[:, 0]) * (p[:, 3] - p[:, 1])) - inter
    return 1 - inter / (union + 1e-6)


for _ in range(2):
    with tf.GradientTape() as tape:
        f = backbone(imgs)
        cls = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=cls_head(f))
        p = box_head(f)
        loss = tf.reduce_mean(cls + giou_like(boxes, p) + tf.reduce_sum(tf.abs(boxes - p), -1))
    vs = backbone.trainable_variables + cls_head.trainable_variables + box_head.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% focal_loss_anchor_mask
import tensorflow as tf

tf.random.set_seed(32)
w = tf.Variable(tf.random.normal([10, 4], stddev=0.1))
feats = tf.random.normal([30, 10])
lab = tf.one_hot(tf.random.uniform([30], 0, 4, tf.int32), 4)
ignore = tf.cast(tf.random.uniform([30]) > 0.2, tf.float32)
for _ in range(3):
    with tf.GradientTape() as tape:
        p = tf.nn.sigmoid(feats @ w)
        pt = tf.where(tf.equal(lab, 1.0), p, 1 - p)
        a = tf.where(tf.equal(lab, 1.0), 0.25, 0.75)
        fl = -a * tf.pow(1 - pt, 2.0) * tf.math.log(pt + 1e-7)
        loss = tf.reduce_sum(tf.reduce_sum(fl, 1) * ignore) / tf.reduce_sum(ignore)
    w.assign_sub(tape.gradient(loss, w))
print(loss.numpy())

# %% facial_keypoints_wing
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(33)
net = tf.keras.Sequential([tf.keras.layers.Conv2D(4, 3, activation="elu", input_shape=(8, 8, 1)), tf.keras.layers.AveragePooling2D(2), tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])


def wing(y, p, w=0.5, e=0.1):
    d = tf.abs(y - p)
    c = w - w * np.log(1 + w / e)
    return tf.reduce_mean(tf.where(d < w, w * tf.math.log(1 + d / e), d - c))


net.compile(tf.keras.optimizers.Adam(1e-3), loss=wing)
net.fit(np.random.rand(8, 8, 8, 1), np.random.rand(8, 10).astype("f"), epochs=2, batch_size=4, verbose=0)
print("done")

# %% mixup_and_label_smoothing
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(34)
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(12, "relu"), tf.keras.layers.Dense(3)])
cce = tf.keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1)
opt = tf.keras.optimizers.SGD(tf.keras.optimizers.schedules.CosineDecay(0.1, 10))
x, y = np.random.rand(12, 5, 5).astype("f"), np.eye(3, dtype="f")[np.random.randint(0, 3, 12)]
for _ in range(3):
    lam = np.random.beta(0.4, 0.4)
    idx = np.random.permutation(12)
    with tf.GradientTape() as tape:
        loss = cce(lam * y + (1 - lam) * y[idx], model(lam * x + (1 - lam) * x[idx], training=True))
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
print(loss.numpy())

# %% group_norm_weight_standardization
import tensorflow as tf

tf.keras.utils.set_random_seed(35)
kernel = tf.Variable(tf.random.normal([3, 3, 3, 8], stddev=0.2))
gn = tf.keras.layers.GroupNormalization(groups=4)
head = tf.keras.layers.Dense(2)
x, y = tf.random.normal([4, 6, 6, 3]), tf.constant([0, 1, 1, 0])
opt = tf.keras.optimizers.Adam(1e-3)
for _ in range(2):
    with tf.GradientTape() as tape:
        m, v = tf.nn.moments(kernel, [0, 1, 2], keepdims=True)
        k = (kernel - m) / tf.sqrt(v + 1e-5)
        h = tf.nn.relu(gn(tf.nn.conv2d(x, k, 1, "SAME")))
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=head(tf.reduce_mean(h, [1, 2]))))
    vs = [kernel, *gn.trainable_variables, *head.trainable_variables]
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% activation_maximization_filter
import tensorflow as tf

tf.keras.utils.set_random_seed(36)
net = tf.keras.Sequential([tf.keras.layers.Input((10, 10, 3)), tf.keras.layers.Conv2D(4, 3, activation="relu"), tf.keras.layers.Conv2D(4, 3)])
fe = tf.keras.Model(net.inputs, net.layers[0].output)
img = (tf.random.uniform((1, 10, 10, 3)) - 0.5) * 0.25
for it in range(3):
    with tf.GradientTape() as tape:
        tape.watch(img)
        act = fe(img)
        loss = tf.reduce_mean(act[:, 1:-1, 1:-1, 2])
    grads = tf.math.l2_normalize(tape.gradient(loss, img))
    img += 1.0 * grads
print(loss.numpy())

# %% counterfactual_image_optimization
import tensorflow as tf

tf.keras.utils.set_random_seed(37)
clf = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(6, "softplus"), tf.keras.layers.Dense(2)])
orig = tf.random.uniform([1, 5, 5])
delta = tf.Variable(tf.random.normal([1, 5, 5], stddev=0.01))
opt = tf.keras.optimizers.Adam(0.05)
for _ in range(4):
    with tf.GradientTape() as tape:
        logits = clf(orig + delta)
        loss = tf.nn.relu(logits[0, 0] - logits[0, 1] + 5.0) + 0.1 * tf.reduce_sum(tf.abs(delta)) + 0.1 * tf.reduce_sum(delta**2)
    opt.apply_gradients([(tape.gradient(loss, delta), delta)])
print(loss.numpy())
