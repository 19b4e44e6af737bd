package io.quantail.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.OptimizerConfig;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import io.quantail.testing.vectors.Floats;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The vectorised loops against one weight after the other in double precision. */
class UpgdTwinTest {
  private static final int SIZE = 1003;
  private static final int STEPS = 40;
  private static final double RATE = 0.01;

  @Requirement("OPT-1")
  @ParameterizedTest
  @CsvSource({"true, MIN_MAX", "true, GLOBAL_MAX", "false, MIN_MAX", "false, GLOBAL_MAX"})
  void shouldAgreeWithAPlainLoop(boolean adaptive, OptimizerConfig.UtilityNorm norm) {
    Upgd.Settings rule = new Upgd.Settings(adaptive, norm, 0.1, 0.95, 0.9, 0.99, 1e-6, 0.1);
    double[] expected = draws("start", 0);
    double[] utility = new double[SIZE];
    double[] first = new double[SIZE];
    double[] second = new double[SIZE];
    float[] weights = Floats.of(expected);
    Upgd upgd = new Upgd(rule, new ParameterNoise(1, List.of()), SIZE);
    for (int t = 1; t <= STEPS; t++) {
      double[] g = draws("gradient", t);
      double[] noise = Arrays.stream(draws("noise", t)).map(z -> 0.1 * z).toArray();
      upgd.step(weights, Floats.of(g), RATE, Floats.of(noise));
      for (int i = 0; i < SIZE; i++) {
        utility[i] = 0.95 * utility[i] - 0.05 * g[i] * expected[i];
      }
      double min = Arrays.stream(utility).min().orElseThrow();
      double max = Arrays.stream(utility).max().orElseThrow();
      for (int i = 0; i < SIZE; i++) {
        first[i] = 0.9 * first[i] + 0.1 * g[i];
        second[i] = 0.99 * second[i] + 0.01 * g[i] * g[i];
        double root = Math.sqrt(second[i] / (1 - Math.pow(0.99, t)));
        double normalized = first[i] / (1 - Math.pow(0.9, t)) / (root + 1e-6);
        double direction = (adaptive ? normalized : g[i]) + noise[i];
        double argument =
            norm == OptimizerConfig.UtilityNorm.MIN_MAX
                ? 2 * (utility[i] - min) / (max - min) - 1
                : utility[i] / max;
        double gate = 1 - 1 / (1 + Math.exp(-argument));
        expected[i] = expected[i] * (1 - RATE * 0.1) - RATE * direction * gate;
      }
    }

    assertThat(Floats.widened(weights)).containsExactly(expected, within(1e-5));
  }

  private static double[] draws(String what, int step) {
    RandomStream random = RandomStream.of(9, what, step);
    return DoubleStream.generate(random::nextGaussian).limit(SIZE).toArray();
  }
}
