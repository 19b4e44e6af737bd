package io.quantail.ppo;

import java.util.ArrayList;
import java.util.List;

/**
 * How the early stop smooths the KL of successive optimiser steps of an epoch.
 *
 * <p>The history that a rule needs is passed in and handed back, so that a rule has no state.
 * {@code KlEarlyStopTest} pins it.
 */
public sealed interface KlSmoothing {

  /**
   * The history with the new measurement, cut to what {@link #value} needs.
   *
   * @param history what this method returned last, empty at the start of an epoch
   */
  List<Double> append(List<Double> history, double kl);

  /** The smoothed KL of a history that is not empty. */
  double value(List<Double> history);

  /** No smoothing: every measurement stands for itself. */
  record None() implements KlSmoothing {
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
  record Exponential(double alpha) implements KlSmoothing {
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
  record Window(int size) implements KlSmoothing {
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
