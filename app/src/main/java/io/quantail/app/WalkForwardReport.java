package io.quantail.app;

import io.quantail.app.report.Curve;
import io.quantail.app.report.Setting;
import io.quantail.app.report.Spread;
import io.quantail.app.report.SpreadReport;
import io.quantail.checkpoint.Versions;
import io.quantail.config.RunConfig;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.data.Bars;
import io.quantail.market.desk.Comparison;
import io.quantail.market.walk.FoldOutcome;
import io.quantail.market.walk.FoldSpan;
import io.quantail.market.walk.WalkForwardResult;
import io.quantail.market.walk.WalkForwardResult.SeedResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A walk forward as one page. */
final class WalkForwardReport {
  private static final int TO_THE_MINUTE = "2024-01-31T23:59".length();

  private WalkForwardReport() {}

  /**
   * @param name of the directory
   */
  static String html(String name, RunConfig config, List<Bars> bars, WalkForwardResult result) {
    SeedResult median = result.medianSeed();
    double agent = median.totalReturn(Comparison.AGENT);
    return SpreadReport.html(
        name,
        WalkForwardTable.verdict(result),
        agent > 0 && agent > median.totalReturn(Comparison.BUY_AND_HOLD),
        spread(result),
        RunReport.settings(config),
        origin(config, bars));
  }

  static Spread spread(WalkForwardResult result) {
    return new Spread(
        result.seeds().stream().map(WalkForwardReport::name).toList(),
        result.folds().stream().map(fold -> fold(result, fold)).toList(),
        result.seeds().stream()
            .map(seed -> curve(name(seed), seed.symbols(), Comparison.AGENT))
            .toList(),
        curve("buy-and-hold", result.medianSeed().symbols(), Comparison.BUY_AND_HOLD));
  }

  private static String name(SeedResult seed) {
    return "seed " + seed.seed();
  }

  private static Spread.Fold fold(WalkForwardResult result, FoldSpan fold) {
    List<FoldOutcome> agents = result.of(fold);
    String[] span = fold.test().split("/");
    return new Spread.Fold(
        String.valueOf(fold.number()),
        minute(span[0]) + " to " + minute(span[1]),
        agents.stream().mapToDouble(one -> one.totalReturn(Comparison.AGENT)).toArray(),
        agents.get(0).totalReturn(Comparison.BUY_AND_HOLD));
  }

  private static String minute(String instant) {
    return instant.substring(0, TO_THE_MINUTE).replace('T', ' ');
  }

  /**
   * Money that is divided equally among the symbols at the start; a symbol that has no bar at some
   * time is worth what it was at its last one.
   */
  static Curve curve(String name, List<Comparison> symbols, String policy) {
    List<BacktestResult> accounts =
        symbols.stream()
            .flatMap(symbol -> symbol.entries().stream())
            .map(Comparison.Entry::result)
            .filter(account -> account.policy().equals(policy))
            .toList();
    long[] times =
        accounts.stream()
            .flatMapToLong(account -> Arrays.stream(account.series().times()))
            .sorted()
            .distinct()
            .toArray();
    double[] change = new double[times.length];
    for (BacktestResult account : accounts) {
      long[] own = account.series().times();
      int seen = 0;
      for (int i = 0; i < times.length; i++) {
        seen += seen < own.length && own[seen] == times[i] ? 1 : 0;
        double equity = seen == 0 ? account.initialEquity() : account.series().equity()[seen - 1];
        change[i] += (equity / account.initialEquity() - 1) / accounts.size();
      }
    }
    return new Curve(name, Arrays.stream(times).asDoubleStream().toArray(), change);
  }

  private static List<Setting> origin(RunConfig config, List<Bars> bars) {
    List<Setting> origin = new ArrayList<>();
    origin.add(new Setting("first seed", String.valueOf(config.seed()), false));
    for (Bars symbol : bars) {
      origin.add(
          new Setting("data fingerprint of " + symbol.symbol(), symbol.fingerprint(), false));
    }
    Versions.all().forEach((name, version) -> origin.add(new Setting(name, version, false)));
    return origin;
  }
}
