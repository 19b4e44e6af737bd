package io.quantail.config;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How names are compared and written: enum constants, and the nearest name to a misspelt one. */
public final class SettingNames {
  private SettingNames() {}

  /** The name without case, {@code -} and {@code _}. */
  public static String fold(String name) {
    return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
  }

  /** {@code LEAKY_RELU} is written {@code leaky-relu}. */
  public static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static List<String> written(Class<?> enumType) {
    return Arrays.stream(enumType.getEnumConstants())
        .map(constant -> written((Enum<?>) constant))
        .toList();
  }

  /**
   * The candidate with the fewest edits from the name, if that is few enough to be a slip: at most
   * a third of its letters, and at least one is forgiven. Ties go to the first candidate.
   */
  public static Optional<String> nearest(String name, Collection<String> candidates) {
    String folded = fold(name);
    String best = null;
    int fewest = Math.max(1, folded.length() / 3) + 1;
    for (String candidate : candidates) {
      int edits = edits(folded, fold(candidate));
      if (edits < fewest) {
        fewest = edits;
        best = candidate;
      }
    }
    return Optional.ofNullable(best);
  }

  /**
   * Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other.
   *
   * <p>See: Damerau, "A technique for computer detection and correction of spelling errors", 1964
   * (here the optimal string alignment variant). {@code SettingNamesTest} pins it.
   */
  public static int edits(String from, String to) {
    int[][] distance = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        distance[i][j] = i == 0 ? j : j == 0 ? i : cell(from, to, distance, i, j);
      }
    }
    return distance[from.length()][to.length()];
  }

  private static int cell(String from, String to, int[][] distance, int i, int j) {
    int substitution = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
    int best = Math.min(distance[i - 1][j], distance[i][j - 1]) + 1;
    best = Math.min(best, distance[i - 1][j - 1] + substitution);
    boolean swapped =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return swapped ? Math.min(best, distance[i - 2][j - 2] + 1) : best;
  }
}
