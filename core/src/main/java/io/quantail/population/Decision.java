package io.quantail.population;

import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Decides which members copy which: a pure function of scores and random stream.
 *
 * <p>A score that is not finite counts as the worst: such a member always copies and is never
 * copied. Pinned by {@code pbt_truncation_*} and {@code pbt_binary_tournament}.
 *
 * @param sources for each member the member it continues from: itself or another
 */
public record Decision(int[] sources) {

  /** Whether a member copies another. */
  public boolean exploits(int member) {
    return sources[member] != member;
  }

  /**
   * Decides for the members of one generation.
   *
   * @param scores of the members; not finite for those that failed
   * @throws IllegalStateException when no score is finite
   */
  public static Decision of(
      double[] scores, Selection selection, double truncation, RandomStream random) {
    int[] ranking = ranking(scores);
    if (ranking.length == 0) {
      throw new IllegalStateException(
          "no member has a score, so there is no member to continue from");
    }
    int[] sources = IntStream.range(0, scores.length).toArray();
    boolean[] replaced = new boolean[scores.length];
    int[] top = top(ranking, truncation);
    for (int member : bottom(ranking, truncation)) {
      replaced[member] = selection == Selection.TRUNCATION;
    }
    for (int member = 0; member < scores.length; member++) {
      if (!Double.isFinite(scores[member]) || replaced[member]) {
        sources[member] = top[random.nextInt(top.length)];
      } else if (selection == Selection.BINARY_TOURNAMENT) {
        int opponent = opponent(member, scores.length, random);
        sources[member] = copies(scores[member], scores[opponent]) ? opponent : member;
      }
    }
    return new Decision(sources);
  }

  /** Members with a score, the best first; members with equal scores keep their order. */
  static int[] ranking(double[] scores) {
    return IntStream.range(0, scores.length)
        .filter(member -> Double.isFinite(scores[member]))
        .boxed()
        .sorted(Comparator.comparing(member -> -scores[member]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Number of members that copy, and number of members that are copied. */
  static int count(int ready, double truncation) {
    return Math.max(1, (int) Math.floor(ready * truncation));
  }

  static int[] top(int[] ranking, double truncation) {
    return Arrays.copyOf(ranking, Math.min(ranking.length, count(ranking.length, truncation)));
  }

  /** The worst members; none of them is in {@link #top}, and a single member is not here. */
  static int[] bottom(int[] ranking, double truncation) {
    int count = Math.min(ranking.length / 2, count(ranking.length, truncation));
    return Arrays.copyOfRange(ranking, ranking.length - count, ranking.length);
  }

  /** Whether a member copies its opponent, that is whether the opponent is better. */
  static boolean copies(double own, double opponent) {
    return Double.isFinite(opponent) && (!Double.isFinite(own) || opponent > own);
  }

  private static int opponent(int member, int members, RandomStream random) {
    int other = random.nextInt(members - 1);
    return other < member ? other : other + 1;
  }
}
