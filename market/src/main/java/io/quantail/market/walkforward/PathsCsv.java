package io.quantail.market.walkforward;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.walkforward.PurgedResult.PathResult;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the accounts of all paths, one row per bar, at full precision. */
public final class PathsCsv {
  private PathsCsv() {}

  /** Writes all paths, then buy-and-hold, whose seed and path are empty. */
  public static void write(Path file, PurgedResult result) {
    try (BufferedWriter writer = Files.newBufferedWriter(file)) {
      writer.write(AccountRows.head("path"));
      for (PathResult path : result.paths()) {
        for (BacktestResult account : path.symbols()) {
          AccountRows.write(
              writer, account, path.seed() + "," + path.path(), 0, account.series().size());
        }
      }
      for (BacktestResult account : result.buyAndHold().symbols()) {
        AccountRows.write(writer, account, ",", 0, account.series().size());
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }
}
