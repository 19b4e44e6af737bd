package io.quantail.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against sums over many thousand nodes. */
@Requirement("NET-3")
class SquashedEntropyTest {
  private static final double STEP = 5e-4;
  private static final int PER_SIDE = 16_000;

  @ParameterizedTest
  @CsvSource({
    "TANH, 0.01",
    "TANH, 0.2",
    "TANH, 0.7",
    "TANH, 1.5",
    "TANH, 5",
    "TANH, 14",
    "SIGMOID, 0.01",
    "SIGMOID, 0.5",
    "SIGMOID, 1.5",
    "SIGMOID, 10",
    "SIGMOID, 25"
  })
  void shouldBeExactForNarrowAndWideDistributions(Squashing squashing, double sigma) {
    SquashedEntropy entropy = new SquashedEntropy(squashing, sigma);
    SquashedEntropyTable table = new SquashedEntropyTable(squashing);
    for (double mean : new double[] {0, 0.3, -1.7, 4, 4000, 4, -60}) {
      double[] expected = sums(squashing, mean, sigma);
      double tolerance = 1e-9 * Math.max(1, sigma);
      assertThat(entropy.expectation(mean)).isCloseTo(expected[0], within(tolerance));
      assertThat(entropy.byMean()).isCloseTo(expected[1], within(tolerance));
      assertThat(entropy.bySigma()).isCloseTo(expected[2], within(tolerance));
      assertThat(table.expectation(mean, sigma)).isCloseTo(expected[0], within(tolerance));
      assertThat(table.byMean()).isCloseTo(expected[1], within(tolerance));
      assertThat(table.bySigma()).isCloseTo(expected[2], within(tolerance));
    }
  }

  /** Each stride of the table, and the expansion below the finest. */
  @Requirement("EXPL-1")
  @ParameterizedTest
  @CsvSource({"TANH", "SIGMOID"})
  void shouldBeExactWhileTheDeviationChangesFromCallToCall(Squashing squashing) {
    SquashedEntropyTable table = new SquashedEntropyTable(squashing);
    for (double sigma = 12; sigma > 1e-3; sigma *= 0.7) {
      double mean = Math.sin(100 * sigma);
      double[] expected = sums(squashing, mean, sigma);
      double tolerance = 1e-10 * Math.max(1, sigma);
      assertThat(table.expectation(mean, sigma)).isCloseTo(expected[0], within(tolerance));
      assertThat(table.byMean()).isCloseTo(expected[1], within(tolerance));
      assertThat(table.bySigma()).isCloseTo(expected[2], within(tolerance));
    }
    assertThat(table.expectation(Double.NaN, 1)).isNaN();
    assertThat(table.expectation(0, Double.NaN)).isNaN();
    assertThat(new SquashedEntropyTable(Squashing.NONE).expectation(1, 1)).isZero();
  }

  /** More nodes lie between such means than are kept. */
  @Test
  void shouldStayExactForMeansThatAreFarApartForTheirSpread() {
    SquashedEntropy entropy = new SquashedEntropy(Squashing.TANH, 1e-4);
    for (double mean : new double[] {-5, 5, 0.1, -5, 0.11}) {
      double[] expected = sums(Squashing.TANH, mean, 1e-4);
      assertThat(entropy.expectation(mean)).isCloseTo(expected[0], within(1e-9));
      assertThat(entropy.byMean()).isCloseTo(expected[1], within(1e-9));
      assertThat(entropy.bySigma()).isCloseTo(expected[2], within(1e-9));
    }
    assertThat(entropy.expectation(Double.NaN)).isNaN();
    assertThat(entropy.byMean()).isNaN();
  }

  /** Expectation of {@code log f'} and of its derivatives by mean and sigma. */
  private static double[] sums(Squashing squashing, double mean, double sigma) {
    double scale = squashing == Squashing.TANH ? 2 : 1;
    double total = 0;
    double[] sums = new double[3];
    for (int k = -PER_SIDE; k <= PER_SIDE; k++) {
      double z = k * STEP;
      double weight = Math.exp(-0.5 * z * z);
      double x = mean + sigma * z;
      double slope = -scale * Math.tanh(scale * x / 2);
      total += weight;
      sums[0] += weight * squashing.logDerivative(x);
      sums[1] += weight * slope;
      sums[2] += weight * slope * z;
    }
    for (int i = 0; i < sums.length; i++) {
      sums[i] /= total;
    }
    return sums;
  }
}
