package io.quantail.market.stress;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A sequence of log-returns per bar to replay, such as the daily returns of a crisis. Arrays are
 * shared and must not be changed.
 *
 * @param name of the path in results
 * @param title of the path in reports
 * @param source package, version and file that the numbers come from
 * @param logReturns of consecutive bars, close to close
 */
public record StressPath(String name, String title, String source, double... logReturns) {
  private static final String FILE = "paths.txt";
  private static final String HEAD = "path";

  /**
   * The shipped paths: daily returns of the S&amp;P 500 in October 1987, September to November 2008
   * and August 2011. {@code tools/stress-paths} writes their file.
   */
  public static List<StressPath> shipped() {
    try (InputStream stream = Objects.requireNonNull(StressPath.class.getResourceAsStream(FILE));
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      return parse(reader.lines().filter(line -> !line.startsWith("#")).toList());
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the shipped stress paths", failure);
    }
  }

  private static List<StressPath> parse(List<String> lines) {
    List<StressPath> paths = new ArrayList<>();
    for (int from = 0; from < lines.size(); ) {
      int to = from + 1;
      while (to < lines.size() && !lines.get(to).startsWith(HEAD)) {
        to++;
      }
      String[] head = lines.get(from).split("\\|", -1);
      double[] returns =
          lines.subList(from + 1, to).stream()
              .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf('|') + 1)))
              .toArray();
      paths.add(new StressPath(head[1], head[2], head[3], returns));
      from = to;
    }
    return paths;
  }
}
