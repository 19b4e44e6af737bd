package io.quantail.app.console;

import io.quantail.market.evaluation.MarketCalibration;
import io.quantail.market.evaluation.MarketEvaluationResult;
import io.quantail.run.evaluation.EpisodeEvaluationResult;
import io.quantail.run.evaluation.EvaluationResult;
import io.quantail.train.Evaluation;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The result of an evaluation as text. */
public final class EvaluationText {
  private EvaluationText() {}

  /** One line of a summary. */
  public static String line(EvaluationResult result) {
    if (result instanceof EpisodeEvaluationResult episodes) {
      return episodes(episodes.numbers(), episodes.deterministic());
    }
    if (result instanceof MarketEvaluationResult market) {
      return format(
              "  evaluation  %+.2f %% on the %s bars, net of costs; buy-and-hold %+.2f %%%n",
              100 * market.totalReturn(), market.barsName(), 100 * market.buyAndHoldReturn())
          + calibration(market.provenance().calibration());
    }
    return format("  evaluation  %s%n", TrainingSummary.shown(result.score()));
  }

  private static String calibration(@Nullable MarketCalibration calibration) {
    return calibration == null ? "" : format("  calibration %s%n", calibration.text());
  }

  private static String episodes(Evaluation numbers, boolean deterministic) {
    return format(
        "  evaluation  %.1f ± %.1f over %d %s episodes (worst %.1f, best %.1f)%n",
        numbers.meanReturn(),
        numbers.stdReturn(),
        numbers.episodes(),
        deterministic ? "deterministic" : "sampled",
        numbers.minReturn(),
        numbers.maxReturn());
  }

  /** Tables and verdict at the end of a summary; empty if the line is complete. */
  public static String details(EvaluationResult result) {
    if (!(result instanceof MarketEvaluationResult market)) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    market.symbols().forEach(symbol -> text.append(ComparisonText.of(symbol)));
    return text.append(format("%n%s%n", market.verdict())).toString();
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
