package io.quantail.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("ENV-1")
class TimeLimitWrapperTest {
  private static final Action ACTION = Action.of(ActionSpace.discrete(3), 1);

  @Test
  void shouldTruncateAtTheLimit() {
    TimeLimitWrapper limited = started(new TimeLimitWrapper(new CountingEnvironment(100), 2));
    assertThat(limited.step(ACTION).done()).isFalse();
    Step last = limited.step(ACTION);
    assertThat(last.isTruncated()).isTrue();
    assertThat(last.isTerminated()).isFalse();
    assertThat(last.info()).containsEntry("count", 2.0);
  }

  @Test
  void shouldCountAnewAfterReset() {
    TimeLimitWrapper limited = started(new TimeLimitWrapper(new CountingEnvironment(100), 2));
    limited.step(ACTION);
    started(limited);
    assertThat(limited.step(ACTION).isTruncated()).isFalse();
    assertThat(limited.step(ACTION).isTruncated()).isTrue();
  }

  @Test
  void shouldLeaveATaskTerminatedThatEndsOnTheLimit() {
    Step last = started(new TimeLimitWrapper(new CountingEnvironment(1), 1)).step(ACTION);
    assertThat(last.isTerminated()).isTrue();
    assertThat(last.isTruncated()).isFalse();
  }

  @Test
  void shouldRejectALimitBelowOne() {
    assertThatThrownBy(() -> new TimeLimitWrapper(new CountingEnvironment(1), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("time limit must be at least 1 step, was 0");
  }

  @Test
  void shouldHaveNoSnapshotOfAnEnvironmentThatHasNone() {
    CountingEnvironment without =
        new CountingEnvironment(9) {
          @Override
          public double[] snapshot() {
            return null;
          }
        };
    assertThat(started(new TimeLimitWrapper(without, 3)).snapshot()).isNull();
    assertThat(started(new TimeLimitWrapper(new CountingEnvironment(9), 3)).snapshot()).hasSize(4);
  }

  @Test
  void shouldRejectASnapshotBeyondTheLimit() {
    TimeLimitWrapper limited = new TimeLimitWrapper(new CountingEnvironment(9), 3);
    RandomStream random = RandomStream.of(0, "test", 0);
    assertThatThrownBy(() -> limited.restore(new double[] {4, 0.5, 4, 1}, random))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 to 3")
        .hasMessageContaining("had 4.0");
    assertThatThrownBy(() -> limited.restore(new double[0], random))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldCloseWhatItWraps() {
    CountingEnvironment inner = new CountingEnvironment(1);
    new TimeLimitWrapper(inner, 3).close();
    assertThat(inner.closed).isTrue();
  }

  private static TimeLimitWrapper started(TimeLimitWrapper environment) {
    environment.reset(RandomStream.of(0, "test", 0));
    return environment;
  }
}
