package io.quantail.robust;

import io.quantail.config.RobustConfig;
import io.quantail.config.RunConfig;
import io.quantail.model.ActingModel;
import io.quantail.network.ActorCritic;
import io.quantail.network.ParameterReplica;
import io.quantail.network.SequenceInput;
import io.quantail.optim.MicrobatchWeights;
import io.quantail.parallel.WorkerPool;
import io.quantail.random.RandomStream;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.SequenceBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * The state-adversarial term of the loss, {@code kappa mean KL(pi(s) || pi(s + delta))}, with the
 * perturbation that changes the policy most: on whole sequences, with the same rows and the same
 * recurrent state on both sides. The unperturbed side gets no gradient.
 *
 * <p>In an update without perturbation the term does nothing: the loss is the clean one to the bit.
 *
 * <p>See: Zhang et al. 2020, arXiv:2003.08938, equation 10. We search the perturbation of all steps
 * of a sequence together, because the recurrent state carries it on. Pinned by {@code sa_ppo_loss}
 * and {@code RobustLossTermTest}.
 */
public final class RobustLossTerm {
  private final AdversarySchedule adversary;
  private final ActorCritic network;
  private final RobustConfig config;
  private final long seed;
  private final List<ParameterReplica> attacked = new ArrayList<>();

  /** The term for an agent in the settings of a run. */
  public RobustLossTerm(RunConfig config, ActingModel agent) {
    adversary = new AdversarySchedule(config, agent);
    network = agent.network();
    this.config = config.robust();
    seed = config.seed();
    for (int i = 0; adversary.enabled() && i < config.ppo().microbatches(); i++) {
      attacked.add(agent.reader());
    }
  }

  /** The number of windows of a microbatch that are perturbed. */
  static int count(int windows, double ratio) {
    return (int) Math.floor(windows * ratio); // pinned by adversarial_split_counts
  }

  /** The term, given the summed divergence of the perturbed rows. */
  public static double term(double divergence, long rows, double coefficient) {
    return coefficient * divergence / rows;
  }

  /**
   * The term in one update.
   *
   * @param network whose policy it is
   * @param attack how the perturbation is searched
   * @param coefficient kappa
   * @param ratio fraction of a minibatch's windows that are perturbed
   */
  record OfUpdate(ActorCritic network, ObservationAttack attack, double coefficient, double ratio) {

    /**
     * Adds the weighted gradient of the term to that of a replica.
     *
     * @param parameters the replica that learns
     * @param attacked a replica of the same parameters whose gradient is not used
     * @param weight fraction of the microbatch in its minibatch
     * @param random draws the windows, and where the search begins
     */
    Reading backward(
        ParameterReplica parameters,
        ParameterReplica attacked,
        SequenceBatch microbatch,
        double weight,
        RandomStream random) {
      int windows = count(microbatch.windows(), ratio);
      if (windows == 0) {
        return new Reading(microbatch.size(), 0, 0, 0, false);
      }
      int[] chosen = Arrays.copyOf(random.permutation(microbatch.windows()), windows);
      Arrays.sort(chosen);
      SequenceBatch batch =
          windows == microbatch.windows() ? microbatch : microbatch.select(chosen);
      SequenceInput sequences = batch.sequences();
      PolicyDivergence shift = new PolicyDivergence(network, attacked, sequences);
      float[][] worst = attack.apply(sequences.observations(), shift, random);
      double mean = shift.backward(parameters, worst, coefficient * weight / batch.size());
      double size = attack.meanSize(sequences.observations(), worst);
      return new Reading(microbatch.size(), batch.size(), mean, size, Double.isFinite(mean));
    }
  }

  /**
   * The term of one microbatch.
   *
   * @param samples rows of the microbatch
   * @param disturbed rows that were perturbed
   * @param divergence mean divergence of those
   * @param size mean length of their perturbations
   * @param used whether the term was finite and its gradient has been added
   */
  record Reading(int samples, int disturbed, double divergence, double size, boolean used) {}

  /**
   * The term over a whole update.
   *
   * @param active whether the update had the term
   * @param epsilon largest perturbation
   * @param coefficient kappa
   * @param samples rows of all microbatches
   * @param disturbed rows that were perturbed
   * @param skipped microbatches whose term was not finite
   * @param divergence summed divergence of the perturbed rows
   * @param size summed length of their perturbations
   */
  public record Summary(
      boolean active,
      double epsilon,
      double coefficient,
      long samples,
      long disturbed,
      long skipped,
      double divergence,
      double size) {}

  /** Adds the term to the gradients of one update and sums its readings. */
  public final class Course {
    private final long update;
    private final Optional<OfUpdate> term;
    private int batches;
    private long samples;
    private long disturbed;
    private long skipped;
    private double divergence;
    private double size;

    private Course(long update) {
      this.update = update;
      term =
          config.coefficient() == 0
              ? Optional.empty()
              : adversary
                  .attack(update)
                  .map(
                      attack ->
                          new OfUpdate(network, attack, config.coefficient(), config.ratio()));
    }

    /**
     * Adds the gradient of the term to those of the microbatches.
     *
     * @param replicas hold the gradients, one replica per microbatch
     * @param microbatches windows of each microbatch
     * @param usable whether the gradient of each microbatch is used
     */
    public void backward(
        List<ParameterReplica> replicas,
        Rollout rollout,
        List<int[]> microbatches,
        boolean[] usable,
        WorkerPool workers) {
      if (term.isEmpty()) {
        return;
      }
      double[] weights =
          MicrobatchWeights.of(
              microbatches.stream().mapToDouble(windows -> windows.length).toArray());
      List<Callable<Reading>> tasks = new ArrayList<>();
      for (int i = 0; i < microbatches.size(); i++) {
        int place = i;
        if (usable[i]) {
          long index = (long) batches * microbatches.size() + i;
          RandomStream random = RandomStream.of(seed, "robust/" + update, index);
          tasks.add(
              () ->
                  term.get()
                      .backward(
                          replicas.get(place),
                          attacked.get(place),
                          new SequenceBatch(rollout, microbatches.get(place)),
                          weights[place],
                          random));
        }
      }
      workers.run(tasks).forEach(this::add);
      batches++;
    }

    private void add(Reading reading) {
      samples += reading.samples();
      if (reading.used()) {
        disturbed += reading.disturbed();
        divergence += reading.disturbed() * reading.divergence();
        size += reading.disturbed() * reading.size();
      } else if (reading.disturbed() > 0) {
        skipped++;
      }
    }

    /** The term so far; empty when the settings have no robust training. */
    public Optional<Summary> summary() {
      return adversary.enabled()
          ? Optional.of(
              new Summary(
                  term.isPresent(),
                  adversary.epsilon(update),
                  config.coefficient(),
                  samples,
                  disturbed,
                  skipped,
                  divergence,
                  size))
          : Optional.empty();
    }
  }

  /** Begins an update, counted from 0. */
  public Course begin(long update) {
    return new Course(update);
  }
}
