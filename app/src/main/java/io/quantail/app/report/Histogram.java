package io.quantail.app.report;

import io.quantail.math.ReturnSeriesStatistics;
import java.util.List;

/**
 * Fractions of several samples in common columns, symmetric about 0.
 *
 * @param places centres of the columns
 * @param fractions of each sample
 */
record Histogram(double[] places, List<double[]> fractions) {
  private static final int HALF = 30;
  private static final double CENTRE = 0.995;

  static Histogram of(List<double[]> samples) {
    double reach = samples.stream().mapToDouble(Histogram::reach).max().orElseThrow();
    double width = (reach > 0 ? reach : 1) / HALF;
    double[] places = new double[2 * HALF + 1];
    for (int i = 0; i < places.length; i++) {
      places[i] = (i - HALF) * width;
    }
    return new Histogram(places, samples.stream().map(sample -> fractions(sample, width)).toList());
  }

  private static double reach(double[] values) {
    double low = ReturnSeriesStatistics.quantile(values, 1 - CENTRE);
    double high = ReturnSeriesStatistics.quantile(values, CENTRE);
    return Math.max(-low, high);
  }

  private static double[] fractions(double[] values, double width) {
    double[] fractions = new double[2 * HALF + 1];
    for (double value : values) {
      long column = Math.round(value / width);
      fractions[(int) Math.max(-HALF, Math.min(HALF, column)) + HALF] += 1.0 / values.length;
    }
    return fractions;
  }
}
