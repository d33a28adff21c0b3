"""The table of a model, line for line as Keras draws it in a pipe of 80 columns."""

from pathlib import Path

import pytest

from minitape import keras

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    keras.backend.clear_session()


def printed(model: keras.Model, **settings: object) -> str:
    texts: list[str] = []
    model.summary(print_fn=texts.append, **settings)
    assert len(texts) == 1, "as Keras, the whole text in one call"
    return texts[0]


def test_layers_in_a_line() -> None:
    model = keras.Sequential(
        [keras.Input((4,)), keras.layers.Dense(3), keras.layers.BatchNormalization()]
    )
    assert printed(model) == (
        'Model: "sequential"\n'
        "┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓\n"
        "┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃\n"
        "┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩\n"
        "│ dense (Dense)                   │ (None, 3)              │            15 │\n"
        "├─────────────────────────────────┼────────────────────────┼───────────────┤\n"
        "│ batch_normalization             │ (None, 3)              │            12 │\n"
        "│ (BatchNormalization)            │                        │               │\n"
        "└─────────────────────────────────┴────────────────────────┴───────────────┘\n"
        " Total params: 27 (108.00 B)\n"
        " Trainable params: 21 (84.00 B)\n"
        " Non-trainable params: 6 (24.00 B)\n"
    )


def test_layers_that_branch_name_those_before_them() -> None:
    inputs = keras.Input((4,), name="inp")
    a = keras.layers.Dense(2, name="a")(inputs)
    b = keras.layers.Dense(2, name="b", trainable=False)(inputs)
    model = keras.Model(inputs, keras.layers.Add(name="add")([a, b]), name="fork")
    assert printed(model, show_trainable=True) == (
        'Model: "fork"\n'
        "┏━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━┳━━━━━━━━━━━━━━━━┳━━━━━━━┓\n"
        "┃ Layer (type)      ┃ Output Shape    ┃   Param # ┃ Connected to   ┃ Trai… ┃\n"
        "┡━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━╇━━━━━━━━━━━━━━━━╇━━━━━━━┩\n"
        "│ inp (InputLayer)  │ (None, 4)       │         0 │ -              │   -   │\n"
        "├───────────────────┼─────────────────┼───────────┼────────────────┼───────┤\n"
        "│ a (Dense)         │ (None, 2)       │        10 │ inp[0][0]      │   Y   │\n"
        "├───────────────────┼─────────────────┼───────────┼────────────────┼───────┤\n"
        "│ b (Dense)         │ (None, 2)       │        10 │ inp[0][0]      │   N   │\n"
        "├───────────────────┼─────────────────┼───────────┼────────────────┼───────┤\n"
        "│ add (Add)         │ (None, 2)       │         0 │ a[0][0],       │   -   │\n"
        "│                   │                 │           │ b[0][0]        │       │\n"
        "└───────────────────┴─────────────────┴───────────┴────────────────┴───────┘\n"
        " Total params: 20 (80.00 B)\n"
        " Trainable params: 10 (40.00 B)\n"
        " Non-trainable params: 10 (40.00 B)\n"
    )


def test_a_layer_that_was_never_called_has_no_shape_and_no_weights_yet() -> None:
    text = printed(keras.Sequential([keras.layers.Dense(3)]), line_length=60)
    assert "│ dense (Dense)            │ ?                 │         0 │" in text
    assert "│                          │                   │ (unbuilt) │" in text


def test_models_among_the_layers_are_opened_when_that_is_wanted() -> None:
    inner = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, name="deep")])
    model = keras.Sequential([keras.Input((4,)), inner, keras.layers.Dense(1)])
    assert "└ deep (Dense)" in printed(model, expand_nested=True)
    assert "deep" not in printed(model)


@pytest.mark.parametrize("settings", [{"line_length": 8}, {"layer_range": ["x", "y"]}])
def test_what_cannot_be_drawn_is_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="try :"):
        printed(keras.Sequential([keras.layers.Dense(3)]), **settings)
