package io.quantail.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StationaryBootstrapTest {
  private static final int N = 400;

  @Test
  void shouldDependOnSeedAndNumberOnly() {
    Resamples resamples = new StationaryBootstrap(5, 3, 7);
    int[] first = indices(resamples, 1);
    indices(resamples, 2);
    assertThat(indices(resamples, 1)).isEqualTo(first);
    assertThat(indices(new StationaryBootstrap(5, 3, 8), 1)).isNotEqualTo(first);
    assertThat(indices(resamples, 2)).isNotEqualTo(first);
  }

  @Test
  void shouldDrawBlocksOfTheMeanLengthFromEverywhere() {
    Resamples resamples = new StationaryBootstrap(8, 200, 1);
    int blocks = 0;
    long sum = 0;
    for (int i = 0; i < 200; i++) {
      int[] indices = indices(resamples, i);
      blocks++;
      sum += indices[0];
      for (int t = 1; t < N; t++) {
        sum += indices[t];
        blocks += indices[t] != (indices[t - 1] + 1) % N ? 1 : 0;
      }
    }
    // One of 400 new blocks begins where the old one would have gone on.
    assertThat(200.0 * N / blocks).isCloseTo(8, within(0.3));
    assertThat(sum / (200.0 * N)).isCloseTo((N - 1) / 2.0, within(10.0));
  }

  @Test
  void shouldResampleIndependentlyWithBlocksOfOne() {
    int[] indices = indices(new StationaryBootstrap(1, 1, 1), 0);
    int followed = 0;
    for (int t = 1; t < N; t++) {
      followed += indices[t] == indices[t - 1] + 1 ? 1 : 0;
    }
    assertThat(followed).isLessThan(8);
  }

  @Test
  void shouldRefuseBlocksShorterThanOne() {
    assertThatThrownBy(() -> new StationaryBootstrap(0.5, 10, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0.5");
  }

  private static int[] indices(Resamples resamples, int resample) {
    int[] indices = new int[N];
    resamples.fill(resample, indices);
    return indices;
  }
}
