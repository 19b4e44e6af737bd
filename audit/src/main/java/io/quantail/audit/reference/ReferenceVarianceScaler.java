package io.quantail.audit.reference;

import io.quantail.config.OptimizerConfig;
import io.quantail.state.StateMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reference implementation of variance gradient scaling: the factor from all gradients so far, with
 * explicit exponential weights instead of running moments.
 */
public final class ReferenceVarianceScaler {
  private static final double TINY = 1e-12;

  private final OptimizerConfig.Vgs config;
  private final List<double[]> gradients = new ArrayList<>();
  private long pastSteps; // before the gradients of this list
  private double[] pastMean = {};
  private double[] pastVariance = {};
  private double pastSpread;

  public ReferenceVarianceScaler(OptimizerConfig.Vgs config) {
    this.config = config;
  }

  /** Restores the state of a saved scaler; its past counts as one group of gradients. */
  public void load(StateMap state, int count) {
    pastSteps = state.longValue("steps");
    if (config.measure() == OptimizerConfig.VgsMeasure.ELEMENTWISE) {
      pastMean = ReferenceMath.doubles(state.floats("mean", count));
      pastVariance = ReferenceMath.doubles(state.floats("variance", count));
    } else {
      double[] moments = state.doubles("moments", 3);
      pastMean = new double[] {moments[0]};
      pastVariance = new double[] {moments[1]};
      pastSpread = moments[2];
    }
  }

  public void add(double[] gradient) {
    gradients.add(gradient.clone());
  }

  /** The factor for the next step. */
  public double factor() {
    long seen = pastSteps + gradients.size();
    if (!config.enabled() || seen == 0 || seen < config.warmupSteps()) {
      return 1;
    }
    double noise = Math.min(normalizedVariance(), config.cap());
    return Math.max(config.floor(), 1 / (1 + config.alpha() * noise));
  }

  private double normalizedVariance() {
    double variance = 0;
    double squares = 0;
    List<double[]> series = gradients.stream().map(this::measured).toList();
    int elements = series.isEmpty() ? pastMean.length : series.get(0).length;
    for (int i = 0; i < elements; i++) {
      int element = i;
      double[] values = series.stream().mapToDouble(row -> row[element]).toArray();
      double mean = weighted(values, pastSteps > 0 ? pastMean[element] : 0);
      double[] distances = new double[values.length];
      Arrays.setAll(distances, k -> (values[k] - mean) * (values[k] - mean));
      double past = pastSteps > 0 ? pastVariance[i] + Math.pow(pastMean[i] - mean, 2) : 0;
      variance += weighted(distances, past);
      squares += mean * mean;
    }
    if (config.measure() == OptimizerConfig.VgsMeasure.POOLED) {
      double[] spreads =
          gradients.stream()
              .mapToDouble(gradient -> Math.pow(ReferenceMath.deviation(gradient, 0), 2))
              .toArray();
      variance += weighted(spreads, pastSpread);
    }
    double second = variance + squares;
    return second == 0 ? 0 : variance / (squares + TINY * second);
  }

  private double[] measured(double[] gradient) {
    return switch (config.measure()) {
      case ELEMENTWISE -> gradient;
      case NORM -> new double[] {ReferenceMath.norm(gradient)};
      case MEAN, POOLED -> new double[] {ReferenceMath.mean(gradient)};
    };
  }

  /** The mean with weights that fall by beta per step into the past, the past being one group. */
  private double weighted(double[] values, double past) {
    double weight = 1;
    double sum = 0;
    double total = 0;
    for (int i = values.length - 1; i >= 0; i--) {
      sum += weight * values[i];
      total += weight;
      weight *= config.beta();
    }
    double pastWeight = weight * (1 - Math.pow(config.beta(), pastSteps)) / (1 - config.beta());
    return (sum + pastWeight * past) / (total + pastWeight);
  }
}
