package io.quantail.random;

/**
 * Fills arrays with normal noise, fast enough to be drawn for every weight at every step.
 *
 * <p>A number is one of the {@value #SIZE} quantiles {@code F^-1((k + 1/2) / 4096)} of the normal
 * distribution, scaled to variance 1, picked by 12 random bits. The bits come from SplitMix64,
 * started from a {@link RandomStream}: element i depends on the stream's address and on i only.
 * That is cheaper than Box and Muller on Philox, but no number is larger than 3.7 and ties occur.
 * Where that matters, draw from the stream itself.
 *
 * <p>See: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. {@code
 * NormalSamplerTest} pins the moments and the independence.
 */
public final class NormalSampler {
  private static final int BITS = 12;
  private static final int SIZE = 1 << BITS;
  private static final int PER_WORD = Long.SIZE / BITS;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final float[] QUANTILES = quantiles();

  private NormalSampler() {}

  /**
   * Fills a part of an array with normal numbers of mean 0.
   *
   * @param stream provides the start; exactly one number of it is used
   * @param deviation standard deviation of the numbers
   */
  public static void fill(
      RandomStream stream, float deviation, float[] target, int offset, int count) {
    long state = stream.nextLong();
    int end = offset + count;
    int whole = offset + count / PER_WORD * PER_WORD;
    int next = offset;
    while (next < whole) {
      state += GOLDEN;
      long bits = RandomStream.finish(state);
      target[next] = deviation * QUANTILES[(int) bits & SIZE - 1];
      target[next + 1] = deviation * QUANTILES[(int) (bits >>> BITS) & SIZE - 1];
      target[next + 2] = deviation * QUANTILES[(int) (bits >>> (2 * BITS)) & SIZE - 1];
      target[next + 3] = deviation * QUANTILES[(int) (bits >>> (3 * BITS)) & SIZE - 1];
      target[next + 4] = deviation * QUANTILES[(int) (bits >>> (4 * BITS)) & SIZE - 1];
      next += PER_WORD;
    }
    long bits = RandomStream.finish(state + GOLDEN);
    for (; next < end; next++) {
      target[next] = deviation * QUANTILES[(int) bits & SIZE - 1];
      bits >>>= BITS;
    }
  }

  private static float[] quantiles() {
    double[] upper = new double[SIZE / 2];
    double squares = 0;
    double quantile = 0;
    for (int k = 0; k < upper.length; k++) {
      quantile = quantile(0.5 + (k + 0.5) / SIZE, quantile);
      upper[k] = quantile;
      squares += quantile * quantile;
    }
    double scale = 1 / Math.sqrt(squares / upper.length);
    float[] table = new float[SIZE];
    for (int k = 0; k < upper.length; k++) {
      table[SIZE / 2 + k] = (float) (upper[k] * scale);
      table[SIZE / 2 - 1 - k] = -table[SIZE / 2 + k];
    }
    return table;
  }

  /**
   * The normal quantile at a probability of at least one half, by Newton's method from a guess
   * below.
   */
  private static double quantile(double share, double guess) {
    double x = guess;
    for (double change = 1; Math.abs(change) > 1e-12; ) {
      double density = StrictMath.exp(-x * x / 2) / StrictMath.sqrt(2 * Math.PI);
      change = (share - 0.5) / density - series(x);
      x += change;
    }
    return x;
  }

  /** The normal distribution function less one half, over the density: x + x^3/3 + x^5/15 + ... */
  private static double series(double x) {
    double sum = x;
    double term = x;
    for (int n = 3; term > sum * 1e-17; n += 2) {
      term *= x * x / n;
      sum += term;
    }
    return sum;
  }
}
