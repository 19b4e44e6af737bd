package io.quantail.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;

/** The tear sheet of generated accounts: its sections, and the size of a page of many bars. */
@Requirement("REP-2")
class TearSheetTest {
  private static final int MOST_BYTES = 5_000_000;

  @Test
  void shouldHaveEverySectionOfASymbol() {
    Document page = Jsoup.parse(SheetFixture.page(1_500, 1440));
    assertThat(page.select("h2").eachText())
        .containsExactly(
            "Price, fills and weight",
            "Equity and drawdown",
            "Returns by month",
            "Sharpe ratio, volatility and beta of the last 183 bars",
            "Distribution of returns",
            "Costs, turnover and positions",
            "Regimes",
            "Numbers");
    assertThat(page.select("table.months thead th")).hasSize(15);
    assertThat(page.select("table.months tbody th").eachText())
        .containsExactly("2015", "2016", "2017", "2018", "2019");
    assertThat(page.select("h3:containsOwn(Deepest) + div tbody tr")).hasSize(5);
    assertThat(page.select("th:containsOwn(median holding) + td").text()).isNotEmpty();
    assertThat(page.text()).doesNotContain("NaN", "round trip");
    assertThat(page.select("figure:has(.chart)"))
        .hasSizeGreaterThan(4)
        .allMatch(figure -> figure.select("button.save").size() == 2);
  }

  /** The picture at the top states the numbers that it draws, without scripts. */
  @Test
  void shouldBeginWithThePictureOfLimitAndDrawdown() {
    Document page = Jsoup.parse(SheetFixture.page(1_500, 1440));
    assertThat(page.select(".kept h3").eachText())
        .satisfiesExactly(
            limit -> assertThat(limit).matches("CVaR 5 % of bars: limit −2\\.00 %, (kept|broken)"),
            year -> assertThat(year).matches("Drawdown in 20\\d\\d: agent −\\S+ %, held −\\S+ %"));
    double limit = place(page, "line.limit", "x1");
    double measured = place(page, "circle.agent", "cx");
    String kept = page.select(".kept h3").first().text();
    assertThat(measured > limit).as("right of the limit").isEqualTo(kept.endsWith("kept"));
    assertThat(place(page, "line.interval", "x1")).isLessThan(measured);
    assertThat(place(page, "line.interval", "x2")).isGreaterThan(measured);
    assertThat(page.select(".kept path.agent:not(.area)").attr("d")).startsWith("M0 ");
  }

  private static double place(Document page, String shape, String coordinate) {
    return Double.parseDouble(page.select(".kept " + shape).attr(coordinate));
  }

  /** Pages of longer series are as long: the number of points of a series is bounded. */
  @Test
  void shouldStaySmallWithManyBars() throws IOException {
    String html = SheetFixture.page(20_000, 60);
    assertThat(html.getBytes(StandardCharsets.UTF_8).length).isLessThan(MOST_BYTES);
    JsonNode data = new ObjectMapper().readTree(Jsoup.parse(html).getElementById("data").data());
    for (JsonNode values : data.findValues("y")) {
      assertThat(values.size()).isLessThanOrEqualTo(2_002);
    }
    for (JsonNode positions : data.get("positions")) {
      assertThat(positions.size()).isLessThanOrEqualTo(2_002);
    }
  }
}
