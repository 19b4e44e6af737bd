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
      Map<String, Double> info,
      boolean[] mask) {

    static Moment start(float[] observation, boolean[] mask) {
      return new Moment(observation.clone(), 0, false, false, Map.of(), mask.clone());
    }

    static Moment of(Step step, boolean[] mask) {
      return new Moment(
          step.observation().clone(),
          step.reward(),
          step.isTerminated(),
          step.isTruncated(),
          step.info(),
          step.done() ? new boolean[0] : mask.clone());
    }

    boolean sameAs(Moment other) {
      return Arrays.equals(observation, other.observation)
          && Double.compare(reward, other.reward) == 0
          && terminated == other.terminated
          && truncated == other.truncated
          && info.equals(other.info)
          && Arrays.equals(mask, other.mask);
    }

    @Override
    public String toString() {
      return "observation %s, reward %s, terminated %s, truncated %s, info %s%s"
          .formatted(
              Arrays.toString(observation),
              reward,
              terminated,
              truncated,
              info,
              mask.length == 0 ? "" : ", allowed " + Arrays.toString(mask));
    }
  }

  /**
   * Steps with random actions until the episode ends or {@code limit} steps are done.
   *
   * @param beforeStep runs before each step
   */
  static EpisodeTrace follow(
      GuardedEnvironment environment,
      ActionSpace space,
      RandomStream actions,
      int limit,
      Runnable beforeStep) {
    List<Moment> moments = new ArrayList<>();
    boolean ended = false;
    while (!ended && moments.size() < limit) {
      beforeStep.run();
      Step step = environment.step(space.sample(actions, environment.mask()), 0);
      moments.add(Moment.of(step, environment.mask()));
      ended = step.done();
    }
    return new EpisodeTrace(moments, ended);
  }

  /** This trajectory with the start of the episode in front. */
  EpisodeTrace after(Moment start) {
    List<Moment> all = new ArrayList<>();
    all.add(start);
    all.addAll(moments);
    return new EpisodeTrace(all, ended);
  }

  /** Number of steps of a trajectory that begins with the start of its episode. */
  int length() {
    return moments.size() - 1;
  }

  /** Whether the episode has ended by itself. */
  boolean terminated() {
    return moments.get(moments.size() - 1).terminated();
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
