package io.quantail.env;

import io.quantail.env.tasks.CartPole;
import io.quantail.env.tasks.Pendulum;
import io.quantail.math.RunningMoments;
import io.quantail.random.RandomStream;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.Map;

/** Environments and running statistics as other libraries have them. */
public final class PeerEnvironmentVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "gymnasium_cartpole", this::checkCartPole,
        "gymnasium_pendulum", this::checkPendulum,
        "sb3_running_mean_std", this::checkMoments);
  }

  private void checkCartPole(VectorCase vector) {
    double[] actions = vector.doubles("actions");
    double[][] states = new double[actions.length][];
    double[] rewards = new double[actions.length];
    boolean[] terminated = new boolean[actions.length];
    CartPole environment = new CartPole();
    environment.restore(running(vector.doubles("start_state")), anyStream());
    for (int t = 0; t < actions.length; t++) {
      Step step = environment.step(action(environment, actions[t]));
      double[] snapshot = environment.snapshot();
      states[t] = Arrays.copyOf(snapshot, snapshot.length - 1);
      rewards[t] = step.reward();
      terminated[t] = step.isTerminated();
    }
    vector.expect("states", states);
    vector.expect("rewards", rewards);
    vector.expect("terminated", terminated);
  }

  private void checkPendulum(VectorCase vector) {
    double[] actions = vector.doubles("actions");
    double[][] observations = new double[actions.length][];
    double[] rewards = new double[actions.length];
    Pendulum environment = new Pendulum();
    environment.restore(
        running(vector.number("start_theta"), vector.number("start_theta_dot")), anyStream());
    for (int t = 0; t < actions.length; t++) {
      Step step = environment.step(action(environment, actions[t]));
      float[] seen = step.observation();
      observations[t] = new double[seen.length];
      Arrays.setAll(observations[t], i -> seen[i]);
      rewards[t] = step.reward();
    }
    vector.expect("observations", observations);
    vector.expect("rewards", rewards);
  }

  /** Also an action outside of the bounds, which the task itself clips as Gymnasium's does. */
  private static Action action(Environment environment, double number) {
    return Action.view(environment.actionSpace(), new float[] {(float) number});
  }

  private void checkMoments(VectorCase vector) {
    int features = vector.input("batches").get(0).get(0).size();
    RunningMoments moments = new RunningMoments(features);
    double[] mean = new double[features];
    double[] variance = new double[features];
    Arrays.fill(mean, vector.number("initial_mean"));
    Arrays.fill(variance, vector.number("initial_var"));
    moments.restore(vector.number("initial_count"), mean, variance);
    for (double[] batch : vector.matrix("batches")) {
      moments.merge(i -> batch[i], batch.length / features);
    }
    Arrays.setAll(mean, moments::mean);
    Arrays.setAll(variance, moments::variance);
    vector.expect("mean", mean);
    vector.expect("var", variance);
    vector.expect("count", moments.count());
  }

  /** The tasks' snapshots end with a flag that says that an episode is running. */
  private static double[] running(double... state) {
    double[] snapshot = Arrays.copyOf(state, state.length + 1);
    snapshot[state.length] = 1;
    return snapshot;
  }

  private static RandomStream anyStream() {
    return RandomStream.of(0, "unused", 0);
  }
}
