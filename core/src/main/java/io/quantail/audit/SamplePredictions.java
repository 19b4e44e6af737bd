package io.quantail.audit;

import io.quantail.audit.slow.Numbers;
import io.quantail.kernel.Workspace;
import io.quantail.nn.NetworkPass;
import io.quantail.nn.PolicyDistribution;
import io.quantail.rollout.Agent;
import io.quantail.rollout.SequenceBatch;
import java.util.Arrays;

/**
 * What the agent's network predicts for every transition of a sample, by the pass that training
 * runs.
 *
 * @param batch all windows of the rollout
 * @param pass its rows are those of the batch
 */
record SamplePredictions(SequenceBatch batch, NetworkPass pass) {

  static SamplePredictions of(Sample sample) {
    return of(sample, sample.agent());
  }

  static SamplePredictions of(Sample sample, Agent agent) {
    SequenceBatch batch = new SequenceBatch(sample.rollout(), sample.allWindows());
    return new SamplePredictions(
        batch, agent.network().evaluate(new Workspace(), agent.inference(), batch.sequences()));
  }

  int rows() {
    return batch.size();
  }

  /** The transition of a row. */
  int transition(int row) {
    return batch.transitions()[row];
  }

  /** Outputs of all critics, side by side. */
  float[] values(int row) {
    return pass.values()[row];
  }

  /** Outputs of one critic in double precision. */
  double[] values(int row, int critic, int width) {
    double[] all = Numbers.doubles(pass.values()[row]);
    return Arrays.copyOfRange(all, critic * width, (critic + 1) * width);
  }

  /** What describes the policy of the row that it is set to. */
  static double[] stored(PolicyDistribution policy, int size) {
    float[] parameters = new float[size];
    policy.store(parameters, 0);
    return Numbers.doubles(parameters);
  }
}
