package io.quantail.market.ledger;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.CombinedAccount;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The simple returns of an account, net of costs, and of buy-and-hold on the same bars; several
 * symbols are one {@link CombinedAccount}.
 *
 * @param times close of each bar, milliseconds since 1970 (UTC)
 * @param agent return of the agent in each bar
 * @param benchmark return of buy-and-hold in each bar
 */
public record ReturnSeries(long[] times, double[] agent, double[] benchmark) {
  private static final String HEAD = "ts,agent,buyAndHold";

  /** The returns of passes over the bars of each symbol. */
  static ReturnSeries of(List<BacktestResult> agent, List<BacktestResult> benchmark) {
    CombinedAccount account = CombinedAccount.of(agent);
    return new ReturnSeries(
        account.times(),
        account.returns(),
        CombinedAccount.of(benchmark, account.times()).returns());
  }

  /** Series of consecutive bars, one after the other. */
  static ReturnSeries chained(List<ReturnSeries> parts) {
    return new ReturnSeries(
        parts.stream().flatMapToLong(part -> Arrays.stream(part.times)).toArray(),
        parts.stream().flatMapToDouble(part -> Arrays.stream(part.agent)).toArray(),
        parts.stream().flatMapToDouble(part -> Arrays.stream(part.benchmark)).toArray());
  }

  int size() {
    return times.length;
  }

  void write(Path file) {
    try (BufferedWriter writer = Files.newBufferedWriter(file)) {
      writer.write(HEAD + '\n');
      for (int t = 0; t < times.length; t++) {
        writer.write(Instant.ofEpochMilli(times[t]) + "," + agent[t] + "," + benchmark[t] + '\n');
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  /**
   * Reads a file.
   *
   * @throws IOException if it is missing or damaged
   */
  static ReturnSeries read(Path file) throws IOException {
    List<String[]> rows = new ArrayList<>();
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      if (!HEAD.equals(reader.readLine())) {
        throw new IOException(file + " is no series of returns");
      }
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        rows.add(line.split(",", -1));
      }
    }
    try {
      return new ReturnSeries(
          rows.stream().mapToLong(row -> Instant.parse(row[0]).toEpochMilli()).toArray(),
          rows.stream().mapToDouble(row -> Double.parseDouble(row[1])).toArray(),
          rows.stream().mapToDouble(row -> Double.parseDouble(row[2])).toArray());
    } catch (DateTimeException | NumberFormatException | ArrayIndexOutOfBoundsException damaged) {
      throw new IOException(file + " is damaged", damaged);
    }
  }
}
