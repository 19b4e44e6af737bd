package io.quantail.market.evaluation;

import io.quantail.io.CsvCell;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.execution.FilledOrder;
import io.quantail.market.forecast.TailForecast;
import io.quantail.run.RunLayout;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes back-tests as CSV files: {@code equity.csv} with one {@link EquityRow} per bar for the
 * agent and its baselines, {@code trades.csv} with the agent's filled orders. Numbers have full
 * precision.
 */
final class BacktestCsv {
  private static final String TRADES = "symbol,ts,side,units,open,fill,slippage_bps,fee,notional";

  private BacktestCsv() {}

  /**
   * Writes both files.
   *
   * @param suffix of both file names, before {@code .csv}
   * @param nextBars forecasts of the agent's bars on each symbol; empty if there are none
   */
  static void write(
      Path directory,
      String suffix,
      List<BaselineComparison> symbols,
      List<TailForecast> nextBars) {
    write(
        directory.resolve(RunLayout.equity(suffix)),
        writer -> {
          writeLine(writer, EquityRow.HEAD);
          for (int i = 0; i < symbols.size(); i++) {
            TailForecast forecast = nextBars.isEmpty() ? null : nextBars.get(i);
            writeEquity(writer, symbols.get(i).agent().result(), forecast);
            for (BaselineComparison.Entry entry : symbols.get(i).baselines()) {
              writeEquity(writer, entry.result(), null);
            }
          }
        });
    write(
        directory.resolve(RunLayout.trades(suffix)),
        writer -> {
          writeLine(writer, TRADES);
          for (BaselineComparison symbol : symbols) {
            writeTrades(writer, symbol.agent().result());
          }
        });
  }

  private static void writeEquity(
      BufferedWriter writer, BacktestResult result, @Nullable TailForecast forecast)
      throws IOException {
    writeLine(writer, EquityRow.start(result).line());
    for (int step = 0; step < result.series().size(); step++) {
      writeLine(writer, EquityRow.step(result, step, forecast).line());
    }
  }

  private static void writeTrades(BufferedWriter writer, BacktestResult result) throws IOException {
    for (FilledOrder trade : result.trades()) {
      writeLine(
          writer,
          CsvCell.quote(result.symbol()),
          Instant.ofEpochMilli(trade.time()),
          trade.units() > 0 ? "buy" : "sell",
          Math.abs(trade.units()),
          trade.reference(),
          trade.fill(),
          trade.slippageBps(),
          trade.fee(),
          trade.notional());
    }
  }

  private static void writeLine(BufferedWriter writer, Object... cells) throws IOException {
    for (int i = 0; i < cells.length; i++) {
      writer.write(i == 0 ? "" : ",");
      writer.write(String.valueOf(cells[i]));
    }
    writer.write('\n');
  }

  private interface Content {
    void to(BufferedWriter writer) throws IOException;
  }

  private static void write(Path file, Content content) {
    try (BufferedWriter writer = Files.newBufferedWriter(file)) {
      content.to(writer);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }
}
