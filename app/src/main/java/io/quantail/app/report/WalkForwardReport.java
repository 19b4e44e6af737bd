package io.quantail.app.report;

import io.quantail.config.RunConfig;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.data.Bars;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.ledger.StudyEvidence;
import io.quantail.market.walkforward.FoldResult;
import io.quantail.market.walkforward.WalkForwardFold;
import io.quantail.market.walkforward.WalkForwardResult;
import io.quantail.market.walkforward.WalkForwardResult.SeedResult;
import io.quantail.run.Versions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** The report on agents of several folds and seeds. */
public final class WalkForwardReport {
  private static final int TO_THE_MINUTE = "2024-01-31T23:59".length();

  private WalkForwardReport() {}

  /**
   * The whole page.
   *
   * @param name of the directory
   * @param bars of each symbol
   * @param evidence of all seeds; null if there is none
   */
  public static String html(
      String name,
      RunConfig config,
      List<Bars> bars,
      WalkForwardResult result,
      @Nullable StudyEvidence evidence) {
    SeedResult median = result.medianSeed();
    double agent = median.totalReturn(BaselineComparison.AGENT);
    boolean good = agent > 0 && agent > median.totalReturn(BaselineComparison.BUY_AND_HOLD);
    Page page = page(name, result.verdict(), good, spread(result));
    EvidenceSection.add(page, evidence);
    RunSections.settings(page.section("Provenance"), origin(config, bars), SettingRow.of(config));
    return page.html();
  }

  /** A page with the results and without settings. */
  static Page page(String name, String verdict, boolean good, SpreadData spread) {
    Page page = new Page(name);
    Element header = page.header();
    header.appendElement("p").addClass("kicker").text("Quantail walk-forward report · " + name);
    header.appendElement("h1").addClass(good ? "good" : "bad").text(verdict);
    SpreadSection.add(page, page.part("spread"), spread);
    return page;
  }

  static SpreadData spread(WalkForwardResult result) {
    return new SpreadData(
        result.seeds().stream().map(WalkForwardReport::name).toList(),
        result.folds().stream().map(fold -> fold(result, fold)).toList(),
        result.seeds().stream()
            .map(seed -> curve(name(seed), seed.symbols(), BaselineComparison.AGENT))
            .toList(),
        curve("buy-and-hold", result.medianSeed().symbols(), BaselineComparison.BUY_AND_HOLD));
  }

  private static String name(SeedResult seed) {
    return "seed " + seed.seed();
  }

  private static SpreadData.Fold fold(WalkForwardResult result, WalkForwardFold fold) {
    List<FoldResult> agents = result.of(fold);
    String[] span = fold.test().split("/");
    return new SpreadData.Fold(
        String.valueOf(fold.number()),
        minute(span[0]) + " to " + minute(span[1]),
        agents.stream().mapToDouble(one -> one.totalReturn(BaselineComparison.AGENT)).toArray(),
        agents.get(0).totalReturn(BaselineComparison.BUY_AND_HOLD));
  }

  private static String minute(String instant) {
    return instant.substring(0, TO_THE_MINUTE).replace('T', ' ');
  }

  /**
   * The account of a policy that is divided equally among the symbols at the start; a symbol
   * without a bar at some time keeps its last value.
   */
  static Curve curve(String name, List<BaselineComparison> symbols, String policy) {
    List<BacktestResult> accounts =
        symbols.stream()
            .flatMap(symbol -> symbol.entries().stream())
            .map(BaselineComparison.Entry::result)
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

  private static List<SettingRow> origin(RunConfig config, List<Bars> bars) {
    List<SettingRow> origin = new ArrayList<>();
    origin.add(new SettingRow("first seed", String.valueOf(config.seed()), false));
    for (Bars symbol : bars) {
      origin.add(
          new SettingRow("data fingerprint of " + symbol.symbol(), symbol.fingerprint(), false));
    }
    Versions.all().forEach((name, version) -> origin.add(new SettingRow(name, version, false)));
    return origin;
  }
}
