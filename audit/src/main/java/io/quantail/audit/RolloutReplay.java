package io.quantail.audit;

import io.quantail.audit.reference.ReferenceMath;
import io.quantail.audit.reference.ReferenceNetwork;
import io.quantail.audit.reference.ReferencePolicy;
import io.quantail.audit.reference.ReferenceRollout;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.rollout.Rollout;
import io.quantail.state.StateMap;

/**
 * Outputs of the reference network for a sample's rollout, computed from its first recurrent state
 * on, one observation at a time.
 *
 * @param values value of each observation, raw units
 * @param logProbabilities of the actions taken
 * @param bootstraps value of the terminal observation of truncated episodes
 * @param lastValues value of the observation after the last step
 * @param critics outputs of each critic, [transition][critic][output]
 * @param following the same of what follows a transition; null after a termination
 * @param outputs all outputs of the network
 * @param carried recurrent state before each window
 */
record RolloutReplay(
    double[] values,
    double[] logProbabilities,
    double[] bootstraps,
    double[] lastValues,
    double[][][] critics,
    double[][][] following,
    ReferenceNetwork.Output[] outputs,
    ReferenceNetwork.State[] carried) {
  private static final double EPSILON = 1e-8;

  /** The replay of a subject's own sample, computed once. */
  static RolloutReplay of(AuditSubject subject) {
    return subject.shared("replay", () -> of(subject.own()));
  }

  private static RolloutReplay of(SampleRollout sample) {
    Rollout.Shape shape = sample.rollout().shape();
    int size = shape.transitions();
    RolloutReplay replay =
        new RolloutReplay(
            new double[size],
            new double[size],
            new double[size],
            new double[shape.environments()],
            new double[size][][],
            new double[size][][],
            new ReferenceNetwork.Output[size],
            new ReferenceNetwork.State[shape.windows()]);
    for (int environment = 0; environment < shape.environments(); environment++) {
      replay.run(sample, environment);
    }
    return replay;
  }

  private void run(SampleRollout sample, int environment) {
    ReferenceRollout experience = sample.experience();
    ReferenceNetwork network = sample.referenceNetwork();
    ReferencePolicy policy = sample.referencePolicy();
    double[] parameters = sample.parameters();
    int environments = experience.environments();
    ReferenceNetwork.State state = experience.windowStates()[environment].copy();
    int steps = experience.size() / environments;
    for (int time = 0; time < steps; time++) {
      int at = time * environments + environment;
      if (time > 0 && experience.ends()[at - environments]) {
        state = network.start();
      }
      if (time % experience.window() == 0) {
        carried[time / experience.window() * environments + environment] = state.copy();
      }
      ReferenceNetwork.Output output =
          network.step(parameters, experience.observations()[at], state);
      values[at] = value(sample, output.critics());
      critics[at] = output.critics();
      outputs[at] = output;
      logProbabilities[at] =
          policy.logProbability(
              policy.masked(output.policy(), experience.masks()[at]), experience.rawActions()[at]);
      Step answer = sample.witnesses().get(environment).steps().get(time);
      if (!sample.collected().terminated()[at]) {
        following[at] = following(sample, parameters, answer.observation(), state);
      }
      if (sample.collected().truncated()[at]) {
        bootstraps[at] = value(sample, following[at]);
      }
      if (time == steps - 1 && !experience.ends()[at]) {
        lastValues[environment] = value(sample, following[at]);
      }
    }
  }

  /** Outputs for the next observation; the recurrent state is not changed. */
  private static double[][] following(
      SampleRollout sample,
      double[] parameters,
      float[] observation,
      ReferenceNetwork.State state) {
    double[] seen = normalized(sample, observation);
    return sample.referenceNetwork().step(parameters, seen, state.copy()).critics();
  }

  /** The lowest mean of the critics in raw units. */
  private static double value(SampleRollout sample, double[][] critics) {
    double lowest = sample.referenceCritic().lowestMean(critics);
    return lowest * sample.scale().std() + sample.scale().mean();
  }

  /** Normalises an observation with the statistics from before a sample's rollout. */
  static double[] normalized(SampleRollout sample, float[] raw) {
    double[] seen = ReferenceMath.doubles(raw);
    if (!sample.config().environment().normalizeObservations()) {
      return seen;
    }
    StateMap statistics = sample.before().child("agent").child("normalizer");
    double[] mean = statistics.doubles("mean", raw.length);
    double[] variance = statistics.doubles("variance", raw.length);
    double limit = sample.config().environment().observationClip();
    int first = 0;
    for (ObservationSpace.Part part : sample.observationSpace().parts()) {
      for (int i = first; i < first + part.size() && !part.raw(); i++) {
        double score = (raw[i] - mean[i]) / Math.sqrt(variance[i] + EPSILON);
        seen[i] = ReferenceMath.clip(score, -limit, limit);
      }
      first += part.size();
    }
    return seen;
  }
}
