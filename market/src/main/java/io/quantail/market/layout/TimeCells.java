package io.quantail.market.layout;

import io.quantail.market.layout.LayoutAnswers.Dates;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Detects how the times of a column are written. */
final class TimeCells {
  private static final String CLOCK =
      "(?:(?<join>[T ])(?<h>\\d{1,2}):(?<mi>\\d{2})(?::(?<s>\\d{2})(?<f>\\.\\d+)?)?)?";
  private static final Pattern ISO =
      Pattern.compile(
          "(?<y>\\d{4})-(?<m>\\d{2})-(?<d>\\d{2})"
              + CLOCK
              + "(?<zone> ?UTC|Z|[+-]\\d{2}(:?\\d{2})?)?");
  private static final Pattern YEAR_FIRST =
      Pattern.compile("(?<y>\\d{4})(?<sep>[./])(?<m>\\d{1,2})\\k<sep>(?<d>\\d{1,2})" + CLOCK);
  private static final Pattern YEAR_LAST =
      Pattern.compile("(?<d>\\d{1,2})(?<sep>[./-])(?<m>\\d{1,2})\\k<sep>(?<y>\\d{4})" + CLOCK);
  private static final String MONTHS =
      "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december";
  private static final Pattern NAMED_LAST =
      Pattern.compile(
          "(?i)(?<d>\\d{1,2})(?<sep>[ ./-])(?<name>" + MONTHS + ")\\k<sep>(?<y>\\d{4})" + CLOCK);
  private static final Pattern NAMED_FIRST =
      Pattern.compile(
          "(?i)(?<name>" + MONTHS + ")(?<sep> )(?<d>\\d{1,2})(?<comma>,?) (?<y>\\d{4})" + CLOCK);
  private static final Pattern COMPACT =
      Pattern.compile(
          "(?<y>(?:19|20)\\d{2})(?<m>0\\d|1[0-2])(?<d>[0-2]\\d|3[01])(?:(?<join> ?)(?<h>\\d{2}):?(?<mi>\\d{2})(?::?(?<s>\\d{2}))?)?");
  private static final Pattern NUMBER = Pattern.compile("\\d{9,19}(\\.\\d+)?");

  /**
   * How times are written.
   *
   * @param format value of {@code market.data.layout.timeFormat}
   * @param clock whether times have a time of day other than midnight
   * @param zoned whether times state their zone, or are numbers since 1970
   * @param orderUnclear whether day and month may be exchanged
   * @param sessions whether most days begin at 09:30 and no bar is later than 16:00
   */
  record Guess(
      String format, boolean clock, boolean zoned, boolean orderUnclear, boolean sessions) {}

  private TimeCells() {}

  /** Whether a cell may be a time. */
  static boolean isTime(String cell) {
    return NUMBER.matcher(cell).matches()
        || ISO.matcher(cell).matches()
        || YEAR_FIRST.matcher(cell).matches()
        || YEAR_LAST.matcher(cell).matches()
        || NAMED_LAST.matcher(cell).matches()
        || NAMED_FIRST.matcher(cell).matches()
        || COMPACT.matcher(cell).matches();
  }

  /** Whether a cell may be a time of day: {@code 09:30}, {@code 09:30:00} or {@code 093000}. */
  static boolean isClock(String cell) {
    return cell.matches("\\d{1,2}:\\d{2}(:\\d{2})?|[0-2]\\d[0-5]\\d([0-5]\\d)?");
  }

  /** The form of times; null if the cells have no common form that is known. */
  static @Nullable Guess of(List<String> cells, @Nullable Dates order) {
    if (all(cells, COMPACT)) {
      return compact(cells);
    }
    if (all(cells, NUMBER)) {
      String whole = cells.get(cells.size() / 2).replaceFirst("\\..*", "");
      String unit =
          whole.length() <= 11
              ? "seconds"
              : whole.length() <= 14
                  ? "milliseconds"
                  : whole.length() <= 17 ? "microseconds" : "nanoseconds";
      return new Guess(unit, true, true, false, false);
    }
    if (all(cells, ISO)) {
      return iso(cells);
    }
    if (all(cells, YEAR_FIRST)) {
      Matcher first = match(YEAR_FIRST, cells.get(0));
      String sep = first.group("sep");
      return written(cells, YEAR_FIRST, "%Y" + sep + "%m" + sep + "%d", false, false);
    }
    if (all(cells, NAMED_LAST)) {
      String sep = match(NAMED_LAST, cells.get(0)).group("sep");
      return written(
          cells, NAMED_LAST, "%d" + sep + month(cells, NAMED_LAST) + sep + "%Y", false, false);
    }
    if (all(cells, NAMED_FIRST)) {
      String comma = match(NAMED_FIRST, cells.get(0)).group("comma");
      return written(
          cells, NAMED_FIRST, month(cells, NAMED_FIRST) + " %d" + comma + " %Y", false, false);
    }
    return all(cells, YEAR_LAST) ? yearLast(cells, order) : null;
  }

  /** Short or long names of months; May is both. */
  private static String month(List<String> cells, Pattern form) {
    return cells.stream().allMatch(cell -> match(form, cell).group("name").length() == 3)
        ? "%b"
        : "%B";
  }

