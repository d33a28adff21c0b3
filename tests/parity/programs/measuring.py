"""Metrics: results and memory after several batches, with weights; the functions; names; what is refused."""

from typing import Any

from programs.case import Program, table

_BITS = [[1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0]]
_SHARES = [[0.8, 0.3, 0.6], [0.2, 0.7, 0.9], [0.5, 0.1, 0.45]]
_ROWS = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
_FAR = [[1.2, 0.0, -3.0], [0.5, 2.5, 1.0], [0.0, 1.0, 2.0]]
_COLUMN = [[1.0], [0.0], [1.0]]
_CHANCES = [[0.7], [0.4], [0.2]]
_CLASSES = [1, 2, 0]
_MASK = [[0, 1, 1], [2, 0, 1]]
_OTHER = [[0, 1, 2], [2, 2, 1]]

# Each with a truth, predictions, and settings.
METRICS: dict[str, tuple[str, Any, Any, dict[str, Any]]] = {
    "accuracy": ("Accuracy", [[1], [2], [3]], [[1], [0], [3]], {}),
    "binary_accuracy": ("BinaryAccuracy", _BITS, _SHARES, {}),
    "binary_accuracy_of_a_column": ("BinaryAccuracy", _COLUMN, _CHANCES, {"threshold": 0.3}),
    "categorical_accuracy": ("CategoricalAccuracy", _ROWS, _SHARES, {}),
    "sparse_accuracy": ("SparseCategoricalAccuracy", _CLASSES, _SHARES, {}),
    "sparse_accuracy_of_a_column": ("SparseCategoricalAccuracy", [[1], [2], [0]], _SHARES, {}),
    "top_k": ("TopKCategoricalAccuracy", _ROWS, _SHARES, {"k": 2}),
    "sparse_top_k": ("SparseTopKCategoricalAccuracy", _CLASSES, _SHARES, {"k": 2}),
    "mse": ("MeanSquaredError", _BITS, _FAR, {}),
    "rmse": ("RootMeanSquaredError", _BITS, _FAR, {}),
    "mae": ("MeanAbsoluteError", _BITS, _FAR, {}),
    "mape": ("MeanAbsolutePercentageError", _BITS, _SHARES, {}),
    "msle": ("MeanSquaredLogarithmicError", _BITS, _SHARES, {}),
    "cosine": ("CosineSimilarity", _BITS, _FAR, {}),
    "log_cosh": ("LogCoshError", _BITS, _FAR, {}),
    "binary_crossentropy": ("BinaryCrossentropy", _BITS, _SHARES, {"label_smoothing": 0.1}),
    "binary_of_logits": ("BinaryCrossentropy", _BITS, _FAR, {"from_logits": True}),
    "categorical_crossentropy": ("CategoricalCrossentropy", _ROWS, _SHARES, {}),
    "sparse_crossentropy": ("SparseCategoricalCrossentropy", _CLASSES, _FAR, {"from_logits": True}),
    "kl": ("KLDivergence", _SHARES, _SHARES[::-1], {}),
    "poisson": ("Poisson", _BITS, _SHARES, {}),
    "hinge": ("Hinge", _BITS, _FAR, {}),
    "squared_hinge": ("SquaredHinge", _BITS, _FAR, {}),
    "categorical_hinge": ("CategoricalHinge", _ROWS, _FAR, {}),
    "pearson": ("PearsonCorrelation", _SHARES, _FAR, {}),
    "pearson_along_columns": ("PearsonCorrelation", _SHARES, _FAR, {"axis": 0}),
    "concordance": ("ConcordanceCorrelation", _SHARES, _FAR, {}),
    "r2": ("R2Score", _FAR, _SHARES, {}),
    "r2_of_each": ("R2Score", _FAR, _SHARES, {"class_aggregation": None}),
    "r2_by_variance": (
        "R2Score",
        _FAR,
        _SHARES,
        {"class_aggregation": "variance_weighted_average"},
    ),
    "r2_adjusted": ("R2Score", _FAR, _SHARES, {"num_regressors": 2}),
    "true_positives": ("TruePositives", _BITS, _SHARES, {}),
    "false_positives": ("FalsePositives", _BITS, _SHARES, {"thresholds": [0.25, 0.65]}),
    "true_negatives": ("TrueNegatives", _BITS, _SHARES, {"thresholds": 0.3}),
    "false_negatives": ("FalseNegatives", _COLUMN, _CHANCES, {"thresholds": [0.0, 0.5, 1.0]}),
    "precision": ("Precision", _BITS, _SHARES, {}),
    "precision_at_several": ("Precision", _BITS, _SHARES, {"thresholds": [0.0, 0.5, 0.75]}),
    "precision_of_the_largest": ("Precision", _BITS, _SHARES, {"top_k": 2}),
    "precision_of_a_class": ("Precision", _BITS, _SHARES, {"class_id": 1}),
    "recall": ("Recall", _BITS, _SHARES, {}),
    "recall_of_both": ("Recall", _BITS, _SHARES, {"top_k": 2, "class_id": 2}),
    "sensitivity": ("SensitivityAtSpecificity", _COLUMN, _CHANCES, {"specificity": 0.5}),
    "specificity": (
        "SpecificityAtSensitivity",
        _BITS,
        _SHARES,
        {"sensitivity": 0.4, "num_thresholds": 5},
    ),
    "precision_at_recall": ("PrecisionAtRecall", _BITS, _SHARES, {"recall": 0.8}),
    "recall_at_precision": (
        "RecallAtPrecision",
        _BITS,
        _SHARES,
        {"precision": 0.6, "num_thresholds": 1},
    ),
    "auc": ("AUC", _BITS, _SHARES, {}),
    "auc_of_few_thresholds": ("AUC", _BITS, _SHARES, {"num_thresholds": 4}),
    "auc_of_own_thresholds": ("AUC", _BITS, _SHARES, {"thresholds": [0.4, 0.9, 0.25]}),
    "auc_pr": ("AUC", _BITS, _SHARES, {"curve": "PR"}),
    "auc_pr_from_above": ("AUC", _BITS, _SHARES, {"curve": "PR", "summation_method": "majoring"}),
    "auc_from_below": ("AUC", _BITS, _SHARES, {"summation_method": "minoring"}),
    "auc_of_logits": ("AUC", _BITS, _FAR, {"from_logits": True}),
    "auc_of_labels": ("AUC", _BITS, _SHARES, {"multi_label": True}),
    "auc_of_labels_pr": (
        "AUC",
        _BITS,
        _SHARES,
        {"multi_label": True, "num_labels": 3, "curve": "PR", "label_weights": [1.0, 2.0, 0.5]},
    ),
    "auc_with_label_weights": ("AUC", _BITS, _SHARES, {"label_weights": [1.0, 2.0, 0.5]}),
    "f1": ("F1Score", _ROWS, _SHARES, {}),
    "f1_macro": ("F1Score", _BITS, _SHARES, {"average": "macro", "threshold": 0.4}),
    "f1_micro": ("F1Score", _BITS, _SHARES, {"average": "micro", "threshold": 0.4}),
    "fbeta_weighted": ("FBetaScore", _BITS, _SHARES, {"average": "weighted", "beta": 2.0}),
    "iou": ("IoU", _MASK, _OTHER, {"num_classes": 3, "target_class_ids": [0, 2]}),
    "mean_iou": ("MeanIoU", _MASK, _OTHER, {"num_classes": 4}),
    "mean_iou_ignoring": ("MeanIoU", _MASK, _OTHER, {"num_classes": 3, "ignore_class": 0}),
    "mean_iou_of_shares": (
        "MeanIoU",
        _CLASSES,
        _SHARES,
        {"num_classes": 3, "sparse_y_pred": False},
    ),
    "binary_iou": ("BinaryIoU", [[1, 0, 1]], [[0.6, 0.5, 0.2]], {}),
    "binary_iou_of_one": ("BinaryIoU", [1, 0, 1], [0.6, 0.1, 0.2], {"target_class_ids": [1]}),
    "one_hot_iou": ("OneHotIoU", _ROWS, _SHARES, {"num_classes": 3, "target_class_ids": [0]}),
    "one_hot_mean_iou": ("OneHotMeanIoU", _ROWS, _SHARES, {"num_classes": 3}),
}


