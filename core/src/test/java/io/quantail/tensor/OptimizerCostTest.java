package io.quantail.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.ConfigLoader;
import io.quantail.config.OptimizerConfig;
import io.quantail.nn.Parameters;
import io.quantail.optim.Optimizer;
import io.quantail.optim.Optimizers;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Adam;
import org.bytedeco.pytorch.AdamOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a step costs beside libtorch's own Adam, on the flat vector of a usual network. */
@Tag("soak")
class OptimizerCostTest {
  private static final int SLOTS = 20;
  private static final int SLOT_SIZE = 3000;
  private static final int SIZE = SLOTS * SLOT_SIZE;
  private static final int ROUNDS = 40;
  private static final int STEPS = 50;
  private static final double RATE = 1e-4;

  @Test
  void shouldCostAtMostFourAdamStepsOfLibtorch() {
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      Tensor gradient = random("gradient");
      Tensor ours = random("parameters");
      Tensor theirs = random("parameters").requireGradient();
      theirs.accumulateGradientInto(gradient);
      Adam adam = new Adam(Tensor.vector(List.of(theirs)), new AdamOptions(RATE));
      try (Optimizer upgd = optimizer("adaptive-upgd", ours);
          Optimizer ownAdam = optimizer("adam", ours)) {
        double upgdTime = Double.POSITIVE_INFINITY;
        double adamTime = Double.POSITIVE_INFINITY;
        double ownAdamTime = Double.POSITIVE_INFINITY;
        for (int round = 0; round < ROUNDS; round++) { // the best round is the least disturbed
          adamTime = Math.min(adamTime, time(adam::step));
          upgdTime = Math.min(upgdTime, time(() -> upgd.step(ours, gradient, RATE)));
          ownAdamTime = Math.min(ownAdamTime, time(() -> ownAdam.step(ours, gradient, RATE)));
        }
        System.out.printf(
            "%d weights, microseconds per step: libtorch Adam %.0f, Adam %.0f, AdaptiveUPGD %.0f%n",
            SIZE, adamTime, ownAdamTime, upgdTime);
        assertThat(upgdTime).isLessThan(4 * adamTime);
      }
    }
  }

  private static double time(Runnable step) {
    long start = System.nanoTime();
    for (int i = 0; i < STEPS; i++) {
      try (Scope scope = Scope.open()) {
        step.run();
      }
    }
    return (System.nanoTime() - start) / 1e3 / STEPS;
  }

  private static Optimizer optimizer(String name, Tensor parameters) {
    OptimizerConfig config =
        ConfigLoader.parse("", "cost", List.of("optimizer.name=" + name)).optimizer();
    List<Parameters.Slot> slots = new ArrayList<>();
    for (long i = 0; i < SLOTS; i++) {
      slots.add(new Parameters.Slot("p" + i, List.of((long) SLOT_SIZE), i * SLOT_SIZE, SLOT_SIZE));
    }
    return Optimizers.create(config, slots, parameters, 1);
  }

  private static Tensor random(String name) {
    RandomStream random = RandomStream.of(1, name, 0);
    float[] values = new float[SIZE];
    for (int i = 0; i < SIZE; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return Tensor.of(values, SIZE);
  }
}
