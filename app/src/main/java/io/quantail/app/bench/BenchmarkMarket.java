package io.quantail.app.bench;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/**
 * A market of realistic size computed by a few operations per step, so that a benchmark measures
 * the learner.
 *
 * <p>Features are triangular waves of different periods; the next return is a sum of the first. The
 * action is a position in [-1, 1]; the reward is position times return, less a cost for every
 * change of position. {@code bench/peers/workloads.py} has the same environment for other
 * libraries.
 */
public final class BenchmarkMarket implements Environment {
  private static final ActionSpace POSITION =
      new ActionSpace.Box(new float[] {-1}, new float[] {1});
  private static final double COST = 0.001;

  private final int features;
  private final int length;
  private double phase;
  private int time;
  private double position;

  /**
   * @param features size of an observation
   * @param length of an episode
   */
  public BenchmarkMarket(int features, int length) {
    this.features = features;
    this.length = length;
  }

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.of(features);
  }

  @Override
  public ActionSpace actionSpace() {
    return POSITION;
  }

  @Override
  public float[] reset(RandomStream random) {
    phase = random.nextDouble(0, 1000);
    time = 0;
    position = 0;
    return observation();
  }

  @Override
  public Step step(Action action) {
    double next = Math.max(-1, Math.min(1, action.value()));
    double change = wave(1) + 0.5 * wave(2) + 0.5 * wave(3);
    double reward = next * change - COST * Math.abs(next - position);
    position = next;
    time++;
    return Step.of(observation()).reward(reward).truncated(time == length);
  }

  /** A triangular wave of height 1. */
  private double wave(int feature) {
    double place = (phase + time) * 0.01 * feature;
    return 4 * Math.abs(place - Math.floor(place) - 0.5) - 1;
  }

  private float[] observation() {
    float[] observation = new float[features];
    for (int i = 0; i < features - 1; i++) {
      observation[i] = (float) wave(i + 1);
    }
    observation[features - 1] = (float) position;
    return observation;
  }

  @Override
  public double[] snapshot() {
    return new double[] {phase, time, position};
  }

  @Override
  public void restore(double[] state, RandomStream random) {
    phase = state[0];
    time = (int) state[1];
    position = state[2];
  }
}
