package io.quantail.run.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RiskConfig;
import io.quantail.env.vector.EpisodeSummary;
import io.quantail.evidence.LimitVerdict.Verdict;
import io.quantail.random.RandomStream;
import io.quantail.run.evaluation.LimitEstimate.Samples;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import io.quantail.train.EvaluationEpisodes;
import io.quantail.train.EvaluationSummary;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

@Requirement("EVID-12")
class LimitEstimateTest {
  private static RiskConfig risk(String... settings) {
    return YamlConfig.parse("risk: {mode: policy}", "run.yaml", List.of(settings)).risk();
  }

  private static double[] normal(int n) {
    RandomStream random = RandomStream.of(5, "limit", 0);
    double[] values = new double[n];
    Arrays.setAll(values, i -> 0.01 * random.nextGaussian());
    return values;
  }

  private static LimitEstimate bars(double[] values, String... settings) {
    return LimitEstimate.of(new Samples("bars", false, values), risk(settings), 1);
  }

  /** The CVaR at 5 % of a normal distribution is -2.06 standard deviations. */
  @Test
  void shouldDecideFarFromTheLimit() {
    LimitEstimate kept = bars(normal(1_000), "risk.limit=-0.04");
    assertThat(kept.status()).isEqualTo(Verdict.KEPT);
    assertThat(kept.reason()).isNull();
    assertThat(kept.samples()).isEqualTo(1_000);
    assertThat(kept.tailSamples()).isEqualTo(50);
    assertThat(kept.measured()).isCloseTo(-0.0206, within(0.002));
    assertThat(kept.low()).isLessThan(kept.measured());
    assertThat(kept.high()).isGreaterThan(kept.measured());
    assertThat(bars(normal(1_000), "risk.limit=-0.01").status()).isEqualTo(Verdict.BROKEN);
    LimitEstimate close = bars(normal(1_000), "risk.limit=" + kept.measured());
    assertThat(close.status()).isEqualTo(Verdict.UNDECIDED);
    assertThat(close.reason()).isEqualTo("the interval contains the limit");
  }

  @Test
  void shouldExplainWhyFewSamplesDecideNothing() {
    LimitEstimate shortTail = bars(normal(100), "risk.limit=-1");
    assertThat(shortTail.status()).isEqualTo(Verdict.UNDECIDED);
    assertThat(shortTail.low()).isNotNull();
    assertThat(shortTail.reason())
        .isEqualTo("100 bars have 5 in the tail; a decision needs 10, so at least 181 bars");
    LimitEstimate few = bars(new double[] {-0.3, -0.1, 0.2}, "risk.limit=-1", "risk.alpha=0.5");
    assertThat(few.status()).isEqualTo(Verdict.UNDECIDED);
    assertThat(few.measured()).isCloseTo(-0.2, within(1e-12)); // two of three
    assertThat(few.low()).isNull();
    assertThat(few.reason()).isEqualTo("there are only 3 bars; a decision needs at least 30");
    LimitEstimate none = bars(new double[0], "risk.limit=-1");
    assertThat(none.measured()).isNull();
    assertThat(none.reason()).isEqualTo("there are no bars; a decision needs at least 181");
    double[] broken = normal(40);
    broken[7] = Double.NaN;
    assertThat(bars(broken, "risk.limit=-1").measured()).isNull();
    assertThat(bars(broken, "risk.limit=-1").reason()).contains("not a finite number");
  }

  /** With alpha 1 the CVaR is the mean; an account that never trades keeps any limit on losses. */
  @Test
  void shouldAcceptEveryAlphaAndConstantReturns() {
    double[] values = normal(200);
    assertThat(bars(values, "risk.limit=-0.04", "risk.alpha=1").measured())
        .isCloseTo(DoubleStream.of(values).average().orElseThrow(), within(1e-15));
    LimitEstimate flat = bars(new double[400], "risk.limit=-0.001");
    assertThat(flat.status()).isEqualTo(Verdict.KEPT);
    assertThat(flat.measured()).isZero();
  }

  @Test
  void shouldTakeSamplesAsTheMeasureSays() {
    double[] rewards = {1, 2, 4, 8, -1, -2, 5};
    assertThat(EpisodeLimit.windows(rewards, false, 2, 0.5)).containsExactly(2, 8, -2);
    assertThat(EpisodeLimit.windows(rewards, true, 2, 0.5)).containsExactly(2, 8, -2, 5);
    assertThat(EpisodeLimit.windows(rewards, true, Long.MAX_VALUE, 1)).containsExactly(17);
    assertThat(EpisodeLimit.windows(rewards, false, Long.MAX_VALUE, 1)).isEmpty();
    EvaluationEpisodes played =
        new EvaluationEpisodes(
            new EvaluationSummary(2, 0, 0, 0, 0, 0, 0.5, 0, 0, List.of()),
            List.of(new EpisodeSummary(0, 15, 4, false), new EpisodeSummary(1, 2, 3, true)),
            rewards);
    LimitResult rewardLimit =
        EpisodeLimit.of(played, risk("risk.limit=-5", "risk.alpha=0.2"), 0.5, 1);
    assertThat(rewardLimit.measured()).isEqualTo(-1.5); // the two lowest of seven
    assertThat(rewardLimit.judged().estimate().unit()).isEqualTo("steps");
    LimitResult episodes =
        EpisodeLimit.of(
            played, risk("risk.limit=-5", "risk.alpha=0.5", "risk.measure=episodes"), 0.5, 1);
    assertThat(episodes.measured()).isEqualTo(2);
    assertThat(episodes.measure()).isEqualTo("episodes");
    // Horizon of gamma 0.5: 5 steps. The first episode terminates within; the second is cut off.
    LimitResult returns =
        EpisodeLimit.of(
            played, risk("risk.limit=-5", "risk.alpha=0.5", "risk.measure=returns"), 0.5, 1);
    assertThat(returns.judged().estimate().samples()).isEqualTo(1);
    assertThat(returns.measured()).isEqualTo(1 + 0.5 * (2 + 0.5 * (4 + 0.5 * 8)));
    assertThat(returns.status()).isEqualTo(Verdict.UNDECIDED);
  }
}
