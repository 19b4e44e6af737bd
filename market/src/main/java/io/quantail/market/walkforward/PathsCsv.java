package io.quantail.market.walkforward;

import io.quantail.io.CsvCell;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.BacktestResult.Series;
import io.quantail.market.walkforward.PurgedResult.PathResult;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** Writes the accounts of all paths, one row per bar, at full precision. */
public final class PathsCsv {
  private static final String HEAD = "symbol,policy,seed,path,ts,close,exposure,equity\n";

  private PathsCsv() {}

  /** Writes all paths, then buy-and-hold, whose seed and path are empty. */
  public static void write(Path file, PurgedResult result) {
    try (BufferedWriter writer = Files.newBufferedWriter(file)) {
      writer.write(HEAD);
      for (PathResult path : result.paths()) {
        for (BacktestResult account : path.symbols()) {
          write(writer, account, path.seed() + "," + path.path());
        }
      }
      for (BacktestResult account : result.buyAndHold().symbols()) {
        write(writer, account, ",");
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  private static void write(BufferedWriter writer, BacktestResult account, String path)
      throws IOException {
    Series series = account.series();
    String start = CsvCell.quote(account.symbol()) + ',' + account.policy() + ',' + path + ',';
    for (int row = 0; row < series.size(); row++) {
      writer.write(
          start
              + Instant.ofEpochMilli(series.times()[row])
              + ','
              + series.prices()[row]
              + ','
              + series.exposures()[row]
              + ','
              + series.equity()[row]
              + '\n');
    }
  }
}
