package io.quantail.market.audit;

import io.quantail.audit.AuditOutcome;
import io.quantail.env.Step;
import io.quantail.market.Market;
import io.quantail.market.backtest.AgentTradingPolicy;
import io.quantail.market.data.Bars;
import io.quantail.market.feature.FeatureSpec;
import io.quantail.market.feature.FeatureTable;
import io.quantail.market.feature.LookAheadCheck;
import io.quantail.market.split.BarRange;
import io.quantail.market.split.BarSplit;
import io.quantail.market.split.SplitPart;
import io.quantail.market.trading.Instrument;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.market.trading.TrainingRange;
import io.quantail.model.ActingModel;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Look-ahead bias in features, decisions and feature scaling. */
final class LookAheadChecks {
  private static final int TRIALS = 8;

  private LookAheadChecks() {}

  static AuditOutcome features(Market market) {
    FeatureSpec spec = market.config().features().spec();
    Bars bars = MarketAuditProvider.firstBars(market);
    List<LookAheadCheck.Leak> leaks =
        LookAheadCheck.find(
            bars,
            some -> table(some, spec),
            Math.min(spec.warmupBars(), bars.size() / 2),
            TRIALS,
            1);
    List<String> names =
        leaks.stream().map(leak -> spec.written().get(leak.column())).distinct().toList();
    return AuditOutcome.of(
        leaks.isEmpty(),
        String.format(Locale.ROOT, "%d leaks in %d features", leaks.size(), spec.features().size()),
        "0",
        leaks.isEmpty() ? "" : "%s; first: %s".formatted(names, leaks.get(0)));
  }

  private static double[][] table(Bars bars, FeatureSpec spec) {
    FeatureTable table = FeatureTable.of(bars, spec);
    double[][] rows = new double[bars.size()][spec.features().size()];
    for (int t = 0; t < rows.length; t++) {
      for (int feature = 0; feature < rows[t].length; feature++) {
        rows[t][feature] = table.value(feature, t);
      }
    }
    return rows;
  }

  static AuditOutcome decisions(Market market, ActingModel agent) {
    Bars bars = MarketAuditProvider.firstBars(market);
    int first = Math.min(MarketAuditProvider.warmup(market) + 20, bars.size() - 20);
    List<LookAheadCheck.Leak> leaks =
        LookAheadCheck.find(bars, some -> decided(market, agent, some), first, 3, 2);
    return AuditOutcome.of(
        leaks.isEmpty(),
        leaks.size() + " leaks",
        "0",
        leaks.isEmpty() ? "" : leaks.get(0).toString());
  }

  /** The observation and the target weight at each bar. */
  private static double[][] decided(Market market, ActingModel agent, Bars bars) {
    Market alone = MarketAuditProvider.seenAlone(market, bars);
    Instrument instrument = alone.instruments().get(0);
    TradingEnvironment account =
        TradingEnvironment.replay(instrument, alone.rules(), new BarRange(0, bars.size()));
    AgentTradingPolicy policy = new AgentTradingPolicy(agent);
    double[][] rows = new double[bars.size()][];
    float[] observation = account.reset(RandomStream.of(0, "audit", 0));
    while (account.bar() < bars.size() - 1) {
      int bar = account.bar();
      double[] seen = row(observation);
      Step step = account.trade(policy.weight(account, observation));
      rows[bar] = with(seen, account.target());
      observation = step.observation();
      if (step.isTerminated()) {
        return rows;
      }
    }
    double[] seen = row(observation);
    rows[account.bar()] = with(seen, account.decide(policy.act(observation)));
    return rows;
  }

  private static double[] row(float[] observation) {
    double[] row = new double[observation.length + 1];
    for (int i = 0; i < observation.length; i++) {
      row[i] = observation[i];
    }
    return row;
  }

  private static double[] with(double[] row, double target) {
    row[row.length - 1] = target;
    return row;
  }

  static AuditOutcome scale(Market market) {
    Market other = market.folds().get(0).purged() ? changedOutsideTraining(market) : cut(market);
    boolean same =
        other.scaler().equals(market.scaler())
            && other.volatility().equals(market.volatility())
            && sameTraining(market.training(), other.training());
    return AuditOutcome.of(
        same,
        same ? "equal" : "different",
        "equal",
        same
            ? ""
            : "bars that are not for training influence what training observes, or the scale of"
                + " features or risk units");
  }

  /** The market without the bars after training. */
  private static Market cut(Market market) {
    List<Bars> cut = new ArrayList<>();
    List<BarSplit> folds = new ArrayList<>();
    BarRange none = new BarRange(0, 0);
    for (int symbol = 0; symbol < market.bars().size(); symbol++) {
      if (market.folds().get(symbol).training().isEmpty()) {
        continue; // it joins later
      }
      BarRange train = market.folds().get(symbol).range(SplitPart.TRAIN);
      cut.add(market.bars().get(symbol).slice(0, train.to()));
      folds.add(new BarSplit(train, none, none));
    }
    return Market.withFolds(market.config(), market.risk(), cut, folds);
  }

  /** The market with other prices in all tested, purged and embargoed bars. */
  private static Market changedOutsideTraining(Market market) {
    List<Bars> changed = new ArrayList<>();
    for (int symbol = 0; symbol < market.bars().size(); symbol++) {
      List<BarRange> training = market.folds().get(symbol).training();
      changed.add(
          LookAheadCheck.changed(
              market.bars().get(symbol),
              t -> training.stream().noneMatch(range -> range.contains(t)),
              RandomStream.of(4, "audit", symbol)));
    }
    return Market.withFolds(market.config(), market.risk(), changed, market.folds());
  }

  private static boolean sameTraining(List<TrainingRange> one, List<TrainingRange> other) {
    return IntStream.range(0, one.size()).allMatch(i -> sameObservations(one.get(i), other.get(i)));
  }

  private static boolean sameObservations(TrainingRange one, TrainingRange other) {
    float[] row = new float[one.instrument().features().width()];
    float[] twin = row.clone();
    for (int t = one.range().from(); t < one.range().to(); t++) {
      one.instrument().features().copyRow(t, row);
      other.instrument().features().copyRow(t, twin);
      if (!Arrays.equals(row, twin)
          || Double.compare(one.instrument().volatility()[t], other.instrument().volatility()[t])
              != 0) {
        return false;
      }
    }
    return one.range().equals(other.range());
  }
}
