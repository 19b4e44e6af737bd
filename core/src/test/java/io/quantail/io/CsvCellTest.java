package io.quantail.io;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvCellTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "AAPL|AAPL",
        "''|''",
        "a,b|\"a,b\"",
        "'a b'|'\"a b\"'",
        "say \"x\"|\"say \"\"x\"\"\""
      })
  void shouldQuoteWhereNeeded(String text, String cell) {
    assertThat(CsvCell.quote(text)).isEqualTo(cell);
  }

  @Test
  void shouldDivideALineIntoItsCells() {
    assertThat(CsvCell.split("\"A, \"\"B\"\"\", agent,,1", ','))
        .containsExactly("A, \"B\"", "agent", "", "1");
    for (String text : new String[] {"plain", "a,b", "say \"x\"", ""}) {
      assertThat(CsvCell.split(CsvCell.quote(text) + ";2", ';')).containsExactly(text, "2");
    }
  }
}
