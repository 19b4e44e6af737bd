package io.quantail.app.report;

import java.util.List;

/**
 * How results vary over folds and seeds.
 *
 * @param seeds names of the seeds
 * @param folds in the order of time
 * @param stitched the out-of-sample accounts of each seed, fold after fold: change since the
 *     beginning (0.1 is ten percent) over milliseconds since 1970 (UTC)
 * @param buyAndHold the same of buy-and-hold
 */
public record Spread(List<String> seeds, List<Fold> folds, List<Curve> stitched, Curve buyAndHold) {

  /**
   * @param name such as {@code 1}
   * @param bars which bars were tested, in words
   * @param returns total return of each seed's agent, in the order of the seeds
   * @param buyAndHold total return of buy-and-hold
   */
  public record Fold(String name, String bars, double[] returns, double buyAndHold) {}

  public Spread {
    seeds = List.copyOf(seeds);
    folds = List.copyOf(folds);
    stitched = List.copyOf(stitched);
    for (Fold fold : folds) {
      if (fold.returns().length != seeds.size()) {
        throw new IllegalArgumentException(
            "fold %s has %d returns for %d seeds"
                .formatted(fold.name(), fold.returns().length, seeds.size()));
      }
    }
  }
}
