package io.quantail.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.CriticConfig;
import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.kernel.FloatVectors;
import io.quantail.network.ParameterReplica;
import io.quantail.network.Parameters;
import io.quantail.risk.CvarLossTerm;
import io.quantail.rollout.Experience;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.SequenceBatch;
import io.quantail.rollout.TrainingTargets;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.value.ClippedLoss;
import io.quantail.value.ReturnScale;
import io.quantail.value.ValueClip;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The gradient by every parameter against central differences of the loss that comes with it, on
 * real rollouts with episodes that end inside windows.
 */
class PpoLossTest {
  private static final ReturnScale SCALE = new ReturnScale(3, 2);
  private static final double WEIGHT = 0.6;
  private static final float STEP = 0x1p-9f;

  /** Of the difference of the two gradients, as a fraction of the gradient's norm. */
  private static final double WHOLE = 5e-3;

  /** Of one parameter, as a fraction of the largest. */
  private static final double EACH = 2e-3;

  private static final Optional<ValueClip> FREE = Optional.empty();
  private static final Optional<CvarLossTerm> NO_RISK = Optional.empty();

  /** A rollout that a policy collected, and the parameters moved away from that policy. */
  private static final class Sample implements AutoCloseable {
    final Experience experience;
    final Parameters parameters;
    final ParameterReplica replica;
    final Rollout rollout;
    final TrainingTargets estimates;
    final SequenceBatch batch;
    final PpoLoss loss;

    Sample(String task, String... settings) {
      List<String> all = new ArrayList<>(List.of("critic.atoms=11", "critic.support=4"));
      all.addAll(List.of(settings));
      RunConfig config = SmallRuns.of(RunConfig.defaults(), all.toArray(String[]::new));
      experience = new Experience(config, Experience.task(task, 6));
      parameters = experience.model().parameters();
      replica = parameters.replica();
      widenCritics();
      rollout = experience.collect();
      estimates = Experience.estimates(rollout, config, SCALE);
      // Ratios have to leave the clip range on both sides, and critics their range.
      parameters.change(values -> FloatVectors.scale(values, 2.5));
      batch = new SequenceBatch(rollout, new int[] {4, 1, 7, 2});
      loss = new PpoLoss(experience.agent(), config.ppo());
    }

    /** Critics start with nearly the same prediction for all states; here they differ. */
    private void widenCritics() {
      for (Parameters.Slot slot : parameters.slots()) {
        if (slot.name().matches("critic\\.(head|mean)\\d\\.weight")) {
          Parameters.Range range = parameters.range(slot.name());
          parameters.change(
              values -> {
                for (int i = (int) range.offset(); i < range.offset() + range.count(); i++) {
                  values[i] *= 100;
                }
              });
        }
      }
    }

    LossResult backward(LossCoefficients coefficients) {
      return loss.backward(replica, batch, estimates, coefficients, WEIGHT);
    }

    void requireFiniteDifferences(LossCoefficients coefficients) {
      requireFiniteDifferences(coefficients, STEP);
    }

    /**
     * Compares the gradient by each parameter with what the loss does when that one moves. Where
     * the loss has a kink within the step, such as two quantiles that cross, the gradient lies
     * between the slopes of the two sides.
     */
    void requireFiniteDifferences(LossCoefficients coefficients, float step) {
      double middle = backward(coefficients).total();
      float[] gradient = replica.gradient().clone();
      float[] start = parameters.values().clone();
      double[] up = new double[start.length];
      double[] down = new double[start.length];
      double[] slope = new double[start.length];
      for (int i = 0; i < start.length; i++) {
        float above = start[i] + step;
        float below = start[i] - step;
        double upper = WEIGHT * total(coefficients, i, above);
        double lower = WEIGHT * total(coefficients, i, below);
        int parameter = i;
        parameters.change(values -> values[parameter] = start[parameter]);
        slope[i] = (upper - lower) / (above - below);
        up[i] = (upper - WEIGHT * middle) / (above - start[i]);
        down[i] = (WEIGHT * middle - lower) / (start[i] - below);
      }
      double norm = norm(slope);
      double largest = Arrays.stream(slope).map(Math::abs).max().orElseThrow();
      assertThat(norm).isGreaterThan(1e-3);
      double[] errors = new double[slope.length];
      for (int i = 0; i < gradient.length; i++) {
        errors[i] = gradient[i] - slope[i];
        assertThat(Math.abs(errors[i]))
            .as("parameter %d: gradient %s, difference %s", i, gradient[i], slope[i])
            .isLessThan(EACH * largest + Math.abs(up[i] - down[i]) / 2);
      }
      assertThat(norm(errors)).isLessThan(WHOLE * norm);
    }

