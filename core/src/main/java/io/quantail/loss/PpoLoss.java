package io.quantail.loss;

import io.quantail.config.PpoConfig;
import io.quantail.kernel.FloatVectors;
import io.quantail.kernel.Workspace;
import io.quantail.model.ActingModel;
import io.quantail.network.ActorCritic;
import io.quantail.network.NetworkPass;
import io.quantail.network.ParameterReplica;
import io.quantail.network.PolicyDistribution;
import io.quantail.risk.CvarLossTerm;
import io.quantail.robust.RobustLossTerm;
import io.quantail.rollout.SequenceBatch;
import io.quantail.rollout.TrainingTargets;
import io.quantail.value.ClippedLoss;
import io.quantail.value.Critic;
import java.util.Optional;

/**
 * The whole loss of a microbatch and its gradient, term by term, in one loop over the samples.
 *
 * <p>{@code L = surrogate + c_bc cloning + beta KL - c_H H + c_V critic + risk}, averaged over the
 * samples and weighted with the microbatch's fraction of its minibatch, so that the sum over
 * microbatches has the gradient of the whole minibatch. Where each term is written:
 *
 * <ul>
 *   <li>surrogate and cloning: {@link PolicyLoss};
 *   <li>KL divergence and entropy: {@link PolicyDistribution};
 *   <li>critic: {@link Critic#loss}, limited by {@link ClippedLoss}, and {@link Critic#meanLoss};
 *   <li>risk: {@link CvarLossTerm}.
 * </ul>
 *
 * <p>The state-adversarial term is added by {@link RobustLossTerm}. See: Schulman, Wolski,
 * Dhariwal, Radford, Klimov, "Proximal policy optimization algorithms", 2017, arXiv:1707.06347.
 */
public final class PpoLoss {
  private final ActingModel agent;
  private final ActorCritic network;
  private final int critics;
  private final PpoConfig config;

  /** The loss of an agent with the given settings. */
  public PpoLoss(ActingModel agent, PpoConfig config) {
    this.agent = agent;
    this.network = agent.network();
    this.critics = network.valueHeads().size();
    this.config = config;
  }

  /** Leaves the weighted gradient in the replica, or a zero gradient when it is not usable. */
  public LossResult backward(
      ParameterReplica parameters,
      SequenceBatch batch,
      TrainingTargets estimates,
      LossCoefficients coefficients,
      double weight) {
    Workspace workspace = parameters.workspace();
    workspace.reset();
    NetworkPass pass = network.evaluate(workspace, parameters, batch.sequences());
    parameters.clearGradient();
    int rows = batch.size();
    PolicyDistribution policy = pass.policy();
    float[][] dActions = workspace.zeros(rows, pass.actions()[0].length);
    float[][] dValues = workspace.rows(rows, pass.values()[0].length);
    LossSums sums = new LossSums(rows, critics);
    addPolicyTerms(policy, pass, dActions, batch, estimates, coefficients, weight, sums);
    addCriticTerms(pass.values(), dValues, batch, estimates, coefficients, weight, sums);
    coefficients
        .risk()
        .ifPresent(term -> addRiskTerm(term, workspace, pass.values(), dValues, weight, sums));
    LossResult result = sums.result(coefficients);
    if (result.usable()) {
      pass.backward(policy, dActions, dValues);
    }
    return result;
  }

