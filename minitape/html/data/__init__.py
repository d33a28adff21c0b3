"""The data for the page's script as JSON: columns over the steps, with repeated texts and tensors stored once.

columns    the steps, what each node shows from which step on, and the target of each navigation key
answers    the results of the gradient calls; codes: short meanings of the codes
term_data  how each number was computed
tensors    the tensors, with as many of their values as fit
texts      the texts
"""
