package io.quantail.audit;

import io.quantail.audit.reference.ReferenceCalibration;
import io.quantail.audit.reference.ReferenceMath;
import io.quantail.calibration.Calibration;
import io.quantail.calibration.CalibrationSummary;
import io.quantail.config.RunConfig;
import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Realised returns beside the distributions that the critics predicted. */
final class CalibrationChecks {
  private static final int STEPS = 7; // of a rollout, so that predictions wait

  private CalibrationChecks() {}

  /**
   * The predictions of the sample, in short rollouts with scales of their own, with rewards and
   * ends of episodes that reach all cases.
   */
  static Deviation calibration(AuditSubject subject) {
    Deviation deviation = new Deviation();
    for (double gamma : new double[] {0.5, 0.8}) {
      compare(subject.own(), gamma, deviation);
    }
    return deviation;
  }

  private static void compare(SampleRollout sample, double gamma, Deviation deviation) {
    RunConfig config = sample.config();
    int environments = config.environment().count();
    Calibration calibration =
        new Calibration(sample.agent().critic(), environments, gamma, config.risk());
    ReferenceCalibration reference =
        new ReferenceCalibration(config.critic(), config.risk(), gamma);
    float[] outputs = sample.rollout().criticOutputs();
    int width = outputs.length / sample.rollout().shape().transitions();
    int size = STEPS * environments;
    Critic critic = sample.agent().critic();
    critic.read(outputs, 0);
    double middle = (critic.quantile(0.1) + critic.quantile(0.9)) / 2;
    double range = critic.quantile(0.9) - critic.quantile(0.1);
    Optional<CalibrationSummary> pooled = Optional.empty();
    for (int number = 0; pooled.isEmpty(); number++) {
      ReturnScale scale =
          new ReturnScale(
              sample.scale().mean() + 0.1 * number * sample.scale().std(),
              sample.scale().std() * (1 + 0.2 * (number % 3)));
      double[] rewards = new double[size];
      boolean[] terminated = new boolean[size];
      boolean[] truncated = new boolean[size];
      float[] predicted = new float[size * width];
      for (int i = 0; i < size; i++) {
        int place = number * size + i;
        double noise = Math.sin(place * (place + 1.0));
        rewards[i] = (1 - gamma) * scale.denormalize(middle) + scale.std() * range * noise;
        terminated[i] = place % 29 == 5;
        truncated[i] = place % 23 == 3;
        int from = place % sample.rollout().shape().transitions() * width;
        System.arraycopy(outputs, from, predicted, i * width, width);
      }
      pooled =
          calibration
              .observe(
                  new Calibration.Transitions(rewards, terminated, truncated, predicted), scale)
              .pooled();
      List<ReferenceCalibration.Step[]> steps = new ArrayList<>();
      for (int t = 0; t < STEPS; t++) {
        ReferenceCalibration.Step[] row = new ReferenceCalibration.Step[environments];
        for (int e = 0; e < environments; e++) {
          int i = t * environments + e;
          row[e] =
              new ReferenceCalibration.Step(
                  rewards[i],
                  terminated[i],
                  truncated[i],
                  critics(predicted, i * width, width, sample.critics()),
                  scale.mean(),
                  scale.std());
        }
        steps.add(row);
      }
      reference.add(steps);
    }
    double[] expected = reference.measures();
    double[] actual = numbers(pooled.orElseThrow());
    for (int i = 0; i < expected.length; i++) {
      if (!Double.isNaN(actual[i]) || !Double.isNaN(expected[i])) { // both: no return in the tail
        deviation.add(actual[i], expected[i], Math.max(1, Math.abs(expected[i])));
      }
    }
    deviation.note("gamma %s: %s returns, coverage 5 %% %s", gamma, actual[0], actual[2]);
  }

  private static double[][] critics(float[] outputs, int from, int width, int count) {
    double[] all = ReferenceMath.doubles(Arrays.copyOfRange(outputs, from, from + width));
    double[][] critics = new double[count][];
    Arrays.setAll(
        critics, i -> Arrays.copyOfRange(all, i * width / count, (i + 1) * width / count));
    return critics;
  }

  private static double[] numbers(CalibrationSummary summary) {
    return new double[] {
      summary.steps(),
      summary.independent(),
      summary.coverage05(),
      summary.coverage20(),
      summary.coverage50(),
      summary.coverage95(),
      summary.pitDeviation(),
      Objects.requireNonNullElse(summary.tailRealised(), Double.NaN),
      Objects.requireNonNullElse(summary.tailPredicted(), Double.NaN),
      summary.lagUpdates()
    };
  }
}
