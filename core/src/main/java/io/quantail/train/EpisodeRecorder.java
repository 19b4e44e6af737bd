package io.quantail.train;

import io.quantail.env.ActionSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rewards and actions of the steps of evaluation episodes; an episode counts once it is kept. */
final class EpisodeRecorder {
  private static final int FIRST_CAPACITY = 1024;

  private final ActionSpace space;
  private final int size; // numbers in an action
  private final List<Steps> running = new ArrayList<>(); // one per environment
  private final Steps kept;

  EpisodeRecorder(ActionSpace space, int environments) {
    this.space = space;
    this.size = space.size();
    int actions = space.parts().stream().mapToInt(EpisodeRecorder::numbers).sum();
    for (int e = 0; e < environments; e++) {
      running.add(new Steps(actions));
    }
    kept = new Steps(actions);
  }

  /** One number per choice or per component of a box. */
  private static int numbers(ActionSpace part) {
    return part instanceof ActionSpace.Discrete discrete ? discrete.count() : part.size();
  }

  /** Steps of one or more episodes: all rewards, and the sum of actions. */
  private static final class Steps {
    private final double[] actions; // sum of each component, or how often each was taken
    private double[] rewards = new double[FIRST_CAPACITY];
    private int count;

    Steps(int actionCount) {
      actions = new double[actionCount];
    }

    void addReward(double reward) {
      if (count == rewards.length) {
        rewards = Arrays.copyOf(rewards, 2 * count);
      }
      rewards[count++] = reward;
    }

    void addAll(Steps other) {
      for (int i = 0; i < other.count; i++) {
        addReward(other.rewards[i]);
      }
      for (int i = 0; i < actions.length; i++) {
        actions[i] += other.actions[i];
      }
    }

    void clear() {
      count = 0;
      Arrays.fill(actions, 0);
    }
  }

  /**
   * Records a step of an environment's running episode.
   *
   * @param actions of all environments
   */
  void step(int environment, float[] actions, double reward) {
    Steps steps = running.get(environment);
    steps.addReward(reward);
    int place = environment * size;
    int number = 0;
    for (ActionSpace part : space.parts()) {
      if (part instanceof ActionSpace.Discrete) {
        steps.actions[number + (int) actions[place]]++;
      } else {
        for (int i = 0; i < part.size(); i++) {
          steps.actions[number + i] += actions[place + i];
        }
      }
      place += part.size();
      number += numbers(part);
    }
  }

  /** Ends the running episode of an environment; its steps count if it is kept. */
  void end(int environment, boolean keep) {
    if (keep) {
      kept.addAll(running.get(environment));
    }
    running.get(environment).clear();
  }

  /** The rewards of all steps that count. */
  double[] rewards() {
    return Arrays.copyOf(kept.rewards, kept.count);
  }

  /** Mean of each component of the actions and the share of each choice, part by part. */
  List<Double> meanAction() {
    return Arrays.stream(kept.actions).mapToObj(sum -> sum / kept.count).toList();
  }
}