    private static double norm(double[] values) {
      return Math.sqrt(Arrays.stream(values).map(x -> x * x).sum());
    }

    private double total(LossCoefficients coefficients, int parameter, float value) {
      parameters.change(values -> values[parameter] = value);
      return backward(coefficients).total();
    }

    @Override
    public void close() {
      experience.close();
    }
  }

  /** All terms of policy and critics at once. */
  private static LossCoefficients all(Optional<ValueClip> clip, Optional<CvarLossTerm> risk) {
    return new LossCoefficients(0.05, 0.3, 0.1, 0.02, 0.5, clip, risk);
  }

  @Requirement({
    "BATCH-1", "POL-1", "AWR-1", "ENT-1", "CRIT-1", "CRIT-2", "TWIN-2", "MASK-2", "ACT-1"
  })
  @ParameterizedTest
  @CsvSource({
    "cartPole, hard, quantile, true, false, 8",
    "cartPole, smooth, categorical, true, true, 5",
    "cartPole, hard, categorical, false, false, 8",
    "pendulum, hard, quantile, true, true, 5",
    "pendulum, smooth, quantile, false, false, 8",
    "pendulum, smooth, categorical, true, false, 5",
    "masked, hard, quantile, true, false, 8",
    "mixed, smooth, quantile, true, true, 5"
  })
  void shouldHaveTheGradientOfFiniteDifferences(
      String task, String bound, String critic, boolean twin, boolean shared, int hidden) {
    try (Sample sample =
        new Sample(
            task,
            "ppo.ratioBound=" + bound,
            "critic.type=" + critic,
            "critic.twin=" + twin,
            "network.sharedMemory=" + shared,
            "network.hidden=" + hidden)) {
      LossCoefficients coefficients = all(FREE, NO_RISK);
      float[] logRatios = sample.backward(coefficients).logRatios();
      assertThat(fraction(logRatios, x -> x > Math.log(1.05))).isBetween(0.02, 0.98);
      assertThat(fraction(logRatios, x -> x < Math.log(0.95))).isBetween(0.02, 0.98);
      sample.requireFiniteDifferences(coefficients);
    }
  }

  private static double fraction(float[] values, DoublePredicate condition) {
    return IntStream.range(0, values.length).filter(i -> condition.test(values[i])).count()
        / (double) values.length;
  }

  /** One term alone, so that none is hidden behind another. */
  @Requirement({"POL-1", "AWR-1", "ENT-1", "CRIT-1"})
  @ParameterizedTest
  @CsvSource({
    "cartPole, 1, 0, 0, 0",
    "cartPole, 0, 1, 0, 0",
    "cartPole, 0, 0, 1, 0",
    "pendulum, 1, 0, 0, 0",
    "pendulum, 0, 1, 0, 0",
    "pendulum, 0, 0, 1, 0",
    "pendulum, 0, 0, 0, 1",
    "masked, 1, 0, 0, 0",
    "masked, 0, 1, 0, 0",
    "masked, 0, 0, 1, 0",
    "mixed, 1, 0, 0, 0",
    "mixed, 0, 1, 0, 0",
    "mixed, 0, 0, 1, 0"
  })
  void shouldHaveTheGradientOfEachTerm(
      String task, double cloning, double klPenalty, double entropy, double critic) {
    try (Sample sample = new Sample(task)) {
      // Two parts move the ratio: with a smaller step fewer samples cross the clip range within it.
      sample.requireFiniteDifferences(
          new LossCoefficients(0.05, cloning, klPenalty, entropy, critic, FREE, NO_RISK),
          task.equals("mixed") ? STEP / 8 : STEP);
    }
  }

