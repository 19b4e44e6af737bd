package io.quantail.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How often luck passes for skill, and how often skill is found. */
class SharpeLuckTest {
  private static final int DAYS = 1_000;
  private static final double DAYS_PER_YEAR = 252;

  /** Fractions of experiments. */
  private record Rates(double significant, double plantedFound, double deflated) {}

  /**
   * Judges the best of some trials.
   *
   * @param planted annual Sharpe ratio of the first trial; all others have none
   */
  private static Rates rates(int trials, double planted, int days, int experiments) {
    return rates(ReturnProcess.NORMAL, trials, planted, days, experiments);
  }

  private static Rates rates(
      ReturnProcess process, int trials, double planted, int days, int experiments) {
    double significant = 0;
    double found = 0;
    double deflated = 0;
    for (int experiment = 0; experiment < experiments; experiment++) {
      double[] ratios = new double[trials];
      SharpeStatistics[] statistics = new SharpeStatistics[trials];
      int best = 0;
      for (int trial = 0; trial < trials; trial++) {
        double mean = trial == 0 ? planted / Math.sqrt(DAYS_PER_YEAR) : 0;
        double[] returns = process.draw("luck" + trial, experiment, days);
        statistics[trial] =
            SharpeStatistics.of(Arrays.stream(returns).map(value -> value + mean).toArray());
        ratios[trial] = statistics[trial].sharpe();
        best = ratios[trial] > ratios[best] ? trial : best;
      }
      boolean one = statistics[best].bestOfTrialsPValue(trials) < 0.05;
      significant += one ? 1.0 / experiments : 0;
      found += one && best == 0 ? 1.0 / experiments : 0;
      double variance = SharpeStatistics.varianceOf(ratios);
      deflated += statistics[best].deflated(trials, variance) > 0.95 ? 1.0 / experiments : 0;
    }
    System.out.printf(
        "%s, %d trials, %d days, Sharpe ratio %.0f planted, %d experiments: p_max < 0.05 %.1f %%, and the"
            + " planted one %.1f %%; DSR > 0.95 %.1f %%%n",
        process,
        trials,
        days,
        planted,
        experiments,
        100 * significant,
        100 * found,
        100 * deflated);
    return new Rates(significant, found, deflated);
  }

  @Test
  @Requirement("EVID-5")
  void shouldRarelyTakeLuckForSkill() {
    // 3 standard deviations of a rate of 5 %: 2.1 points in 1,000 experiments, 3.8 points in 300.
    assertThat(rates(1, 0, DAYS, 1_000).significant()).isBetween(0.029, 0.071);
    Rates ten = rates(10, 0, DAYS, 300);
    assertThat(ten.significant()).isBetween(0.012, 0.088);
    assertThat(ten.deflated()).isLessThanOrEqualTo(0.01);
  }

  @Test
  @Requirement("EVID-6")
  void shouldFindThePlantedSkill() {
    // 88 % less 3 standard deviations of 200 experiments.
    assertThat(rates(10, 2, DAYS, 200).plantedFound()).isGreaterThanOrEqualTo(0.81);
  }

  @Test
  @Tag("learning")
  @Requirement({"EVID-5", "EVID-6"})
  void shouldKeepTheRatesInManyExperiments() {
    assertThat(rates(1, 0, DAYS, 4_000).significant()).isBetween(0.035, 0.065);
    Rates ten = rates(10, 0, DAYS, 2_000);
    assertThat(ten.significant()).isBetween(0.035, 0.065);
    assertThat(ten.deflated()).isLessThanOrEqualTo(0.01);
    assertThat(rates(10, 2, DAYS, 2_000).plantedFound()).isGreaterThanOrEqualTo(0.88);
    rates(10, 2, 252, 2_000);
    rates(ReturnProcess.FAT, 100, 0, DAYS, 1_000);
  }
}
