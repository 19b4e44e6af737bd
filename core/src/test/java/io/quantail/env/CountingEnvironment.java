package io.quantail.env;

import io.quantail.random.RandomStream;

/**
 * A correct environment whose every number can be told beforehand: it shows the episode's random
 * number and the step count, pays ten times the count plus the action, and ends after a given
 * number of steps.
 */
public class CountingEnvironment implements Environment {
  public final int length;
  public double draw;
  public int count;
  public boolean running;
  public boolean closed;

  public CountingEnvironment(int length) {
    this.length = length;
  }

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.of(2);
  }

  @Override
  public ActionSpace actionSpace() {
    return new ActionSpace.Discrete(3);
  }

  @Override
  public float[] reset(RandomStream random) {
    draw = random.nextDouble();
    count = 0;
    running = true;
    return observation();
  }

  @Override
  public Step step(Action action) {
    if (!running) {
      throw new IllegalStateException("no running episode");
    }
    count++;
    running = count < length;
    return Step.of(observation())
        .reward(10 * count + action.toArray()[0])
        .terminated(!running)
        .info("count", (double) count);
  }

  @Override
  public double[] snapshot() {
    return new double[] {draw, count, running ? 1 : 0};
  }

  @Override
  public void restore(double[] state, RandomStream random) {
    draw = state[0];
    count = (int) state[1];
    running = state[2] == 1;
  }

  @Override
  public void close() {
    closed = true;
  }

  public float[] observation() {
    return new float[] {(float) draw, count};
  }
}
