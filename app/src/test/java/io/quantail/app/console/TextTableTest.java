package io.quantail.app.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
