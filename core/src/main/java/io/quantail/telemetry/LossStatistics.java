package io.quantail.telemetry;

import io.quantail.loss.LossCoefficients;
import io.quantail.loss.LossResult;
import io.quantail.math.Moments;
import io.quantail.metrics.Metrics;
import io.quantail.risk.CvarLossTerm;
import io.quantail.value.ClippedLoss;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of the loss terms and entropies of an update's microbatches; means are over samples.
 *
 * <p>A loss that is not finite cannot be a metric. Of the first one its kind is kept (0 NaN, 1 or
 * -1 infinite), and its policy and critic part where they are finite: the part that is missing is
 * the one that failed.
 */
final class LossStatistics {
  private static final double RATIO_EPSILON = 1e-8;

  private final LossCoefficients coefficients;
  private final double[] criticLosses;
  private final double[] valueClip = new double[4]; // free loss, clipped loss, active, binding
  private long samples;
  private double surrogate;
  private double cloning;
  private double divergence;
  private double penalty;
  private double constraint;
  private long riskCapped; // samples
  private double total;
  private double meanHeads;
  private double entropySum;
  private double entropyMin = Double.POSITIVE_INFINITY;
  private double entropyMax = Double.NEGATIVE_INFINITY;
  private int faults;
  private @Nullable LossResult firstFault;

  LossStatistics(LossCoefficients coefficients, int critics) {
    this.coefficients = coefficients;
    this.criticLosses = new double[critics];
  }

  /** Adds a microbatch whose gradient was used. */
  void add(LossResult result) {
    int count = result.samples();
    samples += count;
    surrogate += count * result.surrogateLoss();
    cloning += count * result.cloningLoss();
    divergence += count * result.divergence();
    penalty += count * result.risk().penalty();
    constraint += count * result.risk().constraint();
    riskCapped += capped(result.risk()) ? count : 0;
    total += count * result.total();
    meanHeads += count * result.meanHeadLoss();
    for (int critic = 0; critic < criticLosses.length; critic++) {
      criticLosses[critic] += count * result.criticLosses()[critic];
    }
    result.valueClip().ifPresent(reading -> addValueClip(count, reading));
    for (float entropy : result.entropies()) {
      entropySum += entropy;
      entropyMin = Math.min(entropyMin, entropy);
      entropyMax = Math.max(entropyMax, entropy);
    }
  }

  private boolean capped(CvarLossTerm.Reading risk) {
    double cap = coefficients.risk().map(CvarLossTerm::cap).orElse(Double.POSITIVE_INFINITY);
    return Math.abs(risk.penalty()) >= cap || risk.constraint() >= cap;
  }

  private void addValueClip(int count, ClippedLoss.Reading reading) {
    valueClip[0] += count * reading.freeLoss();
    valueClip[1] += count * reading.clippedLoss();
    valueClip[2] += count * reading.active();
    valueClip[3] += count * reading.binding();
  }

  /** Adds a microbatch that was skipped because its loss was not finite. */
  void addFault(LossResult result) {
    firstFault = faults == 0 ? result : firstFault;
    faults++;
  }

  double meanDivergence() {
    return divergence / samples;
  }

  double meanEntropy() {
    return entropySum / samples;
  }

  void report(Metrics metrics) {
    if (faults > 0) {
      reportFault(metrics);
    }
    if (samples > 0) {
      reportPolicy(metrics);
      reportCritics(metrics);
      if (coefficients.risk().isPresent()) {
        metrics.put("train/cvar_term", penalty / samples);
        metrics.put("train/constraint_term", constraint / samples);
        metrics.put("train/cvar_cap_fraction", (double) riskCapped / samples);
      }
    }
  }

  private void reportPolicy(Metrics metrics) {
    double ppo = surrogate / samples;
    double weighted = coefficients.cloning() * cloning / samples;
    double penalty = coefficients.klPenalty() * meanDivergence();
    metrics.put("train/loss", total / samples);
    metrics.put("train/policy_loss", ppo + weighted + penalty);
    metrics.put("train/policy_loss_ppo", ppo);
    metrics.put("train/policy_loss_bc", cloning / samples);
    metrics.put("train/policy_loss_bc_weighted", weighted);
    metrics.put("train/policy_loss_kl_penalty", penalty);
    metrics.put(
        "train/policy_bc_vs_ppo_ratio", Math.abs(weighted) / (Math.abs(ppo) + RATIO_EPSILON));
    metrics.put("train/kl_exact", meanDivergence());
    metrics.put("train/policy_entropy", meanEntropy());
    metrics.put("train/policy_entropy_min", entropyMin);
    metrics.put("train/policy_entropy_max", entropyMax);
    metrics.put("train/entropy_loss", -meanEntropy());
  }

  private void reportCritics(Metrics metrics) {
    double mean = Moments.mean(criticLosses) / samples;
    metrics.put("train/value_ce_loss", mean);
    metrics.put("train/critic/mean_head_loss", meanHeads / samples);
    metrics.put("train/critic/quantile_loss", mean - meanHeads / samples);
    metrics.put("train/value_loss", coefficients.critic() * mean);
    if (coefficients.valueClip().isPresent()) {
      metrics.put("train/critic_loss_unclipped", valueClip[0] / samples);
      metrics.put("train/critic_loss_clipped", valueClip[1] / samples);
      metrics.put("train/vf_clip_active_frac", valueClip[2] / samples);
      metrics.put("train/vf_clip_binding_frac", valueClip[3] / samples);
    }
    if (criticLosses.length == 2) {
      metrics.put("train/twin_critics/critic_1_loss", criticLosses[0] / samples);
      metrics.put("train/twin_critics/critic_2_loss", criticLosses[1] / samples);
      metrics.put("train/twin_critics/loss_diff", (criticLosses[0] - criticLosses[1]) / samples);
    }
  }

  private void reportFault(Metrics metrics) {
    metrics.put("error/nan_or_inf_loss_detected", faults);
    double loss = Objects.requireNonNull(firstFault).total();
    metrics.put("error/loss_value_at_nan", Double.isNaN(loss) ? 0 : Math.signum(loss));
    double policy =
        firstFault.surrogateLoss()
            + coefficients.cloning() * firstFault.cloningLoss()
            + coefficients.klPenalty() * firstFault.divergence();
    putFinite(metrics, "error/policy_loss_at_nan", policy);
    putFinite(metrics, "error/critic_loss_at_nan", Moments.mean(firstFault.criticLosses()));
    if (coefficients.risk().isPresent()) {
      putFinite(metrics, "error/cvar_term_at_nan", firstFault.risk().total());
    }
  }

  private static void putFinite(Metrics metrics, String name, double value) {
    if (Double.isFinite(value)) {
      metrics.put(name, value);
    }
  }
}
