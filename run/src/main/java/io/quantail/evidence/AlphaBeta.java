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

  /** Regresses with {@link StationaryBootstrap#resamples} resamples. */
  public static AlphaBeta of(double[] agent, double[] benchmark, long seed) {
    return of(agent, benchmark, StationaryBootstrap.resamples(agent.length), seed);
  }

  static AlphaBeta of(double[] agent, double[] benchmark, int resamples, long seed) {
    Returns.require("the agent's series of returns", agent);
    Returns.requireVarying("the benchmark's series of returns", benchmark);
    Returns.requireSameLength(
        "the agent's series", agent.length, "the benchmark's", benchmark.length);
    int n = agent.length;
    int[] indices = new int[n];
    Arrays.setAll(indices, t -> t);
    double[] line = line(agent, benchmark, indices);
    double length = blockLength(agent, benchmark, line);
    Resamples bootstrap = new StationaryBootstrap(length, resamples, seed);
    double[] alphas = new double[resamples];
    double[] betas = new double[resamples];
    int defined = 0;
    for (int i = 0; i < resamples; i++) {
      bootstrap.fill(i, indices);
      double[] replicate = line(agent, benchmark, indices);
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

  /** Alpha and beta of a resample; beta is NaN if the benchmark does not vary in it. */
  private static double[] line(double[] agent, double[] benchmark, int[] indices) {
    double agentSum = 0;
    double benchmarkSum = 0;
    for (int index : indices) {
      agentSum += agent[index];
      benchmarkSum += benchmark[index];
    }
    double agentMean = agentSum / indices.length;
    double benchmarkMean = benchmarkSum / indices.length;
    double products = 0;
    double squares = 0;
    for (int index : indices) {
      double difference = benchmark[index] - benchmarkMean;
      products += difference * (agent[index] - agentMean);
      squares += difference * difference;
    }
    boolean varies = squares > 1e-24 * indices.length * benchmarkMean * benchmarkMean;
    double beta = varies ? products / squares : Double.NaN;
    return new double[] {agentMean - beta * benchmarkMean, beta};
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
