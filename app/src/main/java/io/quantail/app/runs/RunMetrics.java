package io.quantail.app.runs;

import io.quantail.app.common.UsageException;
import io.quantail.app.report.Curve;
import io.quantail.run.RunLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The metrics of a run, queried by SQL: from {@code metrics.parquet}, or from {@code metrics.csv}
 * while the run has not ended. Both hold the same numbers.
 *
 * @param updates policy updates so far
 * @param steps environment steps so far
 * @param curves the requested metrics that the run has, in the order of the request
 */
public record RunMetrics(long updates, long steps, Map<String, Curve> curves) {

  /**
   * @param names metrics to read
   */
  static RunMetrics read(Path run, Collection<String> names) {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("SET threads = 1");
      statement.execute("CREATE VIEW metrics AS SELECT * FROM " + source(run));
      long updates;
      long steps;
      try (ResultSet end =
          statement.executeQuery(
              "SELECT coalesce(max(\"update\"), 0), coalesce(max(steps), 0) FROM metrics")) {
        end.next();
        updates = end.getLong(1);
        steps = end.getLong(2);
      }
      return new RunMetrics(updates, steps, curves(statement, names));
    } catch (SQLException failure) {
      throw new UncheckedIOException(
          "cannot read the metrics of " + run, new IOException(failure.getMessage(), failure));
    }
  }

  private static String source(Path run) {
    Path parquet = run.resolve(RunLayout.PARQUET);
    if (Files.isRegularFile(parquet)) {
      return MetricsParquet.quoted(parquet);
    }
    Path log = run.resolve(RunLayout.METRICS);
    if (!Files.isRegularFile(log)) {
      throw new UsageException(
          "the run %s has no %s; name a run directory".formatted(run, RunLayout.METRICS));
    }
    // The file of a running training may end in the middle of a line, which is ignored.
    return "read_csv(%s, columns = {'update': 'BIGINT', 'steps': 'BIGINT', 'metric': 'VARCHAR', 'value': 'DOUBLE'}, header = true, ignore_errors = true)"
        .formatted(MetricsParquet.quoted(log));
  }

  private static Map<String, Curve> curves(Statement statement, Collection<String> names)
      throws SQLException {
    Map<String, List<double[]>> points = new LinkedHashMap<>();
    names.forEach(name -> points.put(name, new ArrayList<>()));
    String wanted =
        names.stream()
            .map(name -> "'" + name.replace("'", "''") + "'")
            .collect(Collectors.joining(", "));
    try (ResultSet rows =
        statement.executeQuery(
            "SELECT metric, steps, value FROM metrics WHERE metric IN (%s) ORDER BY metric, \"update\""
                .formatted(wanted))) {
      while (rows.next()) {
        Objects.requireNonNull(points.get(rows.getString(1)))
            .add(new double[] {rows.getLong(2), rows.getDouble(3)});
      }
    }
    Map<String, Curve> curves = new LinkedHashMap<>();
    points.forEach(
        (name, list) -> {
          if (!list.isEmpty()) {
            curves.put(name, new Curve(name, column(list, 0), column(list, 1)));
          }
        });
    return curves;
  }

  private static double[] column(List<double[]> rows, int column) {
    return rows.stream().mapToDouble(row -> row[column]).toArray();
  }
}
