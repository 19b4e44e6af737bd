package io.quantail.evidence;

import io.quantail.evidence.EvidenceException.Kind;
import io.quantail.math.Moments;
import java.util.Arrays;

/**
 * Regression of an agent's returns on a benchmark's, {@code r = alpha + beta b + e}, by least
 * squares, with percentile intervals of a paired stationary bootstrap.
 *
 * <p>The block length is the larger of those of {@code e} and of {@code e (b - mean(b))}, whose
 * means determine alpha and beta. {@code PairedComparisonTest} pins the estimates and the coverage.
 *
 * @param alpha return per bar that the benchmark does not explain
 * @param alphaInterval 95 % interval
 * @param beta return per unit of the benchmark's return
 * @param betaInterval 95 % interval
 * @param blockLength mean block length
 */
public record AlphaBeta(
    double alpha,
    ConfidenceInterval alphaInterval,
    double beta,
    ConfidenceInterval betaInterval,
    double blockLength) {
  private static final double MOST_UNDEFINED = 0.05;

  /** Regresses with {@value StationaryBootstrap#RESAMPLES} resamples. */
  public static AlphaBeta of(double[] agent, double[] benchmark, long seed) {
    return of(agent, benchmark, StationaryBootstrap.RESAMPLES, seed);
  }

  static AlphaBeta of(double[] agent, double[] benchmark, int resamples, long seed) {
    Returns.require("the agent's series of returns", agent);
    Returns.requireVarying("the benchmark's series of returns", benchmark);
    Returns.requireSameLength(
        "the agent's series", agent.length, "the benchmark's", benchmark.length);
    ValueGroups groups = ValueGroups.of(agent.length);
    Sums sums = Sums.of(agent, benchmark, groups);
    int[] indices = new int[groups.count()];
    Arrays.setAll(indices, group -> group);
    double[] line = sums.line(indices);
    double length = blockLength(agent, benchmark, line);
    Resamples bootstrap = groups.resamples(length, resamples, seed);
    double[] alphas = new double[resamples];
    double[] betas = new double[resamples];
    int defined = 0;
    for (int i = 0; i < resamples; i++) {
      bootstrap.fill(i, indices);
      double[] replicate = sums.line(indices);
      if (!Double.isNaN(replicate[1])) {
        alphas[defined] = replicate[0];
        betas[defined++] = replicate[1];
      }
    }
    if (defined < (1 - MOST_UNDEFINED) * resamples) {
      throw new EvidenceException(
          Kind.NO_SPREAD,
          "the benchmark does not vary in more than one of twenty resamples, so alpha and beta are"
              + " undefined; use bars on which its price changes");
    }
    return new AlphaBeta(
        line[0], interval(alphas, defined), line[1], interval(betas, defined), length);
  }

  private static ConfidenceInterval interval(double[] replicates, int defined) {
    return ConfidenceInterval.ofPercentiles(
        Arrays.copyOf(replicates, defined), ConfidenceInterval.CONFIDENCE);
  }

  /**
   * Sums over each unit, of distances from the means of the whole series.
   *
   * @param agent distances of the agent's returns
   * @param benchmark distances of the benchmark's
   * @param products of both
   * @param squares of the benchmark's
   */
  private record Sums(
      ValueGroups groups,
      double agentMean,
      double benchmarkMean,
      double[] agent,
      double[] benchmark,
      double[] products,
      double[] squares) {
    /** A variance below this fraction of the mean square is rounding. */
    private static final double ROUNDING = 1e-12;

    static Sums of(double[] agent, double[] benchmark, ValueGroups groups) {
      double agentMean = Moments.mean(agent);
      double benchmarkMean = Moments.mean(benchmark);
      double[] a = new double[agent.length];
      double[] b = new double[agent.length];
      double[] products = new double[agent.length];
      double[] squares = new double[agent.length];
      for (int t = 0; t < a.length; t++) {
        a[t] = agent[t] - agentMean;
        b[t] = benchmark[t] - benchmarkMean;
        products[t] = a[t] * b[t];
        squares[t] = b[t] * b[t];
      }
      return new Sums(
          groups,
          agentMean,
          benchmarkMean,
          groups.sums(a),
          groups.sums(b),
          groups.sums(products),
          groups.sums(squares));
    }

    /** Alpha and beta of a resample; beta is NaN if the benchmark does not vary in it. */
    double[] line(int[] indices) {
      double values = 0;
      double a = 0;
      double b = 0;
      double ab = 0;
      double bb = 0;
      for (int index : indices) {
        values += groups.size(index);
        a += agent[index];
        b += benchmark[index];
        ab += products[index];
        bb += squares[index];
      }
      double variance = bb - b * b / values;
      double mean = benchmarkMean + b / values;
      boolean varies = variance > ROUNDING * bb && variance > 1e-24 * values * mean * mean;
      double beta = varies ? (ab - a * b / values) / variance : Double.NaN;
      return new double[] {agentMean + a / values - beta * mean, beta};
    }
  }

  private static double blockLength(double[] agent, double[] benchmark, double[] line) {
    double mean = Moments.mean(benchmark);
    double[] errors = new double[agent.length];
    double[] products = new double[agent.length];
    for (int t = 0; t < errors.length; t++) {
      errors[t] = agent[t] - line[0] - line[1] * benchmark[t];
      products[t] = errors[t] * (benchmark[t] - mean);
    }
    return Math.max(BlockLength.of(errors).length(), BlockLength.of(products).length());
  }
}
