package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.SmallRuns;
import io.quantail.config.EvaluationConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.Environments;
import io.quantail.tensor.Torch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Native objects are not collected in tests, so one that is forgotten stays and is counted. */
class LeakTest {
  private static final int WARM_UP = 5;
  private static final int ITERATIONS = 40;
  private static final int SOAK_WARM_UP = 300;
  private static final int SOAK_UPDATES = 3_000;
  private static final double LARGEST_GROWTH = 0.03;

  @ParameterizedTest
  @ValueSource(strings = {"CartPole-v1", "Pendulum-v1"})
  void shouldKeepTheNumberOfNativeObjects(String task) {
    try (Trainer trainer = trainer(task)) {
      iterate(trainer, WARM_UP);
      long before = Torch.livePointers();
      iterate(trainer, ITERATIONS);
      assertThat(Torch.livePointers()).isEqualTo(before);
    }
  }

  @Test
  void shouldFreeEverythingOnClose() {
    trainAndClose();
    long before = Torch.livePointers();
    trainAndClose();
    assertThat(Torch.livePointers()).isEqualTo(before);
  }

  private static void trainAndClose() {
    try (Trainer trainer = trainer("CartPole-v1")) {
      iterate(trainer, 2);
      Evaluator.evaluate(
          trainer.agent(), Environments.byName("CartPole-v1"), new EvaluationConfig(3, false), 1);
    }
  }

  @Tag("soak")
  @Test
  void shouldKeepResidentMemoryOverThousandsOfUpdates() {
    try (Trainer trainer = trainer("CartPole-v1")) {
      iterate(trainer, SOAK_WARM_UP);
      long pointers = Torch.livePointers();
      double resident = Torch.residentBytes();
      iterate(trainer, SOAK_UPDATES - SOAK_WARM_UP);
      assertThat(Torch.livePointers()).isEqualTo(pointers);
      assertThat(Torch.residentBytes() / resident).isLessThan(1 + LARGEST_GROWTH);
    }
  }

  private static Trainer trainer(String task) {
    RunConfig config = SmallRuns.config("ppo.epochs=1");
    return new Trainer(config, Environments.byName(task));
  }

  private static void iterate(Trainer trainer, int times) {
    for (int i = 0; i < times; i++) {
      trainer.iterate();
    }
  }
}
