package io.quantail.loss;

import io.quantail.risk.CvarLossTerm;
import io.quantail.value.ValueClip;
import java.util.Optional;

/**
 * Coefficients of the terms of the loss during one update.
 *
 * @param clipRange half-width of the ratio's free interval
 * @param cloning coefficient of the behaviour-cloning term
 * @param klPenalty coefficient of the exact KL divergence from the old policy
 * @param entropy coefficient of the entropy bonus
 * @param critic coefficient of the critic loss
 * @param valueClip limit on the change of the critics; empty when there is none
 * @param risk term of the predicted CVaR; empty when there is none
 */
public record LossCoefficients(
    double clipRange,
    double cloning,
    double klPenalty,
    double entropy,
    double critic,
    Optional<ValueClip> valueClip,
    Optional<CvarLossTerm> risk) {}
