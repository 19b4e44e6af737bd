package io.quantail.robust;

import io.quantail.config.RunConfig;
import io.quantail.env.vector.EpisodeSummary;
import io.quantail.model.ActingModel;
import io.quantail.model.ObservationPerturbation;
import io.quantail.network.ParameterReplica;
import io.quantail.network.SequenceInput;
import io.quantail.random.RandomStream;
import io.quantail.rollout.Rollout;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Perturbs the observations of a fraction of the environments during collection, so that the agent
 * acts on, and learns from, the observations that change its policy most.
 *
 * <p>Actions, values, recurrent states and ratios all belong to the perturbed observation, so PPO
 * stays on-policy. All values follow from the number of the update, so there is no state to save.
 *
 * <p>See: Zhang, Chen, Boning, Hsieh, "Robust reinforcement learning on state observations with
 * learned optimal adversary", 2021, arXiv:2101.08452. They learn the adversary; we search the
 * perturbation at each step, as the attacks of {@link EvaluationAdversary} do. {@code
 * AttackedRolloutsTest} pins it.
 */
public final class AdversarialRollouts {
  private final AdversarySchedule adversary;
  private final ActingModel agent;
  private final long seed;
  private final boolean[] attacked; // by environment
  private final int count; // of attacked environments
  private final Map<Integer, ParameterReplica> replicas =
      new ConcurrentHashMap<>(); // by first environment

  /** The attacks on an agent in the settings of a run. */
  public AdversarialRollouts(RunConfig config, ActingModel agent) {
    adversary = new AdversarySchedule(config, agent);
    this.agent = agent;
    seed = config.seed();
    double fraction = adversary.enabled() ? config.robust().attackedShare() : 0;
    attacked = spread(config.environment().count(), fraction);
    count = (int) IntStream.range(0, attacked.length).filter(e -> attacked[e]).count();
  }

  /**
   * The environments that are attacked: {@code floor(environments * fraction)}, at even distances.
   */
  static boolean[] spread(int environments, double fraction) {
    boolean[] chosen = new boolean[environments];
    for (int e = 0; e < environments; e++) {
      chosen[e] = Math.floor((e + 1) * fraction) > Math.floor(e * fraction);
    }
    return chosen;
  }

  /** The perturbations in the rollout of an update, counted from 0. */
  public ObservationPerturbation.Source at(long update) {
    Optional<ObservationAttack> attack = count == 0 ? Optional.empty() : adversary.attack(update);
    return attack
        .<ObservationPerturbation.Source>map(
            search -> (first, rows) -> disturbance(search, update, first, rows))
        .orElse(ObservationPerturbation.Source.NONE);
  }

  private ObservationPerturbation disturbance(
      ObservationAttack attack, long update, int first, int environments) {
    int[] rows = IntStream.range(0, environments).filter(row -> attacked[first + row]).toArray();
    if (rows.length == 0) {
      return ObservationPerturbation.NONE;
    }
    ParameterReplica replica = replicas.computeIfAbsent(first, any -> agent.reader());
    RandomStream random = RandomStream.of(seed, "attacked-rollout/" + update, first);
    return seen -> {
      float[][] perturbed = seen.observations().clone();
      float[][] worst =
          PolicyDivergence.worst(agent.network(), replica, attack, select(seen, rows), random);
      for (int i = 0; i < rows.length; i++) {
        perturbed[rows[i]] = worst[i];
      }
      return perturbed;
    };
  }

  /** Some rows of one step. */
  private static SequenceInput select(SequenceInput seen, int[] rows) {
    float[][] observations =
        IntStream.of(rows).mapToObj(row -> seen.observations()[row]).toArray(float[][]::new);
    int size = seen.masks().length / seen.observations().length;
    boolean[] masks = new boolean[rows.length * size];
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(seen.masks(), rows[i] * size, masks, i * size, size);
    }
    return SequenceInput.step(observations, seen.initial().select(rows), masks);
  }

  /**
   * The raw observations from which the normaliser learns their scale: those of the environments
   * that are not attacked, unless all are. An attack leads to states of a larger dispersion; if
   * they were included, the attack would increase ε, which is given in standard deviations.
   */
  public float[] scaleObservations(Rollout rollout, long update) {
    float[] all = rollout.rawObservations();
    if (count == 0 || count == attacked.length || adversary.epsilon(update) == 0) {
      return all;
    }
    int size = rollout.shape().observationSize();
    float[] kept = new float[all.length / attacked.length * (attacked.length - count)];
    int place = 0;
    for (int row = 0; row < all.length / size; row++) {
      if (!attacked[row % attacked.length]) {
        System.arraycopy(all, row * size, kept, place, size);
        place += size;
      }
    }
    return kept;
  }

  /** The number of attacked environments. */
  public int count() {
    return count;
  }

  /** The mean return of the episodes that ended in attacked environments; empty without one. */
  public OptionalDouble meanReturn(List<EpisodeSummary> episodes) {
    return episodes.stream()
        .filter(episode -> attacked[episode.environment()])
        .mapToDouble(EpisodeSummary::totalReward)
        .average();
  }
}
