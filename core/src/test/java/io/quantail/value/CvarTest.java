package io.quantail.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RiskConfig;
import io.quantail.math.StandardNormal;
import io.quantail.testing.FiniteDifferences;
import io.quantail.testing.Requirement;
import io.quantail.testing.vectors.Floats;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("CVAR-1")
class CvarTest {
  private static final int OFFSET = 2;
  private static final int WIDTH = 8;

  /** Relative errors in percent from perfect quantiles of a normal distribution. */
  @Requirement("CVAR-2")
  @ParameterizedTest
  @CsvSource({
    "0.05, 21, 4.6, 5.2",
    "0.05, 32, 2.3, 4.3",
    "0.05, 51, 1.8, 2.4",
    "0.05, 101, 0.9, 1.0",
    "0.01, 21, 18.0, 25.7",
    "0.01, 32, 13.1, 19.2",
    "0.01, 51, 8.4, 12.4",
    "0.01, 101, 3.3, 3.4"
  })
  void shouldBeAsFarOffAsTabulated(double alpha, int n, double interpolated, double pointMass) {
    assertThat(100 * Cvar.discretizationError(n, alpha, RiskConfig.CvarMethod.INTERPOLATED))
        .isCloseTo(interpolated, within(0.05001));
    assertThat(100 * Cvar.discretizationError(n, alpha, RiskConfig.CvarMethod.POINT_MASS))
        .isCloseTo(pointMass, within(0.05001));
  }

  @Requirement("CVAR-2")
  @ParameterizedTest
  @EnumSource(RiskConfig.CvarMethod.class)
  void shouldComeNearerWithMoreQuantiles(RiskConfig.CvarMethod method) {
    for (double alpha : new double[] {0.01, 0.05, 0.1}) {
      double few = Cvar.discretizationError(21, alpha, method);
      double some = Cvar.discretizationError(51, alpha, method);
      double many = Cvar.discretizationError(101, alpha, method);
      assertThat(some).isLessThan(few);
      assertThat(many).isLessThan(some);
    }
  }

  @Test
  void shouldKnowTheNormalDistribution() {
    assertThat(StandardNormal.cumulative(1.959963984540054)).isCloseTo(0.975, within(1e-14));
    assertThat(StandardNormal.cumulative(0)).isEqualTo(0.5);
    assertThat(StandardNormal.quantile(0.05)).isCloseTo(-1.6448536269514722, within(1e-13));
    assertThat(StandardNormal.quantile(1e-6)).isCloseTo(-4.753424308822899, within(1e-9));
    assertThat(StandardNormal.conditionalMean(0.05)).isCloseTo(-2.0627128075, within(1e-9));
  }

