package io.quantail.app.report;

import io.quantail.config.RunConfig;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.data.Bars;
import io.quantail.market.evaluation.AccountVerdict.Skill;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.ledger.StudyEvidence;
import io.quantail.market.performance.AccountCurve;
import io.quantail.market.walkforward.FoldResult;
import io.quantail.market.walkforward.WalkForwardFold;
import io.quantail.market.walkforward.WalkForwardResult;
import io.quantail.market.walkforward.WalkForwardResult.SeedResult;
import io.quantail.run.Versions;
import io.quantail.run.evaluation.LimitPart;
import io.quantail.run.evaluation.LimitResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
   * @param evidence verdict and limit of the chained account
   * @param trials luck among all seeds; null if it is not known
   */
  public static String html(
      String name,
      RunConfig config,
      List<Bars> bars,
      WalkForwardResult result,
      WalkForwardEvidence evidence,
      @Nullable StudyEvidence trials) {
    boolean good =
        result.medianSeed().totalReturn(BaselineComparison.AGENT) > 0
            && evidence.verdict().account().skill() == Skill.SHOWN;
    Page page = page(name, evidence.headline(), good, spread(result));
    SeedResult median = result.medianSeed();
    TearSheet sheet = new TearSheet(page, config.risk(), median.seed(), median.symbols());
    sheet.header(
        evidence.limits().get(median.seed()),
        evidence.verdict().account(),
        trials == null ? null : trials.ledger().count());
    sheet.add(median.nextBars());
    verdict(page, result, evidence);
    EvidenceSection.add(page, trials);
    limit(page, result, evidence);
    RunSections.settings(page.section("Provenance"), origin(config, bars), SettingRow.of(config));
    return page.html();
  }

  /** A page with the results and without settings. */
  static Page page(String name, String verdict, boolean good, SpreadData spread) {
    Page page = new Page(name);
    Element header = page.header();
    header.appendElement("p").addClass("kicker").text("Quantail walk-forward report · " + name);
    header.appendElement("h1").addClass(good ? "good" : "bad").text(verdict);
    SpreadSection.add(page, spread);
    return page;
  }

  private static void verdict(Page page, WalkForwardResult result, WalkForwardEvidence evidence) {
    Element list = page.section("Verdict").appendElement("ul");
    list.appendElement("li").text(WalkForwardEvidence.seeds(result));
    VerdictText.sentences(evidence.verdict())
        .forEach(sentence -> list.appendElement("li").text(sentence));
  }

  private static void limit(Page page, WalkForwardResult result, WalkForwardEvidence evidence) {
    LimitResult chained = evidence.limits().get(result.medianSeed().seed());
    if (chained == null) {
      return;
    }
    Element section =
        CvarLimitSection.add(
            page, chained, ForecastText.sentence(evidence.forecasts()).stream().toList());
    section
        .appendElement("p")
        .text("The sentences and the first table are those of the median seed's chained account.");
    CvarLimitSection.cost(section, "fold", evidence.cost());
    section.appendElement("h3").text("Every seed and fold");
    HtmlTable table =
        new HtmlTable(section, List.of("chained account", "status", "CVaR [95 % interval]"));
    evidence.limits().forEach((seed, limit) -> add(table, "seed " + seed, limit.judged(), limit));
    HtmlTable folds =
        new HtmlTable(section, List.of("fold, seed, part", "status", "CVaR [95 % interval]"));
    evidence
        .folds()
        .forEach(
            (agent, limit) ->
                limit
                    .parts()
                    .forEach(
                        part ->
                            add(
                                folds,
                                String.format(
                                    Locale.ROOT,
                                    "fold %d, seed %d, %s",
                                    agent.fold(),
                                    agent.seed(),
                                    part.part()),
                                part,
                                limit)));
  }

  private static void add(HtmlTable table, String name, LimitPart part, LimitResult limit) {
    table.row(
        name,
        List.of(part.estimate().status().id(), CvarLimitSection.cell(limit, part.estimate())));
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

  /** The account of a policy that is divided equally among the symbols at the start. */
  static Curve curve(String name, List<BaselineComparison> symbols, String policy) {
    return combined(name, BaselineComparison.results(symbols, policy));
  }

  /** The account of passes, one for each symbol, from the first decision on. */
  static Curve combined(String name, List<BacktestResult> passes) {
    AccountCurve account = SheetAccount.combined(passes);
    return new Curve(
        name, Arrays.stream(account.times()).asDoubleStream().toArray(), account.changes());
  }

  static List<SettingRow> origin(RunConfig config, List<Bars> bars) {
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
