package io.quantail.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import io.quantail.value.ExplainedVariance.Grouped;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ExplainedVarianceTest {
  private static final double[] TARGETS = {1, 2, 4, 9};

  @Test
  @Requirement("EV-1")
  void shouldBeOneForPerfectAndZeroForMeanPrediction() {
    assertThat(ExplainedVariance.of(TARGETS, TARGETS)).hasValue(1);
    assertThat(ExplainedVariance.of(TARGETS, new double[] {4, 4, 4, 4}).getAsDouble())
        .isEqualTo(0, within(1e-9));
  }

  @Test
  @Requirement("EV-1")
  void shouldBeNegativeForPredictionWorseThanMean() {
    assertThat(ExplainedVariance.of(TARGETS, new double[] {9, 4, 2, 1}).getAsDouble()).isNegative();
  }

  @Test
  @Requirement("EV-1")
  void shouldBeUndefinedNotZeroWhereNothingVaries() {
    double[] constant = {0.1, 0.1, 0.1};

    assertThat(ExplainedVariance.of(constant, new double[] {1, 2, 3})).isEmpty();
    assertThat(ExplainedVariance.of(new double[] {1}, new double[] {1})).isEmpty();
    assertThat(ExplainedVariance.of(new double[0], new double[0])).isEmpty();
  }

  @Test
  @Requirement("EV-1")
  void shouldLeaveOutRowsThatAreNotFinite() {
    double[] targets = {1, Double.NaN, 2, 4, 9};
    double[] predictions = {1.5, 0, 2, 3, Double.POSITIVE_INFINITY};

    assertThat(ExplainedVariance.of(targets, predictions))
        .isEqualTo(ExplainedVariance.of(new double[] {1, 2, 4}, new double[] {1.5, 2, 3}));
    assertThat(ExplainedVariance.of(new double[] {1, Double.NaN}, new double[] {1, 2})).isEmpty();
  }

  @Test
  @Requirement("EV-1")
  void shouldEstimateFromRowsByTheRatioToEarlierErrors() {
    double[] predictions = {1, 3, 4, 8};
    double[] before = {1, 1, 4, 6};
    int[] all = {0, 1, 2, 3};
    assertThat(ExplainedVariance.sampled(TARGETS, before, all, predictions, 4))
        .isEqualTo(ExplainedVariance.of(TARGETS, predictions));

    // On the rows, errors of -1 and 0 (variance 1/2) follow errors of 1 and 0 (variance 1/2).
    int[] rows = {1, 2};
    OptionalDouble same = ExplainedVariance.sampled(TARGETS, before, rows, new double[] {3, 4}, 3);
    assertThat(same.getAsDouble())
        .isEqualTo(ExplainedVariance.of(TARGETS, before).getAsDouble(), within(1e-12));
    // Errors of 1/2 and 0 have a variance of 1/8; earlier errors 0, 1, 0, 3 have 2.
    OptionalDouble better =
        ExplainedVariance.sampled(TARGETS, before, rows, new double[] {1.5, 4}, 3);
    double ratio = (3 / 8.0 + 2) / (3 / 2.0 + 2);
    assertThat(better.getAsDouble()).isEqualTo(1 - 2 * ratio / (38.0 / 3), within(1e-12));
  }

  @Test
  @Requirement("EV-1")
  void shouldEstimateFromRowsAloneWhereEarlierErrorsDoNotVary() {
    double[] shifted = Arrays.stream(TARGETS).map(target -> target - 1).toArray();
    // Var(targets) = 38 / 3; the errors of the second and third are -1 and 0: variance 1 / 2.
    OptionalDouble sampled =
        ExplainedVariance.sampled(TARGETS, shifted, new int[] {1, 2}, new double[] {3, 4}, 1);
    assertThat(sampled.getAsDouble()).isEqualTo(1 - 0.5 / (38.0 / 3), within(1e-12));
    assertThat(ExplainedVariance.sampled(TARGETS, shifted, new int[] {1}, new double[] {2}, 1))
        .isEmpty();
  }

  /**
   * Windows with an error each, which an update lowers by a tenth: the windows that are measured
   * matter little.
   */
  @Test
  @Requirement("EV-1")
  void shouldHardlyDependOnTheWindowsThatAreMeasured() {
    int count = 40;
    double[] targets = gaussians(5, 0, count * 32);
    double[] errors = gaussians(5, 1, count);
    double[] before = new double[targets.length];
    double[] after = new double[targets.length];
    for (int i = 0; i < targets.length; i++) {
      before[i] = targets[i] + errors[i / 32];
      after[i] = targets[i] + 0.9 * errors[i / 32];
    }
    double whole = ExplainedVariance.of(targets, after).getAsDouble();
    double worst = 0;
    double worstAlone = 0;
    for (int first = 0; first < targets.length; first += 8 * 32) {
      int[] rows = IntStream.range(first, first + 8 * 32).toArray();
      double[] measured = Arrays.copyOfRange(after, first, first + 8 * 32);
      double estimate = ExplainedVariance.sampled(targets, before, rows, measured, 8).getAsDouble();
      worst = Math.max(worst, Math.abs(estimate - whole));
      double[] wanted = Arrays.copyOfRange(targets, first, first + 8 * 32);
      double alone = ExplainedVariance.of(wanted, measured).getAsDouble();
      worstAlone = Math.max(worstAlone, Math.abs(alone - whole));
    }
    assertThat(worst).isLessThan(0.05);
    assertThat(worstAlone).isGreaterThan(0.2);
  }

  @Property(tries = 100)
  void shouldNotChangeWithEqualWeightsOrWithRowsOfWeightZero(
      @ForAll long seed, @ForAll @IntRange(min = 3, max = 50) int size) {
    double[] targets = gaussians(seed, 0, size);
    double[] predictions = gaussians(seed, 1, size);
    double[] weights = new double[size];
    Arrays.fill(weights, 0, size - 1, 0.3);

    double weighted = ExplainedVariance.weighted(targets, predictions, weights).orElse(Double.NaN);
    double shorter =
        ExplainedVariance.of(Arrays.copyOf(targets, size - 1), Arrays.copyOf(predictions, size - 1))
            .orElse(Double.NaN);

    assertThat(weighted).isEqualTo(shorter, within(1e-6 * (1 + Math.abs(shorter))));
  }

  @Test
  void shouldBeUndefinedForUselessWeights() {
    double[] predictions = {1, 2, 3, 4};

    assertThat(ExplainedVariance.weighted(TARGETS, predictions, new double[4])).isEmpty();
    assertThat(
            ExplainedVariance.weighted(TARGETS, predictions, new double[] {1e51, 1e51, 1e51, 1e51}))
        .isEmpty();
    assertThat(ExplainedVariance.weighted(TARGETS, predictions, new double[] {1, -1, 0, 0}))
        .isEmpty();
  }

  @Test
  @Requirement("EV-1")
  void shouldShowConstantOffsetAsBiasOnly() {
    double[] shifted = Arrays.stream(TARGETS).map(v -> v + 3).toArray();

    assertThat(ExplainedVariance.of(TARGETS, shifted).getAsDouble()).isEqualTo(1, within(1e-9));
    assertThat(ExplainedVariance.bias(TARGETS, shifted)).hasValue(-3);
    assertThat(ExplainedVariance.bias(new double[0], new double[0])).isEmpty();
  }

  @Test
  void shouldCorrelate() {
    double[] opposite = Arrays.stream(TARGETS).map(v -> 5 - 2 * v).toArray();

    assertThat(ExplainedVariance.correlation(TARGETS, opposite).getAsDouble())
        .isEqualTo(-1, within(1e-12));
    assertThat(ExplainedVariance.correlation(TARGETS, new double[] {1, 2, 2, 1}).getAsDouble())
        .isEqualTo(-4 / Math.sqrt(38 * 4), within(1e-12));
    assertThat(ExplainedVariance.correlation(TARGETS, new double[4])).isEmpty();
  }

  @Test
  void shouldSummarizeDefinedGroupsOnly() {
    double[] targets = {1, 2, 3, 0, 10, 5, 7, 7};
    double[] predictions = {1, 2, 3, 10, 0, 5, 1, 2};
    List<String> keys = List.of("good", "good", "good", "bad", "bad", "single", "flat", "flat");

    Grouped<String> grouped = ExplainedVariance.grouped(targets, predictions, keys, 0);

    assertThat(grouped.groups().keySet()).containsExactly("good", "bad", "single", "flat");
    assertThat(grouped.groups().get("good")).hasValue(1);
    assertThat(grouped.groups().get("bad").getAsDouble()).isEqualTo(-3, within(1e-9));
    assertThat(grouped.groups().get("single")).isEmpty();
    assertThat(grouped.groups().get("flat")).isEmpty();
    assertThat(grouped.mean().getAsDouble()).isEqualTo(-1, within(1e-9));
    assertThat(grouped.weightedMean().getAsDouble()).isEqualTo(-0.6, within(1e-9));
    assertThat(grouped.median().getAsDouble()).isEqualTo(-1, within(1e-9));
  }

  @Test
  void shouldDropGroupsBelowTheVarianceFloor() {
    double[] targets = {1, 2, 10, 20};
    Grouped<Integer> grouped =
        ExplainedVariance.grouped(targets, targets, List.of(1, 1, 2, 2), 0.5);

    assertThat(grouped.groups().get(1)).isEmpty();
    assertThat(grouped.groups().get(2)).isEqualTo(OptionalDouble.of(1));
  }

  @Test
  void shouldRefuseArraysOfDifferentLength() {
    assertThatThrownBy(() -> ExplainedVariance.of(TARGETS, new double[3]))
        .hasMessageContaining("predictions must have one entry per target, 4, but have 3");
    assertThatThrownBy(() -> ExplainedVariance.weighted(TARGETS, TARGETS, new double[3]))
        .hasMessageContaining("weights");
    assertThatThrownBy(() -> ExplainedVariance.grouped(TARGETS, TARGETS, List.of("a"), 0))
        .hasMessageContaining("keys");
  }

  private static double[] gaussians(long seed, int stream, int size) {
    RandomStream random = RandomStream.of(seed, "explained-variance-test", stream);
    double[] values = new double[size];
    Arrays.setAll(values, i -> random.nextGaussian());
    return values;
  }
}
