package io.quantail.market.split;

import java.util.List;

/**
 * One split of a combinatorial purged cross-validation.
 *
 * @param testGroups groups that are tested, in ascending order
 * @param test bars of each of these groups
 * @param train training bars, one range for each group that has any left; an episode lies inside
 *     one range
 */
public record PurgedSplit(List<Integer> testGroups, List<BarRange> test, List<BarRange> train) {
  public PurgedSplit {
    testGroups = List.copyOf(testGroups);
    test = List.copyOf(test);
    train = List.copyOf(train);
  }
}
