package io.quantail.audit;

import io.quantail.audit.reference.ReferenceMath;
import io.quantail.kernel.Workspace;
import io.quantail.model.ActingModel;
import io.quantail.network.NetworkPass;
import io.quantail.network.PolicyDistribution;
import io.quantail.rollout.SequenceBatch;
import java.util.ArrayList;
import java.util.List;

/**
 * Outputs of the agent's network for every transition of a sample, computed by the production pass.
 *
 * @param batch all windows of the rollout
 * @param pass one row for each row of the batch
 */
record SamplePredictions(SequenceBatch batch, NetworkPass pass) {

  static SamplePredictions of(SampleRollout sample) {
    return of(sample, sample.agent());
  }

  static SamplePredictions of(SampleRollout sample, ActingModel agent) {
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

  /**
   * The outputs of one critic for one row.
   *
   * @param all outputs of all critics
   * @param offset index of this critic's first output in {@code all}
   * @param values outputs of this critic in double precision
   */
  record CriticOutput(int row, int transition, float[] all, int offset, double[] values) {
    /** The part of an array like {@code all} that belongs to this critic. */
    double[] own(float[] array) {
      return ReferenceMath.row(array, offset / values.length, values.length);
    }
  }

  /** The outputs of every critic for some rows. */
  List<CriticOutput> critics(int width, int stride) {
    List<CriticOutput> outputs = new ArrayList<>();
    for (int row = 0; row < rows(); row += stride) {
      float[] all = values(row);
      for (int one = 0; one < all.length / width; one++) {
        outputs.add(
            new CriticOutput(
                row, transition(row), all, one * width, ReferenceMath.row(all, one, width)));
      }
    }
    return outputs;
  }

  /** The stored form of a distribution. */
  static double[] stored(PolicyDistribution policy, int size) {
    float[] parameters = new float[size];
    policy.store(parameters, 0);
    return ReferenceMath.doubles(parameters);
  }
}
