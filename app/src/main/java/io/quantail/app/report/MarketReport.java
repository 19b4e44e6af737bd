package io.quantail.app.report;

import io.quantail.config.RunConfig;
import io.quantail.market.evaluation.AccountVerdict.Skill;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.evaluation.MarketCalibration;
import io.quantail.market.evaluation.MarketEvaluationResult;
import io.quantail.market.forecast.TailForecast;
import io.quantail.market.ledger.TrialEvidence;
import io.quantail.market.performance.Performance;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.LimitResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** The report on an agent that was evaluated on a market. */
public final class MarketReport {
  private final RunFacts run;
  private final RunConfig config;
  private final MarketEvaluationResult market;
  private final @Nullable TrialEvidence evidence;
  private final Page page;
  private final TearSheet sheet;

  private MarketReport(
      RunFacts run,
      RunConfig config,
      MarketEvaluationResult market,
      @Nullable TrialEvidence evidence) {
    this.run = run;
    this.config = config;
    this.market = market;
    this.evidence = evidence;
    this.page = new Page(run.name());
    Long seed = market.provenance().seed();
    this.sheet =
        new TearSheet(
            page, config.risk(), seed == null ? run.seed() : seed, market.evidence().accounts());
  }

  /**
   * The whole page.
   *
   * @param evidence numbers of the ledger; null if it was not asked
   */
  public static String html(
      RunFacts run,
      RunConfig config,
      MarketEvaluationResult market,
      @Nullable TrialEvidence evidence) {
    return new MarketReport(run, config, market, evidence).build();
  }

  private String build() {
    header();
    sheet.add(nextBars());
    verdict();
    limit();
    EvidenceSection.add(page, market, evidence);
    if (isPurged()) {
      rangeTable();
    }
    for (int i = 0; i < market.symbols().size(); i++) {
      details(i, market.symbols().get(i));
    }
    RunSections.training(page, run, config.risk().limit());
    RunSections.notices(page, run.notices());
    RunSections.provenance(page, run, origin());
    return page.html();
  }

  private List<SettingRow> origin() {
    List<SettingRow> origin = new ArrayList<>();
    for (int i = 0; i < market.provenance().fingerprints().size(); i++) {
      String symbol = market.evidence().accounts().get(i).symbol();
      String fingerprint = market.provenance().fingerprints().get(i);
      origin.add(new SettingRow("data fingerprint of " + symbol, fingerprint, false));
    }
    Long seed = market.provenance().seed();
    if (seed != null) {
      origin.add(new SettingRow("evaluation seed", seed.toString(), false));
    }
    return origin;
  }

  private void header() {
    boolean good =
        market.seen() == null
            && market.totalReturn() > 0
            && market.verdict().account().skill() == Skill.SHOWN;
    Element header = page.header();
    header.appendElement("p").addClass("kicker").text("Quantail report · " + run.name());
    header.appendElement("h1").addClass(good ? "good" : "bad").text(VerdictText.headline(market));
    header.appendElement("p").addClass("under").text(subtitle());
    sheet.header(
        market.limit(), market.verdict().account(), evidence == null ? null : evidence.count());
  }

  private void verdict() {
    Element list = page.section("Verdict").appendElement("ul");
    VerdictText.sentences(market.verdict())
        .forEach(sentence -> list.appendElement("li").text(sentence));
    MarketCalibration calibration = market.provenance().calibration();
    if (calibration != null) {
      list.appendElement("li").text("Calibration %s.".formatted(calibration.text()));
    }
  }

  private void limit() {
    LimitResult limit = market.limit();
    if (limit != null) {
      List<String> more = new ArrayList<>();
      ForecastText.sentence(market.forecastResults()).ifPresent(more::add);
      more.addAll(run.costSentences());
      CvarLimitSection.market(page, CvarLimitSection.add(page, limit, more), config.risk(), market);
    }
  }

  private String subtitle() {
    List<BaselineComparison> accounts = market.evidence().accounts();
    long[] times = accounts.get(0).agent().result().series().times();
    String what =
        accounts.size() == 1
            ? accounts.get(0).symbol()
            : String.format(
                Locale.ROOT,
                "%d symbols, one account divided equally at the start",
                accounts.size());
    if (isPurged()) {
      what += String.format(Locale.ROOT, ", %d %ss one after the other", ranges(), rangeKind());
    }
    String period =
        "%s, %s bars from %s to %s UTC"
            .formatted(
                what,
                market.barsName(),
                NumberText.time(times[0]),
                NumberText.time(times[times.length - 1]));
    return period
        + ". One pass with the agent's most likely actions; agent and baselines pay all costs."
        + RunSections.choice(run);
  }

  /** Whether the passes are ranges of a purged split, several of each symbol. */
  private boolean isPurged() {
    return market.symbols().size() != market.evidence().accounts().size();
  }

  /** Forecasts of the next bar in each account; empty if there are none. */
  private List<TailForecast> nextBars() {
    List<TailForecast> passes = market.tails();
    List<TailForecast> accounts = new ArrayList<>();
    for (int first = 0; first < passes.size(); first += ranges()) {
      accounts.add(TailForecast.chained(passes.subList(first, first + ranges())));
    }
    return accounts;
  }

  /** Number of passes over each symbol. */
  private int ranges() {
    return market.symbols().size() / market.evidence().accounts().size();
  }

  private String rangeKind() {
    return market.part() == DataPart.TRAIN ? "training range" : "tested group";
  }

  private void rangeTable() {
    String kind = rangeKind();
    Element section = page.section(Character.toUpperCase(kind.charAt(0)) + kind.substring(1) + "s");
    List<String> head =
        List.of(kind, "agent", "buy-and-hold", "max drawdown", "cost drag", "fills");
    HtmlTable table = new HtmlTable(section, head);
    for (BaselineComparison range : market.symbols()) {
      Performance agent = range.agent().performance();
      table.row(
          range.symbol(),
          List.of(
              NumberText.change(agent.totalReturn()),
              NumberText.change(PolicyStyles.hold(range).performance().totalReturn()),
              NumberText.share(agent.maxDrawdown()),
              NumberText.share(agent.costDrag()),
              NumberText.count(agent.trades())));
    }
  }

  private void details(int index, BaselineComparison comparison) {
    Element part = sheet.details(index / ranges());
    if (isPurged()) {
      part.appendElement("h2").text(comparison.symbol());
    }
    if (!market.provenance().forecasts().isEmpty()) {
      new TailSection(
              page, part, comparison, market.provenance().forecasts().get(index), config.risk())
          .add();
    }
    market.nextBar(index).ifPresent(forecast -> ForecastSection.add(part, forecast));
    LimitSection.add(part, comparison);
    TradeSection.add(part, comparison);
  }
}
