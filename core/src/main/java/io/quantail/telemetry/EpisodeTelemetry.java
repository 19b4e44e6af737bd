package io.quantail.telemetry;

import io.quantail.env.vector.EpisodeSummary;
import io.quantail.math.ProportionInterval;
import io.quantail.math.ReturnSeriesStatistics;
import io.quantail.math.SampleMoments;
import io.quantail.metrics.Metrics;
import io.quantail.rollout.Rollout;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Reports how often episodes are won, and the Sharpe ratio and drawdown of the rewards; reads only.
 *
 * <p>An episode is won when the sum of its rewards is positive. Sharpe ratio and drawdown are those
 * of each environment's own series, averaged over the environments: one series made of all of them
 * would mix their accounts. {@code EpisodeTelemetryTest} pins it.
 */
public final class EpisodeTelemetry {
  private static final double CONFIDENCE = 0.95;

  private EpisodeTelemetry() {}

  /** Reports the win rate of the episodes that ended in a rollout; nothing if none ended. */
  public static void wins(Metrics metrics, List<EpisodeSummary> episodes) {
    if (episodes.isEmpty()) {
      return;
    }
    int total = episodes.size();
    long wins = episodes.stream().filter(episode -> episode.totalReward() > 0).count();
    ProportionInterval wilson = ProportionInterval.wilson(wins, total, CONFIDENCE);
    ProportionInterval exact = ProportionInterval.exact(wins, total, CONFIDENCE);
    metrics.put("rollout/win_rate", (double) wins / total);
    metrics.put("rollout/win_rate_wilson_low", wilson.low());
    metrics.put("rollout/win_rate_wilson_high", wilson.high());
    metrics.put("rollout/win_rate_cp_low", exact.low());
    metrics.put("rollout/win_rate_cp_high", exact.high());
    metrics.put("rollout/win_rate_total_episodes", total);
    metrics.put("rollout/win_rate_total_wins", wins);
  }

  /** Reports the Sharpe ratio per step and the largest drawdown of the rewards of a rollout. */
  public static void rewards(Metrics metrics, Rollout rollout) {
    rewards(metrics, rollout.rewards(), rollout.shape().environments(), rollout::ends);
  }

  /**
   * @param rewards [time, environment]
   * @param ends whether the transition at an index ended its episode
   */
  static void rewards(Metrics metrics, double[] rewards, int environments, IntPredicate ends) {
    double ratios = 0;
    int defined = 0;
    double drawdowns = 0;
    for (int environment = 0; environment < environments; environment++) {
      double[] series = new double[rewards.length / environments];
      for (int step = 0; step < series.length; step++) {
        series[step] = rewards[step * environments + environment];
      }
      SampleMoments moments = SampleMoments.of(series, 0, 1);
      double ratio = ReturnSeriesStatistics.sharpe(moments.mean(), moments.deviation(), 1);
      ratios += Double.isFinite(ratio) ? ratio : 0;
      defined += Double.isFinite(ratio) ? 1 : 0;
      int first = environment;
      drawdowns += drawdown(series, step -> ends.test(step * environments + first));
    }
    if (defined > 0) {
      metrics.put("rollout/sharpe_ratio", ratios / defined);
    }
    metrics.put("rollout/max_drawdown", drawdowns / environments);
  }

  /** The largest drawdown within an episode: every episode starts with an account of its own. */
  private static double drawdown(double[] series, IntPredicate ends) {
    double largest = 0;
    int start = 0;
    for (int step = 0; step < series.length; step++) {
      if (step == series.length - 1 || ends.test(step)) {
        double[] episode = Arrays.copyOfRange(series, start, step + 1);
        largest = Math.max(largest, ReturnSeriesStatistics.drawdownOfLogReturns(episode));
        start = step + 1;
      }
    }
    return largest;
  }
}
