package io.quantail.app.report;

import io.quantail.config.RunConfig;
import io.quantail.market.evaluation.AccountVerdict.Skill;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.evaluation.MarketCalibration;
import io.quantail.market.evaluation.MarketEvaluationResult;
import io.quantail.market.ledger.TrialEvidence;
import io.quantail.market.performance.Performance;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.LimitResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** The report on an agent that was evaluated on a market. */
public final class MarketReport {
  private static final String SYMBOL = "symbol";

  private final RunFacts run;
  private final RunConfig config;
  private final MarketEvaluationResult market;
  private final @Nullable TrialEvidence evidence;
  private final Page page;

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
    verdict();
    limit();
    EvidenceSection.add(page, market, evidence);
    if (market.symbols().size() > 1) {
      symbolTable();
    }
    for (int i = 0; i < market.symbols().size(); i++) {
      symbol(i, market.symbols().get(i));
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
    boolean good = market.totalReturn() > 0 && market.verdict().account().skill() == Skill.SHOWN;
    Element header = page.header();
    header.appendElement("p").addClass("kicker").text("Quantail report · " + run.name());
    header
        .appendElement("h1")
        .addClass(good ? "good" : "bad")
        .text(VerdictText.headline(market.verdict(), market.part()));
    header.appendElement("p").addClass("under").text(subtitle());
    Element tiles = header.appendElement("div").addClass("tiles");
    if (market.limit() != null) {
      CvarLimitSection.tile(tiles, market.limit());
    }
    if (market.evidence().accounts().size() == 1) {
      tiles(tiles, market.evidence().accounts().get(0));
    }
  }

  private void verdict() {
    Element list = page.section("Verdict").appendElement("ul");
    VerdictText.sentences(market.verdict())
        .forEach(sentence -> list.appendElement("li").text(sentence));
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
            : "%d symbols, one account each".formatted(accounts.size());
    if (!passKind().equals(SYMBOL)) {
      what +=
          ", %d %ss one after the other"
              .formatted(market.symbols().size() / accounts.size(), passKind());
    }
    String period =
        "%s, %s bars from %s to %s UTC"
            .formatted(
                what,
                market.barsName(),
                NumberText.time(times[0]),
                NumberText.time(times[times.length - 1]));
    return period
        + ". One pass with the agent's most likely actions, net of fees, slippage and borrowing"
        + " costs; baselines pay the same costs."
        + RunSections.choice(run)
        + calibration();
  }

  private String calibration() {
    MarketCalibration calibration = market.provenance().calibration();
    return calibration == null ? "" : " Calibration " + calibration.text() + ".";
  }

  private static void tiles(Element tiles, BaselineComparison symbol) {
    Performance agent = symbol.agent().performance();
    Performance hold = PolicyStyles.hold(symbol).performance();
    tile(
        tiles,
        "return",
        NumberText.change(agent.totalReturn()),
        NumberText.change(hold.totalReturn()));
    if (agent.annualised()) {
      tile(
          tiles,
          "Sharpe ratio",
          NumberText.decimal(agent.sharpe()),
          NumberText.decimal(hold.sharpe()));
    }
    tile(
        tiles,
        "max drawdown",
        NumberText.share(agent.maxDrawdown()),
        NumberText.share(hold.maxDrawdown()));
    tile(tiles, "CVaR 5 % per bar", NumberText.small(agent.cvar()), NumberText.small(hold.cvar()));
    tile(tiles, "cost drag", NumberText.share(agent.costDrag()), NumberText.share(hold.costDrag()));
    tile(tiles, "trades", NumberText.count(agent.trades()), NumberText.count(hold.trades()));
  }

  private static void tile(Element tiles, String name, String agent, String hold) {
    Element tile = tiles.appendElement("div").addClass("tile");
    tile.appendElement("span").addClass("name").text(name);
    tile.appendElement("span").addClass("value").text(agent);
    tile.appendElement("span").addClass("beside").text("buy-and-hold " + hold);
  }

  /** What a pass is: a symbol, or a tested group or training range of a purged split. */
  private String passKind() {
    if (market.symbols().size() == market.evidence().accounts().size()) {
      return SYMBOL;
    }
    return market.part() == DataPart.TRAIN ? "training range" : "tested group";
  }

  private void symbolTable() {
    String kind = passKind();
    Element section = page.section(Character.toUpperCase(kind.charAt(0)) + kind.substring(1) + "s");
    section.addClass("symbols");
    HtmlTable table =
        new HtmlTable(
            section,
            List.of(
                kind,
                "agent",
                "buy-and-hold",
                "Sharpe ratio",
                "max drawdown",
                "cost drag",
                "trades"));
    for (int i = 0; i < market.symbols().size(); i++) {
      BaselineComparison symbol = market.symbols().get(i);
      Performance agent = symbol.agent().performance();
      Element row =
          table.row(
              "",
              List.of(
                  NumberText.change(agent.totalReturn()),
                  NumberText.change(PolicyStyles.hold(symbol).performance().totalReturn()),
                  NumberText.decimal(agent.sharpe()),
                  NumberText.share(agent.maxDrawdown()),
                  NumberText.share(agent.costDrag()),
                  NumberText.count(agent.trades())));
      Objects.requireNonNull(row.selectFirst("th"))
          .appendElement("a")
          .attr("href", "#symbol-" + i)
          .text(symbol.symbol());
    }
  }

  private void symbol(int index, BaselineComparison comparison) {
    Element part = page.part("symbol-" + index);
    if (market.symbols().size() > 1) {
      part.appendElement("h2").addClass("symbol").text(comparison.symbol());
    }
    new AccountSections(page, part, comparison, index).add();
    new CostSection(page, part, comparison).add();
    CalendarSection.add(part, comparison);
    if (!market.provenance().forecasts().isEmpty()) {
      new TailSection(
              page, part, comparison, market.provenance().forecasts().get(index), config.risk())
          .add();
    }
    market
        .nextBar(index)
        .ifPresent(forecast -> new ForecastSection(page, part, comparison, forecast, index).add());
    LimitSection.add(part, comparison);
    TradeSection.add(part, comparison);
  }
}
