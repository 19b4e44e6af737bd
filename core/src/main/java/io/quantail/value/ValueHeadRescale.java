package io.quantail.value;

import io.quantail.network.ParameterLayout.Linear;
import io.quantail.network.Parameters;

/**
 * Rescales value heads so that denormalised outputs do not jump when the return scale changes.
 *
 * <p>{@code W' = W s / s'}, {@code b' = (s b + mu - mu') / s'}.
 *
 * <p>Only heads whose outputs are returns can follow the scale. The logits of a categorical critic
 * cannot: its support is fixed in normalised units, and after a change it has to learn its new
 * values.
 *
 * <p>See: van Hasselt, Guez, Hessel, Mnih, Silver, "Learning values across many orders of
 * magnitude", NeurIPS 2016, arXiv:1602.07714. Pinned by {@code popart_output_preserving_rescale}.
 */
public final class ValueHeadRescale {
  private ValueHeadRescale() {}

  /** Rescales one head in place. */
  public static void apply(
      Parameters parameters, Linear head, ReturnScale before, ReturnScale after) {
    Parameters.Range weight = parameters.range(head.weight());
    Parameters.Range bias = parameters.range(head.bias());
    parameters.change(values -> rescale(values, weight, bias, before, after));
  }

  static void rescale(
      float[] values,
      Parameters.Range weight,
      Parameters.Range bias,
      ReturnScale before,
      ReturnScale after) {
    float ratio = (float) (before.std() / after.std());
    float shift = (float) ((before.mean() - after.mean()) / after.std());
    for (int i = (int) weight.offset(); i < weight.offset() + weight.count(); i++) {
      values[i] *= ratio;
    }
    for (int i = (int) bias.offset(); i < bias.offset() + bias.count(); i++) {
      values[i] = ratio * values[i] + shift;
    }
  }
}
