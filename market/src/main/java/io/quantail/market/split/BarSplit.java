package io.quantail.market.split;

/**
 * One way to divide the bars of a symbol.
 *
 * @param train what is learnt from
 * @param validation what choices are made on; may be empty
 * @param test what is reported, out of sample
 */
public record BarSplit(BarRange train, BarRange validation, BarRange test) {
  public BarRange range(SplitPart split) {
    return switch (split) {
      case TRAIN -> train;
      case VALIDATION -> validation;
      case TEST -> test;
    };
  }
}
