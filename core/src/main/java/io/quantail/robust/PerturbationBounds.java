package io.quantail.robust;

import io.quantail.config.ConfigException;
import io.quantail.config.EnvironmentConfig;
import io.quantail.config.RobustConfig;
import io.quantail.env.ObservationSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Bounds of perturbed observations.
 *
 * @param low no feature falls below this
 * @param high no feature rises above this
 * @param fixed indices of features that are not perturbed
 */
public record PerturbationBounds(double low, double high, List<Integer> fixed) {
  public PerturbationBounds {
    fixed = List.copyOf(fixed);
  }

  /**
   * The bounds in the settings of a run: a normalised observation stays within the normaliser's
   * clip. Raw parts of the observation are not perturbed.
   */
  public static PerturbationBounds of(
      EnvironmentConfig environment, RobustConfig robust, ObservationSpace observations) {
    int features = observations.size();
    boolean[] raw = observations.raw();
    List<Integer> fixed = new ArrayList<>();
    for (int i = 0; i < features; i++) {
      if (raw[i] || robust.fixedFeatures().contains(i)) {
        fixed.add(i);
      }
    }
    for (int place : robust.fixedFeatures()) {
      if (place >= features) {
        throw new ConfigException(
            String.format(
                Locale.ROOT,
                "robust.fixedFeatures must name features from 0 to %d of %s, was %d",
                features - 1,
                environment.name(),
                place));
      }
    }
    double bound =
        environment.normalizeObservations()
            ? environment.observationClip()
            : Double.POSITIVE_INFINITY;
    return new PerturbationBounds(-bound, bound, fixed);
  }

  /** Removes the perturbation of fixed features. */
  void hold(double[] delta) {
    for (int place : fixed) {
      delta[place] = 0;
    }
  }

  /** Shortens a perturbation that would lead out of the bounds. */
  void bound(double[] delta, float[] observation) {
    for (int i = 0; i < delta.length; i++) {
      double disturbed = observation[i] + delta[i];
      if (disturbed < low) {
        delta[i] = low - observation[i];
      } else if (disturbed > high) {
        delta[i] = high - observation[i];
      }
    }
    hold(delta); // a fixed feature may lie outside the bounds
  }
}
