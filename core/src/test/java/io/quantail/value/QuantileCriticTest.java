package io.quantail.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RiskConfig;
import io.quantail.testing.FiniteDifferences;
import io.quantail.testing.Requirement;
import io.quantail.testing.vectors.Floats;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("CRIT-1")
class QuantileCriticTest {
  private static final int OFFSET = 3;
  private static final double WEIGHT = 0.3;

  /** Numbers of quantiles that fill vectors of eight and that do not. */
  @Requirement("CRIT-3")
  @ParameterizedTest
  @CsvSource({"32, 1", "32, 0.1", "32, 0", "7, 0.6", "7, 0", "1, 1"})
  void shouldHaveTheLossOfASlowLoopAndTheGradientOfFiniteDifferences(int count, double kappa) {
    QuantileCritic critic = new QuantileCritic(count, kappa);
    for (float target : new float[] {0, 0.37f, -2.2f, 9.99f, -40}) {
      float[] outputs = Samples.floats(OFFSET + count, 2);
      float[] gradient = new float[outputs.length];
      double loss = critic.loss(outputs, OFFSET, new float[] {target}, 0, 1, WEIGHT, gradient);
      double expected = 0;
      for (int i = 0; i < count; i++) {
        double tau = (i + 0.5) / count;
        double error = target - outputs[OFFSET + i];
        double size = Math.abs(error);
        double huber = size < kappa ? error * error / 2 / kappa : size - kappa / 2;
        expected += (error < 0 ? 1 - tau : tau) * huber / count;
      }
      assertThat(loss).isCloseTo(expected, within(1e-6 * (1 + expected)));
      assertThat(gradient).startsWith(0, 0, 0);
      // Each derivative of its own quantile's loss alone, which is the exact one in double.
      for (int i = 0; i < count; i++) {
        int at = OFFSET + i;
        float[] alone = new float[OFFSET + count];
        Arrays.fill(alone, target); // costs nothing
        alone[at] = outputs[at];
        double slope =
            FiniteDifferences.slope(
                () ->
                    WEIGHT
                        * critic.loss(
                            alone,
                            OFFSET,
                            new float[] {target},
                            0,
                            1,
                            0,
                            new float[OFFSET + count]),
                alone,
                at,
                0x1p-8);
        assertThat((double) gradient[at]).isCloseTo(slope, within(WEIGHT * 2e-3 / count));
      }
    }
  }

  @Requirement("CRIT-3")
  @Test
  void shouldLearnTheMeanHeadFromTheReturnAlone() {
    QuantileCritic critic = new QuantileCritic(2, 1, true);
    float[] gradient = {7, 7, 7, 7};
    float[] outputs = {9, 1, 2, 3};
    assertThat(critic.meanLoss(outputs, 1, 5, 0.5, gradient)).isEqualTo(2);
    assertThat(gradient).containsExactly(7, 7, 7, -1);
    assertThat(new QuantileCritic(2, 1).meanLoss(outputs, 1, 5, 0.5, gradient)).isZero();
    assertThat(gradient).containsExactly(7, 7, 7, -1);
  }

  @Requirement("CRIT-3")
  @Test
  void shouldAddTheGradientOfTheMean() {
    QuantileCritic critic = new QuantileCritic(4, 1);
    float[] outputs = {9, 1, 2, 3, 6, 9};
    assertThat(critic.mean(outputs, 1)).isEqualTo(3);
    float[] gradient = {0, 1, 1, 1, 2, 0};
    critic.addCentreGradient(outputs, 1, -2, gradient);
    assertThat(gradient).containsExactly(0, 0.5f, 0.5f, 0.5f, 1.5f, 0);
  }

