package io.quantail.market;

import io.quantail.config.RiskConfig;
import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsReadReport;
import io.quantail.market.data.BarsReader;
import io.quantail.market.data.DataException;
import io.quantail.market.data.DataProblem;
import io.quantail.market.feature.FeatureScaler;
import io.quantail.market.feature.FeatureTable;
import io.quantail.market.split.BarRange;
import io.quantail.market.split.BarSplit;
import io.quantail.market.split.BarSplitter;
import io.quantail.market.split.PurgedBarSplitter;
import io.quantail.market.split.SplitPart;
import io.quantail.market.split.SplitSettings;
import io.quantail.market.trading.Instrument;
import io.quantail.market.trading.RiskUnits;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.market.trading.TradingRules;
import io.quantail.market.trading.TrainingRange;
import io.quantail.market.trading.TrainingVolatility;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The market of a run, ready to trade in: bars, their division into training, validation and test,
 * features scaled with statistics of the training bars alone, and trading rules, whose risk units
 * depend on the training bars alone too.
 */
public final class Market {
  private final MarketConfig config;
  private final RiskConfig risk;
  private final List<BarSplit> folds;
  private final FeatureScaler scaler;
  private final List<Instrument> instruments;
  private final List<TrainingRange> training;
  private final @Nullable TrainingVolatility volatility;
  private final TradingRules rules;
  private final List<SeenBars.Range> learnt;

  private Market(
      MarketConfig config,
      RiskConfig risk,
      List<BarSplit> folds,
      FeatureScaler scaler,
      List<Instrument> instruments,
      List<TrainingRange> training,
      @Nullable TrainingVolatility volatility,
      List<SeenBars.Range> learnt) {
    this.config = config;
    this.risk = risk;
    this.folds = List.copyOf(folds);
    this.scaler = scaler;
    this.instruments = List.copyOf(instruments);
    this.training = List.copyOf(training);
    this.volatility = volatility;
    this.rules = config.rules(units(config, volatility, barLimit(risk)));
    this.learnt = List.copyOf(learnt);
  }

  private static RiskUnits units(
      MarketConfig config, @Nullable TrainingVolatility volatility, OptionalDouble limit) {
    if (config.action().unit() == MarketConfig.ActionSettings.Unit.WEIGHT) {
      return RiskUnits.NONE;
    }
    if (volatility == null) {
      throw new DataException(
          "market.action.unit risk needs the volatility of training bars, and no training bar has"
              + " one; use more training bars, or set market.action.unit to weight");
    }
    return volatility.units(limit);
  }

  private static OptionalDouble barLimit(RiskConfig risk) {
    Double limit = risk.limit();
    return limit != null && limit < 0 && risk.measure() == RiskConfig.Measure.REWARDS
        ? OptionalDouble.of(limit)
        : OptionalDouble.empty();
  }

  /**
   * Reads the files of the settings, divides the bars of each symbol by {@code market.split} and
   * fits the scaling to the training bars.
   *
   * @param config settings of the market, section {@code market}
   * @param risk the limit that risk units refer to, section {@code risk}
   * @return a market on the bars of {@code market.data.files}
   * @throws DataException with all problems of all files, if a file is refused, or if the bars
   *     cannot be divided by {@code market.split}
   */
  public static Market load(MarketConfig config, RiskConfig risk) {
    return load(config, risk, read(config.data()));
  }

  /**
   * Divides each symbol's bars by the settings and fits the scaling to the training bars.
   *
   * @param config settings of the market, section {@code market}; its files are not read
   * @param risk the limit that risk units refer to, section {@code risk}
   * @param bars bars of each symbol
   * @return a market on these bars
   * @throws DataException if the bars cannot be divided by {@code market.split}
   */
  public static Market load(MarketConfig config, RiskConfig risk, List<Bars> bars) {
    return withFolds(config, risk, bars, split(config, bars));
  }

  /**
   * Reads the bars of each entry of {@code market.data.files}.
   *
   * @param data files and how to read them, section {@code market.data}
   * @return the bars of each symbol, in the order of the files
   * @throws DataException with all problems of all files, if a file is refused
   */
  public static List<Bars> read(MarketConfig.DataSettings data) {
    List<Bars> bars = new ArrayList<>();
    List<DataProblem> errors = new ArrayList<>();
    for (int i = 0; i < data.files().size(); i++) {
      String file = data.files().get(i);
      BarsReadReport report = BarsReader.readAny(file, data.options(i));
      errors.addAll(report.errors());
      if (report.errors().isEmpty()) {
        bars.add(report.bars());
      }
    }
    if (!errors.isEmpty()) {
      throw new DataException(errors);
    }
    BarsReader.requireDifferent(data.files(), bars);
    return bars;
  }

