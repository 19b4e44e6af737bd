package io.quantail.app.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.execution.FilledOrder;
import io.quantail.market.limits.LimitCounts;
import io.quantail.market.performance.AccountCurve;
import io.quantail.market.performance.CalendarReturns;
import io.quantail.market.performance.Performance;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;

/** Parts of pages, with numbers computed by hand. */
@Requirement("REP-1")
class PageTest {
  private static final LimitCounts NONE = new LimitCounts(0, 0, 0, 0, 0, 0);
  private static final long DAY = 86_400_000L;

  @Test
  void shouldWriteDataThatCannotEndAScript() {
    Chart.Series series =
        Chart.Series.line(
            "</script>&'", "agent", new double[] {1, 2.5}, new double[] {Double.NaN, 1.0 / 3});
    Chart chart =
        Chart.of(Chart.Axis.time(), Chart.Axis.value("number", ""), List.of(series, series));
    String json = PageData.json(List.of(chart));
    assertThat(json).doesNotContain("<", ">", "&", "'");
    assertThat(json).contains("\"y\":[null,0.3333333]", "\\u003C/script\\u003E");
    assertThat(json).as("positions are written once").endsWith("\"positions\":[[1,2.5]]}");
    assertThat(json.split("\"x\":0,", -1)).hasSize(3);
  }

  @Test
  void shouldWriteNumbersWithUnits() {
    assertThat(NumberText.change(0.0123)).isEqualTo("+1.23 %");
    assertThat(NumberText.change(-0.5)).isEqualTo("−50.00 %");
    assertThat(NumberText.change(0)).isEqualTo("0.00 %");
    assertThat(NumberText.change(-0.00001)).isEqualTo("0.00 %");
    assertThat(NumberText.share(-0.0)).isEqualTo("0.00 %");
    assertThat(NumberText.change(2e9)).isEqualTo("+2.0e+11 %");
    assertThat(NumberText.share(Double.NaN)).isEqualTo("n/a");
    assertThat(NumberText.decimal(Double.POSITIVE_INFINITY)).isEqualTo("∞");
    assertThat(NumberText.general(0.000012)).isEqualTo("1.200e−05");
    assertThat(NumberText.general(1138.5)).isEqualTo("1,138.50");
    assertThat(NumberText.time(0)).isEqualTo("1970-01-01 00:00");
  }

  @Test
  void shouldThinLongSeriesWithoutLosingSpikes() {
    assertThat(SeriesThinning.of(2000).range()).isEqualTo(1);
    SeriesThinning thinning = SeriesThinning.of(5001);
    assertThat(thinning.range()).isEqualTo(6);
    assertThat(thinning.points()).isEqualTo(2 * 834 + 2);
    double[] values = new double[5001];
    Arrays.setAll(values, i -> i);
    values[4] = -7;
    values[8] = 9_999;
    values[4999] = Double.NaN;
    // The first value; of 0 to 5 the highest and the lowest in order, of 6 to 11 …; the last value.
    assertThat(thinning.values(values)).startsWith(0, -7, 5, 6, 9_999).endsWith(4998, 5000, 5000);
    assertThat(thinning.positions(IntStream.range(0, 5001).asDoubleStream().toArray()))
        .startsWith(0, 0, 5, 6, 11)
        .endsWith(4998, 5000, 5000);
    assertThat(thinning.note())
        .isEqualTo(" Of each 6 bars the lowest and the highest value are drawn.");
  }

  /** No spike is lost, whatever the length: the extremes of a series are those of its points. */
  @Test
  void shouldKeepTheExtremesOfAnySeries() {
    RandomStream random = RandomStream.of(8, "thinning", 0);
    for (int size : new int[] {1, 2, 1999, 2001, 2003, 4000, 9_999}) {
      double[] values = new double[size];
      Arrays.setAll(values, i -> random.nextGaussian());
      SeriesThinning thinning = SeriesThinning.of(size);
      double[] thin = thinning.values(values);
      assertThat(thin).hasSize(thinning.points()).hasSizeLessThanOrEqualTo(2002);
      assertThat(Arrays.stream(thin).min()).isEqualTo(Arrays.stream(values).min());
      assertThat(Arrays.stream(thin).max()).isEqualTo(Arrays.stream(values).max());
      double[] places = thinning.positions(IntStream.range(0, size).asDoubleStream().toArray());
      assertThat(places).isSorted();
    }
  }

