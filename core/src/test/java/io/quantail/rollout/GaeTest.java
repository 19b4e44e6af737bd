package io.quantail.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class GaeTest {
  private static final double GAMMA = 0.99;
  private static final double LAMBDA = 0.95;

  @Test
  @Requirement("GAE-1")
  void shouldAgreeWithRecursionWorkedByHand() {
    Gae.Result result =
        Gae.compute(
            single(new double[] {1, 2}, new double[] {0.5, 0.25}, new boolean[2], new boolean[2]));

    // delta_1 = 2 + 0.99 * 4 - 0.25, delta_0 = 1 + 0.99 * 0.25 - 0.5
    assertThat(result.advantages()[1]).isEqualTo(5.71, within(1e-12));
    assertThat(result.advantages()[0]).isEqualTo(0.7475 + 0.9405 * 5.71, within(1e-12));
    assertThat(result.returns()[1]).isEqualTo(5.96, within(1e-12));
  }

  @Test
  @Requirement("DIST-1")
  void shouldGiveTheTargetsTheirOwnTraceDecay() {
    Gae.Input input =
        single(new double[] {1, 2}, new double[] {0.5, 0.25}, new boolean[2], new boolean[2]);
    Gae.Result result = Gae.compute(input, 0.5);

    assertThat(result.advantages()).containsExactly(Gae.compute(input).advantages());
    assertThat(result.returns()[1]).isEqualTo(5.96, within(1e-12));
    assertThat(result.returns()[0]).isEqualTo(0.5 + 0.7475 + 0.495 * 5.71, within(1e-12));
  }

  @Test
  @Requirement("GAE-2")
  void shouldBootstrapTruncatedStepAndCutTrace() {
    boolean[] truncated = {true, false};
    Gae.Result result =
        Gae.compute(
            single(new double[] {1, 1e5}, new double[] {0.5, 0}, new boolean[2], truncated));

    assertThat(result.advantages()[0]).isEqualTo(1 + GAMMA * 9 - 0.5, within(1e-12));
  }

  @Test
  @Requirement("GAE-1")
  void shouldNotBootstrapTerminatedStepEvenIfAlsoTruncated() {
    boolean[] both = {true, false};
    Gae.Result result =
        Gae.compute(single(new double[] {1, 1e5}, new double[] {0.5, 0}, both, both));

    assertThat(result.advantages()[0]).isEqualTo(0.5, within(1e-12));
  }

  @Test
  @Requirement("GAE-1")
  void shouldIgnoreLastValueWhenLastStepEndedEpisode() {
    double[] one = {1};
    boolean[] yes = {true};
    boolean[] no = {false};
    double[] last = {1000};

    assertThat(
            Gae.compute(new Gae.Input(1, one, one, yes, no, one, last, GAMMA, LAMBDA)).advantages())
        .containsExactly(0);
    assertThat(
            Gae.compute(new Gae.Input(1, one, one, no, yes, one, last, GAMMA, LAMBDA)).advantages())
        .containsExactly(GAMMA);
  }

  @Test
  void shouldLimitDeltasAndAdvantages() {
    Gae.Result result =
        Gae.compute(
            single(new double[] {-5e8, -5e8}, new double[2], new boolean[2], new boolean[2]));

    assertThat(result.advantages()).containsExactly(-1e6, -1e6);

    Gae.Result opposite =
        Gae.compute(
            single(new double[] {5e8, -5e8}, new double[2], new boolean[2], new boolean[2]));
    assertThat(opposite.advantages()[0]).isEqualTo(1e6 - GAMMA * LAMBDA * 1e6, within(1e-6));
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  @Requirement("GAE-1")
  void shouldEqualDirectSumOfDiscountedDeltas(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 4) int environments,
      @ForAll @IntRange(min = 1, max = 40) int steps,
      @ForAll @DoubleRange(min = 0.01, max = 1) double gamma,
      @ForAll @DoubleRange(min = 0, max = 1) double drawn) {
    for (double lambda : new double[] {0, drawn, 1}) {
      Gae.Input input = random(seed, environments, steps, gamma, lambda);

      Gae.Result result = Gae.compute(input);

      double[] direct = directSums(input);
      for (int i = 0; i < direct.length; i++) {
        assertThat(result.advantages()[i]).isEqualTo(direct[i], within(1e-9));
        assertThat(result.returns()[i]).isEqualTo(direct[i] + input.values()[i], within(1e-9));
      }
    }
  }

  @Property(tries = 100)
  @Requirement("GAE-2")
  void shouldKeepNextEpisodeOutOfThisOne(@ForAll long seed) {
    Gae.Input input = random(seed, 1, 20, GAMMA, LAMBDA);
    input.terminated()[9] = false;
    input.truncated()[9] = true;
    double[] before = Arrays.copyOf(Gae.compute(input).advantages(), 10);
    for (int i = 10; i < 20; i++) {
      input.rewards()[i] += 100;
      input.values()[i] -= 50;
    }

    assertThat(Arrays.copyOf(Gae.compute(input).advantages(), 10)).containsExactly(before);
  }

  @Property(tries = 100)
  @Requirement("GAE-1")
  void shouldNotMixEnvironments(@ForAll long seed) {
    Gae.Input input = random(seed, 3, 12, GAMMA, LAMBDA);
    double[] before = Gae.compute(input).advantages();
    for (int step = 0; step < 12; step++) {
      input.rewards()[step * 3 + 1] += 7;
    }
    double[] after = Gae.compute(input).advantages();

    for (int i = 0; i < before.length; i++) {
      if (i % 3 != 1) {
        assertThat(after[i]).isEqualTo(before[i]);
      }
    }
  }

  @Test
  @Requirement("GAE-3")
  void shouldRefuseNonFiniteRewardWithCountAndPlace() {
    double[] rewards = {0, 0, 0, Double.NaN, Double.POSITIVE_INFINITY, 0};

    assertThatThrownBy(() -> two(rewards, new double[6], new double[6], new double[2]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rewards: 2/6")
        .hasMessageContaining("NaN at step 1 of environment 1");
  }

  @Test
  @Requirement("GAE-3")
  void shouldRefuseNonFiniteValuesBootstrapsAndLastValues() {
    double[] good = new double[6];
    double[] bad = {0, 0, 0, 0, 0, Double.NEGATIVE_INFINITY};

    assertThatThrownBy(() -> two(good, bad, good, new double[2]))
        .hasMessageContaining("values: 1/6");
    assertThatThrownBy(() -> two(good, good, bad, new double[2]))
        .hasMessageContaining("bootstrap: 1/6");
    assertThatThrownBy(() -> two(good, good, good, new double[] {Double.NaN, 0}))
        .hasMessageContaining("lastValues: 1/2");
  }

  @Test
  void shouldRefuseArraysOfDifferentShape() {
    double[] six = new double[6];

    assertThatThrownBy(() -> two(new double[5], six, six, new double[2]))
        .hasMessageContaining("rewards must hold whole steps of 2 environments");
    assertThatThrownBy(() -> two(new double[0], six, six, new double[2]))
        .hasMessageContaining("at least one");
    assertThatThrownBy(() -> two(six, new double[4], six, new double[2]))
        .hasMessageContaining("values must hold 6 values");
    assertThatThrownBy(() -> two(six, six, new double[4], new double[2]))
        .hasMessageContaining("bootstrap must hold 6 values");
    assertThatThrownBy(() -> two(six, six, six, new double[3]))
        .hasMessageContaining("lastValues must hold 2 values");
  }

  @Test
  void shouldRefuseFactorsOutsideTheirRange() {
    double[] one = {1};
    boolean[] no = {false};

    for (double gamma : new double[] {0, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> new Gae.Input(1, one, one, no, no, one, one, gamma, 1))
          .hasMessageContaining("gamma must be in (0, 1], was " + gamma);
    }
    assertThatThrownBy(() -> new Gae.Input(1, one, one, no, no, one, one, 1, -0.1))
        .hasMessageContaining("lambda must be in [0, 1], was -0.1");
    assertThatThrownBy(() -> new Gae.Input(0, one, one, no, no, one, one, 1, 1))
        .hasMessageContaining("environments must be at least 1, was 0");
  }

  /** One environment, bootstrap 9 everywhere, last value 4. */
  private static Gae.Input single(
      double[] rewards, double[] values, boolean[] terminated, boolean[] truncated) {
    double[] bootstrap = new double[rewards.length];
    Arrays.fill(bootstrap, 9);
    return new Gae.Input(
        1, rewards, values, terminated, truncated, bootstrap, new double[] {4}, GAMMA, LAMBDA);
  }

  private static Gae.Input two(
      double[] rewards, double[] values, double[] bootstrap, double[] lastValues) {
    return new Gae.Input(
        2,
        rewards,
        values,
        new boolean[rewards.length],
        new boolean[rewards.length],
        bootstrap,
        lastValues,
        GAMMA,
        LAMBDA);
  }

  private static Gae.Input random(
      long seed, int environments, int steps, double gamma, double lambda) {
    RandomStream random = RandomStream.of(seed, "gae-test", 0);
    int size = environments * steps;
    boolean[] terminated = new boolean[size];
    boolean[] truncated = new boolean[size];
    for (int i = 0; i < size; i++) {
      terminated[i] = random.nextDouble() < 0.1;
      truncated[i] = random.nextDouble() < 0.1;
    }
    return new Gae.Input(
        environments,
        gaussians(random, size),
        gaussians(random, size),
        terminated,
        truncated,
        gaussians(random, size),
        gaussians(random, environments),
        gamma,
        lambda);
  }

  private static double[] gaussians(RandomStream random, int size) {
    double[] values = new double[size];
    Arrays.setAll(values, i -> random.nextGaussian());
    return values;
  }

  /** The definition: from each step, the discounted deltas up to the end of its episode. */
  private static double[] directSums(Gae.Input input) {
    int n = input.environments();
    int size = input.rewards().length;
    double[] sums = new double[size];
    for (int start = 0; start < size; start++) {
      double discount = 1;
      for (int i = start; i < size; i += n) {
        boolean last = i + n >= size;
        double next = last ? input.lastValues()[i % n] : input.values()[i + n];
        if (input.truncated()[i]) {
          next = input.bootstrap()[i];
        }
        if (input.terminated()[i]) {
          next = 0;
        }
        sums[start] += discount * (input.rewards()[i] + input.gamma() * next - input.values()[i]);
        if (input.terminated()[i] || input.truncated()[i]) {
          break;
        }
        discount *= input.gamma() * input.lambda();
      }
    }
    return sums;
  }
}