  /**
   * Creates a market with given folds and fits the scaling to their training bars.
   *
   * @param config settings of the market, section {@code market}; its division of the bars is not
   *     used
   * @param risk the limit that risk units refer to, section {@code risk}
   * @param bars bars of each symbol
   * @param folds division of each symbol's bars, in the order of {@code bars}
   * @return a market on these bars and folds
   */
  public static Market withFolds(
      MarketConfig config, RiskConfig risk, List<Bars> bars, List<BarSplit> folds) {
    return build(config, risk, bars, folds, Given.NONE);
  }

  /**
   * What a market takes from the training of its agent instead of from its own training bars.
   *
   * @param scaler null to fit one
   * @param volatility null to measure it
   * @param learnt bars that the agent has learnt from in earlier trainings
   */
  private record Given(
      @Nullable FeatureScaler scaler,
      @Nullable TrainingVolatility volatility,
      List<SeenBars.Range> learnt) {
    static final Given NONE = new Given(null, null, List.of());
  }

  /** A market with the given scaling, or with one that is fitted to the training bars. */
  private static Market build(
      MarketConfig config, RiskConfig risk, List<Bars> bars, List<BarSplit> folds, Given given) {
    List<FeatureTable> tables = tables(config, bars);
    List<TrainingBars> parts = TrainingBars.of(bars, tables, folds);
    FeatureScaler scaler =
        given.scaler != null
            ? given.scaler
            : FeatureScaler.fit(TrainingBars.tables(parts), TrainingBars.ranges(parts));
    List<Instrument> instruments = instruments(config, bars, tables, scaler);
    List<TrainingRange> training = training(config, parts, instruments, scaler);
    TrainingVolatility volatility =
        given.volatility != null ? given.volatility : volatility(training, risk);
    return new Market(config, risk, folds, scaler, instruments, training, volatility, given.learnt);
  }

  private static List<TrainingRange> training(
      MarketConfig config,
      List<TrainingBars> parts,
      List<Instrument> instruments,
      FeatureScaler scaler) {
    return TrainingBars.scaled(parts, instruments, scaler, config.execution().volumeBars());
  }

  private static @Nullable TrainingVolatility volatility(
      List<TrainingRange> training, RiskConfig risk) {
    List<Instrument> instruments = training.stream().map(TrainingRange::instrument).toList();
    List<BarRange> ranges = training.stream().map(TrainingRange::range).toList();
    return TrainingVolatility.fit(instruments, ranges, risk.alpha()).orElse(null);
  }

  /**
   * Restores the market that an agent was trained in, with the scaling of its training.
   *
   * @param config settings of the agent's run, section {@code market}
   * @param risk the limit that risk units refer to, section {@code risk}
   * @param bars bars of each symbol that the agent was trained on
   * @param scaler scaling of the features, fitted in the agent's training or in that of an ancestor
   * @param volatility volatility of the same training bars; null to measure it again
   * @param learnt bars that the ancestors of the agent learnt from
   * @return a market on these bars, divided by the settings
   * @throws DataException if the bars cannot be divided by {@code market.split}
   * @throws IllegalArgumentException if the scaling was fitted to other features
   */
  static Market reopen(
      MarketConfig config,
      RiskConfig risk,
      List<Bars> bars,
      FeatureScaler scaler,
      @Nullable TrainingVolatility volatility,
      List<SeenBars.Range> learnt) {
    return build(config, risk, bars, split(config, bars), new Given(scaler, volatility, learnt));
  }

  /** The market of a training that starts with a trained agent, see {@link MarketManifest}. */
  static Market descendant(
      MarketConfig config,
      RiskConfig risk,
      List<Bars> bars,
      FeatureScaler scaler,
      @Nullable TrainingVolatility volatility,
      List<SeenBars.Range> learnt) {
    Market market = reopen(config, risk, bars, scaler, volatility, learnt);
    for (SplitPart part : List.of(SplitPart.VALIDATION, SplitPart.TEST)) {
      SeenBars.Overlap seen = market.seen(market.bars(), market.closes(part));
      if (seen != null) {
        throw new DataException(
            "the ancestor has learnt from %s, which are %s bars here, so they could prove nothing; choose market.split so that these bars begin later"
                .formatted(seen.text(), part.name().toLowerCase(Locale.ROOT)));
      }
    }
    return market;
  }