def _several(kind: str, truth: Any, prediction: Any, settings: dict[str, Any]) -> Program:
    """A batch, the same in another order, then anew; the result each time, and the memory."""

    def program(tf: Any, np: Any) -> Any:
        metric = getattr(tf.keras.metrics, kind)(**settings)
        y, x = tf.constant(truth), tf.constant(prediction)
        # Times one: of several thresholds Keras gives its variable itself, and not what it was.
        seen = [metric(y, x) * 1.0]
        metric.update_state(y, x[::-1])
        seen += [metric.result() * 1.0, [each.numpy() for each in metric.variables]]
        metric.reset_state()
        kept = [
            float(tf.reduce_sum(tf.abs(tf.cast(v.numpy(), tf.float32)))) for v in metric.variables
        ]
        return [seen, kept, metric(y, x) * 1.0]

    return program


def _weighted(kind: str, weights: Any) -> Program:
    _, truth, prediction, settings = METRICS[kind]
    name = METRICS[kind][0]

    def program(tf: Any, np: Any) -> Any:
        metric = getattr(tf.keras.metrics, name)(**settings)
        given = np.array(weights, np.float32)
        first = metric(tf.constant(truth), tf.constant(prediction), sample_weight=given)
        return [first * 1.0, [each.numpy() for each in metric.variables]]

    return program


