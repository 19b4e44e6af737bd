package io.quantail.market.setup;

import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsReader;
import io.quantail.market.data.BarsReport;
import io.quantail.market.data.DataException;
import io.quantail.market.data.DataProblem;
import io.quantail.market.data.DemoData;
import io.quantail.market.feature.FeatureScaler;
import io.quantail.market.feature.FeatureTable;
import io.quantail.market.split.BarRange;
import io.quantail.market.split.Fold;
import io.quantail.market.split.Split;
import io.quantail.market.split.Splitter;
import io.quantail.market.trading.Instrument;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.market.trading.TradingRules;
import java.util.ArrayList;
import java.util.List;

/**
 * The market of a run, ready to be traded in: bars read, divided, turned into features that are
 * scaled with what training alone has seen.
 */
public final class Market {
  private final MarketConfig config;
  private final List<Fold> folds;
  private final FeatureScaler scaler;
  private final List<Instrument> instruments;

  private Market(
      MarketConfig config, List<Fold> folds, FeatureScaler scaler, List<Instrument> instruments) {
    this.config = config;
    this.folds = List.copyOf(folds);
    this.scaler = scaler;
    this.instruments = List.copyOf(instruments);
  }

  /** Reads the files of the settings; all problems of all files come in one exception. */
  public static Market load(MarketConfig config) {
    return of(config, read(config.data()));
  }

  /** The bars of each entry of {@code market.data.files}. */
  public static List<Bars> read(DataSettings data) {
    List<Bars> bars = new ArrayList<>();
    List<DataProblem> errors = new ArrayList<>();
    for (int i = 0; i < data.files().size(); i++) {
      String file = data.files().get(i);
      BarsReport report =
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

  /** Divides each symbol's bars as the settings say, and fits the scale to training. */
  public static Market of(MarketConfig config, List<Bars> bars) {
    return of(
        config, bars, bars.stream().map(symbol -> Splitter.split(symbol, config.split())).toList());
  }

  /** The same with given folds, one per symbol, as in a walk forward. */
  public static Market of(MarketConfig config, List<Bars> bars, List<Fold> folds) {
    List<FeatureTable> tables = tables(config, bars);
    FeatureScaler scaler =
        FeatureScaler.fit(tables, folds.stream().map(fold -> fold.range(Split.TRAIN)).toList());
    return new Market(config, folds, scaler, instruments(config, bars, tables, scaler));
  }

  /** The data of a trained agent again, with the scale that it was trained with. */
  public static Market again(MarketConfig config, List<Bars> bars, FeatureScaler scaler) {
    List<Fold> folds = bars.stream().map(symbol -> Splitter.split(symbol, config.split())).toList();
    List<FeatureTable> tables = tables(config, bars);
    return new Market(config, folds, scaler, instruments(config, bars, tables, scaler));
  }

  /** Other bars seen with the eyes of a trained agent: its scale is kept, all bars are tested. */
  public static Market of(MarketConfig config, List<Bars> bars, FeatureScaler scaler) {
    List<Fold> folds = new ArrayList<>();
    for (Bars symbol : bars) {
      BarRange none = new BarRange(0, 0);
      folds.add(new Fold(none, none, new BarRange(0, symbol.size())));
    }
    List<FeatureTable> tables = tables(config, bars);
    return new Market(config, folds, scaler, instruments(config, bars, tables, scaler));
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

  public MarketConfig config() {
    return config;
  }

  public TradingRules rules() {
    return config.rules();
  }

  /** One per symbol, in the order of {@code market.data.files}. */
  public List<Instrument> instruments() {
    return instruments;
  }

  /** How the bars of each symbol are divided. */
  public List<Fold> folds() {
    return folds;
  }

  /** Goes into a bundle, with the feature specification it was fitted for. */
  public FeatureScaler scaler() {
    return scaler;
  }

  /** SHA-256 of each symbol's bars. */
  public List<String> fingerprints() {
    return instruments.stream().map(instrument -> instrument.bars().fingerprint()).toList();
  }

  /** Training episodes; environment k trades symbol k modulo their number. */
  public MarketEpisodes training() {
    return new MarketEpisodes(this);
  }

  /** The bars of each symbol. */
  public List<Bars> bars() {
    return instruments.stream().map(Instrument::bars).toList();
  }

  /** One pass over a part of a symbol's bars. */
  public TradingEnvironment pass(int symbol, Split split) {
    return pass(symbol, folds.get(symbol).range(split));
  }

  /** One pass over a range of a symbol's bars. */
  public TradingEnvironment pass(int symbol, BarRange range) {
    return TradingEnvironment.pass(instruments.get(symbol), rules(), range);
  }
}
