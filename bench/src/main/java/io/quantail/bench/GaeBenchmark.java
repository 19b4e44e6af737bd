package io.quantail.bench;

import io.quantail.random.RandomStream;
import io.quantail.rollout.Gae;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Advantages of a rollout of 128 steps in 16 environments; a transition is an operation. */
@State(Scope.Thread)
public class GaeBenchmark {
  private static final int ENVIRONMENTS = 16;
  private static final int TRANSITIONS = 128 * ENVIRONMENTS;

  private final Gae.Input input =
      new Gae.Input(
          ENVIRONMENTS,
          numbers(TRANSITIONS),
          numbers(TRANSITIONS),
          new boolean[TRANSITIONS],
          new boolean[TRANSITIONS],
          new double[TRANSITIONS],
          numbers(ENVIRONMENTS),
          0.99,
          0.95);

  private static double[] numbers(int count) {
    RandomStream random = RandomStream.of(1, "benchmark", count);
    double[] numbers = new double[count];
    Arrays.setAll(numbers, i -> random.nextGaussian());
    return numbers;
  }

  @Benchmark
  @OperationsPerInvocation(TRANSITIONS)
  public Gae.Result compute() {
    return Gae.compute(input);
  }
}
