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
 * @param tail the measured tail; empty if too few episodes have ended to measure one
 * @param missingEpisodes how many more must end before it is measured
 * @param weight weight of the predicted CVaR in the loss
 * @param multiplier multiplier of the violation
 * @param costs what each transition contributes to the tail; empty unless the limit acts on the
 *     policy
 * @param steering the gap that changed the multiplier; empty if nothing did
 */
public record CvarDecision(
    RiskConfig config,
    ReturnScale scale,
    Optional<CvarController.Tail> tail,
    int missingEpisodes,
    double weight,
    double multiplier,
    double[] costs,
    Optional<CvarController.Steering> steering) {
  private static final double[] NO_COSTS = {};

  /** Nothing was measured, so nothing acts. */
  static CvarDecision undecided(RiskConfig config, ReturnScale scale, int missingEpisodes) {
    return new CvarDecision(
        config, scale, Optional.empty(), missingEpisodes, 0, 0, NO_COSTS, Optional.empty());
  }

  /** The tail was measured, and nothing acts on it. */
  static CvarDecision measured(RiskConfig config, ReturnScale scale, CvarController.Tail tail) {
    return new CvarDecision(config, scale, Optional.of(tail), 0, 0, 0, NO_COSTS, Optional.empty());
  }

  CvarDecision withWeight(double newWeight) {
    return new CvarDecision(
        config, scale, tail, missingEpisodes, newWeight, multiplier, costs, steering);
  }

  CvarDecision withMultiplier(double newMultiplier, CvarController.Steering gap) {
    return new CvarDecision(
        config, scale, tail, missingEpisodes, weight, newMultiplier, costs, Optional.of(gap));
  }

  CvarDecision withCosts(double[] newCosts) {
    return new CvarDecision(
        config, scale, tail, missingEpisodes, weight, multiplier, newCosts, steering);
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
  public Gae.Result adjust(Gae.Result gae) {
    return costs.length == 0
        ? gae
        : gae.minus(Arrays.stream(costs).map(cost -> multiplier * cost).toArray());
  }
}
