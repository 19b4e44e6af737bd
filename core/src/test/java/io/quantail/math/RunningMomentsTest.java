package io.quantail.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.env.PeerVectors;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("NORM-1")
class RunningMomentsTest {
  @Test
  void shouldAgreeWithStableBaselines() {
    JsonNode vector = PeerVectors.startingWith("sb3_running_mean_std").get(0);
    RunningMoments moments = new RunningMoments(3);
    assertThat(moments.count()).isEqualTo(vector.at("/inputs/initial_count").asDouble());
    assertThat(moments.mean(0)).isEqualTo(vector.at("/inputs/initial_mean").asDouble());
    assertThat(moments.variance(0)).isEqualTo(vector.at("/inputs/initial_var").asDouble());
    for (JsonNode batch : vector.at("/inputs/batches")) {
      moments.merge(i -> batch.get(i / 3).get(i % 3).asDouble(), batch.size());
    }
    double tolerance = vector.get("tolerance").asDouble();
    double[] mean = PeerVectors.doubles(vector.at("/expected/mean"));
    double[] variance = PeerVectors.doubles(vector.at("/expected/var"));
    for (int i = 0; i < 3; i++) {
      assertThat(moments.mean(i)).isCloseTo(mean[i], within(tolerance));
      assertThat(moments.variance(i)).isCloseTo(variance[i], within(tolerance));
    }
    assertThat(moments.count())
        .isCloseTo(vector.at("/expected/count").asDouble(), within(tolerance));
  }

  @Test
  void shouldKeepDigitsFarFromZero() {
    RunningMoments moments = new RunningMoments(1);
    moments.restore(1, new double[] {1e9}, new double[] {0.25});
    moments.merge(i -> 1e9 + (i % 2 == 0 ? 0.5 : -0.5), 1000);
    assertThat(moments.variance(0)).isCloseTo(0.25, within(1e-9));
  }
}