_THREE = [0.5, 2.0, 0.0]
WEIGHED = (
    *("accuracy", "binary_accuracy", "categorical_accuracy", "sparse_accuracy", "top_k", "mse"),
    *("rmse", "cosine", "binary_crossentropy", "sparse_crossentropy", "hinge", "r2", "precision"),
    *("recall", "true_positives", "auc", "auc_of_labels", "f1", "f1_micro", "sensitivity"),
    *("precision_of_a_class", "false_negatives"),
)


def _mean(kind: str, *batches: Any) -> Program:
    def program(tf: Any, np: Any) -> Any:
        metric = getattr(tf.keras.metrics, kind)()
        for batch in batches:
            metric.update_state(*(batch if isinstance(batch, tuple) else (batch,)))
        return [metric.result(), [each.numpy() for each in metric.variables]]

    return program


MEANS = {
    "numbers": (1.0, 2.0, 6.0),
    "vectors": ([1.0, 2.0], [6.0]),
    "tables": ([[1.0, 2.0], [3.0, 4.0]], [[5.0, 7.0]]),
    "weighted_vectors": (([1.0, 2.0], [0.5, 1.5]), ([3.0], [0.0])),
    "weighted_tables": (([[1.0, 2.0], [3.0, 4.0]], [1.0, 3.0]),),
    "weighted_columns": (([[1.0], [3.0]], [1.0, 3.0]),),
    "weighted_each": (([[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.0], [2.0, 1.0]]),),
    "weighted_by_one": (([1.0, 2.0], 0.5),),
    "ints": ([1, 2, 4],),
    "weights_of_zero": (([1.0, 2.0], [0.0, 0.0]),),
    "nothing": (),
}


def masked_means(tf: Any, np: Any) -> Any:
    y = tf.constant(_FAR) * 1.0
    y._keras_mask = tf.constant([True, False, True])
    metric = tf.keras.metrics.MeanSquaredError()
    return [metric(tf.constant(_BITS), y), [each.numpy() for each in metric.variables]]


def wrapped(tf: Any, np: Any) -> Any:
    def far(y_true: Any, y_pred: Any, power: float = 1.0) -> Any:
        return tf.abs(y_true - y_pred) ** power

    metric = tf.keras.metrics.MeanMetricWrapper(far, name="far", power=3.0)
    return [metric(tf.constant(_BITS), tf.constant(_FAR)), metric.name, metric.dtype]


