package io.quantail.train;

import io.quantail.SmallRuns;
import io.quantail.config.EvaluationConfig;
import io.quantail.env.Environments;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.tensor.Torch;
import java.util.List;

/**
 * Counts native objects before and after pieces of work and prints one line for each: name, count
 * before, count after.
 *
 * <p>Runs in a JVM of its own without any garbage collection: the count then neither misses an
 * object nor forgets one that was merely lost.
 */
final class LeakProbe {
  private static final int SCOPES = 1_000;
  private static final int WARM_UP = 3;
  private static final int ITERATIONS = 40;

  private LeakProbe() {}

  public static void main(String[] arguments) {
    measure("scope", LeakProbe::useScope, SCOPES);
    for (String task : List.of("CartPole-v1", "Pendulum-v1")) {
      try (Trainer trainer = trainer(task)) {
        measure(task, trainer::iterate, ITERATIONS);
      }
    }
    measure("close", LeakProbe::trainAndClose, 3);
    System.exit(0);
  }

  private static void measure(String name, Runnable work, int times) {
    for (int i = 0; i < WARM_UP; i++) {
      work.run();
    }
    long before = Torch.livePointers();
    for (int i = 0; i < times; i++) {
      work.run();
    }
    System.out.println(name + " " + before + " " + Torch.livePointers());
  }

  private static void useScope() {
    try (Scope scope = Scope.open()) {
      Tensor leaf = Tensor.of(new double[] {3, 1, 2, -1}, 2, 2).requireGradient();
      Tensor both = Tensor.cat(List.of(leaf.sort(1), leaf.clamp(-0.5, 2).mul(2)), 0);
      Tensor loss = both.add(1).square().logSoftmax(1).sum();
      loss.backward();
      leaf.gradient().doubles();
      try (Scope inner = Scope.open();
          Gradients off = Gradients.off()) {
        leaf.narrow(0, 0, 1).mul(0.5).doubles();
      }
    }
  }

  private static void trainAndClose() {
    try (Trainer trainer = trainer("CartPole-v1")) {
      trainer.iterate();
      Evaluator.evaluate(
          trainer.agent(),
          Environments.byName("CartPole-v1"),
          new EvaluationConfig(3, false, 500),
          1);
    }
  }

  static Trainer trainer(String task) {
    return new Trainer(SmallRuns.config("ppo.epochs=1"), Environments.byName(task));
  }
}
