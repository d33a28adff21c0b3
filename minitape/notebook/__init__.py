"""The representations of traces and explanations in a notebook: pictures, pages in frames, and short texts."""
