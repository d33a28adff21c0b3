"""The catalogs of the texts of proofs, checks and audits, which import only the engine.

proof    what a fix changed, why a proof is missing, what a perturbation shows
check    why a gradient is not compared, or may differ
audit    the subject of a fault, and the wrong entry in the trace
"""
