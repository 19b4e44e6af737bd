package io.quantail.market.evaluation;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.market.Market;
import io.quantail.market.MarketEnvironments;
import io.quantail.market.MarketManifest;
import io.quantail.market.MarketPass;
import io.quantail.market.SeenBars;
import io.quantail.market.backtest.AgentTradingPolicy;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.BaselinePolicies;
import io.quantail.market.backtest.ChainedAccount;
import io.quantail.market.backtest.ForecastSeries;
import io.quantail.market.backtest.TradingPolicy;
import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import io.quantail.market.forecast.ForecastPass;
import io.quantail.market.forecast.ForecastResult;
import io.quantail.market.forecast.ForecastRow;
import io.quantail.market.forecast.NextBarForecaster;
import io.quantail.market.forecast.RowRecorder;
import io.quantail.market.forecast.SymbolForecast;
import io.quantail.market.ledger.LedgerEntry;
import io.quantail.market.ledger.Trial;
import io.quantail.market.performance.ForecastCalibration;
import io.quantail.market.split.SplitPart;
import io.quantail.market.stress.StressResult;
import io.quantail.model.ActingModel;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.evaluation.LimitPart;
import io.quantail.run.evaluation.LimitResult;
import io.quantail.state.StateMap;
import io.quantail.value.ReturnScale;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Evaluation by one pass over a part of each symbol's bars with the agent's most likely actions,
 * next to its baselines; the calibration of the critics is measured on the validation bars.
 *
 * @param config of the run
 * @param market bars, features and trading rules
 * @param part bars to trade
 * @param seed of the random baseline, of simulated paths and of the bootstrap
 * @param forecaster of the next bar; null if the run has none
 */
