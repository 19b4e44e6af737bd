package io.quantail.risk;

import io.quantail.config.RiskConfig;
import io.quantail.rollout.Gae;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * How strongly the CVaR limit acts in one update.
 *
 * @param config section {@code risk} of the settings
 * @param scale return scale of the cycle
 * @param samples rewards or returns that the tail was measured on, one per transition
 * @param tail the measured tail
 * @param weight weight of the predicted CVaR in the loss
 * @param multiplier multiplier of the violation
 * @param steering the gap that changed the multiplier; empty if nothing did
 */
public record CvarDecision(
    RiskConfig config,
    ReturnScale scale,
    double[] samples,
    CvarController.Tail tail,
    double weight,
    double multiplier,
    Optional<CvarController.Steering> steering) {

  CvarDecision(RiskConfig config, ReturnScale scale, double[] samples, CvarController.Tail tail) {
    this(config, scale, samples, tail, 0, 0, Optional.empty());
  }

  /** The term of the loss; empty when the limit does not act on the critics. */
  public Optional<CvarLossTerm> term() {
    boolean critics = config.mode() != RiskConfig.Mode.POLICY && (weight > 0 || multiplier > 0);
    return critics
        ? Optional.of(
            new CvarLossTerm(
                config.alpha(),
                config.method(),
                weight,
                multiplier,
                scale.normalize(Objects.requireNonNull(config.limit())),
                config.cap() == null ? Double.POSITIVE_INFINITY : config.cap()))
        : Optional.empty();
  }

  /** Lowers the advantages of the steps that make the tail, in mode {@code policy}. */
  public Gae.Result adjust(Gae.Result gae, Gae.Input input) {
    if (config.mode() != RiskConfig.Mode.POLICY || multiplier == 0) {
      return gae;
    }
    double[] shortfalls = TailCost.centered(samples, config.alpha());
    double[] costs =
        config.measure() == RiskConfig.Measure.REWARDS
            ? TailCost.traced(shortfalls, input)
            : shortfalls;
    return gae.minus(Arrays.stream(costs).map(cost -> multiplier * cost).toArray());
  }
}
