package io.quantail.ppo;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.CriticConfig;
import io.quantail.config.RiskConfig;
import io.quantail.config.SettingNames;
import io.quantail.loss.LossCoefficients;
import io.quantail.loss.LossSums;
import io.quantail.testing.vectors.Floats;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import io.quantail.value.ClippedLoss;
import io.quantail.value.Critic;
import io.quantail.value.QuantileCritic;
import io.quantail.value.ValueClip;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The clipped loss of two critics: the larger per sample, then the mean over samples, then over
 * critics.
 */
public final class TwinClipVectors implements VectorFamily {
  private static final double NO_FACTOR = 1;
  private static final LossCoefficients CRITICS_ALONE =
      new LossCoefficients(0, 0, 0, 0, 1, Optional.empty(), Optional.empty());

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "twin_max_then_average",
        this::checkOrder,
        "twin_value_clipping_modes",
        this::checkTwinModes,
        "twin_clip_aggregation_order",
        this::checkTwinOrder);
  }

  /** Outputs and old outputs of each critic, [sample][output], and the samples' targets. */
  private record Samples(double[][][] outputs, double[][][] old, double[] targets) {

    static Samples of(VectorCase vector, String targets) {
      return new Samples(
          new double[][][] {vector.matrix("q1"), vector.matrix("q2")},
          new double[][][] {vector.matrix("old1"), vector.matrix("old2")},
          vector.doubles(targets));
    }

    double magnitude() {
      double largest = 0;
      for (int critic = 0; critic < outputs.length; critic++) {
        largest = Math.max(largest, Floats.largest(Floats.flat(outputs[critic])));
        largest = Math.max(largest, Floats.largest(Floats.flat(old[critic])));
      }
      return 2 * largest + Floats.largest(targets);
    }
  }

  /**
   * The loss of both critics.
   *
   * @param free mean loss of each critic without the limit
   * @param clipped mean loss of each critic with it
   */
  private record Loss(double total, double[] free, double[] clipped) {

    static Loss of(ValueClip clip, Critic critic, Samples samples) {
      int critics = samples.outputs.length;
      double[] free = new double[critics];
      double[] clipped = new double[critics];
      LossSums sums = new LossSums(samples.targets.length, critics);
      for (int one = 0; one < critics; one++) {
        ClippedLoss loss = new ClippedLoss(clip, critic);
        for (int row = 0; row < samples.targets.length; row++) {
          sums.critics[one] +=
              loss.evaluate(
                  Floats.of(samples.outputs[one][row]),
                  0,
                  Floats.of(samples.old[one][row]),
                  0,
                  new float[] {(float) samples.targets[row]},
                  0,
                  1,
                  1,
                  new float[critic.outputs()]);
        }
        free[one] = loss.reading().freeLoss();
        clipped[one] = loss.reading().clippedLoss();
      }
      return new Loss(sums.total(CRITICS_ALONE), free, clipped);
    }
  }

  /** Losses are given, so that a critic whose output is its loss stands for all others. */
  private void checkOrder(VectorCase vector) {
    ValueClip clip = new ValueClip(CriticConfig.ClipMode.PER_QUANTILE, 0, NO_FACTOR);
    Samples samples =
        new Samples(
            new double[][][] {column(vector, "unclipped1"), column(vector, "unclipped2")},
            new double[][][] {column(vector, "clipped1"), column(vector, "clipped2")},
            new double[vector.doubles("unclipped1").length]);
    double loss = Loss.of(clip, new OutputAsLoss(), samples).total;
    vector.allowSinglePrecision(samples.magnitude());
    vector.expect("loss", loss);
    vector.expectNot("wrong_average_then_max", "loss", loss);
    vector.expectNot("wrong_max_of_means", "loss", loss);
  }

  private static double[][] column(VectorCase vector, String field) {
    return Arrays.stream(vector.doubles(field))
        .mapToObj(value -> new double[] {value})
        .toArray(double[][]::new);
  }

  private void checkTwinModes(VectorCase vector) {
    for (CriticConfig.ClipMode mode : CriticConfig.ClipMode.values()) {
      String field = mode.name().toLowerCase(Locale.ROOT);
      if (vector.expects(field)) {
        checkTwinMode(vector, mode, vector.expected(field));
      }
    }
  }

  /** The order cannot be told from these numbers: the field about the wrong one agrees. */
  private static void checkTwinMode(
      VectorCase vector, CriticConfig.ClipMode mode, JsonNode expected) {
    ValueClip clip =
        new ValueClip(mode, vector.number("clip_delta"), vector.number("variance_factor"));
    Samples samples = Samples.of(vector, "targets");
    Critic critic = critic(vector, samples);
    vector.allowSinglePrecision(samples.magnitude());
    for (int one = 0; one < samples.outputs.length; one++) {
      double[][] limited = new double[samples.targets.length][];
      for (int row = 0; row < limited.length; row++) {
        float[] outputs = new float[critic.outputs()];
        clip.apply(
            critic,
            Floats.of(samples.outputs[one][row]),
            0,
            Floats.of(samples.old[one][row]),
            0,
            outputs);
        limited[row] = Floats.widened(outputs);
      }
      String field = "clipped" + (one + 1);
      vector.compareWith(mode + "." + field, expected.path(field), Floats.flat(limited));
    }
    double loss = Loss.of(clip, critic, samples).total;
    vector.compareWith(mode + ".loss", expected.path("loss"), loss);
  }

  private void checkTwinOrder(VectorCase vector) {
    String name = SettingNames.fold(vector.input("mode").asText());
    CriticConfig.ClipMode mode =
        Arrays.stream(CriticConfig.ClipMode.values())
            .filter(some -> SettingNames.fold(some.name()).equals(name))
            .findFirst()
            .orElseThrow();
    Samples samples = Samples.of(vector, "target");
    ValueClip clip =
        new ValueClip(
            mode, vector.number("clip_delta"), vector.number("variance_factor", NO_FACTOR));
    Loss loss = Loss.of(clip, critic(vector, samples), samples);
    vector.allowSinglePrecision(samples.magnitude());
    vector.expect("unclipped", loss.free);
    vector.expect("clipped", loss.clipped);
    vector.expect("correct", loss.total);
    vector.expectNot("wrong", "correct", loss.total);
  }

  private static Critic critic(VectorCase vector, Samples samples) {
    return new QuantileCritic(samples.outputs[0][0].length, vector.number("kappa"));
  }

  /** Its one output is its loss; nothing else of it is used. */
  private static final class OutputAsLoss implements Critic {
    @Override
    public Critic another() {
      return new OutputAsLoss();
    }

    @Override
    public int points() {
      return 1;
    }

    @Override
    public boolean hasMeanHead() {
      return false;
    }

    @Override
    public boolean outputsAreReturns() {
      return false;
    }

    @Override
    public double loss(
        float[] outputs,
        int offset,
        float[] particles,
        int from,
        int number,
        double weight,
        float[] slopes) {
      return outputs[offset];
    }

    @Override
    public double[] startingOutputs() {
      throw new UnsupportedOperationException();
    }

    @Override
    public double mean(float[] outputs, int offset) {
      throw new UnsupportedOperationException();
    }

    @Override
    public double centre(float[] outputs, int offset) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void addCentreGradient(float[] outputs, int offset, double factor, float[] dOutputs) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void read(float[] outputs, int offset) {
      throw new UnsupportedOperationException();
    }

    @Override
    public double quantile(double level) {
      throw new UnsupportedOperationException();
    }

    @Override
    public double draw(double level) {
      throw new UnsupportedOperationException();
    }

    @Override
    public double level(double value) {
      throw new UnsupportedOperationException();
    }

    @Override
    public double meanGap() {
      throw new UnsupportedOperationException();
    }

    @Override
    public double irregularity(float[] outputs, int offset) {
      throw new UnsupportedOperationException();
    }

    @Override
    public double cvar(double alpha, RiskConfig.CvarMethod method) {
      throw new UnsupportedOperationException();
    }

    @Override
    public double cvar(
        float[] outputs, int offset, double alpha, RiskConfig.CvarMethod method, float[] slopes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void shift(float[] outputs, int offset, double distance, float[] shifted) {
      throw new UnsupportedOperationException();
    }

    @Override
    public double shiftGradient(
        float[] outputs, int offset, double distance, float[] dShifted, float[] dOutputs) {
      throw new UnsupportedOperationException();
    }
  }
}
