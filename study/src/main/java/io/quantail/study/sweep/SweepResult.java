package io.quantail.study.sweep;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quantail.run.evaluation.LimitResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Result of a sweep: the scores of every point of a grid of settings, each with the same seeds.
 * {@code sweep --json} prints it and {@code results.json} contains it.
 *
 * @param run directory of the sweep
 * @param environment name of the environment
 * @param judged what a score measures, in words
 * @param points in the order of the grid
 * @param best number of the best point; null if there is none
 * @param verdict the result in one sentence
 * @param report path of the HTML report
 */
public record SweepResult(
    String run,
    String environment,
    String judged,
    List<Point> points,
    @Nullable Integer best,
    String verdict,
    String report) {

  /**
   * Ranks the points of a sweep.
   *
   * @param judged what a score measures, in words
   * @param points in the order of the grid, at least one
   */
  public static SweepResult of(
      Path directory, Path report, String environment, String judged, List<Point> points) {
    return new SweepResult(
        directory.toString(),
        environment,
        judged,
        List.copyOf(points),
        best(points).map(Point::point).orElse(null),
        verdict(environment, points),
        report.toString());
  }

  /**
   * Training of one agent.
   *
   * @param seed of the agent
   * @param score of its evaluation; minus infinity if it could not be trained
   * @param steps environment steps of the training
   * @param run its directory, relative to that of the sweep; null if it could not be trained
   * @param report name of its page there; null if it could not be trained
   * @param failure why it could not be trained; null if it could
   * @param limit whether the CVaR limit was kept; null if there is none
   */
  public record Training(
      long seed,
      double score,
      long steps,
      @Nullable String run,
      @Nullable String report,
      @Nullable String failure,
      @Nullable LimitResult limit) {
    /** A training that failed. */
    public static Training failed(long seed, String failure) {
      return new Training(seed, Double.NEGATIVE_INFINITY, 0, null, null, failure, null);
    }
  }

  /**
   * The agents of one point of the grid.
   *
   * @param point its number, from 1 on
   * @param settings values of the varied settings, by path
   * @param median median score; of two middle scores, the lower
   * @param worst lowest score
   * @param best highest score
   * @param trainings by seed
   * @param rung of successive halving that it reached, from 1 on; null without
   */
  public record Point(
      int point,
      Map<String, String> settings,
      double median,
      double worst,
      double best,
      List<Training> trainings,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer rung) {

    /** Summarises the trainings of a point. */
    public static Point of(int point, Map<String, String> settings, List<Training> trainings) {
      double[] sorted = trainings.stream().mapToDouble(Training::score).sorted().toArray();
      return new Point(
          point,
          settings,
          sorted[(sorted.length - 1) / 2],
          sorted[0],
          sorted[sorted.length - 1],
          List.copyOf(trainings),
          null);
    }

    /** The same point at a rung of successive halving; null without. */
    Point at(@Nullable Integer reached) {
      return new Point(point, settings, median, worst, best, trainings, reached);
    }

    private int reached() {
      return rung == null ? 0 : rung;
    }

    /** The agent with the median score. */
    public Training medianTraining() {
      return trainings.stream().filter(one -> one.score() == median).findFirst().orElseThrow();
    }

    /** Agents that have a score. */
    public long trained() {
      return trainings.stream().filter(one -> one.failure() == null).count();
    }

    /** How many agents kept the limit, such as {@code 2 kept, 1 broken}; empty without a limit. */
    public String limits() {
      List<String> statuses =
          trainings.stream()
              .map(Training::limit)
              .filter(Objects::nonNull)
              .map(limit -> limit.status().id())
              .toList();
      return statuses.stream()
          .distinct()
          .map(status -> Collections.frequency(statuses, status) + " " + status)
          .collect(Collectors.joining(", "));
    }

    /** {@code ppo.epochs=4 ppo.clipRange=0.1}. */
    public String words() {
      return settings.isEmpty()
          ? "as configured"
          : settings.entrySet().stream()
              .map(one -> one.getKey() + "=" + one.getValue())
              .collect(Collectors.joining(" "));
    }
  }

  /**
   * Points by the rung they reached, by median, then by the worst seed; never by the best seed,
   * which is luck.
   */
  public List<Point> ranked() {
    return ranked(points);
  }

  static List<Point> ranked(List<Point> points) {
    return points.stream()
        .sorted(
            Comparator.comparingInt(Point::reached)
                .thenComparingDouble(Point::median)
                .thenComparingDouble(Point::worst)
                .reversed()
                .thenComparingInt(Point::point))
        .toList();
  }

  /** The first point in rank; empty if there is one point only or its median agent failed. */
  public Optional<Point> bestPoint() {
    return best(points);
  }

  private static Optional<Point> best(List<Point> points) {
    Point first = ranked(points).get(0);
    return points.size() > 1 && Double.isFinite(first.median())
        ? Optional.of(first)
        : Optional.empty();
  }

  private static String verdict(String environment, List<Point> points) {
    Point first = ranked(points).get(0);
    int seeds = first.trainings().size();
    if (!Double.isFinite(first.median())) {
      return "%s: no point of the grid has a median, too many of its agents could not be trained."
          .formatted(environment);
    }
    String numbers =
        seeds == 1
            ? "score %s".formatted(shown(first.median()))
            : String.format(
                Locale.ROOT,
                "median %s over %d seeds, between %s and %s",
                shown(first.median()),
                seeds,
                shown(first.worst()),
                shown(first.best()));
    return points.size() == 1
        ? "%s: %s.".formatted(environment, numbers)
        : String.format(
            Locale.ROOT,
            "%s: best of %d points is %s: %s.",
            environment,
            points.size(),
            first.words(),
            numbers);
  }

  /** How certain the ranking is, in one sentence; empty if it is certain or there is none. */
  @SuppressWarnings("ReferenceEquality") // the best point is one of the points
  public String doubt() {
    if (bestPoint().isEmpty()) {
      return "";
    }
    Point first = bestPoint().get();
    long rivals =
        points.stream().filter(one -> one != first && one.best() >= first.median()).count();
    return first.trainings().size() == 1
        ? "With one seed for each point the order may be chance; give several with --seeds."
        : rivals == 0
            ? ""
            : String.format(
                Locale.ROOT,
                "%d of the %d other points have a seed that reached this median; more --seeds tell"
                    + " skill from chance.",
                rivals,
                points.size() - 1);
  }

  /** A score as text; returns of markets are small and have more digits. */
  public static String shown(double score) {
    return score == Double.NEGATIVE_INFINITY
        ? "failed"
        : String.format(Locale.ROOT, Math.abs(score) < 1 ? "%.4f" : "%.1f", score);
  }

  /** Scores of one seed over the points. */
  public double[] ofSeed(int index) {
    return points.stream().mapToDouble(one -> one.trainings().get(index).score()).toArray();
  }

  /** Whether points ended at different rungs of successive halving. */
  public boolean halved() {
    return points.stream().anyMatch(point -> point.rung() != null);
  }

  /** Environment steps of the longest training of a point. */
  public static long steps(Point point) {
    return point.trainings().stream().mapToLong(Training::steps).max().orElse(0);
  }

  /** Whether agents have a CVaR limit. */
  public boolean limited() {
    return points.stream().anyMatch(point -> !point.limits().isEmpty());
  }

  /** Medians of the points. */
  public double[] medians() {
    return points.stream().mapToDouble(Point::median).toArray();
  }

  /** One line per agent, with all digits; the score of a failed training is empty. */
  public String csv() {
    List<String> head = new ArrayList<>(List.of("point", "seed"));
    head.addAll(points.get(0).settings().keySet());
    head.addAll(List.of("score", "steps", "run", "failure"));
    StringBuilder text = new StringBuilder(String.join(",", head)).append('\n');
    for (Point point : points) {
      for (Training training : point.trainings()) {
        text.append(line(point, training)).append('\n');
      }
    }
    return text.toString();
  }

  private static String line(Point point, Training training) {
    List<String> cells = new ArrayList<>();
    cells.add(String.valueOf(point.point()));
    cells.add(String.valueOf(training.seed()));
    point.settings().values().forEach(value -> cells.add(cell(value)));
    boolean failed = training.failure() != null;
    cells.add(failed ? "" : String.valueOf(training.score()));
    cells.add(failed ? "" : String.valueOf(training.steps()));
    cells.add(failed ? "" : training.run());
    cells.add(failed ? cell(Objects.requireNonNull(training.failure())) : "");
    return String.join(",", cells);
  }

  /** A text as a cell of a CSV file, in quotes where it needs them. */
  private static String cell(String text) {
    return text.matches("[^,\"\\s]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
