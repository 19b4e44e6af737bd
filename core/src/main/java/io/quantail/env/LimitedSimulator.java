package io.quantail.env;

/** Truncates the episodes of a simulator after a number of steps, as {@link TimeLimitWrapper}. */
final class LimitedSimulator implements BatchedEnvironment {
  private final BatchedEnvironment simulator;
  private final int limit;
  private final int[] elapsed;

  LimitedSimulator(BatchedEnvironment simulator, int limit) {
    this.simulator = simulator;
    this.limit = limit;
    this.elapsed = new int[simulator.count()];
  }

  @Override
  public int count() {
    return simulator.count();
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
  public boolean masks() {
    return simulator.masks();
  }

  @Override
  public void reset(int row, long seed, BatchedStep rows) {
    elapsed[row] = 0;
    simulator.reset(row, seed, rows);
  }

  @Override
  public void step(float[] actions, BatchedStep rows) {
    simulator.step(actions, rows);
    for (int row = 0; row < elapsed.length; row++) {
      elapsed[row]++;
      if (elapsed[row] == limit && !rows.terminated()[row]) {
        rows.truncated()[row] = true;
      }
    }
  }

  @Override
  public void close() {
    simulator.close();
  }
}
