package io.quantail.study.sweep;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingRule.Effect;
import io.quantail.config.SettingRules;
import io.quantail.run.settings.ConfigDiff;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Trainings of a sweep: every point of a grid of settings, or points drawn at random from ranges
 * and lists, with every seed. Settings without effect on learning, and settings that make scores
 * incomparable, are refused.
 *
 * <p>See: Bergstra and Bengio, "Random search for hyper-parameter optimization", JMLR 13, 2012.
 *
 * @param points of the grid, the last setting changing first; without a grid one point
 * @param seeds of each point
 */
public record SweepPlan(List<Point> points, List<Long> seeds) {
  /** Draws for each point before a list of values counts as used up. */
  private static final int DRAWS = 100;

  private static final int MOST = 100_000;

  /**
   * Point of the grid.
   *
   * @param number from 1 on
   * @param settings values of the varied settings as they are written in a configuration, by path
   * @param config all settings
   */
  public record Point(int number, Map<String, String> settings, RunConfig config) {}

  /** Settings that a sweep varies. */
  public interface Settings {
    /** Whether the user has overridden a setting for all agents. */
    boolean sets(String path);

    /** The settings with further overrides such as {@code ppo.epochs=4}. */
    RunConfig with(List<String> overrides);
  }

  /**
   * Plans a sweep.
   *
   * @param settings source of the settings
   * @param axes the settings that vary, with their values
   * @param seeds of each point; empty for that of the settings
   * @param trials number of points that are drawn; null for all combinations
   */
  public static SweepPlan of(
      Settings settings, List<SweepAxis> axes, List<Long> seeds, @Nullable Integer trials) {
    RunConfig base = settings.with(List.of());
    Map<String, SweepAxis> byPath = new LinkedHashMap<>();
    for (SweepAxis axis : axes) {
      if (byPath.put(axis.path(), axis) != null) {
        throw axis.refused("is given twice; name all its values in one, such as ppo.epochs=4,10");
      }
    }
    axes.forEach(axis -> require(axis, byPath.keySet(), settings, base));
    List<Long> every = seeds.isEmpty() ? List.of(base.seed()) : seeds;
    return trials == null
        ? grid(settings, axes, every)
        : drawn(settings, axes, every, trials, base);
  }

  private static SweepPlan grid(Settings settings, List<SweepAxis> axes, List<Long> seeds) {
    axes.forEach(SweepAxis::requireList);
    requireCount(
        axes.stream().mapToDouble(axis -> axis.values().size()).reduce(1, (a, b) -> a * b),
        seeds.size());
    List<Point> points = new ArrayList<>();
    for (Map<SweepAxis, String> values : product(axes)) {
      points.add(point(points.size() + 1, values, settings));
    }
    axes.forEach(axis -> requireDifferent(axis, points));
    return new SweepPlan(List.copyOf(points), seeds);
  }

  /** Draws points that differ: the draws of a setting do not depend on the other settings. */
  private static SweepPlan drawn(
      Settings settings, List<SweepAxis> axes, List<Long> seeds, int trials, RunConfig base) {
    if (axes.isEmpty()) {
      throw new ConfigException(
          "--trials draws values, but no setting varies; name one, such as --vary"
              + " optimizer.learningRate=log(1e-5,1e-2)");
    }
    requireCount(trials, seeds.size());
    List<Point> points = new ArrayList<>();
    Set<Map<String, String>> known = new HashSet<>();
    for (long draw = 0; points.size() < trials; draw++) {
      if (draw >= (long) DRAWS * trials) {
        throw new ConfigException(
            String.format(
                Locale.ROOT,
                "--trials %d is more than the %d different points that were found; ask for fewer,"
                    + " or give more values",
                trials,
                points.size()));
      }
      Map<SweepAxis, String> values = new LinkedHashMap<>();
      for (SweepAxis axis : axes) {
        values.put(axis, axis.drawn(base, draw));
      }
      Point point = point(points.size() + 1, values, settings);
      if (known.add(point.settings())) {
        points.add(point);
      }
    }
    return new SweepPlan(List.copyOf(points), seeds);
  }

