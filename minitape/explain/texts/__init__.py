"""The catalog of the texts around the findings of an explanation. The texts of the findings are in `explain/causes/texts/`.

report    outcomes, counts, evidence, the words beside lines
"""