  /** The closes of a part of each symbol's bars. */
  private List<long[]> closes(SplitPart part) {
    List<long[]> closes = new ArrayList<>();
    for (int symbol = 0; symbol < instruments.size(); symbol++) {
      Bars bars = instruments.get(symbol).bars();
      closes.add(
          folds.get(symbol).ranges(part).stream()
              .flatMapToInt(range -> IntStream.range(range.from(), range.to()))
              .mapToLong(bars::time)
              .toArray());
    }
    return closes;
  }

  /**
   * Creates a market on other bars with the features and scaling of training; all bars are test
   * bars.
   *
   * @param config settings of the agent's run, section {@code market}
   * @param risk the limit that risk units refer to, section {@code risk}
   * @param bars bars of each symbol to evaluate the agent on
   * @param scaler scaling of the features, fitted in the agent's training
   * @param volatility volatility of the agent's training bars; null if it is not known
   * @param learnt bars that the agent or its ancestors learnt from
   * @return a market without training and validation bars
   * @throws DataException if actions are in risk units and the volatility is not known
   * @throws IllegalArgumentException if the scaling was fitted to other features
   */
  static Market onOtherBars(
      MarketConfig config,
      RiskConfig risk,
      List<Bars> bars,
      FeatureScaler scaler,
      @Nullable TrainingVolatility volatility,
      List<SeenBars.Range> learnt) {
    BarRange none = new BarRange(0, 0);
    List<BarSplit> folds =
        bars.stream().map(one -> new BarSplit(none, none, new BarRange(0, one.size()))).toList();
    List<FeatureTable> tables = tables(config, bars);
    List<Instrument> instruments = instruments(config, bars, tables, scaler);
    List<TrainingRange> training =
        training(config, TrainingBars.of(bars, tables, folds), instruments, scaler);
    return new Market(config, risk, folds, scaler, instruments, training, volatility, learnt);
  }

  /**
   * Creates a market on other bars with the settings, scaling and risk units of this one; all bars
   * are test bars.
   *
   * @param bars bars of each symbol
   * @return a market without training and validation bars
   */
  public Market onOtherBars(List<Bars> bars) {
    return onOtherBars(config, risk, bars, scaler, volatility, List.of());
  }

  private static List<BarSplit> split(MarketConfig config, List<Bars> bars) {
    if (config.split().by() == SplitSettings.By.PURGED) {
      return PurgedBarSplitter.split(
          bars, config.split(), config.features().spec().longestWindow());
    }
    List<BarSplit> folds =
        bars.stream().map(symbol -> BarSplitter.split(symbol, config.split())).toList();
    if (folds.stream().allMatch(fold -> fold.training().isEmpty())) {
      throw new DataException(
          "no symbol has training bars: all of them begin after market.split.trainDates (%s) or"
                  .formatted(config.split().trainDates())
              + " have fewer than market.split.joinBars there; use earlier bars or later dates");
    }
    return folds;
  }

  private static List<FeatureTable> tables(MarketConfig config, List<Bars> bars) {
    return bars.stream().map(symbol -> FeatureTable.of(symbol, config.features().spec())).toList();
  }

  private static List<Instrument> instruments(
      MarketConfig config, List<Bars> bars, List<FeatureTable> tables, FeatureScaler scaler) {
    List<Instrument> instruments = new ArrayList<>();
    for (int i = 0; i < bars.size(); i++) {
      int volumeBars = config.execution().volumeBars();
      instruments.add(Instrument.of(bars.get(i), scaler.apply(tables.get(i)), volumeBars));
    }
    return instruments;
  }

  /** {@return the section {@code market} of the settings} */
  public MarketConfig config() {
    return config;
  }

  /** {@return the section {@code risk} of the settings} */
  public RiskConfig risk() {
    return risk;
  }

  /** {@return actions, costs, limits and episodes of every account} */
  public TradingRules rules() {
    return rules;
  }

  /** {@return the volatility of the training bars; empty if it is not known} */
  public Optional<TrainingVolatility> volatility() {
    return Optional.ofNullable(volatility);
  }

  /**
   * {@return the limit on the CVaR of a bar's log-return; empty if {@code risk.limit} is not given,
   * not negative, or limits another measure than {@code rewards}}
   */
  public OptionalDouble barLimit() {
    return barLimit(risk);
  }

  /** {@return one instrument per symbol, in the order of {@code market.data.files}} */
  public List<Instrument> instruments() {
    return instruments;
  }

  /** {@return the division of each symbol's bars} */
  public List<BarSplit> folds() {
    return folds;
  }

