package io.quantail.app.report;

import io.quantail.evidence.AlphaBeta;
import io.quantail.evidence.ConfidenceInterval;
import io.quantail.evidence.MeanDifference;
import io.quantail.evidence.SharpeDifference;
import io.quantail.market.SeenBars;
import io.quantail.market.evaluation.AccountVerdict;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.evaluation.MarketEvaluationResult;
import io.quantail.market.evaluation.Verdict;
import io.quantail.run.evaluation.DataPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A verdict in sentences, for console and reports. */
public final class VerdictText {
  private VerdictText() {}

  /**
   * One sentence: profit after costs, and whether skill is shown; on bars that the agent had learnt
   * from, that it proves nothing.
   */
  public static String headline(MarketEvaluationResult market) {
    SeenBars.Overlap seen = market.seen();
    return seen == null
        ? headline(market.verdict(), market.part())
        : "In sample the agent %s after costs, which proves nothing: it had learnt from %s."
            .formatted(result(market.verdict().account().totalReturn()), seen.text());
  }

  /** One sentence: profit after costs, and whether skill is shown. */
  public static String headline(Verdict verdict, DataPart part) {
    AccountVerdict account = verdict.account();
    return "%s the agent %s after costs; %s."
        .formatted(
            where(part),
            result(account.totalReturn()),
            switch (account.skill()) {
              case SHOWN -> "its timing was better than chance on these bars";
              case NOT_SHOWN -> "no evidence of skill";
              case NEGATIVE -> "its timing lost money";
              case UNDEFINED -> "these bars cannot show skill";
            });
  }

  /**
   * The sentences after the headline, in the order of the evidence. What the Sharpe ratio proves
   * follows them, because it depends on the ledger.
   */
  public static List<String> sentences(Verdict verdict) {
    AccountVerdict account = verdict.account();
    List<String> sentences = new ArrayList<>(List.of(timing(account), baselines(account)));
    addRatios(sentences, account);
    if (!verdict.symbols().isEmpty()) {
      sentences.add(symbols(verdict));
    }
    return sentences;
  }

  /** The sentences after the headline beside a table with the returns of baselines and symbols. */
  public static List<String> beside(Verdict verdict) {
    List<String> sentences = new ArrayList<>(List.of(timing(verdict.account())));
    addRatios(sentences, verdict.account());
    if (!verdict.symbols().isEmpty()) {
      sentences.add(
          "Each symbol by itself: "
              + verdict.symbols().stream()
                  .map(one -> one.symbol() + " " + found(one))
                  .collect(Collectors.joining(", "))
              + ".");
    }
    return sentences;
  }

  private static void addRatios(List<String> sentences, AccountVerdict account) {
    AlphaBeta market = account.market();
    if (market != null) {
      sentences.add(market(market, account.bars()));
    }
    SharpeDifference sharpe = account.sharpe();
    if (sharpe != null) {
      sentences.add(sharpe(sharpe));
    }
    for (String note : account.notes()) {
      sentences.add("Not defined: " + note + (note.endsWith("?") ? "" : "."));
    }
  }

  private static String where(DataPart part) {
    return switch (part) {
      case TRAIN -> "On the training bars";
      case VALIDATION -> "On the validation bars";
      case TEST -> "Out of sample";
      case DATA -> "On these bars";
    };
  }

  /** {@code lost 12.30 %}, {@code earned 3.10 %}. */
  static String result(double share) {
    String size = format("%.2f %%", 100 * Math.abs(share));
    boolean zero = size.chars().noneMatch(digit -> digit >= '1' && digit <= '9');
    return zero ? "earned nothing" : (share < 0 ? "lost " : "earned ") + size;
  }

  private static String timing(AccountVerdict account) {
    MeanDifference timing = account.timing();
    String held =
        format(
            "Held all the time, its mean weight of %.2f %s",
            account.meanWeight(),
            result(
                account.baselines().getOrDefault(BaselineComparison.EXPOSURE_MATCHED, Double.NaN)));
    if (timing == null) {
      return account.baselines().containsKey(BaselineComparison.EXPOSURE_MATCHED)
          ? held + "; these bars cannot show more."
          : "There is no comparison with its mean weight held all the time.";
    }
    return held
        + "; its timing is worth %s, %s: %s."
            .formatted(
                points(timing.difference() * account.bars()),
                interval(timing.interval(), account.bars()),
                switch (account.skill()) {
                  case SHOWN -> "timing is shown on these bars";
                  case NEGATIVE -> "its timing lost money";
                  default -> "no timing is shown";
                });
  }

  private static String baselines(AccountVerdict account) {
    return "Through the same account: "
        + account.baselines().entrySet().stream()
            .filter(one -> !one.getKey().equals(BaselineComparison.EXPOSURE_MATCHED))
            .filter(one -> !one.getKey().equals(BaselineComparison.RANDOM))
            .map(VerdictText::baseline)
            .collect(Collectors.joining(", "))
        + ".";
  }

  private static String baseline(Map.Entry<String, Double> baseline) {
    return BaselineComparison.title(baseline.getKey()) + " " + change(baseline.getValue());
  }

  private static String market(AlphaBeta market, int bars) {
    return "Against buy-and-hold alpha is %s on these bars, %s, and beta is %s, %s."
        .formatted(
            points(market.alpha() * bars),
            interval(market.alphaInterval(), bars),
            format("%.2f", market.beta()),
            format(
                "95 %% interval %.2f to %.2f",
                market.betaInterval().low(), market.betaInterval().high()));
  }

  private static String sharpe(SharpeDifference sharpe) {
    return format(
        "Its Sharpe ratio per bar minus that of the mean weight is %+.2g, 95 %% interval %+.2g to"
            + " %+.2g, p %.3f.",
        sharpe.difference(), sharpe.interval().low(), sharpe.interval().high(), sharpe.pValue());
  }

  private static String symbols(Verdict verdict) {
    return format(
            "The account is divided equally among %d symbols at the start; they have %,d closes"
                + " together, and a symbol without a bar keeps its value. Each by itself: ",
            verdict.symbols().size(), verdict.account().bars())
        + verdict.symbols().stream().map(VerdictText::symbol).collect(Collectors.joining("; "))
        + ".";
  }

  private static String symbol(AccountVerdict account) {
    return "%s %s, %s".formatted(account.symbol(), change(account.totalReturn()), found(account));
  }

  private static String found(AccountVerdict account) {
    return switch (account.skill()) {
      case SHOWN -> "timing shown";
      case NOT_SHOWN -> "no timing shown";
      case NEGATIVE -> "timing lost money";
      case UNDEFINED -> "not defined";
    };
  }

  private static String interval(ConfidenceInterval interval, int bars) {
    return "95 %% interval %s to %s"
        .formatted(points(interval.low() * bars), points(interval.high() * bars));
  }

  /** A sum of log-returns in percent. */
  private static String points(double logReturn) {
    return format("%+.2f %%", 100 * logReturn);
  }

  private static String change(double share) {
    return format(share == 0 ? "%.2f %%" : "%+.2f %%", 100 * share);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
