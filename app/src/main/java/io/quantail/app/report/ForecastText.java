package io.quantail.app.report;

import io.quantail.market.forecast.ForecastResult;
import io.quantail.market.forecast.ForecastResult.Level;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The tests of the forecast of the next bar in one sentence, beside the limit. */
public final class ForecastText {
  private static final double REJECTED = 0.05;

  private ForecastText() {}

  /**
   * How often losses exceeded the forecast VaR, and which tests reject the forecast.
   *
   * @param results of all accounts with forecasts
   * @return the sentence; empty without forecasts
   */
  public static Optional<String> sentence(List<ForecastResult> results) {
    List<ForecastResult> tested =
        results.stream().filter(result -> !result.levels().isEmpty()).toList();
    if (results.isEmpty()) {
      return Optional.empty();
    }
    if (tested.isEmpty()) {
      return Optional.of(
          "The forecast of the next bar cannot be tested: %s."
              .formatted(
                  results.stream().allMatch(result -> result.bars() == 0)
                      ? "there was neither a position nor an order on these bars"
                      : results.get(0).refusal()));
    }
    return Optional.of(
        coverage(tested)
            + "; "
            + (results.size() == 1 ? tests(tested.get(0).levels()) : tests(tested, results.size()))
            + ".");
  }

  private static String coverage(List<ForecastResult> tested) {
    double alpha = tested.get(0).levels().get(0).alpha();
    long exceedances = 0;
    double bars = 0;
    for (ForecastResult result : tested) {
      exceedances += result.levels().get(0).exceedances();
      bars += result.levels().get(0).expected() / alpha;
    }
    return String.format(
        Locale.ROOT,
        "Losses exceeded the forecast VaR at %s in %.1f %% of %,.0f bars",
        LimitText.share(alpha),
        100 * exceedances / bars,
        bars);
  }

  private static String tests(List<Level> levels) {
    List<Level> rejected = levels.stream().filter(Level::rejected).toList();
    long tests =
        Stream.<ToDoubleFunction<Level>>of(
                Level::coveragePValue, Level::conditionalPValue, Level::depthPValue)
            .filter(
                pValue -> levels.stream().anyMatch(level -> pValue.applyAsDouble(level) < REJECTED))
            .count();
    String outcome =
        rejected.isEmpty()
            ? "the tests do not reject it at " + percents(levels)
            : String.format(
                Locale.ROOT,
                "%d of 3 tests reject%s it at %s",
                tests,
                tests == 1 ? "s" : "",
                percents(rejected));
    return outcome + ", traffic light " + levels.get(0).light();
  }

  /** {@code 5, 2.5 and 1 %}. */
  private static String percents(List<Level> levels) {
    return listed(
            levels.stream().map(level -> LimitText.share(level.alpha()).replace(" %", "")).toList())
        + " %";
  }

  private static String listed(List<String> words) {
    int last = words.size() - 1;
    return last < 1
        ? String.join("", words)
        : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
  }

  private static String tests(List<ForecastResult> tested, int accounts) {
    long rejected =
        tested.stream()
            .filter(result -> result.levels().stream().anyMatch(Level::rejected))
            .count();
    String untested =
        tested.size() == accounts
            ? ""
            : String.format(Locale.ROOT, "; %d could not be tested", accounts - tested.size());
    return String.format(
        Locale.ROOT,
        "the tests reject the forecasts of %d of %d accounts%s",
        rejected,
        tested.size(),
        untested);
  }
}
