package io.quantail.ppo;

import io.quantail.config.PpoConfig;
import io.quantail.loss.LossCoefficients;
import io.quantail.loss.LossResult;
import io.quantail.loss.LossSums;
import io.quantail.loss.PolicyLoss;
import io.quantail.robust.RobustLossTerm;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** The loss with the robust term: clean rows in the surrogate, the divergence beside it. */
public final class RobustLossVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("sa_ppo_loss", this::checkLoss);
  }

  private void checkLoss(VectorCase vector) {
    double[] logRatio = vector.doubles("log_ratio");
    double[] advantages = vector.doubles("advantages");
    LossCoefficients coefficients =
        new LossCoefficients(
            vector.number("clip_range"),
            0,
            0,
            vector.number("ent_coef"),
            vector.number("vf_coef"),
            Optional.empty(),
            Optional.empty());
    LossSums sums = new LossSums(logRatio.length, 1);
    for (int i = 0; i < logRatio.length; i++) {
      sums.surrogate +=
          PolicyLoss.clippedSurrogate(
                  logRatio[i], advantages[i], coefficients.clipRange(), PpoConfig.RatioBound.HARD)
              .value();
    }
    double[] entropies = vector.doubles("entropy");
    sums.entropy = Arrays.stream(entropies).average().orElseThrow() * logRatio.length;
    sums.critics[0] = vector.number("value_loss") * logRatio.length;
    double[] divergences = vector.doubles("kl_adv_rows");
    double robust =
        RobustLossTerm.term(
            Arrays.stream(divergences).sum(), divergences.length, vector.number("robust_kl_coef"));
    LossResult clean = sums.result(coefficients);
    vector.expect("policy_loss", clean.surrogateLoss());
    vector.expect("total", clean.total() + robust);
  }
}
