package io.quantail.app;

import io.quantail.config.RunConfig;
import io.quantail.train.Evaluator.Evaluation;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The last thing a person reads after training. */
final class Summary {
  private static final int CURVE_WIDTH = 60;

  private Summary() {}

  static String of(RunConfig config, TrainingSession.Result result, List<Double> curve) {
    StringBuilder text = new StringBuilder();
    text.append(
        format(
            "%n%s, seed %d: %,d steps in %.1f s (%,.0f steps/s)%n%n",
            config.environment().name(),
            config.seed(),
            result.steps(),
            result.seconds(),
            result.stepsPerSecond()));
    if (!curve.isEmpty()) {
      text.append(
          format(
              "  learning    %s  %s → %s%n",
              Sparkline.of(curve, CURVE_WIDTH),
              shown(curve.get(0)),
              shown(curve.get(curve.size() - 1))));
    }
    text.append(result.evaluation().line());
    text.append(format("  alerts      %s%n", alerts(result.alerts())));
    text.append(format("  run         %s%n", result.run()));
    text.append(format("  look closer tensorboard --logdir %s%n", result.run()));
    text.append(result.evaluation().details());
    text.append(report(result.report()));
    return text.toString();
  }

  /** Returns of markets are small: they need more digits. */
  static String shown(double episodeReturn) {
    return format(Math.abs(episodeReturn) < 1 ? "%.4f" : "%.1f", episodeReturn);
  }

  static String evaluation(Evaluation evaluation, boolean deterministic) {
    return format(
        "  evaluation  %.1f ± %.1f over %d %s episodes (worst %.1f, best %.1f)%n",
        evaluation.meanReturn(),
        evaluation.stdReturn(),
        evaluation.episodes(),
        deterministic ? "deterministic" : "sampled",
        evaluation.minReturn(),
        evaluation.maxReturn());
  }

  /** The last line: where to look now. */
  static String report(String file) {
    return format("%nreport: %s%n", file);
  }

  private static String alerts(List<Alerts.Alert> alerts) {
    if (alerts.isEmpty()) {
      return "none";
    }
    return alerts.stream()
        .map(alert -> format("%s, updates: %d", alert.name(), alert.count()))
        .collect(Collectors.joining(format("%n              ")));
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