def of_ones_own(tf: Any, np: Any) -> Any:
    class Count(tf.keras.metrics.Metric):
        def __init__(self, name: str = "count", **settings: Any) -> None:
            super().__init__(name=name, **settings)
            self.seen = self.add_weight(name="seen", shape=(), initializer="zeros")
            self.table = self.add_variable((2, 2), "ones", name="table")
            self.mean = tf.keras.metrics.Mean()

        def update_state(self, values: Any, sample_weight: Any = None) -> None:
            self.seen.assign_add(tf.cast(tf.size(values), tf.float32))
            self.mean.update_state(values)

        def result(self) -> Any:
            return self.seen * 1.0

    metric = Count()
    metric.update_state([1.0, 2.0])
    seen = [metric([3.0]), len(metric.variables), metric.name, metric.dtype]
    metric.reset_state()
    return [*seen, metric.result(), [each.numpy() for each in metric.variables]]


def got_by_name(tf: Any, np: Any) -> Any:
    get = tf.keras.metrics.get
    kinds = ["mse", "AUC", "auc", "binary_accuracy", "MeanIoU", "bce", "Precision"]
    kinds = [each for each in kinds if each != "MeanIoU"]
    own = tf.keras.metrics.Recall()
    return [[type(get(each)).__name__ for each in kinds], get(own) is own, get(None)]


def configs_come_back(tf: Any, np: Any) -> Any:
    kinds = tf.keras.metrics
    made = [
        kinds.Precision(thresholds=[0.25, 0.5], top_k=2, name="p"),
        kinds.MeanIoU(3),
        kinds.BinaryAccuracy(threshold=0.25),
        kinds.TopKCategoricalAccuracy(3),
        kinds.F1Score("macro"),
        kinds.SensitivityAtSpecificity(0.5, 7),
        kinds.AUC(50, "PR", name="a"),
    ]
    found = []
    for each in made:
        config = type(each).from_config(each.get_config()).get_config()
        found.append({key: config[key] for key in sorted(config) if key not in ("name", "dtype")})
    return found


def names(tf: Any, np: Any) -> Any:
    tf.keras.backend.clear_session()
    kinds = tf.keras.metrics
    made = [kinds.Mean(), kinds.AUC(), kinds.AUC(), kinds.MeanSquaredError(), kinds.Precision()]
    return [[each.name for each in made], [v.path for v in made[3].variables], str(made[0])]


FUNCTIONS = {
    "binary_accuracy_function": lambda tf, np: tf.keras.metrics.binary_accuracy(
        tf.constant(_BITS), tf.constant(_SHARES), threshold=0.4
    ),
    "categorical_accuracy_function": lambda tf, np: tf.keras.metrics.categorical_accuracy(
        tf.constant(_ROWS), tf.constant(_SHARES)
    ),
    "sparse_accuracy_function": lambda tf, np: tf.keras.metrics.sparse_categorical_accuracy(
        tf.constant(_CLASSES), tf.constant(_SHARES)
    ),
    "sparse_accuracy_of_pixels": lambda tf, np: tf.keras.metrics.sparse_categorical_accuracy(
        tf.constant([[1, 2, 0]]), tf.constant([_SHARES])
    ),
    "top_k_function": lambda tf, np: tf.keras.metrics.top_k_categorical_accuracy(
        tf.constant(_ROWS), tf.constant(_SHARES), k=1
    ),
    "sparse_top_k_function": lambda tf, np: tf.keras.metrics.sparse_top_k_categorical_accuracy(
        tf.constant(_CLASSES), tf.constant(_SHARES), k=2
    ),
    "sparse_top_k_of_pixels": lambda tf, np: tf.keras.metrics.sparse_top_k_categorical_accuracy(
        tf.constant([[1, 2, 0]]), tf.constant([_SHARES]), k=2
    ),
    "sparse_top_k_of_ids": lambda tf, np: tf.keras.metrics.sparse_top_k_categorical_accuracy(
        tf.constant([1, 2]), tf.constant([[0, 1, 2], [1, 0, 2]]), 2, from_sorted_ids=True
    ),
    "pearson_function": lambda tf, np: tf.keras.metrics.pearson_correlation(
        tf.constant(_SHARES), tf.constant(_FAR)
    ),
    "concordance_function": lambda tf, np: tf.keras.metrics.concordance_correlation(
        tf.constant(_SHARES), tf.constant(_FAR), axis=0
    ),
    "the_losses_functions": lambda tf, np: [
        tf.keras.metrics.mse(_BITS, _FAR),
        tf.keras.metrics.huber(_BITS, _FAR),
        tf.keras.metrics.KLD(_SHARES, _SHARES[::-1]),
    ],
}

