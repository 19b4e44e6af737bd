package io.quantail.env.check;

import io.quantail.env.ActionSpace;
import io.quantail.env.Step;
import io.quantail.env.vector.GuardedEnvironment;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The steps of an episode, or of its rest, recorded for comparison. */
record EpisodeTrace(List<Moment> moments, boolean ended) {
  /** A step, or the start of an episode with reward 0; its observation is copied. */
  record Moment(
      float[] observation,
      double reward,
      boolean terminated,
      boolean truncated,
      Map<String, Double> info) {

    static Moment start(float[] observation) {
      return new Moment(observation.clone(), 0, false, false, Map.of());
    }

    static Moment of(Step step) {
      return new Moment(
          step.observation().clone(),
          step.reward(),
          step.isTerminated(),
          step.isTruncated(),
          step.info());
    }

    boolean sameAs(Moment other) {
      return Arrays.equals(observation, other.observation)
          && Double.compare(reward, other.reward) == 0
          && terminated == other.terminated
          && truncated == other.truncated
          && info.equals(other.info);
    }

    @Override
    public String toString() {
      return "observation %s, reward %s, terminated %s, truncated %s, info %s"
          .formatted(Arrays.toString(observation), reward, terminated, truncated, info);
    }
  }

  /** Steps with random actions until the episode ends or {@code limit} steps are done. */
  static EpisodeTrace follow(
      GuardedEnvironment environment, ActionSpace space, RandomStream actions, int limit) {
    List<Moment> moments = new ArrayList<>();
    boolean ended = false;
    while (!ended && moments.size() < limit) {
      Step step = environment.step(space.sample(actions, environment.mask()), 0);
      moments.add(Moment.of(step));
      ended = step.done();
    }
    return new EpisodeTrace(moments, ended);
  }

  /** This trajectory with the start of the episode in front. */
  EpisodeTrace after(float[] firstObservation) {
    List<Moment> all = new ArrayList<>();
    all.add(Moment.start(firstObservation));
    all.addAll(moments);
    return new EpisodeTrace(all, ended);
  }

  /** Index of the first moment in which two trajectories differ. */
  Optional<Integer> firstDifference(EpisodeTrace other) {
    int common = Math.min(moments.size(), other.moments.size());
    for (int i = 0; i < common; i++) {
      if (!moments.get(i).sameAs(other.moments.get(i))) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }
}
