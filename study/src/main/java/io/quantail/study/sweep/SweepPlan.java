package io.quantail.study.sweep;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingRule.Effect;
import io.quantail.config.SettingRules;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.study.SeedList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Trainings of a sweep: every point of a grid of settings with every seed. Settings without effect
 * on learning, and settings that make scores incomparable, are refused.
 *
 * @param points of the grid, the last setting changing first; without a grid one point
 * @param seeds of each point
 */
public record SweepPlan(List<Point> points, List<Long> seeds) {
  private static final String WHERE = "--grid ";
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
   * @param grid such as {@code ppo.epochs=4,10}
   * @param seeds such as {@code 1-5}; null for that of the settings
   */
  public static SweepPlan of(Settings settings, List<String> grid, String seeds) {
    RunConfig base = settings.with(List.of());
    if (seeds != null && settings.sets("seed")) {
      throw new ConfigException("--set seed and --seeds exclude each other; leave out --set seed");
    }
    Map<String, List<String>> axes = axes(grid);
    axes.keySet().forEach(path -> require(path, axes.keySet(), settings, base));
    List<Long> every = seeds == null ? List.of(base.seed()) : SeedList.parse(seeds);
    requireCount(axes, every.size());
    List<Point> points = new ArrayList<>();
    for (List<String> overrides : product(axes)) {
      points.add(point(points.size() + 1, overrides, axes.keySet(), settings));
    }
    axes.forEach((path, values) -> requireDifferent(path, values, points));
    return new SweepPlan(List.copyOf(points), every);
  }

  private static Map<String, List<String>> axes(List<String> grid) {
    Map<String, List<String>> axes = new LinkedHashMap<>();
    for (String text : grid) {
      String[] parts = text.split("=", 2);
      String path = parts[0].strip();
      // A comma inside brackets belongs to a value that is a list, one inside braces to a schedule.
      List<String> values =
          parts.length < 2 ? List.of() : List.of(parts[1].split(",(?![^\\[]*]|[^{]*})", -1));
      if (path.isEmpty() || values.isEmpty() || values.stream().anyMatch(String::isBlank)) {
        throw new ConfigException(
            WHERE + "needs path=value,value, for example ppo.epochs=4,10, was " + text);
      }
      if (axes.put(path, values) != null) {
        throw new ConfigException(
            WHERE + path + " is given twice; name all its values in one, such as ppo.epochs=4,10");
      }
    }
    return axes;
  }

  private static void require(String path, Set<String> varied, Settings settings, RunConfig base) {
    ConfigDiff.find(WHERE, path, base);
    if (path.equals("seed")) {
      throw new ConfigException("--grid seed: seeds are given by --seeds, such as --seeds 1-5");
    }
    if (settings.sets(path)) {
      throw new ConfigException(
          "%s is given by --set and by --grid; leave one of them out".formatted(path));
    }
    SettingRules rules = SettingRules.all();
    if (rules.of(path).effect() == Effect.EVALUATION) {
      throw new ConfigException(
          WHERE + path + " decides how agents are evaluated: their scores could not be compared");
    }
    rules.requireEffect(WHERE, path, ConfigDiff.flat(base), varied);
  }

  private static void requireCount(Map<String, List<String>> axes, int seeds) {
    double count = seeds;
    for (List<String> values : axes.values()) {
      count *= values.size();
    }
    if (count < 2) {
      throw new ConfigException(
          "that is one training, which quantail train does; give several seeds (--seeds 1-5) or"
              + " values (--grid ppo.epochs=4,10)");
    }
    if (count > MOST) {
      throw new ConfigException(
          String.format(
              Locale.ROOT,
              "that is %.0f trainings, more than the %d that are possible; give fewer --seeds or --grid",
              count,
              MOST));
    }
  }

  /** All combinations, each as overrides of settings. */
  private static List<List<String>> product(Map<String, List<String>> axes) {
    List<List<String>> product = List.of(List.of());
    for (Map.Entry<String, List<String>> axis : axes.entrySet()) {
      List<List<String>> longer = new ArrayList<>();
      for (List<String> before : product) {
        for (String value : axis.getValue()) {
          List<String> overrides = new ArrayList<>(before);
          overrides.add(axis.getKey() + "=" + value.strip());
          longer.add(overrides);
        }
      }
      product = longer;
    }
    return product;
  }

  private static Point point(
      int number, List<String> overrides, Set<String> paths, Settings source) {
    RunConfig config;
    try {
      config = source.with(overrides);
    } catch (ConfigException wrong) {
      throw new ConfigException(
          WHERE + String.join(" ", overrides) + " is not possible: " + wrong.getMessage());
    }
    Map<String, String> written = ConfigDiff.flat(config);
    Map<String, String> settings = new LinkedHashMap<>();
    paths.forEach(path -> settings.put(path, written.get(path)));
    return new Point(number, settings, config);
  }

  /** Refuses equal values, also if they are written in two ways, such as 1e-4 and 0.0001. */
  private static void requireDifferent(String path, List<String> values, List<Point> points) {
    Set<String> different = valuesOf(path, points);
    if (different.size() < values.size()) {
      throw new ConfigException(
          "%s%s has the same value twice: %s are %s"
              .formatted(WHERE, path, String.join(", ", values), String.join(", ", different)));
    }
  }

  private static Set<String> valuesOf(String path, List<Point> points) {
    Set<String> values = new LinkedHashSet<>();
    points.forEach(point -> values.add(point.settings().get(path)));
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

  /** Name of the agent of a point and seed. */
  public String name(Point point, long seed) {
    return points.size() == 1
        ? String.format(Locale.ROOT, "seed-%d", seed)
        : String.format(Locale.ROOT, "point-%d-seed-%d", point.number(), seed);
  }
}
