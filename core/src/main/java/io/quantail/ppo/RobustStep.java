package io.quantail.ppo;

import io.quantail.config.RunConfig;
import io.quantail.metrics.Metrics;
import io.quantail.nn.ParameterReplica;
import io.quantail.parallel.WorkerPool;
import io.quantail.random.RandomStream;
import io.quantail.robust.Regularizer;
import io.quantail.robust.Regularizer.Reading;
import io.quantail.robust.StateAdversary;
import io.quantail.rollout.Agent;
import io.quantail.rollout.GroupWeights;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.SequenceBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Adds the gradient of the robust term to those of a batch's pieces. Where an update asks for none,
 * it does nothing: the loss is the clean one to the bit.
 */
final class RobustStep {
  private final StateAdversary adversary;
  private final double coefficient;
  private final long seed;
  private final List<ParameterReplica> attacked = new ArrayList<>();

  RobustStep(RunConfig config, Agent agent) {
    adversary = new StateAdversary(config, agent);
    coefficient = config.robust().coefficient();
    seed = config.seed();
    for (int piece = 0; adversary.enabled() && piece < config.ppo().microbatches(); piece++) {
      attacked.add(agent.reader());
    }
  }

  /** What the robust term of one update did. */
  final class Course {
    private final long update;
    private final Optional<Regularizer> regularizer;
    private int batches;
    private long samples;
    private long disturbed;
    private long skipped;
    private double divergence;
    private double size;

    private Course(long update) {
      this.update = update;
      this.regularizer = adversary.at(update);
    }

    /** Adds to the gradients that the pieces have left in the replicas, where they are usable. */
    void backward(
        List<ParameterReplica> replicas,
        Rollout rollout,
        List<int[]> pieces,
        List<LossResult> results,
        WorkerPool workers) {
      if (regularizer.isEmpty()) {
        return;
      }
      double[] weights =
          GroupWeights.of(pieces.stream().mapToDouble(piece -> piece.length).toArray());
      List<Callable<Reading>> tasks = new ArrayList<>();
      for (int i = 0; i < pieces.size(); i++) {
        int piece = i;
        if (results.get(piece).usable()) {
          long index = (long) batches * pieces.size() + piece;
          RandomStream random = RandomStream.of(seed, "robust/" + update, index);
          tasks.add(
              () ->
                  regularizer
                      .get()
                      .backward(
                          replicas.get(piece),
                          attacked.get(piece),
                          new SequenceBatch(rollout, pieces.get(piece)),
                          weights[piece],
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

    void report(Metrics metrics) {
      if (!adversary.enabled()) {
        return;
      }
      metrics.put("sa_ppo/enabled", regularizer.isPresent() ? 1 : 0);
      metrics.put("sa_ppo/current_epsilon", adversary.epsilon(update));
      metrics.put("sa_ppo/adversarial_samples", disturbed);
      metrics.put("sa_ppo/clean_samples", samples - disturbed);
      metrics.put("sa_ppo/skipped_pieces", skipped);
      if (disturbed > 0) {
        metrics.put("sa_ppo/adversarial_ratio", (double) disturbed / samples);
        metrics.put("sa_ppo/kl_divergence", divergence / disturbed);
        metrics.put(
            "sa_ppo/robust_kl_penalty", Regularizer.term(divergence, disturbed, coefficient));
        metrics.put("sa_ppo/avg_perturbation_norm", size / disturbed);
      }
    }
  }

  /** Begins an update, counted from 0. */
  Course begin(long update) {
    return new Course(update);
  }
}
