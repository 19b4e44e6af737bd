package io.quantail.market.walkforward;

import io.quantail.io.CsvCell;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.BacktestResult.Series;
import java.io.BufferedWriter;
import java.io.IOException;
import java.time.Instant;

/**
 * Rows of accounts in CSV files at full precision: the account's start, the close of its first
 * decision, then one row per bar.
 */
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
   * @param from first row; the start precedes row 0
   * @param to after the last row
   */
  static void write(BufferedWriter writer, BacktestResult account, String part, int from, int to)
      throws IOException {
    Series series = account.series();
    String names = CsvCell.quote(account.symbol()) + ',' + account.policy() + ',' + part + ',';
    if (from == 0) {
      BacktestResult.Start start = account.start();
      writer.write(names + row(start.time(), start.price(), 0, start.equity()));
    }
    for (int row = from; row < to; row++) {
      writer.write(
          names
              + row(
                  series.times()[row],
                  series.prices()[row],
                  series.exposures()[row],
                  series.equity()[row]));
    }
  }

  private static String row(long time, double price, double exposure, double equity) {
    return Instant.ofEpochMilli(time) + "," + price + ',' + exposure + ',' + equity + '\n';
  }
}
