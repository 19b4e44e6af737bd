package io.quantail.market.walkforward;

import io.quantail.io.CsvCell;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.BacktestResult.Series;
import java.io.BufferedWriter;
import java.io.IOException;
import java.time.Instant;

/** Rows of accounts in CSV files, one per bar, at full precision. */
final class AccountRows {
  private AccountRows() {}

  /**
   * The first line of a file.
   *
   * @param part name of the column beside the seed
   */
  static String head(String part) {
    return "symbol,policy,seed,%s,ts,close,exposure,equity\n".formatted(part);
  }

  /**
   * Writes rows of an account.
   *
   * @param part seed and part, with a comma between them
   * @param from first row
   * @param to after the last row
   */
  static void write(BufferedWriter writer, BacktestResult account, String part, int from, int to)
      throws IOException {
    Series series = account.series();
    String start = CsvCell.quote(account.symbol()) + ',' + account.policy() + ',' + part + ',';
    for (int row = from; row < to; row++) {
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
