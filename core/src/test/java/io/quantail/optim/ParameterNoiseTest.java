package io.quantail.optim;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.network.Parameters;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

@Requirement("OPT-2")
class ParameterNoiseTest {
  private static final Parameters.Slot WEIGHT = new Parameters.Slot("weight", List.of(7L), 0, 7);
  private static final Parameters.Slot BIAS = new Parameters.Slot("bias", List.of(3L), 7, 3);

  @Test
  void shouldNotDependOnTheOrderOfParameters() {
    List<Parameters.Slot> permuted =
        List.of(
            new Parameters.Slot("bias", List.of(3L), 0, 3),
            new Parameters.Slot("weight", List.of(7L), 3, 7));
    float[] noise = draw(new ParameterNoise(1, List.of(WEIGHT, BIAS)), 5);
    float[] moved = draw(new ParameterNoise(1, permuted), 5);
    assertThat(Arrays.copyOfRange(moved, 3, 10)).isEqualTo(Arrays.copyOfRange(noise, 0, 7));
    assertThat(Arrays.copyOfRange(moved, 0, 3)).isEqualTo(Arrays.copyOfRange(noise, 7, 10));
  }

  @Test
  void shouldNotDependOnWhatWasDrawnBefore() {
    ParameterNoise used = new ParameterNoise(1, List.of(WEIGHT, BIAS));
    draw(used, 1);
    draw(used, 9);
    assertThat(draw(used, 5)).isEqualTo(draw(new ParameterNoise(1, List.of(WEIGHT, BIAS)), 5));
  }

  @Test
  void shouldDifferBySeedNameAndStep() {
    float[] noise = draw(new ParameterNoise(1, List.of(WEIGHT)), 5);
    Parameters.Slot renamed = new Parameters.Slot("weights", List.of(7L), 0, 7);
    assertThat(draw(new ParameterNoise(2, List.of(WEIGHT)), 5)).isNotEqualTo(noise);
    assertThat(draw(new ParameterNoise(1, List.of(renamed)), 5)).isNotEqualTo(noise);
    assertThat(draw(new ParameterNoise(1, List.of(WEIGHT)), 6)).isNotEqualTo(noise);
  }

  @Test
  void shouldHaveTheDeviationOfTheParameter() {
    ParameterNoise noise = new ParameterNoise(1, List.of(WEIGHT, BIAS));
    float[] standard = draw(noise, 5);
    float[] scaled = noise.draw(5, new double[] {2, 0}, new float[10]);
    for (int i = 0; i < 10; i++) {
      assertThat(scaled[i]).isEqualTo(i < 7 ? 2 * standard[i] : 0 * standard[i]);
    }
  }

  private static float[] draw(ParameterNoise noise, long step) {
    int count = noise.slots().stream().mapToInt(slot -> (int) slot.count()).sum();
    return noise.draw(step, new double[] {1, 1}, new float[count]);
  }
}
