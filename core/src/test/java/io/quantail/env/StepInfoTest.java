package io.quantail.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepInfoTest {
  private static final List<String> NAMES = List.of("fee", "turnover");

  @Test
  void shouldBeTheMapOfItsNames() {
    StepInfo info = new StepInfo(NAMES, 1.5, -2);
    Map<String, Double> same = new LinkedHashMap<>();
    same.put("fee", 1.5);
    same.put("turnover", -2.0);
    assertThat(info).isEqualTo(same).hasSameHashCodeAs(same).hasToString(same.toString());
    assertThat(info.get("turnover")).isEqualTo(-2);
    assertThat(info.get("profit")).isNull();
    assertThat(info.containsKey("fee")).isTrue();
    assertThat(info.keySet()).containsExactly("fee", "turnover");
  }

  @Test
  void shouldNotChange() {
    StepInfo info = new StepInfo(NAMES, 1.5, -2);
    assertThatThrownBy(() -> info.put("fee", 2.0))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> info.remove("fee")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> info.entrySet().iterator().next().setValue(2.0))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> new StepInfo(NAMES, 1)).hasMessageContaining("2 names");
  }

  @Test
  void shouldBeKeptByAStepAsItIs() {
    StepInfo info = new StepInfo(NAMES, 1.5, -2);
    assertThat(Step.of(new float[0]).info(info).info()).isSameAs(info);
  }
}
