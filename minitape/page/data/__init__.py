"""All that the page's script switches between, as JSON: columns over the steps, and what is said again and again only once.

columns   the steps, what each card says from which of them on, where each key leads
answers   what the gradient calls gave; codes: what a code means, in short
origin    where each number is from
tensors   the tensors, with as many of their numbers as there is room for
texts     the words
"""
