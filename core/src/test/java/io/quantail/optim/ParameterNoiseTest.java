package io.quantail.optim;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.nn.Parameters;
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
    float[] noise = new ParameterNoise(1, List.of(WEIGHT, BIAS)).draw(5);
    float[] moved = new ParameterNoise(1, permuted).draw(5);
    assertThat(Arrays.copyOfRange(moved, 3, 10)).isEqualTo(Arrays.copyOfRange(noise, 0, 7));
    assertThat(Arrays.copyOfRange(moved, 0, 3)).isEqualTo(Arrays.copyOfRange(noise, 7, 10));
  }

  @Test
  void shouldNotDependOnWhatWasDrawnBefore() {
    ParameterNoise used = new ParameterNoise(1, List.of(WEIGHT, BIAS));
    used.draw(1);
    used.draw(9);
    assertThat(used.draw(5)).isEqualTo(new ParameterNoise(1, List.of(WEIGHT, BIAS)).draw(5));
  }

  @Test
  void shouldDifferBySeedNameAndStep() {
    float[] noise = new ParameterNoise(1, List.of(WEIGHT)).draw(5);
    Parameters.Slot renamed = new Parameters.Slot("weights", List.of(7L), 0, 7);
    assertThat(new ParameterNoise(2, List.of(WEIGHT)).draw(5)).isNotEqualTo(noise);
    assertThat(new ParameterNoise(1, List.of(renamed)).draw(5)).isNotEqualTo(noise);
    assertThat(new ParameterNoise(1, List.of(WEIGHT)).draw(6)).isNotEqualTo(noise);
  }
}
