package io.quantail.market.walk;

import io.quantail.market.desk.Comparison;
import java.util.Arrays;
import java.util.List;

/** Small sums over returns. */
final class Returns {
  private Returns() {}

  /** Mean over symbols of a policy's total return. */
  static double mean(List<Comparison> symbols, String policy) {
    return symbols.stream()
        .flatMap(symbol -> symbol.entries().stream())
        .filter(entry -> entry.result().policy().equals(policy))
        .mapToDouble(entry -> entry.performance().totalReturn())
        .average()
        .orElseThrow();
  }

  /** The value in the middle; of two, the lower. */
  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(sorted.length - 1) / 2];
  }
}
