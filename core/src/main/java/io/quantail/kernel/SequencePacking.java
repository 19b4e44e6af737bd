package io.quantail.kernel;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The order in which sequences of different lengths are evaluated together: the longest first, so
 * that the sequences with a row at any time are the first ones and nothing has to be padded. The
 * rows of a sequence are neighbours.
 */
public final class SequencePacking {
  private final int[] starts; // by descending length
  private final int[] lengths;
  private final int[] order; // sequence at each position of the order
  private final int rows;

  /**
   * @param starts first row of each sequence
   * @param lengths number of rows of each sequence, at least 1
   */
  public SequencePacking(int[] starts, int[] lengths) {
    this(starts, lengths, byDescendingLength(lengths));
  }

  private SequencePacking(int[] starts, int[] lengths, int[] order) {
    this.order = order;
    this.starts = new int[order.length];
    this.lengths = new int[order.length];
    int sum = 0;
    for (int place = 0; place < order.length; place++) {
      this.starts[place] = starts[order[place]];
      this.lengths[place] = lengths[order[place]];
      sum += lengths[place];
    }
    rows = sum;
  }

  private static int[] byDescendingLength(int[] lengths) {
    return IntStream.range(0, lengths.length)
        .boxed()
        .sorted(Comparator.comparing(sequence -> -lengths[sequence]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Sequences of one row each: one step of as many environments. */
  public static SequencePacking singleStep(int sequences) {
    int[] lengths = new int[sequences];
    Arrays.fill(lengths, 1);
    int[] rows = new int[sequences];
    Arrays.setAll(rows, row -> row);
    return new SequencePacking(rows, lengths, rows);
  }

  public int rows() {
    return rows;
  }

  int sequences() {
    return starts.length;
  }

  int longest() {
    return lengths[0];
  }

  /** Number of sequences that have a row at this time. */
  int running(int time) {
    int count = 0;
    while (count < lengths.length && lengths[count] > time) {
      count++;
    }
    return count;
  }

  /** The index of the given sequence at a position of the order by length. */
  int sequence(int place) {
    return order[place];
  }

  int row(int place, int time) {
    return starts[place] + time;
  }

  int lastRow(int place) {
    return starts[place] + lengths[place] - 1;
  }
}
