package io.quantail.calibration;

import io.quantail.config.RiskConfig;
import io.quantail.testing.SmallRuns;
import io.quantail.testing.vectors.Floats;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import io.quantail.value.Critic;
import io.quantail.value.QuantileCritic;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Levels of realised returns of one rollout, and what is measured on them. */
public final class CalibrationVectors implements VectorFamily {

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("calibration_of_a_rollout", this::check);
  }

  private void check(VectorCase vector) {
    double[] rewards = vector.doubles("rewards");
    boolean[] terminated = vector.flags("terminated");
    boolean[] truncated = vector.flags("truncated");
    double[][] quantiles = vector.matrix("quantiles");
    double gamma = vector.number("gamma");
    Critic critic = new QuantileCritic(quantiles[0].length, 0, true);
    RiskConfig risk =
        SmallRuns.override(RiskConfig.defaults(), List.of("alpha=" + vector.number("alpha")));
    Calibration calibration = new Calibration(critic, 1, gamma, risk);
    calibration.observe(
        new Calibration.Transitions(rewards, terminated, truncated, outputs(quantiles)),
        ReturnScale.IDENTITY);

    RealisedReturns realised = RealisedReturns.of(1, rewards, terminated, truncated, gamma);
    long horizon = RealisedReturns.horizon(gamma);
    int[] steps =
        IntStream.range(0, rewards.length).filter(i -> realised.counts(i, horizon)).toArray();
    vector.expect("steps", steps);
    vector.expect("realised", Arrays.stream(steps).mapToDouble(realised::sum).toArray());
    CalibrationSummary summary = calibration.sample().summary().orElseThrow();
    vector.expectEntries(
        "coverage", level -> calibration.sample().coverage(Double.parseDouble(level)));
    vector.expect("independent", summary.independent());
    vector.expect("tail_mean_realised", summary.tailRealised());
    vector.allowSinglePrecision(Floats.largest(vector.doubles("quantiles")));
    vector.expect("pit", calibration.sample().levels());
    vector.expect("pit_deviation", summary.pitDeviation());
    vector.expect("tail_mean_predicted", summary.tailPredicted());
  }

  /** The vector has no mean head: every distribution stays where its quantiles and tails are. */
  private static float[] outputs(double[][] quantiles) {
    int count = quantiles[0].length;
    float[] outputs = new float[quantiles.length * (count + 1)];
    for (int row = 0; row < quantiles.length; row++) {
      double[] sorted = quantiles[row].clone();
      Arrays.sort(sorted);
      double gaps = sorted[count - 1] - sorted[count - 2] - (sorted[1] - sorted[0]);
      double mean = Arrays.stream(sorted).sum() / count + gaps / (2 * count * Math.log(3));
      for (int i = 0; i < count; i++) {
        outputs[row * (count + 1) + i] = (float) quantiles[row][i];
      }
      outputs[row * (count + 1) + count] = (float) mean;
    }
    return outputs;
  }
}
