package io.quantail.ppo;

import io.quantail.config.CriticConfig;
import io.quantail.config.KlConfig;
import io.quantail.config.PpoConfig;
import io.quantail.config.ValueClipConfig;
import io.quantail.critic.ValueClip;
import io.quantail.metrics.Metrics;
import io.quantail.state.StateMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Owns what the update carries from one rollout to the next: its index, refusals, the KL penalty,
 * the epoch budget, the entropy plateau and the explained variance that opens value clipping.
 * Everything else it uses is a pure schedule.
 */
final class UpdateControl {
  private final PpoConfig config;
  private final CriticConfig critic;
  private final ClipRange clipRange;
  private final CloningSchedule cloning;
  private final EntropySchedule entropy;
  private final EntropyPlateau plateau;
  private final EpochBudget budget;
  private final ValueClipGate valueClipGate;

  private long update;
  private long refused; // updates in a row that changed nothing
  private double klPenalty;
  private double epochFactor = 1;
  private EntropyPlateau.State entropyState;
  private OptionalDouble explainedVariance = OptionalDouble.empty();

  UpdateControl(PpoConfig config, CriticConfig critic) {
    this.config = config;
    this.critic = critic;
    valueClipGate =
        new ValueClipGate(
            critic.clip().warmupUpdates(), critic.clip().thresholdExplainedVariance());
    clipRange =
        new ClipRange(
            config.clipRange(), config.clipRangeWarmup(), config.clipRangeWarmupUpdates());
    cloning =
        new CloningSchedule(
            config.cloning().coefficient(),
            config.cloning().finalCoefficient(),
            config.cloning().warmupSteps(),
            config.cloning().decaySteps());
    entropy =
        new EntropySchedule(
            config.entropy().coefficient(),
            finalEntropyCoefficient(),
            config.entropy().minimum(),
            config.entropy().decayUpdates());
    plateau =
        new EntropyPlateau(
            config.entropy().plateauWindow(),
            config.entropy().plateauTolerance(),
            config.entropy().plateauMinUpdates());
    budget = new EpochBudget(config.epochs(), config.kl().epochDecay());
    klPenalty = config.kl().penalty();
    entropyState = plateau.initial();
  }

  /** The index of the update that comes next, from 0. */
  long update() {
    return update;
  }

  int epochs() {
    return budget.epochsAt(epochFactor);
  }

  LossCoefficients coefficients(long steps, Optional<RiskTerm> risk) {
    return new LossCoefficients(
        clipRange.at(update),
        cloning.at(steps),
        klPenalty,
        entropyCoefficient().effective(),
        critic.coefficient(),
        valueClip(),
        risk);
  }

  private Optional<ValueClip> valueClip() {
    ValueClipConfig clip = critic.clip();
    return clip.enabled() && valueClipGate.open(update, explainedVariance)
        ? Optional.of(new ValueClip(clip.mode(), clip.range(), clip.varianceFactor()))
        : Optional.empty();
  }

  /** Takes in the explained variance after an update; an undefined one tells nothing. */
  void observe(OptionalDouble explained) {
    explainedVariance = explained.isPresent() ? explained : explainedVariance;
  }

  private double finalEntropyCoefficient() {
    Double configured = config.entropy().finalCoefficient();
    return configured == null ? config.entropy().coefficient() : configured;
  }

  private EntropySchedule.Coefficient entropyCoefficient() {
    return entropy.at(update, entropyState.decayStart());
  }

  /** The rules of the early stop; empty without a target. */
  Optional<KlEarlyStop> earlyStop() {
    KlConfig kl = config.kl();
    if (kl.target() == null) {
      return Optional.empty();
    }
    KlSmoothing smoothing =
        !kl.smooth()
            ? new KlSmoothing.None()
            : kl.smoothAlpha() != null
                ? new KlSmoothing.Exponential(kl.smoothAlpha())
                : new KlSmoothing.Window(kl.smoothWindow());
    return Optional.of(
        new KlEarlyStop(
            kl.earlyStop(),
            kl.target(),
            kl.absoluteStopFactor() == null ? 0 : kl.absoluteStopFactor(),
            kl.consecutive(),
            kl.exceedStopFraction(),
            smoothing));
  }

