package io.quantail.market.forecast;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.evidence.ConfidenceInterval;
import io.quantail.evidence.EvidenceException;
import io.quantail.evidence.MeanDifference;
import io.quantail.evidence.TailBacktest;
import io.quantail.evidence.TailScore;
import io.quantail.evidence.VarCoverage;
import io.quantail.math.Moments;
import io.quantail.math.StandardNormal;
import io.quantail.run.RunLayout;
import io.quantail.run.io.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Whether the forecasts of a pass were right: the tests of {@code docs/reference/evidence.md} at
 * {@code risk.alpha}, 0.025 and 0.01, and the score against RiskMetrics, a normal distribution with
 * the volatility σ |w|.
 *
 * @param bars number of bars with a forecast
 * @param idle number of bars without position and order, which are left out
 * @param gains number of bars whose forecast CVaR is no loss, so that depth and score are
 *     undefined; they are left out if they are at most 1 %
 * @param refusal why the forecasts cannot be tested; null if they are
 * @param levels tests at each level; empty if they are refused
 */
public record ForecastResult(
    int bars, int idle, int gains, @Nullable String refusal, List<Level> levels) {
  private static final double FEW = 0.01;
  private static final double USUAL_ALPHA = 0.05;
  private static final double[] REGULATORY = {0.025, 0.01};

  /**
   * The tests at one level.
   *
   * @param alpha probability of an exceedance
   * @param exceedances number of returns at or below VaR
   * @param expected number of exceedances of right forecasts
   * @param coveragePValue exact p-value of coverage (Kupiec)
   * @param coverageChi2 the same by chi-squared
   * @param conditionalPValue simulated p-value of conditional coverage (Christoffersen)
   * @param conditionalChi2 the same by chi-squared
   * @param depth Z2 (Acerbi, Szekely): 0 if right, negative if losses are deeper
   * @param depthPValue its simulated p-value
   * @param light traffic light
   * @param rejected whether one of the three tests rejects the forecasts
   * @param score mean of FZ0; lower is better
   * @param riskMetricsScore the same of RiskMetrics
   * @param scoreDifference 95 % interval of the score minus that of RiskMetrics
   */
  public record Level(
      double alpha,
      int exceedances,
      double expected,
      double coveragePValue,
      double coverageChi2,
      double conditionalPValue,
      double conditionalChi2,
      double depth,
      double depthPValue,
      String light,
      boolean rejected,
      double score,
      double riskMetricsScore,
      ConfidenceInterval scoreDifference) {

    /** One sentence on the tests. */
    public String tests() {
      String counts =
          exceedances == 0
              ? format("no bar fell below VaR, %.1f were expected", expected)
              : format("%d bars fell below VaR, %.1f were expected", exceedances, expected);
      if (rejected) {
        return format("At %s the forecast is rejected: %s.", percent(), counts);
      }
      return format(
          "At %s the forecast is not rejected: %s%s.",
          percent(), counts, exceedances == 0 ? ", too few bars to confirm it" : "");
    }

    /** One sentence on the score. */
    public String comparison() {
      String outcome =
          scoreDifference.high() < 0
              ? "better than"
              : scoreDifference.low() > 0 ? "worse than" : "not distinguishable from";
      return format("At %s its score is %s that of RiskMetrics.", percent(), outcome);
    }

    private String percent() {
      return format("%s %%", format("%.2f", 100 * alpha).replaceFirst("\\.?0+$", ""));
    }

    private static String format(String pattern, Object... values) {
      return String.format(Locale.ROOT, pattern, values);
    }
  }

  /**
   * Reads the results of a finished run's symbols from its {@code result.json}; empty if the run
   * has no forecast or is not finished.
   */
  public static List<ForecastResult> read(Path run) {
    Path file = run.resolve(RunLayout.RESULT);
    if (!Files.isRegularFile(file)) {
      return List.of();
    }
    List<ForecastResult> results = new ArrayList<>();
    try {
      for (JsonNode symbol : Json.MAPPER.readTree(file.toFile()).at("/evaluation/symbols")) {
        if (symbol.path("forecast").isObject()) {
          results.add(Json.MAPPER.treeToValue(symbol.path("forecast"), ForecastResult.class));
        }
      }
    } catch (IOException damaged) {
      return List.of();
    }
    return results;
  }

  /**
   * The level of VaR and CVaR in results: {@code risk.alpha}, or 0.05 if that is more than half of
   * the distribution and no tail.
   */
  public static double tailLevel(double riskAlpha) {
    return riskAlpha <= 0.5 ? riskAlpha : USUAL_ALPHA;
  }

  /**
   * Tests the forecasts of a pass.
   *
   * @param seed of the simulated paths and of the bootstrap
   */
  public static ForecastResult of(ForecastPass pass, long seed) {
    double[] alphas =
        DoubleStream.concat(DoubleStream.of(pass.tail().alpha()), Arrays.stream(REGULATORY))
            .distinct()
            .toArray();
    ForecastPass losses = pass.losses(Arrays.stream(alphas).max().orElseThrow());
    int bars = pass.returns().length;
    int gains = bars - losses.returns().length;
    try {
      List<Level> levels = tests(gains <= FEW * bars ? losses : pass, alphas, seed);
      return new ForecastResult(bars, pass.idle(), gains, null, levels);
    } catch (EvidenceException refused) {
      return new ForecastResult(bars, pass.idle(), gains, refused.getMessage(), List.of());
    }
  }

  private static List<Level> tests(ForecastPass pass, double[] alphas, long seed) {
    List<TailBacktest> tests = TailBacktest.of(pass.returns(), pass.forecasts(), alphas, seed);
    List<Level> levels = new ArrayList<>();
    for (int i = 0; i < alphas.length; i++) {
      levels.add(level(pass, alphas[i], tests.get(i), seed));
    }
    return levels;
  }

  private static Level level(ForecastPass pass, double alpha, TailBacktest test, long seed) {
    double[] own =
        TailScore.of(
            pass.returns(),
            pass.forecasts().stream().mapToDouble(forecast -> forecast.quantile(alpha)).toArray(),
            pass.forecasts().stream().mapToDouble(forecast -> forecast.cvar(alpha)).toArray(),
            alpha);
    double[] normal =
        TailScore.of(
            pass.returns(),
            times(pass.units(), StandardNormal.quantile(alpha)),
            times(pass.units(), StandardNormal.conditionalMean(alpha)),
            alpha);
    VarCoverage coverage = test.coverage();
    return new Level(
        alpha,
        coverage.exceedances().count(),
        alpha * pass.returns().length,
        coverage.coveragePValue(),
        coverage.coverageChi2(),
        test.conditionalPValue(),
        coverage.conditionalChi2(),
        test.depth(),
        test.depthPValue(),
        coverage.light().id(),
        test.rejected(),
        test.meanScore(),
        Moments.mean(normal),
        MeanDifference.of(own, normal, seed).interval());
  }

  private static double[] times(double[] values, double factor) {
    return Arrays.stream(values).map(value -> value * factor).toArray();
  }
}
