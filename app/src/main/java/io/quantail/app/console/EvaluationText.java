package io.quantail.app.console;

import io.quantail.app.report.ForecastText;
import io.quantail.app.report.KeptText;
import io.quantail.app.report.LimitText;
import io.quantail.app.report.VerdictText;
import io.quantail.market.evaluation.MarketCalibration;
import io.quantail.market.evaluation.MarketEvaluationResult;
import io.quantail.market.forecast.ForecastResult;
import io.quantail.run.evaluation.EpisodeEvaluationResult;
import io.quantail.run.evaluation.EvaluationResult;
import io.quantail.run.evaluation.LimitResult;
import io.quantail.train.EvaluationSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The result of an evaluation as text. */
public final class EvaluationText {
  private static final double ANY_ALPHA = 0.05;
  private static final String NAME = "evaluation";

  private EvaluationText() {}

  /** One line of a summary. */
  public static String line(EvaluationResult result) {
    if (result instanceof EpisodeEvaluationResult episodes) {
      return episodes(episodes.numbers(), episodes.deterministic());
    }
    if (result instanceof MarketEvaluationResult market) {
      return WrappedText.entry(
              NAME,
              format(
                  "%+.2f %% on the %s bars, net of costs; buy-and-hold %+.2f %%",
                  100 * market.totalReturn(), market.barsName(), 100 * market.buyAndHoldReturn()))
          + calibration(market.provenance().calibration());
    }
    return WrappedText.entry(NAME, TrainingSummary.shown(result.score()));
  }

  private static String calibration(@Nullable MarketCalibration calibration) {
    return calibration == null ? "" : WrappedText.entry("calibration", calibration.text());
  }

  private static String episodes(EvaluationSummary numbers, boolean deterministic) {
    return WrappedText.entry(
        NAME,
        format(
            "%.1f ± %.1f over %d %s episodes (worst %.1f, best %.1f)",
            numbers.meanReturn(),
            numbers.stdReturn(),
            numbers.episodes(),
            deterministic ? "deterministic" : "sampled",
            numbers.minReturn(),
            numbers.maxReturn()));
  }

  /** Tables, limit and verdict at the end of a summary; empty if the line is complete. */
  public static String details(EvaluationResult result) {
    StringBuilder text = new StringBuilder();
    if (result instanceof MarketEvaluationResult market) {
      text.append(tables(market));
    }
    LimitResult limit = result.limit();
    if (limit != null) {
      text.append(System.lineSeparator())
          .append(
              limit(
                  limit,
                  result instanceof MarketEvaluationResult market
                      ? market.forecastResults()
                      : List.of()));
    }
    if (result instanceof MarketEvaluationResult market) {
      text.append(System.lineSeparator()).append(verdict(market));
    }
    return text.toString();
  }

  private static String tables(MarketEvaluationResult market) {
    if (market.evidence().accounts().size() > 1) {
      LimitResult limit = market.limit();
      return System.lineSeparator()
          + AccountsText.of(
              market.evidence().accounts(), limit == null ? ANY_ALPHA : limit.alpha());
    }
    StringBuilder text = new StringBuilder();
    market.symbols().forEach(symbol -> text.append(ComparisonText.of(symbol)));
    return text.toString();
  }

  /**
   * The end of a summary: limit, measured CVaR and the drawdown of the worst year in one line, then
   * whether skill is shown. Empty without a market.
   */
  public static String closing(EvaluationResult result) {
    return result instanceof MarketEvaluationResult market
        ? System.lineSeparator()
            + WrappedText.of(KeptText.line(market), "", "  ")
            + WrappedText.of(KeptText.skill(market), "", "  ")
        : "";
  }

  /**
   * The limit with its status, and the tests of the forecasts.
   *
   * @param forecasts empty if there are none
   */
  static String limit(LimitResult limit, List<ForecastResult> forecasts) {
    List<String> sentences = new ArrayList<>(LimitText.sentences(limit));
    ForecastText.sentence(forecasts).ifPresent(sentences::add);
    return WrappedText.paragraphs(
        Style.BOLD.of("Limit: ") + Style.status(limit.status().id()), sentences);
  }

  /** The verdict, its headline first; the baselines are in the table. */
  static String verdict(MarketEvaluationResult market) {
    List<String> sentences = new ArrayList<>(List.of(VerdictText.headline(market)));
    sentences.addAll(VerdictText.beside(market.verdict()));
    return WrappedText.paragraphs(Style.BOLD.of("Verdict"), sentences);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