  /** Reports the settings of the coming update. */
  void report(Metrics metrics, LossCoefficients now) {
    EntropySchedule.Coefficient coefficient = entropyCoefficient();
    metrics.put("train/clip_range", now.clipRange());
    metrics.put("train/clip_range_schedule", config.clipRange());
    metrics.put("train/policy_bc_coef", now.cloning());
    metrics.put("train/ent_coef", coefficient.raw());
    metrics.put("train/ent_coef_eff", coefficient.effective());
    metrics.put("train/ent_coef_autoclamp", coefficient.effective() > coefficient.raw() ? 1 : 0);
    metrics.put("train/ent_coef_min", config.entropy().minimum());
    metrics.put("train/ent_coef_initial", config.entropy().coefficient());
    metrics.put("train/ent_coef_final", finalEntropyCoefficient());
    metrics.put("train/entropy_plateau", entropyState.started() ? 1 : 0);
    metrics.put("train/entropy_decay_start_update", entropyState.decayStart());
    metrics.put("train/vf_coef_effective", now.critic());
    metrics.put("train/kl_penalty_beta", klPenalty);
    metrics.put("train/kl_epoch_factor", epochFactor);
    metrics.put("train/n_epochs_effective", epochs());
    if (config.kl().target() != null) {
      metrics.put("train/target_kl", config.kl().target());
      metrics.put("train/kl_exceed_stop_fraction", config.kl().exceedStopFraction());
    }
    EntropyPlateau.slope(entropyState.recent())
        .ifPresent(slope -> metrics.put("train/policy_entropy_slope", slope));
    if (critic.clip().enabled()) {
      valueClipGate.report(metrics, update, explainedVariance);
    }
  }

  /** Reports what an update with the given mean exact KL is going to change. */
  void reportOutcome(Metrics metrics, double meanKl, boolean stopped) {
    boolean lowered = budget.nextFactor(epochFactor, stopped) < epochFactor;
    metrics.put("train/kl_epoch_decay_applied", lowered ? 1 : 0);
    if (adaptsPenalty()) {
      metrics.put("train/kl_penalty_error", meanKl - config.kl().target());
    }
  }

  private boolean adaptsPenalty() {
    return config.kl().penalty() > 0 && config.kl().target() != null;
  }

  /** Moves on after an update that changed nothing. */
  void refuse(Metrics metrics) {
    refused++;
    update++;
    metrics.put("error/updates_refused_in_a_row", refused);
  }

  /** How many updates in a row have changed nothing. */
  long refused() {
    return refused;
  }

  /** Moves on after an update with the given mean exact KL and mean policy entropy. */
  void finish(double meanKl, double meanEntropy, boolean stopped) {
    refused = 0;
    epochFactor = budget.nextFactor(epochFactor, stopped);
    KlConfig kl = config.kl();
    if (adaptsPenalty()) {
      klPenalty =
          new KlPenalty(kl.target(), kl.penaltyMin(), kl.penaltyMax()).next(klPenalty, meanKl);
    }
    entropyState =
        plateau.observe(entropyState, new EntropyPlateau.Observation(update, meanEntropy), entropy);
    update++;
  }

  void save(StateMap state) {
    state.putLong("update", update);
    state.putLong("refused", refused);
    state.putDouble("klPenalty", klPenalty);
    state.putDouble("epochFactor", epochFactor);
    double[] explained = explainedVariance.stream().toArray();
    state.putDoubles("explainedVariance", explained, explained.length);
    state.putLong("entropyDecayStart", entropyState.decayStart());
    List<EntropyPlateau.Observation> recent = entropyState.recent();
    state.putLongs(
        "entropyUpdates",
        recent.stream().mapToLong(EntropyPlateau.Observation::update).toArray(),
        recent.size());
    state.putDoubles(
        "entropyValues",
        recent.stream().mapToDouble(EntropyPlateau.Observation::entropy).toArray(),
        recent.size());
  }

  void load(StateMap state) {
    update = state.longValue("update");
    refused = state.longValue("refused");
    klPenalty = state.doubleValue("klPenalty");
    epochFactor = state.doubleValue("epochFactor");
    explainedVariance = Arrays.stream(state.doubles("explainedVariance")).findFirst();
    long[] updates = state.longs("entropyUpdates");
    double[] values = state.doubles("entropyValues", updates.length);
    List<EntropyPlateau.Observation> recent = new ArrayList<>();
    for (int i = 0; i < updates.length; i++) {
      recent.add(new EntropyPlateau.Observation(updates[i], values[i]));
    }
    entropyState = new EntropyPlateau.State(recent, state.longValue("entropyDecayStart"));
  }
}
