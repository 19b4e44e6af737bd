package io.quantail.market.evaluation;

import io.quantail.io.CsvCell;
import io.quantail.market.MarketPass;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.evaluation.BaselineComparison.Entry;
import io.quantail.market.execution.FilledOrder;
import io.quantail.market.forecast.TailForecast;
import io.quantail.market.limits.LimitCounts;
import io.quantail.market.performance.Performance;
import io.quantail.run.RunLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The passes of a finished run over its test bars, read from {@code equity.csv} and {@code
 * trades.csv}: those of the agent, of buy-and-hold and of the agent's mean weight.
 *
 * @param symbols these policies in each pass; the index of a fill's bar is -1, and how often limits
 *     changed a decision is not known
 * @param nextBars forecasts of the agent's next bars in each pass; empty if there are none
 */
public record StoredAccounts(List<BaselineComparison> symbols, List<TailForecast> nextBars) {
  private static final List<String> POLICIES =
      List.of(
          BaselineComparison.AGENT,
          BaselineComparison.BUY_AND_HOLD,
          BaselineComparison.EXPOSURE_MATCHED);
  private static final LimitCounts UNKNOWN = new LimitCounts(0, 0, 0, 0, 0, 0);
  private static final int UNKNOWN_BAR = -1;

  /**
   * Reads the passes. Empty if there is no file, if it is damaged, or if it was written by a build
   * that left out the start of accounts.
   *
   * @param barsPerYear of the bars, which the files do not have
   * @param alpha level of the forecasts
   * @param seed of the bootstrap
   */
  public static Optional<StoredAccounts> read(
      Path run, double barsPerYear, double alpha, long seed) {
    Map<String, Map<String, List<EquityRow>>> rows = new LinkedHashMap<>();
    boolean whole =
        read(
            run.resolve(RunLayout.equity("")),
            line -> {
              Optional<EquityRow> row = EquityRow.parse(line);
              row.filter(one -> POLICIES.contains(one.policy()))
                  .ifPresent(
                      one ->
                          rows.computeIfAbsent(one.symbol(), any -> new LinkedHashMap<>())
                              .computeIfAbsent(one.policy(), any -> new ArrayList<>())
                              .add(one));
              return row.isPresent();
            });
    Map<String, List<FilledOrder>> fills = new LinkedHashMap<>();
    return whole
            && read(run.resolve(RunLayout.trades("")), line -> add(line, fills))
            && !rows.isEmpty()
            && rows.values().stream().allMatch(StoredAccounts::complete)
        ? Optional.of(of(rows, fills, barsPerYear, alpha, seed))
        : Optional.empty();
  }

  /**
   * Returns the accounts of a purged split: the passes over the tested groups of a symbol, one
   * after the other.
   *
   * @param groups number of tested groups of each symbol
   * @param seed of the bootstrap
   */
  public StoredAccounts chained(int groups, long seed) {
    List<BaselineComparison> accounts = new ArrayList<>();
    List<TailForecast> forecasts = new ArrayList<>();
    for (int first = 0; first < symbols.size(); first += groups) {
      List<BaselineComparison> own = symbols.subList(first, first + groups);
      accounts.add(BaselineComparison.chained(MarketPass.symbol(own.get(0).symbol()), own, seed));
      if (!nextBars.isEmpty()) {
        forecasts.add(TailForecast.chained(nextBars.subList(first, first + groups)));
      }
    }
    return new StoredAccounts(accounts, forecasts);
  }

  private static boolean complete(Map<String, List<EquityRow>> policies) {
    return policies.keySet().containsAll(POLICIES.subList(0, 2))
        && policies.values().stream().allMatch(pass -> pass.size() > 1 && pass.get(0).isStart());
  }

  private static StoredAccounts of(
      Map<String, Map<String, List<EquityRow>>> rows,
      Map<String, List<FilledOrder>> fills,
      double barsPerYear,
      double alpha,
      long seed) {
    List<BaselineComparison> symbols = new ArrayList<>();
    List<TailForecast> nextBars = new ArrayList<>();
    rows.forEach(
        (symbol, policies) -> {
          List<Entry> entries = new ArrayList<>();
          for (String policy : POLICIES) {
            if (policies.containsKey(policy)) {
              boolean agent = entries.isEmpty();
              BacktestResult pass =
                  pass(
                      Objects.requireNonNull(policies.get(policy)),
                      agent ? fills.getOrDefault(symbol, List.of()) : List.of(),
                      barsPerYear);
              entries.add(new Entry(pass, Performance.of(pass, seed)));
            }
          }
          symbols.add(new BaselineComparison(entries));
          nextBars.add(
              forecast(Objects.requireNonNull(policies.get(BaselineComparison.AGENT)), alpha));
        });
    boolean known =
        nextBars.stream()
            .flatMapToDouble(one -> Arrays.stream(one.var()))
            .anyMatch(value -> !Double.isNaN(value));
    return new StoredAccounts(symbols, known ? nextBars : List.of());
  }

  private static BacktestResult pass(
      List<EquityRow> rows, List<FilledOrder> fills, double barsPerYear) {
    EquityRow start = rows.get(0);
    List<EquityRow> steps = rows.subList(1, rows.size());
    return new BacktestResult(
        start.symbol(),
        start.policy(),
        new BacktestResult.Start(start.time(), start.price(), start.equity()),
        barsPerYear,
        new BacktestResult.Series(
            steps.stream().mapToLong(EquityRow::time).toArray(),
            column(steps, EquityRow::price),
            column(steps, EquityRow::target),
            column(steps, EquityRow::exposure),
            column(steps, EquityRow::equity),
            column(steps, EquityRow::fee),
            column(steps, EquityRow::slippage),
            column(steps, EquityRow::borrow),
            column(steps, EquityRow::turnover)),
        fills,
        UNKNOWN,
        false);
  }

  private static TailForecast forecast(List<EquityRow> rows, double alpha) {
    List<EquityRow> steps = rows.subList(1, rows.size());
    return new TailForecast(alpha, column(steps, EquityRow::var), column(steps, EquityRow::cvar));
  }

  private static double[] column(List<EquityRow> rows, ToDoubleFunction<EquityRow> value) {
    return rows.stream().mapToDouble(value).toArray();
  }

  /** Adds an order of the agent; returns whether the line has one. */
  private static boolean add(String line, Map<String, List<FilledOrder>> fills) {
    List<String> cells = CsvCell.split(line, ',');
    try {
      double units = Double.parseDouble(cells.get(3));
      fills
          .computeIfAbsent(cells.get(0), any -> new ArrayList<>())
          .add(
              new FilledOrder(
                  Instant.parse(cells.get(1)).toEpochMilli(),
                  UNKNOWN_BAR,
                  cells.get(2).equals("buy") ? units : -units,
                  Double.parseDouble(cells.get(4)),
                  Double.parseDouble(cells.get(5)),
                  Double.parseDouble(cells.get(6)),
                  Double.parseDouble(cells.get(7))));
      return true;
    } catch (DateTimeParseException | NumberFormatException | IndexOutOfBoundsException damaged) {
      return false;
    }
  }

  /**
   * Reads the lines of a file after the first.
   *
   * @param taken whether a line could be read
   * @return whether all of them could be read; true if there is no file
   */
  private static boolean read(Path file, Predicate<String> taken) {
    if (!Files.isRegularFile(file)) {
      return true;
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines.skip(1).allMatch(taken);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
  }
}
