package io.quantail.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.testing.Requirement;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Requirement("ENV-1")
class StepTest {
  private static final float[] OBSERVATION = {1};

  @Test
  void shouldTellTerminationFromTruncation() {
    assertThat(Step.of(OBSERVATION, 2).done()).isFalse();
    assertThat(Step.terminal(OBSERVATION, 2))
        .matches(step -> step.terminated() && !step.truncated() && step.done());
    assertThat(Step.of(OBSERVATION, 2).asTruncated())
        .matches(step -> !step.terminated() && step.truncated() && step.done());
  }

  @Test
  void shouldKeepEverythingElseWhenOnePartChanges() {
    Step step = new Step(OBSERVATION, 2, true, false, Map.of("cost", 3.0));
    float[] other = {5};
    assertThat(step.asTruncated()).isEqualTo(new Step(OBSERVATION, 2, true, true, step.info()));
    assertThat(step.withObservation(other)).isEqualTo(new Step(other, 2, true, false, step.info()));
  }

  @Test
  void shouldCopyInfoInItsOrder() {
    Map<String, Double> info = new LinkedHashMap<>();
    for (int i = 20; i > 0; i--) {
      info.put("key" + i, (double) i);
    }
    Step step = new Step(OBSERVATION, 0, false, false, info);
    String[] order = info.keySet().toArray(String[]::new);
    info.clear();
    assertThat(step.info().keySet()).containsExactly(order);
    assertThatThrownBy(() -> step.info().clear()).isInstanceOf(UnsupportedOperationException.class);
  }
}
