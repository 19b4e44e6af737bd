package io.quantail.app.runs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/**
 * Converts {@code metrics.csv} into a columnar file that SQL can query.
 *
 * <p>{@code SELECT steps, value FROM 'metrics.parquet' WHERE metric = 'rollout/ep_rew_mean'}.
 */
final class MetricsParquet {
  private MetricsParquet() {}

  static void write(Path csv, Path parquet) {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("SET threads = 1");
      statement.execute(
          String.format(
              Locale.ROOT,
              "COPY (SELECT * FROM read_csv(%s, columns = {'update': 'BIGINT', 'steps': 'BIGINT',"
                  + " 'metric': 'VARCHAR', 'value': 'DOUBLE'}, header = true)) TO %s"
                  + " (FORMAT parquet)",
              quoted(csv),
              quoted(parquet)));
    } catch (SQLException failure) {
      throw new UncheckedIOException(
          "cannot write " + parquet, new IOException(failure.getMessage(), failure));
    }
  }

  /** A path as an SQL string. */
  static String quoted(Path path) {
    return "'" + path.toString().replace("'", "''") + "'";
  }
}
