package io.quantail.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTest {
  @Test
  void shouldTakeTheWidthOfTheTerminalFromSixtyColumnsUp() {
    assertThat(Terminal.width("120")).isEqualTo(120);
    assertThat(Terminal.width("60")).isEqualTo(60);
    assertThat(Terminal.width("12")).isEqualTo(60);
  }

  @Test
  void shouldAssumeEightyColumnsWhenTheWidthIsNotKnown() {
    assertThat(Terminal.width(null)).isEqualTo(80);
    assertThat(Terminal.width("")).isEqualTo(80);
    assertThat(Terminal.width("0")).isEqualTo(80);
    assertThat(Terminal.width("wide")).isEqualTo(80);
  }

  @Test
  void shouldShowColoursUnlessTheUserOrTheTerminalRefusesThem() {
    assertThat(Terminal.colours(Map.of("TERM", "xterm"))).isTrue();
    assertThat(Terminal.colours(Map.of("TERM", "xterm", "NO_COLOR", ""))).isTrue();
    assertThat(Terminal.colours(Map.of("TERM", "xterm", "NO_COLOR", "1"))).isFalse();
    assertThat(Terminal.colours(Map.of("TERM", "dumb"))).isFalse();
    assertThat(Terminal.colours(Map.of())).isFalse();
  }

  @Test
  void shouldPrintNoColoursIntoAPipe() {
    assertThat(Style.RED.of("broken")).isEqualTo("broken");
    assertThat(Style.status("broken")).isEqualTo("broken");
  }

  @Test
  void shouldNotCountTheCodesOfColours() {
    assertThat(Style.width("\u001b[31mbroken\u001b[0m")).isEqualTo(6);
  }
}
