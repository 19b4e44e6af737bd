package io.quantail.app.report;

import io.quantail.evidence.LimitVerdict;
import io.quantail.run.evaluation.LimitEstimate;
import io.quantail.run.evaluation.LimitPart;
import io.quantail.run.evaluation.LimitResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The limit of a run in sentences, for console and reports. */
public final class LimitText {
  private static final String EPISODES = "evaluation";

  private LimitText() {}

  /** All sentences: status, worst year and window, the other parts, symbols, advice. */
  public static List<String> sentences(LimitResult limit) {
    List<String> sentences = new ArrayList<>();
    sentences.add(status(limit));
    addIfAny(sentences, worst(limit.judged()));
    addIfAny(sentences, bar(limit));
    addIfAny(sentences, others(limit));
    addIfAny(sentences, symbols(limit.judged()));
    addIfAny(sentences, advice(limit));
    return sentences;
  }

  private static void addIfAny(List<String> sentences, String sentence) {
    if (!sentence.isEmpty()) {
      sentences.add(sentence);
    }
  }

  /** The first sentence: whether the limit was kept, with CVaR, interval and limit. */
  public static String status(LimitResult limit) {
    LimitEstimate estimate = limit.judged().estimate();
    String where = where(limit.part());
    String measured =
        estimate.measured() == null
            ? "it has no CVaR"
            : String.format(
                Locale.ROOT,
                "the CVaR, the mean of the worst %s of %,d %s, is %s%s",
                share(limit.alpha()),
                estimate.samples(),
                estimate.unit(),
                value(limit, estimate.measured()),
                interval(limit, estimate));
    String bound = "the limit is " + value(limit, limit.limit());
    return limit.status() == LimitVerdict.Verdict.UNDECIDED
        ? "It is undecided whether the limit was kept %s: %s, and %s; %s."
            .formatted(where, measured, bound, estimate.reason())
        : "The limit was %s %s: %s, and %s.".formatted(limit.status().id(), where, measured, bound);
  }

  private static String where(String part) {
    return switch (part) {
      case EPISODES -> "in the evaluation";
      case "train" -> "on the training bars";
      case "data" -> "on the given bars";
      default -> "on the " + part + " bars";
    };
  }

  private static String interval(LimitResult limit, LimitEstimate estimate) {
    return estimate.low() == null || estimate.high() == null
        ? ""
        : " (95 %% interval %s to %s)"
            .formatted(value(limit, estimate.low()), value(limit, estimate.high()));
  }

  private static String worst(LimitPart part) {
    List<String> found = new ArrayList<>();
    LimitPart.WorstYear year = part.worstYear();
    if (year != null) {
      found.add(
          String.format(
              Locale.ROOT,
              "in the worst year, %d, it was %s%s",
              year.year(),
              percent(year.cvar()),
              times(year.multiple())));
    }
    LimitPart.WorstWindow window = part.worstWindow();
    if (window != null) {
      found.add(
          String.format(
              Locale.ROOT,
              "in the worst %d bars %s%s",
              window.bars(),
              percent(window.cvar()),
              times(window.multiple())));
    }
    if (found.isEmpty()) {
      return "";
    }
    String text = String.join(", ", found);
    return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
  }

  private static String times(@Nullable Double multiple) {
    return multiple == null ? "" : format(" (%.1f × the limit)", multiple + 0.0); // no -0.0
  }

  private static String bar(LimitResult limit) {
    LimitEstimate bar = limit.judged().bar();
    return bar == null || bar.measured() == null
        ? ""
        : "Of single bars the CVaR is %s%s; measured by bars the limit is %s."
            .formatted(
                value(limit, bar.measured()),
                interval(limit, bar),
                bar.status() == LimitVerdict.Verdict.UNDECIDED ? "undecided" : bar.status().id());
  }

  private static String others(LimitResult limit) {
    String parts =
        limit.parts().subList(0, limit.parts().size() - 1).stream()
            .map(
                part ->
                    "%s %s: %s"
                        .formatted(
                            where(part.part()),
                            part.estimate().measured() == null
                                ? "there is no CVaR"
                                : "it was " + value(limit, part.estimate().measured()),
                            part.estimate().status().id()))
            .collect(Collectors.joining(", "));
    return parts.isEmpty() ? "" : "O" + parts.substring(1) + ".";
  }

  private static String symbols(LimitPart part) {
    return part.symbols().isEmpty()
        ? ""
        : "These are numbers of the combined account; each symbol by itself: "
            + part.symbols().entrySet().stream()
                .map(one -> one.getKey() + " " + one.getValue().status().id())
                .collect(Collectors.joining(", "))
            + ".";
  }

  private static String advice(LimitResult limit) {
    if (limit.mode().equals("off")) {
      return "Training did not enforce the limit, because risk.mode is off.";
    }
    if (limit.status() != LimitVerdict.Verdict.BROKEN || limit.part().equals(EPISODES)) {
      return "";
    }
    boolean inTraining =
        limit.parts().stream()
            .filter(part -> part.part().equals("train"))
            .anyMatch(part -> part.estimate().status() == LimitVerdict.Verdict.BROKEN);
    return inTraining
        ? "Training has not reached the limit: train longer, or choose one that can be reached."
        : "A tighter risk.limit, or market.action.unit=risk, leaves more room out of sample.";
  }

  /** A CVaR or a limit: a percentage of the account, or a number in units of the reward. */
  public static String value(LimitResult limit, double value) {
    return limit.part().equals(EPISODES) ? format("%.4g", value) : percent(value);
  }

  /** A part's CVaR with its interval, for tables. */
  public static String cell(LimitResult limit, LimitEstimate estimate) {
    return estimate.measured() == null
        ? "not defined"
        : value(limit, estimate.measured())
            + (estimate.low() == null || estimate.high() == null
                ? ""
                : " [%s, %s]"
                    .formatted(value(limit, estimate.low()), value(limit, estimate.high())));
  }

  static String percent(double share) {
    return format("%.3f %%", 100 * share);
  }

  /** A fraction in percent without superfluous digits, such as {@code 5 %}. */
  public static String share(double alpha) {
    return format("%.2f", 100 * alpha).replaceFirst("\\.?0+$", "") + " %";
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
