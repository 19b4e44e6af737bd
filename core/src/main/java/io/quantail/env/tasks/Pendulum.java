package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/**
 * A pendulum to be swung up and held upright by a torque of at most 2.
 *
 * <p>Observation: cosine and sine of the angle (0 is upright), angular velocity. Reward: {@code
 * -(angle^2 + 0.1 velocity^2 + 0.001 torque^2)} with the angle in [-pi, pi), before the step. It
 * starts uniform in ±pi and ±1 and never terminates. Velocity is limited to ±8, steps are of 0.05
 * s.
 *
 * <p>See: Gymnasium's Pendulum-v1, which adds a limit of 200 steps (here {@link
 * io.quantail.env.TimeLimitWrapper}) and, like this one, clips the torque. {@code
 * PeerTrajectoryTest} pins it to Gymnasium's trajectories.
 */
public final class Pendulum implements Environment {
  private static final double GRAVITY = 10;
  private static final double MAX_SPEED = 8;
  private static final double MAX_TORQUE = 2;
  private static final double SECONDS = 0.05;
  private static final double START_SPEED = 1;
  private static final ActionSpace ACTIONS =
      new ActionSpace.Box(new float[] {(float) -MAX_TORQUE}, new float[] {(float) MAX_TORQUE});

  private double angle;
  private double velocity;

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.named("cosine", "sine", "angularVelocity");
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public float[] reset(RandomStream random) {
    angle = random.nextDouble(-Math.PI, Math.PI);
    velocity = random.nextDouble(-START_SPEED, START_SPEED);
    return observation();
  }

  @Override
  public Step step(Action action) {
    double torque = clip(action.value(), MAX_TORQUE);
    double deviation = wrap(angle);
    double cost = deviation * deviation + 0.1 * velocity * velocity + 0.001 * torque * torque;
    // A rod of mass 1 and length 1 that hangs on one end.
    double acceleration = 1.5 * GRAVITY * StrictMath.sin(angle) + 3 * torque;
    velocity = clip(velocity + acceleration * SECONDS, MAX_SPEED);
    angle += velocity * SECONDS;
    return Step.of(observation()).reward(-cost);
  }

  /** Angle, not wrapped; angular velocity. */
  @Override
  public double[] snapshot() {
    return TaskSnapshot.of(angle, velocity);
  }

  @Override
  public void restore(double[] snapshot, RandomStream random) {
    double[] state = TaskSnapshot.state(snapshot, 2, this);
    angle = state[0];
    velocity = state[1];
  }

  private float[] observation() {
    return new float[] {
      (float) StrictMath.cos(angle), (float) StrictMath.sin(angle), (float) velocity
    };
  }

  private static double clip(double value, double bound) {
    return Math.max(-bound, Math.min(bound, value));
  }

  /** The angle in [-pi, pi). */
  private static double wrap(double angle) {
    double turn = (angle + Math.PI) % (2 * Math.PI);
    return (turn < 0 ? turn + 2 * Math.PI : turn) - Math.PI;
  }
}
