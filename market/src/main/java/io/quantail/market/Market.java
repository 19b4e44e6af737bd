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

  /** Reads the files of the settings; one exception reports all problems of all files. */
  public static Market load(MarketConfig config) {
    return load(config, read(config.data()));
  }

  /** Divides each symbol's bars by the settings and fits the scaling to the training bars. */
  public static Market load(MarketConfig config, List<Bars> bars) {
    return withFolds(config, bars, split(config, bars));
  }

  /** Reads the bars of each entry of {@code market.data.files}. */
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

  /** A market with given folds, one per symbol; the scaling is fitted to their training bars. */
  public static Market withFolds(MarketConfig config, List<Bars> bars, List<BarSplit> folds) {
    List<FeatureTable> tables = tables(config, bars);
    FeatureScaler scaler =
        FeatureScaler.fit(tables, folds.stream().map(fold -> fold.range(SplitPart.TRAIN)).toList());
    return new Market(config, folds, scaler, instruments(config, bars, tables, scaler));
  }

  /** The market that an agent was trained in, with the scaling of its training. */
  public static Market reopen(MarketConfig config, List<Bars> bars, FeatureScaler scaler) {
    return scaled(config, bars, split(config, bars), scaler);
  }

  /** Other bars with the features and scaling of training; all of them are test bars. */
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

  /** The section {@code market} of the settings. */
  public MarketConfig config() {
    return config;
  }

  /** Actions, costs, limits and episodes of every account. */
  public TradingRules rules() {
    return config.rules();
  }

  /** One per symbol, in the order of {@code market.data.files}. */
  public List<Instrument> instruments() {
    return instruments;
  }

  /** The division of each symbol's bars. */
  public List<BarSplit> folds() {
    return folds;
  }

  /** The scaling of the features. */
  public FeatureScaler scaler() {
    return scaler;
  }

  /** SHA-256 of each symbol's bars. */
  public List<String> fingerprints() {
    return instruments.stream().map(instrument -> instrument.bars().fingerprint()).toList();
  }

  /** The bars of each symbol. */
  public List<Bars> bars() {
    return instruments.stream().map(Instrument::bars).toList();
  }

  /** An environment for one pass over a part of a symbol's bars. */
  public TradingEnvironment pass(int symbol, SplitPart split) {
    return pass(symbol, folds.get(symbol).range(split));
  }

  /** An environment for one pass over a range of a symbol's bars. */
  public TradingEnvironment pass(int symbol, BarRange range) {
    return TradingEnvironment.pass(instruments.get(symbol), rules(), range);
  }
}
