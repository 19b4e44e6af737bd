package io.quantail.market.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.market.SampleBars;
import io.quantail.testing.Requirement;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ten million bars fit into the 2 GB of heap that tests have. Prints time and what stays on the
 * heap.
 */
@Tag("soak")
@Requirement("DATA-1")
class ManyBarsTest {
  @Test
  void shouldReadTenMillionBars(@TempDir Path directory) throws SQLException {
    Path file = directory.resolve("many.csv");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute(
          ("COPY (SELECT 1000000000 + 60 * i AS ts, 100 AS open, 102 AS high, 99 AS low,"
                  + " 100 + i %% 2 AS close, 5 AS volume FROM range(10000000) t(i)) TO '%s' (HEADER)")
              .formatted(file));
    }
    long heap = usedHeap();
    long start = System.nanoTime();
    Bars bars = BarsReader.read(file.toString(), SampleBars.UNDECLARED).orThrow();
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        Locale.ROOT, "read in %.1f s, %d MB stay%n", seconds, (usedHeap() - heap) / 1_000_000);
    assertThat(bars.size()).isEqualTo(10_000_000);
    assertThat(bars.time(9_999_999)).isEqualTo((1_000_000_000L + 60 * 9_999_999L) * 1000);
    assertThat(bars.fingerprint()).hasSize(64);
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
