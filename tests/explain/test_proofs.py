"""Proofs of the cases in `cases/`: the gradient after a fix equals the finite difference measured by perturbing the source."""

import numpy as np
import pytest
from explain.judge import CASES, explained
from proving import again

from minitape.explain.report import SourceReport
from minitape.verify.proof import proved

pytestmark = pytest.mark.one_in(8)

# For each cause, the cases that a rule fixes.
FIXED = {
    "auto-watch-off": """
        forgotten_bias
        only_the_head
        trainer
    """,
    "computed-after-tape": """
        added_penalty
        asked_the_inner_one
        function_in_the_call
        helper_returns_tape
        mean_over_batch_list
        minus_reward
        own_context_manager
        slice_in_call
        sum_of_losses
        trainer_sums_callbacks
        yielding_generator
    """,
    "computed-before-tape": """
        cached_property
        default_argument
        hoisted_read
        lambda_cost
        low_rank_in_init
        maml_adaptation
        partial_application
        powers
    """,
    "new-variable": """
        constant_of_variable
        partial_anchor
        position
        pruned_weights
    """,
    "not-trainable": """
        factory_default
        from_a_table
        running_statistics
        scale_in_module_tree
    """,
    "not-watched": """
        by_the_inner_tape
        dict_of_inputs
        fast_gradient_sign
        gradient_penalty_of_mixture
        greeks_of_an_option
        input_of_model_with_loss
        latent_noise
        only_when_debugging
        outer_tape
        saliency_of_a_layer
        tank_level
    """,
    "numpy-roundtrip": """
        and_unwatched
        concatenate_states
        dot_with_variable
        einsum_and_clip
        log_likelihood
        mean_of_list
        mean_squared_error_of_arrays
        metric_class_with_state
        partial_peak
        partial_standardise
        relu_in_layer
    """,
    "other-tape": """
        cached_features
        gan
        micro_batches
        partial_two_stages
    """,
    "python-scalar": """
        accumulated_on_self
        closure
        dataclass
        math_sin
        named_tuple_of_particle
        partial_length
        partial_ridge_penalty
        power_of_bisection
        pythagoras
        running_total
        sorted_median
        sum_of_generator
        walrus_in_while
    """,
    "second-order-not-recorded": """
        gradient_penalty
        helper_before
        hessian_diagonal
        newton
        stopped
    """,
    "source-is-copy": """
        watched_a_copy
    """,
    "state-assign": """
        histogram_of_weights
        history_of_a_pendulum
        hypernetwork
        inner_step
        light_board
        mean_teacher
        metric_accumulator
        partial_distance_so_far
        partial_echo
        partial_smoothed_demand
        partial_two_tanks
        recurrent_cell
        replay_in_the_same_step
        result_used
        rows_of_memory
        scattered_energies
        slot_of_target
        target_is_what_was_assigned
        target_summed_up_in_place
    """,
    "stop-gradient": """
        and_integer
        flag_in_config
        parenthesis
        wrong_side_of_td_error
    """,
    "stop-recording": """
        frozen_helper
        partial_penalty
        quiet_decorator
        running_total
    """,
    "tape-reset": """
        between_questions
        in_callback
        to_save_memory
    """,
    "variable-replaced": """
        attribute
        dict_update
        global_in_function
        in_namespace
        list_of_parameters
        projection
        satellite_state
        weight_decay
        zip_over_gradients
    """,
    "watched-too-late": """
        partial_input
        spring
        wind_speed
        wrong_order_in_method
    """,
}
NAMES = [f"{cause}_{rest}" for cause, names in FIXED.items() for rest in names.split()]


def _sources(name: str) -> list[SourceReport]:
    explanation = explained(name)
    with again(CASES[name].script, on="minitape") as runs:
        report = proved(explanation.report, explanation.ran.trace, runs)
    calls = [call for call in report.calls if call.api == "gradient"]
    return [source for call in calls for source in call.sources if source.findings]


@pytest.mark.parametrize("name", NAMES)
def test_fixed_gradient_equals_finite_difference(name: str) -> None:
    compared = 0
    for source in _sources(name):
        proof, nudge = source.findings[0].proof, source.nudge
        if proof is None or nudge is None or nudge.derivative is None:
            continue
        gradient = np.array(proof.gradient["data"])
        shares = np.random.default_rng(0).uniform(0.5, 1.5, gradient.shape or None)
        along = float(np.sum(gradient * (shares if gradient.size > 1 else 1.0)))
        # The script computes the gradient in float32; the finite difference uses steps of 1e-4.
        assert nudge.derivative == pytest.approx(along, rel=2e-3, abs=1e-5)
        compared += 1
    assert compared