  /** {@return the ranges of training bars of all symbols, in the order of the symbols} */
  public List<TrainingRange> training() {
    return training;
  }

  /** {@return the scaling of the features} */
  public FeatureScaler scaler() {
    return scaler;
  }

  /** Whether scaling and risk units are those of an ancestor. */
  boolean inherits() {
    return !learnt.isEmpty();
  }

  /**
   * {@return the bars that the agent has learnt from before: those of its ancestors, and on other
   * bars also those of its own training}
   */
  List<SeenBars.Range> learnt() {
    return learnt;
  }

  /**
   * Finds bars of an evaluation that the agent has learnt from before.
   *
   * @param symbols bars of each symbol of the evaluation
   * @param judged closes of the bars of the evaluation on each of them, in ascending order
   * @return null if there are none
   */
  public SeenBars.@Nullable Overlap seen(List<Bars> symbols, List<long[]> judged) {
    return SeenBars.overlap(learnt, symbols, judged);
  }

  /** {@return the SHA-256 of each symbol's bars} */
  public List<String> fingerprints() {
    return instruments.stream().map(instrument -> instrument.bars().fingerprint()).toList();
  }

  /** {@return the bars of each symbol} */
  public List<Bars> bars() {
    return instruments.stream().map(Instrument::bars).toList();
  }

  /**
   * Returns the bars of the symbols that take part in a part of the bars.
   *
   * @param split part of each symbol's bars
   * @return all bars of each of these symbols, in the order of the symbols
   */
  public List<Bars> bars(SplitPart split) {
    return passes(split).stream()
        .map(MarketPass::symbol)
        .distinct()
        .map(symbol -> instruments.get(symbol).bars())
        .toList();
  }

  /**
   * Returns the passes over a part of the bars: one for each symbol, or one for each range of each
   * symbol in a purged split, which ends with a sale. A symbol that joins later has none.
   *
   * @param split part of each symbol's bars
   * @return the passes, in the order of the symbols, then of time
   */
  public List<MarketPass> passes(SplitPart split) {
    if (split == SplitPart.TRAIN) {
      return training.stream().filter(this::isPass).map(this::pass).toList();
    }
    // A part without any bars is refused by its passes.
    boolean traded =
        folds.stream().flatMap(fold -> fold.ranges(split).stream()).anyMatch(one -> one.size() > 0);
    List<MarketPass> passes = new ArrayList<>();
    for (int symbol = 0; symbol < instruments.size(); symbol++) {
      BarSplit fold = folds.get(symbol);
      Instrument instrument = instruments.get(symbol);
      List<BarRange> ranges = fold.ranges(split);
      for (int i = 0; i < ranges.size(); i++) {
        if (traded && ranges.get(i).size() == 0) {
          continue;
        }
        String name =
            fold.purged() && split == SplitPart.TEST
                ? MarketPass.name(instrument.symbol(), config.split().testedGroups().get(i))
                : instrument.symbol();
        passes.add(new MarketPass(name, symbol, instrument, rules, ranges.get(i), fold.purged()));
      }
    }
    return passes;
  }

  /** Of a purged split, only the ranges in which agents train. */
  private boolean isPass(TrainingRange range) {
    return !folds.get(range.symbol()).purged() || range.starts(rules) > 0;
  }

  private MarketPass pass(TrainingRange range) {
    Bars bars = range.instrument().bars();
    boolean purged = folds.get(range.symbol()).purged();
    String from = purged ? " from " + Instant.ofEpochMilli(bars.time(range.range().from())) : "";
    return new MarketPass(
        bars.symbol() + from, range.symbol(), range.instrument(), rules, range.range(), purged);
  }

  /**
   * Creates an environment for one pass over a part of a symbol's bars.
   *
   * @param symbol index of the symbol in {@link #instruments}
   * @param split part of the symbol's bars to trade on
   * @return an environment with one episode over these bars
   * @throws DataException if the part has too few bars
   */
  public TradingEnvironment pass(int symbol, SplitPart split) {
    return pass(symbol, folds.get(symbol).range(split));
  }

  /**
   * Creates an environment for one pass over a range of a symbol's bars.
   *
   * @param symbol index of the symbol in {@link #instruments}
   * @param range bars to trade on
   * @return an environment with one episode over these bars
   * @throws DataException if the range has too few bars
   */
  public TradingEnvironment pass(int symbol, BarRange range) {
    return TradingEnvironment.pass(instruments.get(symbol), rules(), range);
  }
}
