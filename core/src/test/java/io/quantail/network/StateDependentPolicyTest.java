package io.quantail.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.ConfigException;
import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import io.quantail.random.RandomStream;
import io.quantail.testing.FiniteDifferences;
import io.quantail.testing.Requirement;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Requirement("EXPL-1")
class StateDependentPolicyTest {
  private static final DeviationBounds FREE = new DeviationBounds(1e-3, 100);
  private static final DeviationBounds USUAL = new DeviationBounds(0.2, 1.5);
  private static final Offset<Double> ROUNDED = within(2e-6);
  private static final double HALF_LOG_2_PI = 0.918938533;

  /** Deviation 0.5 from 1 · 0.09 + 4 · 0.04, then 0.65 from 1 · 0.09 + 8.3125 · 0.04. */
  @Test
  void shouldAgreeWithTwoRowsWorkedByHand() {
    StateDependentPolicy policy = new StateDependentPolicy(logs(0.3, 0.2), 1, FREE, Squashing.NONE);
    policy.set(new float[] {0.1f}, new float[] {1, -2});
    assertThat(stored(policy)).containsExactly(new float[] {0.1f, 0.5f}, within(1e-6f));
    assertThat(policy.logProbability(new float[] {0.6f}, 0)).isCloseTo(-0.725791, ROUNDED);
    assertThat(policy.entropy()).isCloseTo(0.725791, ROUNDED);

    policy.set(new float[] {-1}, new float[] {-1, (float) Math.sqrt(8.3125)});
    assertThat(stored(policy)).containsExactly(new float[] {-1, 0.65f}, within(1e-6f));
    assertThat(policy.logProbability(new float[] {0.3f}, 0)) // z = 2
        .isCloseTo(-2 + 0.430783 - HALF_LOG_2_PI, ROUNDED);
    assertThat(policy.entropy()).isCloseTo(-0.430783 + 0.5 + HALF_LOG_2_PI, ROUNDED);
  }

  /** Deviations 0.5 from 0.25 · 0.36 + 0.16 and 1.3 from 0.25 · 5.76 + 0.25; z = 0.5 and -1. */
  @Test
  void shouldAgreeWithARowOfTwoActionsWorkedByHand() {
    StateDependentPolicy policy =
        new StateDependentPolicy(logs(0.6, 2.4, 0.4, 0.5), 2, FREE, Squashing.NONE);
    policy.set(new float[] {1, 2}, new float[] {0.5f, 1});
    assertThat(stored(policy)).containsExactly(new float[] {1, 2, 0.5f, 1.3f}, within(1e-6f));
    assertThat(policy.logProbability(new float[] {1.25f, 0.7f}, 0)).isCloseTo(-2.032094, ROUNDED);
    assertThat(policy.entropy()).isCloseTo(2.407094, ROUNDED);
    // old deviations 1 and 1.3, old means 1 and 3.3: log(0.5 / 1) + 1 / 0.5 - 0.5, and 1 / 2
    assertThat(policy.divergenceFrom(new float[] {1, 3.3f, 1, 1.3f}, 0))
        .isCloseTo(-0.693147 + 2 - 0.5 + 0.5, ROUNDED);
  }

  @ParameterizedTest
  @EnumSource(Squashing.class)
  void shouldHaveTheGradientsOfFiniteDifferences(Squashing squashing) {
    RandomStream random = RandomStream.of(31, "rows", squashing.ordinal());
    for (int sample = 0; sample < 20; sample++) {
      PolicyCheck.requireGradients(
          logSigma -> new StateDependentPolicy(logSigma, 2, USUAL, squashing),
          numbers(random, 6, 0.5, -1),
          numbers(random, 3, sample % 4 == 0 ? 0.2 : 1, 0),
          numbers(random, 2, 1, 0),
          new float[] {0.3f, -0.4f, 0.6f, 0.8f},
          numbers(random, 2, 0.4, 0),
          0x1p-6,
          1e-3);
    }
  }

