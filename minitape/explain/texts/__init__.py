"""The catalog of what an explanation says around its findings; the findings' own texts are in `explain/causes/texts/`.

report    outcomes, counts, evidence, the words beside lines
"""
