package io.quantail.app.report;

import io.quantail.math.ReturnSeriesStatistics;

/**
 * Fractions of two samples in common columns, symmetric about 0.
 *
 * @param places centres of the columns
 * @param first fractions of the first sample
 * @param second fractions of the second sample
 */
record Histogram(double[] places, double[] first, double[] second) {
  private static final int HALF = 30;
  private static final double CENTRE = 0.995;

  static Histogram of(double[] first, double[] second) {
    double reach = Math.max(reach(first), reach(second));
    double width = (reach > 0 ? reach : 1) / HALF;
    double[] places = new double[2 * HALF + 1];
    for (int i = 0; i < places.length; i++) {
      places[i] = (i - HALF) * width;
    }
    return new Histogram(places, fractions(first, width), fractions(second, width));
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
