package io.quantail.market.evaluation;

import io.quantail.io.CsvCell;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.BacktestResult.Series;
import io.quantail.market.forecast.TailForecast;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code equity.csv}: the account of a policy at the close of a bar, with all digits. The
 * first row of an account is its start, the close of the first decision, where nothing is held.
 * Values that a row does not have are NaN here and empty in the file.
 *
 * @param symbol name of the symbol
 * @param policy name of the policy
 * @param time of the close, milliseconds since 1970 (UTC)
 * @param price at the close
 * @param target weight that was ordered at the close before; NaN at the start
 * @param exposure weight at the close
 * @param equity at the close
 * @param fee in money
 * @param slippage in money
 * @param borrow in money
 * @param turnover traded money over the equity before
 * @param var forecast of the bar's return; NaN if there is none
 * @param cvar forecast in the same way
 */
public record EquityRow(
    String symbol,
    String policy,
    long time,
    double price,
    double target,
    double exposure,
    double equity,
    double fee,
    double slippage,
    double borrow,
    double turnover,
    double var,
    double cvar) {
  /** The first line of the file. */
  static final String HEAD =
      "symbol,policy,ts,close,target,exposure,equity,fee,slippage,borrow,turnover,var,cvar";

  /** Earlier builds wrote no forecast. */
  private static final int FEWEST_CELLS = 11;

  private static final double NONE = Double.NaN;

  static EquityRow start(BacktestResult pass) {
    BacktestResult.Start start = pass.start();
    return new EquityRow(
        pass.symbol(),
        pass.policy(),
        start.time(),
        start.price(),
        NONE,
        0,
        start.equity(),
        0,
        0,
        0,
        0,
        NONE,
        NONE);
  }

  static EquityRow step(BacktestResult pass, int step, @Nullable TailForecast forecast) {
    Series series = pass.series();
    return new EquityRow(
        pass.symbol(),
        pass.policy(),
        series.times()[step],
        series.prices()[step],
        series.targets()[step],
        series.exposures()[step],
        series.equity()[step],
        series.fees()[step],
        series.slippage()[step],
        series.borrow()[step],
        series.turnover()[step],
        forecast == null ? NONE : forecast.var()[step],
        forecast == null ? NONE : forecast.cvar()[step]);
  }

  /** Reads a line of the file; empty if it is damaged, or the first one. */
  public static Optional<EquityRow> parse(String line) {
    List<String> cells = CsvCell.split(line, ',');
    if (cells.size() < FEWEST_CELLS) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new EquityRow(
              cells.get(0),
              cells.get(1),
              Instant.parse(cells.get(2)).toEpochMilli(),
              number(cells, 3),
              number(cells, 4),
              number(cells, 5),
              number(cells, 6),
              number(cells, 7),
              number(cells, 8),
              number(cells, 9),
              number(cells, 10),
              number(cells, 11),
              number(cells, 12)));
    } catch (DateTimeParseException | NumberFormatException damaged) {
      return Optional.empty();
    }
  }

  private static double number(List<String> cells, int cell) {
    return cell >= cells.size() || cells.get(cell).isEmpty()
        ? NONE
        : Double.parseDouble(cells.get(cell));
  }

  /** The row as a line of the file. */
  String line() {
    return String.join(
        ",",
        CsvCell.quote(symbol),
        policy,
        Instant.ofEpochMilli(time).toString(),
        cell(price),
        cell(target),
        cell(exposure),
        cell(equity),
        cell(fee),
        cell(slippage),
        cell(borrow),
        cell(turnover),
        cell(var),
        cell(cvar));
  }

  private static String cell(double value) {
    return Double.isNaN(value) ? "" : Double.toString(value);
  }

  /** Whether the row is the start of an account. */
  boolean isStart() {
    return Double.isNaN(target);
  }
}
