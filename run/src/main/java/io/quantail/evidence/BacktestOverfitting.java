package io.quantail.evidence;

import io.quantail.evidence.EvidenceException.Kind;
import io.quantail.math.ReturnSeriesStatistics;
import java.util.Locale;

/**
 * Probability of backtest overfitting: how often the best trial of one half of the periods is a
 * poor one in the other half.
 *
 * <p>The periods are divided into S equal blocks, the oldest that fill none are dropped. For every
 * choice of S/2 blocks the trial with the best Sharpe ratio in them is ranked by its ratio in the
 * other blocks: {@code w = rank / (N + 1)}, {@code lambda = ln(w / (1 - w))}. {@code PBO} is the
 * fraction of {@code lambda < 0} plus half of that of {@code lambda = 0}: with odd N the middle
 * rank is neither good nor bad.
 *
 * <p>See: Bailey, Borwein, López de Prado, Zhu, "The Probability of Backtest Overfitting", 2015.
 * They count {@code lambda <= 0}. Pinned by the vectors {@code backtest_overfitting_*}.
 *
 * @param combinations number of choices
 * @param droppedRows oldest periods that fill no block
 * @param probability PBO
 * @param meanLogit mean of lambda
 * @param lossProbability fraction of choices in which the chosen trial loses out of sample
 * @param degradationSlope least-squares slope of the ratio out of sample on that in sample; NaN if
 *     all choices have the same ratio in sample
 */
public record BacktestOverfitting(
    int combinations,
    int droppedRows,
    double probability,
    double meanLogit,
    double lossProbability,
    double degradationSlope) {
  /** More blocks make more choices than anybody can use: 184,756 at this number. */
  public static final int MOST_BLOCKS = 20;

  /**
   * Ranks the best trials of all choices.
   *
   * @param returns [period][trial]
   * @param blocks S, even, from 2 to {@link #MOST_BLOCKS}
   */
  public static BacktestOverfitting of(double[][] returns, int blocks) {
    require(returns, blocks);
    BlockMoments[] moments = BlockMoments.of(returns, blocks);
    int all = (1 << blocks) - 1;
    Tally tally = new Tally(moments.length);
    for (int in = 0; in <= all; in++) {
      if (Integer.bitCount(in) == blocks / 2) {
        tally.add(ratios(moments, in), ratios(moments, all & ~in));
      }
    }
    return tally.result(returns.length % blocks);
  }

  private static void require(double[][] returns, int blocks) {
    if (blocks < 2 || blocks > MOST_BLOCKS || blocks % 2 != 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the number of blocks must be even and from 2 to %d, was %d",
              MOST_BLOCKS,
              blocks));
    }
    int periods = returns.length;
    if (periods < Math.max(Returns.FEWEST, 2 * blocks)) {
      throw new EvidenceException(
          Kind.TOO_FEW_RETURNS,
          String.format(
                  Locale.ROOT,
                  "%d periods do not make %d blocks of at least two returns, and at least %d are needed;",
                  periods,
                  blocks,
                  Returns.FEWEST)
              + " use more bars or fewer blocks");
    }
    int trials = returns[0].length;
    if (trials < 2) {
      throw new EvidenceException(
          Kind.TOO_FEW_TRIALS,
          "the probability of overfitting compares trials, so it needs at least 2; there is "
              + trials);
    }
    for (int t = 0; t < periods; t++) {
      Returns.requireSameLength("period " + t, returns[t].length, "period 0", trials);
      Returns.requireFinite("period " + t, returns[t]);
    }
  }

  private static double[] ratios(BlockMoments[] moments, int blocks) {
    double[] ratios = new double[moments.length];
    for (int trial = 0; trial < ratios.length; trial++) {
      ratios[trial] = moments[trial].sharpe(blocks);
    }
    return ratios;
  }

  /**
   * Mean and sum of squared deviations of each block of one trial.
   *
   * @param size periods per block
   */
  private record BlockMoments(int size, double[] means, double[] squares) {
    static BlockMoments[] of(double[][] returns, int blocks) {
      int size = returns.length / blocks;
      int first = returns.length % blocks;
      BlockMoments[] moments = new BlockMoments[returns[0].length];
      for (int trial = 0; trial < moments.length; trial++) {
        moments[trial] = new BlockMoments(size, new double[blocks], new double[blocks]);
        for (int block = 0; block < blocks; block++) {
          moments[trial].fill(returns, trial, first + block * size, block);
        }
      }
      return moments;
    }

    private void fill(double[][] returns, int trial, int from, int block) {
      double sum = 0;
      for (int t = from; t < from + size; t++) {
        sum += returns[t][trial];
      }
      means[block] = sum / size;
      for (int t = from; t < from + size; t++) {
        double deviation = returns[t][trial] - means[block];
        squares[block] += deviation * deviation;
      }
    }

    /** Sharpe ratio (ddof 1) of some blocks together; 0 without variation. */
    double sharpe(int chosen) {
      int count = Integer.bitCount(chosen);
      double mean = 0;
      double sum = 0;
      for (int block = 0; block < means.length; block++) {
        if ((chosen >> block & 1) != 0) {
          mean += means[block] / count;
          sum += squares[block];
        }
      }
      for (int block = 0; block < means.length; block++) {
        if ((chosen >> block & 1) != 0) {
          sum += size * (means[block] - mean) * (means[block] - mean);
        }
      }
      double deviation = Math.sqrt(sum / (count * size - 1));
      double ratio = ReturnSeriesStatistics.sharpe(mean, deviation, 1);
      return Double.isNaN(ratio) ? 0 : ratio;
    }
  }

  /** Sums over choices. */
  private static final class Tally {
    private final int trials;
    private int count;
    private double below;
    private int losses;
    private double logits;
    private double in;
    private double out;
    private double inSquares;
    private double products;

    Tally(int trials) {
      this.trials = trials;
    }

    void add(double[] ratiosIn, double[] ratiosOut) {
      int best = 0;
      for (int trial = 1; trial < trials; trial++) {
        best = ratiosIn[trial] > ratiosIn[best] ? trial : best;
      }
      double twice = 1; // twice the rank, so that averages of ties are whole
      for (double ratio : ratiosOut) {
        twice += ratio < ratiosOut[best] ? 2 : ratio == ratiosOut[best] ? 1 : 0;
      }
      double middle = trials + 1.0;
      count++;
      below += twice < middle ? 1 : twice == middle ? 0.5 : 0;
      logits += Math.log(twice / (2 * middle - twice));
      losses += ratiosOut[best] < 0 ? 1 : 0;
      in += ratiosIn[best];
      out += ratiosOut[best];
      inSquares += ratiosIn[best] * ratiosIn[best];
      products += ratiosIn[best] * ratiosOut[best];
    }

    BacktestOverfitting result(int dropped) {
      double variance = inSquares / count - in / count * in / count;
      double covariance = products / count - in / count * out / count;
      boolean varies = variance > 1e-12 * (inSquares / count);
      return new BacktestOverfitting(
          count,
          dropped,
          below / count,
          logits / count,
          (double) losses / count,
          varies ? covariance / variance : Double.NaN);
    }
  }
}
