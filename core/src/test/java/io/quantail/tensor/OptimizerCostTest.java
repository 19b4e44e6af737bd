package io.quantail.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.ConfigLoader;
import io.quantail.config.OptimizerConfig;
import io.quantail.nn.Parameters;
import io.quantail.optim.Optimizer;
import io.quantail.optim.Optimizers;
import io.quantail.random.RandomStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Adam;
import org.bytedeco.pytorch.AdamOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a step costs beside libtorch's own Adam, on the flat vectors of usual networks. */
@Tag("soak")
class OptimizerCostTest {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int SLOTS = 20;
  private static final int WARMUP_ROUNDS = 10;
  private static final int ROUNDS = 31;
  private static final int WEIGHTS_PER_ROUND = 6_000_000;
  private static final double RATE = 1e-4;

  /** Ratios within a round, in which both were disturbed alike. */
  @ParameterizedTest
  @CsvSource({"60000", "500000"})
  void shouldCostAtMostTwoAdamStepsOfLibtorch(int weights) {
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      float[] gradient = random("gradient", weights);
      float[] ours = random("parameters", weights);
      Tensor theirs = Tensor.of(ours, weights).requireGradient();
      theirs.handle().mutable_grad().put(Tensor.of(gradient, weights).handle());
      Adam adam = new Adam(Tensor.vector(List.of(theirs)), new AdamOptions(RATE));
      List<Optimizer> optimizers = new ArrayList<>();
      for (String name : List.of("adaptive-upgd", "upgd", "adam")) {
        optimizers.add(optimizer(name, weights));
      }
      double[][] ratios = new double[optimizers.size()][ROUNDS];
      double[] adamTimes = new double[ROUNDS];
      for (int round = -WARMUP_ROUNDS; round < ROUNDS; round++) {
        int kept = Math.max(round, 0);
        adamTimes[kept] = time(adam::step, weights);
        for (int i = 0; i < ratios.length; i++) {
          Optimizer optimizer = optimizers.get(i);
          double time = time(() -> optimizer.step(ours, gradient, RATE), weights);
          ratios[i][kept] = time / adamTimes[kept];
        }
      }
      System.out.printf("%d weights: Adam of libtorch %s us;", weights, spread(adamTimes));
      System.out.printf(" times as long: adaptive-upgd %s,", spread(ratios[0]));
      System.out.printf(" upgd %s, adam %s%n", spread(ratios[1]), spread(ratios[2]));
      assertThat(median(ratios[0])).isLessThan(2);
    }
  }

  /** Microseconds of this thread, in which waiting for a busy machine does not count. */
  private static double time(Runnable step, int weights) {
    int steps = WEIGHTS_PER_ROUND / weights;
    long start = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < steps; i++) {
      try (Scope scope = Scope.open()) {
        step.run();
      }
    }
    return (THREADS.getCurrentThreadCpuTime() - start) / 1e3 / steps;
  }

  private static double median(double[] values) {
    return Arrays.stream(values).sorted().toArray()[values.length / 2];
  }

  /** Median and the middle eight tenths. */
  private static String spread(double[] values) {
    double[] sorted = Arrays.stream(values).sorted().toArray();
    int tenth = values.length / 10;
    return String.format(
        "%.2f (%.2f to %.2f)", median(values), sorted[tenth], sorted[values.length - 1 - tenth]);
  }

  private static Optimizer optimizer(String name, int weights) {
    OptimizerConfig config =
        ConfigLoader.parse("", "cost", List.of("optimizer.name=" + name)).optimizer();
    List<Parameters.Slot> slots = new ArrayList<>();
    long size = weights / SLOTS;
    for (long i = 0; i < SLOTS; i++) {
      slots.add(new Parameters.Slot("p" + i, List.of(size), i * size, size));
    }
    return Optimizers.create(config, slots, 1);
  }

  private static float[] random(String name, int size) {
    RandomStream random = RandomStream.of(1, name, 0);
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }
}
