package io.quantail.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private long nanos;

  /** Steps as far as {@code steps} at a constant rate, one update per second. */
  private void run(ProgressLine line, long from, long to, int perSecond) {
    for (long steps = from + perSecond; steps <= to; steps += perSecond) {
      nanos += 1_000_000_000L;
      line.update(steps, List.of("return 1.0", "entropy 0.50"));
    }
  }

  private ProgressLine line(boolean redraws) {
    return new ProgressLine(
        new PrintStream(bytes, true, StandardCharsets.UTF_8), redraws, () -> nanos);
  }

  private List<String> lines() {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void shouldPrintALineAtEveryTenthWithoutATerminal() {
    ProgressLine line = line(false);
    line.start(0, 1000);
    run(line, 0, 1000, 10);

    assertThat(lines()).hasSize(10);
    assertThat(lines().get(0))
        .isEqualTo(" 10 %  100 steps  10/s  1 min 30 s left  return 1.0  entropy 0.50");
    assertThat(lines().get(9)).isEqualTo("100 %  1,000 steps  10/s  return 1.0  entropy 0.50");
  }

  @Test
  void shouldLeaveFiveSecondsBetweenLinesOfAShortRun() {
    ProgressLine line = line(false);
    line.start(0, 1000);
    run(line, 0, 1000, 100); // ten seconds, a tenth in each

    assertThat(lines())
        .extracting(text -> text.substring(0, 5))
        .containsExactly(" 10 %", " 60 %", "100 %");
  }

  @Test
  void shouldPrintALineEveryMinuteOfALongRun() {
    ProgressLine line = line(false);
    line.start(0, 1_000_000);
    run(line, 0, 3000, 10);

    assertThat(lines()).hasSize(5).allSatisfy(text -> assertThat(text).startsWith("  0 %"));
  }

  @Test
  void shouldShowTheSpeedOfTheLastSecondsAndTheTimeLeftAtIt() {
    ProgressLine line = line(true);
    line.start(0, 10_000);
    run(line, 0, 5000, 100);
    assertThat(last()).contains(" 50 %", "  100/s  50 s left");
    run(line, 5000, 5200, 10); // twenty seconds at a tenth of the speed
    assertThat(last()).contains(" 52 %", "  10/s  8 min 0 s left");
  }

  @Test
  void shouldNotCountStepsOfBeforeAResume() {
    ProgressLine line = line(true);
    line.start(9000, 10_000);
    run(line, 9000, 9100, 100);

    assertThat(last()).contains(" 91 %", "  100/s  9 s left");
  }

  @Test
  void shouldLeaveOutDetailsThatDoNotFit() {
    System.setProperty(Terminal.COLUMNS, "60");
    try {
      ProgressLine line = line(true);
      line.start(0, 1000);
      run(line, 0, 100, 100);
      assertThat(last()).hasSizeLessThan(60).contains("return 1.0").doesNotContain("entropy");
    } finally {
      System.clearProperty(Terminal.COLUMNS);
    }
  }

  @Test
  void shouldPrintALineAboveTheProgressAndRemoveItAtTheEnd() {
    ProgressLine line = line(true);
    line.show("preparing …");
    line.print("quantail: warning: something");
    line.end();

    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualToNormalizingNewlines(
            "\r\u001b[Kpreparing …\r\u001b[Kquantail: warning: something\npreparing …\r\u001b[K");
  }

  @Test
  void shouldNotShowAnActivityWithoutATerminal() {
    ProgressLine line = line(false);
    line.show("preparing …");
    line.print("quantail: note");
    line.end();

    assertThat(lines()).containsExactly("quantail: note");
  }

  /** What stands on the terminal's line. */
  private String last() {
    String all = bytes.toString(StandardCharsets.UTF_8);
    return all.substring(all.lastIndexOf("\u001b[K") + 3);
  }
}
