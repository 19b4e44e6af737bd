package io.quantail.app.console;

import io.quantail.app.report.LimitCost;
import io.quantail.config.RunConfig;
import io.quantail.run.RunLayout;
import io.quantail.run.RunResult;
import io.quantail.run.health.AlertSummary;
import io.quantail.run.health.Severity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Text summary printed when training ends. */
public final class TrainingSummary {
  private static final int LONGEST_CURVE = 60;

  private static final String MORE = " ".repeat(14);

  private TrainingSummary() {}

  static String of(
      RunConfig config, RunResult result, List<Double> curve, @Nullable LimitCost cost) {
    StringBuilder text = new StringBuilder();
    text.append(System.lineSeparator())
        .append(
            WrappedText.of(
                format(
                    "%s, seed %d: %,d steps in %.1f s (%,.0f steps/s)",
                    config.environment().name(),
                    config.seed(),
                    result.steps(),
                    result.seconds(),
                    result.stepsPerSecond()),
                "",
                "  "))
        .append(System.lineSeparator());
    if (!curve.isEmpty()) {
      text.append(learning(curve));
    }
    text.append(TrainedAgentText.lines(result.agent()));
    text.append(EvaluationText.line(Objects.requireNonNull(result.evaluation())));
    text.append(alerts(result.alerts()));
    text.append(WrappedText.entry("run", result.run()));
    text.append(WrappedText.command("look closer", "tensorboard --logdir " + result.run()));
    text.append(EvaluationText.details(Objects.requireNonNull(result.evaluation())));
    text.append(LedgerText.of(Path.of(result.run()), Objects.requireNonNull(result.evaluation())));
    if (cost != null) {
      text.append(format("%n%s", WrappedText.paragraphs("What the limit cost", cost.sentences())));
    }
    text.append(EvaluationText.closing(Objects.requireNonNull(result.evaluation())));
    text.append(report(Objects.requireNonNull(result.report())));
    return text.toString();
  }

  private static String learning(List<Double> curve) {
    String label = WrappedText.label("learning");
    String ends = format("  %s → %s%n", shown(curve.get(0)), shown(curve.get(curve.size() - 1)));
    int room = Terminal.textWidth() - label.length() - ends.stripTrailing().length();
    return label + Sparkline.of(curve, Math.min(LONGEST_CURVE, room)) + ends;
  }

  /** A return with enough digits; returns of markets are small. */
  static String shown(double episodeReturn) {
    return format(Math.abs(episodeReturn) < 1 ? "%.4f" : "%.1f", episodeReturn);
  }

  /** The last line: path of the report. */
  public static String report(String file) {
    return format("%nreport: %s%n", file);
  }

  /**
   * Observation and advice of each alert, the most severe first; notes are one line. The file has
   * the reasons.
   */
  private static String alerts(List<AlertSummary> alerts) {
    if (alerts.isEmpty()) {
      return WrappedText.entry("alerts", "none");
    }
    StringBuilder text = new StringBuilder();
    text.append(WrappedText.entry("alerts", counts(alerts) + "; more in " + RunLayout.ALERTS));
    List<String> notes = new ArrayList<>();
    for (AlertSummary alert : alerts) {
      if (alert.severity() == Severity.INFO) {
        notes.add(alert.rule());
        continue;
      }
      text.append(
          WrappedText.of(alert.rule() + ", " + span(alert), alertLabel(alert.severity()), MORE));
      text.append(WrappedText.of(alert.seen(), MORE + "seen: ", MORE + "      "));
      text.append(WrappedText.of(alert.advice(), MORE + "try:  ", MORE + "      "));
    }
    if (!notes.isEmpty()) {
      text.append(WrappedText.of(String.join(", ", notes), alertLabel(Severity.INFO), MORE));
    }
    return text.toString();
  }

  private static String alertLabel(Severity severity) {
    String word = severity.written();
    return "    " + Style.status(word) + " ".repeat(Math.max(1, 10 - word.length()));
  }

  /** {@code 1 error, 2 warnings}. */
  private static String counts(List<AlertSummary> alerts) {
    Map<Severity, Long> counts =
        alerts.stream()
            .collect(
                Collectors.groupingBy(
                    AlertSummary::severity, LinkedHashMap::new, Collectors.counting()));
    return counts.entrySet().stream()
        .map(
            entry ->
                format(
                    "%d %s%s",
                    entry.getValue(), entry.getKey().written(), entry.getValue() == 1 ? "" : "s"))
        .collect(Collectors.joining(", "));
  }

  private static String span(AlertSummary alert) {
    String updates =
        alert.firstUpdate() == alert.lastUpdate()
            ? "update " + alert.firstUpdate()
            : String.format(
                Locale.ROOT, "updates %d to %d", alert.firstUpdate(), alert.lastUpdate());
    return updates + (alert.active() ? ", still active" : "");
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
