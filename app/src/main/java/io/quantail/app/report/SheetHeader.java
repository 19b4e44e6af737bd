package io.quantail.app.report;

import io.quantail.config.RiskConfig;
import io.quantail.evidence.MeanDifference;
import io.quantail.market.evaluation.AccountVerdict;
import io.quantail.market.performance.AccountCurve;
import io.quantail.market.performance.DrawdownYear;
import io.quantail.risk.EmpiricalCvar;
import io.quantail.run.evaluation.LimitEstimate;
import io.quantail.run.evaluation.LimitResult;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** Top of a page: what was promised, what was kept, whether it was skill, and four numbers. */
final class SheetHeader {
  private final Element header;
  private final SheetAccount account;

  private SheetHeader(Element header, SheetAccount account) {
    this.header = header;
    this.account = account;
  }

  /**
   * What is known about an account.
   *
   * @param limit of the account; null if the run has none
   * @param verdict on the account; null if there is none
   * @param year in which the market fell deepest; null if buy-and-hold was not traded
   * @param count how often the bars were evaluated, in words; null if the ledger was not asked
   */
  record Facts(
      @Nullable LimitResult limit,
      @Nullable AccountVerdict verdict,
      @Nullable DrawdownYear year,
      @Nullable String count) {}

  /** Adds the summary. */
  static void add(Element header, SheetAccount account, RiskConfig risk, Facts facts) {
    SheetHeader summary = new SheetHeader(header, account);
    LimitResult limit = facts.limit();
    summary.promise(limit, facts.verdict());
    KeptPicture.add(header, account, risk, limit, facts.year());
    Element tiles = header.appendElement("div").addClass("tiles");
    summary.earned(tiles);
    summary.cvar(tiles, risk, limit);
    summary.drawdown(tiles);
    summary.sharpe(tiles, facts.count());
  }

  private void promise(@Nullable LimitResult limit, @Nullable AccountVerdict verdict) {
    Element list = header.appendElement("dl").addClass("promise");
    if (limit != null) {
      LimitEstimate judged = limit.judged().estimate();
      fact(
          list,
          "Promised",
          "CVaR %s of %s not below %s"
              .formatted(
                  LimitText.share(limit.alpha()), judged.unit(), NumberText.small(limit.limit())));
      fact(list, "Measured", "%s: %s".formatted(limit.status().id(), measured(judged)));
    } else {
      fact(list, "Promised", "nothing: the run has no limit");
    }
    if (verdict != null) {
      fact(list, "Skill", skill(verdict));
    }
  }

  private static String measured(LimitEstimate judged) {
    Double measured = judged.measured();
    if (measured == null) {
      return "not defined";
    }
    Double low = judged.low();
    Double high = judged.high();
    return NumberText.small(measured)
        + (low == null || high == null
            ? ""
            : " [%s, %s]".formatted(NumberText.small(low), NumberText.small(high)));
  }

  private static String skill(AccountVerdict verdict) {
    MeanDifference timing = verdict.timing();
    String found =
        switch (verdict.skill()) {
          case SHOWN -> "shown on these bars";
          case NOT_SHOWN -> "not shown";
          case NEGATIVE -> "none: timing lost money";
          case UNDEFINED -> "not defined on these bars";
        };
    return timing == null
        ? found
        : "%s: timing %s [%s, %s]"
            .formatted(
                found,
                NumberText.change(timing.difference() * verdict.bars()),
                NumberText.change(timing.interval().low() * verdict.bars()),
                NumberText.change(timing.interval().high() * verdict.bars()));
  }

  private static void fact(Element list, String name, String text) {
    Element fact = list.appendElement("div");
    fact.appendElement("dt").text(name);
    fact.appendElement("dd").text(text);
  }

  private void earned(Element tiles) {
    AccountCurve meanWeight = account.meanWeight();
    tile(
        tiles,
        "return after costs",
        NumberText.change(account.agent().totalReturn()),
        (meanWeight == null
                ? ""
                : "same mean weight %s, ".formatted(NumberText.change(meanWeight.totalReturn())))
            + "buy-and-hold %s".formatted(NumberText.change(account.hold().totalReturn())));
  }

  private void cvar(Element tiles, RiskConfig risk, @Nullable LimitResult limit) {
    String name = "CVaR %s of ".formatted(LimitText.share(risk.alpha()));
    if (limit == null) {
      double cvar = EmpiricalCvar.empirical(account.agent().logReturns(), risk.alpha(), 0).cvar();
      tile(tiles, name + "bars", NumberText.small(cvar), "no limit");
      return;
    }
    LimitEstimate judged = limit.judged().estimate();
    Double measured = judged.measured();
    tile(
        tiles,
        name + judged.unit(),
        measured == null ? "not defined" : NumberText.small(measured),
        "limit %s: %s".formatted(NumberText.small(limit.limit()), limit.status().id()));
  }

  private void drawdown(Element tiles) {
    AccountCurve meanWeight = account.meanWeight();
    AccountCurve other = meanWeight == null ? account.hold() : meanWeight;
    tile(
        tiles,
        "max drawdown",
        NumberText.share(account.agent().maxDrawdown()),
        "%s %s"
            .formatted(
                meanWeight == null ? "buy-and-hold" : "same mean weight",
                NumberText.share(other.maxDrawdown())));
  }

  private void sharpe(Element tiles, @Nullable String count) {
    AccountCurve agent = account.agent();
    tile(
            tiles,
            agent.annualised() ? "Sharpe ratio" : "Sharpe ratio per bar",
            agent.annualised()
                ? NumberText.decimal(agent.sharpe())
                : NumberText.general(agent.sharpe()),
            count == null ? "evaluations not counted" : count)
        .addClass("ledger");
  }

  private static Element tile(Element tiles, String name, String value, String beside) {
    Element tile = tiles.appendElement("div").addClass("tile");
    tile.appendElement("span").addClass("name").text(name);
    tile.appendElement("span").addClass("value").text(value);
    tile.appendElement("span").addClass("beside").text(beside);
    return tile;
  }
}
