package io.quantail.evidence;

import io.quantail.math.StandardNormal;
import java.util.Locale;

/**
 * Whether returns fall below the forecast VaR as often as forecast.
 *
 * <p>The exact p-value of coverage is the binomial probability of all counts whose likelihood ratio
 * is at least as large. The chi-squared values are for comparison: they reject right forecasts too
 * often in short series (9.5 % instead of 5 % at 250 bars and 1 %). Independence alone gives no
 * verdict, because its law depends on the number of exceedances; for both together see {@link
 * TailSimulation}. Pinned by the vectors {@code exceedances_*}.
 *
 * @param alpha level of the VaR
 * @param exceedances counts
 * @param coverageRatio LR_uc
 * @param coveragePValue exact
 * @param coverageChi2 p-value of chi-squared with 1 degree of freedom
 * @param independenceRatio LR_ind
 * @param independenceChi2 p-value of chi-squared with 1 degree of freedom
 * @param conditionalRatio LR_cc
 * @param conditionalChi2 p-value of chi-squared with 2 degrees of freedom
 * @param cumulative binomial probability of at most as many exceedances
 * @param light traffic light
 */
public record VarCoverage(
    double alpha,
    Exceedances exceedances,
    double coverageRatio,
    double coveragePValue,
    double coverageChi2,
    double independenceRatio,
    double independenceChi2,
    double conditionalRatio,
    double conditionalChi2,
    double cumulative,
    TrafficLight light) {
  /** Ratios that differ by less are ties. */
  static final double TIE = 1e-9;

  /** Tests exceedances. */
  public static VarCoverage of(boolean[] exceeded, double alpha) {
    Returns.requireLevel(alpha);
    if (exceeded.length < Returns.FEWEST) {
      throw new EvidenceException(
          EvidenceException.Kind.TOO_FEW_RETURNS,
          String.format(
              Locale.ROOT,
              "a test of VaR needs at least %d bars with a forecast, there are %d; use more bars",
              Returns.FEWEST,
              exceeded.length));
    }
    Exceedances counts = Exceedances.of(exceeded);
    double coverage = counts.coverageRatio(alpha);
    double independence = counts.independenceRatio();
    BinomialDistribution binomial = new BinomialDistribution(counts.n(), alpha);
    double cumulative = binomial.cumulative(counts.count());
    return new VarCoverage(
        alpha,
        counts,
        coverage,
        exact(binomial, counts.n(), coverage, alpha),
        chi2(coverage),
        independence,
        chi2(independence),
        coverage + independence,
        Math.exp(-(coverage + independence) / 2),
        cumulative,
        TrafficLight.of(cumulative));
  }

  private static double exact(BinomialDistribution binomial, int n, double ratio, double alpha) {
    double sum = 0;
    for (int count = 0; count <= n; count++) {
      if (Exceedances.coverageRatio(n, count, alpha) >= ratio - TIE) {
        sum += binomial.probability(count);
      }
    }
    return Math.min(1, sum);
  }

  private static double chi2(double ratio) {
    return 2 * StandardNormal.cumulative(-Math.sqrt(ratio));
  }
}