  /** The critics of runs that were stored before particles and mean heads. */
  @Requirement({"CRIT-1", "TWIN-2"})
  @Test
  void shouldHaveTheGradientOfCriticsWithoutMeanHeads() {
    try (Sample sample =
        new Sample(
            "cartPole", "critic.meanHead=false", "critic.targets=gae", "critic.huberKappa=1")) {
      LossCoefficients coefficients = new LossCoefficients(0.05, 0, 0, 0, 1, FREE, NO_RISK);
      assertThat(sample.backward(coefficients).meanHeadLoss()).isZero();
      sample.requireFiniteDifferences(coefficients);
    }
  }

  @Requirement({"VFC-1", "VFC-2", "TWIN-2"})
  @ParameterizedTest
  @CsvSource({
    "MEAN_ONLY, quantile, true, 8",
    "MEAN_ONLY, quantile, false, 5",
    "MEAN_ONLY, categorical, true, 5",
    "MEAN_ONLY, categorical, false, 8",
    "MEAN_AND_VARIANCE, quantile, true, 8",
    "MEAN_AND_VARIANCE, quantile, false, 5",
    "PER_QUANTILE, quantile, true, 5",
    "PER_QUANTILE, quantile, false, 8"
  })
  void shouldHaveTheGradientOfLimitedCritics(
      CriticConfig.ClipMode mode, String critic, boolean twin, int hidden) {
    try (Sample sample =
        new Sample(
            "pendulum",
            "critic.type=" + critic,
            "critic.twin=" + twin,
            "network.hidden=" + hidden)) {
      Optional<ValueClip> clip =
          Optional.of(new ValueClip(mode, critic.equals("categorical") ? 0.1 : 0.3, 1.2));
      LossCoefficients coefficients = all(clip, NO_RISK);
      ClippedLoss.Reading reading = sample.backward(coefficients).valueClip().orElseThrow();
      assertThat(reading.active()).as("limits that were hit").isGreaterThan(0.1);
      assertThat(reading.binding()).as("limits that count").isBetween(0.05, 0.95);
      sample.requireFiniteDifferences(coefficients);
    }
  }

  /**
   * @param reached whether the cap ends the gradient of the term
   */
  private record Risk(
      String critic, RiskConfig.CvarMethod method, CvarLossTerm term, boolean reached) {
    static Risk of(
        String critic,
        RiskConfig.CvarMethod method,
        double weight,
        double multiplier,
        double limit,
        double cap,
        boolean reached) {
      return new Risk(
          critic, method, new CvarLossTerm(0.3, method, weight, multiplier, limit, cap), reached);
    }
  }

  static Stream<Risk> shouldHaveTheGradientOfTheRiskTerm() {
    double none = Double.POSITIVE_INFINITY;
    RiskConfig.CvarMethod masses = RiskConfig.CvarMethod.POINT_MASS;
    RiskConfig.CvarMethod curve = RiskConfig.CvarMethod.INTERPOLATED;
    return Stream.of(
        Risk.of("quantile", masses, 2, 0, 0, none, false),
        Risk.of("quantile", curve, 2, 0, 0, none, false),
        Risk.of("quantile", RiskConfig.CvarMethod.TAILS, 2, 0, 0, none, false),
        Risk.of("categorical", masses, 2, 0, 0, none, false),
        Risk.of("quantile", masses, 0, 3, 5, none, false),
        Risk.of("categorical", masses, 0, 3, 5, none, false),
        Risk.of("quantile", masses, 2, 3, 5, 100, false),
        Risk.of("quantile", masses, 2, 3, 5, 1e-3, true),
        Risk.of("categorical", masses, 2, 3, 5, 1e-3, true),
        Risk.of("quantile", masses, 0, 3, -50, none, true));
  }

