package io.quantail.market;

import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsReadReport;
import io.quantail.market.data.BarsReader;
import io.quantail.market.data.DataException;
import io.quantail.market.data.DataProblem;
import io.quantail.market.data.DemoData;
import io.quantail.market.feature.FeatureScaler;
import io.quantail.market.feature.FeatureTable;
import io.quantail.market.split.BarRange;
import io.quantail.market.split.BarSplit;
import io.quantail.market.split.BarSplitter;
import io.quantail.market.split.SplitPart;
import io.quantail.market.trading.Instrument;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.market.trading.TradingRules;
import java.util.ArrayList;
import java.util.List;

/**
 * The market of a run, ready to trade in: bars, their division into training, validation and test,
 * and features scaled with statistics of the training bars alone.
 */
public final class Market {
  private final MarketConfig config;
  private final List<BarSplit> folds;
  private final FeatureScaler scaler;
  private final List<Instrument> instruments;

  private Market(
      MarketConfig config,
      List<BarSplit> folds,
      FeatureScaler scaler,
      List<Instrument> instruments) {
    this.config = config;
    this.folds = List.copyOf(folds);
    this.scaler = scaler;
    this.instruments = List.copyOf(instruments);
  }

  /**
   * Reads the files of the settings, divides the bars of each symbol by {@code market.split} and
   * fits the scaling to the training bars.
   *
   * @param config settings of the market, section {@code market}
   * @return a market on the bars of {@code market.data.files}
   * @throws DataException with all problems of all files, if a file is refused, or if the bars
   *     cannot be divided by {@code market.split}
   */
  public static Market load(MarketConfig config) {
    return load(config, read(config.data()));
  }

  /**
   * Divides each symbol's bars by the settings and fits the scaling to the training bars.
   *
   * @param config settings of the market, section {@code market}; its files are not read
   * @param bars bars of each symbol
   * @return a market on these bars
   * @throws DataException if the bars cannot be divided by {@code market.split}
   */
  public static Market load(MarketConfig config, List<Bars> bars) {
    return withFolds(config, bars, split(config, bars));
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
      BarsReadReport report =
          DemoData.isDemo(file)
              ? DemoData.read(file, data.options(i))
              : BarsReader.read(file, data.options(i));
      errors.addAll(report.errors());
      if (report.errors().isEmpty()) {
        bars.add(report.bars());
      }
    }
    if (!errors.isEmpty()) {
      throw new DataException(errors);
    }
    return bars;
  }

  /**
   * Creates a market with given folds and fits the scaling to their training bars.
   *
   * @param config settings of the market, section {@code market}; its division of the bars is not
   *     used
   * @param bars bars of each symbol
   * @param folds division of each symbol's bars, in the order of {@code bars}
   * @return a market on these bars and folds
   */
  public static Market withFolds(MarketConfig config, List<Bars> bars, List<BarSplit> folds) {
    List<FeatureTable> tables = tables(config, bars);
    FeatureScaler scaler =
        FeatureScaler.fit(tables, folds.stream().map(fold -> fold.range(SplitPart.TRAIN)).toList());
    return new Market(config, folds, scaler, instruments(config, bars, tables, scaler));
  }

  /**
   * Restores the market that an agent was trained in, with the scaling of its training.
   *
   * @param config settings of the agent's run, section {@code market}
   * @param bars bars of each symbol that the agent was trained on
   * @param scaler scaling of the features, fitted in the agent's training
   * @return a market on these bars, divided by the settings
   * @throws DataException if the bars cannot be divided by {@code market.split}
   * @throws IllegalArgumentException if the scaling was fitted to other features
   */
  public static Market reopen(MarketConfig config, List<Bars> bars, FeatureScaler scaler) {
    return scaled(config, bars, split(config, bars), scaler);
  }

  /**
   * Creates a market on other bars with the features and scaling of training; all bars are test
   * bars.
   *
   * @param config settings of the agent's run, section {@code market}
   * @param bars bars of each symbol to evaluate the agent on
   * @param scaler scaling of the features, fitted in the agent's training
   * @return a market without training and validation bars
   * @throws IllegalArgumentException if the scaling was fitted to other features
   */
  public static Market onOtherBars(MarketConfig config, List<Bars> bars, FeatureScaler scaler) {
    BarRange none = new BarRange(0, 0);
    List<BarSplit> folds =
        bars.stream().map(one -> new BarSplit(none, none, new BarRange(0, one.size()))).toList();
    return scaled(config, bars, folds, scaler);
  }

  private static List<BarSplit> split(MarketConfig config, List<Bars> bars) {
    return bars.stream().map(symbol -> BarSplitter.split(symbol, config.split())).toList();
  }

  private static Market scaled(
      MarketConfig config, List<Bars> bars, List<BarSplit> folds, FeatureScaler scaler) {
    return new Market(
        config, folds, scaler, instruments(config, bars, tables(config, bars), scaler));
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

  /** {@return actions, costs, limits and episodes of every account} */
  public TradingRules rules() {
    return config.rules();
  }

  /** {@return one instrument per symbol, in the order of {@code market.data.files}} */
  public List<Instrument> instruments() {
    return instruments;
  }

  /** {@return the division of each symbol's bars} */
  public List<BarSplit> folds() {
    return folds;
  }

  /** {@return the scaling of the features} */
  public FeatureScaler scaler() {
    return scaler;
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
