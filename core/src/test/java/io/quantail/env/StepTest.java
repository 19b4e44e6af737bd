package io.quantail.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.testing.Requirement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Requirement("ENV-1")
class StepTest {
  private static final float[] OBSERVATION = {1};

  @Test
  void shouldTellTerminationFromTruncation() {
    assertThat(Step.of(OBSERVATION).done()).isFalse();
    assertThat(Step.of(OBSERVATION).terminated())
        .matches(step -> step.isTerminated() && !step.isTruncated() && step.done());
    assertThat(Step.of(OBSERVATION).truncated())
        .matches(step -> !step.isTerminated() && step.isTruncated() && step.done());
    assertThat(Step.of(OBSERVATION).terminated().terminated(false).done()).isFalse();
    assertThat(Step.of(OBSERVATION).truncated().truncated(false).done()).isFalse();
  }

  @Test
  void shouldKeepEverythingElseWhenOnePartChanges() {
    Step step = Step.of(OBSERVATION).reward(2).terminated().truncated().info("cost", 3);
    float[] other = {5};
    for (Step same :
        List.of(
            step.reward(2),
            step.terminated(),
            step.truncated(),
            step.info("cost", 3),
            step.withObservation(other).withObservation(OBSERVATION))) {
      assertThat(same).usingRecursiveComparison().isEqualTo(step);
    }
    assertThat(step.withObservation(other).observation()).isSameAs(other);
    assertThat(step.reward(4).reward()).isEqualTo(4);
  }

  @Test
  void shouldAddNamedNumbersInTheirOrder() {
    Step step = Step.of(1, 2).info("b", 1).info("a", 2).info("b", 3);
    assertThat(step.observation()).containsExactly(1, 2);
    assertThat(step.info()).containsExactly(Map.entry("b", 3.0), Map.entry("a", 2.0));
  }

  @Test
  void shouldCopyInfoInItsOrder() {
    Map<String, Double> info = new LinkedHashMap<>();
    for (int i = 20; i > 0; i--) {
      info.put("key" + i, (double) i);
    }
    Step step = Step.of(OBSERVATION).info(info);
    String[] order = info.keySet().toArray(String[]::new);
    info.clear();
    assertThat(step.info().keySet()).containsExactly(order);
    assertThatThrownBy(() -> step.info().clear()).isInstanceOf(UnsupportedOperationException.class);
  }
}
