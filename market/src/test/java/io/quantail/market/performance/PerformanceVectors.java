package io.quantail.market.performance;

import io.quantail.market.split.TimeRange;
import io.quantail.market.trading.TargetWeightMap;
import io.quantail.math.ProportionInterval;
import io.quantail.math.ReturnSeriesStatistics;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Statistics of returns, intervals of shares, and how actions and time are divided. */
public final class PerformanceVectors implements VectorFamily {
  private static final double YEAR_SECONDS = 365.0 * 24 * 3600;
  private static final int FEWEST_LOSSES = 20;

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "win_rate_intervals", this::checkIntervals,
        "rollout_trading_metrics", this::checkRollout,
        "sortino_with_fallback", this::checkSortino,
        "long_only_action_map", this::checkLongOnly,
        "auto_time_split", this::checkSplit);
  }

  private void checkIntervals(VectorCase vector) {
    int wins = vector.integer("wins");
    int episodes = vector.integer("episodes");
    double confidence = vector.number("confidence");
    vector.expect("win_rate", (double) wins / episodes);
    vector.expect("wilson", bounds(ProportionInterval.wilson(wins, episodes, confidence)));
    vector.expect("clopper_pearson", bounds(ProportionInterval.exact(wins, episodes, confidence)));
  }

  private static double[] bounds(ProportionInterval interval) {
    return new double[] {interval.low(), interval.high()};
  }

  private void checkRollout(VectorCase vector) {
    double[] returns = vector.doubles("log_returns");
    double year = vector.number("bars_per_year");
    vector.expect("sharpe", ReturnSeriesStatistics.sharpe(returns, year));
    vector.expect("sortino", sortinoOfLosses(returns, year));
    vector.expect("max_drawdown", ReturnSeriesStatistics.drawdownOfLogReturns(returns));
    vector.expect("profit_factor", ReturnSeriesStatistics.profitFactor(returns));
    vector.expect("total_return", Math.expm1(Arrays.stream(returns).sum()));
  }

  /** The form of the vectors: the downside is averaged over losses alone. */
  static double sortinoOfLosses(double[] returns, double year) {
    double share = (double) ReturnSeriesStatistics.losses(returns) / returns.length;
    return ReturnSeriesStatistics.sortino(returns, year) * Math.sqrt(share);
  }

  private void checkSortino(VectorCase vector) {
    double[] many = vector.doubles("returns_long");
    double[] few = vector.doubles("returns_short");
    double year = YEAR_SECONDS / vector.number("bar_seconds");
    vector.expect("annualization", Math.sqrt(year));
    vector.expect("n_downside_long", ReturnSeriesStatistics.losses(many));
    vector.expect("n_downside_short", ReturnSeriesStatistics.losses(few));
    vector.expect("sharpe_long", ReturnSeriesStatistics.sharpe(many, year));
    vector.expect("sortino_long_textbook_all_samples", ReturnSeriesStatistics.sortino(many, year));
    if (ReturnSeriesStatistics.losses(many) >= FEWEST_LOSSES) {
      vector.expect("sortino_long", sortinoOfLosses(many, year));
    }
    if (ReturnSeriesStatistics.losses(few) < FEWEST_LOSSES) {
      // What the audited program calls Sortino there is a Sharpe ratio.
      vector.expect("sortino_short", ReturnSeriesStatistics.sharpe(few, year));
    }
    vector.ignore("sortino_tiny", "two returns have a ratio, if a poor one; it is not 0");
  }

  private void checkLongOnly(VectorCase vector) {
    TargetWeightMap actions = new TargetWeightMap.Continuous(true, 1);
    double[] weights =
        Arrays.stream(vector.doubles("action"))
            .map(action -> actions.weight(new float[] {(float) action}))
            .toArray();
    vector.expect("target_weight", weights);
  }

  private void checkSplit(VectorCase vector) {
    List<TimeRange> spans =
        TimeRange.divide(vector.integer("min_ts"), vector.integer("max_ts"), 0.7, 0.15);
    List<String> names = List.of("train", "val", "test");
    for (int i = 0; i < names.size(); i++) {
      TimeRange span = spans.get(i);
      vector.expect(names.get(i), new int[] {(int) span.from(), (int) span.to()});
    }
  }
}