  private static boolean all(List<String> cells, Pattern pattern) {
    return !cells.isEmpty() && cells.stream().allMatch(cell -> pattern.matcher(cell).matches());
  }

  private static Matcher match(Pattern pattern, String cell) {
    Matcher matcher = pattern.matcher(cell);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(cell);
    }
    return matcher;
  }

  private static Guess compact(List<String> cells) {
    Matcher first = match(COMPACT, cells.get(0));
    String clock = "";
    if (first.group("h") != null) {
      String colon = cells.get(0).contains(":") ? ":" : "";
      String seconds = first.group("s") == null ? "" : colon + "%S";
      clock = first.group("join") + "%H" + colon + "%M" + seconds;
    }
    Guess dates = written(cells, COMPACT, "%Y%m%d", false, false);
    return new Guess("%Y%m%d" + clock, dates.clock(), false, false, dates.sessions());
  }

  private static Guess iso(List<String> cells) {
    Matcher first = match(ISO, cells.get(0));
    String zone = first.group("zone") == null ? "" : first.group("zone");
    if (zone.endsWith("UTC") || (first.group("h") != null && first.group("s") == null)) {
      String join = String.valueOf(first.group("join"));
      String seconds = first.group("s") == null ? "" : ":%S";
      String pattern = "%Y-%m-%d" + join + "%H:%M" + seconds + zone;
      boolean clock = written(cells, ISO, "", false, false).clock();
      return new Guess(pattern, clock, !zone.isEmpty(), false, false);
    }
    Guess found = written(cells, ISO, "", false, false);
    boolean plain = cells.stream().allMatch(cell -> cell.length() == 10);
    return new Guess(
        plain ? "date" : "iso", found.clock(), !zone.isEmpty(), false, found.sessions());
  }

  private static @Nullable Guess yearLast(List<String> cells, @Nullable Dates answer) {
    boolean dayFirst = false;
    boolean monthFirst = false;
    for (String cell : cells) {
      Matcher cellMatch = match(YEAR_LAST, cell);
      dayFirst |= Integer.parseInt(cellMatch.group("d")) > 12;
      monthFirst |= Integer.parseInt(cellMatch.group("m")) > 12;
    }
    if (dayFirst && monthFirst) {
      return null;
    }
    String sep = match(YEAR_LAST, cells.get(0)).group("sep");
    boolean unclear = !dayFirst && !monthFirst && answer == null && !sep.equals(".");
    boolean day = dayFirst || (!monthFirst && (answer == Dates.DAY_FIRST || sep.equals(".")));
    String pattern = (day ? "%d" + sep + "%m" : "%m" + sep + "%d") + sep + "%Y";
    return written(cells, YEAR_LAST, pattern, unclear, !day);
  }

  /** The pattern with the form of the clock, and what the times of day show. */
  private static Guess written(
      List<String> cells, Pattern form, String date, boolean unclear, boolean exchanged) {
    Matcher first = match(form, cells.get(0));
    String clock =
        first.group("h") == null
            ? ""
            : first.group("join") + "%H:%M" + (first.group("s") == null ? "" : ":%S");
    boolean noon = false;
    Map<LocalDate, LocalTime> starts = new TreeMap<>();
    LocalTime last = LocalTime.MIN;
    for (String cell : cells) {
      LocalDateTime time = time(match(form, cell), exchanged);
      noon |= !time.toLocalTime().equals(LocalTime.MIDNIGHT);
      starts.merge(time.toLocalDate(), time.toLocalTime(), (a, b) -> a.isBefore(b) ? a : b);
      last = time.toLocalTime().isAfter(last) ? time.toLocalTime() : last;
    }
    return new Guess(date + clock, noon, false, unclear, isNewYork(starts, last));
  }

  private static LocalDateTime time(Matcher cell, boolean exchanged) {
    boolean named = cell.pattern() == NAMED_LAST || cell.pattern() == NAMED_FIRST;
    int day = number(cell, exchanged ? "m" : "d");
    int month = named ? monthNumber(cell.group("name")) : number(cell, exchanged ? "d" : "m");
    try {
      return LocalDateTime.of(
          number(cell, "y"), month, day, number(cell, "h"), number(cell, "mi"), number(cell, "s"));
    } catch (DateTimeException wrong) {
      return LocalDateTime.MIN; // the reader reports it with its line
    }
  }

  private static int monthNumber(String name) {
    return List.of(MONTHS.split("\\|")).indexOf(name.substring(0, 3).toLowerCase(Locale.ROOT)) + 1;
  }

  private static int number(Matcher cell, String group) {
    String text = cell.group(group);
    return text == null ? 0 : Integer.parseInt(text);
  }

  private static boolean isNewYork(Map<LocalDate, LocalTime> starts, LocalTime last) {
    Map<LocalTime, Integer> counts = new HashMap<>();
    starts.values().forEach(start -> counts.merge(start, 1, Integer::sum));
    int usual = counts.getOrDefault(LocalTime.of(9, 30), 0);
    return usual >= 3 && usual >= 0.8 * starts.size() && !last.isAfter(LocalTime.of(16, 0));
  }
}
