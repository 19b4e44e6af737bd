package io.quantail.ppo;

import io.quantail.config.CriticConfig;
import io.quantail.config.PpoConfig;
import io.quantail.loss.LossCoefficients;
import io.quantail.risk.CvarLossTerm;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;
import io.quantail.value.ValueClip;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The state of the update between rollouts: its index, refusals, the KL penalty, the epoch budget,
 * the entropy plateau and the explained variance that opens value clipping. All other inputs are
 * pure schedules: the value of a {@link io.quantail.config.CoefficientSchedule} at the progress of
 * the run is the base of the warm-up or decay of its coefficient.
 */
public final class UpdateController implements Restorable {
  private final PpoConfig config;
  private final CriticConfig critic;
  private final EntropyPlateau plateau;
  private final EpochBudget budget;
  private final ValueClipGate valueClipGate;

  private long update;
  private long refused; // updates in a row that changed nothing
  private double klPenalty;
  private double epochFactor = 1;
  private EntropyPlateau.State entropyState;
  private OptionalDouble explainedVariance = OptionalDouble.empty();

  UpdateController(PpoConfig config, CriticConfig critic) {
    this.config = config;
    this.critic = critic;
    valueClipGate =
        new ValueClipGate(
            critic.clip().warmupUpdates(), critic.clip().thresholdExplainedVariance());
    plateau =
        new EntropyPlateau(
            config.entropy().plateauWindow(),
            config.entropy().plateauTolerance(),
            config.entropy().plateauMinUpdates());
    budget = new EpochBudget(config.epochs(), config.kl().epochDecay());
    klPenalty = config.kl().penalty();
    entropyState = plateau.initial();
  }

  /**
   * The coefficients and limits of one update, fixed before its first optimiser step.
   *
   * @param progress fraction of the run that is done, in [0, 1]
   * @param coefficients of the terms of the loss
   * @param entropy coefficient of the entropy bonus before and after the minimum is applied
   * @param plateau recent entropies, and the update at which the decay started
   * @param epochFactor fraction of the configured epochs
   * @param epochs largest number of epochs
   * @param clipGate whether the critics are clipped; empty when the settings do not clip them
   */
  public record Plan(
      double progress,
      LossCoefficients coefficients,
      EntropySchedule.Coefficient entropy,
      EntropyPlateau.State plateau,
      double epochFactor,
      int epochs,
      Optional<ValueClipGate.Status> clipGate) {}

  /**
   * The effect of an update on those that follow.
   *
   * @param refused updates in a row that changed nothing, with this one
   * @param epochsLowered whether the next update has fewer epochs
   * @param klError distance of the mean KL from its target; empty without an adaptive penalty
   */
  public record Outcome(long refused, boolean epochsLowered, OptionalDouble klError) {}

  /** The index of the update that comes next, from 0. */
  long update() {
    return update;
  }

  /**
   * The coefficients and limits of the update that comes next.
   *
   * @param progress fraction of the run that is done, in [0, 1]
   * @param steps environment steps done
   * @param risk term of the predicted CVaR; empty when there is none
   */
  Plan plan(double progress, long steps, Optional<CvarLossTerm> risk) {
    EntropySchedule.Coefficient bonus = entropy(progress).at(update, entropyState.decayStart());
    LossCoefficients coefficients =
        new LossCoefficients(
            clipRange(progress).at(update),
            cloning(progress).at(steps),
            klPenalty,
            bonus.effective(),
            critic.coefficient().at(progress),
            valueClip(),
            risk);
    return new Plan(
        progress,
        coefficients,
        bonus,
        entropyState,
        epochFactor,
        budget.epochsAt(epochFactor),
        critic.clip().enabled()
            ? Optional.of(valueClipGate.status(update, explainedVariance))
            : Optional.empty());
  }

  private ClipRangeSchedule clipRange(double progress) {
    return new ClipRangeSchedule(
        config.clipRange().at(progress), config.clipRangeWarmup(), config.clipRangeWarmupUpdates());
  }

  private CloningSchedule cloning(double progress) {
    PpoConfig.Cloning cloning = config.cloning();
    return new CloningSchedule(
        cloning.coefficient().at(progress),
        cloning.finalCoefficient(),
        cloning.warmupSteps(),
        cloning.decaySteps());
  }

