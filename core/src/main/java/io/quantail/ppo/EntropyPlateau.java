package io.quantail.ppo;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Delays the decay of the entropy coefficient until the policy's entropy no longer changes.
 *
 * <p>The entropy is on a plateau when the least-squares slope over the last {@code window} updates
 * is at most {@code tolerance} in magnitude. The first plateau at or after {@code minimumUpdates}
 * starts the decay for good. A schedule that is already at its minimum is never started. The
 * detector has no state of its own; the caller owns the {@link State}. {@code EntropyPlateauTest}
 * pins it.
 *
 * @param window number of updates of the fit; 0 switches the detector off, else at least 2
 * @param tolerance largest slope that counts as flat, finite and not negative
 * @param minimumUpdates first update at which the decay may start, not negative
 */
public record EntropyPlateau(int window, double tolerance, long minimumUpdates) {
  public EntropyPlateau {
    if (window < 0 || window == 1) {
      throw new IllegalArgumentException(
          "entropy plateau window must be 0 (off) or at least 2, was " + window);
    }
    if (!(tolerance >= 0 && tolerance < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "entropy plateau tolerance must be finite and not negative, was " + tolerance);
    }
    if (minimumUpdates < 0) {
      throw new IllegalArgumentException(
          "entropy plateau minimum updates must not be negative, was " + minimumUpdates);
    }
  }

  /**
   * Mean entropy of the policy in one update.
   *
   * @param update index of the update
   * @param entropy mean entropy
   */
  public record Observation(long update, double entropy) {}

  /**
   * The state between updates, which the caller saves.
   *
   * @param recent the last observations, oldest first, at most a window full
   * @param decayStart update at which the decay started, or {@link EntropySchedule#NOT_STARTED}
   */
  public record State(List<Observation> recent, long decayStart) {
    public State {
      recent = List.copyOf(recent);
    }

    /** Whether the decay has started. */
    public boolean started() {
      return decayStart != EntropySchedule.NOT_STARTED;
    }
  }

  /** The state before the first update; without a window the decay starts at once. */
  public State initial() {
    return new State(List.of(), window == 0 ? 0 : EntropySchedule.NOT_STARTED);
  }

  /** The state after an update; an entropy that is not finite is omitted. */
  public State observe(State state, Observation observation, EntropySchedule schedule) {
    if (window == 0 || !Double.isFinite(observation.entropy())) {
      return state;
    }
    List<Observation> recent = new ArrayList<>(state.recent());
    recent.add(observation);
    if (recent.size() > window) {
      recent.remove(0);
    }
    boolean starts =
        !state.started()
            && schedule.canDecay()
            && observation.update() >= minimumUpdates
            && isFlat(recent);
    return new State(recent, starts ? observation.update() : state.decayStart());
  }

  /** Whether the window is full and its slope within the tolerance. */
  public boolean isFlat(List<Observation> recent) {
    OptionalDouble slope = slope(recent);
    return recent.size() >= window
        && slope.isPresent()
        && Math.abs(slope.getAsDouble()) <= tolerance;
  }

  /** Least-squares slope of entropy per update; empty with fewer than two distinct updates. */
  public static OptionalDouble slope(List<Observation> observations) {
    double meanUpdate = observations.stream().mapToDouble(Observation::update).average().orElse(0);
    double meanEntropy =
        observations.stream().mapToDouble(Observation::entropy).average().orElse(0);
    double products = 0;
    double squares = 0;
    for (Observation observation : observations) {
      double distance = observation.update() - meanUpdate;
      products += distance * (observation.entropy() - meanEntropy);
      squares += distance * distance;
    }
    return squares > 0 ? OptionalDouble.of(products / squares) : OptionalDouble.empty();
  }
}
