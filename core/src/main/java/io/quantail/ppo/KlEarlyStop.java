package io.quantail.ppo;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides before each optimiser step whether the KL divergence from the collecting policy is so
 * large that the update has to end without that step.
 *
 * <p>With {@code k} the KL in the forward pass of a minibatch, which the steps before it have
 * caused, {@code s} its smoothed value and {@code t} the target:
 *
 * <ul>
 *   <li>{@value #ABSOLUTE}: {@code k >= absoluteFactor * t};
 *   <li>{@value #CONSECUTIVE}: {@code k > t} or {@code s > t} in {@code consecutiveSteps}
 *       minibatches running;
 *   <li>{@value #FRACTION}, at the end of an epoch: at least {@code exceedFraction} of its
 *       minibatches had {@code k > t} or {@code s > t}.
 * </ul>
 *
 * Smoothing and the fraction restart with each epoch; the run of consecutive minibatches continues,
 * or an epoch of one minibatch could never stop. When it is disabled, no rule applies, but
 * measurements are still counted. A KL that is not a number counts as infinite. {@code
 * KlEarlyStopTest} pins it.
 *
 * @param enabled the off switch of all rules
 * @param target KL the update aims at, positive and finite
 * @param absoluteFactor factor of the first rule, positive; 0 switches it off
 * @param consecutiveSteps number of minibatches of the second rule; 0 switches it off
 * @param exceedFraction fraction of the third rule, in [0, 1]; 0 switches it off
 * @param smoothing how {@code s} follows from {@code k}
 */
public record KlEarlyStop(
    boolean enabled,
    double target,
    double absoluteFactor,
    int consecutiveSteps,
    double exceedFraction,
    Smoothing smoothing) {
  /** Reason of the first rule. */
  public static final String ABSOLUTE = "absolute_raw";

  /** Reason of the second rule. */
  public static final String CONSECUTIVE = "consec";

  /** Reason of the third rule. */
  public static final String FRACTION = "fraction";

  public KlEarlyStop {
    if (!(target > 0 && target < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("target KL must be positive and finite, was " + target);
    }
    if (!(absoluteFactor >= 0)) {
      throw new IllegalArgumentException(
          "absolute KL stop factor must be positive, or 0 for off, was " + absoluteFactor);
    }
    if (consecutiveSteps < 0) {
      throw new IllegalArgumentException(
          "consecutive KL steps must not be negative, was " + consecutiveSteps);
    }
    if (!(exceedFraction >= 0 && exceedFraction <= 1)) {
      throw new IllegalArgumentException(
          "KL exceed fraction must be in [0, 1], was " + exceedFraction);
    }
  }

  /**
   * The state of the rules within one update.
   *
   * @param history measurements that the smoothing needs
   * @param run number of exceeding minibatches up to now without a break
   * @param exceeded number of exceeding minibatches of this epoch
   * @param steps number of minibatches of this epoch
   */
  public record State(List<Double> history, int run, int exceeded, int steps) {
    /** The state at the start of an update. */
    public static final State START = new State(List.of(), 0, 0, 0);

    /** The state at the start of a further epoch of the same update. */
    public State nextEpoch() {
      return new State(List.of(), run, 0, 0);
    }

    /** Fraction of exceeding minibatches of this epoch, 0 before its first. */
    public double exceededShare() {
      return steps == 0 ? 0 : (double) exceeded / steps;
    }
  }

  /**
   * The decision about one optimiser step.
   *
   * @param state the state with the minibatch of the step
   * @param smoothed smoothed KL
   * @param stop why the update has to end without the step, empty when it continues
   */
  public record Step(State state, double smoothed, Optional<String> stop) {}

  /** Applies the rules to the KL that a minibatch has before its optimiser step. */
  public Step beforeStep(State state, double measured) {
    double kl = Double.isNaN(measured) ? Double.POSITIVE_INFINITY : measured;
    List<Double> history = smoothing.append(state.history(), kl);
    double smoothed = smoothing.value(history);
    boolean exceeds = kl > target || smoothed > target;
    State next =
        new State(
            history,
            exceeds ? state.run() + 1 : 0,
            state.exceeded() + (exceeds ? 1 : 0),
            state.steps() + 1);
    return new Step(next, smoothed, stepRule(kl, next));
  }

  /** Applies the rules to a whole epoch after its last step. */
  public Optional<String> afterEpoch(State state) {
    boolean fires =
        enabled
            && exceedFraction > 0
            && state.steps() > 0
            && state.exceededShare() >= exceedFraction;
    return fires ? Optional.of(FRACTION) : Optional.empty();
  }

  private Optional<String> stepRule(double kl, State next) {
    if (!enabled) {
      return Optional.empty();
    }
    if (absoluteFactor > 0 && kl >= absoluteFactor * target) {
      return Optional.of(ABSOLUTE);
    }
    return consecutiveSteps > 0 && next.run() >= consecutiveSteps
        ? Optional.of(CONSECUTIVE)
        : Optional.empty();
  }

  /**
   * How the early stop smooths the KL of successive minibatches of an epoch.
   *
   * <p>The history is an argument and a result, so that a rule has no state. {@code
   * KlEarlyStopTest} pins it.
   */
  public sealed interface Smoothing {

    /**
     * The history with the new measurement, limited to the entries that {@link #value} needs.
     *
     * @param history the previous result of this method, empty at the start of an epoch
     */
    List<Double> append(List<Double> history, double kl);

    /** The smoothed KL of a history that is not empty. */
    double value(List<Double> history);

    /** No smoothing: every measurement stands for itself. */
    record None() implements Smoothing {
      @Override
      public List<Double> append(List<Double> history, double kl) {
        return List.of(kl);
      }

      @Override
      public double value(List<Double> history) {
        return history.get(0);
      }
    }

    /**
     * Exponential moving average that starts with the first measurement.
     *
     * @param alpha weight of the newest measurement, in (0, 1]
     */
    record Exponential(double alpha) implements Smoothing {
      public Exponential {
        if (!(alpha > 0 && alpha <= 1)) {
          throw new IllegalArgumentException("KL smoothing alpha must be in (0, 1], was " + alpha);
        }
      }

      @Override
      public List<Double> append(List<Double> history, double kl) {
        return List.of(history.isEmpty() ? kl : alpha * kl + (1 - alpha) * history.get(0));
      }

      @Override
      public double value(List<Double> history) {
        return history.get(0);
      }
    }

    /**
     * Plain mean of the last measurements.
     *
     * @param size number of measurements, at least 1
     */
    record Window(int size) implements Smoothing {
      public Window {
        if (size < 1) {
          throw new IllegalArgumentException("KL smoothing window must be at least 1, was " + size);
        }
      }

      @Override
      public List<Double> append(List<Double> history, double kl) {
        List<Double> longer = new ArrayList<>(history);
        longer.add(kl);
        return List.copyOf(longer.subList(Math.max(0, longer.size() - size), longer.size()));
      }

      @Override
      public double value(List<Double> history) {
        return history.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
      }
    }
  }
}
