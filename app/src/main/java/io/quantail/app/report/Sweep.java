package io.quantail.app.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The result of a sweep: points of a grid of settings, each trained with the same seeds.
 *
 * @param environment name of the environment
 * @param judged description of the score
 * @param points in the order of the grid
 */
public record Sweep(String environment, String judged, List<Point> points) {
  public Sweep {
    points = List.copyOf(points);
  }

  /**
   * One agent.
   *
   * @param seed of the agent
   * @param score of the evaluation; minus infinity if it could not be trained
   * @param steps environment steps of its training
   * @param run directory relative to that of the sweep; null if it could not be trained
   * @param report file name of its report; null if it could not be trained
   * @param failure reason why it could not be trained; null if it could
   */
  public record Training(
      long seed, double score, long steps, String run, String report, String failure) {
    public static Training failed(long seed, String failure) {
      return new Training(seed, Double.NEGATIVE_INFINITY, 0, null, null, failure);
    }
  }

  /**
   * The agents of one point of the grid.
   *
   * @param point number of the point, from 1
   * @param settings of the grid at this point
   * @param median middle score; of two, the lower
   * @param worst lowest score
   * @param best highest score
   * @param trainings by seed
   */
  public record Point(
      int point,
      Map<String, String> settings,
      double median,
      double worst,
      double best,
      List<Training> trainings) {

    public static Point of(int point, Map<String, String> settings, List<Training> trainings) {
      double[] sorted = trainings.stream().mapToDouble(Training::score).sorted().toArray();
      return new Point(
          point,
          settings,
          sorted[(sorted.length - 1) / 2],
          sorted[0],
          sorted[sorted.length - 1],
          List.copyOf(trainings));
    }

    /** The agent with the median score. */
    public Training medianTraining() {
      return trainings.stream().filter(one -> one.score() == median).findFirst().orElseThrow();
    }

    /** Number of agents that have a score. */
    public long trained() {
      return trainings.stream().filter(one -> one.failure() == null).count();
    }

    /** The settings as text, such as {@code ppo.epochs=4 ppo.clipRange=0.1}. */
    public String words() {
      return settings.isEmpty()
          ? "as configured"
          : settings.entrySet().stream()
              .map(one -> one.getKey() + "=" + one.getValue())
              .collect(Collectors.joining(" "));
    }
  }

  /** The points ordered by median, then by the worst seed. */
  public List<Point> ranked() {
    return points.stream()
        .sorted(
            Comparator.comparingDouble(Point::median)
                .thenComparingDouble(Point::worst)
                .reversed()
                .thenComparingInt(Point::point))
        .toList();
  }

  /** The first point in rank; empty if there is only one point or its median is not a score. */
  public Optional<Point> best() {
    Point first = ranked().get(0);
    return points.size() > 1 && Double.isFinite(first.median())
        ? Optional.of(first)
        : Optional.empty();
  }

  /** One sentence: the best point with its scores. */
  public String verdict() {
    Point first = ranked().get(0);
    int seeds = first.trainings().size();
    if (!Double.isFinite(first.median())) {
      return "%s: no point of the grid has a median, too many of its agents could not be trained."
          .formatted(environment);
    }
    String numbers =
        seeds == 1
            ? "score %s".formatted(shown(first.median()))
            : "median %s over %d seeds, between %s and %s"
                .formatted(shown(first.median()), seeds, shown(first.worst()), shown(first.best()));
    return points.size() == 1
        ? "%s: %s.".formatted(environment, numbers)
        : "%s: best of %d points is %s: %s."
            .formatted(environment, points.size(), first.words(), numbers);
  }

  /** One sentence on how certain the ranking is; empty if it is certain. */
  public String doubt() {
    if (best().isEmpty()) {
      return "";
    }
    Point first = best().get();
    long rivals =
        points.stream().filter(one -> one != first && one.best() >= first.median()).count();
    return first.trainings().size() == 1
        ? "With one seed for each point the order may be chance; give several with --seeds."
        : rivals == 0
            ? ""
            : "%d of the %d other points have a seed that reached this median; more --seeds tell skill from chance."
                .formatted(rivals, points.size() - 1);
  }

  /** A score with enough digits; those of markets are small. */
  public static String shown(double score) {
    return score == Double.NEGATIVE_INFINITY
        ? "failed"
        : String.format(Locale.ROOT, Math.abs(score) < 1 ? "%.4f" : "%.1f", score);
  }

  /** Scores of one seed at all points. */
  double[] ofSeed(int index) {
    return points.stream().mapToDouble(one -> one.trainings().get(index).score()).toArray();
  }

  double[] medians() {
    return points.stream().mapToDouble(Point::median).toArray();
  }
}
