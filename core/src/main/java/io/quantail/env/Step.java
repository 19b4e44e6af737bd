package io.quantail.env;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an environment answers to one action.
 *
 * <p>The observation array is not copied: the environment must not change it before its next call,
 * and whoever keeps it longer copies it ({@code VectorEnvironment} does).
 *
 * @param observation what is seen after the action; at the end of an episode, the last sight of it
 * @param reward the reward of the action, unscaled
 * @param terminated the task is over; the value of what follows is zero
 * @param truncated the episode was cut; the value of what would follow still counts. If both flags
 *     are set, termination wins
 * @param info named numbers for metrics, in a fixed order
 */
public record Step(
    float[] observation,
    double reward,
    boolean terminated,
    boolean truncated,
    Map<String, Double> info) {

  /**
   * Name of the number in {@link #info} that says which fraction of the step's reward was paid as
   * costs; metrics show its median and mean.
   */
  public static final String REWARD_COSTS = "reward_costs_fraction";

  public Step {
    if (!(info instanceof StepInfo)) {
      // Not Map.copyOf: its order changes from one JVM to the next.
      info = info.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(info));
    }
  }

  /** A step after which the episode goes on. */
  public static Step of(float[] observation, double reward) {
    return new Step(observation, reward, false, false, Map.of());
  }

  /** A step that ends the task. */
  public static Step terminal(float[] observation, double reward) {
    return new Step(observation, reward, true, false, Map.of());
  }

  /** The same step, cutting the episode. */
  public Step asTruncated() {
    return new Step(observation, reward, terminated, true, info);
  }

  /** The same step with another observation. */
  public Step withObservation(float[] other) {
    return new Step(other, reward, terminated, truncated, info);
  }

  /** Whether the episode ended, one way or the other. */
  public boolean done() {
    return terminated || truncated;
  }
}