  @Requirement("CRIT-3")
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.3, -1.7})
  void shouldDifferentiateAShiftedDistribution(double distance) {
    QuantileCritic critic = new QuantileCritic(3, 1);
    float[] outputs = {9, 1, 2, 4};
    float[] shifted = new float[3];
    critic.shift(outputs, 1, distance, shifted);
    assertThat(shifted).containsExactly(Floats.of(1 + distance, 2 + distance, 4 + distance));
    float[] gradient = new float[4];
    double byDistance =
        critic.shiftGradient(outputs, 1, distance, new float[] {0.5f, -2, 1}, gradient);
    assertThat(gradient).containsExactly(0, 0.5f, -2, 1);
    assertThat(byDistance).isEqualTo(-0.5);
  }

  @Requirement("CRIT-3")
  @Test
  void shouldReadWhatLiesAtItsOffset() {
    QuantileCritic critic = new QuantileCritic(4, 1, true);
    float[] outputs = {-9, 20, 0, 40, 10, 18.5f, -9}; // a mean head one above the mean
    critic.read(outputs, 1);
    assertThat(critic.quantile(0.5)).isCloseTo(16 - 10 / (8 * Math.log(3)), within(1e-6));
    assertThat(critic.cvar(0.5, RiskConfig.CvarMethod.POINT_MASS)).isCloseTo(6, within(1e-12));
    assertThat(
            critic.another().cvar(outputs, 1, 0.5, RiskConfig.CvarMethod.POINT_MASS, new float[7]))
        .isCloseTo(6, within(1e-12));
  }

  /**
   * Returns 0 and 1, equally likely. Below the middle a level stands near 0: balancing {@code (1 -
   * tau) d = tau kappa} puts its quantile at {@code d = kappa tau / (1 - tau)}; above, likewise
   * near 1.
   */
  @Test
  void shouldHaveItsMinimumAtTheQuantilesOfATwoPointDistribution() {
    double kappa = 0.05;
    QuantileCritic critic = new QuantileCritic(6, kappa);
    float[] best =
        Floats.of(
            Arrays.stream(critic.levels())
                .map(tau -> tau < 0.5 ? kappa * tau / (1 - tau) : 1 - kappa * (1 - tau) / tau)
                .toArray());
    float[] gradient = new float[6];
    double lowest = expectedLoss(critic, best, gradient);
    assertThat(gradient).containsExactly(new float[6], within(1e-7f));
    for (int i = 0; i < best.length; i++) {
      for (float shift : new float[] {-0.02f, 0.02f}) {
        float[] moved = best.clone();
        moved[i] += shift;
        assertThat(expectedLoss(critic, moved, new float[6])).isGreaterThan(lowest);
      }
    }
  }

  private static double expectedLoss(QuantileCritic critic, float[] outputs, float[] gradient) {
    return critic.loss(outputs, 0, new float[] {0, 1}, 0, 2, 1, gradient);
  }

  /** Two quantiles and the mean head of each critic; the quantiles would choose the other one. */
  @Requirement("TWIN-1")
  @Test
  void shouldTakeTheCriticWithTheLowerMeanHead() {
    Critic critic = new QuantileCritic(2, 1, true);
    assertThat(critic.lower(new float[] {0, 4, 3, 5, 7, 1})).isEqualTo(3);
    assertThat(critic.value(new float[] {0, 4, 3, 5, 7, 1})).isEqualTo(1);
    assertThat(critic.lower(new float[] {5, 7, 1, 0, 4, 1})).as("the first of equal ones").isZero();
    assertThat(critic.lower(new float[] {0, 4, 3, 5, 7, Float.NaN})).isEqualTo(3);
  }

  @Requirement("TWIN-1")
  @Test
  void shouldTakeTheLowerMeanOfEachSample() {
    Critic critic = new QuantileCritic(2, 1);
    assertThat(critic.value(new float[] {0, 4, 1, 1})).isEqualTo(1);
    assertThat(critic.value(new float[] {1, 1, 3, 5})).isEqualTo(1);
    assertThat(critic.value(new float[] {0, 4, 1, 2})).as("not of single quantiles").isEqualTo(1.5);
    assertThat(critic.value(new float[] {0, 4})).isEqualTo(2);
  }
}