_Y, _X = [[1.0, 0.0]], [[0.5, 0.2]]

REFUSED = {
    "threshold": lambda tf, np: tf.keras.metrics.Precision(thresholds=1.5),
    "thresholds": lambda tf, np: tf.keras.metrics.TruePositives(thresholds=[0.5, -0.1]),
    "keyword": lambda tf, np: tf.keras.metrics.Mean(weight=1),
    "class_of_a_vector": lambda tf, np: tf.keras.metrics.Recall(class_id=0)([1.0], [0.5]),
    "specificity": lambda tf, np: tf.keras.metrics.SensitivityAtSpecificity(1.5),
    "no_thresholds": lambda tf, np: tf.keras.metrics.PrecisionAtRecall(0.5, num_thresholds=0),
    "one_threshold": lambda tf, np: tf.keras.metrics.AUC(num_thresholds=1),
    "curve": lambda tf, np: tf.keras.metrics.AUC(curve="round"),
    "summation": lambda tf, np: tf.keras.metrics.AUC(summation_method="all"),
    "labels_alone": lambda tf, np: tf.keras.metrics.AUC(num_labels=3),
    "labels_of_a_vector": lambda tf, np: tf.keras.metrics.AUC(multi_label=True)(
        tf.constant([1.0]), tf.constant([0.5])
    ),
    "average": lambda tf, np: tf.keras.metrics.F1Score(average="mean"),
    "beta": lambda tf, np: tf.keras.metrics.FBetaScore(beta=1),
    "beta_zero": lambda tf, np: tf.keras.metrics.FBetaScore(beta=0.0),
    "f_threshold": lambda tf, np: tf.keras.metrics.F1Score(threshold=2.0),
    "f_of_vectors": lambda tf, np: tf.keras.metrics.F1Score()([1.0, 0.0], [0.5, 0.2]),
    "r2_aggregation": lambda tf, np: tf.keras.metrics.R2Score(class_aggregation="mean"),
    "r2_regressors": lambda tf, np: tf.keras.metrics.R2Score(num_regressors=-1),
    "r2_of_vectors": lambda tf, np: tf.keras.metrics.R2Score()([1.0, 0.0], [0.5, 0.2]),
    "target_class": lambda tf, np: tf.keras.metrics.IoU(num_classes=2, target_class_ids=[2]),
    "get_of_no_name": lambda tf, np: tf.keras.metrics.get("meanness"),
    "get_of_a_number": lambda tf, np: tf.keras.metrics.get(3),
    "base_class": lambda tf, np: tf.keras.metrics.Metric()(1.0),
    "base_result": lambda tf, np: tf.keras.metrics.Metric().result(),
    "other_shapes": lambda tf, np: tf.keras.metrics.MeanSquaredError()(
        tf.constant([[1.0, 2.0]]), tf.constant([[1.0, 2.0, 3.0]])
    ),
}

TABLE = table(
    {
        **{name: _several(*about) for name, about in METRICS.items()},
        **{f"{name}_weighted": _weighted(name, _THREE) for name in WEIGHED},
        **{f"mean_of_{name}": _mean("Mean", *batches) for name, batches in MEANS.items()},
        **{f"sum_of_{name}": _mean("Sum", *batches) for name, batches in MEANS.items()},
        **FUNCTIONS,
        **{f"refused_{name}": program for name, program in REFUSED.items()},
    }
)
