package io.quantail.metrics;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The list of all metrics with their meaning and unit, read from {@code catalogue.csv} beside this
 * class.
 *
 * <p>A name in the list may be a {@link MetricPattern}; an exact name takes precedence over a
 * pattern. {@code MetricCatalogueTest} pins the required names.
 */
public final class MetricCatalogue {
  private static final String RESOURCE = "catalogue.csv";
  private static final String HEADER = "name,meaning,unit";

  private static final Map<String, MetricDescription> ENTRIES = load();
  private static final Map<MetricPattern, MetricDescription> PATTERNS = patterns();

  private MetricCatalogue() {}

  /** Whether the name is listed or covered by a listed pattern. */
  public static boolean contains(String name) {
    return describe(name).isPresent();
  }

  /** The entry that covers the name. */
  public static Optional<MetricDescription> describe(String name) {
    if (name.indexOf('{') >= 0) {
      return Optional.empty();
    }
    MetricDescription exact = ENTRIES.get(name);
    return exact != null
        ? Optional.of(exact)
        : PATTERNS.entrySet().stream()
            .filter(entry -> entry.getKey().matches(name))
            .map(Map.Entry::getValue)
            .findFirst();
  }

  /** All entries in the order of the file. */
  public static List<MetricDescription> entries() {
    return List.copyOf(ENTRIES.values());
  }

  private static Map<MetricPattern, MetricDescription> patterns() {
    Map<MetricPattern, MetricDescription> patterns = new LinkedHashMap<>();
    for (MetricDescription entry : ENTRIES.values()) {
      MetricPattern pattern = new MetricPattern(entry.name());
      if (!pattern.isName()) {
        patterns.put(pattern, entry);
      }
    }
    return patterns;
  }

  private static Map<String, MetricDescription> load() {
    try (InputStream stream = MetricCatalogue.class.getResourceAsStream(RESOURCE);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      if (!HEADER.equals(reader.readLine())) {
        throw new IllegalStateException(RESOURCE + " must start with the line " + HEADER);
      }
      Map<String, MetricDescription> entries = new LinkedHashMap<>();
      reader.lines().forEach(line -> add(entries, line));
      return entries;
    } catch (IOException exception) {
      throw new UncheckedIOException("cannot read " + RESOURCE, exception);
    }
  }

  private static void add(Map<String, MetricDescription> entries, String line) {
    String[] fields = line.split(",", -1);
    if (fields.length != 3) {
      throw new IllegalStateException(RESOURCE + " wants " + HEADER + ", has: " + line);
    }
    if (entries.put(fields[0], new MetricDescription(fields[0], fields[1], fields[2])) != null) {
      throw new IllegalStateException(RESOURCE + " lists " + fields[0] + " twice");
    }
  }
}
