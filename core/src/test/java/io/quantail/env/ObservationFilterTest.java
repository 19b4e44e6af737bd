package io.quantail.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("ENV-1")
class ObservationFilterTest {
  @Test
  void shouldShowTheChosenComponentsInTheChosenOrder() {
    CountingEnvironment inner = new CountingEnvironment(3);
    try (Environment swapped = new ObservationFilter(inner, 1, 0);
        Environment single = new ObservationFilter(inner, 1)) {
      float[] first = swapped.reset(RandomStream.of(0, "test", 0));
      assertThat(first).containsExactly(0, (float) inner.draw);
      assertThat(single.observationSpace().size()).isEqualTo(1);
      Step step = single.step(Action.of(single.actionSpace(), 2));
      assertThat(step.observation()).containsExactly(1);
      assertThat(step.reward()).isEqualTo(12);
      assertThat(step.info()).containsEntry("count", 1.0);
      assertThat(single.actionSpace()).isEqualTo(inner.actionSpace());
    }
    assertThat(inner.closed).isTrue();
  }

  @Test
  void shouldRejectComponentsThatDoNotExist() {
    CountingEnvironment inner = new CountingEnvironment(3);
    assertThatThrownBy(() -> new ObservationFilter(inner, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("component must be from 0 to 1, was 2");
    assertThatThrownBy(() -> new ObservationFilter(inner, -1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ObservationFilter(inner))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
