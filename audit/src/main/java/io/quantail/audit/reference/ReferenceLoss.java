package io.quantail.audit.reference;

import io.quantail.config.PpoConfig;
import io.quantail.config.RunConfig;
import io.quantail.value.ReturnScale;
import java.util.Arrays;

/**
 * Reference implementation of the whole loss of a batch as a function of the parameters.
 *
 * @param config of the run
 * @param advantages normalised, per transition
 * @param targets of the expected return in normalised units, per transition
 * @param particles in normalised units, [transition][particle]
 * @param scale return scale of the cycle
 * @param weights coefficient of each term
 */
public record ReferenceLoss(
    RunConfig config,
    ReferenceNetwork network,
    ReferencePolicy policy,
    ReferenceCritic critic,
    ReferenceRollout experience,
    double[] advantages,
    double[] targets,
    double[][] particles,
    ReturnScale scale,
    Weights weights) {
  private static final double LARGEST_LOG_RATIO = 20;
  private static final double LARGEST_WEIGHT = 100;
  private static final double STEP = 1e-6;

  /**
   * Coefficients of the terms in one update.
   *
   * @param valueClip whether the change of the critics is limited
   * @param risk how strongly the CVaR limit acts
   */
  public record Weights(
      double clipRange,
      double cloning,
      double divergence,
      double entropy,
      double critic,
      boolean valueClip,
      ReferenceRisk.Decision risk) {}

  /** Mean terms of a batch, before their coefficients. */
  public record Terms(
      double surrogate,
      double cloning,
      double divergence,
      double entropy,
      double critic,
      double meanHead,
      double risk,
      double firstKl,
      double thirdKl,
      double total) {}

  /** Mean loss over the samples of some windows. */
  public Terms of(double[] parameters, int[] windows) {
    return of(parameters, windows, new double[0][]);
  }

  /**
   * @param features per transition, on which the standard deviations of state-dependent exploration
   *     depend; empty for those of the network
   */
  private Terms of(double[] parameters, int[] windows, double[][] features) {
    double[] sums = sums(parameters, windows, features);
    double risk = new ReferenceRisk(config.risk()).term(sums[5], weights.risk, scale);
    double total =
        sums[0]
            + weights.cloning * sums[1]
            + weights.divergence * sums[2]
            - weights.entropy * sums[3]
            + weights.critic * sums[4]
            + risk;
    return new Terms(
        sums[0], sums[1], sums[2], sums[3], sums[4], sums[8], risk, sums[6], sums[7], total);
  }

  /** The terms without their weights, averaged; in place of the risk term the predicted CVaR. */
  private double[] sums(double[] parameters, int[] windows, double[][] features) {
    double[] sums = new double[9];
    for (int window : windows) {
      experience.forEachStep(
          window,
          network,
          (at, state) -> {
            ReferenceNetwork.Output output =
                network.step(parameters, experience.observations()[at], state);
            double[] now =
                features.length == 0
                    ? output.policy()
                    : network.withFeatures(parameters, output.policy(), features[at]);
            add(sums, policy.masked(now, experience.masks()[at]), output.critics(), at);
          });
    }
    int samples = windows.length * experience.window();
    for (int i = 0; i < sums.length; i++) {
      sums[i] /= samples;
    }
    return sums;
  }

  private void add(double[] sums, double[] now, double[][] critics, int transition) {
    double log = policy.logProbability(now, experience.rawActions()[transition]);
    double logRatio = log - experience.logProbabilities()[transition];
    double advantage = advantages[transition];
    sums[0] -= surrogate(logRatio, advantage);
    sums[1] -= cloningWeight(advantage) * log;
    sums[2] += policy.divergence(experience.distributions()[transition], now);
    sums[3] += policy.entropy(now);
    int count = critics.length;
    for (int i = 0; i < count; i++) {
      sums[4] += criticLoss(critics[i], transition, i) / count;
      sums[5] += cvar(critics[i]) / count;
      sums[8] += critic.meanLoss(critics[i], targets[transition]) / count;
    }
    sums[6] -= logRatio;
    sums[7] += Math.exp(logRatio) - 1 - logRatio;
  }

  private double cloningWeight(double advantage) {
    return Math.min(LARGEST_WEIGHT, Math.exp(advantage / config.ppo().cloning().beta()));
  }

  /** The weighted terms of one sample that depend on its policy, given before it is masked. */
  double policyTerms(double[] unmasked, int transition) {
    double[] now = policy.masked(unmasked, experience.masks()[transition]);
    double log = policy.logProbability(now, experience.rawActions()[transition]);
    double advantage = advantages[transition];
    double sum = -surrogate(log - experience.logProbabilities()[transition], advantage);
    sum -= weights.cloning * cloningWeight(advantage) * log;
    sum += weights.divergence * policy.divergence(experience.distributions()[transition], now);
    return sum - weights.entropy * policy.entropy(now);
  }

  /** The loss of one sample for one critic. */
  double criticLoss(double[] outputs, int transition, int which) {
    if (!weights.valueClip) {
      return critic.loss(outputs, particles[transition], targets[transition]);
    }
    double[] old = experience.criticOutputs()[transition][which];
    return critic.clippedLoss(outputs, old, particles[transition], config.critic().clip())
        + critic.meanLoss(outputs, targets[transition]);
  }

  double cvar(double[] outputs) {
    return critic.cvar(outputs, config.risk().alpha(), config.risk().method());
  }

  /** The derivative of the risk term by the mean predicted CVaR. */
  double riskSlope(double[] parameters, int[] windows) {
    ReferenceRisk risk = new ReferenceRisk(config.risk());
    double cvar = sums(parameters, windows, new double[0][])[5];
    return ReferenceMath.slope(STEP, cvar, now -> risk.term(now, weights.risk, scale));
  }

  /** {@code min(r A, clip(r) A)} of one sample. */
  public static double surrogate(
      double logRatio, double advantage, double range, PpoConfig.RatioBound bound) {
    double bounded =
        bound == PpoConfig.RatioBound.HARD
            ? ReferenceMath.clip(logRatio, -LARGEST_LOG_RATIO, LARGEST_LOG_RATIO)
            : LARGEST_LOG_RATIO * Math.tanh(logRatio / LARGEST_LOG_RATIO);
    double ratio = Math.exp(bounded);
    double clipped = ReferenceMath.clip(ratio, 1 - range, 1 + range);
    return Math.min(ratio * advantage, clipped * advantage);
  }

  private double surrogate(double logRatio, double advantage) {
    return surrogate(logRatio, advantage, weights.clipRange, config.ppo().ratioBound());
  }

  /**
   * The derivative of the loss of some windows along a direction, as a central difference. The
   * features of state-dependent exploration are those of the given parameters at both points.
   *
   * @param length distance of each of the two points from the given parameters
   */
  public double along(double[] parameters, int[] windows, double[] direction, double length) {
    double[][] features =
        network.stateDependent() ? features(parameters, windows) : new double[0][];
    double[] changed = new double[parameters.length];
    return ReferenceMath.slope(
        length / ReferenceMath.norm(direction),
        0,
        step -> {
          Arrays.setAll(changed, i -> parameters[i] + step * direction[i]);
          return of(changed, windows, features).total();
        });
  }

  /** The features of all transitions of some windows. */
  private double[][] features(double[] parameters, int[] windows) {
    double[][] features = new double[experience.size()][];
    for (int window : windows) {
      experience.forEachStep(
          window,
          network,
          (at, state) ->
              features[at] =
                  network.step(parameters, experience.observations()[at], state).features());
    }
    return features;
  }

  /** Log-probabilities of the actions of all transitions under other parameters. */
  public double[] logProbabilities(double[] parameters) {
    double[] logs = new double[experience.size()];
    for (int window = 0; window < experience.windowStates().length; window++) {
      experience.forEachStep(
          window,
          network,
          (at, state) ->
              logs[at] =
                  policy.logProbability(
                      policy.masked(
                          network.policyStep(parameters, experience.observations()[at], state),
                          experience.masks()[at]),
                      experience.rawActions()[at]));
    }
    return logs;
  }
}
