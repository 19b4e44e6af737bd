package io.quantail.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.state.StateArray;
import io.quantail.state.StateMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the peers compare themselves with. */
class LossExportTest {
  @Test
  void shouldExportAWholeMinibatchWithItsGradient() {
    StateMap state = LossExport.of("trading-64");
    Map<String, StateArray> arrays = state.entries();

    assertThat(state.child("batch").floats("particles", 512, 16)).hasSize(512 * 16);
    assertThat(state.child("batch").floats("hidden", 16, 64)).isNotEqualTo(new float[16 * 64]);
    assertThat(state.doubleValue("loss")).isGreaterThan(0);
    long parameters = arrays.keySet().stream().filter(name -> name.startsWith("param")).count();
    long gradients = arrays.keySet().stream().filter(name -> name.startsWith("gradient")).count();
    assertThat(gradients).isEqualTo(parameters).isGreaterThan(10);
    assertThat(state.child("gradient").floats("shared.lstm.0.weight_hh", 256, 64))
        .isNotEqualTo(new float[256 * 64]);
  }

  @Test
  void shouldExportNoStatesWithoutMemory() {
    assertThat(LossExport.of("memoryless-64").entries().keySet())
        .noneMatch(name -> name.contains("hidden") || name.contains("lstm"));
  }
}
