package io.quantail.run.evaluation;

import io.quantail.calibration.RealisedReturns;
import io.quantail.config.RiskConfig;
import io.quantail.env.vector.EpisodeSummary;
import io.quantail.run.evaluation.LimitEstimate.Samples;
import io.quantail.train.EvaluationEpisodes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The limit of runs that are evaluated by episodes. Samples are the steps of the evaluation for
 * {@code rewards}, windows of the calibration horizon for {@code returns}, and whole episodes for
 * {@code episodes}.
 */
public final class EpisodeLimit {
  private static final String PART = "evaluation";

  private EpisodeLimit() {}

  static LimitResult of(EvaluationEpisodes played, RiskConfig risk, double gamma, long seed) {
    LimitEstimate estimate = LimitEstimate.of(samples(played, risk, gamma), risk, seed);
    return LimitResult.of(risk, List.of(new LimitPart(PART, estimate, null, null, null, Map.of())));
  }

  private static Samples samples(EvaluationEpisodes played, RiskConfig risk, double gamma) {
    return switch (risk.measure()) {
      case REWARDS -> new Samples("steps", false, played.rewards());
      case RETURNS -> windows(played, gamma);
      case EPISODES ->
          new Samples(
              "episodes",
              true,
              played.episodes().stream().mapToDouble(EpisodeSummary::totalReward).toArray());
    };
  }

  private static Samples windows(EvaluationEpisodes played, double gamma) {
    List<double[]> parts = new ArrayList<>();
    int from = 0;
    for (EpisodeSummary episode : played.episodes()) {
      double[] rewards = Arrays.copyOfRange(played.rewards(), from, from + episode.length());
      parts.add(windows(rewards, !episode.truncated(), RealisedReturns.horizon(gamma), gamma));
      from += episode.length();
    }
    return new Samples(
        windowUnit("steps", RealisedReturns.horizon(gamma)),
        true,
        parts.stream().flatMapToDouble(Arrays::stream).toArray());
  }

  /** The name of windows, such as {@code windows of 99 bars}. */
  public static String windowUnit(String steps, long length) {
    return length == Long.MAX_VALUE
        ? "returns to the end of an episode"
        : String.format(Locale.ROOT, "windows of %d %s", length, steps);
  }

  /**
   * The discounted sums of windows that do not overlap. The last window counts if it is whole or if
   * the episode terminated in it.
   *
   * @param rewards of one episode
   * @param terminated whether the episode ended by itself; else its future is open
   * @param length of a window, in steps
   */
  public static double[] windows(double[] rewards, boolean terminated, long length, double gamma) {
    List<Double> sums = new ArrayList<>();
    for (int from = 0; from < rewards.length; ) {
      int to = (int) Math.min(rewards.length, from + length);
      if (to - from == length || terminated) {
        double sum = 0;
        for (int t = to - 1; t >= from; t--) {
          sum = rewards[t] + gamma * sum;
        }
        sums.add(sum);
      }
      from = to;
    }
    return sums.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
