package io.quantail.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RiskConfig;
import io.quantail.math.StandardNormal;
import io.quantail.random.RandomStream;
import io.quantail.state.StateArray;
import io.quantail.state.StateException;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import io.quantail.value.Critic;
import io.quantail.value.QuantileCritic;
import io.quantail.value.ReturnScale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which predictions are compared with which returns, and what is measured. */
@Requirement("DIST-5")
class CalibrationTest {
  private static final RiskConfig RISK = RiskConfig.defaults();
  private static final double HALF = 0.5; // its horizon is 5 rewards

  /** A prediction that is uniform on [0, 20] between the levels 0.25 and 0.75. */
  private static final float[] WIDE = {0, 20};

  @Test
  void shouldHaveTheHorizonOfTheDiscount() {
    assertThat(RealisedReturns.horizon(0.99)).isEqualTo(299);
    assertThat(RealisedReturns.horizon(0.6)).isEqualTo(6);
    assertThat(RealisedReturns.horizon(HALF)).isEqualTo(5);
    assertThat(RealisedReturns.horizon(1e-9)).isEqualTo(1);
    assertThat(RealisedReturns.horizon(1)).isEqualTo(Long.MAX_VALUE);
  }

  /** Rewards 1, 2, 3, 4 | 5, 6 end | 7, 8 cut: six returns, worked by hand. */
  @Test
  void shouldCompareWaitingStepsWhenTheirEpisodeTerminates() {
    Calibration calibration = one(HALF);
    CalibrationReport first = calibration.observe(open(1, 2, 3, 4), ReturnScale.IDENTITY);
    assertThat(first.usableFraction()).isZero();
    assertThat(first.independent()).isZero();
    assertThat(calibration.waiting()).isEqualTo(4);

    CalibrationReport second =
        calibration.observe(
            transitions(new double[] {5, 6, 7, 8}, new int[] {1}, new int[] {3}),
            ReturnScale.IDENTITY);
    assertThat(calibration.sample().levels())
        .containsExactly(levels(3.75, 5.5, 7, 8, 8, 6), within(1e-7));
    assertThat(calibration.waiting()).isZero();
    assertThat(second.usableFraction()).isEqualTo(6 / 4.0);
    assertThat(second.independent()).isCloseTo(6 * 0.5 / 1.5, within(1e-12));
    assertThat(second.episodes().longest()).isEqualTo(6);
    assertThat(second.episodes().truncated()).isTrue();
    CalibrationSummary summary = calibration.sample().summary().orElseThrow();
    assertThat(summary.lagUpdates()).isCloseTo(4 / 6.0, within(1e-12));
    assertThat(summary.steps()).isEqualTo(6);
  }

  /** All rewards that are known when the horizon is over count: 8, 7, 6, 5 of them. */
  @Test
  void shouldCompareWaitingStepsWhenTheirHorizonIsOver() {
    Calibration calibration = one(HALF);
    calibration.observe(open(1, 2, 3, 4), ReturnScale.IDENTITY);
    calibration.observe(open(5, 6, 7, 8), ReturnScale.IDENTITY);
    double g5 = 5 + 6 / 2.0 + 7 / 4.0 + 8 / 8.0;
    double g4 = 4 + g5 / 2;
    double g3 = 3 + g4 / 2;
    double g2 = 2 + g3 / 2;
    assertThat(calibration.sample().levels())
        .containsExactly(levels(1 + g2 / 2, g2, g3, g4), within(1e-7));
    assertThat(calibration.waiting()).isEqualTo(4);
  }

  @Test
  void shouldDropWhatIsTruncatedBeforeItsHorizon() {
    Calibration calibration = one(HALF);
    calibration.observe(open(1, 2, 3, 4), ReturnScale.IDENTITY);
    CalibrationReport cut =
        calibration.observe(
            transitions(new double[] {5, 1, 1, 1}, new int[] {}, new int[] {0}),
            ReturnScale.IDENTITY);
    double g1 = 1 + 2 / 2.0 + 3 / 4.0 + 4 / 8.0 + 5 / 16.0;
    assertThat(calibration.sample().levels()).containsExactly(levels(g1), within(1e-7));
    assertThat(calibration.waiting()).isEqualTo(3);
    assertThat(cut.usableFraction()).isEqualTo(0.25);
  }

