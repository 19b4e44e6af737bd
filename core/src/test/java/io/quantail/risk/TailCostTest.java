package io.quantail.risk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.env.tasks.OutcomeDistribution;
import io.quantail.env.tasks.TailBandit;
import io.quantail.rollout.Gae;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TailCostTest {
  private static final double ALPHA = 0.25;

  @Test
  @Requirement("CVAR-4")
  void shouldWeighWhatLiesBelowTheQuantile() {
    // The quantile at 0.25 of these five is 1; only -3 lies below, by 4.
    double[] centered = TailCost.centered(new double[] {5, -3, 1, 9, 2}, ALPHA);

    assertThat(centered).containsExactly(-3.2, 12.8, -3.2, -3.2, -3.2);
  }

  @Test
  @Requirement("CVAR-6")
  void shouldChargeNothingToStepsWithoutASample() {
    // The quantile at 0.25 of the window is 1; the three charged steps fall short by 16, 0 and 0.
    double[] costs =
        TailCost.charged(
            new double[] {Double.NaN, -3, 9, Double.NaN, 1}, new double[] {5, -3, 1, 9, 2}, ALPHA);

    double mean = 16.0 / 3;
    assertThat(costs).containsExactly(new double[] {0, 16 - mean, -mean, 0, -mean}, within(1e-12));
  }

  @Test
  @Requirement("CVAR-4")
  void shouldAverageTheCostsOfATransition() {
    assertThat(TailCost.averaged(new double[] {1, 3, -4, 0, 2, 2}, 3)).containsExactly(2, -2, 2);
  }

  /**
   * A policy that plays the fat arm with probability p: the expected product of score and cost is
   * the derivative of the exact CVaR, with the sign turned.
   */
  @Test
  @Requirement("CVAR-4")
  void shouldHaveThePolicyGradientOfTheCvar() {
    double p = 0.4;
    double alpha = 0.1;
    int copies = 100_000;
    double[] samples = new double[copies];
    double[] scores = new double[copies];
    fill(samples, scores, p);

    double[] costs = TailCost.centered(samples, alpha);
    double gradient = 0;
    for (int i = 0; i < copies; i++) {
      gradient -= scores[i] * costs[i] / copies;
    }
    double step = 1e-6;
    double derivative = (cvar(p + step, alpha) - cvar(p - step, alpha)) / (2 * step);

    assertThat(gradient).isCloseTo(derivative, within(1e-3 * Math.abs(derivative)));
  }

  /** Exactly as often as they are likely, with the score of the arm that was played. */
  private static void fill(double[] samples, double[] scores, double p) {
    int next = 0;
    for (int arm : new int[] {TailBandit.THIN, TailBandit.FAT}) {
      OutcomeDistribution outcomes = TailBandit.arms().get(arm);
      double played = arm == TailBandit.FAT ? p : 1 - p;
      for (int i = 0; i < outcomes.values().length; i++) {
        int count = (int) Math.round(samples.length * played * outcomes.probabilities()[i]);
        Arrays.fill(samples, next, next + count, outcomes.values()[i]);
        Arrays.fill(scores, next, next + count, arm == TailBandit.FAT ? 1 / p : -1 / (1 - p));
        next += count;
      }
    }
    assertThat(next).isEqualTo(samples.length);
  }

  private static double cvar(double p, double alpha) {
    // Ascending: -0.85 and 0.15 of the fat arm, 0 and 0.2 of the thin one.
    return new OutcomeDistribution(
            new double[] {-0.85, 0, 0.15, 0.2},
            new double[] {0.05 * p, 0.5 * (1 - p), 0.95 * p, 0.5 * (1 - p)})
        .cvar(alpha);
  }

  @Test
  @Requirement("CVAR-4")
  void shouldCreditEarlierStepsOfTheSameEpisodeOnly() {
    // Two environments, three steps; the first environment's episode ends after its second step.
    double[] costs = {1, 10, 2, 20, 4, 40};
    boolean[] terminated = {false, false, true, false, false, false};
    Gae.Input input =
        new Gae.Input(
            2,
            new double[6],
            new double[6],
            terminated,
            new boolean[6],
            new double[6],
            new double[2],
            0.5,
            0.5);

    double[] traced = TailCost.traced(costs, input);

    assertThat(traced).containsExactly(1 + 0.25 * 2, 10 + 0.25 * 30, 2, 30, 4, 40);
    assertThat(costs).containsExactly(1, 10, 2, 20, 4, 40);
  }
}
