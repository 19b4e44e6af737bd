package io.quantail.market.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsBuilder;
import io.quantail.market.data.BarsOptions;
import io.quantail.market.data.BarsReader;
import io.quantail.market.data.DataException;
import io.quantail.testing.Requirement;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the next bar is expected, for markets of all kinds. */
@Requirement("SIG-2")
class TradingCalendarTest {
  private static final long HOUR = 3_600_000L;
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");

  private static Bars bars(long barMillis, List<Instant> closes) {
    BarsBuilder bars = new BarsBuilder("TEST", barMillis);
    closes.forEach(close -> bars.add(close.toEpochMilli(), 100, 101, 99, 100, 5));
    return bars.build();
  }

  private static Instant next(Bars bars) {
    return Instant.ofEpochMilli(TradingCalendar.of(bars).nextClose());
  }

  private static boolean isWorkday(LocalDate day) {
    return day.getDayOfWeek() != DayOfWeek.SATURDAY && day.getDayOfWeek() != DayOfWeek.SUNDAY;
  }

  /** Days to midnight UTC. */
  private static Bars days(String from, String last, Predicate<LocalDate> traded) {
    List<Instant> closes = new ArrayList<>();
    LocalDate.parse(from)
        .datesUntil(LocalDate.parse(last).plusDays(1))
        .filter(traded)
        .forEach(day -> closes.add(day.plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC)));
    return bars(24 * HOUR, closes);
  }

  /** Hours of New York from 9:30 to 15:30. */
  private static Bars sessions(String from, String last, int closesOfLastDay) {
    List<Instant> closes = new ArrayList<>();
    LocalDate end = LocalDate.parse(last);
    LocalDate.parse(from)
        .datesUntil(end.plusDays(1))
        .filter(TradingCalendarTest::isWorkday)
        .forEach(
            day -> {
              for (int hour = 0; hour < (day.equals(end) ? closesOfLastDay : 6); hour++) {
                closes.add(day.atTime(LocalTime.of(10 + hour, 30)).atZone(NEW_YORK).toInstant());
              }
            });
    return bars(HOUR, closes);
  }

  @Test
  void shouldExpectMondayAfterFriday() {
    assertThat(next(days("2024-01-01", "2024-05-17", TradingCalendarTest::isWorkday)))
        .isEqualTo("2024-05-21T00:00:00Z"); // the close of Monday the 20th
    assertThat(next(days("2024-01-01", "2024-05-16", TradingCalendarTest::isWorkday)))
        .isEqualTo("2024-05-18T00:00:00Z");
  }

  @Test
  void shouldExpectTheNextDayOfAMarketThatNeverCloses() {
    Bars always = days("2024-01-01", "2024-05-17", day -> true);
    assertThat(next(always)).isEqualTo("2024-05-19T00:00:00Z");
    assertThat(TradingCalendar.of(always).isAlwaysOpen()).isTrue();
    List<Instant> minutes = new ArrayList<>();
    for (int t = 1; t < 5000; t++) {
      minutes.add(Instant.ofEpochSecond(1_700_000_000L - 1_700_000_000L % 60 + 60L * t));
    }
    assertThat(next(bars(60_000, minutes))).isEqualTo(minutes.get(4998).plusSeconds(60));
  }

  @Test
  void shouldExpectTheNextSession() {
    assertThat(next(sessions("2024-04-01", "2024-05-16", 3))).isEqualTo("2024-05-16T17:30:00Z");
    assertThat(next(sessions("2024-04-01", "2024-05-16", 6))).isEqualTo("2024-05-17T14:30:00Z");
    assertThat(next(sessions("2024-04-01", "2024-05-17", 6))).isEqualTo("2024-05-20T14:30:00Z");
  }

  @Test
  void shouldNotBeMovedBySummerTime() {
    // New York changed on Sunday, 10 March 2024, so closes come an hour earlier in UTC.
    assertThat(next(sessions("2023-09-01", "2024-03-08", 6))).isEqualTo("2024-03-11T14:30:00Z");
    assertThat(next(sessions("2023-09-01", "2024-03-11", 6))).isEqualTo("2024-03-12T14:30:00Z");
    assertThat(next(sessions("2023-09-01", "2024-03-07", 6))).isEqualTo("2024-03-08T15:30:00Z");
  }

  @Test
  void shouldSurviveAHalfDayAndASingleMissingBar() {
    Bars whole = sessions("2024-04-01", "2024-05-17", 6);
    BarsBuilder holes = new BarsBuilder("TEST", HOUR);
    for (int t = 0; t < whole.size(); t++) {
      if (t % 31 != 5) {
        holes.add(whole.time(t), 100, 101, 99, 100, 5);
      }
    }
    assertThat(next(holes.build())).isEqualTo("2024-05-20T14:30:00Z");
  }

  @Test
  void shouldKnowHolidaysThatTheDataShow() {
    // IBM 2000 to 2013: the exchange was closed on these days in every year
    Bars ibm = share("demo:IBM");
    assertThat(after(ibm, "2012-12-24")).as("Christmas").isEqualTo("2012-12-26");
    assertThat(after(ibm, "2012-11-21")).as("Thanksgiving").isEqualTo("2012-11-23");
    assertThat(after(ibm, "2012-05-25")).as("Memorial Day").isEqualTo("2012-05-29");
    assertThat(after(ibm, "2012-04-05")).as("Good Friday").isEqualTo("2012-04-09");
    assertThat(after(ibm, "2012-01-13")).as("Martin Luther King").isEqualTo("2012-01-17");
    assertThat(after(ibm, "2012-07-03")).as("Independence Day").isEqualTo("2012-07-05");
  }

  /** Nearly all days are predicted, of four real markets. */
  @ParameterizedTest
  @ValueSource(strings = {"demo:AAPL", "demo:IBM", "demo:MSFT", "demo:GOOG"})
  void shouldPredictTheNextDayOfRealShares(String name) {
    Bars all = share(name);
    int wrong = 0;
    int from = all.size() - 500;
    for (int t = from; t < all.size() - 1; t++) {
      if (next(all.slice(0, t + 1)).toEpochMilli() != all.time(t + 1)) {
        wrong++;
      }
    }
    // two days of a hurricane in 2012, and holidays that fell on a weekend
    assertThat(wrong).isLessThanOrEqualTo(3);
  }

  @Test
  void shouldRefuseOldAndUnfinishedBars() {
    TradingCalendar shares =
        TradingCalendar.of(days("2024-01-01", "2024-05-17", TradingCalendarTest::isWorkday));
    shares.requireCurrent(Instant.parse("2024-05-17T21:00:00Z")); // closed, but not by name
    shares.requireCurrent(Instant.parse("2024-05-18T00:00:00Z"));
    shares.requireCurrent(Instant.parse("2024-05-19T12:00:00Z"));
    shares.requireCurrent(Instant.parse("2024-05-20T23:59:59Z"));
    assertThatThrownBy(() -> shares.requireCurrent(Instant.parse("2024-05-21T00:00:07.123456789Z")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("closed at 2024-05-18T00:00:00Z")
        .hasMessageContaining("at 2024-05-21T00:00:07Z the bar that closes at")
        .hasMessageContaining("closes at 2024-05-21T00:00:00Z should be there")
        .hasMessageContaining("--now");
    assertThatThrownBy(() -> shares.requireCurrent(Instant.parse("2024-05-16T23:00:00Z")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("not finished");
    TradingCalendar always = TradingCalendar.of(days("2024-01-01", "2024-05-17", day -> true));
    assertThatThrownBy(() -> always.requireCurrent(Instant.parse("2024-05-17T21:00:00Z")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("leave out bars that are not finished");
  }

  private static Bars share(String name) {
    return BarsReader.readAny(name, new BarsOptions("", 0, false, true)).bars();
  }

  private static LocalDate after(Bars bars, String day) {
    long close =
        LocalDate.parse(day).plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
    int last = 0;
    while (bars.time(last) < close - 12 * HOUR) {
      last++;
    }
    return LocalDate.ofInstant(
        next(bars.slice(0, last + 1)).minusSeconds(12 * 3600), ZoneOffset.UTC);
  }
}
