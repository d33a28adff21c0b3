"""Training with Keras: `compile`, `fit`, `evaluate` and `predict`, built around the training loop that users would otherwise
write themselves.

    `steps`               one batch: `train_step`, a few lines around a tape, and its metrics
    `trainer`             the loops over batches and epochs
    `batches`             batches from any data that `fit` accepts
    `outputs`             the target, loss and metrics of each output of a model
    `compiled_metrics`    the losses and metrics of `compile`
    `callback`            the base class of callbacks
    `callback_list`       calls all callbacks of a run
    `monitoring`          callbacks that monitor a metric: stop early, reduce the learning rate
    `learning_rate`       callbacks that set the learning rate, or stop at NaN
    `checkpointing`       callbacks that write files
    `saving`              saves and loads weights
    `model_io`            the methods of a model that save its weights and print its summary
    `summary`             the table of a model's layers
    `progress`            the progress bar in a terminal, or lines in a pipe

Read steps.py first.
"""
