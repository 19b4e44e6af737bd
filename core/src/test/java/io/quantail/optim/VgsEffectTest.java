package io.quantail.optim;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.OptimizerConfig;
import io.quantail.config.RunConfig;
import io.quantail.kernel.FloatVectors;
import io.quantail.network.Parameters;
import io.quantail.random.NormalSampler;
import io.quantail.random.RandomStream;
import io.quantail.testing.SmallRuns;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Variance gradient scaling on the loss {@code |w|^2 / 2}, whose gradient comes with noise. */
@Tag("learning")
class VgsEffectTest {
  private static final int SIZE = 200;
  private static final float NOISE = 3;
  private static final List<Integer> ENDS = List.of(1000, 3000, 10000);
  private static final int LATE = 500;

  /**
   * The table of {@code docs/reference/optimizers.md}: speed is lost at first, a lower floor is
   * won.
   */
  @ParameterizedTest
  @CsvSource({"adaptive-upgd, 0.02", "adam, 0.01", "sgd, 0.1"})
  void shouldEndLowerOnceNoiseIsWhatIsLeft(String name, double rate) {
    double[] without = losses(name, rate, false);
    double[] with = losses(name, rate, true);
    System.out.printf("| `%s` | %s |", name, rate);
    for (int i = 0; i < without.length; i++) {
      System.out.printf(" %.2f / %.2f |", without[i], with[i]);
    }
    System.out.println();
    int last = without.length - 1;
    assertThat(with[last]).isLessThan(without[last]);
  }

  /** The mean loss over the last steps before each of the ends. */
  private static double[] losses(String name, double rate, boolean vgs) {
    OptimizerConfig config =
        SmallRuns.override(RunConfig.defaults(), List.of("optimizer.name=" + name)).optimizer();
    Parameters.Slot slot = new Parameters.Slot("w", List.of((long) SIZE), 0, SIZE);
    double[] losses = new double[ENDS.size()];
    float[] weights = new float[SIZE];
    NormalSampler.fill(RandomStream.of(1, "start", 0), 1, weights, 0, SIZE);
    Optimizer optimizer = Optimizer.create(config, List.of(slot), 1);
    VarianceGradientScaler scaler = new VarianceGradientScaler(config.vgs(), SIZE);
    for (int step = 0; step < ENDS.get(ENDS.size() - 1); step++) {
      double loss = step(optimizer, scaler, weights, rate, vgs, step);
      for (int i = 0; i < losses.length; i++) {
        boolean late = step >= ENDS.get(i) - LATE && step < ENDS.get(i);
        losses[i] += late ? loss / LATE : 0;
      }
    }
    return losses;
  }

  private static double step(
      Optimizer optimizer,
      VarianceGradientScaler scaler,
      float[] weights,
      double rate,
      boolean vgs,
      int step) {
    float[] gradient = gradient(weights, step);
    double factor = vgs ? scaler.factor() : 1;
    scaler.add(gradient);
    if (!optimizer.scaleFree()) {
      FloatVectors.scale(gradient, factor);
    }
    optimizer.step(weights, gradient, optimizer.scaleFree() ? rate * factor : rate);
    double norm = FloatVectors.norm(weights);
    return norm * norm / 2;
  }

  private static float[] gradient(float[] weights, int step) {
    float[] gradient = new float[SIZE];
    NormalSampler.fill(RandomStream.of(2, "noise", step), NOISE, gradient, 0, SIZE);
    FloatVectors.add(gradient, weights);
    return gradient;
  }
}
