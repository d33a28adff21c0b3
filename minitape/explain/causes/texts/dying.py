"""The texts of the causes dead-relu and saturated, for units that an update killed because it was too large."""

from minitape.explain.causes.texts import Template

# Follows the explanation of the dead or saturated unit.
RELU_DIED = Template(
    "Before the update on line {line}, some inputs were above 0 (up to {high}). That one step changed the largest "
    "absolute value of {variable} from {before} to {after}, and the units never recover."
)
SIGMOID_DIED = Template(
    "Before the update on line {line}, the inputs were no larger than {size}. That one step changed the largest "
    "absolute value of {variable} from {before} to {after}, and the units never recover."
)
RELU_SWUNG = Template(
    "Before the update on line {line}, some inputs were above 0 (up to {high}). That one step moved all of them below 0, "
    "and the units never recover."
)
SMALLER_STEPS = (
    "use a smaller learning rate, such as a hundredth of the current one; or use `tf.keras.optimizers.Adam`, whose steps "
    "stay small"
)
SCALE_DATA = Template(
    "scale the data (here, {sizes}), each column separately: `x = (x - x.mean(axis=0)) / x.std(axis=0)` for an array "
    "`x`; scale the targets too, and scale the predictions back; then use a learning rate of about 0.01 to 0.1, because "
    "the old rate may be too small for scaled data"
)
INPUTS = Template("inputs up to {size}")
TARGETS = Template("targets up to {size}")
