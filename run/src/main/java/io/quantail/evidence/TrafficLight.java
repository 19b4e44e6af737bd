package io.quantail.evidence;

import java.util.Locale;

/**
 * The number of exceedances as a light, for any number of bars and any level: yellow from a
 * cumulative binomial probability of 0.95 on, red from 0.9999 on. For 250 bars and 1 % these are 5
 * and 10 exceedances. A light, not a test: right forecasts are yellow in 10.8 % of such years.
 *
 * <p>See: Basel Committee on Banking Supervision, "Supervisory Framework for the Use of
 * Backtesting", 1996. Pinned by the vector {@code traffic_light_borders}.
 */
public enum TrafficLight {
  /** No more exceedances than expected. */
  GREEN,
  /** More than right forecasts have in 19 of 20 cases. */
  YELLOW,
  /** More than right forecasts have in 9,999 of 10,000 cases. */
  RED;

  private static final double FROM_YELLOW = 0.95;
  private static final double FROM_RED = 0.9999;

  /** The light of a cumulative probability. */
  static TrafficLight of(double cumulative) {
    return cumulative >= FROM_RED ? RED : cumulative >= FROM_YELLOW ? YELLOW : GREEN;
  }

  /** The first counts that are yellow and red. */
  public static int[] borders(int n, double alpha) {
    BinomialDistribution counts = new BinomialDistribution(n, alpha);
    int[] borders = {n + 1, n + 1};
    double cumulative = 0;
    for (int count = 0; count <= n && borders[1] > n; count++) {
      cumulative += counts.probability(count);
      TrafficLight light = of(cumulative);
      if (light != GREEN && borders[0] > n) {
        borders[0] = count;
      }
      if (light == RED) {
        borders[1] = count;
      }
    }
    return borders;
  }

  /** The name in files and sentences, such as {@code green}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