  @Test
  void shouldComputeHistogramsWithCommonColumns() {
    double[] first = new double[100];
    first[0] = -0.3;
    first[1] = 0.3;
    double[] second = new double[100];
    Histogram histogram = Histogram.of(List.of(first, second));
    assertThat(histogram.places()).hasSize(61);
    assertThat(histogram.places()[30]).isZero();
    assertThat(Arrays.stream(histogram.fractions().get(0)).sum()).isCloseTo(1, within(1e-12));
    assertThat(histogram.fractions().get(1)[30]).isCloseTo(1, within(1e-12));
    assertThat(histogram.fractions().get(0)[30]).isCloseTo(0.98, within(1e-12));
    assertThat(histogram.fractions().get(0)[0]).isCloseTo(0.01, within(1e-12));
  }

  /** A bar that closes at midnight belongs to the day before. */
  @Test
  void shouldDivideReturnsByPeriod() {
    long start = Instant.parse("2024-01-30T12:00:00Z").toEpochMilli();
    long[] times = {start, start + DAY / 2, start + DAY, start + DAY + DAY / 2, start + 2 * DAY};
    double[] equity = {110, 121, 121, 60.5, 121};
    BacktestResult result = result("agent", times, equity, List.of());
    Map<LocalDate, Double> days = CalendarReturns.of(AccountCurve.of(result), day -> day);
    assertThat(days.keySet())
        .containsExactly(
            LocalDate.parse("2024-01-30"),
            LocalDate.parse("2024-01-31"),
            LocalDate.parse("2024-02-01"));
    assertThat(days.values().stream().toList())
        .satisfiesExactly(
            first -> assertThat(first).isCloseTo(0.21, within(1e-12)),
            second -> assertThat(second).isCloseTo(-0.5, within(1e-12)),
            third -> assertThat(third).isCloseTo(1, within(1e-12)));
    Map<LocalDate, Double> months =
        CalendarReturns.of(AccountCurve.of(result), day -> day.withDayOfMonth(1));
    assertThat(months.get(LocalDate.parse("2024-01-01"))).isCloseTo(-0.395, within(1e-12));
  }

  @Test
  void shouldShowMonthsOfLongData() {
    int days = 400;
    long start = Instant.parse("2023-01-01T00:00:00Z").toEpochMilli();
    long[] times = new long[days];
    double[] equity = new double[days];
    for (int i = 0; i < days; i++) {
      times[i] = start + (i + 1) * DAY;
      equity[i] = 100 + i;
    }
    Element parent = new Element("div");
    CalendarSection.add(parent, SheetAccount.of(List.of(comparison(times, equity, List.of()))));
    assertThat(parent.select("h2").text()).isEqualTo("Returns by month");
    assertThat(parent.select("thead th")).hasSize(15);
    assertThat(parent.select("tbody th").eachText()).containsExactly("2023", "2024");
    // 31 days of January: from 100 to 130; the last of 2023 is day 365: 464.
    assertThat(parent.select("tbody tr").first().select("td.gain").eachText())
        .hasSize(14)
        .startsWith("+30.0")
        .endsWith("+364.0", "+364.0");
  }

  @Test
  void shouldLimitTradesAndCountOmittedOnes() {
    List<FilledOrder> trades = new ArrayList<>();
    for (int i = 0; i < 1310; i++) {
      trades.add(new FilledOrder(i * 60_000L, i, i % 2 == 0 ? 1 : -1, 100, 101, 100, 0.1));
    }
    Element parent = new Element("div");
    TradeSection.add(parent, comparison(new long[] {DAY}, new double[] {100}, trades));
    assertThat(parent.select("tbody tr")).hasSize(300);
    assertThat(parent.select("p").text())
        .startsWith("The last 300 of 1,310 filled orders; 1,010 earlier ones are omitted");
    assertThat(parent.select("tbody th").last().text()).isEqualTo(NumberText.time(1309 * 60_000L));
    assertThat(parent.select("td[data-value]").first().attr("data-value")).isEqualTo("1.0");
  }