  @ParameterizedTest
  @EnumSource(Squashing.class)
  void shouldHaveTheFeatureGradientOfFiniteDifferences(Squashing squashing) {
    RandomStream random = RandomStream.of(32, "rows", squashing.ordinal());
    for (int sample = 0; sample < 20; sample++) {
      float[] features = numbers(random, 3, 1, 0);
      float[] outputs = numbers(random, 2, 1, 0);
      float[] stored = {0.3f, -0.4f, 0.6f, 0.8f};
      StateDependentPolicy policy =
          new StateDependentPolicy(numbers(random, 6, 0.5, -1), 2, USUAL, squashing);
      policy.set(outputs, features);
      policy.divergenceFrom(stored, 0);
      policy.addGradient(new float[2], 0, 0, 1);
      float[] gradient = new float[3];
      policy.addFeatureGradient(gradient);
      FiniteDifferences.require(
          () -> {
            policy.set(outputs, features);
            return policy.divergenceFrom(stored, 0);
          },
          features,
          0,
          3,
          gradient,
          0x1p-10,
          5e-4);
    }
  }

  @Test
  void shouldLimitDrawsToEightDeviations() {
    StateDependentPolicy policy = new StateDependentPolicy(logs(1), 1, FREE, Squashing.NONE);
    policy.set(new float[] {3}, new float[] {0.5f});
    float[] raw = new float[2];
    policy.sample(RandomStream.of(1, "unused", 0), new float[] {1000}, raw, 1);
    assertThat(raw).containsExactly(0, 3 + 8 * 0.5f);
  }

  /** Within the bounds, below the lower one and above the upper one. */
  @Test
  void shouldDrawWithTheStatedDeviation() {
    int draws = 20_000;
    for (float size : new float[] {0.05f, 0.7f, 9}) {
      StateDependentPolicy policy =
          new StateDependentPolicy(logs(1, 0.5, 0.4), 1, USUAL, Squashing.TANH);
      policy.set(new float[] {0.7f}, new float[] {size, -size, size});
      float[] raw = new float[1];
      float[] matrix = new float[3];
      double mean = 0;
      double squares = 0;
      for (int i = 0; i < draws; i++) {
        RandomStream stream = RandomStream.of(5, "draw", i);
        policy.drawExploration(stream, matrix);
        policy.sample(stream, matrix, raw, 0);
        mean += raw[0] / draws;
        squares += (raw[0] - 0.7) * (raw[0] - 0.7) / draws;
      }
      double deviation = stored(policy)[1];
      assertThat(mean).isCloseTo(0.7, within(0.03 * deviation));
      assertThat(Math.sqrt(squares)).isCloseTo(deviation, within(0.02 * deviation));
      assertThat(deviation).isBetween(0.2, 1.5);
    }
  }

  @Test
  void shouldKeepTheNoiseOfAStateWhileTheMatrixIsKept() {
    StateDependentPolicy policy =
        new StateDependentPolicy(logs(0.5, 0.7, 0.6, 0.9), 2, FREE, Squashing.NONE);
    float[] matrix = new float[4];
    policy.drawExploration(RandomStream.of(7, "matrix", 0), matrix);
    float[] raw = new float[6];
    RandomStream unused = RandomStream.of(7, "unused", 0);
    policy.set(new float[] {1, -1}, new float[] {0.3f, 0.8f});
    policy.sample(unused, matrix, raw, 0);
    policy.sample(unused, matrix, raw, 2);
    policy.set(new float[] {1, -1}, new float[] {0.6f, 1.6f});
    policy.sample(unused, matrix, raw, 4);
    assertThat(unused.position()).isZero();
    for (int j = 0; j < 2; j++) {
      double mean = j == 0 ? 1 : -1;
      double noise = matrix[j] * 0.3 + matrix[2 + j] * 0.8;
      assertThat(raw[j] - mean).isCloseTo(noise, within(1e-6));
      assertThat(raw[2 + j]).isEqualTo(raw[j]);
      assertThat(raw[4 + j] - mean).as("linear").isCloseTo(2 * noise, within(1e-6));
    }
  }