  @Test
  void shouldGrowWithAlphaUpToTheMean() {
    double[] quantiles = Samples.gaussian(13, 1);
    double[] probabilities = probabilities(13);
    double[] atoms = new AtomSupport(-3, 3, 13).atoms();
    double lastQuantiles = Double.NEGATIVE_INFINITY;
    double lastProbabilities = Double.NEGATIVE_INFINITY;
    for (int i = 1; i <= 400; i++) {
      double alpha = i / 400.0;
      double ofQuantiles = Cvar.ofQuantiles(quantiles, alpha, RiskConfig.CvarMethod.POINT_MASS);
      double ofProbabilities = Cvar.ofProbabilities(probabilities, atoms, alpha);
      assertThat(ofQuantiles).isGreaterThanOrEqualTo(lastQuantiles - 1e-12);
      assertThat(ofProbabilities).isGreaterThanOrEqualTo(lastProbabilities - 1e-12);
      lastQuantiles = ofQuantiles;
      lastProbabilities = ofProbabilities;
    }
    assertThat(lastQuantiles)
        .isCloseTo(Arrays.stream(quantiles).average().orElseThrow(), within(1e-12));
    double mean = 0;
    for (int i = 0; i < 13; i++) {
      mean += probabilities[i] * atoms[i];
    }
    assertThat(lastProbabilities).isCloseTo(mean, within(1e-12));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.001, 0.07, 0.3, 0.5, 0.99, 1})
  void shouldAgreeWithProbabilitiesOfEquallyLikelyAtoms(double alpha) {
    double[] quantiles = Samples.gaussian(9, 2);
    double[] equal = new double[9];
    Arrays.fill(equal, 1 / 9.0);
    assertThat(Cvar.ofQuantiles(quantiles, alpha, RiskConfig.CvarMethod.POINT_MASS))
        .isCloseTo(Cvar.ofProbabilities(equal, quantiles, alpha), within(1e-12));
  }

  /**
   * Random quantiles cross, and no multiple of 1/8 is among the tails but the last. The mean head
   * moves the whole distribution.
   */
  @Requirement("CRIT-3")
  @ParameterizedTest
  @ValueSource(doubles = {0.001, 0.04, 0.11, 0.3, 0.5, 0.97, 1})
  void shouldComeFromQuantilesWithItsGradient(double alpha) {
    QuantileCritic critic = new QuantileCritic(WIDTH, 1, true);
    for (int sample = 0; sample < 3; sample++) {
      float[] outputs = Samples.floats(OFFSET + critic.outputs(), 30 + sample);
      double[] quantiles = Floats.widened(Arrays.copyOfRange(outputs, OFFSET, OFFSET + WIDTH));
      for (RiskConfig.CvarMethod method : RiskConfig.CvarMethod.values()) {
        double move = outputs[OFFSET + WIDTH] - Cvar.ofQuantiles(quantiles, 1, method);
        double expected = Cvar.ofQuantiles(quantiles, alpha, method) + move;
        checkCritic(critic, outputs, alpha, method, expected);
      }
    }
  }

  /** Every tail but the last ends inside an atom, among them the lowest and the highest. */
  @Requirement("CRIT-3")
  @ParameterizedTest
  @ValueSource(doubles = {0.001, 0.04, 0.11, 0.3, 0.5, 0.97, 1})
  void shouldComeFromProbabilitiesWithItsGradient(double alpha) {
    CategoricalCritic critic = new CategoricalCritic(WIDTH, 2);
    for (int sample = 0; sample < 3; sample++) {
      float[] outputs = Samples.floats(OFFSET + WIDTH, 30 + sample);
      double[] p =
          Arrays.stream(Floats.widened(Arrays.copyOfRange(outputs, OFFSET, OFFSET + WIDTH)))
              .map(Math::exp)
              .toArray();
      double total = Arrays.stream(p).sum();
      double[] probabilities = Arrays.stream(p).map(x -> x / total).toArray();
      double expected = Cvar.ofProbabilities(probabilities, critic.support().atoms(), alpha);
      for (RiskConfig.CvarMethod method : RiskConfig.CvarMethod.values()) {
        checkCritic(critic, outputs, alpha, method, expected);
      }
    }
  }

  private static void checkCritic(
      Critic critic, float[] outputs, double alpha, RiskConfig.CvarMethod method, double expected) {
    float[] slopes = new float[outputs.length];
    Arrays.fill(slopes, 7); // what was there does not matter
    assertThat(critic.cvar(outputs, OFFSET, alpha, method, slopes))
        .isCloseTo(expected, within(1e-9));
    assertThat(slopes).startsWith(7, 7);
    critic.read(outputs, OFFSET);
    assertThat(critic.cvar(alpha, method)).isCloseTo(expected, within(1e-9));
    float[] other = new float[outputs.length];
    FiniteDifferences.require(
        () -> critic.cvar(outputs, OFFSET, alpha, method, other),
        outputs,
        OFFSET,
        critic.outputs(),
        slopes,
        0x1p-12,
        1e-5);
  }

  @Test
  void shouldNotCareAboutTheOrderOfQuantiles() {
    double[] crossed = {0.2, -3, 1.5, -0.5, -1};
    double[] sorted = {-3, -1, -0.5, 0.2, 1.5};
    for (RiskConfig.CvarMethod method : RiskConfig.CvarMethod.values()) {
      assertThat(Cvar.ofQuantiles(crossed, 0.4, method))
          .isEqualTo(Cvar.ofQuantiles(sorted, 0.4, method));
    }
  }

  @Test
  void shouldTakeTheThinnestTailAsOneMillionth() {
    double[] quantiles = {-3, -1, -0.5, 0.2, 1.5};
    assertThat(Cvar.ofQuantiles(quantiles, 1e-300, RiskConfig.CvarMethod.POINT_MASS))
        .isCloseTo(-3, within(1e-12));
    assertThat(Cvar.ofProbabilities(new double[] {0, 1e-7, 1}, new double[] {-2, -1, 4}, 1e-300))
        .isCloseTo(0.1 * -1 + 0.9 * 4, within(1e-9));
    assertThat(Cvar.weights(5, 1e-9, RiskConfig.CvarMethod.INTERPOLATED))
        .containsExactly(Cvar.weights(5, 1e-6, RiskConfig.CvarMethod.INTERPOLATED));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.1, 1.0001, Double.NaN, Double.POSITIVE_INFINITY})
  void shouldRefuseAlphaOutsideItsRange(double alpha) {
    double[] two = {0.5, 0.5};
    assertThatThrownBy(() -> Cvar.ofQuantiles(two, alpha, RiskConfig.CvarMethod.POINT_MASS))
        .hasMessage("alpha must be in (0, 1], was " + alpha);
    assertThatThrownBy(() -> Cvar.ofProbabilities(two, two, alpha))
        .hasMessageContaining("in (0, 1]");
    assertThatThrownBy(() -> Cvar.warnings(alpha)).hasMessageContaining("in (0, 1]");
  }

  @Test
  void shouldRefuseProbabilitiesThatAreNotTheAtoms() {
    assertThatThrownBy(() -> Cvar.ofProbabilities(new double[2], new double[3], 0.5))
        .hasMessageContaining("3 atoms, 2 probabilities");
  }

  @Test
  void shouldWarnOfTailsThatCannotBeResolved() {
    assertThat(Cvar.warnings(0.05, 32, RiskConfig.CvarMethod.POINT_MASS)).isEmpty();
    assertThat(Cvar.warnings(0.01)).isEmpty();
    assertThat(Cvar.warnings(0.009)).singleElement().asString().contains("0.009 is below 0.01");
    assertThat(Cvar.warnings(0.01, 21, RiskConfig.CvarMethod.POINT_MASS))
        .singleElement()
        .asString()
        .contains("below 1/21", "26 % off", "at least 100 quantiles");
    assertThat(Cvar.warnings(0.01, 21, RiskConfig.CvarMethod.INTERPOLATED).get(0))
        .contains("18 % off");
    assertThat(Cvar.warnings(0.001, 51, RiskConfig.CvarMethod.POINT_MASS)).hasSize(2);
  }

  private static double[] probabilities(int count) {
    double[] weights = Arrays.stream(Samples.gaussian(count, 5)).map(Math::exp).toArray();
    double total = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(weight -> weight / total).toArray();
  }
}
