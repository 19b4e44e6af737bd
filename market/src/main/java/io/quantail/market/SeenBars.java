package io.quantail.market;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quantail.evidence.BarDays;
import io.quantail.market.data.Bars;
import io.quantail.market.split.BarRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Bars that an agent has learnt from, recognised in any file by the hashes of their days: an
 * evaluation on them is in sample. Validation bars count if the agent was chosen by them.
 *
 * <p>A bar is one of them if the hash of its whole day is known and its close lies in the range. A
 * day of which files hold different bars, at the beginning or the end of a file, is not recognised.
 * Tested by {@code SeenBarsTest}.
 *
 * @param own ranges of bars of the training of a run
 * @param inherited ranges of bars of all its ancestors; null if it has none, and then the scaling
 *     of its features is its own
 */
public record SeenBars(
    List<Range> own, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Range> inherited) {
  /**
   * Refuses a file without ranges.
   *
   * @param own ranges of bars of the training of a run
   * @param inherited ranges of bars of all its ancestors; null if it has none
   */
  public SeenBars {
    own = List.copyOf(Objects.requireNonNull(own, "seen.own"));
    inherited = inherited == null ? null : List.copyOf(inherited);
  }

  /**
   * Consecutive bars of one symbol.
   *
   * @param from close of the first bar, ISO-8601 (UTC)
   * @param to close of the last bar, ISO-8601 (UTC)
   * @param days hashes of the whole days of these bars, see {@link BarDays#hashes}
   */
  public record Range(String from, String to, List<String> days) {
    /**
     * Refuses what is no time.
     *
     * @param from close of the first bar, ISO-8601 (UTC)
     * @param to close of the last bar, ISO-8601 (UTC)
     * @param days hashes of the whole days of these bars
     */
    public Range {
      Instant.parse(from);
      Instant.parse(to);
      days = List.copyOf(days);
    }

    static Range of(Bars bars, BarRange range) {
      return new Range(
          Instant.ofEpochMilli(bars.time(range.from())).toString(),
          Instant.ofEpochMilli(bars.time(range.to() - 1)).toString(),
          List.copyOf(dayHashes(bars, range).values()));
    }
  }

  /**
   * Bars of an evaluation that the agent had learnt from.
   *
   * @param bars their number
   * @param of number of all bars of the evaluation
   * @param last close of the last of them, ISO-8601 (UTC)
   */
  public record Overlap(int bars, int of, String last) {
    /** {@return the number of bars in words, for sentences that begin "The agent learnt from"} */
    public String text() {
      return String.format(Locale.ROOT, "%,d of these %,d bars, the last of %s", bars, of, last);
    }
  }

  /** All ranges. */
  List<Range> all() {
    return inherited == null
        ? own
        : Stream.concat(own.stream(), inherited.stream()).distinct().toList();
  }

  /** The ranges of several symbols; those without bars are left out. */
  static List<Range> ranges(List<Bars> bars, List<List<BarRange>> ranges) {
    List<Range> seen = new ArrayList<>();
    for (int symbol = 0; symbol < bars.size(); symbol++) {
      for (BarRange range : ranges.get(symbol)) {
        if (range.size() > 0) {
          seen.add(Range.of(bars.get(symbol), range));
        }
      }
    }
    return seen;
  }

  /**
   * Finds bars that were seen.
   *
   * @param seen ranges of bars that an agent has learnt from
   * @param bars of each symbol
   * @param judged closes of the bars of an evaluation on each symbol, in ascending order
   * @return null if none was seen
   */
  static @Nullable Overlap overlap(List<Range> seen, List<Bars> bars, List<long[]> judged) {
    int count = 0;
    int all = 0;
    long last = Long.MIN_VALUE;
    for (int symbol = 0; symbol < bars.size(); symbol++) {
      long[] times = judged.get(symbol);
      all += times.length;
      if (seen.isEmpty() || times.length == 0) {
        continue;
      }
      Map<Long, String> days = dayHashes(bars.get(symbol), covering(bars.get(symbol), times));
      boolean[] found = new boolean[times.length];
      for (Range range : seen) {
        mark(range, times, days, found);
      }
      for (int t = 0; t < times.length; t++) {
        if (found[t]) {
          count++;
          last = Math.max(last, times[t]);
        }
      }
    }
    return count == 0 ? null : new Overlap(count, all, Instant.ofEpochMilli(last).toString());
  }

  private static void mark(Range range, long[] times, Map<Long, String> days, boolean[] found) {
    LinkedHashSet<String> known = new LinkedHashSet<>(range.days);
    long from = Instant.parse(range.from).toEpochMilli();
    long to = Instant.parse(range.to).toEpochMilli();
    for (int t = 0; t < times.length; t++) {
      if (times[t] >= from && times[t] <= to && known.contains(days.get(BarDays.day(times[t])))) {
        found[t] = true;
      }
    }
  }

  private static BarRange covering(Bars bars, long[] times) {
    int from = 0;
    while (bars.time(from) < times[0]) {
      from++;
    }
    int to = from;
    while (to < bars.size() && bars.time(to) <= times[times.length - 1]) {
      to++;
    }
    return new BarRange(from, to);
  }

  /** The hash of each whole day that has a bar in the range, by the day. */
  private static Map<Long, String> dayHashes(Bars bars, BarRange range) {
    int from = range.from();
    while (from > 0 && BarDays.day(bars.time(from - 1)) == BarDays.day(bars.time(range.from()))) {
      from--;
    }
    int to = range.to();
    while (to < bars.size()
        && BarDays.day(bars.time(to)) == BarDays.day(bars.time(range.to() - 1))) {
      to++;
    }
    int size = to - from;
    long[] times = new long[size];
    double[][] prices = new double[4][size];
    for (int t = 0; t < size; t++) {
      times[t] = bars.time(from + t);
      prices[0][t] = bars.open(from + t);
      prices[1][t] = bars.high(from + t);
      prices[2][t] = bars.low(from + t);
      prices[3][t] = bars.close(from + t);
    }
    Iterator<String> hashes =
        BarDays.hashes(times, prices[0], prices[1], prices[2], prices[3]).iterator();
    Map<Long, String> days = new TreeMap<>();
    for (long time : times) {
      days.computeIfAbsent(BarDays.day(time), day -> hashes.next());
    }
    return days;
  }
}
