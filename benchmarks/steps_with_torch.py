"""The steps in PyTorch, eager."""

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as functional
from torch import nn
from with_torch import load

Run = Callable[[], list[Any]]


def cast(given: Any) -> Run:
    x = torch.tensor(given.x)
    return lambda: [x.to(torch.float64)]


def network(given: Any) -> Run:
    x, labels = torch.tensor(given.x), torch.tensor(given.labels)
    weights = w1, b1, w2, b2 = [
        torch.tensor(weight, requires_grad=True) for weight in given.weights
    ]

    def run() -> list[Any]:
        loss = functional.cross_entropy(torch.relu(x @ w1 + b1) @ w2 + b2, labels)
        return [*torch.autograd.grad(loss, weights)]

    return run


def _step(model: Any, x: Any, given: Any) -> Run:
    labels, optimizer = torch.tensor(given.labels), torch.optim.Adam(model.parameters())

    def run() -> list[Any]:
        loss = functional.cross_entropy(model(x), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return [loss.detach()]

    return run


def dense(given: Any) -> Run:
    model = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
    return _step(model, torch.tensor(given.x), given)


def pictures(given: Any) -> Run:
    model = nn.Sequential(
        *(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.BatchNorm2d(8), nn.MaxPool2d(2)),
        *(nn.Dropout(0.5), nn.Flatten(), nn.Linear(200, 10)),
    )
    return _step(model, torch.tensor(given.x).permute(0, 3, 1, 2), given)


class _MagicParser(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table, self.lstm = nn.Embedding(50, 8), nn.LSTM(8, 16, batch_first=True)
        self.dense = nn.Linear(16, 10)

    def forward(self, x: Any) -> Any:
        return self.dense(self.lstm(self.table(x))[0][:, -1])


def words(given: Any) -> Run:
    return _step(_MagicParser(), torch.tensor(given.x), given)


def attention(given: Any) -> Run:
    layer, x = nn.MultiheadAttention(4, 2, batch_first=True), torch.tensor(given.x)
    return lambda: [layer(x, x, x, need_weights=False)[0].detach()]


__all__ = ["load"]
