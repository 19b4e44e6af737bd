package io.quantail.value;

import io.quantail.config.CriticConfig;
import io.quantail.testing.vectors.Floats;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.Map;

/** Clipped critics. */
public final class ValueClipVectors implements VectorFamily {
  private static final double NO_FACTOR = 1;

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "vf_clip_per_quantile",
        vector -> checkClipped(vector, CriticConfig.ClipMode.PER_QUANTILE),
        "vf_clip_mean_only",
        vector -> checkClipped(vector, CriticConfig.ClipMode.MEAN_ONLY),
        "vf_clip_mean_and_variance",
        vector -> checkClipped(vector, CriticConfig.ClipMode.MEAN_AND_VARIANCE),
        "vf_clip_delta_scaling_equivalence",
        this::checkUnits,
        "vf_clip_loss_max_per_sample",
        vector -> checkLoss(vector, "target"),
        "vf_clip_max_elementwise_not_of_means",
        vector -> checkLoss(vector, "targets"),
        "vf_clip_categorical_mean_only",
        this::checkCategorical);
  }

  private void checkClipped(VectorCase vector, CriticConfig.ClipMode mode) {
    double[][] quantiles = vector.matrix("q_new");
    double[][] old = vector.matrix("q_old");
    ValueClip clip =
        new ValueClip(mode, vector.number("eps"), vector.number("variance_factor", NO_FACTOR));
    int rows = quantiles.length;
    Critic critic = critic(quantiles, 1);
    double[][] clipped = clipped(clip, quantiles, old);
    double[] means = new double[rows];
    double[] ratios = new double[rows];
    double[] deviations = new double[rows];
    double[] oldDeviations = new double[rows];
    for (int row = 0; row < rows; row++) {
      float[] now = Floats.of(quantiles[row]);
      float[] before = Floats.of(old[row]);
      means[row] = critic.mean(Floats.of(clipped[row]), 0);
      deviations[row] = ValueClip.deviation(critic, now, 0, critic.mean(now, 0));
      oldDeviations[row] = ValueClip.deviation(critic, before, 0, critic.mean(before, 0));
      ratios[row] = Math.min(1, clip.deviationRatio(oldDeviations[row], deviations[row]));
    }
    vector.allowSinglePrecision(magnitude(quantiles, old));
    vector.expect("clipped", clipped);
    vector.expectFlat("clipped_mean", means);
    vector.expectFlat("scale", ratios);
    vector.expectFlat("std_new", deviations);
    vector.expectFlat("std_old", oldDeviations);
  }

  /** The limited predictions of all samples. */
  private static double[][] clipped(ValueClip clip, double[][] quantiles, double[][] old) {
    Critic critic = critic(quantiles, 1);
    double[][] result = new double[quantiles.length][];
    for (int row = 0; row < result.length; row++) {
      float[] limited = new float[critic.outputs()];
      clip.apply(critic, Floats.of(quantiles[row]), 0, Floats.of(old[row]), 0, limited);
      result[row] = Floats.widened(limited);
    }
    return result;
  }

  private static double magnitude(double[][] quantiles, double[][] old) {
    return Floats.largest(Floats.flat(quantiles)) + Floats.largest(Floats.flat(old));
  }

  private void checkUnits(VectorCase vector) {
    ReturnScale scale = new ReturnScale(vector.number("ret_mean"), vector.number("ret_std"));
    double[][] quantiles = vector.matrix("q_new_norm");
    double[][] old = vector.matrix("q_old_norm");
    double range = vector.number("clip_range_vf");
    double rawRange = range * scale.std();
    vector.expect("delta_raw", rawRange);
    vector.allowSinglePrecision(
        magnitude(quantiles, old) + Math.abs(scale.mean()) / scale.std() + range);
    vector.expect("clipped_norm", perQuantile(range, quantiles, old));
    double[][] clipped = perQuantile(rawRange, raw(scale, quantiles), raw(scale, old));
    vector.expect(
        "clipped_norm", Arrays.stream(clipped).map(scale::normalize).toArray(double[][]::new));
  }

  private static double[][] raw(ReturnScale scale, double[][] rows) {
    return Arrays.stream(rows)
        .map(row -> Arrays.stream(row).map(scale::denormalize).toArray())
        .toArray(double[][]::new);
  }

  private static double[][] perQuantile(double range, double[][] quantiles, double[][] old) {
    return clipped(
        new ValueClip(CriticConfig.ClipMode.PER_QUANTILE, range, NO_FACTOR), quantiles, old);
  }

  private void checkLoss(VectorCase vector, String targetField) {
    double[][] quantiles = vector.matrix("q_new");
    double[][] old = vector.matrix("q_old");
    double[] targets = vector.doubles(targetField);
    Critic critic = critic(quantiles, vector.number("kappa"));
    ValueClip clip =
        new ValueClip(CriticConfig.ClipMode.PER_QUANTILE, vector.number("eps"), NO_FACTOR);
    double[] free = new double[targets.length];
    double[] limited = new double[targets.length];
    double sum = 0;
    for (int row = 0; row < targets.length; row++) {
      ClippedLoss loss = new ClippedLoss(clip, critic);
      sum += evaluate(loss, quantiles[row], old[row], targets[row]);
      free[row] = loss.reading().freeLoss();
      limited[row] = loss.reading().clippedLoss();
    }
    vector.allowSinglePrecision(magnitude(quantiles, old) + Floats.largest(targets));
    vector.expect("loss_unclipped", free);
    vector.expect("loss_clipped", limited);
    vector.expect("loss", sum / targets.length);
    vector.expectNot("wrong_max_of_means", "loss", sum / targets.length);
  }

  private static double evaluate(ClippedLoss loss, double[] outputs, double[] old, double target) {
    return loss.evaluate(
        Floats.of(outputs),
        0,
        Floats.of(old),
        0,
        new float[] {(float) target},
        0,
        1,
        1,
        new float[outputs.length]);
  }

  private void checkCategorical(VectorCase vector) {
    CategoricalCritic critic = new CategoricalCritic(CategoricalVectors.atoms(vector));
    float[] logits = CategoricalVectors.logits(vector.doubles("probs_new"));
    float[] old = CategoricalVectors.logits(vector.doubles("probs_old"));
    ValueClip clip =
        new ValueClip(CriticConfig.ClipMode.MEAN_ONLY, vector.number("eps"), NO_FACTOR);
    float[] limited = new float[critic.outputs()];
    clip.apply(critic, logits, 0, old, 0, limited);
    ClippedLoss loss = new ClippedLoss(clip, critic);
    double larger =
        loss.evaluate(
            logits,
            0,
            old,
            0,
            new float[] {(float) vector.number("target")},
            0,
            1,
            1,
            new float[critic.outputs()]);
    double scale = CategoricalCritic.normalizer(critic.outputs());
    double mean = critic.mean(logits, 0);
    double oldMean = critic.mean(old, 0);
    double back = clip.correction(mean - oldMean);
    double spacing = Math.min(1, critic.support().spacing());
    vector.allowSinglePrecision(
        Math.max(
                CategoricalVectors.magnitude(critic, logits),
                CategoricalVectors.magnitude(critic, old))
            / spacing);
    vector.expect("mean_new", mean);
    vector.expect("mean_old", oldMean);
    vector.expect("clipped_mean", mean + back);
    vector.expect("shift", back);
    vector.expect("projected", Arrays.stream(Floats.widened(limited)).map(Math::exp).toArray());
    vector.expect("ce_unclipped", loss.reading().freeLoss() * scale);
    vector.expect("ce_clipped", loss.reading().clippedLoss() * scale);
    vector.expect("loss", larger * scale);
    vector.expect("loss_over_logN", larger);
  }

  private static Critic critic(double[][] quantiles, double kappa) {
    return new QuantileCritic(quantiles[0].length, kappa);
  }
}
