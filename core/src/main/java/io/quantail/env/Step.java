package io.quantail.env;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of one action in an environment: {@code Step.of(observation).reward(1).terminated()}.
 *
 * <p>Every call returns a new step. The observation array is not copied: the environment must not
 * change it before its next call, and a caller that keeps it longer copies it, as {@code
 * VectorEnvironment} does. {@code StepTest} pins it.
 */
public final class Step {
  /**
   * Name of the fraction of the step's reward that was paid as costs in {@link #info}; metrics show
   * its median and mean.
   */
  public static final String REWARD_COSTS = "reward_costs_fraction";

  private final float[] observation;
  private final double reward;
  private final boolean terminated;
  private final boolean truncated;
  private final Map<String, Double> info;

  private Step(
      float[] observation,
      double reward,
      boolean terminated,
      boolean truncated,
      Map<String, Double> info) {
    this.observation = observation;
    this.reward = reward;
    this.terminated = terminated;
    this.truncated = truncated;
    this.info = info;
  }

  /**
   * A step with reward 0 after which the episode continues.
   *
   * @param observation observation after the action; at the end of an episode, its last one
   * @return the step
   */
  public static Step of(float... observation) {
    return new Step(observation, 0, false, false, Map.of());
  }

  /**
   * Sets the reward.
   *
   * @param amount the reward of the action, unscaled
   * @return the step with this reward
   */
  public Step reward(double amount) {
    return new Step(observation, amount, terminated, truncated, info);
  }

  /** {@return the step at which the episode ends by itself; the value of its state is zero} */
  public Step terminated() {
    return terminated(true);
  }

  /**
   * Says whether the episode ends by itself; the value of its last state is zero.
   *
   * @param ends whether it ends
   * @return the step with this end
   */
  public Step terminated(boolean ends) {
    return new Step(observation, reward, ends, truncated, info);
  }

  /** {@return the step at which the episode is stopped; the value of its state still counts} */
  public Step truncated() {
    return truncated(true);
  }

  /**
   * Says whether the episode is stopped; the value of its last state still counts. A step with both
   * ends is terminated.
   *
   * @param ends whether it is stopped
   * @return the step with this end
   */
  public Step truncated(boolean ends) {
    return new Step(observation, reward, terminated, ends, info);
  }

  /**
   * Adds a named number for metrics.
   *
   * @param name its name
   * @param value the number
   * @return the step with one more number
   */
  public Step info(String name, double value) {
    Map<String, Double> more = new LinkedHashMap<>(info);
    more.put(name, value);
    return info(more);
  }

  /**
   * Sets all named numbers.
   *
   * @param numbers named numbers in a fixed order
   * @return the step with these numbers instead of others
   */
  public Step info(Map<String, Double> numbers) {
    // Not Map.copyOf: its order changes from one JVM to the next.
    Map<String, Double> kept =
        numbers instanceof StepInfo
            ? numbers
            : numbers.isEmpty()
                ? Map.of()
                : Collections.unmodifiableMap(new LinkedHashMap<>(numbers));
    return new Step(observation, reward, terminated, truncated, kept);
  }

  /**
   * Replaces the observation.
   *
   * @param other the new observation
   * @return the step with another observation
   */
  public Step withObservation(float[] other) {
    return new Step(other, reward, terminated, truncated, info);
  }

  /** {@return the observation after the action} */
  public float[] observation() {
    return observation;
  }

  /** {@return the reward of the action, unscaled} */
  public double reward() {
    return reward;
  }

  /** {@return whether the episode ended by itself} */
  public boolean isTerminated() {
    return terminated;
  }

  /** {@return whether the episode was stopped; if it also ended by itself, that counts} */
  public boolean isTruncated() {
    return truncated;
  }

  /** {@return whether the episode ended: terminated or truncated} */
  public boolean done() {
    return terminated || truncated;
  }

  /** {@return named numbers for metrics, in a fixed order} */
  public Map<String, Double> info() {
    return info;
  }
}
