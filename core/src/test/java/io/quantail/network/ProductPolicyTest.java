package io.quantail.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigException;
import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Requirement("ACT-1")
class ProductPolicyTest {
  private static final ActionSpace SPACE =
      ActionSpace.product(
          ActionSpace.discrete(3),
          ActionSpace.box(new float[] {-1, -1}, new float[] {1, 1}),
          ActionSpace.discrete(2),
          ActionSpace.box(0, 4));
  private static final int OUTPUTS = 3 + 2 + 2 + 1;
  private static final float[] SIGMAS = {0.4f, 0.9f, 0.7f};
  private static final boolean[] MASK = {true, false, true, false, true};
  private static final float[] NO_FEATURES = {};

  private static PolicyDistribution part(int index, float[] sigmas) {
    return switch (index) {
      case 0 -> new CategoricalPolicy(3);
      case 1 -> new GaussianPolicy(Arrays.copyOf(sigmas, 2), Squashing.TANH);
      case 2 -> new CategoricalPolicy(2);
      default -> new GaussianPolicy(new float[] {sigmas[2]}, Squashing.SIGMOID);
    };
  }

  private static ProductPolicy product(float[] sigmas) {
    return new ProductPolicy(SPACE.parts(), i -> part(i, sigmas));
  }

  private static float[] outputs(RandomStream random) {
    float[] outputs = new float[OUTPUTS];
    for (int i = 0; i < OUTPUTS; i++) {
      outputs[i] = (float) random.nextGaussian();
    }
    return outputs;
  }

  @Test
  void shouldAddWhatItsPartsGiveByThemselves() {
    RandomStream random = RandomStream.of(31, "rows", 0);
    int[] outputAt = {0, 3, 5, 7, 8};
    int[] actionAt = {0, 1, 3, 4};
    int[] storedAt = {0, 3, 7, 9, 11};
    int[] maskAt = {0, 3, 3, 5};
    for (int sample = 0; sample < 20; sample++) {
      float[] outputs = outputs(random);
      ProductPolicy policy = product(SIGMAS);
      float[] stored = new float[11];
      policy.set(outputs(random), NO_FEATURES, MASK, 0);
      policy.store(stored, 0);
      policy.set(outputs, NO_FEATURES, MASK, 0);
      float[] raw = new float[1 + SPACE.size()];
      policy.sample(random, raw, 1);
      double[] sums = new double[3];
      float[] gradient = new float[OUTPUTS];
      float[] deviations = new float[0];
      for (int i = 0; i < 4; i++) {
        PolicyDistribution alone = part(i, SIGMAS);
        float[] own = Arrays.copyOfRange(outputs, outputAt[i], outputAt[i + 1]);
        alone.set(own, NO_FEATURES, i % 2 == 0 ? MASK : new boolean[0], maskAt[i]);
        sums[0] += alone.logProbability(raw, 1 + actionAt[i]);
        sums[1] += alone.entropy();
        sums[2] += alone.divergenceFrom(stored, storedAt[i]);
        float[] slopes = new float[own.length];
        alone.addGradient(slopes, 0.3, -0.2, 0.9);
        System.arraycopy(slopes, 0, gradient, outputAt[i], own.length);
        int before = deviations.length;
        deviations = Arrays.copyOf(deviations, before + alone.beside().length);
        System.arraycopy(alone.beside(), 0, deviations, before, alone.beside().length);
      }
      assertThat(policy.logProbability(raw, 1)).isEqualTo(sums[0]);
      assertThat(policy.entropy()).isEqualTo(sums[1]);
      assertThat(policy.divergenceFrom(stored, 0)).isEqualTo(sums[2]);
      float[] slopes = new float[OUTPUTS];
      policy.addGradient(slopes, 0.3, -0.2, 0.9);
      assertThat(slopes).isEqualTo(gradient);
      assertThat(policy.beside()).isEqualTo(deviations);
      assertThat(slopes[1]).isZero(); // masked
      assertThat(slopes[5]).isZero();
    }
  }

  @Test
  void shouldHaveTheGradientsOfFiniteDifferences() {
    RandomStream random = RandomStream.of(32, "rows", 0);
    for (int sample = 0; sample < 10; sample++) {
      ProductPolicy old = product(SIGMAS);
      old.set(outputs(random), NO_FEATURES, MASK, 0);
      float[] stored = new float[11];
      float[] raw = new float[SPACE.size()];
      old.store(stored, 0);
      old.sample(random, raw, 0);
      PolicyCheck.requireGradients(
          ProductPolicyTest::product, MASK, SIGMAS.clone(), outputs(random), stored, raw);
    }
  }

