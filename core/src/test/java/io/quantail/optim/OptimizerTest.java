package io.quantail.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.OptimizerConfig;
import io.quantail.network.Parameters;
import io.quantail.parallel.ChunkedRange;
import io.quantail.random.RandomStream;
import io.quantail.state.StateMap;
import io.quantail.testing.vectors.Floats;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptimizerTest {
  private static final int SIZE = 5;
  private static final int STEPS = 20;
  private static final List<Parameters.Slot> SLOTS =
      List.of(
          new Parameters.Slot("first", List.of(2L), 0, 2),
          new Parameters.Slot("second", List.of(3L), 2, 3));
  private static final double RATE = 0.03;

  /** What {@link #STEPS} steps may add up to by rounding. */
  private static final double SINGLE_PRECISION = 1e-6;

  @ParameterizedTest
  @CsvSource({
    "adam, 0, 0",
    "adam, 0.1, 0",
    "adamw, 0, 0",
    "adamw, 0.1, 0",
    "sgd, 0, 0",
    "sgd, 0.1, 0.9"
  })
  void shouldAgreeWithAPlainLoop(String name, double decay, double momentum) {
    OptimizerConfig config = config(name, decay, momentum);
    float[] parameters = gradient(0);
    double[] expected = Floats.widened(parameters);
    Twin twin = new Twin(config);
    Optimizer optimizer = Optimizer.create(config, SLOTS, 1);
    for (int step = 1; step <= STEPS; step++) {
      float[] gradient = gradient(step);
      optimizer.step(parameters, gradient, RATE / step);
      twin.step(expected, gradient(step), RATE / step);
      assertThat(gradient).as("the gradient is only read").isEqualTo(gradient(step));
      for (int i = 0; i < SIZE; i++) {
        double rounding = SINGLE_PRECISION * Math.max(1, Math.abs(expected[i]));
        assertThat((double) parameters[i]).isCloseTo(expected[i], within(rounding));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"adam", "sgd", "upgd"})
  void shouldNotDependOnWhoDoesTheParts(String name) {
    int size = 20_000;
    List<Parameters.Slot> slots = List.of(new Parameters.Slot("w", List.of((long) size), 0, size));
    int parts = 7;
    ChunkedRange backwards =
        task ->
            IntStream.range(0, parts)
                .map(i -> parts - 1 - i)
                .parallel()
                .forEach(i -> task.accept(size * i / parts, size * (i + 1) / parts));
    RandomStream random = RandomStream.of(4, "parts", 0);
    float[] gradient = new float[size];
    for (int i = 0; i < size; i++) {
      gradient[i] = (float) random.nextGaussian();
    }
    float[] alone = gradient.clone();
    float[] shared = gradient.clone();
    OptimizerConfig config = config(name, 0.1, 0);
    Optimizer one = Optimizer.create(config, slots, 1);
    Optimizer other = Optimizer.create(config, slots, 1);
    for (int step = 0; step < 3; step++) {
      one.step(alone, gradient, RATE);
      other.step(shared, gradient, RATE, backwards);
    }
    assertThat(shared).isEqualTo(alone);
    for (int i = 0; i < size; i++) {
      assertThat(shared[i])
          .as("number %d, which began as its gradient", i)
          .isNotEqualTo(gradient[i]);
    }
  }

  /** One number after the other, as the papers write it. */
  private static final class Twin {
    private final OptimizerConfig config;
    private final double[] first = new double[SIZE];
    private final double[] second = new double[SIZE];
    private int steps;

    Twin(OptimizerConfig config) {
      this.config = config;
    }

    void step(double[] w, float[] gradient, double rate) {
      steps++;
      for (int i = 0; i < SIZE; i++) {
        double g = gradient[i];
        double decay = config.weightDecay();
        if (config.name() == OptimizerConfig.Name.SGD) {
          first[i] = config.momentum() * first[i] + g + decay * w[i];
          w[i] -= rate * first[i];
          continue;
        }
        if (config.name() == OptimizerConfig.Name.ADAMW) {
          w[i] -= rate * decay * w[i];
        } else {
          g += decay * w[i];
        }
        first[i] = config.beta1() * first[i] + (1 - config.beta1()) * g;
        second[i] = config.beta2() * second[i] + (1 - config.beta2()) * g * g;
        double m = first[i] / (1 - Math.pow(config.beta1(), steps));
        double v = second[i] / (1 - Math.pow(config.beta2(), steps));
        w[i] -= rate * m / (Math.sqrt(v) + config.epsilon());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "adam, 0.1, 0",
    "adamw, 0.1, 0",
    "sgd, 0.1, 0.9",
    "upgd, 0.1, 0",
    "adaptive-upgd, 0.1, 0",
    "upgdw, 0.1, 0"
  })
  void shouldContinueBitForBitFromASavedState(String name, double decay, double momentum) {
    OptimizerConfig config = config(name, decay, momentum);
    float[] whole = gradient(0);
    float[] resumed = gradient(0);
    StateMap state = new StateMap();
    Optimizer original = Optimizer.create(config, SLOTS, 1);
    Optimizer before = Optimizer.create(config, SLOTS, 1);
    Optimizer after = Optimizer.create(config, SLOTS, 1);
    for (int step = 1; step <= STEPS; step++) {
      original.step(whole, gradient(step), RATE);
    }
    for (int step = 1; step <= STEPS / 2; step++) {
      before.step(resumed, gradient(step), RATE);
    }
    before.save(state);
    after.load(state);
    state.requireAllRead();
    for (int step = STEPS / 2 + 1; step <= STEPS; step++) {
      after.step(resumed, gradient(step), RATE);
    }

    assertThat(resumed).isEqualTo(whole);
  }

  private static OptimizerConfig config(String name, double decay, double momentum) {
    return new OptimizerConfig(
        OptimizerConfig.Name.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_')),
        RATE,
        OptimizerConfig.Schedule.CONSTANT,
        0,
        1,
        null,
        0.8,
        0.95,
        1e-6,
        decay,
        momentum,
        0.1,
        0.9,
        OptimizerConfig.UtilityNorm.MIN_MAX,
        OptimizerConfig.Vgs.defaults());
  }

  private static float[] gradient(int step) {
    RandomStream random = RandomStream.of(6, "gradient", step);
    float[] values = new float[SIZE];
    for (int i = 0; i < SIZE; i++) {
      values[i] = (float) (random.nextGaussian() * Math.pow(10, i - 3));
    }
    return values;
  }
}
