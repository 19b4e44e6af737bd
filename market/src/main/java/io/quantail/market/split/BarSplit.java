package io.quantail.market.split;

import java.util.List;
import java.util.Locale;

/**
 * Division of the bars of a symbol into training, validation and test.
 *
 * @param training ranges of bars for training, in order of time; an episode lies inside one of
 *     them; empty if the symbol joins after the training
 * @param validation bars for choosing agents and settings; may be empty
 * @param tests ranges of bars for the final, out-of-sample evaluation, in order of time; each is a
 *     pass of its own
 * @param purged whether this is a split of a purged cross-validation: whatever training observes is
 *     computed from training bars alone, and a pass ends with a sale at its last close
 */
public record BarSplit(
    List<BarRange> training, BarRange validation, List<BarRange> tests, boolean purged) {
  public BarSplit {
    training = List.copyOf(training);
    tests = List.copyOf(tests);
  }

  /**
   * A split with one range for each part, in order of time.
   *
   * @param train bars for training
   * @param validation bars for choosing agents and settings; may be empty
   * @param test bars for the final, out-of-sample evaluation
   */
  public BarSplit(BarRange train, BarRange validation, BarRange test) {
    this(List.of(train), validation, List.of(test), false);
  }

  /** The ranges of a part. */
  public List<BarRange> ranges(SplitPart split) {
    return switch (split) {
      case TRAIN -> training;
      case VALIDATION -> List.of(validation);
      case TEST -> tests;
    };
  }

  /**
   * The range of a part.
   *
   * @throws IllegalStateException if the part has several; see {@link #ranges}
   */
  public BarRange range(SplitPart split) {
    List<BarRange> ranges = ranges(split);
    if (ranges.size() != 1) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the part %s must have one range of bars, has %d",
              split,
              ranges.size()));
    }
    return ranges.get(0);
  }

  /** The range of the training bars; see {@link #range}. */
  public BarRange train() {
    return range(SplitPart.TRAIN);
  }

  /** The range of the test bars; see {@link #range}. */
  public BarRange test() {
    return range(SplitPart.TEST);
  }
}
