"""From numbers to a finding: the step that made a zero, a NaN or an infinity.

zeros         the first step back that sent nothing
cancelling    shares that add up to nothing
nans          the first step, back or forward, that left the finite numbers
partial       a share that was lost beside the tape, where others arrived
"""
