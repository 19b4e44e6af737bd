package io.quantail.robust;

import io.quantail.nn.ActorCritic;
import io.quantail.nn.ParameterReplica;
import io.quantail.nn.Sequences;
import io.quantail.random.RandomStream;
import io.quantail.rollout.SequenceBatch;
import java.util.Arrays;

/**
 * The term {@code kappa mean KL(pi(s) || pi(s + delta))} of one update, with the disturbance that
 * moves the policy most: on whole sequences, with the same rows and the same recurrent state on
 * both sides. The undisturbed side gets no gradient.
 *
 * <p>See: Zhang et al. 2020, arXiv:2003.08938, equation 10. We search the disturbance of all steps
 * of a sequence together, because memory carries it on. Pinned by {@code sa_ppo_loss} and {@code
 * RegularizerTest}.
 *
 * @param network whose policy it is
 * @param attack how the disturbance is searched
 * @param coefficient kappa
 * @param ratio share of a batch's windows that are disturbed
 */
public record Regularizer(ActorCritic network, Attack attack, double coefficient, double ratio) {

  /**
   * What a piece of a batch gave.
   *
   * @param samples rows of the piece
   * @param disturbed rows that were disturbed
   * @param divergence mean divergence of those
   * @param size mean length of their disturbances
   * @param used whether the term was finite and its gradient has been added
   */
  public record Reading(int samples, int disturbed, double divergence, double size, boolean used) {}

  /** How many of a number of windows are disturbed; {@code adversarial_split_counts} pins it. */
  static int count(int windows, double ratio) {
    return (int) Math.floor(windows * ratio);
  }

  /** The term for the divergence of the disturbed rows, given as a sum. */
  public static double term(double divergence, long rows, double coefficient) {
    return coefficient * divergence / rows;
  }

  /**
   * Adds the weighted gradient of the term to that of a replica.
   *
   * @param parameters the replica that learns
   * @param attacked a replica of the same parameters whose gradient nobody uses
   * @param weight share of the piece in its batch
   * @param random draws the windows, and where the search begins
   */
  public Reading backward(
      ParameterReplica parameters,
      ParameterReplica attacked,
      SequenceBatch piece,
      double weight,
      RandomStream random) {
    int windows = count(piece.windows(), ratio);
    if (windows == 0) {
      return new Reading(piece.size(), 0, 0, 0, false);
    }
    int[] chosen = Arrays.copyOf(random.permutation(piece.windows()), windows);
    Arrays.sort(chosen);
    SequenceBatch batch = windows == piece.windows() ? piece : piece.select(chosen);
    Sequences sequences = batch.sequences();
    PolicyShift shift = new PolicyShift(network, attacked, sequences);
    float[][] worst = attack.apply(sequences.observations(), shift, random);
    double mean = shift.backward(parameters, worst, coefficient * weight / batch.size());
    double size = attack.meanSize(sequences.observations(), worst);
    return new Reading(piece.size(), batch.size(), mean, size, Double.isFinite(mean));
  }
}