  private static void require(
      SweepAxis axis, Set<String> varied, Settings settings, RunConfig base) {
    String path = axis.path();
    ConfigDiff.find(axis.where(), path, base);
    if (path.equals("seed")) {
      throw new ConfigException(
          axis.where() + "seed: seeds are given by --seeds, such as --seeds 1-5");
    }
    if (settings.sets(path)) {
      throw new ConfigException(
          "%s is given by --set and by %s; leave one of them out"
              .formatted(path, axis.where().strip()));
    }
    SettingRules rules = SettingRules.all();
    if (rules.of(path).effect() == Effect.EVALUATION) {
      throw axis.refused("decides how agents are evaluated: their scores could not be compared");
    }
    rules.requireEffect(axis.where(), path, ConfigDiff.flat(base), varied);
  }

  private static void requireCount(double points, int seeds) {
    double count = points * seeds;
    if (count < 2) {
      throw new ConfigException(
          "that is one training, which quantail train does; give several seeds (--seeds 1-5) or"
              + " values (--grid ppo.epochs=4,10)");
    }
    if (count > MOST) {
      throw new ConfigException(
          String.format(
              Locale.ROOT,
              "that is %.0f trainings, more than the %d that are possible; give fewer --seeds or"
                  + " --grid",
              count,
              MOST));
    }
  }

  /** All combinations of the values. */
  private static List<Map<SweepAxis, String>> product(List<SweepAxis> axes) {
    List<Map<SweepAxis, String>> product = List.of(Map.of());
    for (SweepAxis axis : axes) {
      List<Map<SweepAxis, String>> longer = new ArrayList<>();
      for (Map<SweepAxis, String> before : product) {
        for (String value : axis.values()) {
          Map<SweepAxis, String> values = new LinkedHashMap<>(before);
          values.put(axis, value.strip());
          longer.add(values);
        }
      }
      product = longer;
    }
    return product;
  }

  private static Point point(int number, Map<SweepAxis, String> values, Settings source) {
    List<String> overrides = new ArrayList<>();
    values.forEach((axis, value) -> overrides.add(axis.path() + "=" + value));
    RunConfig config;
    try {
      config = source.with(overrides);
    } catch (ConfigException wrong) {
      throw new ConfigException(
          values.keySet().stream().findFirst().map(SweepAxis::where).orElse("")
              + String.join(" ", overrides)
              + " is not possible: "
              + wrong.getMessage());
    }
    Map<String, String> written = ConfigDiff.flat(config);
    Map<String, String> settings = new LinkedHashMap<>();
    values
        .keySet()
        .forEach(
            axis -> settings.put(axis.path(), Objects.requireNonNull(written.get(axis.path()))));
    return new Point(number, settings, config);
  }

  /** Refuses equal values, also if they are written in two ways, such as 1e-4 and 0.0001. */
  private static void requireDifferent(SweepAxis axis, List<Point> points) {
    Set<String> different = valuesOf(axis.path(), points);
    if (different.size() < axis.values().size()) {
      throw axis.refused(
          "has the same value twice: %s are %s"
              .formatted(String.join(", ", axis.values()), String.join(", ", different)));
    }
  }

  private static Set<String> valuesOf(String path, List<Point> points) {
    Set<String> values = new LinkedHashSet<>();
    points.forEach(point -> values.add(Objects.requireNonNull(point.settings().get(path))));
    return values;
  }

  /** Values of each varied setting, by path. */
  public Map<String, List<String>> grid() {
    Map<String, List<String>> grid = new LinkedHashMap<>();
    points.get(0).settings().keySet().forEach(p -> grid.put(p, List.copyOf(valuesOf(p, points))));
    return grid;
  }

  /** Number of trainings. */
  public int trainings() {
    return points.size() * seeds.size();
  }

  /** {@return the name of the agent of a point and seed} */
  public String name(Point point, long seed) {
    return points.size() == 1
        ? String.format(Locale.ROOT, "seed-%d", seed)
        : String.format(Locale.ROOT, "point-%d-seed-%d", point.number(), seed);
  }
}
