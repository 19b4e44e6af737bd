package io.quantail.app.console;

import io.quantail.calibration.RealisedReturns;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.market.MarketProvider;
import io.quantail.metrics.MetricRow;
import io.quantail.run.RunListener;
import io.quantail.run.TrainingRun;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * Says once that episodes are too short to measure calibration during training: at the start if the
 * environments know the length of their episodes, otherwise when the first ones were truncated.
 * Nothing is said of a market, where it is measured on the validation bars at the end.
 */
public final class CalibrationNotice implements RunListener {
  private static final String FOUND = "info/longest_episode_below_horizon";

  private final TrainingConsole console;
  private final RunConfig config;
  private final EnvironmentFactory environments;
  private final long horizon;
  private boolean decided; // nothing is left to say

  /**
   * Watches a training.
   *
   * @param console prints the line
   * @param config settings of the training
   * @param environments of the training
   */
  public CalibrationNotice(
      TrainingConsole console, RunConfig config, EnvironmentFactory environments) {
    this.console = console;
    this.config = config;
    this.environments = environments;
    this.horizon = RealisedReturns.horizon(config.rollout().gamma());
  }

  @Override
  public void onStart(TrainingRun run) {
    start(run.earlierRows());
  }

  /** Begins a training of which rows exist already if it is resumed. */
  void start(List<MetricRow> earlierRows) {
    OptionalInt longest = environments.longestEpisode();
    decided =
        MarketProvider.provides(config)
            || longest.isPresent()
            || earlierRows.stream().anyMatch(row -> row.values().containsKey(FOUND));
    if (!MarketProvider.provides(config)
        && longest.isPresent()
        && longest.getAsInt() < horizon
        && earlierRows.isEmpty()) {
      console.print(line(longest.getAsInt()));
    }
  }

  @Override
  public void onUpdate(MetricRow row) {
    Double longest = row.values().get(FOUND);
    if (!decided && longest != null) {
      decided = true;
      console.print(line(longest.longValue()));
    }
  }

  private String line(long longest) {
    String needed =
        horizon == Long.MAX_VALUE
            ? "and calibration needs terminated ones"
            : "and calibration needs " + horizon;
    return String.format(
        Locale.ROOT,
        "quantail: note: episodes end after %d steps %s (rollout.gamma %s); it is not measured",
        longest,
        needed,
        config.rollout().gamma());
  }
}
