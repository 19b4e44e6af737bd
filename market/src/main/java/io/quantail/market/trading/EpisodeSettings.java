package io.quantail.market.trading;

import io.quantail.config.Check;

/**
 * Length and termination of training episodes; section {@code market.episode}.
 *
 * @param bars steps after which an episode is truncated; at least 2; default 512
 * @param ruin fraction of the initial equity at or below which an episode terminates; in [0, 1);
 *     default 0.1
 * @param maxDrawdown drawdown at which an episode terminates; in (0, 1]; default 1: never
 */
public record EpisodeSettings(int bars, double ruin, double maxDrawdown) {
  public EpisodeSettings {
    Check.atLeast("market.episode.bars", bars, 2);
    Check.decay("market.episode.ruin", ruin);
    Check.positiveFraction("market.episode.maxDrawdown", maxDrawdown);
  }

  /** The default settings. */
  public static EpisodeSettings defaults() {
    return new EpisodeSettings(512, 0.1, 1);
  }
}