  @Requirement({"CVAR-3", "CRIT-3"})
  @ParameterizedTest
  @MethodSource
  void shouldHaveTheGradientOfTheRiskTerm(Risk risk) {
    try (Sample sample = new Sample("cartPole", "critic.type=" + risk.critic())) {
      LossCoefficients without = all(FREE, NO_RISK);
      LossCoefficients with = all(FREE, Optional.of(risk.term()));
      LossResult plain = sample.backward(without);
      float[] plainGradient = sample.replica.gradient().clone();
      LossResult result = sample.backward(with);
      assertThat(result.risk().slope() == 0).isEqualTo(risk.reached());
      assertThat(result.total() - plain.total()).isCloseTo(result.risk().total(), within(1e-9));
      if (risk.reached()) {
        assertThat(sample.replica.gradient()).isEqualTo(plainGradient);
      } else {
        // Few quantiles cross within a step as small as that.
        sample.requireFiniteDifferences(with, 0x1p-12f);
        sample.requireFiniteDifferences(
            new LossCoefficients(0.05, 0, 0, 0, 0, FREE, Optional.of(risk.term())), 0x1p-12f);
      }
    }
  }

  /** What is measured of the risk term alone is the norm of its own gradient. */
  @Test
  @Requirement("CVAR-5")
  void shouldMeasureTheGradientOfTheRiskTermAlone() {
    CvarLossTerm term =
        new CvarLossTerm(0.3, RiskConfig.CvarMethod.POINT_MASS, 2, 0, 0, Double.POSITIVE_INFINITY);
    try (Sample sample = new Sample("pendulum")) {
      double measured = sample.loss.riskGradientNorm(sample.replica, sample.batch, term);
      float[] alone = sample.replica.gradient().clone();
      sample.backward(all(FREE, NO_RISK));
      float[] without = sample.replica.gradient().clone();
      sample.backward(all(FREE, Optional.of(term)));
      double squares = 0;
      for (int i = 0; i < alone.length; i++) {
        double added = sample.replica.gradient()[i] - without[i];
        assertThat(added).isCloseTo(WEIGHT * alone[i], within(1e-5));
        squares += (double) alone[i] * alone[i];
      }
      assertThat(measured).isCloseTo(Math.sqrt(squares), within(1e-5 * measured));
    }
  }

  /** Beyond a log-ratio of 20 the hard bound has no gradient; the smooth one keeps some. */
  @Requirement("POL-1")
  @ParameterizedTest
  @CsvSource({"hard, cartPole", "smooth, cartPole", "hard, pendulum", "smooth, pendulum"})
  void shouldBoundLogRatiosBeyondTwenty(String bound, String task) {
    try (Sample sample = new Sample(task, "ppo.ratioBound=" + bound)) {
      LossCoefficients surrogate = new LossCoefficients(0.05, 0, 0, 0, 0, FREE, NO_RISK);
      int[] rows = IntStream.range(0, sample.batch.size()).toArray();
      for (int row : rows) {
        int transition = sample.batch.transitions()[row];
        float far = row % 2 == 0 ? 26 : -26;
        Experience.poison(
            sample.rollout, transition, sample.rollout.logProbabilities()[transition] - far);
      }
      LossResult result = sample.backward(surrogate);
      for (float logRatio : result.logRatios()) {
        assertThat(Math.abs(logRatio)).isGreaterThan(20);
      }
      assertThat(result.total()).as("bad actions count e^20 times").isGreaterThan(1e6);
      if (bound.equals("hard")) {
        assertThat(sample.replica.gradient()).containsOnly(0);
      } else {
        // A log-ratio of 26 has a rounding of 2e-6, and a loss of 1e7 times that.
        sample.requireFiniteDifferences(surrogate, 0x1p-6f);
      }
    }
  }
}