  @Test
  void shouldDrawAndChooseEachPartInItsPlace() {
    ProductPolicy policy = product(SIGMAS);
    float[] outputs = {0, 9, 1, 0.25f, -0.5f, 9, 0, 2};
    policy.set(outputs, NO_FEATURES, MASK, 0);
    float[] mode = new float[2 + SPACE.size()];
    policy.mode(mode, 2);
    assertThat(mode).containsExactly(0, 0, 2, 0.25f, -0.5f, 1, 2);
    long masked = 0;
    double mean = 0;
    RandomStream random = RandomStream.of(33, "draws", 0);
    for (int draw = 0; draw < 10_000; draw++) {
      policy.sample(random, mode, 0);
      masked += SPACE.allows(MASK, 0, mode, 0) ? 0 : 1;
      mean += mode[4] / 10_000;
    }
    assertThat(masked).isZero();
    assertThat(mean).isBetween(1.97, 2.03);
  }

  @Test
  void shouldNameThePartOfWhichAllChoicesAreMasked() {
    boolean[] none = {true, true, true, false, false};
    assertThatThrownBy(() -> product(SIGMAS).set(new float[OUTPUTS], NO_FEATURES, none, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("part 2: all 2 choices are masked; allow at least one");
  }

  /** Parts get the bounds and the squashing of their own box, and choices stay as they are. */
  @Test
  void shouldMapEachPartIntoItsOwnRange() {
    SmallNetwork network = network(SPACE, NetworkConfig.Exploration.GAUSSIAN);
    float[] raw = {2, 0, 1000, 1, 0, 1, 0, -1000, 0, -1000};
    assertThat(network.structure.environmentActions(raw))
        .containsExactly(2, 0, 1, 1, 2, 1, 0, -1, 0, 0);
    assertThat(network.structure.actionSize()).isEqualTo(5);
    assertThat(network.structure.maskSize()).isEqualTo(5);
    assertThat(network.structure.distributionParameters()).isEqualTo(11);
    assertThat(network.structure.gaussian()).isFalse();
  }

  /** The whole network with masks, as the same network with its only part by itself. */
  @ParameterizedTest
  @EnumSource(NetworkConfig.Memory.class)
  void shouldGiveTheBitsOfItsOnlyPart(NetworkConfig.Memory memory) {
    for (ActionSpace part : List.of(ActionSpace.discrete(3), SPACE.parts().get(1))) {
      float[] alone = gradient(part, memory);
      assertThat(gradient(ActionSpace.product(part), memory)).isEqualTo(alone);
    }
  }

  private static float[] gradient(ActionSpace space, NetworkConfig.Memory memory) {
    SmallNetwork.Shape shape = new SmallNetwork.Shape(memory, 1, false, 8, null);
    SmallNetwork network = new SmallNetwork(shape, space, new int[] {3, 5});
    NetworkPass pass = network.evaluate();
    PolicyDistribution policy = pass.policy();
    float[][] slopes = new float[8][pass.actions()[0].length];
    float[] raw = new float[space.size()];
    for (int row = 0; row < slopes.length; row++) {
      pass.set(policy, row);
      policy.sample(RandomStream.of(row, "draw", 0), raw, 0);
      policy.logProbability(raw, 0);
      policy.entropy();
      policy.addGradient(slopes[row], 1, 0.2, 0);
    }
    network.replica.clearGradient();
    pass.backward(policy, slopes, null);
    return network.replica.gradient().clone();
  }

  @Test
  void shouldRefuseStateDependentExplorationInOneLine() {
    assertThatThrownBy(() -> network(SPACE, NetworkConfig.Exploration.GSDE))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "network.exploration gsde needs an action space that is one box, but the environment"
                + " has a product of 4 parts; set network.exploration to gaussian");
  }

  private static SmallNetwork network(ActionSpace space, NetworkConfig.Exploration exploration) {
    SmallNetwork.Shape shape = new SmallNetwork.Shape(NetworkConfig.Memory.LSTM, 1, true, 8, null);
    return new SmallNetwork(shape, space, new int[] {2}, exploration);
  }
}
