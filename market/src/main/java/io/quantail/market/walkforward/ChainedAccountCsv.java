package io.quantail.market.walkforward;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.walkforward.WalkForwardResult.SeedResult;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes the chained accounts of a walk-forward evaluation, one row per bar, at full precision. */
public final class ChainedAccountCsv {
  private ChainedAccountCsv() {}

  /** Writes the chained accounts of all seeds, symbols and policies to a file. */
  public static void write(Path file, WalkForwardResult result) {
    try (BufferedWriter writer = Files.newBufferedWriter(file)) {
      writer.write(AccountRows.head("fold"));
      for (SeedResult seed : result.seeds()) {
        List<FoldResult> folds =
            result.outcomes().stream().filter(outcome -> outcome.seed() == seed.seed()).toList();
        for (int symbol = 0; symbol < seed.symbols().size(); symbol++) {
          for (BaselineComparison.Entry entry : seed.symbols().get(symbol).entries()) {
            int row = 0;
            for (FoldResult fold : folds) {
              int end = row + pass(fold, symbol, entry.result().policy()).series().size();
              String part = seed.seed() + "," + fold.fold();
              AccountRows.write(writer, entry.result(), part, row, end);
              row = end;
            }
          }
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  private static BacktestResult pass(FoldResult fold, int symbol, String policy) {
    return fold.symbols().get(symbol).entry(policy).result();
  }
}