  private void addPolicyTerms(
      PolicyDistribution policy,
      NetworkPass pass,
      float[][] dOutputs,
      SequenceBatch batch,
      TrainingTargets estimates,
      LossCoefficients coefficients,
      double weight,
      LossSums sums) {
    int rows = dOutputs.length;
    int actionSize = batch.actionSize();
    int stored = batch.distributionSize();
    float[] raw = batch.rawActions();
    float[] oldLogs = batch.logProbabilities();
    float[] oldPolicies = batch.distributions();
    float[] advantages = batch.pick(estimates.advantages());
    double each = weight / rows;
    for (int row = 0; row < rows; row++) {
      pass.set(policy, row);
      double logProbability = policy.logProbability(raw, row * actionSize);
      double divergence = policy.divergenceFrom(oldPolicies, row * stored);
      double entropy = policy.entropy();
      // Both in the stored precision: before the first step the ratio is exactly 1.
      float logRatio = (float) logProbability - oldLogs[row];
      double advantage = advantages[row];
      PolicyLoss.Term surrogate =
          PolicyLoss.clippedSurrogate(
              logRatio, advantage, coefficients.clipRange(), config.ratioBound());
      PolicyLoss.Term cloning =
          PolicyLoss.cloning(logProbability, advantage, config.cloning().beta());
      sums.logRatios[row] = logRatio;
      sums.entropies[row] = (float) entropy;
      sums.surrogate += surrogate.value();
      sums.cloning += cloning.value();
      sums.divergence += divergence;
      sums.entropy += entropy;
      policy.addGradient(
          dOutputs[row],
          each * (surrogate.slope() + coefficients.cloning() * cloning.slope()),
          -each * coefficients.entropy(),
          each * coefficients.klPenalty());
    }
  }

  private void addCriticTerms(
      float[][] outputs,
      float[][] dOutputs,
      SequenceBatch batch,
      TrainingTargets estimates,
      LossCoefficients coefficients,
      double weight,
      LossSums sums) {
    Critic critic = agent.critic();
    int width = critic.outputs();
    float[] targets = batch.pick(estimates.targets());
    float[] particles = estimates.particles();
    int number = estimates.distribution().count();
    int[] transitions = batch.transitions();
    double each = coefficients.critic() * weight / ((double) outputs.length * critics);
    Optional<ClippedLoss> clipped =
        coefficients.valueClip().map(clip -> new ClippedLoss(clip, critic));
    float[] old = clipped.isPresent() ? batch.criticOutputs() : new float[0];
    for (int row = 0; row < outputs.length; row++) {
      float[] now = outputs[row];
      float[] gradient = dOutputs[row];
      int from = transitions[row] * number;
      for (int one = 0; one < critics; one++) {
        int offset = one * width;
        double points =
            clipped.isEmpty()
                ? critic.loss(now, offset, particles, from, number, each, gradient)
                : clipped
                    .get()
                    .evaluate(
                        now,
                        offset,
                        old,
                        row * now.length + offset,
                        particles,
                        from,
                        number,
                        each,
                        gradient);
        double mean = critic.meanLoss(now, offset, targets[row], each, gradient);
        sums.critics[one] += points + mean;
        sums.meanHeads += mean;
      }
    }
    sums.valueClip = clipped.map(ClippedLoss::reading);
  }

  private void addRiskTerm(
      CvarLossTerm term,
      Workspace workspace,
      float[][] outputs,
      float[][] dOutputs,
      double weight,
      LossSums sums) {
    float[][] slopes = workspace.rows(outputs.length, outputs[0].length);
    sums.risk = term.at(term.cvar(agent.critic(), outputs, slopes));
    if (sums.risk.slope() != 0) {
      CvarLossTerm.addGradient(critics, slopes, weight * sums.risk.slope(), dOutputs);
    }
  }

  /**
   * Leaves the gradient of the risk term alone in the replica and returns its norm.
   *
   * <p>For monitoring, outside the loop over minibatches: {@link #backward} starts from zero again.
   */
  public double riskGradientNorm(
      ParameterReplica parameters, SequenceBatch batch, CvarLossTerm term) {
    Workspace workspace = parameters.workspace();
    workspace.reset();
    NetworkPass pass = network.evaluate(workspace, parameters, batch.sequences());
    parameters.clearGradient();
    float[][] dValues = workspace.zeros(batch.size(), pass.values()[0].length);
    addRiskTerm(term, workspace, pass.values(), dValues, 1, new LossSums(batch.size(), critics));
    pass.backward(pass.policy(), null, dValues);
    return FloatVectors.norm(parameters.gradient());
  }
}