  @Test
  void shouldShowFoldsAndSeeds() {
    Document page =
        Jsoup.parse(WalkForwardReport.page("walk-001", "It lost.", false, spread()).html());
    assertThat(page.select("h1.bad").text()).isEqualTo("It lost.");
    assertThat(page.select("thead").first().select("th").eachText())
        .containsExactly(
            "fold",
            "bars",
            "seed 1",
            "seed 2",
            "seed 3",
            "median",
            "worst",
            "best",
            "buy-and-hold");
    assertThat(page.select("tbody").first().select("tr").eachText())
        .containsExactly(
            "1 first half +1.00 % −2.00 % +5.00 % +1.00 % −2.00 % +5.00 % +3.00 %",
            "2 second half 0.00 % +4.00 % +2.00 % +2.00 % 0.00 % +4.00 % −1.00 %",
            "all one after the other +1.00 % +2.00 % +7.00 % +2.00 % +1.00 % +7.00 % +2.00 %");
    assertThat(page.select("h3").eachText()).containsExactly("Equity", "Return of each fold");
  }

  private static SpreadData spread() {
    double[] times = {0, DAY};
    return new SpreadData(
        List.of("seed 1", "seed 2", "seed 3"),
        List.of(
            new SpreadData.Fold("1", "first half", new double[] {0.01, -0.02, 0.05}, 0.03),
            new SpreadData.Fold("2", "second half", new double[] {0, 0.04, 0.02}, -0.01)),
        List.of(
            new Curve("seed 1", times, new double[] {0, 0.01}),
            new Curve("seed 2", times, new double[] {0, 0.02}),
            new Curve("seed 3", times, new double[] {0, 0.07})),
        new Curve("buy-and-hold", times, new double[] {0, 0.02}));
  }

  @Test
  void shouldRefuseFoldsWithoutAReturnForEachSeed() {
    assertThatThrownBy(
            () ->
                new SpreadData(
                    List.of("1", "2"),
                    List.of(new SpreadData.Fold("7", "", new double[] {0.1}, 0)),
                    List.of(),
                    new Curve("buy-and-hold", new double[0], new double[0])))
        .hasMessage("fold 7 has 1 returns for 2 seeds");
  }

  private static BaselineComparison comparison(
      long[] times, double[] equity, List<FilledOrder> trades) {
    return new BaselineComparison(
        List.of(
            entry(result(BaselineComparison.AGENT, times, equity, trades)),
            entry(result(BaselineComparison.BUY_AND_HOLD, times, equity, List.of()))));
  }

  private static BaselineComparison.Entry entry(BacktestResult result) {
    return new BaselineComparison.Entry(result, Performance.of(result, 1));
  }

  private static BacktestResult result(
      String policy, long[] times, double[] equity, List<FilledOrder> trades) {
    double[] zero = new double[times.length];
    BacktestResult.Series series =
        new BacktestResult.Series(times, zero, zero, zero, equity, zero, zero, zero, zero);
    return new BacktestResult(
        "A", policy, new BacktestResult.Start(0, 1, 100), 365, series, trades, NONE, false);
  }

  @Test
  void shouldAddSymbolsWithDifferentBars() {
    BaselineComparison first = held(new long[] {1, 3}, 110, 120);
    BaselineComparison second = held(new long[] {2, 3}, 80, 100);
    Curve curve =
        WalkForwardReport.curve("both", List.of(first, second), BaselineComparison.BUY_AND_HOLD);
    assertThat(curve.x()).containsExactly(0, 1, 2, 3);
    assertThat(curve.y()).containsExactly(new double[] {0, 0.05, -0.05, 0.1}, within(1e-12));
  }

  private static BaselineComparison held(long[] times, double... equity) {
    double[] zero = new double[times.length];
    BacktestResult account =
        new BacktestResult(
            "A",
            BaselineComparison.BUY_AND_HOLD,
            new BacktestResult.Start(0, 1, 100),
            365,
            new BacktestResult.Series(times, zero, zero, zero, equity, zero, zero, zero, zero),
            List.of(),
            new LimitCounts(0, 0, 0, 0, 0, 0),
            false);
    return new BaselineComparison(
        List.of(new BaselineComparison.Entry(account, Performance.of(account, 1))));
  }
}
