package io.quantail.env;

import io.quantail.random.RandomStream;
import java.util.Locale;

/**
 * A simulator of one episode as an environment. The seed of an episode is the first number of its
 * random stream, as in a vector of simulators.
 */
class SingleEpisode implements Environment {
  private final BatchedEnvironment simulator;
  final BatchedStep rows;

  private SingleEpisode(BatchedEnvironment simulator) {
    this.simulator = simulator;
    this.rows = new BatchedStep(simulator);
  }

  static Environment of(BatchedEnvironment simulator) {
    if (simulator.count() != 1) {
      simulator.close();
      throw new EnvironmentException(
          String.format(
              Locale.ROOT,
              "the factory made a simulator of %d episodes when asked for one of 1",
              simulator.count()));
    }
    return simulator.masks() ? new Masked(simulator) : new SingleEpisode(simulator);
  }

  @Override
  public ObservationSpace observationSpace() {
    return simulator.observationSpace();
  }

  @Override
  public ActionSpace actionSpace() {
    return simulator.actionSpace();
  }

  @Override
  public float[] reset(RandomStream random) {
    rows.clear();
    simulator.reset(0, random.nextLong(), rows);
    return rows.observations().clone();
  }

  @Override
  public Step step(Action action) {
    rows.clear();
    simulator.step(action.toArray(), rows);
    return Step.of(rows.observations().clone())
        .reward(rows.rewards()[0])
        .terminated(rows.terminated()[0])
        .truncated(rows.truncated()[0]);
  }

  @Override
  public void close() {
    simulator.close();
  }

  /** Only environments that override {@link #allowed} count as ones that forbid choices. */
  private static final class Masked extends SingleEpisode {
    Masked(BatchedEnvironment simulator) {
      super(simulator);
    }

    @Override
    public void allowed(boolean[] mask) {
      System.arraycopy(rows.masks(), 0, mask, 0, mask.length);
    }
  }
}