  /** The second critic has the lower mean; the waiting step keeps the scale it was made with. */
  @Test
  void shouldReadTheLowerCriticInItsOwnScale() {
    Calibration calibration = new Calibration(new QuantileCritic(2, 1), 1, HALF, RISK);
    float[] twins = {100, 200, 0, 2, 0, 2, 100, 200};
    ReturnScale tens = new ReturnScale(-5, 10); // [0, 2] means [-5, 15]
    calibration.observe(
        new Calibration.Transitions(new double[] {1, 2}, new boolean[2], new boolean[2], twins),
        tens);
    calibration.observe(
        new Calibration.Transitions(
            new double[] {4, 0}, new boolean[] {true, true}, new boolean[2], new float[8]),
        ReturnScale.IDENTITY);
    // Returns 1 + 1 + 1 = 3 and 2 + 2 = 4 are 0.8 and 0.9 in units of the scale.
    assertThat(Arrays.copyOf(calibration.sample().levels(), 2))
        .containsExactly(new double[] {0.25 + 0.5 * 0.8 / 2, 0.25 + 0.5 * 0.9 / 2}, within(1e-7));
  }

  /** A slow loop over whole episodes, over many rollouts with random ends. */
  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.6, 0.9, 1})
  void shouldAgreeWithALoopOverEpisodes(double gamma) {
    int environments = 3;
    int steps = 7;
    int rollouts = 17;
    RandomStream random = RandomStream.of(5, "calibration", 0);
    Critic critic = new QuantileCritic(2, 1);
    Calibration calibration = new Calibration(critic, environments, gamma, RISK);
    int count = rollouts * steps * environments;
    double[] rewards = new double[count];
    boolean[] terminated = new boolean[count];
    boolean[] truncated = new boolean[count];
    float[] outputs = new float[2 * count];
    for (int i = 0; i < count; i++) {
      rewards[i] = random.nextGaussian();
      terminated[i] = random.nextDouble() < 0.03;
      truncated[i] = random.nextDouble() < 0.03;
      outputs[2 * i] = (float) random.nextGaussian();
      outputs[2 * i + 1] = outputs[2 * i] + 1 + (float) random.nextDouble();
    }
    List<Double> levels = new ArrayList<>();
    double independent = 0;
    for (int r = 0; r < rollouts; r++) {
      int from = r * steps * environments;
      int to = from + steps * environments;
      CalibrationReport report =
          calibration.observe(
              new Calibration.Transitions(
                  Arrays.copyOfRange(rewards, from, to),
                  Arrays.copyOfRange(terminated, from, to),
                  Arrays.copyOfRange(truncated, from, to),
                  Arrays.copyOfRange(outputs, 2 * from, 2 * to)),
              ReturnScale.IDENTITY);
      independent = report.independent();
      assertThat(report.pooled()).isEmpty();
    }
    int episodes = 0;
    for (int i = 0; i < count; i++) {
      episodes += terminated[i] ? 1 : 0;
      double sum = 0;
      int known = 0;
      boolean decided = false;
      for (int j = i; j < count && !decided; j += environments) {
        sum += Math.pow(gamma, known++) * rewards[j];
        boolean rolloutEnds = j / environments % steps == steps - 1;
        boolean enough = known >= RealisedReturns.horizon(gamma);
        decided = terminated[j] || truncated[j] || (rolloutEnds && enough);
        if (terminated[j] || (decided && enough)) {
          critic.read(outputs, 2 * i);
          levels.add((double) (float) critic.level(sum));
        }
      }
    }
    double[] expected = levels.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    double[] actual = calibration.sample().levels();
    Arrays.sort(actual);
    assertThat(actual).hasSizeGreaterThan(100).containsExactly(expected, within(1e-6));
    assertThat(independent)
        .isCloseTo(
            gamma == 1 ? episodes : expected.length * (1 - gamma) / (1 + gamma), within(1e-9));
  }

  /** N(0, 1) rewards: the return is normal with variance 1 / (1 - gamma^2). */
  @Test
  void shouldFindARightPredictionCalibrated() {
    List<CalibrationSummary> pools = simulate(1, 8);
    assertThat(pools).hasSize(8);
    assertThat(mean(pools, CalibrationSummary::coverage05)).isCloseTo(0.05, within(0.02));
    assertThat(mean(pools, CalibrationSummary::coverage20)).isCloseTo(0.20, within(0.03));
    assertThat(mean(pools, CalibrationSummary::coverage50)).isCloseTo(0.50, within(0.04));
    assertThat(mean(pools, CalibrationSummary::coverage95)).isCloseTo(0.95, within(0.02));
    assertThat(mean(pools, CalibrationSummary::pitDeviation)).isLessThan(0.03);
    assertThat(pools)
        .allSatisfy(pool -> assertThat(pool.independent()).isGreaterThanOrEqualTo(200))
        .allSatisfy(pool -> assertThat(pool.pitDeviation()).isLessThan(0.06));
    double ratio =
        mean(pools, CalibrationSummary::tailRealised)
            / mean(pools, CalibrationSummary::tailPredicted);
    assertThat(ratio).isBetween(0.8, 1.25);
  }

  /** P(z <= 0.41 × -1.645) = 0.25. */
  @Test
  void shouldFindANarrowPredictionMiscalibrated() {
    List<CalibrationSummary> pools = simulate(0.41, 4);
    assertThat(mean(pools, CalibrationSummary::coverage05)).isCloseTo(0.25, within(0.04));
    assertThat(mean(pools, CalibrationSummary::pitDeviation)).isCloseTo(0.131, within(0.02));
    double ratio =
        mean(pools, CalibrationSummary::tailRealised)
            / mean(pools, CalibrationSummary::tailPredicted);
    assertThat(ratio).isBetween(1.3, 1.7);
  }

  /** The first pools of 8 environments with rollouts of 128 steps, gamma 0.9. */
  static List<CalibrationSummary> simulate(double width, int count) {
    double gamma = 0.9;
    int transitions = 8 * 128;
    int quantiles = 51;
    Calibration calibration = new Calibration(new QuantileCritic(quantiles, 1), 8, gamma, RISK);
    float[] outputs = new float[transitions * quantiles];
    for (int i = 0; i < outputs.length; i++) {
      double level = (i % quantiles + 0.5) / quantiles;
      outputs[i] = (float) (width * StandardNormal.quantile(level) / Math.sqrt(1 - gamma * gamma));
    }
    RandomStream random = RandomStream.of(7, "calibration", 0);
    List<CalibrationSummary> pools = new ArrayList<>();
    while (pools.size() < count) {
      double[] rewards = new double[transitions];
      Arrays.setAll(rewards, i -> random.nextGaussian());
      calibration
          .observe(
              new Calibration.Transitions(
                  rewards, new boolean[transitions], new boolean[transitions], outputs),
              ReturnScale.IDENTITY)
          .pooled()
          .ifPresent(pools::add);
    }
    return pools;
  }

  @Test
  void shouldContinueFromASavedState() {
    RandomStream random = RandomStream.of(3, "calibration", 1);
    Calibration whole = one(0.6);
    List<CalibrationReport> expected = new ArrayList<>();
    List<CalibrationReport> actual = new ArrayList<>();
    Calibration resumed = one(0.6);
    for (int i = 0; i < 300; i++) {
      double[] rewards = new double[4];
      Arrays.setAll(rewards, k -> random.nextGaussian());
      int[] ended = random.nextDouble() < 0.2 ? new int[] {2} : new int[0];
      int[] cut = random.nextDouble() < 0.2 ? new int[] {1} : new int[0];
      expected.add(whole.observe(transitions(rewards, ended, cut), ReturnScale.IDENTITY));
      StateMap state = new StateMap();
      resumed.save(state);
      resumed = one(0.6);
      resumed.load(state);
      state.requireAllRead();
      actual.add(resumed.observe(transitions(rewards, ended, cut), ReturnScale.IDENTITY));
    }
    assertThat(actual).isEqualTo(expected);
    assertThat(expected).anyMatch(report -> report.pooled().isPresent());
  }

  @Test
  void shouldBeginAnewWithAStateOfAnOlderBuild() {
    Calibration calibration = one(HALF);
    calibration.observe(open(1, 2, 3, 4), ReturnScale.IDENTITY);
    calibration.load(new StateMap().child("calibration"));
    assertThat(calibration.waiting()).isZero();
  }

  @Test
  void shouldRefuseADamagedState() {
    Calibration calibration = one(HALF);
    calibration.observe(open(1, 2, 3, 4), ReturnScale.IDENTITY);
    StateMap saved = new StateMap();
    calibration.save(saved);
    StateMap damaged = new StateMap();
    saved
        .entries()
        .forEach(
            (name, array) -> {
              double[] numbers =
                  name.equals("waiting/numbers") ? array.toDoubles() : new double[] {0};
              numbers[0] = 7; // an environment that does not exist
              damaged.put(
                  name,
                  name.equals("waiting/numbers") ? StateArray.ofDoubles(numbers, 4, 6) : array);
            });
    assertThatThrownBy(() -> calibration.load(damaged))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("environment 7.0 of 1");
    assertThat(calibration.waiting()).isEqualTo(4);
  }

  @Test
  void shouldForgetEpisodesThatDoNotGoOn() {
    Calibration calibration = one(HALF);
    calibration.observe(open(1, 2, 3, 4), ReturnScale.IDENTITY);
    calibration.abandonEpisodes();
    calibration.observe(
        transitions(new double[] {1, 2, 3, 4}, new int[] {3}, new int[] {}), ReturnScale.IDENTITY);
    assertThat(calibration.sample().size()).isEqualTo(4);
  }

  /** 8 environments that never end, gamma 1: memory stays bounded, and steps stay even. */
  @Test
  void shouldCompareEverySecondStepWhenTooManyWait() {
    int environments = 8;
    int steps = 4096;
    int transitions = environments * steps;
    Calibration calibration = new Calibration(new QuantileCritic(1, 1), environments, 1, RISK);
    boolean[] none = new boolean[transitions];
    Calibration.Transitions rollout =
        new Calibration.Transitions(new double[transitions], none, none, new float[transitions]);
    calibration.observe(rollout, ReturnScale.IDENTITY);
    assertThat(calibration.waiting()).isEqualTo(Calibration.MOST_WAITING);
    calibration.observe(rollout, ReturnScale.IDENTITY);
    assertThat(calibration.waiting()).isEqualTo(Calibration.MOST_WAITING);
    calibration.observe(rollout, ReturnScale.IDENTITY);
    assertThat(calibration.waiting()).isEqualTo(3 * 4096 / 4 * environments);

    boolean[] ends = new boolean[transitions];
    Arrays.fill(ends, transitions - environments, transitions, true);
    CalibrationReport ended =
        calibration.observe(
            new Calibration.Transitions(
                new double[transitions], ends, none, new float[transitions]),
            ReturnScale.IDENTITY);
    assertThat(calibration.sample().size()).isEqualTo(4 * 4096 / 4 * environments);
    assertThat(ended.independent()).as("one per episode").isEqualTo(environments);
    assertThat(ended.usableFraction()).isEqualTo(4);
  }

  @Test
  void shouldLeaveOutPredictionsThatAreNotFinite() {
    Calibration calibration = one(HALF);
    CalibrationReport report =
        calibration.observe(
            new Calibration.Transitions(
                new double[] {1, 1},
                new boolean[] {false, true},
                new boolean[2],
                new float[] {0, Float.NaN, 0, 20}),
            ReturnScale.IDENTITY);
    assertThat(calibration.sample().size()).isEqualTo(1);
    assertThat(report.usableFraction()).isEqualTo(0.5);
    assertThat(calibration.sample().levels()).containsExactly(levels(1), within(1e-7));
  }

  private static double mean(
      List<CalibrationSummary> pools, ToDoubleFunction<CalibrationSummary> number) {
    return pools.stream().mapToDouble(number).average().orElseThrow();
  }

  private static double[] levels(double... returns) {
    return Arrays.stream(returns).map(value -> 0.25 + 0.5 * value / 20).toArray();
  }

  private static Calibration one(double gamma) {
    return new Calibration(new QuantileCritic(2, 1), 1, gamma, RISK);
  }

  private static Calibration.Transitions open(double... rewards) {
    return transitions(rewards, new int[0], new int[0]);
  }

  private static Calibration.Transitions transitions(
      double[] rewards, int[] terminated, int[] truncated) {
    float[] outputs = new float[2 * rewards.length];
    for (int i = 0; i < outputs.length; i++) {
      outputs[i] = WIDE[i % 2];
    }
    return new Calibration.Transitions(
        rewards, flags(rewards.length, terminated), flags(rewards.length, truncated), outputs);
  }

  private static boolean[] flags(int size, int[] places) {
    boolean[] flags = new boolean[size];
    for (int place : places) {
      flags[place] = true;
    }
    return flags;
  }
}
