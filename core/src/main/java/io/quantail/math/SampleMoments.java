package io.quantail.math;

/**
 * Mean and sample standard deviation (ddof 1) of a strided selection of an array.
 *
 * <p>Deviations are taken from the first value before they are averaged, so that a constant
 * selection has a deviation of exactly 0.
 *
 * @param mean arithmetic mean; NaN when nothing was selected
 * @param deviation sample standard deviation; NaN when fewer than two values were selected
 */
public record SampleMoments(double mean, double deviation) {

  /** Over the entries {@code offset, offset + stride, ...}. */
  public static SampleMoments of(double[] values, int offset, int stride) {
    int count = 0;
    double shifted = 0;
    for (int i = offset; i < values.length; i += stride) {
      shifted += values[i] - values[offset];
      count++;
    }
    if (count == 0) {
      return new SampleMoments(Double.NaN, Double.NaN);
    }
    double shiftedMean = shifted / count;
    double squares = 0;
    for (int i = offset; i < values.length; i += stride) {
      double deviation = values[i] - values[offset] - shiftedMean;
      squares += deviation * deviation;
    }
    double variance = count < 2 ? Double.NaN : squares / (count - 1);
    return new SampleMoments(values[offset] + shiftedMean, Math.sqrt(variance));
  }

  /** Whether mean and deviation are finite. */
  public boolean areFinite() {
    return Double.isFinite(mean) && Double.isFinite(deviation);
  }
}
