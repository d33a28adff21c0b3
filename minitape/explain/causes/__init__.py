"""The causes: for each its code, and what a good teacher says.

    sources    the source is not watched, cannot be, or is not the object that was used
    tapes      what ran outside the tape, on another one, or was forgotten
    cuts       a step that carries nothing back
    absent     nothing leads from the source to the target
    dying      units that one update killed
    zeros      the way is there, and it is flat
    nans       a slope that is no number
    refusals   the call raises
    rewriting  from what the user wrote to what to write instead

A cause is a function from a scene (what was asked, and the break that was found) to words. Each code has a page in `pages/`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from minitape.explain.causes import absent, cuts, nans, refusals, sources, tapes, zeros
from minitape.explain.causes.scene import Scene, Words

__all__ = ["CAUSES", "Cause", "Scene", "Words"]


@dataclass(frozen=True)
class Cause:
    """One way to lose a gradient."""

    slug: str
    code: str
    say: Callable[[Scene], Words]


CAUSES = {
    cause.slug: cause
    for cause in (
        Cause("not-watched", "MT101", sources.not_watched),
        Cause("watched-too-late", "MT102", sources.watched_too_late),
        Cause("watched-before-build", "MT102", sources.watched_before_build),
        Cause("not-trainable", "MT103", sources.not_trainable),
        Cause("auto-watch-off", "MT104", sources.auto_watch_off),
        Cause("tape-reset", "MT105", tapes.tape_reset),
        Cause("stop-recording", "MT106", tapes.stop_recording),
        Cause("computed-before-tape", "MT107", tapes.computed_before),
        Cause("computed-after-tape", "MT108", tapes.computed_after),
        Cause("other-tape", "MT109", tapes.other_tape),
        Cause("second-order-not-recorded", "MT109", tapes.second_order_not_recorded),
        Cause("numpy-roundtrip", "MT201", cuts.numpy_roundtrip),
        Cause("python-scalar", "MT201", cuts.python_scalar),
        Cause("integer-dtype", "MT202", sources.integer_dtype),
        Cause("bool-dtype", "MT202", sources.bool_dtype),
        Cause("string-dtype", "MT202", sources.string_dtype),
        Cause("non-differentiable-op", "MT203", cuts.non_differentiable),
        Cause("stop-gradient", "MT204", cuts.stop_gradient),
        Cause("state-assign", "MT205", cuts.state_assign),
        Cause("new-variable", "MT206", cuts.new_variable),
        Cause("custom-gradient-none", "MT207", cuts.custom_gradient_none),
        Cause("host-callback", "MT208", cuts.host_callback),
        Cause("variable-replaced", "MT301", sources.variable_replaced),
        Cause("source-is-copy", "MT302", sources.source_is_copy),
        Cause("unconnected", "MT304", absent.unconnected),
        Cause("unused-layer", "MT304", absent.unused),
        Cause("overwritten-value", "MT304", absent.unused),
        Cause("second-order-linear", "MT304", tapes.second_order_linear),
        Cause("control-flow", "MT305", absent.control_flow),
        Cause("recreated-variable", "MT307", sources.recreated_variable),
        Cause("dead-relu", "MT401", zeros.dead_relu),
        Cause("saturated", "MT401", zeros.saturated),
        Cause("clipped", "MT401", zeros.clipped),
        Cause("sums-to-constant", "MT401", zeros.sums_to_constant),
        Cause("zero-init", "MT401", zeros.zero_init),
        Cause("masked-out", "MT401", zeros.masked_out),
        Cause("where-unselected", "MT401", zeros.where_unselected),
        Cause("step-function", "MT401", zeros.step_function),
        Cause("piecewise-linear", "MT401", zeros.piecewise_linear),
        Cause("stationary-point", "MT401", zeros.stationary),
        Cause("zero-times-inf", "MT402", nans.zero_times_inf),
        Cause("overflow", "MT402", nans.overflow),
        Cause("nan-input", "MT402", nans.nan_input),
        Cause("diverged", "MT402", nans.diverged),
        Cause("sqrt-at-zero", "MT403", nans.infinite_slope),
        Cause("pow-at-zero", "MT403", nans.infinite_slope),
        Cause("log-of-zero", "MT403", nans.log_of_zero),
        Cause("division-by-zero", "MT403", nans.division_by_zero),
        Cause("where-nan", "MT404", nans.where_nan),
        Cause("tape-consumed", "MT501", refusals.tape_consumed),
        Cause("refused-call", "MT503", refusals.bad_type),
        Cause("bad-source-type", "MT503", refusals.bad_type),
        Cause("bad-target-type", "MT503", refusals.bad_type),
        Cause("no-gradient-registered", "MT505", cuts.no_gradient_registered),
    )
}
