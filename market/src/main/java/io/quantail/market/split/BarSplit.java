package io.quantail.market.split;

/**
 * Division of the bars of a symbol into training, validation and test.
 *
 * @param train bars for training
 * @param validation bars for choosing agents and settings; may be empty
 * @param test bars for the final, out-of-sample evaluation
 */
public record BarSplit(BarRange train, BarRange validation, BarRange test) {
  /** The range of a part. */
  public BarRange range(SplitPart split) {
    return switch (split) {
      case TRAIN -> train;
      case VALIDATION -> validation;
      case TEST -> test;
    };
  }
}
