package io.quantail.market.trading;

/**
 * When episodes of training begin and end.
 *
 * @param bars steps after which an episode is cut (truncated)
 * @param ruin an account at or below this share of its first equity ends the episode (terminated)
 * @param maxDrawdown a fall from the highest equity by this share or more ends it too; 1: never
 */
public record EpisodeSettings(int bars, double ruin, double maxDrawdown) {
  public static EpisodeSettings defaults() {
    return new EpisodeSettings(512, 0.1, 1);
  }
}
