package io.quantail.market.evaluation;

import io.quantail.io.CsvCell;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.limits.LimitCounts;
import io.quantail.run.RunLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads the accounts of a finished run from its {@code equity.csv}. */
public final class StoredAccounts {
  private static final int CELLS = 13;

  private StoredAccounts() {}

  /**
   * The passes of a policy over the test bars, one for each symbol, without orders. Empty if there
   * is no file, if it is damaged, or if it was written by a build that left out the start of
   * accounts.
   *
   * @param barsPerYear of the bars, which the file does not have
   */
  public static List<BacktestResult> read(Path run, String policy, double barsPerYear) {
    Path file = run.resolve(RunLayout.equity(""));
    if (!Files.isRegularFile(file)) {
      return List.of();
    }
    Map<String, List<String[]>> symbols = new LinkedHashMap<>();
    try (Stream<String> lines = Files.lines(file)) {
      lines
          .skip(1)
          .map(line -> CsvCell.split(line, ',').toArray(String[]::new))
          .filter(cells -> cells.length == CELLS && cells[1].equals(policy))
          .forEach(cells -> symbols.computeIfAbsent(cells[0], any -> new ArrayList<>()).add(cells));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
    boolean complete =
        symbols.values().stream().allMatch(rows -> rows.size() > 1 && rows.get(0)[4].isEmpty());
    if (!complete) {
      return List.of();
    }
    try {
      return symbols.entrySet().stream()
          .map(symbol -> pass(symbol.getKey(), policy, symbol.getValue(), barsPerYear))
          .toList();
    } catch (DateTimeParseException | NumberFormatException damaged) {
      return List.of();
    }
  }

  private static BacktestResult pass(
      String symbol, String policy, List<String[]> rows, double barsPerYear) {
    List<String[]> steps = rows.subList(1, rows.size());
    BacktestResult.Start start =
        new BacktestResult.Start(
            time(rows.get(0)),
            Double.parseDouble(rows.get(0)[3]),
            Double.parseDouble(rows.get(0)[6]));
    return new BacktestResult(
        symbol,
        policy,
        start,
        barsPerYear,
        new BacktestResult.Series(
            steps.stream().mapToLong(StoredAccounts::time).toArray(),
            column(steps, 3),
            column(steps, 4),
            column(steps, 5),
            column(steps, 6),
            column(steps, 7),
            column(steps, 8),
            column(steps, 9),
            column(steps, 10)),
        List.of(),
        new LimitCounts(0, 0, 0, 0, 0, 0),
        false);
  }

  private static long time(String[] row) {
    return Instant.parse(row[2]).toEpochMilli();
  }

  private static double[] column(List<String[]> rows, int cell) {
    return rows.stream().mapToDouble(row -> Double.parseDouble(row[cell])).toArray();
  }
}
