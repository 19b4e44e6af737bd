package io.quantail.app.report;

import java.util.List;
import java.util.Locale;

/**
 * Returns by fold and seed.
 *
 * @param seeds names of the seeds
 * @param folds in order of time
 * @param stitched chained out-of-sample account of each seed: change since the start (0.1 is ten
 *     percent) over milliseconds since 1970 (UTC)
 * @param buyAndHold the same of buy-and-hold
 */
record SpreadData(List<String> seeds, List<Fold> folds, List<Curve> stitched, Curve buyAndHold) {

  /**
   * Returns of one fold.
   *
   * @param name such as {@code 1}
   * @param bars period of the test bars
   * @param returns total return of each seed's agent, in the order of the seeds
   * @param buyAndHold total return of buy-and-hold
   */
  record Fold(String name, String bars, double[] returns, double buyAndHold) {}

  SpreadData {
    seeds = List.copyOf(seeds);
    folds = List.copyOf(folds);
    stitched = List.copyOf(stitched);
    for (Fold fold : folds) {
      if (fold.returns().length != seeds.size()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "fold %s has %d returns for %d seeds",
                fold.name(),
                fold.returns().length,
                seeds.size()));
      }
    }
  }
}
