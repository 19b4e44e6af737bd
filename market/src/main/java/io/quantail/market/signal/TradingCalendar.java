package io.quantail.market.signal;

import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * When a market trades, as its bars suggest: the weekdays, the closes of each weekday and the
 * holidays.
 *
 * <ul>
 *   <li>Days and times of day are those of the zone, among {@value #ZONE_NAMES}, in which the
 *       closes of the bars fall on the fewest times of the week, so that a change to summer time
 *       moves nothing; of equal ones the first.
 *   <li>A bar belongs to the day that contains its middle. A weekday is traded if at least half of
 *       these weekdays in the last {@value #WEEKS} weeks have a bar, or if the data contain none.
 *   <li>A weekday has the closes that at least half of its last {@value #DAYS} traded days have;
 *       the first and the last day of the data may be incomplete and do not count. A weekday that
 *       the data do not contain has those of the other days.
 *   <li>A day is a holiday if the data contain its date, its place among the same weekdays of the
 *       month, or its distance from Easter in at least {@value #YEARS} years, on traded weekdays,
 *       and never with a bar. Holidays that move otherwise are not known.
 * </ul>
 *
 * Tested by {@code TradingCalendarTest}.
 */
public final class TradingCalendar {
  static final String ZONE_NAMES = "UTC, America/New_York, Europe/London";
  static final int WEEKS = 52;
  static final int DAYS = 8;
  static final int YEARS = 3;
  private static final List<ZoneId> ZONES =
      List.of(ZONE_NAMES.split(", ")).stream().map(ZoneId::of).toList();
  private static final int MOST_BARS = 200_000; // enough to see both summer and winter time
  private static final int HORIZON = 21; // days; no market is closed for longer
  private static final Duration DAY = Duration.ofDays(1);

  private final Bars bars;
  private final ZoneId zone;
  private final TreeSet<LocalDate> traded = new TreeSet<>();
  private final Map<DayOfWeek, List<Duration>> closes = new EnumMap<>(DayOfWeek.class);
  private final Set<String> holidays = new HashSet<>();

  private TradingCalendar(Bars bars) {
    this.bars = bars;
    this.zone = zone(bars);
    TreeMap<LocalDate, Set<Duration>> days = new TreeMap<>();
    for (int t = 0; t < bars.size(); t++) {
      LocalDate day = day(bars.time(t));
      days.computeIfAbsent(day, any -> new TreeSet<>()).add(close(day, bars.time(t)));
    }
    traded.addAll(days.keySet());
    if (bars.barMillis() < DAY.toMillis()) { // the data may begin and end within a day
      days.remove(traded.first());
      days.remove(traded.last());
    }
    for (DayOfWeek weekday : DayOfWeek.values()) {
      if (isTraded(weekday)) {
        closes.put(weekday, usual(weekday, days.descendingMap()));
      }
    }
    findHolidays();
  }

  /**
   * Finds the calendar of a market.
   *
   * @param bars all bars that are known, at least one
   */
  public static TradingCalendar of(Bars bars) {
    return new TradingCalendar(bars);
  }

  private static ZoneId zone(Bars bars) {
    ZoneId best = ZONES.get(0);
    int fewest = Integer.MAX_VALUE;
    int from = Math.max(0, bars.size() - MOST_BARS);
    for (ZoneId candidate : ZONES) {
      Set<Long> times = new HashSet<>();
      for (int t = from; t < bars.size(); t++) {
        Instant close = Instant.ofEpochMilli(bars.time(t));
        long local = bars.time(t) + 1000L * candidate.getRules().getOffset(close).getTotalSeconds();
        times.add(Math.floorMod(local, 7 * DAY.toMillis()));
      }
      if (times.size() < fewest) {
        fewest = times.size();
        best = candidate;
      }
    }
    return best;
  }

  /** The day of a bar. */
  private LocalDate day(long close) {
    return Instant.ofEpochMilli(close - bars.barMillis() / 2).atZone(zone).toLocalDate();
  }

  /** Time on the clock from the start of a day to a close. */
  private Duration close(LocalDate day, long close) {
    LocalDateTime local = LocalDateTime.ofInstant(Instant.ofEpochMilli(close), zone);
    return Duration.between(day.atStartOfDay(), local);
  }

  private boolean isTraded(DayOfWeek weekday) {
    LocalDate last = traded.last();
    LocalDate first = traded.first();
    LocalDate from = last.minusWeeks(WEEKS);
    int possible = 0;
    int found = 0;
    for (LocalDate day = from.isBefore(first) ? first : from;
        !day.isAfter(last);
        day = day.plusDays(1)) {
      if (day.getDayOfWeek() == weekday) {
        possible++;
        found += traded.contains(day) ? 1 : 0;
      }
    }
    return 2 * found >= possible;
  }

  /** The closes that at least half of the last days have; of all weekdays if there is no such. */
  private static List<Duration> usual(
      DayOfWeek weekday, NavigableMap<LocalDate, Set<Duration>> newestFirst) {
    List<Set<Duration>> days =
        newestFirst.entrySet().stream()
            .filter(day -> day.getKey().getDayOfWeek() == weekday)
            .limit(DAYS)
            .map(Map.Entry::getValue)
            .toList();
    if (days.isEmpty()) {
      days = newestFirst.values().stream().limit(DAYS).toList();
    }
    Map<Duration, Integer> counts = new TreeMap<>();
    days.forEach(day -> day.forEach(close -> counts.merge(close, 1, Integer::sum)));
    int size = days.size();
    return counts.entrySet().stream()
        .filter(close -> 2 * close.getValue() >= size)
        .map(Map.Entry::getKey)
        .toList();
  }

  private void findHolidays() {
    Map<String, Integer> without = new HashMap<>();
    Set<String> with = new HashSet<>();
    for (LocalDate day = traded.first(); day.isBefore(traded.last()); day = day.plusDays(1)) {
      if (closes.containsKey(day.getDayOfWeek())) {
        for (String name : names(day)) {
          if (traded.contains(day)) {
            with.add(name);
          } else {
            without.merge(name, 1, Integer::sum);
          }
        }
      }
    }
    without.forEach(
        (name, years) -> {
          if (years >= YEARS && !with.contains(name)) {
            holidays.add(name);
          }
        });
  }

  /** What a day has in common with the days of other years on which a holiday could return. */
  private static List<String> names(LocalDate day) {
    String weekday = day.getMonthValue() + " " + day.getDayOfWeek();
    List<String> names = new ArrayList<>();
    names.add("date " + day.getMonthValue() + "-" + day.getDayOfMonth());
    names.add("number " + (day.getDayOfMonth() - 1) / 7 + " " + weekday);
    names.add("Easter " + (day.toEpochDay() - easter(day.getYear()).toEpochDay()));
    if (day.plusWeeks(1).getMonthValue() != day.getMonthValue()) {
      names.add("last " + weekday);
    }
    return names;
  }

  /** Western Easter Sunday. See: Anonymous, "A New York Correspondent", Nature 13, 1876. */
  private static LocalDate easter(int year) {
    int a = year % 19;
    int b = year / 100;
    int c = year % 100;
    int d = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30;
    int e = (32 + 2 * (b % 4) + 2 * (c / 4) - d - c % 4) % 7;
    int f = d + e - 7 * ((a + 11 * d + 22 * e) / 451) + 114;
    return LocalDate.of(year, f / 31, f % 31 + 1);
  }

  /** Whether all seven weekdays are traded. */
  public boolean isAlwaysOpen() {
    return closes.size() == DayOfWeek.values().length;
  }

  /**
   * The close that is expected after the last bar.
   *
   * @return milliseconds since 1970 (UTC)
   */
  public long nextClose() {
    long last = bars.time(bars.size() - 1);
    long earliest = last + bars.barMillis() / 2;
    if (bars.barMillis() > DAY.toMillis()) {
      return last + bars.barMillis();
    }
    LocalDate from = day(last);
    return from.datesUntil(from.plusDays(HORIZON))
        .filter(day -> names(day).stream().noneMatch(holidays::contains))
        .flatMap(
            day ->
                closes.getOrDefault(day.getDayOfWeek(), List.of()).stream()
                    .map(close -> millis(day, close)))
        .filter(close -> close > earliest)
        .min(Comparator.naturalOrder())
        .orElse(last + bars.barMillis());
  }

  /**
   * Refuses bars that are too old or not finished at the time of a decision.
   *
   * <p>A bar whose close is in the future is not finished. Bars of a day are an exception where
   * weekdays are not traded: their nominal close is often midnight, hours after that of the market.
   *
   * @param now time of the decision
   * @throws DataException if a newer bar is expected, or if the last bar is not finished
   */
  public void requireCurrent(Instant now) {
    Instant last = Instant.ofEpochMilli(bars.time(bars.size() - 1));
    Instant next = Instant.ofEpochMilli(nextClose());
    if (!now.isBefore(next)) {
      throw new DataException(
          "the last bar of %s closed at %s, and at %s the bar that closes at %s should be there; add newer bars, or give the time of a replay with --now"
              .formatted(bars.symbol(), last, second(now), next));
    }
    boolean nominal = bars.barMillis() >= DAY.toMillis() && !isAlwaysOpen();
    if (now.isBefore(nominal ? last.minusMillis(bars.barMillis()) : last)) {
      throw new DataException(
          "the last bar of %s closes at %s, which is after the time of the decision, %s; leave out bars that are not finished"
              .formatted(bars.symbol(), last, second(now)));
    }
  }

  /** The time of a clock, without digits that nobody reads. */
  private static Instant second(Instant now) {
    return now.truncatedTo(ChronoUnit.SECONDS);
  }

  private long millis(LocalDate day, Duration close) {
    return Objects.requireNonNull(day.atStartOfDay().plus(close))
        .atZone(zone)
        .toInstant()
        .toEpochMilli();
  }
}
