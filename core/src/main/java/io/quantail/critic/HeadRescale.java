package io.quantail.critic;

import io.quantail.nn.Linear;
import io.quantail.nn.Parameters;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;

/**
 * Rescales value heads so that denormalised outputs do not jump when the return scale changes.
 *
 * <p>{@code W' = W s / s'}, {@code b' = (s b + mu - mu') / s'}.
 *
 * <p>Only heads whose outputs are returns can follow the scale. The logits of a categorical critic
 * cannot: its support is fixed in normalised units, and after a change it learns anew.
 *
 * <p>See: van Hasselt, Guez, Hessel, Mnih, Silver, "Learning values across many orders of
 * magnitude", NeurIPS 2016, arXiv:1602.07714. Pinned by {@code popart_output_preserving_rescale}.
 */
public final class HeadRescale {
  private HeadRescale() {}

  /** Rescales one head in place. */
  public static void apply(
      Parameters.Replica parameters, Linear head, ReturnScale before, ReturnScale after) {
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      rescale(parameters.get(head.weight()), parameters.get(head.bias()), before, after);
    }
  }

  static void rescale(Tensor weight, Tensor bias, ReturnScale before, ReturnScale after) {
    double ratio = before.std() / after.std();
    weight.mulInPlace(ratio);
    bias.mulInPlace(ratio).addInPlace((before.mean() - after.mean()) / after.std());
  }
}
