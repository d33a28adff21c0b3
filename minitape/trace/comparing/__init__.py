"""Two traces beside each other: where two runs part (`diff`), and where two engines answer differently (`compare`)."""
