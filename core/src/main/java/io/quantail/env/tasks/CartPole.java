package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/**
 * A pole balanced on a cart that is pushed left (0) or right (1); reward 1 per step until it falls.
 *
 * <p>Observation: cart position, cart velocity, pole angle, pole angular velocity. It starts
 * uniform in ±0.05 and terminates beyond ±2.4 or ±12 degrees. Euler steps of 0.02 s in double
 * precision.
 *
 * <p>See: Barto, Sutton, Anderson, "Neuronlike adaptive elements that can solve difficult learning
 * control problems", 1983; constants of Gymnasium's CartPole-v1, which adds a limit of 500 steps
 * (here {@link io.quantail.env.TimeLimitWrapper}). {@code PeerTrajectoryTest} pins it to
 * Gymnasium's trajectories.
 */
public final class CartPole implements Environment {
  private static final ActionSpace.Discrete ACTIONS = new ActionSpace.Discrete(2);
  private static final double GRAVITY = 9.8;
  private static final double POLE_MASS = 0.1;
  private static final double TOTAL_MASS = 1.0 + POLE_MASS;
  private static final double HALF_LENGTH = 0.5;
  private static final double FORCE = 10.0;
  private static final double SECONDS = 0.02;
  private static final double POSITION_LIMIT = 2.4;
  private static final double ANGLE_LIMIT = 12 * 2 * Math.PI / 360;
  private static final double START_RANGE = 0.05;

  private double position;
  private double velocity;
  private double angle;
  private double angularVelocity;

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.named("position", "velocity", "angle", "angularVelocity");
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public float[] reset(RandomStream random) {
    position = random.nextDouble(-START_RANGE, START_RANGE);
    velocity = random.nextDouble(-START_RANGE, START_RANGE);
    angle = random.nextDouble(-START_RANGE, START_RANGE);
    angularVelocity = random.nextDouble(-START_RANGE, START_RANGE);
    return observation();
  }

  @Override
  public Step step(Action action) {
    double force = action.index() == 1 ? FORCE : -FORCE;
    double sine = StrictMath.sin(angle);
    double cosine = StrictMath.cos(angle);
    double poleMoment = POLE_MASS * HALF_LENGTH;
    double push = (force + poleMoment * angularVelocity * angularVelocity * sine) / TOTAL_MASS;
    double angularAcceleration =
        (GRAVITY * sine - cosine * push)
            / (HALF_LENGTH * (4.0 / 3.0 - POLE_MASS * cosine * cosine / TOTAL_MASS));
    double acceleration = push - poleMoment * angularAcceleration * cosine / TOTAL_MASS;

    position += SECONDS * velocity;
    velocity += SECONDS * acceleration;
    angle += SECONDS * angularVelocity;
    angularVelocity += SECONDS * angularAcceleration;

    boolean fell = Math.abs(position) > POSITION_LIMIT || Math.abs(angle) > ANGLE_LIMIT;
    return Step.of(observation()).reward(1).terminated(fell);
  }

  /** Position, velocity, angle, angular velocity. */
  @Override
  public double[] snapshot() {
    return TaskSnapshot.of(position, velocity, angle, angularVelocity);
  }

  @Override
  public void restore(double[] snapshot, RandomStream random) {
    double[] state = TaskSnapshot.state(snapshot, 4, this);
    position = state[0];
    velocity = state[1];
    angle = state[2];
    angularVelocity = state[3];
  }

  private float[] observation() {
    return new float[] {(float) position, (float) velocity, (float) angle, (float) angularVelocity};
  }
}