public record MarketEvaluation(
    RunConfig config,
    Market market,
    DataPart part,
    long seed,
    @Nullable NextBarForecaster forecaster)
    implements EvaluationProtocol {
  public MarketEvaluation {
    MarketEnvironments.passes(market, split(part)); // refuses too few bars before training
  }

  /** An evaluation without forecasts of the next bar. */
  public MarketEvaluation(RunConfig config, Market market, DataPart part, long seed) {
    this(config, market, part, seed, null);
  }

  @Override
  public MarketEvaluation with(StateMap state) {
    return new MarketEvaluation(
        config, market, part, seed, NextBarForecaster.restored(market, state).orElse(null));
  }

  private static SplitPart split(DataPart part) {
    return part == DataPart.DATA ? SplitPart.TEST : SplitPart.valueOf(part.name());
  }

  @Override
  public EnvironmentFactory environments() {
    return MarketEnvironments.passes(market, split(part));
  }

  @Override
  public String scoreDescription() {
    return "log of final over first equity on the %s bars%s"
        .formatted(name(part), part == DataPart.VALIDATION ? " (the test bars are unseen)" : "");
  }

  @Override
  public void prepare(Path directory) {
    MarketManifest.of(market, config.training()).write(directory);
  }

  @Override
  public MarketEvaluationResult evaluate(ActingModel agent, ReturnScale scale) {
    double gamma = config.rollout().gamma();
    AgentTradingPolicy policy = AgentTradingPolicy.forecasting(agent, scale, config.risk());
    RowRecorder recorder = new RowRecorder(policy);
    TradingPolicy traded = forecaster == null ? policy : recorder;
    List<BaselineComparison> symbols = BaselineComparison.of(market, split(part), traded, seed);
    List<BaselineComparison> accounts =
        accounts(
            split(part), symbols, (name, groups) -> BaselineComparison.chained(name, groups, seed));
    List<BacktestResult> passes = BaselineComparison.results(symbols, BaselineComparison.AGENT);
    List<ForecastSeries> forecasts = policy.forecasts();
    List<ForecastCalibration> calibrations =
        IntStream.range(0, passes.size())
            .mapToObj(i -> ForecastCalibration.of(passes.get(i), forecasts.get(i), gamma))
            .toList();
    Optional<EarlierPasses> validation =
        part == DataPart.TEST ? onValidationBars(agent, scale) : Optional.empty();
    Optional<MarketCalibration> calibration =
        part == DataPart.TEST
            ? validation.flatMap(bars -> bars.calibration(gamma))
            : MarketCalibration.of(part, passes, forecasts, gamma);
    List<BacktestResult> validated =
        part == DataPart.VALIDATION
            ? passes
            : validation.map(EarlierPasses::passes).orElse(List.of());
    SeenBars.Overlap seen = seen(accounts);
    return new MarketEvaluationResult(
        part,
        symbols,
        new MarketEvaluationResult.Evidence(
            accounts,
            Verdict.of(accounts, seed),
            limit(agent, validated, accounts),
            stress(agent, passes)),
        new MarketEvaluationResult.Provenance(
            calibrations,
            calibration.orElse(null),
            market.bars(split(part)).stream().map(Bars::fingerprint).toList(),
            seed,
            trial(accounts, seen),
            selection(validated),
            nextBars(recorder.passes()),
            seen));
  }

  /** Bars of the evaluation that the agent has learnt from; null if there are none. */
  private SeenBars.@Nullable Overlap seen(List<BaselineComparison> accounts) {
    return part == DataPart.TRAIN
        ? null
        : market.seen(
            market.bars(split(part)),
            BaselineComparison.results(accounts, BaselineComparison.AGENT).stream()
                .map(account -> account.series().times())
                .toList());
  }

  /** The entry of the ledger; null if the agent has learnt from the bars. */
  private @Nullable Trial trial(
      List<BaselineComparison> accounts, SeenBars.@Nullable Overlap seen) {
    return part == DataPart.TRAIN || seen != null
        ? null
        : Trial.of(
            config,
            market.bars(split(part)),
            BaselineComparison.results(accounts, BaselineComparison.AGENT),
            BaselineComparison.results(accounts, BaselineComparison.BUY_AND_HOLD));
  }

  /**
   * One account for each symbol: the passes of a purged split over ranges of the same symbol are
   * chained.
   *
   * @param passes over a part of the bars, in the order of {@link Market#passes}
   * @param chain joins passes under the name of their symbol
   */
  private <T> List<T> accounts(
      SplitPart bars, List<T> passes, BiFunction<String, List<T>, T> chain) {
    Map<Integer, List<T>> symbols = new TreeMap<>();
    List<MarketPass> places = market.passes(bars);
    for (int i = 0; i < passes.size(); i++) {
      symbols
          .computeIfAbsent(places.get(i).symbol(), symbol -> new ArrayList<>())
          .add(passes.get(i));
    }
    boolean purged = market.folds().get(0).purged();
    return symbols.entrySet().stream()
        .map(
            one ->
                purged
                    ? chain.apply(market.instruments().get(one.getKey()).symbol(), one.getValue())
                    : one.getValue().get(0))
        .toList();
  }

  /**
   * The trial of an agent without the rest of an evaluation: passes of the agent and of
   * buy-and-hold over one range of each symbol.
   */
  public Trial trial(ActingModel agent) {
    TradingPolicy hold = BaselinePolicies.buyAndHold(market.rules().actions());
    AgentTradingPolicy policy = new AgentTradingPolicy(agent);
    List<BacktestResult> passes = new ArrayList<>();
    List<BacktestResult> benchmark = new ArrayList<>();
    for (MarketPass pass : market.passes(split(part))) {
      passes.add(Backtest.run(pass, BaselineComparison.AGENT, policy));
      benchmark.add(Backtest.run(pass, BaselineComparison.BUY_AND_HOLD, hold));
    }
    return Trial.of(config, market.bars(split(part)), passes, benchmark);
  }

  /** The validation bars as one entry of the ledger; null if the training was not validated. */
  private @Nullable LedgerEntry selection(List<BacktestResult> validated) {
    Integer updates = config.training().validationUpdates();
    return validated.isEmpty() || (updates != null && updates == 0)
        ? null
        : Trial.of(config, market.bars(SplitPart.VALIDATION), validated, validated).selection();
  }

  /**
   * The limit on the judged part and on those before it; later bars stay unseen.
   *
   * @param validated passes over the validation bars; empty if there are none
   */
  private @Nullable LimitResult limit(
      ActingModel agent, List<BacktestResult> validated, List<BaselineComparison> judged) {
    if (config.risk().limit() == null) {
      return null;
    }
    MarketLimit limit = new MarketLimit(config, seed);
    List<LimitPart> parts = new ArrayList<>();
    if (part == DataPart.VALIDATION || part == DataPart.TEST) {
      passes(SplitPart.TRAIN, new AgentTradingPolicy(agent))
          .map(passes -> accounts(SplitPart.TRAIN, passes, ChainedAccount::of))
          .ifPresent(accounts -> parts.add(limit.measure(name(DataPart.TRAIN), accounts)));
    }
    if (part == DataPart.TEST && !validated.isEmpty()) {
      parts.add(limit.measure(name(DataPart.VALIDATION), validated));
    }
    parts.add(
        limit.measure(name(part), BaselineComparison.results(judged, BaselineComparison.AGENT)));
    return LimitResult.of(config.risk(), parts);
  }

  /** Stress after the judged bars; the tested groups of a purged split have bars after them. */
  private List<StressResult> stress(ActingModel agent, List<BacktestResult> judged) {
    List<StressResult> results = new ArrayList<>();
    boolean measured = config.risk().limit() != null && !market.folds().get(0).purged();
    List<MarketPass> passes = market.passes(split(part));
    for (int i = 0; i < judged.size() && measured; i++) {
      double[] weights = judged.get(i).series().exposures();
      results.add(
          StressResult.of(
              market,
              passes.get(i).symbol(),
              passes.get(i).range(),
              new AgentTradingPolicy(agent),
              weights[weights.length - 1],
              judged.get(i).ruined()));
    }
    return results;
  }

  private static String name(DataPart part) {
    return part.name().toLowerCase(Locale.ROOT);
  }

  /** Passes over a part of each symbol's bars; empty if a symbol has too few of them. */
  private Optional<List<BacktestResult>> passes(SplitPart bars, AgentTradingPolicy policy) {
    List<BacktestResult> passes = new ArrayList<>();
    try {
      for (MarketPass pass : market.passes(bars)) {
        passes.add(Backtest.run(pass, BaselineComparison.AGENT, policy));
      }
    } catch (DataException tooFewBars) {
      return Optional.empty();
    }
    return Optional.of(passes).filter(some -> !some.isEmpty());
  }

  /** Forecasts and tests of each symbol's pass; empty without a forecaster. */
  private List<SymbolForecast> nextBars(List<List<ForecastRow>> passes) {
    if (forecaster == null) {
      return List.of();
    }
    double alpha = ForecastResult.tailLevel(config.risk().alpha());
    return passes.stream()
        .map(rows -> ForecastPass.of(forecaster, rows, alpha))
        .map(pass -> new SymbolForecast(pass, ForecastResult.of(pass, seed)))
        .toList();
  }

  /** Passes over the validation bars and what the critics predicted. */
  private record EarlierPasses(List<BacktestResult> passes, List<ForecastSeries> forecasts) {
    /** The calibration of the critics: the test bars are for the result alone. */
    Optional<MarketCalibration> calibration(double gamma) {
      return MarketCalibration.of(DataPart.VALIDATION, passes, forecasts, gamma);
    }
  }

  /** Passes over the validation bars; empty if there are too few. */
  private Optional<EarlierPasses> onValidationBars(ActingModel agent, ReturnScale scale) {
    AgentTradingPolicy policy = AgentTradingPolicy.forecasting(agent, scale, config.risk());
    return passes(SplitPart.VALIDATION, policy)
        .map(passes -> new EarlierPasses(passes, policy.forecasts()));
  }
}
