package io.quantail.market.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.market.data.GapFinder.Kind;
import io.quantail.testing.Requirement;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@Requirement("DATA-3")
class GapFinderTest {
  private static final long DAY = 86_400_000L;
  private static final long HOUR = 3_600_000L;

  @Test
  void shouldExplainGapsOfDailyBars() {
    // 1 September 2023 is a Friday; Labor Day is the 4th; the 6th and 11th to 18th are missing.
    assertThat(
            kinds(
                DAY,
                closes(
                    "2023-09-01",
                    "2023-09-05",
                    "2023-09-07",
                    "2023-09-08",
                    "2023-09-19",
                    "2023-09-20",
                    "2023-09-21",
                    "2023-09-22",
                    "2023-09-25")))
        .containsExactly(Kind.HOLIDAY, Kind.HOLIDAY, Kind.UNEXPLAINED, Kind.WEEKEND);
  }

  @Test
  void shouldNotTakeAnOutageOfAMarketWithoutWeekendsForAWeekend() {
    assertThat(
            kinds(
                DAY, closes("2023-09-02", "2023-09-03", "2023-09-08", "2023-09-11", "2023-09-12")))
        .containsExactly(Kind.UNEXPLAINED, Kind.UNEXPLAINED);
  }

  @Test
  void shouldTellNightsFromMissingBars() {
    List<Long> times = new ArrayList<>();
    long monday = LocalDate.of(2023, 9, 4).toEpochDay() * DAY;
    for (int day = 0; day < 12; day++) {
      if (day % 7 >= 5) {
        continue;
      }
      for (int hour = 14; hour <= 20; hour++) {
        if (day != 2 || hour != 17) {
          times.add(monday + day * DAY + hour * HOUR);
        }
      }
    }
    List<GapFinder.Gap> gaps =
        GapFinder.of(times.stream().mapToLong(Long::longValue).toArray(), HOUR);
    assertThat(gaps).filteredOn(gap -> gap.kind() == Kind.NIGHT).hasSize(8);
    assertThat(gaps).filteredOn(gap -> gap.kind() == Kind.WEEKEND).hasSize(1);
    assertThat(gaps)
        .filteredOn(gap -> gap.kind() == Kind.UNEXPLAINED)
        .containsExactly(new GapFinder.Gap(17, HOUR, Kind.UNEXPLAINED));
  }

  private static long[] closes(String... days) {
    long[] times = new long[days.length];
    for (int i = 0; i < days.length; i++) {
      times[i] = Instant.parse(days[i] + "T00:00:00Z").toEpochMilli() + DAY;
    }
    return times;
  }

  private static List<Kind> kinds(long length, long[] times) {
    return GapFinder.of(times, length).stream().map(GapFinder.Gap::kind).toList();
  }
}
