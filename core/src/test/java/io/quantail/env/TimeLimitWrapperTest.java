package io.quantail.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("ENV-1")
class TimeLimitWrapperTest {
  private static final float[] ACTION = {1};

  @Test
  void shouldTruncateAtTheLimitAndRefuseFurtherSteps() {
    TimeLimitWrapper limited = started(new TimeLimitWrapper(new CountingEnvironment(100), 2));
    assertThat(limited.step(ACTION).done()).isFalse();
    Step last = limited.step(ACTION);
    assertThat(last.truncated()).isTrue();
    assertThat(last.terminated()).isFalse();
    assertThat(last.info()).containsEntry("count", 2.0);
    assertThatThrownBy(() -> limited.step(ACTION))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cut after 2 steps");
  }

  @Test
  void shouldCountAnewAfterReset() {
    TimeLimitWrapper limited = started(new TimeLimitWrapper(new CountingEnvironment(100), 2));
    limited.step(ACTION);
    started(limited);
    assertThat(limited.step(ACTION).truncated()).isFalse();
    assertThat(limited.step(ACTION).truncated()).isTrue();
  }

  @Test
  void shouldLeaveATaskTerminatedThatEndsOnTheLimit() {
    Step last = started(new TimeLimitWrapper(new CountingEnvironment(1), 1)).step(ACTION);
    assertThat(last.terminated()).isTrue();
    assertThat(last.truncated()).isFalse();
  }

  @Test
  void shouldRejectALimitBelowOne() {
    assertThatThrownBy(() -> new TimeLimitWrapper(new CountingEnvironment(1), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("time limit must be at least 1 step, was 0");
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
