package io.quantail.market.performance;

import java.io.Serializable;

/**
 * A confidence interval.
 *
 * @param low lower bound
 * @param high upper bound
 */
public record ConfidenceInterval(double low, double high) implements Serializable {}
