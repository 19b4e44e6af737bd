package io.quantail.rollout;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts consecutive rows into sequences that a recurrent network may process in one piece.
 *
 * <p>A sequence starts at the first row, at every episode start and wherever the environment
 * changes. Nothing is padded: every row belongs to exactly one sequence. {@code SequenceSplitTest}
 * pins it.
 *
 * @param starts first row of each sequence, ascending
 * @param lengths number of rows of each sequence, each at least 1
 */
public record SequenceSplit(int[] starts, int[] lengths) {
  /**
   * Splits the rows.
   *
   * @param episodeStart whether a row is the first of an episode
   * @param environmentChange whether a row belongs to another environment than the row before
   */
  public static SequenceSplit of(boolean[] episodeStart, boolean[] environmentChange) {
    if (episodeStart.length == 0) {
      throw new IllegalArgumentException("there must be at least one row to split, got none");
    }
    if (episodeStart.length != environmentChange.length) {
      throw new IllegalArgumentException(
          "episodeStart and environmentChange must have one flag per row, but have "
              + episodeStart.length
              + " and "
              + environmentChange.length);
    }
    List<Integer> starts = new ArrayList<>();
    for (int row = 0; row < episodeStart.length; row++) {
      if (row == 0 || episodeStart[row] || environmentChange[row]) {
        starts.add(row);
      }
    }
    return fromStarts(starts.stream().mapToInt(Integer::intValue).toArray(), episodeStart.length);
  }

  /** Number of sequences. */
  public int count() {
    return starts.length;
  }

  private static SequenceSplit fromStarts(int[] starts, int rows) {
    int[] lengths = new int[starts.length];
    for (int sequence = 0; sequence < starts.length; sequence++) {
      int end = sequence + 1 < starts.length ? starts[sequence + 1] : rows;
      lengths[sequence] = end - starts[sequence];
    }
    return new SequenceSplit(starts, lengths);
  }
}