  private EntropySchedule entropy(double progress) {
    PpoConfig.Entropy entropy = config.entropy();
    double first = entropy.coefficient().at(progress);
    Double last = entropy.finalCoefficient();
    return new EntropySchedule(
        first, last == null ? first : last, entropy.minimum(), entropy.decayUpdates());
  }

  private Optional<ValueClip> valueClip() {
    CriticConfig.Clip clip = critic.clip();
    return clip.enabled() && valueClipGate.open(update, explainedVariance)
        ? Optional.of(new ValueClip(clip.mode(), clip.range(), clip.varianceFactor()))
        : Optional.empty();
  }

  /** Records the explained variance after an update; an undefined one is ignored. */
  void observe(OptionalDouble explained) {
    explainedVariance = explained.isPresent() ? explained : explainedVariance;
  }

  /** The rules of the early stop; empty without a target. */
  Optional<KlEarlyStop> earlyStop() {
    PpoConfig.Kl kl = config.kl();
    if (kl.target() == null) {
      return Optional.empty();
    }
    KlEarlyStop.Smoothing smoothing =
        !kl.smooth()
            ? new KlEarlyStop.Smoothing.None()
            : kl.smoothAlpha() != null
                ? new KlEarlyStop.Smoothing.Exponential(kl.smoothAlpha())
                : new KlEarlyStop.Smoothing.Window(kl.smoothWindow());
    return Optional.of(
        new KlEarlyStop(
            kl.earlyStop(),
            kl.target(),
            kl.absoluteStopFactor() == null ? 0 : kl.absoluteStopFactor(),
            kl.consecutive(),
            kl.exceedStopFraction(),
            smoothing));
  }

  private boolean adaptsPenalty() {
    return config.kl().penalty() > 0 && config.kl().target() != null;
  }

  /** Counts an update that changed nothing. */
  Outcome refuse() {
    refused++;
    update++;
    return new Outcome(refused, false, OptionalDouble.empty());
  }

  /** How many updates in a row have changed nothing. */
  long refused() {
    return refused;
  }

  /** Adapts to an update with the given mean exact KL and mean policy entropy. */
  Outcome finish(double meanKl, double meanEntropy, boolean stopped) {
    refused = 0;
    double nextFactor = budget.nextFactor(epochFactor, stopped);
    boolean lowered = nextFactor < epochFactor;
    epochFactor = nextFactor;
    PpoConfig.Kl kl = config.kl();
    if (adaptsPenalty()) {
      klPenalty =
          new AdaptiveKlPenalty(
                  Objects.requireNonNull(kl.target()), kl.penaltyMin(), kl.penaltyMax())
              .next(klPenalty, meanKl);
    }
    entropyState =
        plateau.observe(
            entropyState,
            new EntropyPlateau.Observation(update, meanEntropy),
            entropy(0)); // a coefficient with a plateau rule is constant before its decay
    update++;
    return new Outcome(
        0,
        lowered,
        adaptsPenalty()
            ? OptionalDouble.of(meanKl - Objects.requireNonNull(kl.target()))
            : OptionalDouble.empty());
  }

  @Override
  public void save(StateMap state) {
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

  @Override
  public Runnable restoring(StateMap state) {
    long savedUpdate = state.longValue("update");
    long savedRefused = state.longValue("refused");
    double savedPenalty = state.doubleValue("klPenalty");
    double savedFactor = state.doubleValue("epochFactor");
    OptionalDouble savedVariance = Arrays.stream(state.doubles("explainedVariance")).findFirst();
    long[] updates = state.longs("entropyUpdates");
    double[] values = state.doubles("entropyValues", updates.length);
    List<EntropyPlateau.Observation> recent = new ArrayList<>();
    for (int i = 0; i < updates.length; i++) {
      recent.add(new EntropyPlateau.Observation(updates[i], values[i]));
    }
    EntropyPlateau.State savedEntropy =
        new EntropyPlateau.State(recent, state.longValue("entropyDecayStart"));
    return () -> {
      update = savedUpdate;
      refused = savedRefused;
      klPenalty = savedPenalty;
      epochFactor = savedFactor;
      explainedVariance = savedVariance;
      entropyState = savedEntropy;
    };
  }
}
