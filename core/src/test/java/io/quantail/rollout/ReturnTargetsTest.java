package io.quantail.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The particles against a walk forwards, and their bounds. */
class ReturnTargetsTest {
  private static final int ENVIRONMENTS = 3;
  private static final int STEPS = 40;
  private static final int COUNT = 5;
  private static final double GAMMA = 0.93;

  /** A distribution per transition: the level on a line with its own start and slope. */
  private static final class Lines implements ReturnTargets.Following {
    private int selected;

    @Override
    public void select(int transition) {
      selected = transition;
    }

    @Override
    public double draw(double level) {
      return at(selected, level);
    }

    static double at(int transition, double level) {
      return Math.sin(transition) + level * (1 + transition % 4);
    }
  }

  private static Gae.Input collected() {
    RandomStream random = RandomStream.of(3, "targets", 0);
    int size = STEPS * ENVIRONMENTS;
    double[] rewards = new double[size];
    boolean[] terminated = new boolean[size];
    boolean[] truncated = new boolean[size];
    for (int i = 0; i < size; i++) {
      rewards[i] = random.nextGaussian();
      terminated[i] = random.nextDouble() < 0.1;
      truncated[i] = random.nextDouble() < 0.1;
    }
    return new Gae.Input(
        ENVIRONMENTS,
        rewards,
        new double[size],
        terminated,
        truncated,
        new double[size],
        new double[ENVIRONMENTS],
        GAMMA,
        0.9);
  }

  /** Adds discounted rewards until a draw or a termination ends the particle. */
  private static double walk(
      Gae.Input collected, double[] uniforms, int start, int k, double lambda) {
    double sum = 0;
    double discount = 1;
    int at = start;
    while (true) {
      sum += discount * collected.rewards()[at];
      discount *= GAMMA;
      if (collected.terminated()[at]) {
        return sum;
      }
      double level = (uniforms[at] + (double) k / COUNT) % 1;
      boolean last = at + ENVIRONMENTS >= collected.rewards().length;
      if (collected.truncated()[at] || last) {
        return sum + discount * Lines.at(at, level);
      }
      if (level >= lambda) {
        return sum + discount * Lines.at(at, (level - lambda) / (1 - lambda));
      }
      at += ENVIRONMENTS;
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.6, 0.95, 1})
  @Requirement("DIST-1")
  void shouldEqualAWalkForwards(double lambda) {
    Gae.Input collected = collected();
    double[] uniforms = ReturnTargets.uniforms(9, 4, STEPS * ENVIRONMENTS);
    ReturnTargets targets = ReturnTargets.of(collected, new Lines(), uniforms, COUNT, lambda);
    for (int i = 0; i < STEPS * ENVIRONMENTS; i++) {
      for (int k = 0; k < COUNT; k++) {
        assertThat(targets.particles()[i * COUNT + k])
            .isCloseTo(walk(collected, uniforms, i, k, lambda), within(1e-12));
      }
    }
  }

  @Test
  @Requirement("DIST-1")
  void shouldHaveTheGaeReturnAsMean() {
    Gae.Input rewards = collected();
    int size = STEPS * ENVIRONMENTS;
    double[] values = new double[size]; // of the observation before each step
    double[] bootstrap = new double[size];
    double[] last = new double[ENVIRONMENTS];
    for (int i = 0; i < size; i++) {
      bootstrap[i] = Lines.at(i, 0.5);
      if (i >= ENVIRONMENTS) {
        values[i] = Lines.at(i - ENVIRONMENTS, 0.5);
      }
    }
    Arrays.setAll(last, e -> Lines.at(size - ENVIRONMENTS + e, 0.5));
    Gae.Input collected =
        new Gae.Input(
            ENVIRONMENTS,
            rewards.rewards(),
            values,
            rewards.terminated(),
            rewards.truncated(),
            bootstrap,
            last,
            GAMMA,
            0.9);
    double[] expected = Gae.compute(collected).returns();
    double[] sums = new double[size];
    double[] squares = new double[size];
    int sets = 20_000;
    for (int set = 0; set < sets; set++) {
      ReturnTargets targets =
          ReturnTargets.of(
              collected, new Lines(), ReturnTargets.uniforms(11, set, size), COUNT, 0.9);
      for (int i = 0; i < size; i++) {
        double mean = 0;
        for (int k = 0; k < COUNT; k++) {
          mean += targets.particles()[i * COUNT + k] / COUNT;
        }
        sums[i] += mean;
        squares[i] += mean * mean;
      }
    }
    for (int i = 0; i < size; i++) {
      double mean = sums[i] / sets;
      double error = Math.sqrt(Math.max(0, squares[i] / sets - mean * mean) / sets);
      assertThat(mean).isCloseTo(expected[i], within(4.5 * error + 1e-9)); // 120 comparisons
    }
  }

  @Test
  void shouldReportDrawsAndTheWeightOfTheEnd() {
    Gae.Input two =
        new Gae.Input(
            1,
            new double[] {1, 2},
            new double[2],
            new boolean[2],
            new boolean[2],
            new double[2],
            new double[1],
            0.5,
            1);
    ReturnTargets targets = ReturnTargets.of(two, new Lines(), new double[] {0.3, 0.6}, 1, 1);
    assertThat(targets.drawnFraction()).isEqualTo(0.5);
    assertThat(targets.endWeight()).isEqualTo((0.25 + 0.5) / 2);
    assertThat(targets.particles()[1]).isEqualTo(2 + 0.5 * Lines.at(1, 0.6));
    assertThat(targets.particles()[0]).isEqualTo(1 + 0.5 * targets.particles()[1]);
  }

  @Test
  @Requirement("DIST-2")
  void shouldGiveEachPlaceItsOwnNumber() {
    double[] uniforms = ReturnTargets.uniforms(1, 5, 100);
    assertThat(ReturnTargets.uniforms(1, 5, 40)).isEqualTo(Arrays.copyOf(uniforms, 40));
    assertThat(ReturnTargets.uniforms(1, 6, 100)).doesNotContain(uniforms);
    assertThat(ReturnTargets.uniforms(2, 5, 100)).doesNotContain(uniforms);
    assertThat(uniforms).doesNotHaveDuplicates();
    assertThat(Arrays.stream(uniforms)).allMatch(u -> u >= 0 && u < 1);
  }

  @Test
  void shouldRefuseDrawsThatAreNotFinite() {
    ReturnTargets.Following broken =
        new ReturnTargets.Following() {
          @Override
          public void select(int transition) {}

          @Override
          public double draw(double level) {
            return Double.NaN;
          }
        };
    double[] uniforms = ReturnTargets.uniforms(1, 1, STEPS * ENVIRONMENTS);
    assertThatThrownBy(() -> ReturnTargets.of(collected(), broken, uniforms, COUNT, 0.9))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the critics predict the return NaN after step")
        .hasMessageContaining("of environment");
    assertThatThrownBy(() -> ReturnTargets.of(collected(), new Lines(), uniforms, 0, 0.9))
        .hasMessageContaining("at least one particle");
    assertThatThrownBy(() -> ReturnTargets.of(collected(), new Lines(), uniforms, 1, 1.1))
        .hasMessageContaining("[0, 1]");
    assertThatThrownBy(() -> ReturnTargets.of(collected(), new Lines(), new double[3], 1, 0.9))
        .hasMessageContaining("one number per reward");
  }
}
