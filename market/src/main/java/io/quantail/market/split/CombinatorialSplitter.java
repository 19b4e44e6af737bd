package io.quantail.market.split;

import io.quantail.evidence.EvidenceException;
import io.quantail.market.data.DataException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Combinatorial purged cross-validation: every choice of k of N groups of bars is tested once, by
 * an agent trained on the other groups.
 *
 * <p>Group g has the bars {@code [floor(g T / N), floor((g + 1) T / N))}. Training bars are all
 * bars outside the test except {@code purge} bars before the start and {@code embargo} bars after
 * the end of every tested group. The p-th split that tests group g serves path p, so there are
 * {@code C(N - 1, k - 1)} whole paths. Paths share training bars: their dispersion is no confidence
 * interval, and most agents were trained partly on the future of the bars on which they are tested.
 *
 * <p>See: López de Prado, "Advances in Financial Machine Learning", 2018, chapter 12. Pinned by the
 * vectors {@code purged_*}.
 */
public final class CombinatorialSplitter {
  /** Each split is a training. */
  private static final int MOST_SPLITS = 10_000;

  private CombinatorialSplitter() {}

  /** The bars embargoed by default: one more than the longest window of a feature. */
  public static int defaultEmbargo(int longestWindow) {
    return longestWindow + 1;
  }

  /**
   * Refuses an embargo within which features of training bars look back into the test.
   *
   * @param longestWindow bars of the longest window of a feature
   */
  public static void requireEmbargo(int embargo, int longestWindow) {
    if (embargo < longestWindow) {
      throw new DataException(
          String.format(
              Locale.ROOT,
              "market.split.embargoBars must be at least the longest window of a feature, %d bars,"
                  + " because features of later training bars look back into the test; was %d; set 0"
                  + " for the default of %d",
              longestWindow,
              embargo,
              defaultEmbargo(longestWindow)));
    }
  }

  /** The number of splits, C(groups, testGroups). */
  public static BigInteger count(int groups, int testGroups) {
    BigInteger count = BigInteger.ONE;
    for (int i = 0; i < testGroups; i++) {
      count = count.multiply(BigInteger.valueOf(groups - i)).divide(BigInteger.valueOf(i + 1));
    }
    return count;
  }

  /** The tested groups of each split, in lexicographic order. */
  public static List<List<Integer>> choices(int groups, int testGroups) {
    if (testGroups < 1 || testGroups >= groups) {
      throw new DataException(
          String.format(
                  Locale.ROOT,
                  "a purged cross-validation must test at least 1 group and train on at least 1; %d of %d",
                  testGroups,
                  groups)
              + " groups cannot be tested");
    }
    List<List<Integer>> choices = new ArrayList<>();
    int[] chosen = new int[testGroups];
    Arrays.setAll(chosen, i -> i);
    while (chosen[0] <= groups - testGroups) {
      if (choices.size() == MOST_SPLITS) {
        throw new DataException(
            String.format(
                Locale.ROOT,
                "%d of %d groups make more than %d splits, each of which is a training; use fewer groups",
                testGroups,
                groups,
                MOST_SPLITS));
      }
      choices.add(Arrays.stream(chosen).boxed().toList());
      advance(chosen, groups);
    }
    return choices;
  }

  /** The next choice; beyond the last one the first group is too high. */
  private static void advance(int[] chosen, int groups) {
    int moved = chosen.length - 1;
    while (moved > 0 && chosen[moved] == groups - chosen.length + moved) {
      moved--;
    }
    chosen[moved]++;
    for (int i = moved + 1; i < chosen.length; i++) {
      chosen[i] = chosen[i - 1] + 1;
    }
  }

  /** {@code paths[p][g]} is the split whose agent is tested on group g in path p. */
  public static int[][] paths(int groups, int testGroups) {
    List<List<Integer>> choices = choices(groups, testGroups);
    int[][] paths = new int[choices.size() * testGroups / groups][groups];
    int[] next = new int[groups];
    for (int split = 0; split < choices.size(); split++) {
      for (int group : choices.get(split)) {
        paths[next[group]++][group] = split;
      }
    }
    return paths;
  }

  /** First bar of each group, and the number of bars. */
  public static int[] edges(int bars, int groups) {
    int[] edges = new int[groups + 1];
    Arrays.setAll(edges, group -> (int) ((long) group * bars / groups));
    return edges;
  }

  /**
   * All splits, in the order of {@link #choices}.
   *
   * @param purge bars omitted before each tested group
   * @param embargo bars omitted after each tested group; see {@link #requireEmbargo}
   * @throws EvidenceException if a split has no bar left to train on
   */
  public static List<PurgedSplit> splits(
      int bars, int groups, int testGroups, int purge, int embargo) {
    return choices(groups, testGroups).stream()
        .map(choice -> split(bars, groups, choice, purge, embargo))
        .toList();
  }

  /**
   * The split that tests some groups.
   *
   * @param choice tested groups, from 0 on, in ascending order
   * @param purge bars omitted before each tested group
   * @param embargo bars omitted after each tested group; see {@link #requireEmbargo}
   * @throws EvidenceException if no bar is left to train on
   */
  public static PurgedSplit split(
      int bars, int groups, List<Integer> choice, int purge, int embargo) {
    int[] edges = edges(bars, groups);
    boolean[] usable = usable(edges, choice, purge, embargo);
    List<BarRange> train = new ArrayList<>();
    for (int group = 0; group < groups; group++) {
      addRanges(usable, edges[group], edges[group + 1], train);
    }
    if (train.isEmpty()) {
      throw new EvidenceException(
          EvidenceException.Kind.NO_TRAINING_BARS,
          String.format(
              Locale.ROOT,
              "the split that tests the groups %s of %d has no bar left to train on: %d bars, %d"
                  + " purged and %d embargoed at each tested group; use more bars, fewer groups or"
                  + " shorter features",
              numbers(choice),
              groups,
              bars,
              purge,
              embargo));
    }
    List<BarRange> test =
        choice.stream().map(group -> new BarRange(edges[group], edges[group + 1])).toList();
    return new PurgedSplit(choice, test, train);
  }

  /** Numbers of groups as users read them, from 1 on. */
  private static List<Integer> numbers(List<Integer> groups) {
    return groups.stream().map(group -> group + 1).toList();
  }

  private static boolean[] usable(int[] edges, List<Integer> choice, int purge, int embargo) {
    boolean[] usable = new boolean[edges[edges.length - 1]];
    Arrays.fill(usable, true);
    for (int group : choice) {
      int from = Math.max(0, edges[group] - purge);
      int to = (int) Math.min(usable.length, (long) edges[group + 1] + embargo);
      Arrays.fill(usable, from, to, false);
    }
    return usable;
  }

  private static void addRanges(boolean[] usable, int from, int to, List<BarRange> ranges) {
    int start = from;
    while (start < to) {
      int end = start;
      while (end < to && usable[end]) {
        end++;
      }
      if (end > start) {
        ranges.add(new BarRange(start, end));
      }
      start = end + 1;
    }
  }
}
