package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/**
 * Two links that hang from a fixed joint, with a motor between them; the tip must be swung above a
 * line one link above the joint. Reward -1 per step, 0 for the step that reaches the line.
 *
 * <p>Actions: torque -1, 0 or 1. Observation: cosine and sine of the first angle (0 hangs down),
 * cosine and sine of the second angle relative to the first link, both angular velocities. All four
 * start uniform in ±0.1. It terminates when {@code -cos(a1) - cos(a1 + a2) > 1}. Angles are wrapped
 * to ±pi, velocities limited to ±4 pi and ±9 pi, steps are one Runge-Kutta step of 0.2 s.
 *
 * <p>See: Sutton, "Generalization in Reinforcement Learning: Successful Examples Using Sparse
 * Coarse Coding", 1996; equations of Sutton and Barto's book and constants of Gymnasium's
 * Acrobot-v1, which adds a limit of 500 steps (here {@link io.quantail.env.TimeLimitWrapper}).
 * {@code TaskVectors} pins it to Gymnasium's trajectories.
 */
public final class Acrobot implements Environment {
  private static final ActionSpace.Discrete ACTIONS = new ActionSpace.Discrete(3);
  private static final double GRAVITY = 9.8;
  // Both links have mass 1, length 1 and moment of inertia 1.
  private static final double CENTRE = 0.5;
  private static final double INERTIA = 1;
  private static final double MAX_SPEED_1 = 4 * Math.PI;
  private static final double MAX_SPEED_2 = 9 * Math.PI;
  private static final double SECONDS = 0.2;
  private static final double START_RANGE = 0.1;

  /** Both angles, both angular velocities. */
  private double[] state = new double[4];

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.named(
        "cosine1", "sine1", "cosine2", "sine2", "angularVelocity1", "angularVelocity2");
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public float[] reset(RandomStream random) {
    for (int i = 0; i < state.length; i++) {
      state[i] = random.nextDouble(-START_RANGE, START_RANGE);
    }
    return observation();
  }

  @Override
  public Step step(Action action) {
    double torque = action.index() - 1;
    double[] slope1 = derivative(state, torque);
    double[] slope2 = derivative(moved(slope1, SECONDS / 2), torque);
    double[] slope3 = derivative(moved(slope2, SECONDS / 2), torque);
    double[] slope4 = derivative(moved(slope3, SECONDS), torque);
    for (int i = 0; i < state.length; i++) {
      state[i] += SECONDS / 6 * (slope1[i] + 2 * slope2[i] + 2 * slope3[i] + slope4[i]);
    }
    state[0] = wrap(state[0]);
    state[1] = wrap(state[1]);
    state[2] = clip(state[2], MAX_SPEED_1);
    state[3] = clip(state[3], MAX_SPEED_2);
    boolean reached = -StrictMath.cos(state[0]) - StrictMath.cos(state[0] + state[1]) > 1;
    return Step.of(observation()).reward(reached ? 0 : -1).terminated(reached);
  }

  /** Both angles, both angular velocities. */
  @Override
  public double[] snapshot() {
    return TaskSnapshot.of(state);
  }

  @Override
  public void restore(double[] snapshot, RandomStream random) {
    state = TaskSnapshot.state(snapshot, 4, this);
  }

  private double[] moved(double[] slope, double seconds) {
    double[] moved = state.clone();
    for (int i = 0; i < moved.length; i++) {
      moved[i] += seconds * slope[i];
    }
    return moved;
  }

  private static double[] derivative(double[] state, double torque) {
    double angle1 = state[0];
    double angle2 = state[1];
    double speed1 = state[2];
    double speed2 = state[3];
    double sine = StrictMath.sin(angle2);
    double cosine = StrictMath.cos(angle2);
    double d1 = CENTRE * CENTRE + 1 + CENTRE * CENTRE + 2 * CENTRE * cosine + 2 * INERTIA;
    double d2 = CENTRE * CENTRE + CENTRE * cosine + INERTIA;
    // cos(x - pi / 2) of the book is sin(x).
    double phi2 = CENTRE * GRAVITY * StrictMath.sin(angle1 + angle2);
    double phi1 =
        -CENTRE * speed2 * speed2 * sine
            - 2 * CENTRE * speed2 * speed1 * sine
            + (CENTRE + 1) * GRAVITY * StrictMath.sin(angle1)
            + phi2;
    double acceleration2 =
        (torque + d2 / d1 * phi1 - CENTRE * speed1 * speed1 * sine - phi2)
            / (CENTRE * CENTRE + INERTIA - d2 * d2 / d1);
    double acceleration1 = -(d2 * acceleration2 + phi1) / d1;
    return new double[] {speed1, speed2, acceleration1, acceleration2};
  }

  private float[] observation() {
    return new float[] {
      (float) StrictMath.cos(state[0]),
      (float) StrictMath.sin(state[0]),
      (float) StrictMath.cos(state[1]),
      (float) StrictMath.sin(state[1]),
      (float) state[2],
      (float) state[3]
    };
  }

  private static double clip(double value, double bound) {
    return Math.max(-bound, Math.min(bound, value));
  }

  /** The angle in [-pi, pi]. */
  private static double wrap(double angle) {
    double wrapped = angle;
    while (wrapped > Math.PI) {
      wrapped -= 2 * Math.PI;
    }
    while (wrapped < -Math.PI) {
      wrapped += 2 * Math.PI;
    }
    return wrapped;
  }
}
