package io.quantail.app.report;

import io.quantail.market.evaluation.AccountVerdict;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.evaluation.MarketEvaluationResult;
import io.quantail.market.performance.DrawdownYear;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.LimitEstimate;
import io.quantail.run.evaluation.LimitResult;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What was promised, what was kept and whether it was skill, in the few words that end a command
 * and head a report.
 */
public final class KeptText {
  private KeptText() {}

  /**
   * One line of at most 80 columns: limit, measured CVaR with its interval, and the drawdown in the
   * year in which the market fell deepest, beside that of the agent's mean weight.
   */
  public static String line(MarketEvaluationResult market) {
    LimitResult limit = market.limit();
    DrawdownYear year = market.verdict().account().drawdownYear();
    String kept = limit == null ? "No limit" : kept(limit);
    return year == null ? kept + "." : kept + "; " + fell(year);
  }

  private static String kept(LimitResult limit) {
    LimitEstimate judged = limit.judged().estimate();
    Double measured = judged.measured();
    return "Limit %s %s: CVaR %s"
        .formatted(
            percent(limit.limit()),
            limit.status().id(),
            measured == null
                ? "not defined"
                : percent(measured) + interval(judged.low(), judged.high()));
  }

  private static String interval(@Nullable Double low, @Nullable Double high) {
    return low == null || high == null ? "" : format(" [%.2f, %.2f]", 100 * low, 100 * high);
  }

  /** The drawdowns of a year: {@code fell 4.2 % in 2008, held 9.1 %}. */
  static String fell(DrawdownYear year) {
    Double meanWeight = year.meanWeight();
    return String.format(
        Locale.ROOT,
        "fell %s in %d, %s",
        depth(year.agent()),
        year.year(),
        meanWeight == null
            ? "buy-and-hold " + depth(year.buyAndHold())
            : "held " + depth(meanWeight));
  }

  /** A drawdown with two digits. */
  static String depth(double drawdown) {
    double percent = 100 * drawdown;
    return format(percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
  }

  /** Whether skill is shown, with the return that holding the mean weight would have had. */
  public static String skill(MarketEvaluationResult market) {
    AccountVerdict account = market.verdict().account();
    boolean learnt = market.part() == DataPart.TRAIN || market.seen() != null;
    String result = VerdictText.result(account.totalReturn());
    Double held = account.baselines().get(BaselineComparison.EXPOSURE_MATCHED);
    return "%s: %s after costs%s."
        .formatted(
            learnt ? "In sample, which proves no skill" : found(account),
            result,
            held == null
                ? ""
                : format(
                    "; its mean weight of %.2f, held all the time, %s",
                    account.meanWeight(), VerdictText.result(held)));
  }

  private static String found(AccountVerdict account) {
    return switch (account.skill()) {
      case SHOWN -> "Skill shown on these bars";
      case NOT_SHOWN -> "Skill not shown";
      case NEGATIVE -> "No skill, its timing lost money";
      case UNDEFINED -> "Skill not defined on these bars";
    };
  }

  private static String percent(double share) {
    return format("%.2f %%", 100 * share);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
