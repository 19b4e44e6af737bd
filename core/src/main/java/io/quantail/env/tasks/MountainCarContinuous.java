package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/**
 * A car in a valley that is too weak to drive up the hill directly and must swing first. Reward
 * {@code -0.1 force^2} per step and 100 for reaching the goal, so standing still is a local
 * optimum.
 *
 * <p>Observation: position, velocity. Action: a force in [-1, 1]. The car starts at rest at a
 * position uniform in [-0.6, -0.4). It terminates at position 0.45; position is limited to [-1.2,
 * 0.6], velocity to ±0.07, and the left wall stops the car.
 *
 * <p>See: Moore, "Efficient Memory-based Learning for Robot Control", 1990; constants of
 * Gymnasium's MountainCarContinuous-v0, which adds a limit of 999 steps (here {@link
 * io.quantail.env.TimeLimitWrapper}). We depart from it in precision: the state is kept in double,
 * Gymnasium rounds it to float after each step. {@code TaskVectors} pins it to Gymnasium's
 * trajectories.
 */
public final class MountainCarContinuous implements Environment {
  private static final ActionSpace ACTIONS = new ActionSpace.Box(new float[] {-1}, new float[] {1});
  private static final double POWER = 0.0015;
  private static final double GRAVITY = 0.0025;
  private static final double LEFT_WALL = -1.2;
  private static final double RIGHT_END = 0.6;
  private static final double MAX_SPEED = 0.07;
  private static final double GOAL = 0.45;
  private static final double GOAL_REWARD = 100;

  private double position;
  private double velocity;

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.named("position", "velocity");
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public float[] reset(RandomStream random) {
    position = random.nextDouble(-0.6, -0.4);
    velocity = 0;
    return observation();
  }

  @Override
  public Step step(Action action) {
    double force = clip(action.value(), -1, 1);
    velocity += force * POWER - GRAVITY * StrictMath.cos(3 * position);
    velocity = clip(velocity, -MAX_SPEED, MAX_SPEED);
    position = clip(position + velocity, LEFT_WALL, RIGHT_END);
    if (position == LEFT_WALL && velocity < 0) {
      velocity = 0;
    }
    double cost = 0.1 * action.value() * action.value();
    boolean arrived = position >= GOAL && velocity >= 0;
    double reward = arrived ? GOAL_REWARD - cost : -cost;
    return Step.of(observation()).reward(reward).terminated(arrived);
  }

  /** Position, velocity. */
  @Override
  public double[] snapshot() {
    return TaskSnapshot.of(position, velocity);
  }

  @Override
  public void restore(double[] snapshot, RandomStream random) {
    double[] state = TaskSnapshot.state(snapshot, 2, this);
    position = state[0];
    velocity = state[1];
  }

  private float[] observation() {
    return new float[] {(float) position, (float) velocity};
  }

  private static double clip(double value, double low, double high) {
    return Math.max(low, Math.min(high, value));
  }
}
