package io.quantail.ppo;

import io.quantail.critic.ValueClip;
import java.util.Optional;

/**
 * What each term of the loss counts during one update.
 *
 * @param clipRange half-width of the ratio's free interval
 * @param cloning coefficient of the behaviour-cloning term
 * @param klPenalty coefficient of the exact KL divergence from the old policy
 * @param entropy coefficient of the entropy bonus
 * @param critic coefficient of the critic loss
 * @param valueClip limit on the critics' move; empty when they are free
 * @param risk term of the predicted CVaR; empty when there is none
 */
record LossCoefficients(
    double clipRange,
    double cloning,
    double klPenalty,
    double entropy,
    double critic,
    Optional<ValueClip> valueClip,
    Optional<RiskTerm> risk) {}
