package io.quantail.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("GRAD-1")
class GradientNormClipTest {
  @Test
  void shouldLimitToOneHalfWhenUnset() {
    assertThat(GradientNormClip.of(null).limit()).isEqualTo(0.5);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, -0.5})
  void shouldBeOffForZeroOrLess(double setting) {
    assertThat(GradientNormClip.of(setting).coefficient(1e30)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1e-12, 0.1, 0.699999, 0.7, 0.7000001, 1, 13, 1e6, 1e30})
  void shouldNeverExceedTheLimit(double norm) {
    GradientNormClip clip = GradientNormClip.of(0.7);
    assertThat(norm * clip.coefficient(norm)).isLessThanOrEqualTo(0.7);
    assertThat(clip.coefficient(norm)).isLessThanOrEqualTo(1);
  }

  @Test
  void shouldLeaveSmallGradientsAlone() {
    assertThat(GradientNormClip.of(0.7).coefficient(0.3)).isEqualTo(1);
    assertThat(GradientNormClip.of(0.7).coefficient(7)).isCloseTo(0.1, within(1e-7));
  }
}
