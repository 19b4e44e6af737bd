package io.quantail.market.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.market.SampleBars;
import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import io.quantail.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;

@Requirement("SPLIT-1")
class BarSplitterTest {
  // Hourly, first close 2024-01-01T01:00, last close 2024-01-06T00:00.
  private static final Bars BARS = SampleBars.random(120, 1);

  private static SplitSettings dates(String train, String validation, String test) {
    return new SplitSettings(
        SplitSettings.By.DATES, 0.7, 0.15, train, validation, test, 0, 0, 6, List.of(), 0);
  }

  @Test
  void shouldDivideByShareOfTime() {
    BarSplit fold = BarSplitter.split(BARS, SplitSettings.defaults());
    // 119 hours between first and last close: 83.3 for training, then 17.85.
    assertThat(fold.train()).isEqualTo(new BarRange(0, 84));
    assertThat(fold.validation()).isEqualTo(new BarRange(84, 102));
    assertThat(fold.test()).isEqualTo(new BarRange(102, 120));
  }

  @Test
  void shouldLeaveOutPurgedAndEmbargoedBars() {
    SplitSettings settings =
        new SplitSettings(SplitSettings.By.FRACTIONS, 0.7, 0.15, "", "", "", 5, 3, 6, List.of(), 0);
    BarSplit fold = BarSplitter.split(BARS, settings);
    assertThat(fold.train()).isEqualTo(new BarRange(0, 79));
    assertThat(fold.validation()).isEqualTo(new BarRange(87, 97));
    assertThat(fold.test()).isEqualTo(new BarRange(105, 120));
  }

  @Test
  void shouldDivideByDatesWholeDaysIncluded() {
    BarSplit fold =
        BarSplitter.split(
            BARS, dates("2024-01-01/2024-01-03", "2024-01-04/2024-01-04", "2024-01-05/2024-01-05"));
    assertThat(fold.train()).isEqualTo(new BarRange(0, 72));
    assertThat(fold.validation()).isEqualTo(new BarRange(72, 96));
    assertThat(fold.test()).isEqualTo(new BarRange(96, 120));
    BarSplit hours =
        BarSplitter.split(
            BARS,
            dates("2024-01-01/2024-01-02T06:00:00Z", "", "2024-01-02T08:00:00+01:00/2024-01-03"));
    assertThat(hours.train().to()).isEqualTo(30);
    assertThat(hours.validation().size()).isZero();
    assertThat(hours.test()).isEqualTo(new BarRange(30, 72));
  }

  @Test
  void shouldRefuseDatesThatDoNotFitAndNeverReplaceThem() {
    assertThatThrownBy(
            () ->
                BarSplitter.split(
                    BARS, dates("2020-01-01/2024-01-03", "", "2024-01-05/2030-01-01")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("market.split.trainDates (2020-01-01/2024-01-03) lies outside")
        .hasMessageContaining("market.split.testDates (2024-01-05/2030-01-01) lies outside");
    assertThatThrownBy(
            () ->
                BarSplitter.split(
                    BARS, dates("2024-01-01/2024-01-04", "", "2024-01-04/2024-01-05")))
        .hasMessageContaining("without overlap");
    assertThatThrownBy(
            () ->
                BarSplitter.split(
                    BARS,
                    dates(
                        "2024-01-01/2024-01-04", "", "2024-01-05T01:10:00Z/2024-01-05T01:20:00Z")))
        .hasMessageContaining("leaves 0 bars");
  }

  @Test
  void shouldLetASymbolJoinLater() {
    String trained = "2023-12-01/2024-01-02";
    String validated = "2024-01-03/2024-01-03";
    String tested = "2024-01-04/2024-01-05";
    BarSplit early = BarSplitter.split(BARS, joining(30, trained, validated, tested));
    assertThat(early.training()).containsExactly(new BarRange(29, 48));
    assertThat(early.validation()).isEqualTo(new BarRange(48, 72));
    assertThat(early.test()).isEqualTo(new BarRange(72, 120));
    BarSplit late = BarSplitter.split(BARS, joining(100, trained, validated, tested));
    assertThat(late.training()).isEmpty();
    assertThat(late.validation().size()).isZero();
    assertThat(late.test()).as("from its bar number 100 on").isEqualTo(new BarRange(99, 120));
    assertThat(late.purged()).isFalse();
    // A symbol that has bars since the first date waits for nothing.
    String since = "2024-01-01/2024-01-02";
    assertThat(BarSplitter.split(BARS, joining(100, since, validated, tested)))
        .isEqualTo(BarSplitter.split(BARS, dates(since, validated, tested)));
    assertThatThrownBy(() -> BarSplitter.split(BARS, joining(120, trained, validated, tested)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("leaves 0 bars of WALK1 for the test");
    assertThatThrownBy(() -> BarSplitter.split(BARS, dates(trained, validated, tested)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("or set market.split.joinBars if it joins later");
  }

  private static SplitSettings joining(int bars, String train, String validation, String test) {
    return new SplitSettings(
        SplitSettings.By.DATES, 0.7, 0.15, train, validation, test, 0, 0, 6, List.of(), bars);
  }

  @Test
  void shouldWalkForwardWithoutLosingOrRepeatingTestBars() {
    List<BarSplit> folds = WalkForwardSplitter.folds(1003, forward(4, 500, false), 7, 2);
    assertThat(folds).hasSize(4);
    int border = 500;
    for (BarSplit fold : folds) {
      assertThat(fold.train()).isEqualTo(new BarRange(border - 500, border - 7));
      assertThat(fold.test().from()).isEqualTo(border + 2);
      border = fold.test().to();
    }
    assertThat(border).isEqualTo(1003);
    List<BarSplit> anchored = WalkForwardSplitter.folds(1003, forward(4, 0, true), 0, 0);
    assertThat(anchored).allMatch(fold -> fold.train().from() == 0);
    assertThat(anchored.get(0).train().to()).isEqualTo(501);
    assertThat(anchored.get(3).test().to()).isEqualTo(1003);
    assertThatThrownBy(() -> WalkForwardSplitter.folds(20, forward(4, 10, false), 0, 1))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("20 bars do not make 4 folds");
  }

  private static WalkForwardSettings forward(int folds, int trainBars, boolean anchored) {
    return new WalkForwardSettings(
        folds, trainBars, anchored, 3, WalkForwardSettings.Scheme.FORWARD, 6, 2);
  }
}
