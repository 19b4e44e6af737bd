package io.quantail.ppo;

import io.quantail.config.PpoConfig;
import io.quantail.config.RatioBound;
import io.quantail.critic.Critic;
import io.quantail.critic.CriticRow;
import io.quantail.kernel.Workspace;
import io.quantail.nn.Forward;
import io.quantail.nn.PolicyRow;
import io.quantail.rollout.SequenceBatch;
import java.util.Optional;

/**
 * The loss in one loop over the samples of a piece: every term, its statistics, and the gradient of
 * the heads' outputs, without a tensor.
 *
 * <p>It covers everything but clipped critics and risk terms, which {@link TensorLoss} computes.
 * With {@code n} samples, ratio r, advantage A and bounded log-ratio b(l):
 *
 * <pre>
 *   d surrogate / dl = -A r b'(l) / n   unless the clipped term is the smaller, then 0
 *   d cloning / d log p = -min(exp(A / beta), 100) / n
 * </pre>
 *
 * {@code FusedLossTest} holds values and gradients against {@link TensorLoss}.
 */
final class FusedLoss {
  private final Critic critic;
  private final int critics;
  private final PpoConfig config;

  FusedLoss(Critic critic, int critics, PpoConfig config) {
    this.critic = critic;
    this.critics = critics;
    this.config = config;
  }

  /** Whether all terms with weight have a formula here. */
  static boolean covers(Microbatch.Coefficients coefficients) {
    return coefficients.valueClip().isEmpty() && coefficients.risk().isEmpty();
  }

  /** Adds the weighted gradient to that of the parameters, unless it is not usable. */
  Microbatch.Result backward(
      Workspace workspace,
      Forward forward,
      SequenceBatch batch,
      Estimates estimates,
      Microbatch.Coefficients coefficients,
      double weight) {
    int rows = batch.size();
    PolicyRow policy = forward.row();
    float[][] dActions = workspace.zeros(rows, forward.actions()[0].length);
    float[][] dValues = workspace.rows(rows, forward.values()[0].length);
    Sums sums = new Sums(rows, critics);
    policyTerms(policy, forward.actions(), dActions, batch, estimates, coefficients, weight, sums);
    criticTerms(forward.values(), dValues, batch, estimates, coefficients.critic() * weight, sums);
    Microbatch.Result result = sums.result(coefficients);
    if (result.usable()) {
      forward.propagate(policy, dActions, dValues);
    }
    return result;
  }

  private void policyTerms(
      PolicyRow policy,
      float[][] outputs,
      float[][] dOutputs,
      SequenceBatch batch,
      Estimates estimates,
      Microbatch.Coefficients coefficients,
      double weight,
      Sums sums) {
    int rows = outputs.length;
    int actionSize = batch.actionSize();
    int stored = batch.distributionSize();
    float[] raw = batch.rawActionNumbers();
    float[] oldLogs = batch.logProbabilityNumbers();
    float[] oldPolicies = batch.distributionNumbers();
    float[] advantages = batch.pickNumbers(estimates.advantages());
    double share = weight / rows;
    for (int row = 0; row < rows; row++) {
      policy.set(outputs[row]);
      double logProbability = policy.logProbability(raw, row * actionSize);
      double divergence = policy.divergenceFrom(oldPolicies, row * stored);
      double entropy = policy.entropy();
      // Both as they are stored: where nothing has been learnt yet, the ratio is exactly 1.
      float logRatio = (float) logProbability - oldLogs[row];
      double advantage = advantages[row];
      Bounded bounded = Bounded.of(logRatio, config.ratioBound());
      double free = bounded.ratio * advantage;
      double low = 1 - coefficients.clipRange();
      double high = 1 + coefficients.clipRange();
      double clipped = Math.max(low, Math.min(high, bounded.ratio)) * advantage;
      double cloningWeight = PolicyLoss.cloningWeight(advantage, config.cloning().beta());

      sums.logRatios[row] = logRatio;
      sums.entropies[row] = (float) entropy;
      sums.surrogate -= Math.min(free, clipped);
      sums.cloning -= logProbability * cloningWeight;
      sums.divergence += divergence;
      sums.entropy += entropy;
      double bySurrogate = free <= clipped ? -free * bounded.slope : 0;
      policy.addGradient(
          dOutputs[row],
          share * (bySurrogate - coefficients.cloning() * cloningWeight),
          -share * coefficients.entropy(),
          share * coefficients.klPenalty());
    }
  }

  /**
   * A bounded ratio.
   *
   * @param slope derivative of the bounded log-ratio by the log-ratio
   */
  private record Bounded(double ratio, double slope) {
    static Bounded of(double logRatio, RatioBound bound) {
      double limit = PolicyLoss.LOG_RATIO_LIMIT;
      return switch (bound) {
        case HARD ->
            new Bounded(
                StrictMath.exp(Math.max(-limit, Math.min(limit, logRatio))),
                Math.abs(logRatio) <= limit ? 1 : 0);
        case SMOOTH -> {
          double tangent = StrictMath.tanh(logRatio / limit);
          yield new Bounded(StrictMath.exp(limit * tangent), 1 - tangent * tangent);
        }
      };
    }
  }

  private void criticTerms(
      float[][] outputs,
      float[][] dOutputs,
      SequenceBatch batch,
      Estimates estimates,
      double weight,
      Sums sums) {
    CriticRow row = critic.row();
    int width = critic.outputs();
    float[] targets = batch.pickNumbers(estimates.targets());
    double share = weight / ((double) outputs.length * critics);
    for (int i = 0; i < outputs.length; i++) {
      for (int one = 0; one < critics; one++) {
        sums.critics[one] += row.loss(outputs[i], one * width, targets[i], share, dOutputs[i]);
      }
    }
  }

  /** Sums over samples. */
  private static final class Sums {
    final float[] logRatios;
    final float[] entropies;
    final double[] critics;
    double surrogate;
    double cloning;
    double divergence;
    double entropy;

    Sums(int rows, int critics) {
      logRatios = new float[rows];
      entropies = new float[rows];
      this.critics = new double[critics];
    }

    Microbatch.Result result(Microbatch.Coefficients coefficients) {
      int rows = logRatios.length;
      double criticSum = 0;
      double[] criticLosses = new double[critics.length];
      for (int one = 0; one < critics.length; one++) {
        criticLosses[one] = critics[one] / rows;
        criticSum += criticLosses[one];
      }
      double total =
          (surrogate
                      + coefficients.cloning() * cloning
                      + coefficients.klPenalty() * divergence
                      - coefficients.entropy() * entropy)
                  / rows
              + coefficients.critic() * criticSum / critics.length;
      return new Microbatch.Result(
          rows,
          logRatios,
          entropies,
          surrogate / rows,
          cloning / rows,
          divergence / rows,
          criticLosses,
          Optional.empty(),
          Microbatch.RiskReading.NONE,
          total);
    }
  }
}
