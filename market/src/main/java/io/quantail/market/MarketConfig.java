package io.quantail.market;

import io.quantail.config.Check;
import io.quantail.config.ConfigException;
import io.quantail.market.data.BarFileLayout;
import io.quantail.market.data.BarLength;
import io.quantail.market.data.BarsOptions;
import io.quantail.market.execution.ExecutionSettings;
import io.quantail.market.feature.FeatureSpec;
import io.quantail.market.limits.TradingLimits;
import io.quantail.market.split.SplitSettings;
import io.quantail.market.split.WalkForwardSettings;
import io.quantail.market.trading.EpisodeSettings;
import io.quantail.market.trading.RiskUnits;
import io.quantail.market.trading.TargetWeightMap;
import io.quantail.market.trading.TradingRules;
import java.util.List;
import java.util.Locale;

/**
 * Market settings of a run; section {@code market}.
 *
 * @param data section {@code market.data}
 * @param features section {@code market.features}
 * @param execution section {@code market.execution}
 * @param action section {@code market.action}
 * @param episode section {@code market.episode}
 * @param risk section {@code market.risk}
 * @param split section {@code market.split}
 * @param walkforward section {@code market.walkforward}
 * @param forecast section {@code market.forecast}
 */
public record MarketConfig(
    DataSettings data,
    FeatureSettings features,
    ExecutionSettings execution,
    ActionSettings action,
    EpisodeSettings episode,
    TradingLimits risk,
    SplitSettings split,
    WalkForwardSettings walkforward,
    ForecastSettings forecast) {
  /**
   * Checks that every section is present.
   *
   * @param data source of the bars
   * @param features market features of the observation
   * @param execution execution and costs of orders
   * @param action actions of an agent
   * @param episode length and termination of training episodes
   * @param risk limits between a decision and its order
   * @param split division of the bars
   * @param walkforward folds of a walk-forward evaluation
   * @param forecast forecast of the next bar's return
   * @throws ConfigException if a section is null
   */
  public MarketConfig {
    Check.present("market.data", data);
    Check.present("market.features", features);
    Check.present("market.execution", execution);
    Check.present("market.action", action);
    Check.present("market.episode", episode);
    Check.present("market.risk", risk);
    Check.present("market.split", split);
    Check.present("market.walkforward", walkforward);
    Check.present("market.forecast", forecast);
  }

  /** {@return the default settings} */
  public static MarketConfig defaults() {
    return new MarketConfig(
        DataSettings.defaults(),
        FeatureSettings.defaults(),
        ExecutionSettings.defaults(),
        ActionSettings.defaults(),
        EpisodeSettings.defaults(),
        TradingLimits.defaults(),
        SplitSettings.defaults(),
        WalkForwardSettings.defaults(),
        ForecastSettings.defaults());
  }

  /**
   * Returns the rules of every account.
   *
   * @param units unit of the actions
   * @return actions, costs, limits and episodes
   */
  public TradingRules rules(RiskUnits units) {
    return new TradingRules(action.map(), units, execution, risk, episode);
  }

  /**
   * Actions of an agent; section {@code market.action}.
   *
   * @param kind any weight, or one of {@code levels}; default {@code continuous}
   * @param longOnly whether weights below 0 (short positions) are excluded; default true
   * @param maxWeight largest absolute weight; in (0, 1]; default 1
   * @param levels the weights of kind {@code levels}, at least two, each within the range of {@code
   *     longOnly} and {@code maxWeight}; default {@code [0, 0.5, 1]}
   * @param unit what an action of 1 means: {@code weight}, that weight of the account, or {@code
   *     risk}, min(1, budget / σ) of it with the EWMA volatility σ at the close; the budget is
   *     |risk.limit| over the tail multiple of the training bars, or their median volatility if
   *     there is no negative limit on {@code rewards}; default {@code weight}
   */
  public record ActionSettings(
      Kind kind, boolean longOnly, double maxWeight, List<Double> levels, Unit unit) {

    /** Kinds of actions. */
    public enum Kind {
      /** Any weight of the range. */
      CONTINUOUS,
      /** One of several fixed weights. */
      LEVELS
    }

    /** Units of actions. */
    public enum Unit {
      /** The weight of the symbol in the account. */
      WEIGHT,
      /** The weight that falls with the volatility, see {@link RiskUnits}. */
      RISK
    }

    /**
     * Checks the range of the weights.
     *
     * @param kind any weight, or one of {@code levels}
     * @param longOnly whether weights below 0 (short positions) are excluded
     * @param maxWeight largest absolute weight
     * @param levels weights of kind {@code levels}
     * @param unit weight or risk
     * @throws ConfigException if {@code maxWeight} is not in (0, 1], if there are fewer than two
     *     levels, or if {@code kind} is {@code levels} and a level is outside the range
     */
    public ActionSettings {
      Check.positiveFraction("market.action.maxWeight", maxWeight);
      Check.present("market.action.unit", unit);
      if (levels.size() < 2) {
        throw new ConfigException(
            "market.action.levels must have at least 2 weights, had " + levels.size());
      }
      if (kind == Kind.LEVELS) {
        for (int i = 0; i < levels.size(); i++) {
          double low = longOnly ? 0 : -maxWeight;
          Check.within("market.action.levels[" + i + "]", levels.get(i), low, maxWeight);
        }
      }
    }

    /** {@return the default settings} */
    public static ActionSettings defaults() {
      return new ActionSettings(Kind.CONTINUOUS, true, 1, List.of(0.0, 0.5, 1.0), Unit.WEIGHT);
    }

    /** {@return the conversion of actions to target weights, in the unit of the settings} */
    public TargetWeightMap map() {
      return switch (kind) {
        case CONTINUOUS -> new TargetWeightMap.Continuous(longOnly, maxWeight);
        case LEVELS ->
            new TargetWeightMap.Levels(levels.stream().mapToDouble(Double::doubleValue).toArray());
      };
    }
  }

  /**
   * Source of the bars; section {@code market.data}.
   *
   * @param files one entry per symbol: a CSV or Parquet file, a glob, or {@code demo:btc}, {@code
   *     demo:AAPL}; default {@code [demo:btc]}
   * @param symbols names of the symbols, one per entry of {@code files}; default empty: from the
   *     files
   * @param barLength duration of a bar, such as {@code 5m}, {@code 4h}, {@code 1d}; default {@code
   *     auto}: the median distance between times of the file
   * @param timeIsOpen whether times are those of opens; default false: of closes
   * @param gaps whether bars may be missing in files; default {@code refuse}
   * @param layout section {@code market.data.layout}
   */
  public record DataSettings(
      List<String> files,
      List<String> symbols,
      String barLength,
      boolean timeIsOpen,
      Gaps gaps,
      BarFileLayout layout) {

    /** Treatment of missing bars. Missing bars are never filled in. */
    public enum Gaps {
      /** A file with missing bars is refused. */
      REFUSE,
      /** Bars may be missing. */
      ALLOW
    }

    /**
     * Checks files, symbols and bar length.
     *
     * @param files one entry per symbol
     * @param symbols names of the symbols, or empty
     * @param barLength written duration of a bar, or {@code auto}
     * @param timeIsOpen whether times are those of opens
     * @param gaps whether bars may be missing in files
     * @param layout how the files are written
     * @throws ConfigException if there is no file, if a file is blank, if symbols are named but not
     *     one per file, or if the bar length has another form
     */
    public DataSettings {
      Check.present("market.data.layout", layout);
      if (files.isEmpty()) {
        throw new ConfigException(
            "market.data.files must name at least one file of bars, such as [demo:btc], was empty");
      }
      for (int i = 0; i < files.size(); i++) {
        Check.notBlank("market.data.files[" + i + "]", files.get(i));
      }
      if (!symbols.isEmpty() && symbols.size() != files.size()) {
        throw new ConfigException(
            String.format(
                Locale.ROOT,
                "market.data.symbols must be empty or name each of the %d files, named %d",
                files.size(),
                symbols.size()));
      }
      if (!BarLength.isValid(barLength)) {
        throw new ConfigException(
            "market.data.barLength must be auto or a number with s, m, h or d, such as 5m, was \"%s\""
                .formatted(barLength));
      }
    }

    /** {@return the default settings} */
    public static DataSettings defaults() {
      return new DataSettings(
          List.of("demo:btc"),
          List.of(),
          BarLength.AUTO,
          false,
          Gaps.REFUSE,
          BarFileLayout.defaults());
    }

    /**
     * Returns settings that read other files in the same way, with symbols from the files.
     *
     * @param others one entry per symbol
     * @param gapsAllowed whether bars may be missing even if these settings refuse gaps
     * @return the settings of the other files
     */
    public DataSettings withFiles(List<String> others, boolean gapsAllowed) {
      Gaps accepted = gapsAllowed ? Gaps.ALLOW : gaps;
      return new DataSettings(others, List.of(), barLength, timeIsOpen, accepted, layout);
    }

    /**
     * Returns the options for reading one entry of {@code files}.
     *
     * @param index index of the entry, from 0
     * @return symbol, bar length, meaning of times, treatment of gaps and layout
     */
    public BarsOptions options(int index) {
      return new BarsOptions(
          symbols.isEmpty() ? "" : symbols.get(index),
          BarLength.millis(barLength),
          timeIsOpen,
          gaps == Gaps.ALLOW,
          layout);
    }
  }

  /**
   * Market features of the observation; section {@code market.features}.
   *
   * @param names features in their written form, such as {@code return(12)}; default: the standard
   *     set of {@code docs/guides/markets.md}
   * @param beyond scaling of values beyond the 1st and 99th percentile of training: {@code log}
   *     compresses them by a logarithm, {@code cut} cuts them at the percentile; default {@code
   *     log}
   */
  public record FeatureSettings(List<String> names, FeatureSpec.Beyond beyond) {
    /**
     * Checks that the features can be parsed.
     *
     * @param names features in their written form
     * @param beyond scaling of values beyond the training percentiles
     * @throws ConfigException if there is no feature, or if one is unknown or listed twice
     */
    public FeatureSettings {
      Check.present("market.features.beyond", beyond);
      try {
        FeatureSpec.parse(names, beyond);
      } catch (IllegalArgumentException wrong) {
        throw new ConfigException("market.features.names: " + wrong.getMessage());
      }
    }

    /** {@return the default settings} */
    public static FeatureSettings defaults() {
      FeatureSpec standard = FeatureSpec.standard();
      return new FeatureSettings(standard.written(), standard.beyond());
    }

    /** {@return the parsed features} */
    public FeatureSpec spec() {
      return FeatureSpec.parse(names, beyond);
    }
  }

  /**
   * Forecast of the account's return in the next bar; section {@code market.forecast}. It is learnt
   * beside the agent by a network of its own and changes nothing that the agent does.
   *
   * @param enabled whether it is learnt; default true
   * @param units units in each of the two layers; in [1, 1024]; default 32
   * @param epochs passes over the rows of each rollout; five times as many over the training bars
   *     when the training is complete; in [1, 1000]; default 4
   */
  public record ForecastSettings(boolean enabled, int units, int epochs) {
    /**
     * Checks the ranges.
     *
     * @param enabled whether it is learnt
     * @param units units in each of the two layers
     * @param epochs passes over the rows of each rollout
     * @throws ConfigException if a value is outside of its range
     */
    public ForecastSettings {
      Check.within("market.forecast.units", units, 1, 1024);
      Check.within("market.forecast.epochs", epochs, 1, 1000);
    }

    /** {@return the default settings} */
    public static ForecastSettings defaults() {
      return new ForecastSettings(true, 32, 4);
    }
  }
}
