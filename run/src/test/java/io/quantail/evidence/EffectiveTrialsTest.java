package io.quantail.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EffectiveTrialsTest {
  @Test
  void shouldCountEqualTrialsAsOneInSpiteOfRounding() {
    for (int seed = 0; seed < 100; seed++) {
      double[] benchmark = ReturnProcess.NORMAL.draw("benchmark", seed, 899);
      double[] returns = ReturnProcess.NORMAL.draw("trial", seed, 899);
      EffectiveTrials trials =
          EffectiveTrials.of(new double[][] {returns, returns.clone()}, benchmark);
      assertThat(trials.effective()).as("seed %d", seed).isBetween(1.0, 1 + 1e-9);
      assertThat(trials.meanCorrelation()).as("seed %d", seed).isBetween(1 - 1e-9, 1.0);
    }
  }
}
