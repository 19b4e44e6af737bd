package io.quantail.app.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.Invocation;
import io.quantail.app.common.ExitCode;
import io.quantail.run.metrics.MetricCsv;
import io.quantail.testing.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsParquetTest {
  @TempDir private Path directory;

  @Test
  @Requirement("LOG-1")
  void shouldLetSqlQueryTheMetricsOfARun() throws SQLException {
    Path run = directory.resolve("a user's run");
    Invocation training = Invocation.train(run);
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);

    List<MetricCsv.Entry> stored = query(run.resolve("metrics.parquet"), "");

    assertThat(stored).isEqualTo(MetricCsv.read(run.resolve("metrics.csv")));
    assertThat(query(run.resolve("metrics.parquet"), "WHERE metric = 'train/value_mse'"))
        .extracting(MetricCsv.Entry::steps)
        .containsExactly(128L, 256L);
  }

  @Test
  void shouldKeepEveryDigit() throws Exception {
    Path csv = directory.resolve("metrics.csv");
    Path parquet = directory.resolve("metrics.parquet");
    Files.writeString(
        csv,
        "update,steps,metric,value\n"
            + "1,9007199254740993,a/b,0.1\n"
            + "2,3,c@d,-4.9E-324\n"
            + "3,4,e,1.7976931348623157E308\n");

    MetricsParquet.write(csv, parquet);

    assertThat(query(parquet, ""))
        .containsExactly(
            new MetricCsv.Entry(1, 9007199254740993L, "a/b", 0.1),
            new MetricCsv.Entry(2, 3, "c@d", -Double.MIN_VALUE),
            new MetricCsv.Entry(3, 4, "e", Double.MAX_VALUE));
  }

  private static List<MetricCsv.Entry> query(Path file, String condition) throws SQLException {
    String name = file.toString().replace("'", "''");
    List<MetricCsv.Entry> entries = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT update, steps, metric, value FROM '%s' %s".formatted(name, condition))) {
      while (rows.next()) {
        entries.add(
            new MetricCsv.Entry(
                rows.getLong(1), rows.getLong(2), rows.getString(3), rows.getDouble(4)));
      }
    }
    return entries;
  }
}
