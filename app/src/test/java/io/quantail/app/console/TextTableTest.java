package io.quantail.app.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {

  @Test
  void shouldMakeColumnsAsWideAsTheirLongestCell() {
    TextTable table =
        new TextTable().left("seed").right("return").left("").row("1", "+1.25 %", "best").space();
    table.row("12345", "-10.00 %", "");
    assertThat(table.toString())
        .isEqualToNormalizingNewlines(
            """
              seed     return
              1       +1.25 %  best

              12345  -10.00 %
            """);
  }

  @Test
  void shouldLeaveOutAHeadWithoutNames() {
    assertThat(new TextTable().left("").row("a").toString()).isEqualToNormalizingNewlines("  a\n");
  }

  @Test
  void shouldRefuseRowsOfAnotherLength() {
    assertThatThrownBy(() -> new TextTable().left("a").row("1", "2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a row of 2 cells in a table of 1 columns");
  }

  /** The lines of a table at a width. */
  private static List<String> lines(TextTable table, int width) {
    System.setProperty(Terminal.COLUMNS, String.valueOf(width));
    try {
      return table.toString().lines().toList();
    } finally {
      System.clearProperty(Terminal.COLUMNS);
    }
  }

  @Test
  void shouldBreakHeadsAndTextBeforeNumbers() {
    TextTable table = new TextTable().left("settings").right("maximum drawdown in percent");
    table.row("network.hidden=64 and ppo.epochs=4 and others of that kind", "-10.00 %");

    assertThat(lines(table, 60))
        .containsExactly(
            "                                                     maximum",
            "                                                    drawdown",
            "                                                          in",
            "  settings                                           percent",
            "  network.hidden=64 and ppo.epochs=4 and others of  -10.00 %",
            "  that kind");
  }

  @Test
  void shouldPrintColumnsThatDoNotFitInBlocksBelow() {
    TextTable table = new TextTable().left("");
    String[] cells = new String[9];
    cells[0] = "return";
    for (int run = 1; run < cells.length; run++) {
      table.right("run-" + run);
      cells[run] = "+1234.56 %";
    }

    assertThat(lines(table.row(cells), 60))
        .containsExactly(
            "               run-1       run-2       run-3       run-4",
            "  return  +1234.56 %  +1234.56 %  +1234.56 %  +1234.56 %",
            "",
            "               run-5       run-6       run-7       run-8",
            "  return  +1234.56 %  +1234.56 %  +1234.56 %  +1234.56 %");
    assertThat(lines(table, 120)).hasSize(2);
  }

  @Test
  void shouldNeverBeWiderThanTheTerminal() {
    String list = "[return(1), return(2), return(4), volatility(32), drawdown(64)]";
    for (int runs = 1; runs < 12; runs++) {
      TextTable table = new TextTable().left("settings that differ");
      String[] cells = new String[runs + 1];
      cells[0] = "market.features.of.a.rather.long.name.indeed";
      for (int run = 1; run <= runs; run++) {
        table.right("a-rather-long-name-of-a-run-" + run);
        cells[run] = list;
      }
      table.row(cells);
      for (int width : new int[] {60, 80, 120}) {
        assertThat(lines(table, width))
            .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
        assertThat(String.join("", lines(table, width)).replace(" ", ""))
            .as("nothing is left out")
            .contains("drawdown(64)]");
      }
    }
  }
}
