package io.quantail.env;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of one action in an environment.
 *
 * <p>The observation array is not copied: the environment must not change it before its next call,
 * and a caller that keeps it longer copies it, as {@code VectorEnvironment} does.
 *
 * @param observation observation after the action; at the end of an episode, its last one
 * @param reward the reward of the action, unscaled
 * @param terminated whether the episode has ended by itself; the value of the state is zero
 * @param truncated whether the episode was stopped; the value of the state still counts. If both
 *     flags are set, the step is terminated
 * @param info named numbers for metrics, in a fixed order
 */
public record Step(
    float[] observation,
    double reward,
    boolean terminated,
    boolean truncated,
    Map<String, Double> info) {

  /**
   * Name of the fraction of the step's reward that was paid as costs in {@link #info}; metrics show
   * its median and mean.
   */
  public static final String REWARD_COSTS = "reward_costs_fraction";

  /**
   * Makes the named numbers unmodifiable.
   *
   * @param observation observation after the action
   * @param reward the reward of the action
   * @param terminated whether the episode has ended by itself
   * @param truncated whether the episode was stopped
   * @param info named numbers for metrics, in a fixed order
   */
  public Step {
    if (!(info instanceof StepInfo)) {
      // Not Map.copyOf: its order changes from one JVM to the next.
      info = info.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(info));
    }
  }

  /**
   * A step after which the episode continues.
   *
   * @param observation observation after the action
   * @param reward the reward of the action
   * @return the step
   */
  public static Step of(float[] observation, double reward) {
    return new Step(observation, reward, false, false, Map.of());
  }

  /**
   * A step that terminates the episode.
   *
   * @param observation the last observation of the episode
   * @param reward the reward of the action
   * @return the step
   */
  public static Step terminal(float[] observation, double reward) {
    return new Step(observation, reward, true, false, Map.of());
  }

  /** {@return the same step, truncating the episode} */
  public Step asTruncated() {
    return new Step(observation, reward, terminated, true, info);
  }

  /**
   * Replaces the observation.
   *
   * @param other the new observation
   * @return the same step with another observation
   */
  public Step withObservation(float[] other) {
    return new Step(other, reward, terminated, truncated, info);
  }

  /** {@return whether the episode ended: terminated or truncated} */
  public boolean done() {
    return terminated || truncated;
  }
}
