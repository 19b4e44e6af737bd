package io.quantail.audit.slow;

import io.quantail.config.RatioBound;
import io.quantail.config.RunConfig;
import io.quantail.critic.ReturnScale;

/**
 * The whole loss of a batch as a function of the parameters, one sample after the other.
 *
 * @param config of the run
 * @param advantages normalised, per transition
 * @param targets in normalised units, per transition
 * @param scale of the cycle
 * @param weights what each term counts
 */
public record SlowLoss(
    RunConfig config,
    SlowNetwork network,
    SlowPolicy policy,
    SlowCritic critic,
    Experience experience,
    double[] advantages,
    double[] targets,
    ReturnScale scale,
    Weights weights) {
  private static final double LARGEST_LOG_RATIO = 20;
  private static final double LARGEST_WEIGHT = 100;
  private static final double STEP = 1e-5;

  /**
   * What each term counts in one update.
   *
   * @param valueClip whether the critics' move is limited
   * @param risk what the limit on the tail asks
   */
  public record Weights(
      double clipRange,
      double cloning,
      double divergence,
      double entropy,
      double critic,
      boolean valueClip,
      SlowRisk.Decision risk) {}

  /** Mean terms of a batch, before their coefficients. */
  public record Terms(
      double surrogate,
      double cloning,
      double divergence,
      double entropy,
      double critic,
      double risk,
      double firstKl,
      double thirdKl,
      double total) {}

  /** Mean loss over the samples of some windows. */
  public Terms of(double[] parameters, int[] windows) {
    double[] sums = new double[8];
    for (int window : windows) {
      SlowNetwork.State state = experience.windowStates()[window].copy();
      for (int row = 0; row < experience.window(); row++) {
        int transition = experience.transition(window, row);
        if (row > 0 && experience.ends()[experience.transition(window, row - 1)]) {
          state = network.start();
        }
        add(
            sums,
            network.step(parameters, experience.observations()[transition], state),
            transition);
      }
    }
    int samples = windows.length * experience.window();
    for (int i = 0; i < sums.length; i++) {
      sums[i] /= samples;
    }
    double risk = new SlowRisk(config.risk()).term(sums[5], weights.risk, scale);
    double total =
        sums[0]
            + weights.cloning * sums[1]
            + weights.divergence * sums[2]
            - weights.entropy * sums[3]
            + weights.critic * sums[4]
            + risk;
    return new Terms(sums[0], sums[1], sums[2], sums[3], sums[4], risk, sums[6], sums[7], total);
  }

  private void add(double[] sums, SlowNetwork.Output output, int transition) {
    double log = policy.logProbability(output.policy(), experience.rawActions()[transition]);
    double logRatio = log - experience.logProbabilities()[transition];
    double advantage = advantages[transition];
    sums[0] -= surrogate(logRatio, advantage);
    double weight = Math.min(LARGEST_WEIGHT, Math.exp(advantage / config.ppo().cloning().beta()));
    sums[1] -= weight * log;
    sums[2] += policy.divergence(experience.distributions()[transition], output.policy());
    sums[3] += policy.entropy(output.policy());
    double loss = 0;
    double cvar = 0;
    for (int i = 0; i < output.critics().length; i++) {
      double[] outputs = output.critics()[i];
      loss +=
          weights.valueClip
              ? critic.clippedLoss(
                  outputs,
                  experience.criticOutputs()[transition][i],
                  targets[transition],
                  config.critic().clip())
              : critic.loss(outputs, targets[transition]);
      cvar += critic.cvar(outputs, config.risk().alpha(), config.risk().method());
    }
    sums[4] += loss / output.critics().length;
    sums[5] += cvar / output.critics().length;
    sums[6] -= logRatio;
    sums[7] += Math.exp(logRatio) - 1 - logRatio;
  }

  /** {@code min(r A, clip(r) A)} of one sample. */
  double surrogate(double logRatio, double advantage) {
    double bounded =
        config.ppo().ratioBound() == RatioBound.HARD
            ? Numbers.clip(logRatio, -LARGEST_LOG_RATIO, LARGEST_LOG_RATIO)
            : LARGEST_LOG_RATIO * Math.tanh(logRatio / LARGEST_LOG_RATIO);
    double ratio = Math.exp(bounded);
    double clipped = Numbers.clip(ratio, 1 - weights.clipRange, 1 + weights.clipRange);
    return Math.min(ratio * advantage, clipped * advantage);
  }

  /** Central differences of the loss of some windows, for the chosen parameters. */
  public double[] gradient(double[] parameters, int[] windows, int[] chosen) {
    double[] changed = parameters.clone();
    double[] gradient = new double[chosen.length];
    for (int i = 0; i < chosen.length; i++) {
      int at = chosen[i];
      changed[at] = parameters[at] + STEP;
      double above = of(changed, windows).total();
      changed[at] = parameters[at] - STEP;
      double below = of(changed, windows).total();
      changed[at] = parameters[at];
      gradient[i] = (above - below) / (2 * STEP);
    }
    return gradient;
  }
}
