package io.quantail.audit;

import io.quantail.audit.slow.Experience;
import io.quantail.audit.slow.SlowCritic;
import io.quantail.audit.slow.SlowNetwork;
import io.quantail.audit.slow.SlowPolicy;
import io.quantail.env.Step;
import io.quantail.rollout.Rollout;

/**
 * A sample's rollout walked through once more with the slow network, from its first state on, one
 * observation at a time.
 *
 * @param values value of each observation, raw units
 * @param logProbabilities of the actions taken
 * @param bootstraps value of the terminal observation where an episode was cut
 * @param lastValues value of the observation after the last step
 * @param critics outputs of each critic
 * @param carried state before each window, as carried on from the first
 */
record Replay(
    double[] values,
    double[] logProbabilities,
    double[] bootstraps,
    double[] lastValues,
    double[][][] critics,
    SlowNetwork.State[] carried) {

  static Replay of(Sample sample) {
    Rollout.Shape shape = sample.rollout().shape();
    int size = shape.transitions();
    Replay replay =
        new Replay(
            new double[size],
            new double[size],
            new double[size],
            new double[shape.environments()],
            new double[size][][],
            new SlowNetwork.State[shape.windows()]);
    for (int environment = 0; environment < shape.environments(); environment++) {
      replay.walk(sample, environment);
    }
    return replay;
  }

  private void walk(Sample sample, int environment) {
    Experience experience = sample.experience();
    SlowNetwork network = sample.slowNetwork();
    SlowPolicy policy = sample.slowPolicy();
    double[] parameters = sample.parameters();
    int environments = experience.environments();
    SlowNetwork.State state = experience.windowStates()[environment].copy();
    int steps = experience.size() / environments;
    for (int time = 0; time < steps; time++) {
      int at = time * environments + environment;
      if (time > 0 && experience.ends()[at - environments]) {
        state = network.start();
      }
      if (time % experience.window() == 0) {
        carried[time / experience.window() * environments + environment] = state.copy();
      }
      SlowNetwork.Output output = network.step(parameters, experience.observations()[at], state);
      values[at] = value(sample, output);
      critics[at] = output.critics();
      logProbabilities[at] = policy.logProbability(output.policy(), experience.rawActions()[at]);
      Step seen = sample.witnesses().get(environment).steps().get(time);
      if (sample.collected().truncated()[at]) {
        bootstraps[at] = following(sample, parameters, seen.observation(), state);
      }
      if (time == steps - 1 && !experience.ends()[at]) {
        lastValues[environment] = following(sample, parameters, seen.observation(), state);
      }
    }
  }

  /** The value one observation further on; the state is left as it is. */
  private static double following(
      Sample sample, double[] parameters, float[] observation, SlowNetwork.State state) {
    double[] seen = Observations.normalized(sample, observation);
    return value(sample, sample.slowNetwork().step(parameters, seen, state.copy()));
  }

  /** The lowest mean of the critics, brought to raw units. */
  private static double value(Sample sample, SlowNetwork.Output output) {
    SlowCritic critic = sample.slowCritic();
    double lowest = Double.POSITIVE_INFINITY;
    for (double[] outputs : output.critics()) {
      lowest = Math.min(lowest, critic.mean(outputs));
    }
    return lowest * sample.scale().std() + sample.scale().mean();
  }
}
