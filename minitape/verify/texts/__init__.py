"""The catalogs of the words of proofs, checks and audits; they need nothing but the engine.

proof    what a fix changed, why a proof is missing, what a perturbation shows
check    why a gradient is not compared, or may differ
audit    what a fault is about, and what the trace says there
"""
