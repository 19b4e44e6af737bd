package io.quantail.audit.reference;

import java.util.Arrays;

/**
 * Divergence of the policy on perturbed windows from the policy on unperturbed ones.
 *
 * @param parameters of the unperturbed side, which is a constant
 * @param windows whose observations are perturbed, in this order
 */
public record ReferenceDivergence(
    ReferenceRollout experience,
    ReferenceNetwork network,
    ReferencePolicy policy,
    double[] parameters,
    int[] windows) {
  private static final double STEP = 1e-6;
  private static final double LENGTH = 1e-5;

  /** The unperturbed observations of all windows. */
  public double[][] observations() {
    double[][] rows = new double[windows.length * experience.window()][];
    Arrays.setAll(
        rows,
        row ->
            experience
                .observations()[
                experience.transition(
                    windows[row / experience.window()], row % experience.window())]);
    return rows;
  }

  /** The policies of one window whose observations start at a row. */
  private double[][] policies(double[] numbers, int index, double[][] rows) {
    double[][] policies = new double[experience.window()][];
    int[] row = {0};
    experience.forEachStep(
        windows[index],
        network,
        (at, state) -> {
          double[] observation = rows[index * policies.length + row[0]];
          policies[row[0]++] =
              policy.masked(
                  network.policyStep(numbers, observation, state), experience.masks()[at]);
        });
    return policies;
  }

  /** The divergence summed over one window. */
  private double sum(double[][] before, double[] numbers, int index, double[][] perturbed) {
    double[][] now = policies(numbers, index, perturbed);
    double sum = 0;
    for (int row = 0; row < now.length; row++) {
      sum += policy.divergence(before[row], now[row]);
    }
    return sum;
  }

  /** The mean divergence over all rows, with given parameters on the perturbed side. */
  public double mean(double[] numbers, double[][] perturbed) {
    double[][] clean = observations();
    double sum = 0;
    for (int i = 0; i < windows.length; i++) {
      sum += sum(policies(parameters, i, clean), numbers, i, perturbed);
    }
    return sum / clean.length;
  }

  /** Derivatives of the summed divergence by every number of the perturbed observations. */
  public double[][] slopes(double[][] perturbed) {
    double[][] clean = observations();
    double[][] slopes = new double[perturbed.length][];
    for (int i = 0; i < windows.length; i++) {
      int index = i;
      double[][] before = policies(parameters, i, clean);
      double[][] changed = perturbed.clone();
      for (int row = i * before.length; row < (i + 1) * before.length; row++) {
        int at = row;
        slopes[row] =
            ReferenceMath.differences(
                STEP,
                perturbed[row],
                now -> {
                  changed[at] = now;
                  return sum(before, parameters, index, changed);
                });
        changed[row] = perturbed[row];
      }
    }
    return slopes;
  }

  /**
   * As {@link #mean}, with the features of the first parameters in the standard deviations of
   * state-dependent exploration.
   */
  private double meanWithFeatures(double[] numbers, double[][] perturbed) {
    double[][] clean = observations();
    double[] sum = {0};
    for (int i = 0; i < windows.length; i++) {
      double[][] before = policies(parameters, i, clean);
      double[][] now = policies(numbers, i, perturbed);
      int first = i * now.length;
      int[] row = {0};
      experience.forEachStep(
          windows[i],
          network,
          (at, state) -> {
            double[] features =
                network.step(parameters, perturbed[first + row[0]], state).features();
            double[] changed = network.withFeatures(numbers, now[row[0]], features);
            sum[0] += policy.divergence(before[row[0]++], changed);
          });
    }
    return sum[0] / clean.length;
  }

  /** The derivative of the mean divergence along a direction of the perturbed side's parameters. */
  public double along(double[][] perturbed, double[] direction) {
    double[] changed = new double[parameters.length];
    return ReferenceMath.slope(
        LENGTH / ReferenceMath.norm(direction),
        0,
        step -> {
          Arrays.setAll(changed, i -> parameters[i] + step * direction[i]);
          return network.stateDependent()
              ? meanWithFeatures(changed, perturbed)
              : mean(changed, perturbed);
        });
  }
}
