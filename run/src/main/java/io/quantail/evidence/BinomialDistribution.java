package io.quantail.evidence;

/**
 * The binomial distribution of n trials. Probabilities are products of ratios of neighbours, begun
 * at the most likely count and divided by their sum, which keeps the relative precision of both
 * tails.
 */
final class BinomialDistribution {
  private final double[] probabilities;

  BinomialDistribution(int n, double p) {
    probabilities = new double[n + 1];
    int mode = (int) Math.min(n, Math.floor((n + 1) * p));
    double odds = p / (1 - p);
    probabilities[mode] = 1;
    for (int k = mode; k < n; k++) {
      probabilities[k + 1] = probabilities[k] * (n - k) / (k + 1) * odds;
    }
    for (int k = mode; k > 0; k--) {
      probabilities[k - 1] = probabilities[k] * k / (n - k + 1) / odds;
    }
    double sum = 0;
    for (double value : probabilities) {
      sum += value;
    }
    for (int k = 0; k <= n; k++) {
      probabilities[k] /= sum;
    }
  }

  double probability(int count) {
    return probabilities[count];
  }

  /** The probability of at most {@code count}. */
  double cumulative(int count) {
    double sum = 0;
    for (int k = 0; k <= count; k++) {
      sum += probabilities[k];
    }
    return Math.min(1, sum);
  }
}