  @Test
  void shouldDrawFromTheStepWhereAllFeaturesAreZero() {
    StateDependentPolicy policy = new StateDependentPolicy(logs(1), 1, USUAL, Squashing.NONE);
    policy.set(new float[1], new float[1]);
    float[] raw = new float[1];
    policy.sample(RandomStream.of(5, "step", 0), new float[] {1}, raw, 0);
    double z = RandomStream.of(5, "step", 0).nextGaussian();
    assertThat(raw[0]).isEqualTo((float) (stored(policy)[1] * z));
    policy.logProbability(raw, 0);
    policy.addGradient(new float[1], 1, 0, 0);
    assertThat(policy.beside()).containsExactly(0);
  }

  @Test
  void shouldBoundDeviationsSmoothly() {
    for (double[] range : new double[][] {{0.2, 1.5}, {0.5, 0.6}, {1e-3, 100}}) {
      DeviationBounds bounds = new DeviationBounds(range[0], range[1]);
      double before = range[0];
      for (double deviation = range[0] / 50; deviation < 5 * range[1]; deviation *= 1.03) {
        double bounded = bounds.apply(deviation);
        assertThat(bounded).isBetween(before, range[1]);
        before = bounded;
        double step = 1e-6 * deviation;
        double slope =
            (bounds.apply(deviation + step) - bounds.apply(deviation - step)) / (2 * step);
        assertThat(bounds.slope(deviation)).isCloseTo(slope, within(1e-4)).isNotNegative();
      }
    }
    for (double inside : new double[] {0.25, 0.7, 1.2}) {
      assertThat(USUAL.apply(inside)).isEqualTo(inside);
      assertThat(USUAL.slope(inside)).isEqualTo(1);
    }
    assertThat(USUAL.apply(0.1)).isCloseTo(0.2 + 0.05 * Math.exp(-3), within(1e-12));
    assertThat(USUAL.apply(1.8)).isCloseTo(1.5 - 0.3 * Math.exp(-2), within(1e-12));
  }

  @Test
  void shouldStartAtTheConfiguredDeviation() {
    NetworkConfig config = NetworkConfig.defaults();
    assertThat(config.exploration()).isEqualTo(NetworkConfig.Exploration.GAUSSIAN);
    assertThat(config.gsdeLogSigma()).isEqualTo(-2);
    SmallNetwork network =
        new SmallNetwork(
            new SmallNetwork.Shape(NetworkConfig.Memory.NONE, 1, false, 8, 16),
            new ActionSpace.Box(new float[] {-1, -1}, new float[] {1, 1}),
            new int[] {1},
            NetworkConfig.Exploration.GSDE);
    Parameters.Range range = network.parameters.range("actor.log_sigma");
    assertThat(range.of(network.parameters.values())).hasSize(32).containsOnly(-1);
    assertThat(network.structure.explorationSize()).isEqualTo(32);
    assertThat(network.structure.distributionParameters()).isEqualTo(4);
    assertThat(network.parameters.slots()).noneMatch(slot -> slot.name().equals("actor.sigma"));
  }

  @Test
  void shouldRefuseDiscreteActions() {
    SmallNetwork.Shape shape = new SmallNetwork.Shape(NetworkConfig.Memory.NONE, 1, false, 8, null);
    assertThatThrownBy(
            () ->
                new SmallNetwork(
                    shape,
                    new ActionSpace.Discrete(3),
                    new int[] {1},
                    NetworkConfig.Exploration.GSDE))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "network.exploration gsde needs continuous actions, but the environment has 3 discrete"
                + " ones; set network.exploration to gaussian");
  }

  private static float[] stored(PolicyDistribution policy) {
    float[] stored = new float[((GaussianPolicy) policy).sigma.length * 2];
    policy.store(stored, 0);
    return stored;
  }

  private static float[] logs(double... sigma) {
    float[] logs = new float[sigma.length];
    for (int i = 0; i < logs.length; i++) {
      logs[i] = (float) Math.log(sigma[i]);
    }
    return logs;
  }

  private static float[] numbers(RandomStream random, int count, double scale, double center) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = (float) (center + scale * random.nextGaussian());
    }
    return numbers;
  }
}
