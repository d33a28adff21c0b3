"""Rolling statistics of a signal, one column for each."""

import numpy as np


class FeatureTable:
    def __init__(self, width):
        self.width = width
        self.columns = []

    def _roll(self, signal, statistic):
        windows = np.lib.stride_tricks.sliding_window_view(signal, self.width)
        column = np.full(len(signal), np.nan)
        column[self.width - 1 :] = statistic(windows, axis=1)
        return column

    def add_level(self):
        self.columns.append(np.mean)
        return self

    def add_spread(self):
        self.columns.append(np.std)
        return self

    def add_peak(self):
        self.columns.append(np.ptp)
        return self

    def compute(self, signal):
        table = np.stack([self._roll(signal, statistic) for statistic in self.columns], axis=1)
        centre, width = np.nanmean(table, axis=0), np.nanstd(table, axis=0)
        return ((table - centre) / width).astype("float32")
