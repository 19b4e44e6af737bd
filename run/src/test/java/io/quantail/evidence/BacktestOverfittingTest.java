package io.quantail.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.evidence.EvidenceException.Kind;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

class BacktestOverfittingTest {
  private static double[][] noise(int set, int periods, int trials, double plantedMean) {
    double[] values = ReturnProcess.NORMAL.draw("overfitting", set, periods * trials);
    double[][] returns = new double[periods][trials];
    for (int t = 0; t < periods; t++) {
      System.arraycopy(values, t * trials, returns[t], 0, trials);
      returns[t][0] += plantedMean;
    }
    return returns;
  }

  private static double mean(double plantedMean) {
    double sum = 0;
    for (int set = 0; set < 200; set++) {
      sum += BacktestOverfitting.of(noise(set, 500, 10, plantedMean), 8).probability();
    }
    System.out.printf(
        "mean overfitting probability of 200 sets with Sharpe ratio %.1f a year: %.3f%n",
        plantedMean * Math.sqrt(252), sum / 200);
    return sum / 200;
  }

  @Test
  @Requirement("EVID-7")
  void shouldCallNoiseACoinFlipAndSkillSkill() {
    assertThat(mean(0)).isBetween(0.45, 0.55);
    assertThat(mean(3 / Math.sqrt(252))).isLessThanOrEqualTo(0.12);
  }

  @Test
  void shouldRefuseOneTrialAndTooFewPeriods() {
    assertThatThrownBy(() -> BacktestOverfitting.of(noise(0, 100, 1, 0), 8))
        .isInstanceOfSatisfying(
            EvidenceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TOO_FEW_TRIALS))
        .hasMessageContaining("at least 2; there is 1");
    assertThatThrownBy(() -> BacktestOverfitting.of(noise(0, 31, 4, 0), 16))
        .isInstanceOfSatisfying(
            EvidenceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TOO_FEW_RETURNS))
        .hasMessageContaining("31 periods");
    assertThatThrownBy(() -> BacktestOverfitting.of(noise(0, 100, 4, 0), 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("even");
  }
}
