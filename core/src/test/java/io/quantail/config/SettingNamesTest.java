package io.quantail.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingNamesTest {
  @ParameterizedTest
  @CsvSource({
    "'','',0",
    "abc,'',3",
    "'',ab,2",
    "kitten,sitting,3",
    "cliprnage,cliprange,1",
    "ca,abc,3",
    "same,same,0"
  })
  void shouldCountEdits(String from, String to, int expected) {
    assertThat(SettingNames.edits(from, to)).isEqualTo(expected);
    assertThat(SettingNames.edits(to, from)).isEqualTo(expected);
  }

  @Test
  void shouldPreferFewerEditsAndThenTheFirst() {
    assertThat(SettingNames.nearest("adan", List.of("adamw", "adam"))).contains("adam");
    assertThat(SettingNames.nearest("beta3", List.of("beta1", "beta2"))).contains("beta1");
  }

  @Test
  void shouldNotSuggestWhatIsFarAway() {
    assertThat(SettingNames.nearest("volume", List.of("seed", "ppo", "gamma"))).isEmpty();
    assertThat(SettingNames.nearest("gru", List.of("lstm", "none"))).isEmpty();
  }

  @Test
  void shouldWriteConstantsInLowerCaseWithHyphens() {
    assertThat(SettingNames.written(OptimizerConfig.Schedule.class))
        .containsExactly("constant", "linear", "cosine", "one-cycle");
  }
}
