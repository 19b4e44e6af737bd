package io.quantail.app;

import io.quantail.app.report.MarketFacts;
import io.quantail.app.report.MarketReport;
import io.quantail.app.report.RunFacts;
import io.quantail.config.RunConfig;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.Forecast;
import io.quantail.market.desk.Comparison;
import io.quantail.market.performance.Performance;
import io.quantail.market.risk.RiskCounts;
import io.quantail.market.walk.EvaluatedSymbols;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * How an agent did on a market.
 *
 * @param part which bars
 * @param symbols one comparison each
 * @param evidence what a report says besides
 */
record MarketVerdict(MarketPart part, List<Comparison> symbols, Evidence evidence)
    implements Verdict, EvaluatedSymbols {

  /**
   * @param forecasts what the agent expected, of each symbol; empty if nobody asked
   * @param fingerprints of each symbol's bars; empty if they are not known
   * @param seed of the random baseline and of the bootstrap; null if it is not known
   */
  record Evidence(List<Forecast> forecasts, List<String> fingerprints, Long seed) {
    static final Evidence NONE = new Evidence(List.of(), List.of(), null);
  }

  MarketVerdict(MarketPart part, List<Comparison> symbols) {
    this(part, symbols, Evidence.NONE);
  }

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

  @Override
  public double score() {
    return numbers().meanReturn();
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
        part.bars(),
        100 * holdReturn());
  }

  @Override
  public String details() {
    StringBuilder text = new StringBuilder();
    symbols.forEach(symbol -> text.append(ComparisonTable.of(symbol)));
    return text.append(String.format("%n%s%n", sentence())).toString();
  }

  private String sentence() {
    boolean beat = agentReturn() > holdReturn();
    return String.format(
        Locale.ROOT,
        "%s the agent %s buy-and-hold: %+.2f %% against %+.2f %%%s%s.",
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

  @Override
  public String reportName() {
    return "report" + part.suffix() + ".html";
  }

  @Override
  public String report(RunFacts run, RunConfig config) {
    List<MarketFacts.SymbolFacts> facts = new ArrayList<>();
    for (int i = 0; i < symbols.size(); i++) {
      facts.add(
          new MarketFacts.SymbolFacts(
              symbols.get(i), at(evidence.forecasts(), i), at(evidence.fingerprints(), i)));
    }
    return MarketReport.html(
        run,
        new MarketFacts(
            sentence(),
            agentReturn() > holdReturn() && agentReturn() >= 0,
            part.bars(),
            evidence.seed(),
            config.rollout().gamma(),
            config.risk(),
            facts));
  }

  private static <T> Optional<T> at(List<T> values, int index) {
    return values.isEmpty() ? Optional.empty() : Optional.of(values.get(index));
  }
}
