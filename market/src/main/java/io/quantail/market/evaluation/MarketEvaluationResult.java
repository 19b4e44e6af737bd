package io.quantail.market.evaluation;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quantail.market.SeenBars;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.CombinedAccount;
import io.quantail.market.forecast.ForecastResult;
import io.quantail.market.forecast.SymbolForecast;
import io.quantail.market.forecast.TailForecast;
import io.quantail.market.ledger.EvidenceFile;
import io.quantail.market.ledger.LedgerEntry;
import io.quantail.market.ledger.Trial;
import io.quantail.market.limits.LimitCounts;
import io.quantail.market.performance.ForecastCalibration;
import io.quantail.market.performance.Performance;
import io.quantail.market.stress.StressResult;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EvaluationResult;
import io.quantail.run.evaluation.LimitResult;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Result of a {@link MarketEvaluation}.
 *
 * @param part bars that were traded
 * @param symbols agent and baselines of each pass: one for each symbol; in a purged split, one for
 *     each tested group of each symbol
 * @param evidence what the bars prove
 * @param provenance forecasts and origin, for reports
 */
public record MarketEvaluationResult(
    DataPart part, List<BaselineComparison> symbols, Evidence evidence, Provenance provenance)
    implements EvaluationResult {

  /**
   * What the bars prove.
   *
   * @param accounts agent and baselines on each symbol; tested groups of a purged split are chained
   * @param verdict on the agent
   * @param limit whether the CVaR limit was kept; null if the run has none
   * @param stress of each symbol; empty if the run has no limit
   */
  public record Evidence(
      List<BaselineComparison> accounts,
      Verdict verdict,
      @Nullable LimitResult limit,
      List<StressResult> stress) {
    /** The agent's account, divided equally among the symbols. */
    public CombinedAccount agent() {
      return CombinedAccount.of(BaselineComparison.results(accounts, BaselineComparison.AGENT));
    }
  }

  /**
   * What a report shows besides the passes.
   *
   * @param forecasts calibration of the agent's forecasts on the traded bars of each symbol; empty
   *     if they were not recorded
   * @param calibration of the critics over all symbols, on the validation bars if the test bars
   *     were traded; null if it was not measured
   * @param fingerprints of each symbol's bars; empty if they are not known
   * @param seed of the random baseline and of the bootstrap; null if it is not known
   * @param trial for the ledger; null if the agent learnt from these bars
   * @param selection validation bars for the ledger; null if the training was not validated
   * @param nextBars forecasts of the next bar on each symbol; empty if the run has none
   * @param seen bars that the agent had learnt from, in its own training or in that of an ancestor;
   *     null if there are none, and for the training bars themselves
   */
  public record Provenance(
      List<ForecastCalibration> forecasts,
      @Nullable MarketCalibration calibration,
      List<String> fingerprints,
      @Nullable Long seed,
      @Nullable Trial trial,
      @Nullable LedgerEntry selection,
      List<SymbolForecast> nextBars,
      SeenBars.@Nullable Overlap seen) {
    private static final Provenance UNKNOWN =
        new Provenance(List.of(), null, List.of(), null, null, null, List.of(), null);
  }

  /** A result of which only the passes and their evidence are known. */
  public MarketEvaluationResult(
      DataPart part, List<BaselineComparison> symbols, Evidence evidence) {
    this(part, symbols, evidence, Provenance.UNKNOWN);
  }

  /**
   * All numbers of a result.
   *
   * @param split which bars: {@code train}, {@code validation}, {@code test}, or {@code data} for
   *     those of {@code --data}
   * @param episodes number of passes
   * @param meanReturn mean over passes of the sum of rewards, the log of final over initial equity
   * @param stdReturn population standard deviation of those sums
   * @param totalReturn return of an account that is divided equally among the symbols
   * @param baselines the same return of each baseline
   * @param beatsBuyAndHold whether {@code totalReturn} is larger than that of buy-and-hold
   * @param verdict on the agent
   * @param stress of each symbol; empty if the run has no limit
   * @param calibration of the critics; null if it was not measured
   * @param symbols numbers of each pass: of each symbol, or of each tested group of each symbol
   * @param inSample bars that the agent had learnt from; left out if there are none
   */
  public record Numbers(
      String split,
      int episodes,
      double meanReturn,
      double stdReturn,
      double totalReturn,
      Map<String, Double> baselines,
      boolean beatsBuyAndHold,
      Verdict verdict,
      List<StressResult> stress,
      @Nullable MarketCalibration calibration,
      List<SymbolNumbers> symbols,
      @JsonInclude(JsonInclude.Include.NON_NULL) SeenBars.@Nullable Overlap inSample) {}

  /**
   * Numbers of one pass.
   *
   * @param symbol name of the symbol, with the number of the group in a purged split
   * @param from close of the first bar of the equity curve, ISO-8601 (UTC)
   * @param to close of the last, ISO-8601 (UTC)
   * @param risk number of decisions that each limit changed
   * @param ruined whether the account ended early
   * @param agent performance of the agent
   * @param baselines performance of each baseline
   * @param forecast tests of the forecasts of the next bar; null if the run has none
   */
  public record SymbolNumbers(
      String symbol,
      String from,
      String to,
      LimitCounts risk,
      boolean ruined,
      Performance agent,
      Map<String, Performance> baselines,
      @Nullable ForecastResult forecast) {}

  @Override
  public Numbers numbers() {
    double[] rewards = rewards();
    double mean = score();
    double variance =
        Arrays.stream(rewards).map(x -> (x - mean) * (x - mean)).average().orElseThrow();
    return new Numbers(
        part.name().toLowerCase(Locale.ROOT),
        rewards.length,
        mean,
        Math.sqrt(variance),
        totalReturn(),
        verdict().account().baselines(),
        beatsBuyAndHold(),
        verdict(),
        stress(),
        provenance.calibration(),
        IntStream.range(0, symbols.size()).mapToObj(this::numbers).toList(),
        provenance.seen());
  }

  /**
   * Bars that the agent had learnt from, in its own training or in that of an ancestor: the result
   * is in sample. Null if there are none, and for the training bars themselves.
   */
  public SeenBars.@Nullable Overlap seen() {
    return provenance.seen();
  }

  @Override
  public @Nullable LimitResult limit() {
    return evidence.limit();
  }

  /** What the bars prove about the agent. */
  public Verdict verdict() {
    return evidence.verdict();
  }

  /** Stress of each symbol; empty if the run has no limit. */
  public List<StressResult> stress() {
    return evidence.stress();
  }

  @Override
  public double score() {
    return Arrays.stream(rewards()).average().orElseThrow();
  }

  /** Sum of rewards of each pass. */
  private double[] rewards() {
    return symbols.stream()
        .map(symbol -> symbol.agent().result())
        .mapToDouble(MarketEvaluationResult::sumOfRewards)
        .toArray();
  }

  private static double sumOfRewards(BacktestResult result) {
    double[] equity = result.series().equity();
    return Math.log(equity[equity.length - 1] / result.initialEquity());
  }

  private SymbolNumbers numbers(int index) {
    BaselineComparison symbol = symbols.get(index);
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
        baselines,
        nextBar(index).map(SymbolForecast::result).orElse(null));
  }

  /** The forecasts of the next bar on a symbol; empty if the run has none. */
  public Optional<SymbolForecast> nextBar(int symbol) {
    return provenance.nextBars().stream().skip(symbol).findFirst();
  }

  /** VaR and CVaR that were forecast in each pass; empty if the run has no forecast. */
  public List<TailForecast> tails() {
    return provenance.nextBars().stream().map(forecast -> forecast.pass().tail()).toList();
  }

  /** The tests of the forecasts of the next bar of each symbol; empty if the run has none. */
  public List<ForecastResult> forecastResults() {
    return provenance.nextBars().stream().map(SymbolForecast::result).toList();
  }

  /** Return of the agent's account that is divided equally among the symbols. */
  public double totalReturn() {
    return verdict().account().totalReturn();
  }

  /** The same return of buy-and-hold. */
  public double buyAndHoldReturn() {
    return verdict()
        .account()
        .baselines()
        .getOrDefault(BaselineComparison.BUY_AND_HOLD, Double.NaN);
  }

  /** Whether the agent earned more than buy-and-hold. */
  public boolean beatsBuyAndHold() {
    return totalReturn() > buyAndHoldReturn();
  }

  /** Name of the bars that were traded, as in {@code the test bars}. */
  public String barsName() {
    return part == DataPart.DATA ? "given" : part.name().toLowerCase(Locale.ROOT);
  }

  /** Suffix that distinguishes the files of different parts; empty for the test. */
  public String fileSuffix() {
    return part == DataPart.TEST ? "" : "-" + part.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void write(Path directory) {
    BacktestCsv.write(directory, fileSuffix(), symbols, tails());
    if (provenance.trial() != null) {
      EvidenceFile.write(directory, fileSuffix(), provenance.trial(), provenance.selection());
    } else if (part == DataPart.DATA) {
      EvidenceFile.delete(directory, fileSuffix()); // of other bars, evaluated before
    }
  }
}
