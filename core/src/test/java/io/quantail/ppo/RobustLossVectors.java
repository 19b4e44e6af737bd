package io.quantail.ppo;

import io.quantail.config.RatioBound;
import io.quantail.robust.Regularizer;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.vectors.VectorCase;
import io.quantail.vectors.VectorCheck;
import io.quantail.vectors.VectorFamily;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The loss with the robust term: clean rows in the surrogate, the divergence beside it. */
public final class RobustLossVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("sa_ppo_loss", this::checkLoss);
  }

  private void checkLoss(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      Microbatch.Coefficients coefficients =
          new Microbatch.Coefficients(
              vector.number("clip_range"),
              0,
              0,
              vector.number("ent_coef"),
              vector.number("vf_coef"),
              Optional.empty(),
              Optional.empty());
      Tensor ratio = PolicyLoss.ratio(tensor(vector, "log_ratio"), RatioBound.HARD);
      Tensor surrogate =
          PolicyLoss.clippedSurrogate(ratio, tensor(vector, "advantages"), coefficients.clipRange())
              .mean()
              .neg();
      Tensor none = Tensor.of(new double[] {0}, 1).sum();
      Tensor clean =
          Microbatch.total(
              new Microbatch.Terms(
                  surrogate,
                  none,
                  none,
                  tensor(vector, "entropy").mean(),
                  Tensor.of(new double[] {vector.number("value_loss")}, 1).sum(),
                  List.of()),
              coefficients);
      Tensor robust =
          Regularizer.term(tensor(vector, "kl_adv_rows"), vector.number("robust_kl_coef"));
      vector.expect("policy_loss", surrogate.item());
      vector.expect("total", clean.add(robust).item());
    }
  }

  private static Tensor tensor(VectorCase vector, String input) {
    double[] values = vector.doubles(input);
    return Tensor.of(values, values.length);
  }
}
