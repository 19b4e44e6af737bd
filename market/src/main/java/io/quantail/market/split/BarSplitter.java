package io.quantail.market.split;

import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Divides bars into training, validation and test by time.
 *
 * <p>Purged bars are removed from the end of training and validation, embargoed bars from the
 * beginning of the part that follows, so that no window of a feature or return reaches across a
 * border. Dates outside the data are refused, never replaced. With {@code market.split.joinBars} a
 * symbol may begin later than the training: it takes part from that many bars on, and in no part
 * before. Tested by {@code BarSplitterTest}.
 */
public final class BarSplitter {
  private static final int FEWEST = 2;
  private static final long DAY = 24L * 3600 * 1000;

  private BarSplitter() {}

  /**
   * Divides the bars of a symbol.
   *
   * @throws DataException if dates are outside the data or a part has fewer than two bars
   */
  public static BarSplit split(Bars bars, SplitSettings settings) {
    long first = bars.time(0);
    long last = bars.time(bars.size() - 1);
    List<TimeRange> spans =
        settings.by() == SplitSettings.By.FRACTIONS
            ? TimeRange.divide(first, last, settings.train(), settings.validation())
            : dates(bars, settings);
    return fold(bars, spans, settings);
  }

  /** Whether a symbol begins later than the training and may join. */
  private static boolean joins(Bars bars, SplitSettings settings) {
    return settings.by() == SplitSettings.By.DATES
        && settings.joinBars() > 0
        && beginsAfter(bars, TimeRange.parse(settings.trainDates()));
  }

  /** Whether a range begins before the bars; the first day of the data may be incomplete. */
  private static boolean beginsAfter(Bars bars, TimeRange span) {
    return span.from() < bars.time(0) - bars.barMillis() - DAY;
  }

  private static List<TimeRange> dates(Bars bars, SplitSettings settings) {
    List<String> problems = new ArrayList<>();
    boolean joins = joins(bars, settings);
    TimeRange train = span(bars, "market.split.trainDates", settings.trainDates(), joins, problems);
    boolean validated = !settings.validationDates().isBlank();
    TimeRange test = span(bars, "market.split.testDates", settings.testDates(), joins, problems);
    TimeRange validation =
        validated
            ? span(
                bars, "market.split.validationDates", settings.validationDates(), joins, problems)
            : new TimeRange(train.to() + 1, train.to());
    List<TimeRange> spans = List.of(train, validation, test);
    if (validation.from() <= train.to() || test.from() <= validation.to()) {
      problems.add(
          "market.split: training, validation and test must follow each other without overlap, were "
              + spans);
    }
    if (!problems.isEmpty()) {
      throw new DataException(String.join("; ", problems));
    }
    return spans;
  }

  private static TimeRange span(
      Bars bars, String path, String dates, boolean joins, List<String> problems) {
    TimeRange span = TimeRange.parse(dates);
    long last = bars.time(bars.size() - 1);
    boolean tooEarly = beginsAfter(bars, span) && !joins;
    if (tooEarly || span.to() > last + DAY) {
      problems.add(
          "%s (%s) lies outside the bars of %s; choose dates within %s/%s%s"
              .formatted(
                  path,
                  dates,
                  bars.symbol(),
                  Instant.ofEpochMilli(bars.time(0) - bars.barMillis()),
                  Instant.ofEpochMilli(last),
                  tooEarly ? ", or set market.split.joinBars if it joins later" : ""));
    }
    return span;
  }

  private static BarSplit fold(Bars bars, List<TimeRange> spans, SplitSettings settings) {
    boolean validated = !spans.get(1).isEmpty();
    int purge = settings.purgeBars();
    int embargo = settings.embargoBars();
    BarRange train = cut(range(bars, spans.get(0)), 0, purge);
    BarRange validation =
        validated
            ? cut(range(bars, spans.get(1)), embargo, purge)
            : new BarRange(train.to(), train.to());
    BarRange test = cut(range(bars, spans.get(2)), embargo, 0);
    if (joins(bars, settings)) {
      return joined(bars, train, validation, test, settings.joinBars());
    }
    require(bars, "training", train);
    if (validated) {
      require(bars, "validation", validation);
    }
    require(bars, "the test", test);
    return new BarSplit(train, validation, test);
  }

  /** A symbol that takes part from its bar number {@code joinBars} on. */
  private static BarSplit joined(
      Bars bars, BarRange train, BarRange validation, BarRange test, int joinBars) {
    BarRange learnt = since(train, joinBars - 1);
    BarRange judged = since(test, joinBars - 1);
    require(bars, "the test", judged);
    return new BarSplit(
        learnt.size() == 0 ? List.of() : List.of(learnt),
        since(validation, joinBars - 1),
        List.of(judged),
        false);
  }

  /** The bars of a range from some bar on; none if fewer than two are left. */
  private static BarRange since(BarRange range, int bar) {
    int from = Math.min(range.to(), Math.max(range.from(), bar));
    return range.to() - from < FEWEST
        ? new BarRange(range.to(), range.to())
        : new BarRange(from, range.to());
  }

  private static BarRange cut(BarRange range, int atStart, int atEnd) {
    int from = Math.min(range.to(), range.from() + atStart);
    return new BarRange(from, Math.max(from, range.to() - atEnd));
  }

  private static void require(Bars bars, String what, BarRange range) {
    if (range.size() < FEWEST) {
      throw new DataException(
          String.format(
                  Locale.ROOT,
                  "market.split leaves %d bars of %s for %s, at least %d are needed; change market.split or",
                  range.size(),
                  bars.symbol(),
                  what,
                  FEWEST)
              + " use more bars");
    }
  }

  /** The bars that close within a time range. */
  private static BarRange range(Bars bars, TimeRange span) {
    int from = firstAtOrAfter(bars, span.from());
    return new BarRange(from, Math.max(from, firstAtOrAfter(bars, span.to() + 1)));
  }

  /** The first bar that closes at or after a time; the number of bars if there is none. */
  static int firstAtOrAfter(Bars bars, long time) {
    int low = 0;
    int high = bars.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (bars.time(middle) < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
