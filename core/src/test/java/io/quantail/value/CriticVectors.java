package io.quantail.value;

import io.quantail.testing.vectors.Floats;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Quantile critics, one and two of them. */
public final class CriticVectors implements VectorFamily {
  private static final String NOT_USED = "we never mix quantiles of two critics";

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "quantile_midpoints", vector -> checkLevels(vector, "taus"),
        "quantile_levels", vector -> checkLevels(vector, "tau"),
        "quantile_huber_kappa", this::checkLoss,
        "quantile_huber_asymmetry", this::checkAsymmetry,
        "quantile_huber_twin", this::checkTwinLoss,
        "sb3_quantile_huber", this::checkPeerLoss,
        "twin_min_value", this::checkTwinValue,
        "twin_value_reductions", this::checkTwinReductions);
  }

  private void checkLevels(VectorCase vector, String field) {
    vector.expect(field, new QuantileCritic(vector.integer("N"), 1).levels());
  }

  /** The losses of samples, and the gradient of their mean, both times a factor. */
  private record Losses(double[] perSample, double[] gradient) {
    /**
     * @param targets as many for each row, side by side
     */
    static Losses of(Critic critic, double[][] rows, double[] targets, double factor) {
      int perRow = targets.length / rows.length;
      float[] particles = Floats.of(targets);
      double[] losses = new double[rows.length];
      double[][] gradient = new double[rows.length][];
      for (int row = 0; row < rows.length; row++) {
        float[] slopes = new float[critic.outputs()];
        double weight = factor / rows.length;
        losses[row] =
            factor
                * critic.loss(
                    Floats.of(rows[row]), 0, particles, row * perRow, perRow, weight, slopes);
        gradient[row] = Floats.widened(slopes);
      }
      return new Losses(losses, Floats.flat(gradient));
    }

    double mean() {
      return Arrays.stream(perSample).average().orElseThrow();
    }
  }

  /** The vectors hold a loss that is not divided by kappa. */
  private void checkLoss(VectorCase vector) {
    double[][] rows = vector.matrix("quantiles");
    double[] targets = vector.doubles("targets");
    Losses losses = Losses.of(critic(vector, rows), rows, targets, vector.number("kappa"));
    vector.allowSinglePrecision(magnitude(rows, targets));
    vector.expect("per_sample", losses.perSample);
    vector.expect("mean", losses.mean());
    vector.expect("sum", Arrays.stream(losses.perSample).sum());
    vector.expectFlat("grad", losses.gradient);
  }

  /** What roundings of predictions and targets may change in losses and their gradients. */
  private static double magnitude(double[][] rows, double[] targets) {
    return Floats.largest(Floats.flat(rows)) + Floats.largest(targets);
  }

  private void checkAsymmetry(VectorCase vector) {
    double[][] rows = vector.matrix("quantiles");
    QuantileCritic critic = critic(vector, rows);
    for (String direction : List.of("up", "down")) {
      double[] targets = new double[rows.length];
      Arrays.fill(targets, vector.number("target_" + direction));
      double[][] each = new double[rows.length][];
      Arrays.setAll(each, row -> lossPerQuantile(vector, critic, rows[row], targets[row]));
      vector.allowSinglePrecision(magnitude(rows, targets));
      vector.expectFlat("per_quantile_" + direction, Floats.flat(each));
      double factor = vector.number("kappa");
      vector.expect("loss_" + direction, Losses.of(critic, rows, targets, factor).mean());
    }
  }

  /** A quantile that is the target costs nothing, so that one is left at a time. */
  private static double[] lossPerQuantile(
      VectorCase vector, Critic critic, double[] quantiles, double target) {
    double[] losses = new double[quantiles.length];
    for (int i = 0; i < quantiles.length; i++) {
      double[] alone = new double[quantiles.length];
      Arrays.fill(alone, target);
      alone[i] = quantiles[i];
      double factor = quantiles.length * vector.number("kappa");
      losses[i] = Losses.of(critic, new double[][] {alone}, new double[] {target}, factor).mean();
    }
    return losses;
  }

  private void checkTwinLoss(VectorCase vector) {
    double[][] first = vector.matrix("q1");
    double[][] second = vector.matrix("q2");
    double[] targets = vector.doubles("targets");
    QuantileCritic critic = critic(vector, first);
    Losses ofFirst = Losses.of(critic, first, targets, vector.number("kappa"));
    Losses ofSecond = Losses.of(critic, second, targets, vector.number("kappa"));
    vector.allowSinglePrecision(Math.max(magnitude(first, targets), magnitude(second, targets)));
    vector.expect("loss1", ofFirst.perSample);
    vector.expect("loss2", ofSecond.perSample);
    vector.expect("critic_loss", (ofFirst.mean() + ofSecond.mean()) / 2);
  }

  /** The peer takes several targets a sample: particles. */
  private void checkPeerLoss(VectorCase vector) {
    double[][] rows = vector.matrix("quantiles");
    double[] targets = vector.doubles("targets");
    Losses losses = Losses.of(new QuantileCritic(rows[0].length, 1), rows, targets, 1);
    vector.allowSinglePrecision(magnitude(rows, targets));
    vector.expect("loss", losses.mean());
    vector.expectFlat("gradient", losses.gradient);
  }

  private void checkTwinValue(VectorCase vector) {
    checkReductions(vector, "v1", "v2", "v_min");
    vector.ignore("elementwise_min_quantiles", NOT_USED);
  }

  private void checkTwinReductions(VectorCase vector) {
    checkReductions(vector, "mean1", "mean2", "min_of_means");
    vector.ignore("elementwise_min", NOT_USED);
  }

  private static void checkReductions(
      VectorCase vector, String first, String second, String lowest) {
    double[][] q1 = vector.matrix("q1");
    double[][] q2 = vector.matrix("q2");
    int width = q1[0].length;
    Critic critic = new QuantileCritic(width, 1);
    double[] mean1 = new double[q1.length];
    double[] mean2 = new double[q1.length];
    double[] value = new double[q1.length];
    for (int row = 0; row < q1.length; row++) {
      float[] both = Floats.of(Floats.flat(new double[][] {q1[row], q2[row]}));
      mean1[row] = critic.mean(both, 0);
      mean2[row] = critic.mean(both, width);
      value[row] = critic.value(both);
    }
    vector.allowSinglePrecision(
        Math.max(Floats.largest(Floats.flat(q1)), Floats.largest(Floats.flat(q2))));
    vector.expect(first, mean1);
    vector.expect(second, mean2);
    vector.expect(lowest, value);
    vector.expectNot("mean_of_elementwise_min", lowest, value);
  }

  private static QuantileCritic critic(VectorCase vector, double[][] rows) {
    return new QuantileCritic(rows[0].length, vector.number("kappa"));
  }
}
