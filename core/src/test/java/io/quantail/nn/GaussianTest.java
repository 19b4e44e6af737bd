package io.quantail.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.nn.Gaussian.Squashing;
import io.quantail.random.RandomStream;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Requirement("NET-3")
class GaussianTest {
  private static final int CELLS = 4_000;
  private static final int PAIRS = 20;

  private Scope scope;

  @BeforeEach
  void openScope() {
    scope = Scope.open();
  }

  @AfterEach
  void closeScope() {
    scope.close();
  }

  /** Over the squashed action itself, in cells that are narrow where the action hardly moves. */
  @ParameterizedTest
  @EnumSource(Squashing.class)
  void shouldHaveADensityThatIntegratesToOneAndTheExactEntropy(Squashing squashing) {
    RandomStream random = RandomStream.of(11, "gaussian", squashing.ordinal());
    for (int pair = 0; pair < PAIRS; pair++) {
      double mean = random.nextDouble(-2, 2);
      double sigma = random.nextDouble(0.2, 1.5);
      double[] edges = new double[CELLS + 1];
      Arrays.setAll(edges, i -> mean + sigma * (18.0 * i / CELLS - 9));
      double[] centres = new double[CELLS];
      Arrays.setAll(centres, i -> 0.5 * (edges[i] + edges[i + 1]));
      Gaussian gaussian = gaussian(mean, sigma, squashing);
      double[] logDensity = gaussian.logProbability(Tensor.of(centres, CELLS, 1)).doubles();
      double mass = 0;
      double entropy = 0;
      for (int i = 0; i < CELLS; i++) {
        double width = squashing.apply(edges[i + 1]) - squashing.apply(edges[i]);
        double share = Math.exp(logDensity[i]) * width;
        mass += share;
        entropy -= share * logDensity[i];
      }
      assertThat(mass).as("mean %s, sigma %s", mean, sigma).isCloseTo(1, within(1e-5));
      assertThat(gaussian.entropy().item()).isCloseTo(entropy, within(2e-5));
    }
  }

  @Test
  void shouldAddUpIndependentDimensionsOnce() {
    Tensor mean = Tensor.of(new double[] {0.1, -0.3, 0.5, 0.0, 1.0, -1.0}, 3, 2);
    Tensor sigma = Tensor.of(new double[] {0.4, 0.9}, 1, 2);
    Gaussian both = new Gaussian(mean, sigma, Squashing.TANH);
    assertThat(both.entropy().shape()).containsExactly(3);
    assertThat(both.logProbability(mean).shape()).containsExactly(3);
    double first = gaussian(0.5, 0.4, Squashing.TANH).entropy().item();
    double second = gaussian(0.0, 0.9, Squashing.TANH).entropy().item();
    assertThat(both.entropy().doubles()[1]).isCloseTo(first + second, within(1e-12));
  }

  @Test
  void shouldKeepFiniteDensityAndGradientFarFromTheMean() {
    for (Squashing squashing : Squashing.values()) {
      Tensor raw = Tensor.of(new float[] {-60, 60}, 2, 1).requireGradient();
      Tensor mean = Tensor.of(new float[] {0}, 1, 1);
      Tensor sigma = Tensor.of(new float[] {1}, 1, 1);
      Tensor logProbability = new Gaussian(mean, sigma, squashing).logProbability(raw);
      logProbability.sum().backward();
      assertFinite(logProbability);
      assertFinite(raw.gradient());
    }
  }

  private static void assertFinite(Tensor tensor) {
    for (double value : tensor.doubles()) {
      assertThat(value).isFinite();
    }
  }

  @Test
  void shouldDifferentiateTheEntropy() {
    double step = 1e-5;
    for (Squashing squashing : Squashing.values()) {
      Tensor mean = scalar(0.4).requireGradient();
      Tensor sigma = scalar(0.8).requireGradient();
      new Gaussian(mean, sigma, squashing).entropy().sum().backward();
      double byMean = entropy(0.4 + step, 0.8, squashing) - entropy(0.4 - step, 0.8, squashing);
      double bySigma = entropy(0.4, 0.8 + step, squashing) - entropy(0.4, 0.8 - step, squashing);
      assertThat(mean.gradient().item()).isCloseTo(byMean / (2 * step), within(1e-8));
      assertThat(sigma.gradient().item()).isCloseTo(bySigma / (2 * step), within(1e-8));
    }
  }

  @Test
  void shouldSampleWithTheRightMoments() {
    int draws = 20_000;
    float[] means = new float[draws];
    Arrays.fill(means, 0.7f);
    RandomStream[] streams = new RandomStream[draws];
    Arrays.setAll(streams, i -> RandomStream.of(5, "draw", i));
    Tensor sigma = Tensor.of(new float[] {0.5f}, 1, 1);
    float[] raw =
        new Gaussian(Tensor.of(means, draws, 1), sigma, Squashing.TANH).sample(streams, 0);
    double mean = 0;
    double squares = 0;
    for (float value : raw) {
      mean += value / draws;
      squares += (double) value * value / draws;
    }
    assertThat(mean).isCloseTo(0.7, within(0.015));
    assertThat(Math.sqrt(squares - mean * mean)).isCloseTo(0.5, within(0.01));
  }

  @Test
  void shouldTakeTheMeanAsMode() {
    Tensor mean = Tensor.of(new float[] {0.25f, -3}, 2, 1);
    assertThat(new Gaussian(mean, Tensor.of(new float[] {1}, 1, 1), Squashing.SIGMOID).mode())
        .containsExactly(0.25f, -3);
  }

  @Test
  void shouldStoreOneSigmaPerRow() {
    Tensor mean = Tensor.of(new float[] {1, 2, 3, 4}, 2, 2);
    Tensor sigma = Tensor.of(new float[] {5, 6}, 1, 2);
    assertThat(new Gaussian(mean, sigma, Squashing.NONE).parameters().floats())
        .containsExactly(1, 2, 5, 6, 3, 4, 5, 6);
  }

  private static double entropy(double mean, double sigma, Squashing squashing) {
    return gaussian(mean, sigma, squashing).entropy().item();
  }

  private static Gaussian gaussian(double mean, double sigma, Squashing squashing) {
    return new Gaussian(scalar(mean), scalar(sigma), squashing);
  }

  private static Tensor scalar(double value) {
    return Tensor.of(new double[] {value}, 1, 1);
  }
}
