"""The summary table of a model, line by line as Keras prints it in a pipe with 80 columns."""

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


def test_sequential_layers() -> None:
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


def test_branching_layers_name_their_inputs() -> None:
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


def test_uncalled_layer_has_no_shape_and_no_weights() -> None:
    text = printed(keras.Sequential([keras.layers.Dense(3)]), line_length=60)
    assert "│ dense (Dense)            │ ?                 │         0 │" in text
    assert "│                          │                   │ (unbuilt) │" in text


def test_nested_models_are_expanded_on_request() -> None:
    inner = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, name="deep")])
    model = keras.Sequential([keras.Input((4,)), inner, keras.layers.Dense(1)])
    assert "└ deep (Dense)" in printed(model, expand_nested=True)
    assert "deep" not in printed(model)


@pytest.mark.parametrize("settings", [{"line_length": 8}, {"layer_range": ["x", "y"]}])
def test_unsupported_setting_raises(settings: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="try :"):
        printed(keras.Sequential([keras.layers.Dense(3)]), **settings)


@pytest.mark.parametrize(
    ("columns", "is_fork", "show_trainable", "width"),
    [
        ("200", False, False, 88),
        ("200", False, True, 100),
        ("200", True, False, 108),
        ("200", True, True, 120),
        ("60", False, True, 56),
        ("60", True, False, 56),
    ],
)
def test_table_does_not_fill_a_wide_terminal(
    columns: str, is_fork: bool, show_trainable: bool, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Keras: at most 88 columns, 20 more for the connections, 12 more for what is trainable, and 4 less than the terminal."""
    monkeypatch.setenv("COLUMNS", columns)
    inputs = keras.Input((2,))
    a, b = keras.layers.Dense(2)(inputs), keras.layers.Dense(2)(inputs)
    fork = keras.Model(inputs, keras.layers.Add()([a, b]))
    line = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    text = printed(fork if is_fork else line, show_trainable=show_trainable)
    assert {len(row) for row in text.splitlines()[1:4]} == {width}


@pytest.mark.parametrize(
    ("first", "last", "shown"),
    [
        ("b", "c", "b1 b2 c1"),
        ("c", "a", "a1 a2 b1 b2 c1"),
        ("a2", "b1", "a2 b1"),
        ("b", "b1", "b1"),
    ],
)
def test_layer_range_is_from_first_to_last_matching_layer(
    first: str, last: str, shown: str
) -> None:
    names = ("a1", "a2", "b1", "b2", "c1")
    model = keras.Sequential(
        [keras.Input((4,)), *(keras.layers.Dense(3, name=name) for name in names)]
    )
    text = printed(model, layer_range=(first, last))
    assert [name for name in names if f"│ {name} " in text] == shown.split()
