package io.quantail.app;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingRule.Effect;
import io.quantail.config.SettingRules;
import io.quantail.run.settings.ConfigDiff;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a sweep trains: every point of a grid of settings with every seed. Making one refuses
 * whatever would be trained in vain.
 *
 * @param points of the grid, the last setting changing first; without a grid the configuration
 * @param seeds of each point
 */
record SweepPlan(List<Point> points, List<Long> seeds) {
  private static final String WHERE = "--grid ";
  private static final int MOST = 100_000;

  /**
   * @param number from 1 on
   * @param settings the values of the grid, as settings are written
   * @param config all settings
   */
  record Point(int number, Map<String, String> settings, RunConfig config) {}

  /**
   * @param base the settings without a grid
   * @param grid such as {@code ppo.epochs=4,10}
   * @param seeds such as {@code 1-5}; null for that of the configuration
   */
  static SweepPlan of(ConfigArguments arguments, RunConfig base, List<String> grid, String seeds) {
    if (seeds != null && arguments.sets("seed")) {
      throw new UsageException("--set seed and --seeds exclude each other; leave out --set seed");
    }
    Map<String, List<String>> axes = axes(grid);
    axes.keySet().forEach(path -> require(path, axes.keySet(), arguments, base));
    List<Long> every = seeds == null ? List.of(base.seed()) : Seeds.parse(seeds);
    requireCount(axes, every.size());
    List<Point> points = new ArrayList<>();
    for (List<String> overrides : product(axes)) {
      points.add(point(points.size() + 1, overrides, axes.keySet(), arguments));
    }
    axes.forEach((path, values) -> requireDifferent(path, values, points));
    return new SweepPlan(List.copyOf(points), every);
  }

  private static Map<String, List<String>> axes(List<String> grid) {
    Map<String, List<String>> axes = new LinkedHashMap<>();
    for (String text : grid) {
      String[] parts = text.split("=", 2);
      String path = parts[0].strip();
      // A comma inside brackets belongs to a value that is a list.
      List<String> values =
          parts.length < 2 ? List.of() : List.of(parts[1].split(",(?![^\\[]*])", -1));
      if (path.isEmpty() || values.isEmpty() || values.stream().anyMatch(String::isBlank)) {
        throw new UsageException(
            WHERE + "needs path=value,value, for example ppo.epochs=4,10, was " + text);
      }
      if (axes.put(path, values) != null) {
        throw new UsageException(
            WHERE + path + " is given twice; name all its values in one, such as ppo.epochs=4,10");
      }
    }
    return axes;
  }

  private static void require(
      String path, Set<String> varied, ConfigArguments arguments, RunConfig base) {
    ConfigDiff.find(WHERE, path, base);
    if (path.equals("seed")) {
      throw new UsageException("--grid seed: seeds are given by --seeds, such as --seeds 1-5");
    }
    if (arguments.sets(path)) {
      throw new UsageException(
          "%s is given by --set and by --grid; leave one of them out".formatted(path));
    }
    SettingRules rules = SettingRules.all();
    if (rules.of(path).effect() == Effect.EVALUATION) {
      throw new UsageException(
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
      throw new UsageException(
          "that is one training, which quantail train does; give several seeds (--seeds 1-5) or"
              + " values (--grid ppo.epochs=4,10)");
    }
    if (count > MOST) {
      throw new UsageException(
          "that is %.0f trainings, more than the %d that are possible; give fewer --seeds or --grid"
              .formatted(count, MOST));
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
      int number, List<String> overrides, Set<String> paths, ConfigArguments arguments) {
    RunConfig config;
    try {
      config = arguments.read(overrides.toArray(String[]::new)).config();
    } catch (ConfigException wrong) {
      throw new ConfigException(
          WHERE + String.join(" ", overrides) + " is not possible: " + wrong.getMessage());
    }
    Map<String, String> written = ConfigDiff.flat(config);
    Map<String, String> settings = new LinkedHashMap<>();
    paths.forEach(path -> settings.put(path, written.get(path)));
    return new Point(number, settings, config);
  }

  /** Also if the same is written in two ways, such as 1e-4 and 0.0001. */
  private static void requireDifferent(String path, List<String> values, List<Point> points) {
    Set<String> different = valuesOf(path, points);
    if (different.size() < values.size()) {
      throw new UsageException(
          "%s%s has the same value twice: %s are %s"
              .formatted(WHERE, path, String.join(", ", values), String.join(", ", different)));
    }
  }

  private static Set<String> valuesOf(String path, List<Point> points) {
    Set<String> values = new LinkedHashSet<>();
    points.forEach(point -> values.add(point.settings().get(path)));
    return values;
  }

  /** The values of each setting of the grid. */
  Map<String, List<String>> grid() {
    Map<String, List<String>> grid = new LinkedHashMap<>();
    points.get(0).settings().keySet().forEach(p -> grid.put(p, List.copyOf(valuesOf(p, points))));
    return grid;
  }

  int trainings() {
    return points.size() * seeds.size();
  }

  /** Names the agent of a point and seed. */
  String name(Point point, long seed) {
    return points.size() == 1
        ? "seed-%d".formatted(seed)
        : "point-%d-seed-%d".formatted(point.number(), seed);
  }
}
