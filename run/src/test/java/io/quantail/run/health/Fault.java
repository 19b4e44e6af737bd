package io.quantail.run.health;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.testing.SmallRuns;
import io.quantail.train.Trainer;
import java.util.List;
import java.util.function.Consumer;

/**
 * Something that goes wrong in training: a small run in which it does.
 *
 * @param what the fault, in a few words
 * @param rules the alerts it must raise; it may raise others
 * @param updates after which they must have been raised
 * @param environments what is learnt in
 * @param tamper what is done to the trainer before it starts
 * @param settings overrides of {@link SmallRuns}
 */
record Fault(
    String what,
    List<String> rules,
    int updates,
    EnvironmentFactory environments,
    Consumer<Trainer> tamper,
    String... settings) {

  RunConfig config() {
    return SmallRuns.of(RunConfig.defaults(), settings);
  }

  @Override
  public String toString() {
    return what;
  }
}
