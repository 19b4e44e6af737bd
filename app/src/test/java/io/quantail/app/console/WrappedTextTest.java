package io.quantail.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WrappedTextTest {
  @BeforeEach
  void makeTheTerminalNarrow() {
    System.setProperty(Terminal.COLUMNS, "60");
  }

  @AfterEach
  void restore() {
    System.clearProperty(Terminal.COLUMNS);
  }

  @Test
  void shouldBreakBetweenWordsButNotBeforeAPercentSign() {
    assertThat(WrappedText.entry("evaluation", "a ".repeat(22) + "12 % of b"))
        .isEqualTo("  evaluation  " + "a ".repeat(21) + "a\n              12 % of b\n");
  }

  @Test
  void shouldLeaveALongPathWhole() {
    String path = "runs/" + "x".repeat(70);
    assertThat(WrappedText.of("report: " + path)).isEqualTo("report:\n" + path + "\n");
  }

  @Test
  void shouldContinueACommandSoThatAShellReadsIt() {
    assertThat(
            WrappedText.command(
                "next",
                "quantail train a.yaml --set network.hidden=64 --set 'ppo.clipRange={from: 1, to: 0}'"))
        .isEqualTo(
            "  next        quantail train a.yaml \\\n"
                + "              --set network.hidden=64 \\\n"
                + "              --set 'ppo.clipRange={from: 1, to: 0}'\n");
  }

  @Test
  void shouldBreakAWordOnlyWhereItIsToldTo() {
    assertThat(WrappedText.lines("abcdefghij", 4)).containsExactly("abcd", "efgh", "ij");
    assertThat(WrappedText.lines("risk.limit=3", 8)).containsExactly("risk.", "limit=3");
  }
}
