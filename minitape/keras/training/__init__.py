"""Training by Keras: `compile`, `fit`, `evaluate` and `predict`, from the loop that one writes by hand.

    steps        one batch: train_step, a few lines around a tape; and what it measures
    trainer      the loops over batches and epochs
    batches      whatever `fit` is given, as batches
    outputs      which target, loss and metric belongs to which output of a model
    measuring    what `compile` was told of losses and metrics, made ready
    callback     those who are told, and what they are told; callback_list tells them
    watching     callbacks that act on a number: stop, make steps shorter
    steering     callbacks that act by themselves
    keeping      callbacks that write files
    saving       weights in a file and back; kept is what a model has of this, and of
    summary      the table of its layers
    progress     the bar in a terminal, the lines in a pipe

Read steps.py first.
"""
