package io.quantail.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.OptimizerConfig;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

@Requirement("OPT-1")
class UtilityGateTest {
  private static final int POINTS = 200_001;
  private static final double SINGLE_PRECISION = 0x1p-23;

  @Test
  void shouldBeTheLogisticFunctionToSinglePrecision() {
    float[] utilities = new float[POINTS];
    for (int i = 0; i < POINTS; i++) {
      utilities[i] = -3 + 8f * i / (POINTS - 1); // arguments from 1 to -1
    }
    UtilityGate gate = UtilityGate.of(OptimizerConfig.UtilityNorm.MIN_MAX, -3, 5);
    float[] gates = new float[POINTS];
    gate.of(utilities, gates);
    for (int i = 0; i < POINTS; i++) {
      double exact = 1 / (1 + Math.exp((utilities[i] - 1.0) / 4));
      assertThat((double) gates[i]).isCloseTo(exact, within(SINGLE_PRECISION));
      assertThat(gate.of(utilities[i])).isCloseTo(exact, within(1e-15));
    }
  }

  /** A utility far below the maximum leaves the range in which the fraction holds. */
  @Test
  void shouldBeTheLogisticFunctionFarOutToo() {
    float[] utilities = {-1e6f, -200, -5, -1, 0, 1, 2};
    UtilityGate gate = UtilityGate.of(OptimizerConfig.UtilityNorm.GLOBAL_MAX, -1e6, 2);
    float[] gates = new float[utilities.length];
    gate.of(utilities, gates);
    for (int i = 0; i < gates.length; i++) {
      double exact = 1 / (1 + Math.exp(utilities[i] / 2.0));
      assertThat((double) gates[i]).isCloseTo(exact, within(SINGLE_PRECISION));
    }
  }

  @Test
  void shouldBeOneHalfWhereNothingCanBeCompared() {
    float[] gates = new float[3];
    for (OptimizerConfig.UtilityNorm norm : OptimizerConfig.UtilityNorm.values()) {
      Arrays.fill(gates, Float.NaN);
      UtilityGate.of(norm, 0, 0).of(new float[3], gates);
      assertThat(gates).containsOnly(0.5f);
    }
    UtilityGate.of(OptimizerConfig.UtilityNorm.MIN_MAX, 7, 7).of(new float[] {7, 7, 7}, gates);
    assertThat(gates).containsOnly(0.5f);
  }
}
