package io.quantail.app;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.desk.Comparison;
import io.quantail.market.performance.Performance;
import io.quantail.market.risk.RiskCounts;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * How an agent did on a market.
 *
 * @param part which bars
 * @param symbols one comparison each
 */
record MarketVerdict(MarketPart part, List<Comparison> symbols) implements Verdict {

  /**
   * @param split which bars: {@code train}, {@code validation}, {@code test}, or {@code data} for
   *     those of {@code --data}
   * @param episodes passes, one for each symbol
   * @param meanReturn mean over passes of the sum of rewards, the log of final over initial equity
   * @param stdReturn population standard deviation of those sums
   * @param totalReturn of an account that is divided equally among the symbols
   * @param baselines the same of each baseline
   * @param beatsBuyAndHold whether it is larger than that of buy-and-hold
   * @param symbols each symbol by itself
   */
  record Numbers(
      String split,
      int episodes,
      double meanReturn,
      double stdReturn,
      double totalReturn,
      Map<String, Double> baselines,
      boolean beatsBuyAndHold,
      List<SymbolNumbers> symbols) {}

  /**
   * @param symbol its name
   * @param from close of the first bar that was marked
   * @param to close of the last
   * @param risk how often limits acted
   * @param ruined whether the account ended early
   * @param agent numbers of the agent
   * @param baselines numbers of each baseline
   */
  record SymbolNumbers(
      String symbol,
      String from,
      String to,
      RiskCounts risk,
      boolean ruined,
      Performance agent,
      Map<String, Performance> baselines) {}

  @Override
  public Numbers numbers() {
    Map<String, Double> baselines = new LinkedHashMap<>();
    for (Comparison.Entry entry : symbols.get(0).baselines()) {
      String name = entry.result().policy();
      baselines.put(name, mean(symbol -> entry(symbol, name)));
    }
    double[] rewards = symbols.stream().mapToDouble(MarketVerdict::sumOfRewards).toArray();
    double mean = Arrays.stream(rewards).average().orElseThrow();
    double variance =
        Arrays.stream(rewards).map(x -> (x - mean) * (x - mean)).average().orElseThrow();
    return new Numbers(
        part.name().toLowerCase(Locale.ROOT),
        rewards.length,
        mean,
        Math.sqrt(variance),
        agentReturn(),
        baselines,
        agentReturn() > holdReturn(),
        symbols.stream().map(MarketVerdict::numbers).toList());
  }

  private static double sumOfRewards(Comparison symbol) {
    BacktestResult result = symbol.agent().result();
    double[] equity = result.series().equity();
    return Math.log(equity[equity.length - 1] / result.initialEquity());
  }

  private static SymbolNumbers numbers(Comparison symbol) {
    BacktestResult result = symbol.agent().result();
    long[] times = result.series().times();
    Map<String, Performance> baselines = new LinkedHashMap<>();
    symbol.baselines().forEach(one -> baselines.put(one.result().policy(), one.performance()));
    return new SymbolNumbers(
        symbol.symbol(),
        Instant.ofEpochMilli(times[0]).toString(),
        Instant.ofEpochMilli(times[times.length - 1]).toString(),
        result.risk(),
        result.ruined(),
        symbol.agent().performance(),
        baselines);
  }

  private double agentReturn() {
    return mean(Comparison::agent);
  }

  private double holdReturn() {
    return mean(symbol -> entry(symbol, Comparison.BUY_AND_HOLD));
  }

  private static Comparison.Entry entry(Comparison symbol, String policy) {
    return symbol.entries().stream()
        .filter(entry -> entry.result().policy().equals(policy))
        .findFirst()
        .orElseThrow();
  }

  private double mean(Function<Comparison, Comparison.Entry> choice) {
    return symbols.stream()
        .map(choice)
        .mapToDouble(entry -> entry.performance().totalReturn())
        .average()
        .orElseThrow();
  }

  @Override
  public String line() {
    return String.format(
        Locale.ROOT,
        "  evaluation  %+.2f %% on the %s bars, net of costs; buy-and-hold %+.2f %%%n",
        100 * agentReturn(),
        part == MarketPart.DATA ? "given" : part.name().toLowerCase(Locale.ROOT),
        100 * holdReturn());
  }

  @Override
  public String details() {
    StringBuilder text = new StringBuilder();
    symbols.forEach(symbol -> text.append(ComparisonTable.of(symbol)));
    return text.append(sentence()).toString();
  }

  private String sentence() {
    boolean beat = agentReturn() > holdReturn();
    return String.format(
        Locale.ROOT,
        "%n%s the agent %s buy-and-hold: %+.2f %% against %+.2f %%%s%s.%n",
        part.phrase(),
        beat ? "beat" : "did not beat",
        100 * agentReturn(),
        100 * holdReturn(),
        symbols.size() == 1 ? "" : ", mean of " + symbols.size() + " symbols",
        beat && agentReturn() < 0 ? ", but it lost money; doing nothing was better" : "");
  }

  @Override
  public void write(Path directory) {
    ComparisonFiles.write(directory, part.suffix(), symbols);
  }
}
