package io.quantail.env.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.env.Action;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

@Requirement("ENV-1")
class RewardProcessTest {
  private static final int STEPS = 200_000;

  @Test
  void shouldPayIndependentStandardNormalRewards() {
    double[] rewards = rewards(RewardProcess.Kind.IID_NORMAL, 1);
    assertThat(mean(rewards)).isCloseTo(0, within(4 / Math.sqrt(STEPS)));
    assertThat(covariance(rewards, 0)).isCloseTo(1, within(4 * Math.sqrt(2.0 / STEPS)));
    assertThat(covariance(rewards, 1)).isCloseTo(0, within(4 / Math.sqrt(STEPS)));
  }

  @Test
  void shouldPayAnAutoregressiveProcess() {
    double[] rewards = rewards(RewardProcess.Kind.AUTOREGRESSIVE, 1);
    double variance = 0.4 * 0.4 / (1 - 0.9 * 0.9);
    // The variance of the mean is that of independent draws times (1 + 0.9) / (1 - 0.9).
    assertThat(mean(rewards)).isCloseTo(0, within(4 * Math.sqrt(variance * 19 / STEPS)));
    assertThat(covariance(rewards, 0)).isCloseTo(variance, within(0.04));
    assertThat(covariance(rewards, 1) / covariance(rewards, 0)).isCloseTo(0.9, within(0.005));
    assertThat(covariance(rewards, 2) / covariance(rewards, 0)).isCloseTo(0.81, within(0.01));
  }

  @Test
  void shouldShowTheValueThatWasPaid() {
    RewardProcess process = new RewardProcess(RewardProcess.Kind.AUTOREGRESSIVE, 1000);
    process.reset(RandomStream.of(1, "process", 0));
    for (int t = 0; t < 5; t++) {
      Step step = process.step(Action.of(process.actionSpace(), t % 2));
      assertThat(step.observation()).containsExactly((float) (step.reward() / 1000));
    }
  }

  @Test
  void shouldStartAnAutoregressiveProcessInItsStationaryDistribution() {
    RewardProcess process = new RewardProcess(RewardProcess.Kind.AUTOREGRESSIVE, 1);
    double squares = 0;
    int episodes = 20_000;
    for (int episode = 0; episode < episodes; episode++) {
      float first = process.reset(RandomStream.of(1, "start", episode))[0];
      squares += (double) first * first;
    }
    double variance = 0.16 / 0.19;
    assertThat(squares / episodes)
        .isCloseTo(variance, within(4 * variance * Math.sqrt(2.0 / episodes)));
  }

  @Test
  void shouldPayRareExponentialLosses() {
    double[] rewards = rewards(RewardProcess.Kind.JUMPS, 1);
    // Mean 0.05 - 0.01 * 4; variance 0.3^2 + 0.01 * 2 * 4^2 - 0.04^2.
    assertThat(mean(rewards)).isCloseTo(0.01, within(4 * Math.sqrt(0.4084 / STEPS)));
    assertThat(covariance(rewards, 0)).isCloseTo(0.4084, within(0.05));
    assertThat(covariance(rewards, 1)).isCloseTo(0, within(4 * 0.4084 / Math.sqrt(STEPS)));
    // Only a jump falls below -2; P = 0.01 exp(-2.05 / 4) exp((0.3 / 4)^2 / 2) to 1e-7.
    double below = Arrays.stream(rewards).filter(reward -> reward < -2).count() / (double) STEPS;
    double expected = 0.01 * Math.exp(-2.05 / 4 + 0.075 * 0.075 / 2);
    assertThat(below).isCloseTo(expected, within(4 * Math.sqrt(expected / STEPS)));
  }

  @Test
  void shouldScaleRewardsAndNotObservations() {
    for (RewardProcess.Kind kind : RewardProcess.Kind.values()) {
      RewardProcess one = new RewardProcess(kind, 1);
      RewardProcess scaled = new RewardProcess(kind, 1e-3);
      assertThat(scaled.reset(RandomStream.of(4, "process", 0)))
          .containsExactly(one.reset(RandomStream.of(4, "process", 0)));
      for (int t = 0; t < 300; t++) {
        Step step = one.step(Action.of(one.actionSpace(), 0));
        Step other = scaled.step(Action.of(scaled.actionSpace(), 1)); // no action matters
        assertThat(other.reward()).isEqualTo(1e-3 * step.reward());
        assertThat(other.observation()).containsExactly(step.observation());
        assertThat(other.done()).isFalse();
      }
    }
  }

  @Test
  void shouldRejectAScaleThatIsNotPositiveAndFinite() {
    for (double scale : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new RewardProcess(RewardProcess.Kind.JUMPS, scale))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("scale must be positive and finite, was " + scale);
    }
  }

  private static double[] rewards(RewardProcess.Kind kind, double scale) {
    RewardProcess process = new RewardProcess(kind, scale);
    process.reset(RandomStream.of(2, "process", 0));
    float[] action = {0};
    double[] rewards = new double[STEPS];
    Arrays.setAll(rewards, t -> process.step(Action.of(process.actionSpace(), action)).reward());
    return rewards;
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double covariance(double[] values, int lag) {
    double mean = mean(values);
    double sum = 0;
    for (int t = lag; t < values.length; t++) {
      sum += (values[t] - mean) * (values[t - lag] - mean);
    }
    return sum / (values.length - lag);
  }
}
