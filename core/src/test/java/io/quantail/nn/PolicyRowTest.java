package io.quantail.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.nn.Gaussian.Squashing;
import io.quantail.random.RandomStream;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values and gradients against the tensors of {@link ActionDistribution}. */
@Requirement("NET-3")
class PolicyRowTest {
  private static final int CASES = 50;
  private static final double BY_LOG = 0.7;
  private static final double BY_ENTROPY = -0.4;
  private static final double BY_DIVERGENCE = 1.3;
  private static final double TOLERANCE = 2e-5;

  @Test
  void shouldAgreeWithCategorical() {
    RandomStream random = RandomStream.of(21, "rows", 0);
    CategoricalRow row = new CategoricalRow(4);
    for (int i = 0; i < CASES; i++) {
      try (Scope scope = Scope.open()) {
        float[] logits = numbers(random, 4, i % 2 == 0 ? 1 : 10);
        float[] stored = Categorical.fromLogits(leaf(numbers(random, 4, 1))).parameters().floats();
        float[] raw = {random.nextInt(4)};
        Tensor leaf = leaf(logits);
        Categorical twin = Categorical.fromLogits(leaf);
        compare(row, logits, stored, raw, twin, Categorical.fromLogits(leaf(stored)));
        assertGradient(row, 4, leaf);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Squashing.class)
  void shouldAgreeWithGaussian(Squashing squashing) {
    RandomStream random = RandomStream.of(22, "rows", squashing.ordinal());
    for (int i = 0; i < CASES; i++) {
      try (Scope scope = Scope.open()) {
        float[] mean = numbers(random, 2, i % 2 == 0 ? 0.5 : 3);
        float[] sigma = deviations(random);
        float[] oldMean = numbers(random, 2, 1);
        float[] oldSigma = deviations(random);
        float[] raw = numbers(random, 2, 2);
        float[] stored = {oldMean[0], oldMean[1], oldSigma[0], oldSigma[1]};
        Tensor leaf = leaf(mean);
        Tensor sigmaLeaf = leaf(sigma);
        GaussianRow row = new GaussianRow(sigma, squashing);
        Gaussian old = new Gaussian(leaf(oldMean), leaf(oldSigma), squashing);
        compare(row, mean, stored, raw, new Gaussian(leaf, sigmaLeaf, squashing), old);
        assertGradient(row, 2, leaf);
        assertClose(row.beside(), sigmaLeaf.gradient().floats());
      }
    }
  }

  private static void compare(
      PolicyRow row,
      float[] outputs,
      float[] stored,
      float[] raw,
      ActionDistribution twin,
      ActionDistribution old) {
    row.set(outputs);
    Tensor logProbability = twin.logProbability(Tensor.of(raw, 1, raw.length));
    Tensor divergence = old.divergence(twin);
    Tensor entropy = twin.entropy();
    assertClose(row.logProbability(raw, 0), logProbability.item());
    assertClose(row.divergenceFrom(stored, 0), divergence.item());
    assertClose(row.entropy(), entropy.item());
    float[] kept = new float[stored.length];
    row.store(kept, 0);
    assertClose(kept, twin.parameters().floats());
    logProbability
        .mul(BY_LOG)
        .add(entropy.mul(BY_ENTROPY))
        .add(divergence.mul(BY_DIVERGENCE))
        .sum()
        .backward();
  }

  private static void assertGradient(PolicyRow row, int size, Tensor leaf) {
    float[] gradient = new float[size];
    row.addGradient(gradient, BY_LOG, BY_ENTROPY, BY_DIVERGENCE);
    assertClose(gradient, leaf.gradient().floats());
  }

  private static void assertClose(float[] actual, float[] expected) {
    for (int i = 0; i < expected.length; i++) {
      assertClose(actual[i], expected[i]);
    }
  }

  private static void assertClose(double actual, double expected) {
    assertThat(actual).isCloseTo(expected, within(TOLERANCE * Math.max(1, Math.abs(expected))));
  }

  private static Tensor leaf(float[] numbers) {
    return Tensor.of(numbers, 1, numbers.length).requireGradient();
  }

  private static float[] deviations(RandomStream random) {
    return new float[] {(float) random.nextDouble(0.2, 1.5), (float) random.nextDouble(0.2, 1.5)};
  }

  private static float[] numbers(RandomStream random, int count, double scale) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = (float) (scale * random.nextGaussian());
    }
    return numbers;
  }
}
