package io.quantail.market.trading;

import io.quantail.config.Check;

/**
 * When episodes of training begin and end; section {@code market.episode}.
 *
 * @param bars steps after which an episode is cut (truncated); at least 2; default 512
 * @param ruin an account at or below this share of its first equity ends the episode (terminated);
 *     in [0, 1); default 0.1
 * @param maxDrawdown a fall from the highest equity by this share or more ends it too; in (0, 1];
 *     default 1: never
 */
public record EpisodeSettings(int bars, double ruin, double maxDrawdown) {
  public EpisodeSettings {
    Check.atLeast("market.episode.bars", bars, 2);
    Check.decay("market.episode.ruin", ruin);
    Check.positiveFraction("market.episode.maxDrawdown", maxDrawdown);
  }

  public static EpisodeSettings defaults() {
    return new EpisodeSettings(512, 0.1, 1);
  }
}
